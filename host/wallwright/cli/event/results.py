"""`wallwright event result | correct | approve | annul`: what scorers and referees enter."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...budgets import FILE
from ...errors import BadInput, EventRefused
from ...system.streams import say
from ...system.strict_json import BadJson, read_json, read_json_file
from ...words import told_by
from .common import AsJson, By, DealNumber, Place, Reason, SessionNumber, TableNumber, print_done, who

if TYPE_CHECKING:
    from ...event.state import EventState

RESULT_HELP = """Enter the result of a deal, see what it comes to, and confirm.

\b
Examples:
  wallwright event result day.journal 1 7 --declared deal.json
  wallwright event result day.journal 1 7 --points 8,-8,0,0 --reason "the hand was mixed up before it was noted"
  wallwright event result day.journal 1 7 --confirm

--declared takes a file (or -) in the form of `wallwright rules settle`: dealer, events, end, hands. What cannot have
happened is refused; a referee may enter the --points as they stand, with a --reason. --confirm confirms what the table
has told by itself.
"""
CORRECT_HELP = """Put another result in the place of one, or let a deal give no points; the journal keeps the original.

\b
Examples:
  wallwright event correct day.journal 1 7 3 --declared deal.json --reason "seats 1 and 2 were swapped"
  wallwright event correct day.journal 1 7 3 --void --reason "a tile was missing"
"""
APPROVE_HELP = """Approve, as a referee, what scorers have entered that is irregular or corrects a result.

\b
Examples:
  wallwright event approve day.journal 1 7
  wallwright event approve day.journal 1 7 3:41

Without a deal it is all that waits at that table. 3:41, as `wallwright event sessions day.journal 1` shows it, is deal
3 as long as its result is that of entry 41, which was looked at. What is entered on the command line is approved with
it.
"""
ANNUL_HELP = """End the deal in play, or take the last one away, after a fault of the machine.

Example: wallwright event annul day.journal 1 7 --reason "lift 2 stays down"

What happens then was chosen in the format, before the event: the deal is replayed, void, or what was declared is kept.
"""

Declared = Annotated[str | None, typer.Option("--declared", help="The declared deal, a JSON file, or - for the input.")]
Points = Annotated[str | None, typer.Option(help="Points of seats 0 to 3 by a referee's word: 8,-8,0,0.")]
Fines = Annotated[str, typer.Option(help="Points in them that nobody received, by seat: 2:48,3:8.")]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask, enter it.")]


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("result", help=RESULT_HELP)(result)
    app.command("correct", help=CORRECT_HELP)(correct)
    app.command("approve", help=APPROVE_HELP)(approve)
    app.command("annul", help=ANNUL_HELP)(annul)


def result(
    place: Place,
    number: SessionNumber,
    table: TableNumber,
    declared: Declared = None,
    points: Points = None,
    fines: Fines = "",
    confirm: Annotated[bool, typer.Option("--confirm", help="Confirm what the table has told.")] = False,
    reason: Reason = "",
    yes: Yes = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Enter or confirm results."""
    from ...clocks import wall_ms
    from ...event import results
    from ...event.desk import Desk
    from ...event.movement import moves_after
    from ...event.store import open_event, read_event

    if (declared is not None) + (points is not None) + confirm != 1:
        raise BadInput("give one of --declared, --points and --confirm")
    if confirm:
        with open_event(place, who(by)) as desk:
            done = results.confirm(desk, number, table)
        print_done(as_json, f"Confirmed: deals {', '.join(map(str, done)) or 'none'}.", confirmed=list(done))
        return
    if points is not None:
        with open_event(place, who(by)) as desk:
            entry = results.rule_result(desk, number, table, _points(points), reason, fines=_fines(fines))
            sheet = desk.sheet(number, table)
            moved = moves_after(desk.state, number, max(sheet.deals))
        text = [f"Entry {entry}: {points} by the referee's word.", *moved]
        print_done(as_json, text, entry=entry, points=_points(points), **({"moves": moved} if moved else {}))
        return
    assert declared is not None
    record = _read_deal(declared)
    # Shown before the journal is taken, so that nobody waits for the answer but this person.
    state = read_event(place)
    with _seats_named(state, number, table):
        shown = results.preview(Desk.to_read(state, wall_ms), number, table, record)
    seats = state.say_at(number, table, shown.deal)
    lines = [line.said(seats) for line in shown.settled.explain()]
    irregular = [one.said(seats) for one in shown.irregular]
    told = {"deal": shown.deal, "points": list(shown.settled.points), "irregular": irregular}
    if not as_json:
        say(f"Deal {shown.deal} of {state.table_name(table)}.", *lines, *map(_referee_line, irregular))
    if not yes and (as_json or not typer.confirm("Enter it?")):
        print_done(as_json, "Nothing was entered.", entered=False, lines=lines, **told)
        return
    with open_event(place, who(by)) as desk:
        with _seats_named(desk.state, number, table, shown.deal):
            entry = results.record_result(desk, shown, reason)
        moved = moves_after(desk.state, number, shown.deal)
    text = [f"Entered, entry {entry}.", *moved]
    print_done(as_json, text, entered=True, entry=entry, **told, **({"moves": moved} if moved else {}))


def correct(
    place: Place,
    number: SessionNumber,
    table: TableNumber,
    deal: DealNumber,
    reason: Reason,
    declared: Declared = None,
    points: Points = None,
    fines: Fines = "",
    void: Annotated[bool, typer.Option("--void", help="Let the deal give no points.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Correct or void."""
    from ...event import results
    from ...event.store import open_event

    if (declared is not None) + (points is not None) + void != 1:
        raise BadInput("give one of --declared, --points and --void")
    record = _read_deal(declared) if declared is not None else {}
    with open_event(place, who(by)) as desk:
        if void:
            entry = results.void(desk, number, table, deal, reason)
        elif points is not None:
            entry = results.correct_points(desk, number, table, deal, _points(points), reason, fines=_fines(fines))
        else:
            with _seats_named(desk.state, number, table, deal):
                entry = results.correct(desk, number, table, deal, record, reason)
        now = results.find_deal(desk, number, table, deal)
    where = f"deal {deal} of {desk.state.table_name(table)}"
    text = f"Entry {entry}: {where} is {now.status}, points {', '.join(map(str, now.points))}."
    print_done(as_json, text, entry=entry, status=now.status, points=list(now.points))


def approve(
    place: Place,
    number: SessionNumber,
    table: TableNumber,
    deals: Annotated[
        list[str] | None, typer.Argument(metavar="[DEAL]...", help="These deals only; 3:41 names its entry too.")
    ] = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Approve."""
    from ...event import results
    from ...event.store import open_event

    chosen = dict(map(_deal_looked_at, deals or ()))
    with open_event(place, who(by)) as desk:
        looked_at = {deal: entry for deal, entry in chosen.items() if entry is not None}
        done = results.approve(desk, number, table, tuple(chosen), looked_at)
    print_done(as_json, f"Approved: deals {', '.join(map(str, done))}.", approved=list(done))


def annul(
    place: Place,
    number: SessionNumber,
    table: TableNumber,
    reason: Reason,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Annul a deal."""
    from ...event import results
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        sheet = desk.sheet(number, table)
        deal = max(sheet.deals, default=0) if sheet.in_play is None else sheet.in_play.deal
        rule = results.annul(desk, number, table, reason)
    said = {"replay": "it is played again", "void": "it counts as played", "keep": "what was declared stands"}
    print_done(as_json, f"Deal {deal} is annulled: {said[rule]}.", rule=rule, deal=deal)


@contextmanager
def _seats_named(state: "EventState", number: int, table: int, deal: int | None = None) -> Iterator[None]:
    """Have what is refused name seats as the event does, with who sits there."""
    try:
        yield
    except EventRefused as error:
        sheet = state.sheet(number, table)
        if sheet is None:
            raise
        seats = state.say_at(number, table, sheet.next_deal if deal is None else deal)
        raise EventRefused(told_by(error).said(seats)) from error


def _read_deal(source: str) -> dict[str, Any]:
    try:
        record = read_json(sys.stdin.buffer.read(FILE.size + 1)) if source == "-" else read_json_file(Path(source))
    except OSError as error:
        raise BadInput(f"{source} cannot be read ({error.strerror}); check the path") from error
    except BadJson as error:
        raise BadInput(f"{source} is not a deal: {error}; write one object with events, end and hands") from error
    if not isinstance(record, dict):
        raise BadInput(f"{source} is not a deal: it is an object with events, end and hands")
    return record


def _deal_looked_at(text: str) -> tuple[int, int | None]:
    """Read a deal, with the entry of its result behind a colon if it is named."""
    deal, colon, entry = text.partition(":")
    try:
        return int(deal), int(entry) if colon else None
    except ValueError as error:
        raise BadInput(f"{text!r} is no deal; write its number, or number:entry, such as 3:41") from error


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


def _referee_line(text: str) -> str:
    return f"A referee has to allow this with a --reason: {text}."
