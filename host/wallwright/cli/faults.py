"""`wallwright faults`: the catalogue of faults, for a person beside a table."""

import json
import sys
from typing import Annotated

import typer

from wallwright_protocol.faults import catalogue

HELP = """List every fault of a table: what it means and what to do.

A table without a host shows a fault's number on its displays as E07 S2, number and side, and flashes the lift lamp of
that side in the fault's pattern; each step of the pattern is a quarter of a second.

Example: wallwright faults head_jam
"""


def faults(
    name: Annotated[str | None, typer.Argument(help="Only the fault of this name or number.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line a fault.")] = False,
) -> None:
    """Print the catalogue; the command's help is HELP."""
    rows = catalogue()
    if name is not None:
        number = name.upper().removeprefix("E")
        rows = [row for row in rows if row["name"] == name or (number.isdecimal() and row["code"] == int(number))]
        if not rows:
            raise typer.BadParameter(f"no fault is called {name!r}; without a name all are listed", param_hint="NAME")
    if as_json:
        for row in rows:
            sys.stdout.write(json.dumps(row) + "\n")
        return
    from rich.table import Table as Grid

    from ..system.terminal import drawing_console

    grid = Grid(show_lines=True)
    for heading in ("code", "name", "severity", "lamps", "what it means", "what to do"):
        grid.add_column(heading, overflow="fold", no_wrap=heading == "lamps")
    for row in rows:
        grid.add_row(f"E{row['code']:02d}", *(str(row[key]) for key in ("name", "severity", "lamps")), *_words(row))
    drawing_console().print(grid)


def _words(row: dict[str, object]) -> tuple[str, str]:
    return str(row["meaning"]), str(row["what_to_do"])
