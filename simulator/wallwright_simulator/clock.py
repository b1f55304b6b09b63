"""Virtual time that jumps from one mechanical event to the next.

Every moving part holds one or a few rows of the agenda: the time of its next event, or `NEVER`. A part plans its own
rows and is called when one of them has come; nothing is polled, so a machine at rest costs nothing.
"""

from collections.abc import Callable
from heapq import heappop, heappush

NEVER = 1 << 62
"""Later than every time."""


class Agenda:
    """The present time in ms, and when each part wants to be called next: `due` by row, `next_ms` the earliest.

    At equal times the row that was added first goes first, which makes histories repeatable.
    """

    __slots__ = ("_calls", "due", "next_ms", "now_ms")

    def __init__(self) -> None:
        self.now_ms = 0
        self.next_ms = NEVER
        self.due: list[int] = []
        self._calls: list[Callable[[], None]] = []

    def add(self, call: Callable[[], None]) -> int:
        """Add a row, `NEVER` at first; return its index in `due`."""
        self.due.append(NEVER)
        self._calls.append(call)
        return len(self.due) - 1

    def plan(self, row: int, at_ms: int) -> None:
        """Let the part of this row be called at `at_ms`, and not when it was to be until now."""
        due = self.due
        before_ms = due[row]
        due[row] = at_ms
        if at_ms < self.next_ms:
            self.next_ms = at_ms
        elif before_ms == self.next_ms:
            self.next_ms = min(due)

    def step(self, until_ms: int) -> bool:
        """Jump to the next event and let it happen; without one up to `until_ms`, jump there and return False."""
        at_ms = self.next_ms
        if at_ms > until_ms:
            self.now_ms = until_ms
            return False
        self.now_ms = at_ms
        self._calls[self.due.index(at_ms)]()
        return True


class Timetable:
    """Calls that shall come at set times; those of one time in the order in which they were entered."""

    __slots__ = ("_agenda", "_calls", "_entries", "_row")

    def __init__(self, agenda: Agenda) -> None:
        self._agenda = agenda
        self._calls: list[tuple[int, int, Callable[[], None]]] = []
        self._entries = 0
        self._row = agenda.add(self._next)

    def enter(self, time_ms: int, call: Callable[[], None]) -> None:
        """Let `call` come at `time_ms`, now or later."""
        self._entries += 1
        heappush(self._calls, (max(time_ms, self._agenda.now_ms), self._entries, call))
        self._agenda.plan(self._row, self._calls[0][0])

    def _next(self) -> None:
        _, _, call = heappop(self._calls)
        self._agenda.plan(self._row, self._calls[0][0] if self._calls else NEVER)
        call()
