"""What the commands of `wallwright event` share: their arguments and options, and how they print.

One style for all: what a command needs are arguments, the journal first, then session, table, deal and player as far as
they are needed, then the rest; what may be left out is an option, of the same name everywhere. Why is always --reason.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import typer

from ...errors import BadInput
from ...shown_text import shown_line
from ...system.streams import say

Place = Annotated[
    str, typer.Argument(metavar="JOURNAL", help="The event's journal: a file, or postgresql://HOST/DATABASE.")
]
SessionNumber = Annotated[int, typer.Argument(metavar="SESSION", help="The session, from 1 on.")]
TableNumber = Annotated[int, typer.Argument(metavar="TABLE", help="The table, from 1 on.")]
DealNumber = Annotated[int, typer.Argument(metavar="DEAL", help="The deal, from 1 on.")]
PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="The player: name or number.")]
OneSession = Annotated[int | None, typer.Option("--session", help="This session only; without it, the whole event.")]
OneTable = Annotated[int | None, typer.Option("--table", help="This table only; without it, the whole hall.")]
OneDeal = Annotated[int | None, typer.Option("--deal", help="This deal only, with --session and --table.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; it is kept in the journal.")]
"""It may be left out where the event does not ask for it; a parameter without a default has to be given."""
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
By = Annotated[
    str,
    typer.Option(
        "--by", envvar="WALLWRIGHT_BY", help="Who does this, for the journal; without it, the name of this user."
    ),
]

WIDTH = 400


def who(by: str) -> str:
    """Return who is at the desk. BadInput for what is no name."""
    from ...event.players import NAME_LIMIT

    if len(by) > NAME_LIMIT:
        raise BadInput(f"--by: who does this is named in up to {NAME_LIMIT} characters, not in {len(by)}")
    return by or os.environ.get("USER") or os.environ.get("USERNAME") or "the desk"


def print_rows(rows: Sequence[Mapping[str, Any]], as_json: bool, title: str = "") -> None:
    """Print rows as JSON lines, or as a table."""
    from ...event.sheets import json_line, shown

    if as_json:
        for row in rows:
            print(json_line(row))
        return
    from rich.table import Table as Grid
    from rich.text import Text

    from ...system.terminal import drawing_console

    grid = Grid(title=Text(shown_line(title)) if title else None)
    for name in rows[0] if rows else ("nothing yet",):
        grid.add_column(name.replace("_", " "))
    for row in rows:
        grid.add_row(*(Text(shown_line(_cell(shown(value)))) for value in row.values()))
    console = drawing_console()
    if not console.is_terminal:
        # Nobody's screen is too small for a file or a pipe.
        console.width = WIDTH
    console.print(grid)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else str(value)


def print_done(as_json: bool, text: str | Sequence[str], **values: Any) -> None:
    """Print what was done: a sentence, or several lines, or the values."""
    if as_json:
        print(json.dumps(values, ensure_ascii=False))
    else:
        say(*((text,) if isinstance(text, str) else text))


def print_lines(lines: Iterable[str], as_json: bool, name: str) -> None:
    """Print sentences, or one object with them."""
    listed = list(lines)
    print_done(as_json, listed, **{name: listed})
