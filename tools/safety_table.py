"""The table of single faults in docs/safety.md, from firmware/safety: what can fail, and what came of trying it."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

SAFETY = Path(__file__).parents[1] / "firmware" / "safety"


def load_rows() -> list[dict[str, Any]]:
    """Return the rows of firmware/safety/faults.toml."""
    with (SAFETY / "faults.toml").open("rb") as file:
        rows: list[dict[str, Any]] = tomllib.load(file)["fault"]
    return rows


def single_faults() -> str:
    """Return the table, and what it sums up to."""
    results = json.loads((SAFETY / "results.json").read_text())
    rows = load_rows()
    tried = [(row, found) for row, found in zip(rows, results["rows"], strict=True) if found["cases"]]
    unseen = sum(found["dangerous_unseen"] for _, found in tried)
    seen = sum(found["dangerous_seen"] for _, found in tried)
    text = (
        f"{results['cases']:,} cases were simulated with the firmware that boards run (seed {results['seed']}): each"
        f" thing that can fail in each of {results['states']} states of the table, with people who go on as the panels"
        f" ask. **Dangerous and unseen: {unseen}.** Dangerous and seen: {seen}; until all stood {results['p95_ms']} ms"
        f" in 95 of 100 of them, {results['longest_ms']} ms at the most. Dangerous is a motor with voltage that nobody"
        " has switched on, or 30 ms after it was switched off, and a motor below the lid while the lid is not closed."
        " The times end with the voltage: nobody has measured how long a motor coasts. Whoever clears such a fault and"
        " presses START has the motor run for that long again."
        " `.venv-dev/bin/python -m tests.campaign.single_faults --write` tries all again."
    )
    lines = [
        *wrap(text, 120, break_long_words=False, break_on_hyphens=False),
        "",
        "| what fails | how | cases | dangerous | longest until all stood | told as | then | what is left |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [_tried(row, found) for row, found in tried]
    lines += [
        "",
        "Not simulated, for no program takes part:",
        "",
        "| what fails | how | what holds | what is left |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {row['part']} | {row['how']} | {row['hardware']} | {row['left']} |" for row in rows if "hardware" in row
    ]
    return "\n".join(lines) + "\n"


def _tried(row: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    told = [f"`{name}` {count}" for name, count in list(found["told"].items())[:4]]
    if len(found["told"]) > len(told):
        told.append(f"{len(found['told']) - len(told)} others")
    if found["untold"]:
        told.append(f"nothing {found['untold']}")
    longest = f"{found['longest_ms']} ms" if found["dangerous_seen"] else ""
    dangerous = found["dangerous_seen"] + found["dangerous_unseen"]
    return (
        f"| {row['part']} | {row['how']} | {found['cases']} | {dangerous or ''} | {longest} | {', '.join(told)}"
        f" | {row['then']} | {row['left']} |"
    )
