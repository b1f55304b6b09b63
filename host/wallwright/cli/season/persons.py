"""`wallwright season persons ...`: who is who on different days."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ..event.common import AsJson, By, Reason, print_done, print_rows, who
from ..groups import group
from .common import DayName, Season

HELP = """Say who is who: the players of all days as persons, by ids and by what somebody at the desk says.

\b
Examples:
  wallwright season persons propose year.season
  wallwright season persons merge year.season MIL-0123 1d829cb3/5 --reason "forgot the badge"

Whoever has one id on several days is one person; whoever has none is a person of that day alone until somebody merges
them. Nobody is merged because of a name.
"""
LIST_HELP = """List the persons, or those whose names have a text in them; Chinese names are found by their sounds.

\b
Examples:
  wallwright season persons list year.season
  wallwright season persons list year.season --search zhangwei
"""
PROPOSE_HELP = """Propose persons who might be one: names alike, never in two places at once. Nothing is changed.

Example: wallwright season persons propose year.season

It needs the extra: pip install 'wallwright[season]'.
"""
MERGE_HELP = """Say that two or more are one person.

Example: wallwright season persons merge year.season MIL-0123 1d829cb3/5 --reason "forgot the badge"
"""
SPLIT_HELP = """Say that a player of a day is somebody else than the id in the day's list says.

Example: wallwright season persons split year.season 2016-09-03 17 --reason "her brother played with her badge"

PERSON is who it is instead; without it, somebody of that day alone.
"""
UNDO_HELP = """Take a merge or a split back.

Example: wallwright season persons undo year.season 31 --reason "they are two after all"
"""
CHANGES_HELP = """List the merges and splits that stand, with their entries.

Example: wallwright season persons changes year.season
"""

BADGES_HELP = """Issue keys for players without a federation's number: badges with QR codes, to be printed.

Example: wallwright season persons badges badges.html --count 40

A key is random and nobody's until somebody writes a name on its badge; it goes into the column `id` of the lists of
days. With --json the keys are printed too.
"""

app = group("persons", HELP)


def add_commands(main: typer.Typer) -> None:
    """Put the commands of this module under `main`."""
    main.add_typer(app)


@app.command("list", help=LIST_HELP)
def list_(
    place: Season,
    text: Annotated[str, typer.Option("--search", help="Part of a key, a name or its sounds.")] = "",
    as_json: AsJson = False,
) -> None:
    """List persons."""
    from ...season.desk import read_season
    from ...season.papers import persons_paper
    from ...season.persons import People
    from ...season.who import search

    state = read_season(place)
    rows = persons_paper(state)
    if text:
        found = {one.key for one in search(People(state), text)}
        rows = [row for row in rows if row["person"] in found]
    print_rows(rows, as_json)


@app.command("propose", help=PROPOSE_HELP)
def propose(place: Season, as_json: AsJson = False) -> None:
    """Propose merges."""
    from ...season.desk import read_season
    from ...season.who import proposals

    rows: list[dict[str, Any]] = [
        {
            "alike": one.alike,
            "person": one.one.key,
            "name": one.one.name,
            "other": one.other.key,
            "other_name": one.other.name,
            "days": f"{len(one.one.days)}, {len(one.other.days)}",
        }
        for one in proposals(read_season(place))
    ]
    print_rows(rows, as_json)


@app.command("merge", help=MERGE_HELP)
def merge(
    place: Season,
    persons: Annotated[list[str], typer.Argument(metavar="PERSON...", help="Keys or names, two or more.")],
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Merge persons."""
    from ...season.desk import open_season
    from ...season.who import merge as say_one

    with open_season(place, who(by)) as desk:
        person = say_one(desk, persons, reason)
        entry = desk.state.last
    text = f"{person.name} ({person.key}) has {len(person.days)} days now; entry {entry}, if it is to be undone."
    print_done(as_json, text, person=person.key, days=len(person.days), entry=entry)


@app.command("split", help=SPLIT_HELP)
def split(
    place: Season,
    day: DayName,
    player: Annotated[int, typer.Argument(metavar="PLAYER", help="The player's number on that day.")],
    person: Annotated[str, typer.Argument(metavar="[PERSON]", help="Who it is instead.")] = "",
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Split a person."""
    from ...season.desk import open_season
    from ...season.who import split as say_other

    with open_season(place, who(by)) as desk:
        key = say_other(desk, day, player, person, reason)
        entry = desk.state.last
    print_done(
        as_json, f"Player {player} of {day} is {key}; entry {entry}, if it is to be undone.", person=key, entry=entry
    )


@app.command("undo", help=UNDO_HELP)
def undo(
    place: Season,
    entry: Annotated[int, typer.Argument(metavar="ENTRY", help="The entry of the merge or split.")],
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Undo."""
    from ...season.desk import open_season
    from ...season.who import undo as take_back

    with open_season(place, who(by)) as desk:
        text = take_back(desk, entry, reason)
    print_done(as_json, f"{text}.", undone=entry)


@app.command("badges", help=BADGES_HELP)
def badges(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The page to be written (HTML).")],
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 40,
    as_json: AsJson = False,
) -> None:
    """Issue keys."""
    import secrets

    from ...console.qr import path_of
    from ...season.badges import badge_page, new_key
    from ...system.disk import write_named_new

    keys = [new_key(secrets.token_bytes) for _ in range(count)]
    page = badge_page("Badges", [(key, *path_of(key)) for key in keys])
    write_named_new(path, page.encode())
    print_done(as_json, f"{path}: {count} badges; open it in a browser and print it.", file=str(path), keys=keys)


@app.command("changes", help=CHANGES_HELP)
def changes(place: Season, as_json: AsJson = False) -> None:
    """List merges and splits."""
    from ...season.desk import read_season

    state = read_season(place)
    rows = [
        *(
            {"entry": one.entry, "what": "merged", "who": ", ".join(one.persons), "reason": one.reason, "by": one.by}
            for one in state.merges.values()
        ),
        *(
            {
                "entry": one.entry,
                "what": "split",
                "who": f"player {one.player} of {one.day[:8]} is {one.person}",
                "reason": one.reason,
                "by": one.by,
            }
            for one in state.splits.values()
        ),
    ]
    print_rows(sorted(rows, key=lambda row: int(str(row["entry"]))), as_json)
