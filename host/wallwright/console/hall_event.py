"""What a tournament says of a table of the hall: how its session's clock runs there, and which session a time is in."""

from dataclasses import dataclass

from ..event.lifecycle import RUNNING
from ..event.state import EventState
from .late import TableClock


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
        plays=sheet.in_play is not None,
    )


@dataclass(frozen=True, slots=True)
class DealPlace:
    """The session and the table that a deal was played at, and the names of who sits there."""

    session: int
    table: int
    names: tuple[str, ...]


def deal_place(state: EventState, unit: str | None, at_ms: int) -> DealPlace | None:
    """Return where a deal of that board was played: in the session that ran last at `at_ms`; None without one."""
    table = state.units.get(unit or "")
    begun = [
        session.number
        for session in state.sessions.values()
        if session.clock.started_ms is not None and session.clock.started_ms <= at_ms
    ]
    sheet = None if table is None or not begun else state.sheet(begun[-1], table)
    return None if sheet is None else DealPlace(sheet.session, sheet.table, tuple(map(state.name, sheet.players)))
