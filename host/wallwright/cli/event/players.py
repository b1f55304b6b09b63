"""`wallwright event players import | list | add | rename | privacy | withdraw | return`: who plays."""

import json
import shlex
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...system.streams import say
from ..groups import group
from .common import AsJson, By, Place, Reason, print_done, print_rows, who

if TYPE_CHECKING:
    from ...event.player_lists import PlayerList, Reading

HELP = """Say who plays: take a list, and let single players come and go, also during the event.

Example: wallwright event players import day.journal players.csv
"""
IMPORT_HELP = """Take the list of players from a file: a workbook, or CSV of any spreadsheet.

\b
Examples:
  wallwright event players import day.journal players.csv --check
  wallwright event players import day.journal players.csv
  wallwright event players import day.journal export.csv --columns -,name,-,club --no-header

It says how it has read the file: the encoding, what stands between cells, which column is what, which lines are passed
over. If something of that is wrong, say it. Where it is not certain, it shows each way to read the file with the
options that choose it, and takes nothing without them; --yes takes the first way. Columns are name, given (the given
name), club, id, apart (names to be kept from the same table, between semicolons), private (yes: the name is withheld
from all that leaves the hall), and - for one that is passed over. All mistakes are listed with their lines. Before the
draw the list can be taken again.
"""
LIST_HELP = """List the players, or what was changed about single ones.

Example: wallwright event players list day.journal --changes
"""
ADD_HELP = """Add a player, also after the draw.

Example: wallwright event players add day.journal "Ann Lee" --club Chengdu --reason "came late"

In sessions that have not begun the player gets the seats of a stand-in, or an extra table if the format has that. In
one that is played, `wallwright event substitute` lets them take a seat.
"""
RENAME_HELP = """Correct the name of a player; the old one stays in the journal.

Example: wallwright event players rename day.journal 7 "Anne Lee" --reason "was misspelt"
"""
PRIVACY_HELP = """Say whether a player's name is withheld from all that leaves the hall, or is shown there.

\b
Examples:
  wallwright event players privacy day.journal 7 private --reason "has asked for it"
  wallwright event players privacy day.journal 7 public --reason "was a mistake"

The hall's own desk, screens and papers show the name all the same. Extracts have `Name withheld 7` in its place, and so
has the season, which knows who it is by the id. Extracts that were made before keep the name (docs/season.md).
"""
WITHDRAW_HELP = """Let a player leave for the rest of the event.

Example: wallwright event players withdraw day.journal 7 --reason "is ill"

What was played stays, ranked after those who play on. The seats go to who waits for one, then to who sits out, then to
stand-ins.
"""
RETURN_HELP = """Let a player who has withdrawn play again.

Example: wallwright event players return day.journal 7 --reason "is well again"
"""
BETWEEN = {
    "tab": "tabs between cells",
    "semicolon": "semicolons between cells",
    "comma": "commas between cells",
    "wide-comma": "full-width commas between cells",
    "bar": "bars between cells",
    "none": "one cell a line",
    "sheet": "the cells of a sheet",
}
_SHOWN_PLAYERS = 6
_COLUMNS = ("name", "club", "id")


class Privacy(StrEnum):
    """Whether a name stays in the hall."""

    PRIVATE = "private"
    PUBLIC = "public"


Known = Annotated[str, typer.Argument(metavar="PLAYER", help="The player: name or number.")]
Named = Annotated[str, typer.Argument(metavar="NAME", help="What the player is called.")]

app = group("players", HELP)


def add_commands(main: typer.Typer) -> None:
    """Put the commands of this module under `main`."""
    main.add_typer(app)


@app.command("import", help=IMPORT_HELP)
def import_(
    place: Place,
    path: Annotated[Path, typer.Argument(metavar="PLAYERS", help="The file.")],
    columns: Annotated[
        str, typer.Option(help="What every column is: name,given,club,id,apart,private or -, with commas.")
    ] = "",
    header: Annotated[
        bool | None, typer.Option("--header/--no-header", help="Whether the first line names the columns.")
    ] = None,
    delimiter: Annotated[str, typer.Option(help="tab, semicolon, comma, wide-comma, bar or none.")] = "",
    encoding: Annotated[
        str, typer.Option(help="utf-8, gb18030, big5, shift_jis, windows-1252 and any other that Python knows.")
    ] = "",
    sheet: Annotated[str, typer.Option(help="The sheet of a workbook.")] = "",
    skip: Annotated[
        str, typer.Option(help="The lines that are passed over, and no others: numbers with commas, or -.")
    ] = "",
    check: Annotated[bool, typer.Option("--check", help="Say how the file is read, and take nothing.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Take the first way to read the file, if there are several.")
    ] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Take the players."""
    from ...event.lists.characters import check_encoding
    from ...event.player_lists import Reading, check_columns, check_delimiter, check_lines, load_players
    from ...event.setup import import_players
    from ...event.store import open_event

    check_encoding(encoding)
    reading = Reading(encoding, check_delimiter(delimiter), header, check_columns(columns), sheet, check_lines(skip))
    found = load_players(path, reading)
    if as_json and found.doubts and not yes:
        print(json.dumps(_all_ways(found), ensure_ascii=False))
    elif not as_json:
        say(*_said(path.name, found, is_chosen=yes))
    roster = found.checked(str(path), is_chosen=yes)
    open_choices: list[str] = []
    if not check:
        with open_event(place, who(by)) as desk:
            open_choices = [str(one) for one in import_players(desk, roster, path.name)]
    count = len(roster.players)
    text = f"{count} players, pairs to be kept apart: {len(roster.clashes())}."
    if check:
        text += " Nothing was taken."
    more = ""
    if open_choices:
        more = f"{count} do not fill the tables. When you draw, choose: {'; or '.join(open_choices)}."
    clashes = len(roster.clashes())
    print_done(
        as_json,
        [text, more] if more else text,
        players=count,
        clashes=clashes,
        choices=open_choices,
        taken=not check,
        **_read_as(found),
    )


@app.command("list", help=LIST_HELP)
def list_(
    place: Place,
    changes: Annotated[bool, typer.Option("--changes", help="What was changed, why and by whom.")] = False,
    as_json: AsJson = False,
) -> None:
    """List players."""
    from ...event.store import read_event

    state = read_event(place)
    if changes:
        rows: list[dict[str, Any]] = [
            {"player": one.player, "change": one.kind, "name": one.name, "old_name": one.old, "reason": one.reason,
             "by": one.by, "entry": one.entry}
            for one in state.all_changes
        ]  # fmt: skip
    else:
        rows = [one.record() | {"withdrawn": one.number in state.withdrawn} for one in state.roster.players]
    print_rows(rows, as_json, "Changes" if changes else "Players")


@app.command("add", help=ADD_HELP)
def add(
    place: Place,
    name: Named,
    club: Annotated[str, typer.Option(help="The club.")] = "",
    id_: Annotated[str, typer.Option("--id", help="The number of a federation, or a hall's key for the player.")] = "",
    private: Annotated[
        bool, typer.Option("--private", help="Withhold the name from all that leaves the hall.")
    ] = False,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Add a player."""
    from ...event.entries import add_player
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        number, lines = add_player(desk, name, club, reason, id_, private=private)
    _print(as_json, number, f"{name} is player {number}.", [str(line) for line in lines])


@app.command("rename", help=RENAME_HELP)
def rename(
    place: Place,
    player: Known,
    name: Named,
    reason: Reason = "",
    club: Annotated[str | None, typer.Option(help="The club, before the draw.")] = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Correct a name."""
    from ...event.entries import rename_player
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        number = desk.player(player)
        old = desk.state.name(number)
        rename_player(desk, number, name, reason, club)
        now = desk.state.name(number)
    _print(as_json, number, f"Player {number}, {old}, is {now} from now on.", [])


@app.command("privacy", help=PRIVACY_HELP)
def set_name(
    place: Place,
    player: Known,
    privacy: Annotated[Privacy, typer.Argument(help="Whether the name stays in the hall: private or public.")],
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Withhold a name, or show it."""
    from ...event.entries import set_privacy
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        number = desk.player(player)
        private = privacy is Privacy.PRIVATE
        set_privacy(desk, number, private, reason)
        name = desk.state.name(number)
    told = "is withheld from" if private else "is shown in"
    _print(as_json, number, f"The name of {name} {told} extracts that are made from now on.", [])


@app.command("withdraw", help=WITHDRAW_HELP)
def withdraw(place: Place, player: Known, reason: Reason = "", by: By = "", as_json: AsJson = False) -> None:
    """Withdraw a player."""
    from ...event.entries import withdraw_player
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        number = desk.player(player)
        lines = withdraw_player(desk, number, reason)
        name = desk.state.name(number)
    _print(as_json, number, f"{name} has withdrawn.", [str(line) for line in lines])


@app.command("return", help=RETURN_HELP)
def return_(place: Place, player: Known, reason: Reason = "", by: By = "", as_json: AsJson = False) -> None:
    """Let a player return."""
    from ...event.entries import return_player
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        number = desk.player(player)
        lines = return_player(desk, number, reason)
        name = desk.state.name(number)
    _print(as_json, number, f"{name} plays again.", [str(line) for line in lines])


def _print(as_json: bool, player: int, text: str, lines: list[str]) -> None:
    print_done(as_json, [text, *(f"  {line}" for line in lines)], player=player, lines=lines)


def _said(name: str, found: "PlayerList", *, is_chosen: bool) -> Iterator[str]:
    """How a list was understood; where that is in doubt, each way to read it with the options that choose it."""
    if not found.doubts or is_chosen:
        yield from _understood(name, found)
        return
    for number, way in enumerate((found, *found.others), 1):
        yield from _understood(f"Reading {number} of {name}, by {_options(way.choice)}", way)
        players = [{one: getattr(player, one) for one in _COLUMNS} for player in way.roster.players[:_SHOWN_PLAYERS]]
        shown = [one for one in _COLUMNS if any(player[one] for player in players)]
        yield from (f"    {'  '.join(player[one] or '-' for one in shown)}" for player in players)
        if len(way.roster.players) > _SHOWN_PLAYERS:
            yield f"    and {len(way.roster.players) - _SHOWN_PLAYERS} more"
        yield from (f"    {problem}" for problem in way.problems[:_SHOWN_PLAYERS])
    yield "Say the options of the right one; --yes takes the first."


def _understood(name: str, found: "PlayerList") -> Iterator[str]:
    first = "a line names the columns" if found.has_header else "no line names the columns"
    yield f"{name}: {found.encoding}, {BETWEEN[found.delimiter]}, {first}."
    for number, column in enumerate(found.columns, 1):
        shown = next((cell for cell in column.cells if cell), "")
        label = f" {json.dumps(column.label, ensure_ascii=False)}" if column.label else ""
        role = "passed over" if column.role == "-" else column.role
        yield f"  column {number}{label}: {role}" + (f", such as {shown}" if shown else "")
    yield from (f"  {note}" for note in found.notes)


def _options(choice: "Reading") -> str:
    """The options that have a list read in one way."""
    told = [
        f"--encoding {choice.encoding}" * bool(choice.encoding),
        f"--sheet {shlex.quote(choice.sheet)}" * bool(choice.sheet),
        {True: "--header", False: "--no-header", None: ""}[choice.header],
        f"--columns {','.join(choice.columns)}" * bool(choice.columns),
        "" if choice.skip is None else f"--skip {','.join(map(str, choice.skip)) or '-'}",
    ]
    return " ".join(one for one in told if one) or "--yes"


def _all_ways(found: "PlayerList") -> dict[str, Any]:
    ways = [
        {"options": _options(way.choice), **_read_as(way), "roster": [one.record() for one in way.roster.players],
         "problems": [str(problem) for problem in way.problems]}
        for way in (found, *found.others)
    ]  # fmt: skip
    return {"taken": False, "doubts": [str(doubt) for doubt in found.doubts], "readings": ways}


def _read_as(found: "PlayerList") -> dict[str, Any]:
    roles = [column.role for column in found.columns]
    notes = [str(note) for note in found.notes]
    read = {"encoding": found.encoding, "delimiter": found.delimiter, "header": found.has_header}
    return {**read, "columns": roles, "notes": notes}
