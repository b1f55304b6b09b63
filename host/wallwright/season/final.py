"""The final: its seats are drawn as an event's are, and its list adds what was carried to what was played.

The draw is that of `event.draw`: a commitment to a seed, parts by anybody, the reveal, from which lots and seats
follow. Who is drawn are the qualifiers, by their numbers. The final itself is an event, which `begin_final` begins with
these players and seats. DECISION: in a final nobody is kept apart, since everybody has earned a place.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ..errors import EventRefused
from ..event.desk import Desk
from ..event.draw import SEED_SIZE, Transcript, commitment, draw_key, draw_lots, seating_key
from ..event.format import EventFormat
from ..event.lifecycle import FINAL
from ..event.players import Player, Roster
from ..event.seating import SessionSeating, plan_seating
from ..event.seating_check import SeatingReport, check_seating
from ..event.setup import create, import_players
from ..event.texts import taken_part
from ..journal.kinds.desk import (
    DrawCommitted,
    DrawContributed,
    DrawRevealed,
    DrawWithdrawn,
    PlannedSession,
    PlanReport,
    SeatsPlanned,
)
from . import guards
from .desk import SeasonDesk
from .persons import People, key_of
from .qualifiers import qualifiers
from .standings import standings
from .state import STAGE, SeasonState


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A finalist's line: `rank` as the final has it, on top of what was `carried`."""

    rank: int
    person: str
    name: str
    carried: Fraction
    played: Fraction
    total: Fraction


def finalists(state: SeasonState) -> tuple[tuple[int, str], ...]:
    """Return numbers and names of those who are drawn. EventRefused while there can be no final."""
    season = state.format
    assert season is not None
    if not season.has_final:
        raise EventRefused("this season has no final; its final_sessions is 0")
    if waiting := [one.day for one in state.in_order() if one.day.status != FINAL]:
        names = ", ".join(f"{one.name} of {one.date} ({one.day[:8]})" for one in waiting[:5])
        raise EventRefused(f"the final is for the best of days that are final, and not yet final: {names}")
    found = tuple((one.number, one.name) for one in qualifiers(state))
    if len(found) < 4:
        raise EventRefused(f"{len(found)} have qualified, and a table has four; add days first")
    return found


def commit_draw(desk: SeasonDesk, seed: bytes, reason: str = "") -> str:
    """Publish the commitment to `seed`, 32 secret bytes, and return it.

    Without all days of the format, or in the place of another seed, it needs a reason.
    """
    assert len(seed) == SEED_SIZE
    players = finalists(desk.state)
    missing = desk.format.days - len(desk.state.in_order())
    if missing > 0 and not reason.strip():
        raise EventRefused(f"{missing} of {desk.format.days} days are not there yet; add them, or give a reason")
    if desk.state.draw is not None and not reason.strip():
        raise EventRefused("a seed was committed to already; give a reason if it is to be done all the same")
    guards.check_final_to_come(desk.state)
    committed = commitment(STAGE, players, seed)
    desk.write(DrawCommitted(stage=STAGE, players=players, commitment=committed, reason=reason))
    return committed


def contribute(desk: SeasonDesk, by: str, text: str) -> int:
    """Add somebody's part to the draw; return which one it is."""
    guards.check_open_draw(desk.state)
    by, text = taken_part(by, text)
    desk.write(DrawContributed(stage=STAGE, text=text, of=by))
    assert desk.state.draw is not None
    return len(desk.state.draw.contributions)


def withdraw_draw(desk: SeasonDesk, reason: str) -> None:
    """Give a commitment up before its reveal: the draw before it stands, if there was one, else none is begun."""
    guards.check_open_draw(desk.state)
    if not reason.strip():
        raise EventRefused("a commitment is withdrawn for a reason; give one")
    desk.write(DrawWithdrawn(stage=STAGE, reason=reason))


def reveal_draw(desk: SeasonDesk, seed: bytes) -> SeatingReport:
    """Reveal the seed: lots follow, and from them the seats of all sessions of the final."""
    guards.check_open_draw(desk.state)
    guards.check_final_to_come(desk.state)
    draw = desk.state.draw
    assert draw is not None
    if commitment(STAGE, draw.players, seed) != draw.commitment:
        raise EventRefused("this is not the seed that was committed to; look for the right one, or commit again")
    if finalists(desk.state) != draw.players:
        problem = "a correction has changed who qualifies since this seed was committed to"
        raise EventRefused(f"{problem}; see `wallwright season qualifiers`, and commit to another one for that reason")
    key = draw_key(STAGE, draw.players, seed, draw.contributions)
    lots = draw_lots(key, draw.players)
    plan = plan_seating(lots, desk.format.final_sessions, (), seating_key(key))
    report = check_seating(plan, lots, ())
    if report.problems:
        raise EventRefused(f"the plan of seats is wrong and was not used: {'; '.join(report.problems[:5])}")
    desk.write(
        DrawRevealed(stage=STAGE, seed=seed.hex(), lots=lots),
        SeatsPlanned(stage=STAGE, first=1, sessions=_planned(plan), report=PlanReport(**report.record())),
    )
    return report


def transcript(state: SeasonState) -> Transcript:
    """Return all that the draw followed from by which the seats stand. EventRefused before the first reveal."""
    draw = state.drawn
    if draw is None:
        raise EventRefused("lots were not drawn yet")
    return Transcript(STAGE, draw.players, draw.commitment, tuple(draw.contributions), draw.seed, draw.lots)


def seat_lines(state: SeasonState) -> list[str]:
    """Return who sits where in each session of the final, a table a line, seats 0 to 3 in their order."""
    names = {} if state.drawn is None else dict(state.drawn.players)
    lines = []
    for number, session in enumerate(state.seats, 1):
        for table, four in enumerate(session.tables, 1):
            seated = ", ".join(f"{one} {names[one]}" for one in four)
            lines.append(f"session {number}, table {table}: {seated}")
        if session.byes:
            lines.append(f"session {number}, sits out: {', '.join(f'{one} {names[one]}' for one in session.byes)}")
    return lines


def begin_final(state: SeasonState, desk: Desk, event_format: EventFormat, salt: str = "") -> None:
    """Begin the event of the final at its own desk: the finalists as players, the draw and the seats as they are here.

    The format's sessions are as many as the season's final has, and all of them count. `salt` is as in `setup.create`.
    EventRefused before the draw.
    """
    drawn, season = transcript(state), state.format
    assert season is not None
    if state.draw is not state.drawn:
        problem = "another draw of the final's seats is begun; reveal its seed, or withdraw it for a reason"
        raise EventRefused(f"{problem} with `wallwright season draw withdraw`")
    if finalists(state) != drawn.players:
        problem = "a correction has changed who qualifies since the seats were drawn"
        raise EventRefused(f"{problem}; see `wallwright season qualifiers`, and draw anew for that reason")
    persons = {one.number: one.person for one in qualifiers(state)}
    people = People(state).by_key
    private = {key for key in persons.values() if people[key].days[-1][1].private}
    players = tuple(
        Player(number, name, id=persons[number], private=persons[number] in private) for number, name in drawn.players
    )
    sessions = season.final_sessions
    create(desk, replace(event_format, sessions=sessions, best_of=(), final_players=0, final_sessions=0), salt)
    import_players(desk, Roster(players), "the qualifiers of the season")
    plan = [SessionSeating(one.tables, one.byes) for one in state.seats]
    report = PlanReport(**check_seating(plan, drawn.lots, ()).record())
    desk.write_all(
        (
            DrawCommitted(stage=STAGE, players=drawn.players, commitment=drawn.commitment, reason=""),
            *(DrawContributed(stage=STAGE, text=one.text, of=one.by) for one in drawn.contributions),
            DrawRevealed(stage=STAGE, seed=drawn.seed, lots=drawn.lots),
            SeatsPlanned(stage=STAGE, first=1, sessions=state.seats, report=report),
        )
    )


def seats_follow(drawn: Transcript, seats: Sequence[PlannedSession]) -> bool:
    """Whether these seats are those that follow from a draw."""
    key = draw_key(drawn.stage, drawn.players, bytes.fromhex(drawn.seed), drawn.contributions)
    return _planned(plan_seating(drawn.lots, len(seats), (), seating_key(key))) == tuple(seats)


def final_rows(state: SeasonState) -> tuple[FinalRow, ...]:
    """Return the list of the final, best first. EventRefused before it is there."""
    season, final = state.format, state.final
    assert season is not None
    if final is None:
        raise EventRefused("the final is not there yet; add its extract with `wallwright season add --final`")
    totals = {row.person: row.total for row in standings(state)} if season.final_carry else {}
    found = []
    for one in final.results:
        if one.rank is not None:
            person = key_of(final.day, one)
            carried, played = totals.get(person, Fraction(0)), Fraction(one.total)
            found.append(FinalRow(one.rank, person, one.name, carried, played, carried + played))
    # Who is equal with what was carried is ranked as the final itself has it.
    found.sort(key=lambda row: (-row.total, row.rank))
    places = [(row.total, row.rank) for row in found]
    return tuple(replace(row, rank=places.index((row.total, row.rank)) + 1) for row in found)


def _planned(plan: Sequence[SessionSeating]) -> tuple[PlannedSession, ...]:
    return tuple(PlannedSession(tables=one.tables, byes=one.byes) for one in plan)
