"""`wallwright log proof`: the verdict about what a page has shown and what its server has answered."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ...budgets import Budget
from ...errors import BadInput
from ...system.strict_json import BadJson, read_json_file
from .arguments import AsJson

PROOF_HELP = """Say what a player's page or a day's page proves, by what it showed and what its server answered.

Example: wallwright log proof case.json

docs/proofs.md says what the file has, and what each word of the verdict means. Exit code 1: something that is shown is
not proved. With --json: the verdict, {"accepted": true, "why": "", "key": "J2...", "proved": [...], ...}.
"""


def add_commands(app: typer.Typer) -> None:
    """Give the command to the app of `wallwright log`."""
    app.command("proof", help=PROOF_HELP)(proof)


def proof(
    path: Annotated[Path, typer.Argument(metavar="CASE", help="The file of the case.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Print the verdict; exit with 1 when it is not accepted."""
    from ...season.extract_file import BUDGET, LONGEST
    from ...season.verdict import verify

    # An extract stands in it as a JSON string, whose quotes are escaped.
    try:
        case = read_json_file(path, Budget(2 * LONGEST, BUDGET.values))
    except BadJson as error:
        raise BadInput(f"{path}: {error}; docs/proofs.md says what a case has") from error
    found = verify(case)
    if as_json:
        print(json.dumps(found))
    else:
        for line in _lines(found):
            print(line)
    if not found["accepted"]:
        raise typer.Exit(1)


def _lines(found: dict[str, Any]) -> list[str]:
    if found["key"] is not None:
        lines = [f"under the checkpoint of {found['size']} entries, signed by {found['key']}:"]
    else:
        lines = [f"nothing is proved: {found['why']} (docs/proofs.md says what that means)"]
    for row in (*found["proved"], *found["partly"]):
        unit = "" if row["unit"] is None else f", board {row['unit']!r}"
        seat = f", seat {row['seat']}" if "seat" in row else ""
        points = row["points"] if isinstance(row["points"], list) else [row["points"]]
        told = " ".join(f"{one:+d}" for one in points)
        missing = f"; not proved: {', '.join(row['missing'])}" if "missing" in row else ""
        place = f"session {row['session']}, table {row['table']}, deal {row['deal']}"
        lines.append(f"{place}{seat}: {told} (entry {row['entry']}, {row['kind']}{unit}){missing}")
    for row in found["unproved"]:
        lines.append(f"{json.dumps({name: row[name] for name in row if name != 'why'})}: not proved, {row['why']}")
    return [*lines, f"not proved of all: {', '.join(found['not_proved'])}"]
