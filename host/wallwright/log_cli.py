"""`wallwright log ...`: what a journal holds."""

import dataclasses
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from .journal import Entry

app = typer.Typer(name="log", help="Read journals.", no_args_is_help=True, rich_markup_mode=None)

SHOW_HELP = """Print a journal, one entry a line, also while another program writes it.

Example: wallwright log show session.journal

With --json: {"id": 12, "at_ms": 24810, "unit": "SIM-1", "boot_id": 7, "seq": 9, "kind": "build_done", "body": {...}}.
Records of the host have no boot_id and seq.
"""

FIRST_DATE_MS = 100_000_000_000
"""Times below are those of simulated tables, ms since power-up; above, ms since 1970, and this is 1973."""


@app.callback()
def log() -> None:
    """Make `log` a group, though it has one command."""


@app.command("show", help=SHOW_HELP)
def show(
    path: Annotated[Path, typer.Argument(help="The journal's file.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")] = False,
) -> None:
    """Print all entries."""
    from .journal import read_journal

    for entry in read_journal(path):
        print(json.dumps(dataclasses.asdict(entry), ensure_ascii=False) if as_json else entry_line(entry))


def entry_line(entry: "Entry") -> str:
    """Return an entry as one line for a person."""
    number = "" if entry.seq is None else f"#{entry.seq}"
    fields = entry.body if entry.seq is None else entry.body.get("fields", {})
    text = "  ".join(f"{name} {_value(value)}" for name, value in fields.items())
    lost = (
        f"  ({entry.body['lost']} events before it were lost)" if entry.seq is not None and "lost" in entry.body else ""
    )
    what = f"{entry.unit or '-':<10} {number:>6}  {entry.kind:<18} {text}{lost}"
    return f"{entry.id:6d}  {_time(entry.at_ms)}  {what}".rstrip()


def _time(at_ms: int) -> str:
    if at_ms < FIRST_DATE_MS:
        return f"{at_ms / 1000:10.3f} s"
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3] + " UTC"


def _value(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, list) and all(isinstance(item, int) for item in value):
        return ",".join(str(item) for item in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
