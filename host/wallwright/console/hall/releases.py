"""What a director's machine says of the tables that it releases deals to: that it asks, and what is in its way.

It is in this server's memory alone, and no tile is in it.
"""

import threading
from typing import Literal, get_args

InTheWay = Literal["no_sorter", "other_director", "no_tags", "no_such_deal", "other"]
"""Why a director's machine does not release a deal: the table has no wall sorter, it trusts another director, the list
of its tags is not on that machine, its deals are others than the event's, or what its terminal says."""
KINDS: tuple[InTheWay, ...] = get_args(InTheWay)
ASKS_MS = 30_000
"""A machine that has asked for no table for so long is not there."""


class Releases:
    """Takes what the director's machines say; any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: dict[str, int] = {}
        self._found: dict[str, InTheWay] = {}

    def asked(self, table: str, now_ms: int) -> None:
        """Note that a machine has asked what a table builds next."""
        with self._lock:
            self._asked[table] = now_ms

    def found(self, table: str, what: InTheWay | None) -> None:
        """Note what is in the way at a table, None when nothing is any more."""
        with self._lock:
            self._found.pop(table, None)
            if what is not None:
                self._found[table] = what

    def is_asked(self, table: str | None, now_ms: int) -> bool:
        """Say whether a machine asks for a table, or for any."""
        with self._lock:
            times = self._asked.values() if table is None else [self._asked.get(table, -ASKS_MS)]
            return any(now_ms - at_ms < ASKS_MS for at_ms in times)

    def in_the_way(self, table: str, now_ms: int) -> InTheWay | None:
        """Return what the machine that asks has found to be in the way at a table, None when that is nothing."""
        return self._found.get(table) if self.is_asked(table, now_ms) else None
