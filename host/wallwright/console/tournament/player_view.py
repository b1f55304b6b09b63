"""What a player's page shows: where to play next, and what everybody may know of the sessions that are published."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ...event.disclosure import EVERYBODY, shown_penalties
from ...event.lifecycle import OPEN, PLAYING
from ...event.score_origins import number as in_words
from ...event.standings import Row, SessionScore, Standings, value_of
from ...event.state import EventState
from .view import EventView, MoveView, SessionView

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class NextTable:
    """Where a player sits in the session that is open or in play; `table` is None for who sits out.

    `four` are the names by seat. `left_minutes`, rounded up, are those of the table's own clock; None before the start.
    `signs` says that the player may sign the table's results, `moved` how they came here, where winners move on.
    """

    session: int
    state: str
    table: int | None
    seat: int | None
    four: tuple[str, ...]
    left_minutes: int | None
    is_paused: bool
    signs: bool = False
    moved: MoveView | None = None


@dataclass(frozen=True, slots=True)
class PlayedSession:
    """What a published session gave: `rank` among all in that session, `deals` with table, number and points."""

    number: int
    kind: str
    table: int | None
    points: int
    table_points: str
    rank: int
    counts: bool
    deals: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class PlayerPenalty:
    """One that stands; `session` is None for the event as a whole, `reason` empty where it is for the staff."""

    session: int | None
    name: str
    amount: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A player with everything that everybody may know; `rank` and `total` after the session `ranked_of`, if any."""

    number: int
    name: str
    club: str
    next: NextTable | None
    is_over: bool
    rank: int | None
    total: str
    note: str
    ranked_of: int | None
    sessions: tuple[PlayedSession, ...]
    penalties: tuple[PlayerPenalty, ...]
    is_withdrawn: bool = False


def view_player(state: EventState, event: EventView, public: Standings, number: int) -> PlayerPage | None:
    """Return a player's page, None when there is no such player; `public` are the standings that everybody may see."""
    player = state.players.get(number)
    if player is None or player.stand_in:
        return None
    row = next((one for one in public.rows if one.player == number), None) if public.sessions else None
    shown = [event.session(one.number) for one in state.sessions.values() if one.state in (OPEN, *PLAYING)]
    return PlayerPage(
        number=number,
        name=player.name,
        club=player.club,
        next=next((found for one in shown if one and (found := _next_table(state, one, number))), None),
        is_over=event.is_final,
        rank=None if row is None else row.rank,
        total="" if row is None else in_words(row.total),
        note="" if row is None else row.note,
        ranked_of=public.sessions[-1] if row is not None else None,
        sessions=() if row is None else tuple(_played(state, public, row)),
        penalties=tuple(
            PlayerPenalty(one.session, one.name, in_words(one.amount) if one.amount else "", one.reason)
            for one in shown_penalties(state, EVERYBODY, number)
            if not one.withdrawn
        ),
        is_withdrawn=number in state.withdrawn,
    )


def _next_table(state: EventState, session: SessionView, player: int) -> NextTable | None:
    for sheet in session.tables:
        for seat, (one, _) in enumerate(sheet.players):
            if one == player:
                left_ms = session.left_ms if sheet.own_left_ms is None else sheet.own_left_ms
                left = None if left_ms is None else -(-left_ms // MINUTE_MS)
                four = tuple(name for _, name in sheet.players)
                paused = session.is_paused or sheet.is_paused
                signs = sheet.signs and sheet.is_done and not sheet.signed_off and player not in sheet.signers
                moved = next((move for move in sheet.moves if move.player == player), None)
                return NextTable(session.number, session.state, sheet.table, seat, four, left, paused, signs, moved)
    if player in state.sessions[session.number].byes:
        return NextTable(session.number, session.state, None, None, (), None, False)
    return None


def _played(state: EventState, public: Standings, row: Row) -> Iterator[PlayedSession]:
    """The newest first."""
    for at in reversed(range(len(row.sessions))):
        score = row.sessions[at]
        better = [one for one in public.rows if _value(state, one.sessions[at]) > _value(state, score)]
        yield PlayedSession(
            number=score.session,
            kind=score.kind,
            table=score.table,
            points=score.points,
            table_points=in_words(score.table_points),
            rank=len(better) + 1,
            counts=score.counts,
            deals=tuple(_deals(state, score.session, row.player)),
        )


def _value(state: EventState, score: SessionScore) -> Fraction:
    """What a session is worth, for a comparison."""
    assert state.format is not None
    return value_of(score, state.format)


def _deals(state: EventState, session: int, player: int) -> Iterator[tuple[int, int, int]]:
    for sheet in state.sessions[session].tables:
        for deal in sheet.counted():
            if player in deal.players:
                yield sheet.table, deal.deal, deal.points[deal.players.index(player)]
