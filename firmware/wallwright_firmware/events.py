"""What happened, numbered, kept until the host has stored it; bounded.

When the ring is full the oldest detail goes first; faults and what a deal rests on go only when nothing else is left.
A gap is not hidden: every record is handed out with the number of the one before it.
"""

from wallwright_protocol.codec import EVENTS, NUMBER_OF
from wallwright_protocol.messages import KEPT_EVENTS

CAPACITY = 96
"""Events kept; about 80 bytes each on a 32-bit MicroPython."""

TROUBLES = ("fault", "notice")

_KEPT = frozenset(NUMBER_OF[name] for name in KEPT_EVENTS)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def _not_counted(fault: int, side: int) -> None:
    """Nobody counts."""


class EventRing:
    """The board's side of `wallwright_protocol.link.Ring`; `trouble(fault, side)` is told of every fault and notice."""

    def __init__(self) -> None:
        self.trouble: "Callable[..., None]" = _not_counted
        self._records: list[tuple[int, int, int, bytes]] = []
        self._newest = 0
        self._stored = 0

    def add(self, now_ms: int, name: str, *values: "int | bytes") -> None:
        """Append the event `name` with its flat field values."""
        message = NUMBER_OF[name]
        if name in TROUBLES:
            self.trouble(values[0], values[1])
        if len(self._records) >= CAPACITY:
            self._make_room()
        self._newest += 1
        self._records.append((self._newest, now_ms, message, EVENTS[message].pack(*values)))

    def after(self, seq: int) -> "tuple[int, int, int, int, bytes] | None":
        """Return the first event above `seq` as (seq, seq before it, time in ms, message, payload), or None."""
        records = self._records
        if not records or seq >= self._newest:
            return None
        at = min(max(seq - records[0][0] + 1, 0), len(records) - 1)
        while at > 0 and records[at - 1][0] > seq:
            at -= 1
        found = records[at]
        return found[0], records[at - 1][0] if at else self._stored, found[1], found[2], found[3]

    def forget(self, seq: int) -> None:
        """Drop all events up to `seq`."""
        if seq <= self._stored:
            return
        self._stored = seq
        records = self._records
        count = 0
        while count < len(records) and records[count][0] <= seq:
            count += 1
        self._records = records[count:]

    def stored(self) -> int:
        """Return the number up to which events were stored by the host."""
        return self._stored

    def newest(self) -> int:
        """Return the number of the newest event, 0 before the first."""
        return self._newest

    def held(self) -> int:
        """Return how many events wait for the host."""
        return len(self._records)

    def _make_room(self) -> None:
        for at, record in enumerate(self._records):
            if record[2] not in _KEPT:
                self._records.pop(at)
                return
        self._records.pop(0)
