"""What the console shows of a tournament: frozen values, made from its state. What is under embargo is not in them."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from ..event.explain import number as in_words
from ..event.lifecycle import OPEN, PLANNED, PLAYING, RUNNING, TRANSITIONS
from ..event.parts import Session
from ..event.standings import EVERYBODY, STAFF, Row, standings
from ..event.state import EventState
from ..event.table_sheet import TableSheet
from .model import Four, Play, Result

SESSION_STEPS = tuple(name for name, _, _ in TRANSITIONS if name not in ("sign_off", "reopen", "revise"))
"""What a director may do with a session's life; the other steps follow from what tables sign."""


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


class Ranks:
    """The standings after the entries so far: they cost too much to be computed every second."""

    def __init__(self, state: EventState) -> None:
        public, staff = standings(state, EVERYBODY), standings(state, STAFF)
        self.public = _ranks(public.rows) if public.sessions else ()
        self.of = public.sessions
        self.staff = _ranks(staff.rows) if staff.sessions else ()


def view_event(state: EventState, ranks: Ranks, now_ms: int) -> EventView:
    """Return the event as it stands at `now_ms`."""
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
    steps = [name for name, sources, _ in TRANSITIONS if session.state in sources and name in SESSION_STEPS]
    if session.state == RUNNING:
        steps.append("end_pause" if session.clock.is_paused else "pause")
    return SessionView(
        number=session.number,
        state=session.state,
        left_ms=left_ms,
        is_paused=session.clock.is_paused,
        tables=tuple(view_sheet(state, sheet) for sheet in session.tables),
        byes=tuple(state.name(player) for player in session.byes),
        steps=tuple(steps),
    )


def view_sheet(state: EventState, sheet: TableSheet) -> SheetView:
    """Return a table in a session."""
    return SheetView(
        table=sheet.table,
        players=tuple((player, state.name(player)) for player in sheet.players),
        points=sheet.points(),
        deals=sheet.played,
        in_play=None if sheet.in_play is None else sheet.in_play.deal,
        unconfirmed=tuple(deal.deal for deal in sheet.deals.values() if not deal.confirmed),
        signed_off=sheet.signed_off,
        version=version_of(sheet),
    )


def view_play(state: EventState, sheet: TableSheet) -> Play:
    """Return how the deal goes at a table in play."""
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


def version_of(sheet: TableSheet) -> int:
    """Return a number that changes with everything that a scorer sees of a table; a restart leaves it as it is."""
    seen = [(deal.entry, deal.status, deal.confirmed) for deal in sheet.deals.values()]
    return zlib.crc32(repr((seen, sheet.signed_off, sheet.players)).encode())
