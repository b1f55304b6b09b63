"""Virtual time that jumps from one mechanical event to the next.

Every moving part holds one or a few rows of the agenda: the time of its next event, or `NEVER`. A part writes its own
rows in `due` and is called when one of them has come; nothing is polled, so a machine at rest costs nothing.
"""

from collections.abc import Callable

NEVER = 1 << 62
"""Later than every time."""


class Agenda:
    """The present time in ms and when each part wants to be called next.

    At equal times the row that was added first goes first, which makes histories repeatable.
    """

    __slots__ = ("_calls", "due", "now_ms")

    def __init__(self) -> None:
        self.now_ms = 0
        self.due: list[int] = []
        self._calls: list[Callable[[], None]] = []

    def add(self, call: Callable[[], None]) -> int:
        """Add a row, `NEVER` at first; return its index in `due`."""
        self.due.append(NEVER)
        self._calls.append(call)
        return len(self.due) - 1

    def next_ms(self) -> int:
        """Return the time of the next event."""
        return min(self.due)

    def step(self, until_ms: int) -> bool:
        """Jump to the next event and let it happen; without one up to `until_ms`, jump there and return False."""
        due = self.due
        at_ms = min(due)
        if at_ms > until_ms:
            self.now_ms = until_ms
            return False
        self.now_ms = at_ms
        self._calls[due.index(at_ms)]()
        return True
