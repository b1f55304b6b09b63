"""Who goes to another table after a deal, where a format says that winners move on (CUM-8.2).

Tables play their deals together: the next one begins when every table that goes on has its result. Then the winner of
each table moves to the next one by number, from the last to the first; after a deal that nobody won it is North.
DECISION: a player takes the seat that is left there, and East, dealer and wind belong to the seat. Who has moved stays
moved when a result is corrected later. Tables whose game or time is over take no part.
"""

from collections.abc import Iterator, Sequence

from ..errors import EventRefused
from ..journal.kinds.desk import Moved, WinnersMoved
from ..naming import EventTable, with_seats
from ..words import Listed, Seat, Words, english, words
from .desk import Desk
from .format import WINNERS
from .lifecycle import RUNNING
from .reported_results import may_begin
from .state import EventState
from .state_parts import Session
from .table_sheet import LIVE, DealResult, TableSheet

NORTH = 3
"""Seats from East on."""


def move_on(desk: Desk, number: int) -> tuple[Moved, ...]:
    """Write who moves now; nobody, unless all tables have played the same deal and go on."""
    session = desk.session(number)
    deal = _deal_to_move_after(desk.state, session, desk.now())
    if deal is None:
        return ()
    moves = _moves(_going_on(desk.state, session, desk.now()), deal)
    desk.write(WinnersMoved(session=number, deal=deal, moves=moves))
    return moves


def is_due(state: EventState, now_ms: int) -> int | None:
    """Return the session in which players move now, None when nobody does."""
    session = state.playing
    return None if session is None or _deal_to_move_after(state, session, now_ms) is None else session.number


def check_turn(state: EventState, sheet: TableSheet, deal: int) -> None:
    """EventRefused for a result of a deal before which others have yet to play, and players to move."""
    assert state.format is not None
    session = state.sessions[sheet.session]
    if state.format.movement != WINNERS or deal - 1 in session.moves or deal == 1:
        return
    behind = [one for one in session.tables if deal - 1 not in one.deals and not one.signed_off and not one.is_over]
    if behind:
        tables = Listed(tuple(EventTable(one.table) for one in behind))
        problem = "deal {deal} begins when winners have moved; {tables} has no result of deal {before} yet"
        if len(behind) > 1:
            problem = "deal {deal} begins when winners have moved; {tables} have no result of deal {before} yet"
        raise EventRefused(words(problem, deal=deal, tables=tables, before=deal - 1))


def moves_after(state: EventState, number: int, deal: int) -> list[str]:
    """The English of who has moved in a session after a deal."""
    assert state.format is not None
    say = with_seats(english, state.format.seats, ())
    return [_line(state, deal, one).said(say) for one in state.sessions[number].moves.get(deal, ())]


def moves_of(state: EventState, number: int, table: int) -> Iterator[tuple[int, Moved]]:
    """Yield who came to a table in a session or left it, with the deal after which it was, the newest first."""
    for deal, moves in sorted(state.sessions[number].moves.items(), reverse=True):
        yield from ((deal, one) for one in moves if table in (one.table, one.to_table))


def _line(state: EventState, deal: int, one: Moved) -> Words:
    return words(
        "After deal {deal} {player} moved from {table}, {seat}, to {to_table}, {to_seat}.",
        deal=deal,
        player=state.name(one.player),
        table=EventTable(one.table),
        seat=Seat(one.seat),
        to_table=EventTable(one.to_table),
        to_seat=Seat(one.to_seat),
    )


def _deal_to_move_after(state: EventState, session: Session, now_ms: int) -> int | None:
    assert state.format is not None
    if state.format.movement != WINNERS or session.state != RUNNING:
        return None
    sheets = _going_on(state, session, now_ms)
    if len(sheets) < 2:
        return None
    deal = min(max(sheet.deals, default=0) for sheet in sheets)
    return deal if deal not in session.moves and all(deal in sheet.deals for sheet in sheets) else None


def _going_on(state: EventState, session: Session, now_ms: int) -> list[TableSheet]:
    return [sheet for sheet in session.tables if not sheet.signed_off and may_begin(state, sheet, sheet.played, now_ms)]


def _moves(sheets: Sequence[TableSheet], deal: int) -> tuple[Moved, ...]:
    leaving = [_leaves(sheet.deals[deal]) for sheet in sheets]
    return tuple(
        Moved(player=sheet.players[seat], table=sheet.table, seat=seat, to_table=following.table, to_seat=taken)
        for sheet, seat, following, taken in zip(
            sheets, leaving, (*sheets[1:], sheets[0]), (*leaving[1:], leaving[0]), strict=True
        )
    )


def _leaves(deal: DealResult) -> int:
    """The seat whose player moves on."""
    if deal.winners and deal.status == LIVE:
        return deal.winners[0]
    return (deal.dealer + NORTH) % 4
