"""`wallwright event result | correct | approve | annul | penalty | substitute`: what scorers and referees enter."""

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import BadInput
from ..rules.words import Words
from .cli_common import AsJson, By, Place, Reason, SessionNumber, TableNumber, print_done, print_rows, who

RESULT_HELP = """Enter the result of a deal, see what it comes to, and confirm.

\b
Examples:
  wallwright event result day.journal 1 7 --deal deal.json
  wallwright event result day.journal 1 7 --points 8,-8,0,0 --reason "the hand was mixed up before it was noted"
  wallwright event result day.journal 1 7 --confirm

--deal takes a file (or -) in the form of `wallwright rules settle`: dealer, events, end, hands. What cannot have
happened is refused; a referee may enter the --points as they stand, with a --reason. --confirm confirms what the table
has told by itself.
"""
CORRECT_HELP = """Put another result in the place of one, or let a deal give no points; the journal keeps the original.

\b
Examples:
  wallwright event correct day.journal 1 7 3 --deal deal.json --reason "seats 1 and 2 were swapped"
  wallwright event correct day.journal 1 7 3 --void --reason "a tile was missing"
"""
APPROVE_HELP = """Approve, as a referee, what scorers have entered that is irregular or corrects a result.

Example: wallwright event approve day.journal 1 7

Without a deal it is all that waits at that table. What is entered on the command line is approved with it.
"""
ANNUL_HELP = """End the deal in play, or take the last one away, after a fault of the machine.

Example: wallwright event annul day.journal 1 7 --reason "lift 2 stays down"

What happens then was chosen in the format, before the event: the deal is replayed, void, or what was declared is kept.
"""
PENALTY_HELP = """Give a penalty, withdraw one, or list the catalogue and what was given.

\b
Examples:
  wallwright event penalty day.journal
  wallwright event penalty day.journal --player "Ann Lee" --give points --amount 4 --session 1 --reason "late"
  wallwright event penalty day.journal --withdraw 812 --reason "it was somebody else"
"""
SUBSTITUTE_HELP = """Let somebody take a player's seat from the deal in play, or the next one, on.

Example: wallwright event substitute day.journal 2 "Ann Lee" "Bo Chen" --reason "Ann is ill"

A name that is not in the list of players is a stand-in, who is not ranked.
"""

DealFile = Annotated[str | None, typer.Option("--deal", help="The declared deal, a JSON file, or - for the input.")]
Points = Annotated[str | None, typer.Option(help="Points of seats 0 to 3 by a referee's word: 8,-8,0,0.")]
Fines = Annotated[str, typer.Option(help="Points in them that nobody received, by seat: 2:48,3:8.")]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask, enter it.")]


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("result", help=RESULT_HELP)(result)
    app.command("correct", help=CORRECT_HELP)(correct)
    app.command("approve", help=APPROVE_HELP)(approve)
    app.command("annul", help=ANNUL_HELP)(annul)
    app.command("penalty", help=PENALTY_HELP)(penalty)
    app.command("substitute", help=SUBSTITUTE_HELP)(substitute)


def result(
    place: Place,
    number: SessionNumber,
    table: TableNumber,
    deal: DealFile = None,
    points: Points = None,
    fines: Fines = "",
    confirm: Annotated[bool, typer.Option("--confirm", help="Confirm what the table has told.")] = False,
    reason: Reason = "",
    yes: Yes = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Enter or confirm results."""
    from ..wall_clock import wall_ms
    from . import results
    from .desk import Desk
    from .store import open_event, read_event

    if (deal is not None) + (points is not None) + confirm != 1:
        raise BadInput("give one of --deal, --points and --confirm")
    if confirm:
        with open_event(place, who(by)) as desk:
            done = results.confirm(desk, number, table)
        print_done(as_json, f"Confirmed: deals {', '.join(map(str, done)) or 'none'}.", confirmed=list(done))
        return
    if points is not None:
        with open_event(place, who(by)) as desk:
            entry = results.rule_result(desk, number, table, _points(points), reason, fines=_fines(fines))
        print_done(as_json, f"Entry {entry}: {points} by the referee's word.", entry=entry, points=_points(points))
        return
    assert deal is not None
    record = _read_deal(deal)
    # Shown before the journal is taken, so that nobody waits for the answer but this person.
    shown = results.preview(Desk.to_read(read_event(place), wall_ms), number, table, record)
    told = {"deal": shown.deal, "points": list(shown.settlement.points), "irregular": list(map(str, shown.irregular))}
    if not as_json:
        lines = [*map(str, shown.lines), *map(_referee_line, shown.irregular)]
        print("\n".join([f"Deal {shown.deal} of table {table}.", *lines]))
    if not yes and (as_json or not typer.confirm("Enter it?")):
        print_done(as_json, "Nothing was entered.", entered=False, lines=list(map(str, shown.lines)), **told)
        return
    with open_event(place, who(by)) as desk:
        entry = results.record_result(desk, shown, reason)
    print_done(as_json, f"Entered, entry {entry}.", entered=True, entry=entry, **told)


def correct(
    place: Place,
    number: SessionNumber,
    table: TableNumber,
    which: Annotated[int, typer.Argument(metavar="DEAL", help="The deal, from 1 on.")],
    reason: Annotated[str, typer.Option(help="Why; it is kept in the journal.")],
    deal: DealFile = None,
    points: Points = None,
    fines: Fines = "",
    void: Annotated[bool, typer.Option("--void", help="Let the deal give no points.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Correct or void."""
    from . import results
    from .store import open_event

    if (deal is not None) + (points is not None) + void != 1:
        raise BadInput("give one of --deal, --points and --void")
    record = _read_deal(deal) if deal is not None else {}
    with open_event(place, who(by)) as desk:
        if void:
            entry = results.void(desk, number, table, which, reason)
        elif points is not None:
            entry = results.correct_points(desk, number, table, which, _points(points), reason, fines=_fines(fines))
        else:
            entry = results.correct(desk, number, table, which, record, reason)
        now = results.find_deal(desk, number, table, which)
    text = f"Entry {entry}: deal {which} of table {table} is {now.status}, points {', '.join(map(str, now.points))}."
    print_done(as_json, text, entry=entry, status=now.status, points=list(now.points))


def approve(
    place: Place,
    number: SessionNumber,
    table: TableNumber,
    deals: Annotated[list[int] | None, typer.Argument(metavar="[DEAL]...", help="These deals only.")] = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Approve."""
    from . import results
    from .store import open_event

    with open_event(place, who(by)) as desk:
        done = results.approve(desk, number, table, deals or ())
    print_done(as_json, f"Approved: deals {', '.join(map(str, done))}.", approved=list(done))


def annul(
    place: Place,
    number: SessionNumber,
    table: TableNumber,
    reason: Annotated[str, typer.Option(help="The fault; it is kept in the journal.")],
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Annul a deal."""
    from . import results
    from .store import open_event

    with open_event(place, who(by)) as desk:
        rule = results.annul(desk, number, table, reason)
    said = {"replay": "it is played again", "void": "it counts as played", "keep": "what was declared stands"}
    print_done(as_json, f"Annulled: {said[rule]}.", rule=rule)


def penalty(
    place: Place,
    player: Annotated[str | None, typer.Option(help="Name or number of the player.")] = None,
    give: Annotated[str | None, typer.Option(help="Which penalty; without it, all are listed.")] = None,
    amount: Annotated[str | None, typer.Option(help="How much, such as 4 or 1/2, where there is a choice.")] = None,
    number: Annotated[int | None, typer.Option("--session", help="For a session; else for the event.")] = None,
    withdraw: Annotated[int | None, typer.Option(help="Withdraw the penalty of that number.")] = None,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Give, withdraw or list penalties."""
    from ..wall_clock import wall_ms
    from . import sanctions
    from .desk import Desk
    from .explain import number as written
    from .sheets import penalty_rows
    from .store import open_event, read_event

    if withdraw is not None:
        with open_event(place, who(by)) as desk:
            sanctions.withdraw_penalty(desk, withdraw, reason)
        print_done(as_json, f"Penalty {withdraw} is withdrawn.", withdrawn=withdraw)
    elif give is not None and player is not None:
        with open_event(place, who(by)) as desk:
            who_it_is = desk.player(player)
            entry = sanctions.give_penalty(desk, who_it_is, give, reason, amount=_amount(amount), session=number)
        print_done(as_json, f"Penalty {entry} is given.", penalty=entry, player=who_it_is)
    elif give is not None or player is not None:
        raise BadInput("a penalty needs --player and --give")
    else:
        state = read_event(place)
        if not as_json:
            for name, low, high in sanctions.catalogue(Desk.to_read(state, wall_ms)):
                worth = "" if not high else f" {written(low)}" if low == high else f" {written(low)} to {written(high)}"
                print(f"{name}{worth}")
        print_rows(penalty_rows(state), as_json, "Penalties given")


def substitute(
    place: Place,
    number: SessionNumber,
    out: Annotated[str, typer.Argument(metavar="PLAYER", help="Who leaves the seat.")],
    into: Annotated[str, typer.Argument(metavar="SUBSTITUTE", help="Who takes it: a player, or a new name.")],
    reason: Annotated[str, typer.Option(help="Why; it is kept in the journal.")],
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Substitute."""
    from .sanctions import substitute as take_seat
    from .store import open_event

    with open_event(place, who(by)) as desk:
        leaving = desk.player(out)
        new = take_seat(desk, number, leaving, into, reason)
        last = desk.state.substitutions[-1]
    where = f"table {last.table}, seat {last.seat}, from deal {last.from_deal}"
    text = f"{into} ({new}) plays for {out} ({leaving}) at {where}."
    print_done(as_json, text, player=new, table=last.table, seat=last.seat, from_deal=last.from_deal)


def _read_deal(source: str) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
        record = json.loads(text)
    except OSError as error:
        raise BadInput(f"{source} cannot be read ({error.strerror}); check the path") from error
    except ValueError as error:
        raise BadInput(f"{source} is no JSON: {error}") from error
    if not isinstance(record, dict):
        raise BadInput(f"{source} is not a deal: it is an object with events, end and hands")
    return record


def _points(text: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",")]
    except ValueError as error:
        raise BadInput(f"{text!r} are no points; write those of seats 0 to 3, such as 8,-8,0,0") from error


def _fines(text: str) -> dict[int, int]:
    try:
        pairs = [word.split(":") for word in text.split(",") if word]
        return {int(seat): int(points) for seat, points in pairs}
    except ValueError as error:
        raise BadInput(f"{text!r} are no fines; write seat:points, such as 2:48") from error


def _amount(text: str | None) -> Fraction | None:
    try:
        return None if text is None else Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise BadInput(f"{text!r} is no amount; write 4 or 1/2") from error


def _referee_line(text: Words) -> str:
    return f"A referee has to allow this with a --reason: {text}."
