"""Which tables keep the others waiting: by the clock of their session, or where there is none by what they wait for."""

from dataclasses import dataclass
from typing import Literal

PLAYERS_MS = 120_000
"""Players who let a table wait for longer than this need a reminder."""
WAITING = ("lid_open", "walls_up")
"""States in which a table waits for its players."""
NOT_BEGUN_MS = 180_000
"""A session has started, and for so long nothing has happened at a table."""
SILENT_MS = 900_000
"""No deal takes so long."""
OVER_MS = 120_000
"""A deal that goes on when time is up may be finished; after so long somebody has to know."""

Why = Literal["players", "not_begun", "silent", "over_time"]


@dataclass(frozen=True, slots=True)
class TableClock:
    """What the clock of a session says of a table that plays in an event. Times are ms since 1970.

    `is_on`: it runs, and the table has neither signed nor played all its deals. It was started at `started_ms`, and
    ran on after a pause at `resumed_ms`; without its pauses it would have begun at `as_of_ms`, and time is up at
    `ends_ms`. At `told_ms` the last deal is known to have begun or ended, 0 for none; `plays` says that one goes on.
    """

    is_on: bool
    started_ms: int = 0
    resumed_ms: int = 0
    as_of_ms: int = 0
    ends_ms: int = 0
    told_ms: int = 0
    plays: bool = False


@dataclass(frozen=True, slots=True)
class Late:
    """Why a table is late, for so many whole minutes."""

    why: Why
    minutes: int


def find_late(state: str, since_ms: int, clock: TableClock | None, now_ms: int) -> Late | None:
    """Return why a table that is in `state` since `since_ms` is late; None when it is not.

    Without a clock it plays in no event. A pause, or a signature, keeps it from being late.
    """
    if clock is None:
        return _waits(state, since_ms, now_ms)
    if not clock.is_on:
        return None
    if now_ms >= clock.ends_ms:
        return _late("over_time", clock.ends_ms, OVER_MS, now_ms) if clock.plays else None
    active_ms = max(clock.told_ms, since_ms)
    if not clock.plays and active_ms < clock.started_ms:
        return _late("not_begun", clock.as_of_ms, NOT_BEGUN_MS, now_ms)
    waits = _waits(state, max(since_ms, clock.resumed_ms), now_ms)
    return waits or _late("silent", max(active_ms, clock.resumed_ms), SILENT_MS, now_ms)


def _waits(state: str, since_ms: int, now_ms: int) -> Late | None:
    return _late("players", since_ms, PLAYERS_MS, now_ms) if state in WAITING else None


def _late(why: Why, since_ms: int, limit_ms: int, now_ms: int) -> Late | None:
    for_ms = now_ms - since_ms
    return Late(why, for_ms // 60_000) if for_ms > limit_ms else None
