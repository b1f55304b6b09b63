"""`wallwright event appeal file | decide | list`: what players say against results, and what is decided."""

from typing import Annotated

import typer

from ..groups import group
from .common import AsJson, By, OneDeal, OneTable, Place, PlayerName, Reason, SessionNumber, print_done, print_rows, who

HELP = """Put appeals against results on record, and decide them.

Example: wallwright event appeal list day.journal
"""
FILE_HELP = """Put an appeal on record; a session with an open one does not become final.

Example: wallwright event appeal file day.journal 1 "Ann Lee" --table 7 --deal 3 --reason "The kong was robbed."
"""
DECIDE_HELP = """Uphold an appeal or dismiss it, with the words of the ruling.

\b
Examples:
  wallwright event appeal decide day.journal 812 --upheld --reason "It was robbed; deal 3 is corrected."
  wallwright event appeal decide day.journal 812 --dismissed --reason "The tile was not claimed in time."

The decision changes no result; `wallwright event correct` does.
"""
LIST_HELP = """List the appeals and what became of them.

Example: wallwright event appeal list day.journal
"""


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    appeal = group("appeal", HELP)
    appeal.command("file", help=FILE_HELP)(file)
    appeal.command("decide", help=DECIDE_HELP)(decide)
    appeal.command("list", help=LIST_HELP)(list_all)
    app.add_typer(appeal, name="appeal")


def file(
    place: Place,
    number: SessionNumber,
    player: PlayerName,
    reason: Reason,
    table: OneTable = None,
    deal: OneDeal = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """File."""
    from ...event import appeals
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        entry = appeals.file_appeal(desk, number, desk.player(player), reason, table=table, deal=deal)
        about = desk.state.appeals[entry].subject
    print_done(as_json, f"Appeal {entry} about {about} is filed.", appeal=entry)


def decide(
    place: Place,
    appeal: Annotated[int, typer.Argument(metavar="APPEAL", help="The number of the appeal.")],
    upheld: Annotated[bool, typer.Option("--upheld/--dismissed", help="Whether the player is right.")],
    reason: Reason,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Decide."""
    from ...event import appeals
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        appeals.decide(desk, appeal, upheld=upheld, ruling=reason)
    print_done(as_json, f"Appeal {appeal} is {'upheld' if upheld else 'dismissed'}.", appeal=appeal, upheld=upheld)


def list_all(place: Place, as_json: AsJson = False) -> None:
    """List."""
    from ...event.sheets import appeal_rows
    from ...event.store import read_event

    print_rows(appeal_rows(read_event(place)), as_json, "Appeals")
