"""Standings, computed from the state each time: what sessions gave, which of them count, who is ahead and by what.

Points are integers, table points fractions. DECISION: table points are given by the points of the seats at the end of
the session, penalty points of that session included, and go to whoever sits there then; `loss_of_session` leaves no
table points, and of the points only what is below zero; who is disqualified is listed without a rank; who has
withdrawn is ranked after those who stayed, by what they have, and not listed if they never played.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ..duplicate.match_points import percent
from .disclosure import LIVE, PENALTIES, STANDINGS, may_see
from .format import MATCH_POINTS, POINTS, STAY, TABLE_POINTS, WINS, EventFormat
from .lifecycle import FINAL, PLAYING, PROVISIONAL, UNDER_APPEAL
from .limits import table_points
from .pairs import Compared, compared, rank_together
from .state import EventState
from .state_parts import MAIN, Penalty, Session

PLAYED, BYE, ABSENT = "played", "bye", "absent"
STAND_IN, DISQUALIFIED = "stand-in", "disqualified"
"""Notes of who is not ranked."""
WITHDRAWN = "withdrawn"
"""The note of who is ranked after those who stayed."""


@dataclass(frozen=True, slots=True)
class SessionScore:
    """What one session gave a player. `counts` is False for one that is dropped (best k of n).

    `points` are deals and penalties together; `table` is None for a bye; `best_deal` None without a deal.
    `won` is the table's session, `deals_won` its deals. `match_points` are of `compared` deals (SBR-11.9).
    """

    session: int
    kind: str
    table: int | None
    points: int
    penalty_points: int
    table_points: Fraction
    won: bool
    best_deal: int | None
    counts: bool = True
    deals_won: int = 0
    match_points: Fraction = Fraction(0)
    compared: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One player's line. `rank` is None for who is not ranked; `ties` are the values of the tie-break chain.

    `total` is by what is ranked; `points`, `table_points` and `wins`, deals won, are sums, with penalties for the event
    as a whole.
    """

    rank: int | None
    player: int
    name: str
    club: str
    total: Fraction
    points: int
    table_points: Fraction
    ties: tuple[Fraction, ...]
    sessions: tuple[SessionScore, ...]
    note: str = ""
    wins: int = 0
    match_points: Fraction = Fraction(0)
    compared: int = 0

    @property
    def percent(self) -> Fraction:
        """The match points in percent of what they could be."""
        return percent(self.match_points, self.compared)


@dataclass(frozen=True, slots=True)
class Standings:
    """The rows, best first. `status` is the weakest state of the sessions in it; `waiting` are under embargo."""

    rows: tuple[Row, ...]
    sessions: tuple[int, ...]
    status: str
    waiting: tuple[int, ...]


def standings(state: EventState, audience: str = LIVE, *, before_final: bool = False) -> Standings:
    """Compute the standings for an audience of `disclosure`, finalists first if there is a final, or as they were
    `before_final`.
    """
    assert state.format is not None
    first_final = state.format.sessions + 1
    shown = [session for session in state.sessions.values() if may_see(state, audience, STANDINGS, session.number)]
    waiting = tuple(s.number for s in state.sessions.values() if s.state in (*PLAYING, PROVISIONAL) and s not in shown)
    main = [session for session in shown if session.number < first_final]
    late = [session for session in shown if session.number >= first_final]
    rows: tuple[Row, ...]
    if before_final or not late:
        sessions, rows = main, _rows(state, audience, main, state.format.best_of)
    else:
        base = {row.player: row for row in _rows(state, audience, main, state.format.best_of)}
        finalists = {player for session in late for player in session_scores(state, session)}
        ranked = _rows(state, audience, late, (), finalists, base if state.format.final_carry else {})
        below = _below(ranked, [row for row in base.values() if row.player not in finalists])
        carried = state.format.final_carry
        sessions = [*main, *late]
        rows = (
            *(_after_main(row, base[row.player], carried=carried) for row in ranked),
            *(_without_final(row, late) for row in below),
        )
    states = [session.state for session in sessions]
    status = next((one for one in (*PLAYING, PROVISIONAL, UNDER_APPEAL, FINAL) if one in states), "no session")
    return Standings(rows, tuple(session.number for session in sessions), status, waiting)


def session_scores(state: EventState, session: Session) -> dict[int, SessionScore]:
    """Return what a session gave to everybody who sat in it or had a bye."""
    event_format = state.format
    assert event_format is not None
    fined = _fines(state, session.number)
    rooms = compared(event_format, session) if event_format.by_partners else {}
    sat: dict[int, _Sitting] = {}
    for sheet in session.tables:
        seats = [0, 0, 0, 0]
        for deal in sheet.counted():
            for seat, player in enumerate(deal.players):
                points = deal.points[seat]
                seats[seat] += points
                sat.setdefault(player, _Sitting(sheet.table)).add(sheet.table, points, won=seat in deal.winners)
        ranked = [points - fined.get(player, _NONE).points for points, player in zip(seats, sheet.players, strict=True)]
        top = max(ranked)
        shares = table_points(event_format.table_points, ranked)
        for player, points, given in zip(sheet.players, ranked, shares, strict=True):
            sitting = sat.setdefault(player, _Sitting(sheet.table))
            sitting.table = sheet.table
            if event_format.movement == STAY:
                sitting.table_points = given
                sitting.won = points == top and ranked.count(top) == 1
    scores: dict[int, SessionScore] = {}
    for player, sitting in sat.items():
        fine = fined.get(player, _NONE)
        scores[player] = SessionScore(
            session.number,
            PLAYED,
            sitting.table,
            fine.leave(sitting.points),
            fine.points,
            Fraction(0) if fine.lost else sitting.table_points - fine.table_points,
            sitting.won and not fine.lost,
            sitting.best_deal,
            deals_won=0 if fine.lost else sitting.deals_won,
            match_points=_left(rooms.get(player, _NO_ROOM).given, fine),
            compared=rooms.get(player, _NO_ROOM).deals,
        )
    for player in session.byes:
        fine = fined.get(player, _NONE)
        points = fine.leave(event_format.bye_points)
        given_here = Fraction(0) if fine.lost else event_format.bye_table_points - fine.table_points
        scores[player] = SessionScore(session.number, BYE, None, points, fine.points, given_here, False, None)
    return scores


def session_points(state: EventState, session: Session) -> dict[int, int]:
    """Return the points of everybody who sat at a table in a session, deals and penalties together.

    They are those of `session_scores`, which costs much more.
    """
    fined = _fines(state, session.number)
    played = {player: 0 for sheet in session.tables for player in sheet.all_players}
    for sheet in session.tables:
        for deal in sheet.counted():
            for player, points in zip(deal.players, deal.points, strict=True):
                played[player] = played.get(player, 0) + points
    return {player: fined.get(player, _NONE).leave(points) for player, points in played.items()}


@dataclass(slots=True)
class _Sitting:
    """What somebody got in a session, at one table or, as a substitute, at several."""

    table: int
    points: int = 0
    best_deal: int | None = None
    table_points: Fraction = Fraction(0)
    won: bool = False
    deals_won: int = 0

    def add(self, table: int, points: int, *, won: bool) -> None:
        self.table = table
        self.points += points
        self.deals_won += won
        self.best_deal = points if self.best_deal is None else max(self.best_deal, points)


@dataclass(frozen=True, slots=True)
class _Fines:
    points: int = 0
    table_points: Fraction = Fraction(0)
    lost: bool = False

    def leave(self, points: int) -> int:
        """Return what is left of the points of a session."""
        left = points - self.points
        return min(left, 0) if self.lost else left


_NONE = _Fines()
_NO_ROOM = Compared()


def _left(given: Fraction, fine: _Fines) -> Fraction:
    return min(given, Fraction(0)) if fine.lost else given


def standing_penalties(state: EventState, player: int | None = None) -> tuple[Penalty, ...]:
    """Return the penalties that were not withdrawn, of a player or of all."""
    return tuple(
        one for one in state.penalties.values() if not one.withdrawn and (player is None or one.player == player)
    )


def _fines(state: EventState, session: int | None) -> dict[int, _Fines]:
    fines: dict[int, _Fines] = {}
    for one in standing_penalties(state):
        if one.session != session:
            continue
        old = fines.get(one.player, _NONE)
        points = int(one.amount) if one.name in ("points", "heavy_points") else 0
        given = one.amount if one.name == "table_points" else Fraction(0)
        lost = old.lost or one.name == "loss_of_session"
        fines[one.player] = _Fines(old.points + points, old.table_points + given, lost)
    return fines


def _rows(
    state: EventState,
    audience: str,
    sessions: Sequence[Session],
    best_of: Sequence[int],
    players: Iterable[int] | None = None,
    carried: Mapping[int, Row] | None = None,
) -> tuple[Row, ...]:
    """Rank `players`, or all, by these sessions; on top of the rows `carried`, which have the event's penalties in."""
    event_format = state.format
    assert event_format is not None
    by_session = [(session.number, session_scores(state, session)) for session in sessions]
    fined = {} if carried else _fines(state, None)
    before = carried or {}
    fatal = [one for one in standing_penalties(state) if one.name == "disqualification"]
    out = {one.player for one in fatal if may_see(state, audience, PENALTIES, one.session)}
    rows = []
    never = {one for one in state.withdrawn if not _has_played(state, audience, one)}
    for number in state.players if players is None else players:
        if number in never:
            continue
        player = state.players[number]
        scores = tuple(found.get(number) or _absent(session) for session, found in by_session)
        scores = _best(scores, best_of, event_format)
        counting = [score for score in scores if score.counts]
        fine = fined.get(number, _NONE)
        points = sum(score.points for score in counting) - fine.points
        given = sum((score.table_points for score in counting), -fine.table_points)
        wins = sum(score.deals_won for score in counting)
        if number in before:
            points, given = points + before[number].points, given + before[number].table_points
            wins += before[number].wins
        matched = sum((score.match_points for score in counting), Fraction(0))
        rooms = sum(score.compared for score in counting)
        totals = {POINTS: Fraction(points), TABLE_POINTS: given, WINS: Fraction(wins), MATCH_POINTS: matched}
        total = totals[event_format.rank_by]
        values = _tie_values(state, number, scores, points, given) | {WINS: Fraction(wins)}
        ties = tuple(values[name] for name in event_format.tie_break)
        gone = WITHDRAWN if number in state.withdrawn else ""
        note = STAND_IN if player.stand_in else DISQUALIFIED if number in out else gone
        rank = None if note in (STAND_IN, DISQUALIFIED) else 0
        figures = (total, points, given, ties, scores, note, wins, matched, rooms)
        rows.append(Row(rank, number, player.name, player.club, *figures))
    return rank_together(rows, state.roster, event_format) if event_format.by_partners else _ranked(rows)


def _has_played(state: EventState, audience: str, player: int) -> bool:
    """Whether somebody has a deal, or sat out, in a session that is shown."""
    return any(
        player in session.byes
        or any(player in deal.players for sheet in session.tables for deal in sheet.deals.values())
        for session in state.sessions.values()
        if may_see(state, audience, STANDINGS, session.number)
    )


def _best(
    scores: tuple[SessionScore, ...], best_of: Sequence[int], event_format: EventFormat
) -> tuple[SessionScore, ...]:
    """Of every group of sessions keep the best results (SBR-9.2); nothing is dropped before more were played."""
    if not best_of:
        return scores
    keep, group = best_of
    dropped: set[int] = set()
    for start in range(0, max((score.session for score in scores), default=0), group):
        inside = [score for score in scores if start < score.session <= start + group]
        # A session without the player is no result; of equal results the later one is dropped.
        inside.sort(key=lambda score: (score.kind != ABSENT, value_of(score, event_format), -score.session))
        dropped |= {score.session for score in inside[: max(0, len(inside) - keep)]}
    return tuple(replace(score, counts=False) if score.session in dropped else score for score in scores)


def value_of(score: SessionScore, event_format: EventFormat) -> Fraction:
    """What a session is worth by what is ranked."""
    if event_format.rank_by == TABLE_POINTS:
        return score.table_points
    if event_format.rank_by == MATCH_POINTS:
        return score.match_points
    return Fraction(score.points if event_format.rank_by == POINTS else score.deals_won)


def _tie_values(
    state: EventState, player: int, scores: Sequence[SessionScore], points: int, given: Fraction
) -> dict[str, Fraction]:
    """All values of the chain, the greater the better."""
    counting = [score for score in scores if score.counts]
    draw = state.drawn(MAIN)
    lot = draw.lots.index(player) if draw is not None and player in draw.lots else len(state.players)
    seen = (None, *(score.session for score in scores))
    worth = sum((one.amount for one in standing_penalties(state, player) if one.session in seen), Fraction(0))
    deals = [score.best_deal for score in scores if score.best_deal is not None]
    return {
        POINTS: Fraction(points),
        TABLE_POINTS: given,
        "session_wins": Fraction(sum(score.won for score in counting)),
        "best_session": Fraction(max((score.points for score in counting), default=0)),
        "best_deal": Fraction(max(deals, default=0)),
        "penalties": -worth,
        "lot": Fraction(-lot),
    }


def _ranked(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Rank the rows, best first. Equal players share a rank; those who withdrew or are not ranked come last."""

    def place_of(row: Row) -> tuple[object, ...]:
        return row.rank is None, row.note == WITHDRAWN, -row.total, *(-tie for tie in row.ties), row.player

    order = sorted(rows, key=place_of)
    ranked: list[Row] = []
    for place, row in enumerate(order, 1):
        if row.rank is None:
            ranked.append(row)
            continue
        above = ranked[-1] if ranked else None
        same = above is not None and (above.total, above.ties, above.note) == (row.total, row.ties, row.note)
        ranked.append(replace(row, rank=above.rank if same and above is not None else place))
    return tuple(ranked)


def _below(ranked: Sequence[Row], others: Sequence[Row]) -> tuple[Row, ...]:
    """Those who did not reach the final, in their order, ranked after the finalists."""
    finalists = sum(row.rank is not None for row in ranked)
    best = min((row.rank for row in others if row.rank is not None), default=1)
    return tuple(replace(row, rank=None if row.rank is None else finalists + 1 + row.rank - best) for row in others)


def _after_main(row: Row, before: Row, *, carried: bool) -> Row:
    """A finalist's row with the sessions `before` the final too, which count if their score is `carried` into it."""
    main = before.sessions if carried else tuple(replace(score, counts=False) for score in before.sessions)
    return replace(row, sessions=(*main, *row.sessions))


def _without_final(row: Row, late: Sequence[Session]) -> Row:
    """The row of somebody who did not reach the final, with the sessions of it too."""
    return replace(row, sessions=(*row.sessions, *(_absent(session.number) for session in late)))


def _absent(session: int) -> SessionScore:
    return SessionScore(session, ABSENT, None, 0, 0, Fraction(0), False, None)
