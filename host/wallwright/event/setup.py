"""Before the first session: the format, the players, the draw by lot, the seats, the tables' hardware."""

from collections.abc import Sequence
from functools import lru_cache

from ..errors import EventRefused
from ..journal.kinds import stored
from ..journal.kinds.desk import (
    DrawCommitted,
    DrawContributed,
    DrawRevealed,
    DrawWithdrawn,
    EventCreated,
    OfDesk,
    PlannedSession,
    PlanReport,
    PlayersImported,
    SeatsPlanned,
    TableBound,
)
from ..journal.kinds.house import Witnessed
from ..naming import EventTable
from ..words import Listed, Words, plural, words
from . import guards
from .desk import Desk, need_reason
from .draw import SEED_SIZE, Transcript, commitment, draw_key, draw_lots, seating_key
from .format import EventFormat, format_record
from .lifecycle import FINAL, OPEN, PLANNED
from .pairs import plan_units, units_of
from .players import Roster, choices, with_stand_ins
from .seating import SessionSeating, plan_seating
from .seating_check import SeatingReport, check_seating
from .standings import standings
from .state import EventState
from .state_parts import FINALS, MAIN, Session, stage_sessions
from .texts import taken_part

Kind = tuple[str, str] | None
"""`duplicate` and `pair_movement` of a format in which partners are seated, else None."""
_plan_seating = lru_cache(maxsize=16)(plan_seating)
"""Whether seats follow from their draw is asked as soon as it is revealed, where a large one took a second to plan."""


def create(desk: Desk, event_format: EventFormat, salt: str = "") -> None:
    """Begin the event; a journal holds one.

    `salt` is written before anything else: what an extract leaves out can then not be guessed from what it shows.
    """
    begins = EventCreated(format=format_record(event_format))
    guards.check(desk.state, begins)
    if salt:
        desk.append(*stored(Witnessed(salt=salt)), at_ms=desk.now())
    desk.write(begins)


def import_players(desk: Desk, roster: Roster, source: str) -> tuple[Words, ...]:
    """Take the list of players, in place of the one before; return the choices when tables do not come out even."""
    _ = desk.format
    if MAIN in desk.state.draws:
        problem = "lots are being drawn or were drawn for the players so far; add single players"
        raise EventRefused(words(problem))
    desk.write(PlayersImported(roster=roster.listed(), source=source))
    return choices(len(roster.players))


def stage_players(desk: Desk, stage: str) -> tuple[tuple[int, str], ...]:
    """Return numbers and names of those whose seats are drawn: everybody, or the best ones for the final."""
    event_format = desk.format
    if stage == MAIN:
        here = [player for player in desk.state.roster.players if player.number not in desk.state.withdrawn]
        return tuple((player.number, player.name) for player in here)
    if stage != FINALS or not event_format.final_players:
        raise EventRefused(words("this format has no final; its final_players is 0"))
    best = _best(desk)
    if len(best) < event_format.final_players:
        problem = plural(
            "{count} player is ranked, the final is for {wanted}",
            "{count} players are ranked, the final is for {wanted}",
        )
        raise EventRefused(words(problem, count=len(best), wanted=event_format.final_players))
    return best


def check_finalists(desk: Desk, session: Session) -> None:
    """EventRefused before the first session of a final when others are in the final by now than were drawn.

    A correction may have changed the standings since. Who has withdrawn since is not missed.
    """
    final = stage_sessions(desk.format, FINALS)
    if session.number not in final or any(
        desk.state.sessions[number].state not in (PLANNED, OPEN) for number in final if number in desk.state.sessions
    ):
        return
    draw, best = desk.state.drawn(FINALS), [number for number, _ in _best(desk)]
    out = [] if draw is None else [(number, name) for number, name in draw.players if number not in best]
    if left := [name for number, name in out if number not in desk.state.withdrawn]:
        problem = (
            "{name} was drawn for the final, and is not among its players since a result was changed; put back a "
            "session of it that is open, and draw its seats anew for that reason"
        )
        raise EventRefused(words(problem, name=left[0]))


def _best(desk: Desk) -> tuple[tuple[int, str], ...]:
    """Return numbers and names of those who are in the final by now. EventRefused before the rest is final."""
    open_sessions = [n for n in range(1, desk.format.sessions + 1) if desk.session(n).state != FINAL]
    if open_sessions:
        problem = "sessions {sessions} are not final yet; the final is for the best of final standings"
        raise EventRefused(words(problem, sessions=str(open_sessions)))
    rows = standings(desk.state, before_final=True).rows
    best = [row for row in rows if row.rank is not None and row.player not in desk.state.withdrawn]
    return tuple((row.player, row.name) for row in best[: desk.format.final_players])


def commit_draw(
    desk: Desk, stage: str, seed: bytes, *, byes: bool = False, stand_ins: bool = False, reason: str = ""
) -> str:
    """Publish the commitment to `seed`, 32 secret bytes, and return it.

    A number of players that does not divide by four is refused with the choices until one is made.
    """
    assert len(seed) == SEED_SIZE
    players = stage_players(desk, stage)
    if len(players) < 4:
        problem = plural(
            "there is {count} player; import a list of four or more",
            "there are {count} players; import a list of four or more",
        )
        raise EventRefused(words(problem, count=len(players)))
    guards.check_not_opened(desk.state, stage)
    if stage in desk.state.draws:
        # A director who could commit anew in silence could repeat it until the lots suit somebody.
        drawn = desk.state.drawn(stage)
        need_reason(reason, words("lots were drawn already") if drawn else words("a seed was committed to already"))
    if desk.format.by_partners:
        units_of(desk.state.roster, desk.format.duplicate)
    open_choices = choices(len(players))
    if open_choices and byes == stand_ins:
        problem = plural(
            "{count} player does not fill the tables. Choose: {choices}",
            "{count} players do not fill the tables. Choose: {choices}",
        )
        raise EventRefused(words(problem, count=len(players), choices=Listed(open_choices, "; or ")))
    if open_choices and stand_ins:
        full = with_stand_ins(desk.state.roster, desk.state.withdrawn)
        desk.write(PlayersImported(roster=full.listed(), source="stand-ins"))
        players = stage_players(desk, stage)
    committed = commitment(stage, players, seed)
    desk.write(DrawCommitted(stage=stage, players=players, commitment=committed, reason=reason))
    return committed


def contribute(desk: Desk, stage: str, by: str, text: str) -> None:
    """Add somebody's part to the draw."""
    guards.check_open_draw(desk.state, stage)
    by, text = taken_part(by, text)
    desk.write(DrawContributed(stage=stage, text=text, of=by))


def reveal_draw(desk: Desk, stage: str, seed: bytes) -> SeatingReport:
    """Reveal the seed: lots follow, and from them the seats, which are checked before they are written."""
    guards.check_open_draw(desk.state, stage)
    guards.check_not_opened(desk.state, stage)
    draw = desk.state.draws[stage]
    if commitment(stage, draw.players, seed) != draw.commitment:
        problem = "this is not the seed that was committed to; look for the right one, or commit again"
        raise EventRefused(words(problem))
    if is_stale(desk, stage):
        problem = "the players have changed since this seed was committed to; commit to another one, for that reason"
        if draw.before is not None:
            problem = (
                "the players have changed since this seed was committed to; commit to another one, for that reason, "
                "or withdraw this one, and the seats that were drawn before stay"
            )
        raise EventRefused(words(problem))
    key = draw_key(stage, draw.players, seed, draw.contributions)
    lots = draw_lots(key, draw.players)
    numbers = stage_sessions(desk.format, stage)
    plan = _planned(kind_of(desk.format), desk.state.roster, tuple(lots), len(numbers), seating_key(key))
    report = checked(plan, lots, desk)
    sessions = tuple(PlannedSession(tables=one.tables, byes=one.byes) for one in plan)
    desk.write_all(
        (
            DrawRevealed(stage=stage, seed=seed.hex(), lots=tuple(lots)),
            SeatsPlanned(stage=stage, first=numbers.start, sessions=sessions, report=PlanReport(**report.record())),
        )
    )
    return report


def withdraw_draw(desk: Desk, stage: str, reason: str) -> None:
    """Give a commitment up before its reveal: the draw before it stands, if there was one, else none is begun."""
    guards.check_open_draw(desk.state, stage)
    need_reason(reason, words("a commitment is withdrawn for a reason"))
    facts: list[OfDesk] = [DrawWithdrawn(stage=stage, reason=reason)]
    if stage == MAIN and desk.state.draws[stage].before is None:
        facts += unfilled(desk.state.roster)
    desk.write_all(facts)


def unfilled(roster: Roster) -> tuple[PlayersImported, ...]:
    """Return the list without the stand-ins that had filled the tables; nothing where there are none."""
    if not any(one.stand_in for one in roster.players):
        return ()
    without = Roster(tuple(one for one in roster.players if not one.stand_in), roster.apart)
    return (PlayersImported(roster=without.listed(), source="without stand-ins"),)


def is_stale(desk: Desk, stage: str) -> bool:
    """Say whether a draw was begun and not revealed, and players have come or gone since; names may be corrected."""
    draw = desk.state.draws.get(stage)
    if draw is None or draw.lots:
        return False
    return [number for number, _ in draw.players] != [number for number, _ in stage_players(desk, stage)]


def checked(plan: Sequence[SessionSeating], players: Sequence[int], desk: Desk) -> SeatingReport:
    """Check a plan. EventRefused when it cannot be used."""
    # Partners are to meet.
    apart = () if desk.format.by_partners else desk.state.roster.clashes()
    report = check_seating(plan, players, apart)
    if report.problems:
        problem = "the plan of seats is wrong and was not used: {problems}"
        raise EventRefused(words(problem, problems="; ".join(report.problems[:5])))
    return report


def transcript(state: EventState, stage: str) -> Transcript:
    """Return all that the draw followed from by which the seats stand. EventRefused before the first reveal."""
    draw = state.drawn(stage)
    if draw is None:
        raise EventRefused(words("lots were not drawn yet"))
    return Transcript(stage, draw.players, draw.commitment, tuple(draw.contributions), draw.seed, draw.lots)


def plans_agree(state: EventState, stage: str) -> bool:
    """Whether the seats in the journal are those that follow from the draw, substitutions left aside."""
    assert state.format is not None
    return seats_follow(kind_of(state.format), state.roster, transcript(state, stage), planned_seats(state, stage))


def planned_seats(state: EventState, stage: str) -> tuple[SessionSeating, ...]:
    """Return the seats of the sessions of a stage as they were planned."""
    assert state.format is not None
    return tuple(state.sessions[number].seats for number in stage_sessions(state.format, stage))


def kind_of(event_format: EventFormat) -> Kind:
    """Return how an event seats its players."""
    return (event_format.duplicate, event_format.pair_movement) if event_format.by_partners else None


def seats_follow(kind: Kind, roster: Roster, drawn: Transcript, seats: tuple[SessionSeating, ...]) -> bool:
    """Whether these seats are those that follow from a draw, and from the pairs to be kept apart, or the partners."""
    key = draw_key(drawn.stage, drawn.players, bytes.fromhex(drawn.seed), drawn.contributions)
    return _planned(kind, roster, tuple(drawn.lots), len(seats), seating_key(key)) == seats


def _planned(
    kind: Kind, roster: Roster, lots: tuple[int, ...], sessions: int, key: bytes
) -> tuple[SessionSeating, ...]:
    if kind is not None:
        return plan_units(*kind, roster, lots, sessions)
    return _plan_seating(lots, sessions, roster.clashes(), key)


def bind_table(desk: Desk, table: int, unit: str | None, reason: str = "") -> None:
    """Say which board stands at a table of the hall, or none; another one in the middle of a session needs a reason.

    What was logged before belongs to the table, whatever board it came from.
    """
    seated = max((len(session.tables) for session in desk.state.sessions.values()), default=0)
    if not 1 <= table <= max(seated, 1):
        raise EventRefused(
            words("there are tables 1 to {last}, no {table}; draw the seats first", last=seated, table=table)
        )
    bound = TableBound(table=table, unit=unit, reason=reason)
    guards.check(desk.state, bound)
    if desk.state.playing is not None and table in desk.state.unit_of:
        problem = "{table} is in play with unit {unit}"
        need_reason(reason, words(problem, table=EventTable(table), unit=desk.state.unit_of[table]))
    desk.write(bound)
