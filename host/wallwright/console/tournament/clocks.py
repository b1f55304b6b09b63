"""What a tournament says of a table of the hall: how its session's clock runs there, and which session a time is in."""

from dataclasses import dataclass

from ...event.lifecycle import RUNNING
from ...event.state import EventState
from ..hall.late import TableClock


def table_clock(state: EventState, unit: str | None, now_ms: int) -> TableClock | None:
    """Return the clock at the table with that board; None when it plays in no event."""
    table = state.units.get(unit or "")
    if table is None or state.format is None:
        return None
    session = state.playing
    sheet = None if session is None else state.sheet(session.number, table)
    if session is None or sheet is None or session.state != RUNNING:
        return TableClock(is_on=False)
    clock = state.clock_of(sheet)
    has_played_all = bool(state.format.deals) and sheet.played >= state.format.deals and sheet.in_play is None
    if clock.started_ms is None or clock.is_paused or sheet.signed_off or has_played_all:
        return TableClock(is_on=False)
    as_of_ms = now_ms - clock.elapsed_ms(now_ms)
    told = [deal.at_ms for deal in (*sheet.deals.values(), *sheet.past)]
    if sheet.in_play is not None:
        told.append(sheet.in_play.at_ms)
    return TableClock(
        is_on=True,
        started_ms=clock.started_ms,
        resumed_ms=max([clock.started_ms, *(end for _, end in clock.pauses if end is not None)]),
        as_of_ms=as_of_ms,
        ends_ms=as_of_ms + state.format.limit_ms + clock.added_ms,
        told_ms=max(told, default=0),
        # A deal before the last result is over; it only waits for its own.
        plays=sheet.in_play is not None and sheet.in_play.deal > max(sheet.deals, default=0),
    )


@dataclass(frozen=True, slots=True)
class DealPlace:
    """The session and the table that a deal was played at, and the names of who sat there.

    `deal` is its number there, None where that is not known; `is_entered` says that it has a result already.
    """

    session: int
    table: int
    names: tuple[str, ...]
    deal: int | None = None
    is_entered: bool = False


def deal_place(state: EventState, unit: str, deal: int, at_ms: int) -> DealPlace | None:
    """Return where a deal was played that is `deal` by its board, which told of it at `at_ms`; None without a session.

    An event with a journal of its own does not hear of dice: there it is the session that ran last.
    """
    told = state.told.place_of(unit, deal)
    session, table = told[:2] if told is not None else _session_at(state, unit, at_ms)
    sheet = state.sheet(session, table)
    if sheet is None:
        return None
    number = None if told is None else told[2]
    result = None if number is None else sheet.deals.get(number)
    players = sheet.players_in(sheet.next_number if number is None else number) if result is None else result.players
    return DealPlace(session, table, tuple(map(state.name, players)), number, result is not None)


def _session_at(state: EventState, unit: str, at_ms: int) -> tuple[int, int]:
    begun = [
        session.number
        for session in state.sessions.values()
        if session.clock.started_ms is not None and session.clock.started_ms <= at_ms
    ]
    return max(begun, default=0), state.units.get(unit, 0)
