"""What the console shows of a tournament: frozen values, made from its state. What is under embargo is not in them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...event.disclosure import EVERYBODY, STAFF
from ...event.format import NO_SIGNING
from ...event.lifecycle import COUNTED, FINAL, OPEN, PLANNED, PLAYING, RUNNING, TRANSITIONS, UNDER_APPEAL
from ...event.movement import moves_of
from ...event.running import appeals_until_ms, may_start_deal, warnings_given
from ...event.score_origins import number as in_words
from ...event.standings import Row, session_points, standings
from ...event.state import EventState
from ...event.state_parts import Session
from ...event.table_sheet import TableSheet
from ...event.times import ClockNotice
from ..hall.model import Four, Play, Result
from .waiting import Wait, version_of, waits_of

SESSION_STEPS = tuple(name for name, _, _ in TRANSITIONS if name not in ("sign_off", "reopen", "revise"))
"""What a director may do with a session's life; the other steps follow from what tables sign."""


@dataclass(frozen=True, slots=True)
class MoveView:
    """A player who went to another table after a deal; `name` is theirs."""

    deal: int
    player: int
    name: str
    table: int
    seat: int
    to_table: int
    to_seat: int


@dataclass(frozen=True, slots=True)
class PersonView:
    """Somebody with a part in a table: `seat` is None for who has left it. `points` are those of the session, as in the
    standings, `here` those of the deals played at this table.
    """

    number: int
    name: str
    seat: int | None
    points: int
    here: int


@dataclass(frozen=True, slots=True)
class SheetView:
    """A table in a session. `players` are numbers and names by seat, `points` what the session has given each of them
    so far, as in the standings; `of_deals` is what the seats' deals sum up to. `left` are names and points of those who
    gave up a seat here.

    `unconfirmed` deals wait for a scorer, `unapproved` ones for a referee. `own_left_ms` is the time left where it is
    not the hall's, by pauses and added time of its own; `is_paused` says that its own pause lasts. `is_done` says that
    it plays no more deals, so that it may sign; with `signs` players do so themselves, as the `signers` have.
    `moves` are those who came here or left between two deals, the newest first. `people` are all who have played here,
    those who sit there now first.
    """

    table: int
    players: tuple[tuple[int, str], ...]
    points: Four
    of_deals: Four
    left: tuple[tuple[str, int], ...]
    deals: int
    in_play: int | None
    unconfirmed: tuple[int, ...]
    unapproved: tuple[int, ...]
    is_done: bool
    signed_off: bool
    own_left_ms: int | None
    is_paused: bool
    version: int
    signs: bool = False
    signers: tuple[int, ...] = ()
    moves: tuple[MoveView, ...] = ()
    people: tuple[PersonView, ...] = ()

    @property
    def has_more(self) -> bool:
        """Whether somebody's points of the session are not those of the deals here, by a penalty or another table."""
        return any(one.points != one.here for one in self.people)

    @property
    def names(self) -> dict[int, str]:
        """The names of all who have played here, by their numbers."""
        return {one.number: one.name for one in self.people}


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session: where it is in its life, its clock (None unless it plays), what its director may do next.

    `appeals_until_ms`, since 1970, is there while it is under appeal. `warned` are the minutes before the end of which
    players have been warned by now, `pause_reason` why the clock stands still.
    """

    number: int
    state: str
    left_ms: int | None
    is_paused: bool
    tables: tuple[SheetView, ...]
    byes: tuple[str, ...]
    steps: tuple[str, ...]
    appeals_until_ms: int | None
    warned: tuple[int, ...]
    pause_reason: str

    @property
    def is_over(self) -> bool:
        """Whether all tables are done."""
        return self.state in COUNTED

    @property
    def signed(self) -> int:
        """How many tables have signed."""
        return sum(sheet.signed_off for sheet in self.tables)


@dataclass(frozen=True, slots=True)
class CheckpointView:
    """A checkpoint that the journal keeps: when it was signed, the last entry that it is about, what is printed.

    `is_own` says that this machine's key has signed it.
    """

    at_ms: int
    entry: int
    text: str
    is_own: bool = False


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
    """An event at `at_ms`. `ranks` are for everybody, `staff_ranks` and `waits` for who works at it.

    `is_final` says that every session that the format has is final. `checkpoints` are the journal's, the newest last.

    `clocks` say what has happened to the machine's clocks in the session that plays.

    `problem` is a sentence while its journal cannot be read; all else is then as it was before.
    """

    at_ms: int
    name: str
    sessions: tuple[SessionView, ...]
    players: tuple[tuple[int, str], ...]
    ranks: tuple[RankView, ...]
    ranks_of: tuple[int, ...]
    staff_ranks: tuple[RankView, ...]
    waits: tuple[Wait, ...] = ()
    is_final: bool = False
    checkpoints: tuple[CheckpointView, ...] = ()
    problem: str | None = None
    clocks: tuple[ClockNotice, ...] = ()

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


class Ranks:
    """The standings after the entries so far, for EVERYBODY and the STAFF; they cost too much for every second.

    `pages` is for what was rendered of them, by audience and language: all want to see them at the same moment.
    """

    def __init__(self, state: EventState) -> None:
        self.pages: dict[tuple[str, str], str] = {}
        self.tables = {audience: standings(state, audience) for audience in (EVERYBODY, STAFF)}
        public, staff = self.tables.values()
        self.public = _ranks(public.rows) if public.sessions else ()
        self.of = public.sessions
        self.staff = _ranks(staff.rows) if staff.sessions else ()


def view_event(state: EventState, ranks: Ranks, now_ms: int, checkpoints: tuple[CheckpointView, ...] = ()) -> EventView:
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
        waits=waits_of(state),
        is_final=is_final(state),
        checkpoints=checkpoints,
        clocks=_clocks(state),
    )


def is_final(state: EventState) -> bool:
    """Say whether every session that the format has is final."""
    assert state.format is not None
    done = [session for session in state.sessions.values() if session.state == FINAL]
    return len(done) == state.format.sessions + state.format.final_sessions


def _clocks(state: EventState) -> tuple[ClockNotice, ...]:
    playing = None if state.playing is None else state.playing.number
    return tuple(one for one in state.times.notices if one.is_finding and one.session == playing is not None)


def _ranks(rows: Iterable[Row]) -> tuple[RankView, ...]:
    return tuple(RankView(row.rank, row.player, row.name, in_words(row.total), row.points) for row in rows)


def _session_view(state: EventState, session: Session, now_ms: int) -> SessionView:
    assert state.format is not None
    left_ms = None
    if session.state in PLAYING:
        left_ms = session.clock.left_ms(state.format.limit_ms, now_ms)
    points = session_points(state, session)
    steps = [name for name, sources, _ in TRANSITIONS if session.state in sources and name in SESSION_STEPS]
    if session.state == RUNNING:
        steps.append("end_pause" if session.clock.is_paused else "pause")
    return SessionView(
        number=session.number,
        state=session.state,
        left_ms=left_ms,
        is_paused=session.clock.is_paused,
        tables=tuple(view_sheet(state, sheet, now_ms, points) for sheet in session.tables),
        byes=tuple(state.name(player) for player in session.byes),
        steps=tuple(steps),
        appeals_until_ms=appeals_until_ms(state.format, session) if session.state == UNDER_APPEAL else None,
        warned=warnings_given(state, session, now_ms),
        pause_reason=session.pause_reason,
    )


def view_sheet(state: EventState, sheet: TableSheet, now_ms: int, points: Mapping[int, int]) -> SheetView:
    """Return a table in a session at `now_ms`; `points` are those of its players in the session."""
    here = sheet.points_of_players()
    return SheetView(
        table=sheet.table,
        players=tuple((player, state.name(player)) for player in sheet.players),
        points=_of_four(points, sheet),
        of_deals=sheet.points(),
        left=tuple((state.name(player), points[player]) for player in sorted(here.keys() - set(sheet.players))),
        deals=sheet.played,
        in_play=None if sheet.in_play is None else sheet.in_play.deal,
        unconfirmed=sheet.unconfirmed,
        unapproved=sheet.unapproved,
        is_done=_is_done(state, sheet, now_ms),
        signed_off=sheet.signed_off,
        own_left_ms=_own_left_ms(state, sheet, now_ms),
        is_paused=sheet.clock.is_paused,
        version=version_of(sheet),
        signs=state.format is not None and state.format.player_signing != NO_SIGNING,
        signers=sheet.signers,
        moves=tuple(
            MoveView(deal, one.player, state.name(one.player), one.table, one.seat, one.to_table, one.to_seat)
            for deal, one in moves_of(state, sheet.session, sheet.table)
        ),
        people=tuple(
            PersonView(one, state.name(one), seat if seat < len(sheet.players) else None, points[one], here.get(one, 0))
            for seat, one in enumerate(sheet.all_players)
        ),
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
        points=_of_four(session_points(state, state.sessions[sheet.session]), sheet),
        last=last,
        names=tuple(state.name(player) for player in sheet.players),
        is_over=current is None,
    )


def _of_four(points: Mapping[int, int], sheet: TableSheet) -> Four:
    a, b, c, d = sheet.players
    return points[a], points[b], points[c], points[d]


def _is_done(state: EventState, sheet: TableSheet, now_ms: int) -> bool:
    plays = state.sessions[sheet.session].state in PLAYING
    return plays and sheet.in_play is None and not may_start_deal(state, sheet, now_ms)


def _own_left_ms(state: EventState, sheet: TableSheet, now_ms: int) -> int | None:
    assert state.format is not None
    session = state.sessions[sheet.session]
    if session.state not in PLAYING or sheet.signed_off:
        return None
    hall_ms = session.clock.left_ms(state.format.limit_ms, now_ms)
    own_ms = state.clock_of(sheet).left_ms(state.format.limit_ms, now_ms)
    return own_ms if own_ms != hall_ms or sheet.clock.is_paused else None
