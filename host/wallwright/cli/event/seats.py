"""`wallwright event substitute | swap-seats`: who plays in the place of whom, from now on or found afterwards."""

from typing import Annotated

import typer

from ...errors import BadInput
from ...naming import seat_name
from .common import AsJson, By, Place, PlayerName, Reason, SessionNumber, print_done, who

SUBSTITUTE_HELP = """Let somebody take a player's seat from the deal in play, or the next one, on.

\b
Examples:
  wallwright event substitute day.journal 2 "Ann Lee" "Bo Chen" --reason "Ann is ill"
  wallwright event substitute day.journal 2 "Ann Lee" "Bo Chen" --from-deal 1 --reason "Ann came an hour late"

A name that is not in the list of players is a stand-in, who is not ranked. --from-deal is for what is found afterwards:
the deals from that one on, to the one of --to-deal, become the substitute's.
"""
SWAP_HELP = """Note that players sat on each other's seats, or groups at each other's tables: their deals become theirs.

\b
Examples:
  wallwright event swap-seats day.journal 1 "Ann Lee" "Bo Chen" --reason "sat on each other's seats"
  wallwright event swap-seats day.journal 1 "Ann Lee" "Bo Chen" --from-deal 3 --to-deal 4 --reason "after the break"
  wallwright event swap-seats day.journal 1 --tables 3,5 --reason "read the plan of session 2"

Each player named had the seat of the next one, and the last one that of the first; they may be of several tables. With
--tables the four of each table played at the next one named, seat by seat. Results stay with their seats, and points
go to the people. A signature of these tables is taken back.
"""

FromDeal = Annotated[int, typer.Option("--from-deal", metavar="DEAL", help="The first deal in which they sat so.")]
ToDeal = Annotated[
    int | None,
    typer.Option("--to-deal", metavar="DEAL", help="The last deal in which they sat so; without it, they still do."),
]


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("substitute", help=SUBSTITUTE_HELP)(substitute)
    app.command("swap-seats", help=SWAP_HELP)(swap_seats)


def substitute(
    place: Place,
    number: SessionNumber,
    player: PlayerName,
    into: Annotated[str, typer.Argument(metavar="SUBSTITUTE", help="Who takes it: a player, or a new name.")],
    reason: Reason,
    from_deal: Annotated[
        int | None,
        typer.Option("--from-deal", metavar="DEAL", help="The substitute's first deal, if that is not the next one."),
    ] = None,
    to_deal: ToDeal = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Substitute."""
    from ...event.sanctions import substitute as take_seat
    from ...event.sat import sat_instead
    from ...event.store import open_event

    if from_deal is not None:
        with open_event(place, who(by)) as desk:
            leaving = desk.player(player)
            lines = sat_instead(desk, number, leaving, into, reason, from_deal=from_deal, to_deal=to_deal)
            told = [line.said(desk.state.say_seats) for line in lines]
        print_done(as_json, told, lines=told)
        return
    if to_deal is not None:
        raise BadInput("--to-deal is for what is found afterwards; say --from-deal as well")
    with open_event(place, who(by)) as desk:
        leaving = desk.player(player)
        new = take_seat(desk, number, leaving, into, reason)
        last = desk.state.substitutions[-1]
    where = (
        f"{desk.state.table_name(last.table)}, {seat_name(last.seat, desk.format.seats)}, from deal {last.from_deal}"
    )
    text = f"{into} ({new}) plays for {player} ({leaving}) at {where}."
    print_done(as_json, text, player=new, table=last.table, seat=last.seat, from_deal=last.from_deal)


def swap_seats(
    place: Place,
    number: SessionNumber,
    reason: Reason,
    players: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER]...", help="Each had the seat of the next one named.")
    ] = None,
    tables: Annotated[str, typer.Option(help="Whole tables instead, such as 3,5.")] = "",
    from_deal: FromDeal = 1,
    to_deal: ToDeal = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Note who sat where."""
    from ...event import sat
    from ...event.store import open_event

    if bool(players) == bool(tables):
        raise BadInput("name two players or more, or --tables")
    with open_event(place, who(by)) as desk:
        if tables:
            lines = sat.swap_tables(desk, number, _numbers(tables), reason, from_deal=from_deal, to_deal=to_deal)
        else:
            swapped = [desk.player(name) for name in players or ()]
            lines = sat.swap_players(desk, number, swapped, reason, from_deal=from_deal, to_deal=to_deal)
        told = [line.said(desk.state.say_seats) for line in lines]
    print_done(as_json, told, lines=told)


def _numbers(tables: str) -> list[int]:
    try:
        return [int(word) for word in tables.split(",")]
    except ValueError as error:
        raise BadInput(f"--tables: {tables!r} are no tables; write their numbers, such as 3,5") from error
