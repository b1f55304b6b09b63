"""The tournament as the console shows it, and what people do about it; the event's own journal has everything.

A view is made anew a second after the journal has got another entry. What is under embargo is not in it.
"""

import dataclasses
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from ..errors import EventRefused, JournalError, NoEvent
from ..event import results, running, sanctions
from ..event.desk import Desk as EventDesk
from ..event.explain import number as in_words
from ..event.lifecycle import OPEN, PLANNED, PLAYING, PUBLIC, RUNNING, TRANSITIONS
from ..event.parts import Penalty, Session
from ..event.standings import EVERYBODY, STAFF, Row, standings
from ..event.state import EventState
from ..event.store import open_event
from ..event.table_sheet import DealResult, TableSheet
from ..journal import read_journal
from ..rules.errors import RulesError
from ..rules.explain import explain
from ..rules.records import read_deal
from ..rules.ruleset import Ruleset
from ..rules.settlement import Settlement
from ..wall_clock import wall_ms
from .deals import Deals, find_preset
from .desk import Person
from .model import Four, Play, Result

T = TypeVar("T")

STEPS: Mapping[str, Callable[[EventDesk, int, str], object]] = {
    "open": lambda desk, session, _: running.open_session(desk, session),
    "put_back": lambda desk, session, _: running.put_back(desk, session),
    "start": lambda desk, session, _: running.start_session(desk, session),
    "stop": running.stop_session,
    "resume": running.resume_session,
    "publish": lambda desk, session, _: running.publish(desk, session),
    "finalise": running.finalise,
    "pause": running.pause,
    "end_pause": lambda desk, session, _: running.end_pause(desk, session),
}
"""What may be done with a session, by name; the last argument is the reason."""
NEED_REASON = ("resume", "pause")
MAY_NEED_REASON = ("stop", "finalise")


@dataclass(frozen=True, slots=True)
class SheetView:
    """A table in a session. `players` are numbers and names by seat; `unconfirmed` deals wait for a scorer."""

    table: int
    players: tuple[tuple[int, str], ...]
    points: Four
    deals: int
    in_play: int | None
    unconfirmed: tuple[int, ...]
    signed_off: bool
    version: int


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session: where it is in its life, its clock (None before the start), what its director may do next."""

    number: int
    state: str
    left_ms: int | None
    is_paused: bool
    tables: tuple[SheetView, ...]
    byes: tuple[str, ...]
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RankView:
    """One line of the standings; numbers are text, as they are printed."""

    rank: int | None
    player: int
    name: str
    total: str
    points: int


@dataclass(frozen=True, slots=True)
class EventView:
    """An event at `at_ms`. `ranks` are for everybody, `staff_ranks` for who works at it.

    `problem` is a sentence while its journal cannot be read; all else is then as it was before.
    """

    at_ms: int
    name: str
    sessions: tuple[SessionView, ...]
    players: tuple[tuple[int, str], ...]
    ranks: tuple[RankView, ...]
    ranks_of: tuple[int, ...]
    staff_ranks: tuple[RankView, ...]
    problem: str | None = None

    @property
    def shown(self) -> SessionView | None:
        """The session that matters now: the one in play, else the one that is open, else the last that was played."""
        for states in ((*PLAYING,), (OPEN,)):
            for session in self.sessions:
                if session.state in states:
                    return session
        begun = [session for session in self.sessions if session.state != PLANNED]
        return begun[-1] if begun else None

    def session(self, number: int) -> SessionView | None:
        """Return the session of that number."""
        return next((session for session in self.sessions if session.number == number), None)

    def seats_of(self, player: int) -> tuple[tuple[int, int, int], ...]:
        """Return session, table and seat of a player for every session that has been opened."""
        return tuple(
            (session.number, sheet.table, seat)
            for session in self.sessions
            if session.state != PLANNED
            for sheet in session.tables
            for seat, (one, _) in enumerate(sheet.players)
            if one == player
        )


class Book:
    """The event in the journal at `place`. Raises NoEvent when there is none. Any thread may use it."""

    def __init__(self, place: str, now_ms: Callable[[], int] | None = None) -> None:
        self._place = place
        self._now_ms = now_ms or wall_ms
        self._lock = threading.Lock()
        self._state = EventState()
        self._ranks: _Ranks
        self.view = self.look()
        self.deals = Deals(place, self.find_ruleset)

    def look(self) -> EventView:
        """Read what has been written since, and return how it stands; `view` has the last one."""
        with self._lock:
            before = self._state.last
            self._state.apply_all(read_journal(self._place, before))
            if self._state.format is None:
                raise NoEvent(self._place)
            if self._state.last != before:
                self._ranks = _Ranks(self._state)
            self.view = _view(self._state, self._ranks, self._now_ms())
            return self.view

    def follow(self) -> None:
        """Look again; where the journal cannot be read, the view says so and the next look may find it well."""
        try:
            self.look()
        except JournalError as error:
            self.view = dataclasses.replace(self.view, problem=str(error))

    def do(self, person: Person, action: Callable[[EventDesk], T]) -> T:
        """Have something done at the event's desk, in the name of `person`. Raises what it does, and JournalError."""
        with self._lock, open_event(self._place, f"{person.name} ({person.role})", self._now_ms) as desk:
            done = action(desk)
        self.look()
        return done

    def step(self, person: Person, session: int, step: str, reason: str) -> None:
        """Take a step of a session's life, or of its clock. Raises EventRefused when it cannot be taken now."""
        self.do(person, lambda desk: STEPS[step](desk, session, reason))

    def confirm(self, person: Person, session: int, table: int, version: int) -> tuple[int, ...]:
        """Confirm what a table has told, as it was seen at `version`; EventRefused when it has changed since."""
        return self.do(person, lambda desk: results.confirm(_unchanged(desk, session, table, version), session, table))

    def void(self, person: Person, session: int, table: int, deal: int, reason: str, version: int) -> int:
        """Let a deal count for nothing. Raises likewise."""
        return self.do(
            person, lambda desk: results.void(_unchanged(desk, session, table, version), session, table, deal, reason)
        )

    def sign_off(self, person: Person, session: int, table: int, version: int) -> str:
        """Take a table's signature under its results; returns a checkpoint to be printed, if it was the last one."""
        return self.do(person, lambda desk: running.sign_off(_unchanged(desk, session, table, version), session, table))

    def preview(self, session: int, table: int, record: Mapping[str, Any]) -> results.Preview:
        """Return what a declared deal comes to. Raises EventRefused when it cannot have happened."""
        with self._lock:
            return results.preview(EventDesk.to_read(self._state, self._now_ms), session, table, record)

    def declare(
        self, person: Person, session: int, table: int, record: Mapping[str, Any], reason: str, version: int
    ) -> int:
        """Write a declared deal; return the number of its entry. Raises likewise, and when the table has changed."""

        def write(desk: EventDesk) -> int:
            shown = results.preview(_unchanged(desk, session, table, version), session, table, record)
            return results.record_result(desk, shown, reason)

        return self.do(person, write)

    def preview_correction(
        self, session: int, table: int, deal: int, record: Mapping[str, Any]
    ) -> tuple[Settlement, tuple[str, ...]]:
        """Return what a deal comes to that is declared anew, and why. EventRefused when it cannot have been so."""
        with self._lock:
            assert self._state.format is not None
            ruleset = self._state.format.ruleset
            old = results.find_deal(EventDesk.to_read(self._state, self._now_ms), session, table, deal)
        try:
            settlement = read_deal({"dealer": old.dealer, **record}, ruleset).settle()
        except RulesError as error:
            raise EventRefused(f"this cannot have happened: {error}") from error
        return settlement, explain(settlement, ruleset)

    def correct(
        self, person: Person, session: int, table: int, deal: int, record: Mapping[str, Any], reason: str, version: int
    ) -> int:
        """Put another declaration in the place of a result, for a reason. Raises likewise, and when it has changed."""
        return self.do(
            person,
            lambda desk: results.correct(
                _unchanged(desk, session, table, version), session, table, deal, record, reason
            ),
        )

    def withdraw(self, person: Person, penalty: int, reason: str) -> None:
        """Take a penalty back. Raises EventRefused when there is none of that number that stands."""
        self.do(person, lambda desk: sanctions.withdraw_penalty(desk, penalty, reason))

    def penalties_of(self, players: Collection[int]) -> tuple[Penalty, ...]:
        """Return the penalties of these players that stand."""
        with self._lock:
            return tuple(one for one in self._state.penalties.values() if one.player in players and not one.withdrawn)

    def penalise(
        self, person: Person, player: int, name: str, reason: str, amount: Fraction | None, session: int | None
    ) -> int:
        """Give a penalty of the catalogue; return the number by which it can be withdrawn."""
        return self.do(
            person,
            lambda desk: sanctions.give_penalty(desk, player, name, reason, amount=amount, session=session),
        )

    def catalogue(self) -> tuple[tuple[str, str, str], ...]:
        """Return the event's penalties with their least and greatest amounts as text."""
        with self._lock:
            rows = sanctions.catalogue(EventDesk.to_read(self._state, self._now_ms))
        return tuple((name, in_words(low), in_words(high)) for name, low, high in rows)

    def sheet(self, session: int, table: int) -> tuple[SheetView, tuple[DealResult, ...]] | None:
        """Return a table in a session with its deals, None when there is none."""
        with self._lock:
            found = self._state.sheet(session, table)
            if found is None:
                return None
            deals = tuple(dataclasses.replace(found.deals[number]) for number in sorted(found.deals))
            return _sheet_view(self._state, found), deals

    def find_ruleset(self, name: str | None) -> Ruleset:
        """Return the rules of that name, the event's own among them, which are those of None. Raises RulesError."""
        with self._lock:
            assert self._state.format is not None
            own = self._state.format.ruleset
        return own if name in (None, own.name) else find_preset(name)

    def plays_at(self, unit: str | None) -> bool:
        """Say whether the table with that board plays in the event, so that its deals are under the event's embargo."""
        with self._lock:
            return unit in self._state.units

    def is_public(self, session: int) -> bool:
        """Say whether everybody may see the results of a session."""
        with self._lock:
            found = self._state.sessions.get(session)
        return found is not None and found.state in PUBLIC

    def of(self, table: str, unit: str | None) -> Play | None:  # noqa: ARG002 (the event knows tables by their units)
        """See Progress.of."""
        with self._lock:
            session, number = self._state.playing, self._state.units.get(unit or "")
            if session is None or number is None or not 0 < number <= len(session.tables):
                return None
            return _play(self._state, session.tables[number - 1])


def _unchanged(desk: EventDesk, session: int, table: int, version: int) -> EventDesk:
    if _version(desk.sheet(session, table)) != version:
        raise EventRefused(f"table {table} was changed by somebody else meanwhile; look at it again")
    return desk


def _version(sheet: TableSheet) -> int:
    """A number that changes with everything that a scorer sees of a table."""
    seen = [(deal.entry, deal.status, deal.confirmed) for deal in sheet.deals.values()]
    return hash((tuple(seen), sheet.signed_off, sheet.players)) & 0x7FFFFFFF


def _play(state: EventState, sheet: TableSheet) -> Play:
    deals = sheet.counted()
    last = None
    if deals:
        newest = deals[-1]
        last = Result(newest.deal, newest.points, newest.winners, (), ())
    current = sheet.in_play
    return Play(
        deal=sheet.played if current is None else current.deal,
        dealer=sheet.next_dealer if current is None else current.dealer,
        dice=None,
        plan=(0, 0, 0, 0),
        taken=0,
        points=sheet.points(),
        last=last,
        names=tuple(state.name(player) for player in sheet.players),
        is_over=current is None,
    )


class _Ranks:
    """The standings after the entries so far: they cost too much to be computed every second."""

    def __init__(self, state: EventState) -> None:
        public, staff = standings(state, EVERYBODY), standings(state, STAFF)
        self.public = _ranks(public.rows) if public.sessions else ()
        self.of = public.sessions
        self.staff = _ranks(staff.rows) if staff.sessions else ()


def _view(state: EventState, ranks: _Ranks, now_ms: int) -> EventView:
    assert state.format is not None
    return EventView(
        at_ms=now_ms,
        name=state.format.name,
        sessions=tuple(_session_view(state, session, now_ms) for session in state.sessions.values()),
        players=tuple((player.number, player.name) for player in state.players.values() if not player.stand_in),
        ranks=ranks.public,
        ranks_of=ranks.of,
        staff_ranks=ranks.staff,
    )


def _ranks(rows: Iterable[Row]) -> tuple[RankView, ...]:
    return tuple(RankView(row.rank, row.player, row.name, in_words(row.total), row.points) for row in rows)


def _session_view(state: EventState, session: Session, now_ms: int) -> SessionView:
    assert state.format is not None
    left_ms = None
    if session.state in PLAYING:
        left_ms = session.clock.left_ms(state.format.limit_ms, now_ms)
    steps = [name for name, sources, _ in TRANSITIONS if session.state in sources and name in STEPS]
    if session.state == RUNNING:
        steps.append("end_pause" if session.clock.is_paused else "pause")
    return SessionView(
        number=session.number,
        state=session.state,
        left_ms=left_ms,
        is_paused=session.clock.is_paused,
        tables=tuple(_sheet_view(state, sheet) for sheet in session.tables),
        byes=tuple(state.name(player) for player in session.byes),
        steps=tuple(steps),
    )


def _sheet_view(state: EventState, sheet: TableSheet) -> SheetView:
    return SheetView(
        table=sheet.table,
        players=tuple((player, state.name(player)) for player in sheet.players),
        points=sheet.points(),
        deals=sheet.played,
        in_play=None if sheet.in_play is None else sheet.in_play.deal,
        unconfirmed=tuple(deal.deal for deal in sheet.deals.values() if not deal.confirmed),
        signed_off=sheet.signed_off,
        version=_version(sheet),
    )
