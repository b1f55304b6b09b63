"""`wallwright event penalty give | withdraw | list`: what a referee does about people."""

from fractions import Fraction
from typing import Annotated

import typer

from ...errors import BadInput
from ..groups import group
from .common import AsJson, By, OneSession, Place, PlayerName, Reason, print_done, print_rows, who

HELP = """Give penalties of the event's catalogue, and withdraw them.

Example: wallwright event penalty list day.journal
"""
GIVE_HELP = """Give a player a penalty, for a session or for the event as a whole.

Example: wallwright event penalty give day.journal "Ann Lee" points --amount 4 --session 1 --reason "late"
"""
WITHDRAW_HELP = """Withdraw a penalty, by the number that it got; it stays in the journal.

Example: wallwright event penalty withdraw day.journal 812 --reason "it was somebody else"
"""
LIST_HELP = """List the penalties that were given, after the catalogue of those that may be.

Example: wallwright event penalty list day.journal
"""


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    penalty = group("penalty", HELP)
    penalty.command("give", help=GIVE_HELP)(give)
    penalty.command("withdraw", help=WITHDRAW_HELP)(withdraw)
    penalty.command("list", help=LIST_HELP)(list_all)
    app.add_typer(penalty, name="penalty")


def give(
    place: Place,
    player: PlayerName,
    name: Annotated[str, typer.Argument(metavar="PENALTY", help="Which one of the catalogue.")],
    reason: Reason,
    amount: Annotated[str | None, typer.Option(help="How much, such as 4 or 1/2, where there is a choice.")] = None,
    number: OneSession = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Give."""
    from ...event import sanctions
    from ...event.store import open_event

    worth = _amount(amount)
    with open_event(place, who(by)) as desk:
        given_to = desk.player(player)
        entry = sanctions.give_penalty(desk, given_to, name, reason, amount=worth, session=number)
    print_done(as_json, f"Penalty {entry} is given.", penalty=entry, player=given_to)


def withdraw(
    place: Place,
    penalty: Annotated[int, typer.Argument(metavar="NUMBER", help="The number of the penalty.")],
    reason: Reason,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Withdraw."""
    from ...event import sanctions
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        sanctions.withdraw_penalty(desk, penalty, reason)
    print_done(as_json, f"Penalty {penalty} is withdrawn.", withdrawn=penalty)


def list_all(place: Place, as_json: AsJson = False) -> None:
    """List."""
    from ...clocks import wall_ms
    from ...event import sanctions
    from ...event.desk import Desk
    from ...event.score_origins import number as written
    from ...event.sheets import penalty_rows
    from ...event.store import read_event

    state = read_event(place)
    if not as_json:
        for name, low, high in sanctions.catalogue(Desk.to_read(state, wall_ms)):
            worth = "" if not high else f" {written(low)}" if low == high else f" {written(low)} to {written(high)}"
            print(f"{name}{worth}")
    print_rows(penalty_rows(state), as_json, "Penalties given")


def _amount(text: str | None) -> Fraction | None:
    try:
        return None if text is None else Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise BadInput(f"{text!r} is no amount; write 4 or 1/2") from error
