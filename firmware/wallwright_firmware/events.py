"""What happened, numbered, kept until the host has stored it; bounded.

When the ring is full the oldest detail goes first; faults and what a deal rests on go only when nothing else is left.
A gap is not hidden: every record is handed out with the number of the one before it.
The clock is turned back now and then (`weeks`); a record keeps how often that had been done before it.
Events of tags are many and small. They lie packed in room of their own, where the oldest makes room for the newest, so
that neither they nor the others push each other out.
"""

from wallwright_protocol.codec import EVENTS, NUMBER_OF
from wallwright_protocol.constants import const
from wallwright_protocol.messages import KEPT_EVENTS

from .tag_ring import TagRing
from .weeks import TURN_BITS, TURNS

CAPACITY = 96
"""Events kept; about 80 bytes each on a 32-bit MicroPython."""

TROUBLES = ("fault", "notice")

_MESSAGE = const(0xFF)
_TURNS_AT = const(8)
"""The bits of a record with its message, and those that say how often the clock had been turned back."""

_KEPT = frozenset(NUMBER_OF[name] for name in KEPT_EVENTS)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def _not_counted(fault: int, side: int) -> None:
    """Nobody counts."""


class EventRing:
    """The board's side of `wallwright_protocol.link.Ring`; events of tags need room, which `make_tag_room` makes.

    `trouble(fault, side)` is told of every fault and notice.
    """

    def __init__(self) -> None:
        self.trouble: "Callable[..., None]" = _not_counted
        self._tags = TagRing(0)
        self._records: list[tuple[int, int, int, tuple[int | bytes, ...]]] = []
        self._newest = 0
        self._stored = 0
        self._turns = 0

    def count_troubles(self, trouble: "Callable[[int, int], None]") -> None:
        """Tell `trouble` of every fault and notice from now on."""
        self.trouble = trouble

    def make_tag_room(self, tag_events: int) -> None:
        """Make room for so many events of tags; those that there are stay."""
        self._tags = self._tags.resized(tag_events)

    def add(self, now_ms: int, name: str, *values: "int | bytes") -> None:
        """Append the event `name` with its flat field values."""
        message = NUMBER_OF[name]
        if name in TROUBLES:
            self.trouble(values[0], values[1])
        if len(self._records) >= CAPACITY:
            self._make_room()
        self._newest += 1
        self._records.append((self._newest, now_ms, message | self._turns << _TURNS_AT, values))

    def add_tag(self, now_ms: int, name: str, before: int, now: int, tag: bytes) -> None:
        """Append the event `name` of a tag, with the reader that it was at and the one that it is at."""
        self._newest += 1
        self._tags.add(self._newest, self.told_ms(now_ms), name, before, now, tag)

    def after(self, seq: int) -> "tuple[int, int, int, int, bytes] | None":
        """Return the first event above `seq` as (seq, seq before it, time in ms, message, payload), or None."""
        if seq >= self._newest:
            return None
        records = self._records
        tags = self._tags
        place = self._place_above(seq)
        tag_place = tags.find(seq)
        seq_before = tags.before
        if place:
            seq_before = max(seq_before, records[place - 1][0])
        seq_before = max(seq_before, self._stored)
        tag_seq = tags.here
        if place < len(records) and not 0 < tag_seq < records[place][0]:
            number, at_ms, kind, values = records[place]
            message = kind & _MESSAGE
            time_ms = (kind >> _TURNS_AT << TURN_BITS) + at_ms
            return number, seq_before, time_ms, message, EVENTS[message].pack(*values)
        if not tag_seq:
            return None
        number, time_ms, message, payload = tags.record_at(tag_place)
        return number, seq_before, time_ms, message, payload

    def told_ms(self, now_ms: int) -> int:
        """Return what the wire tells of a time of the clock: ms since the start, modulo 2^32."""
        return (self._turns << TURN_BITS) + now_ms & 0xFFFFFFFF

    def turn_back(self, _: int) -> None:
        """The clock has been turned back."""
        self._turns = (self._turns + 1) % TURNS

    def forget(self, seq: int) -> None:
        """Drop all events up to `seq`."""
        if seq <= self._stored:
            return
        self._stored = seq
        self._records = self._records[self._place_above(seq) :]
        self._tags.forget(seq)

    def stored(self) -> int:
        """Return the number up to which events were stored by the host."""
        return self._stored

    def newest(self) -> int:
        """Return the number of the newest event, 0 before the first."""
        return self._newest

    def held(self) -> int:
        """Return how many events wait for the host."""
        return len(self._records) + self._tags.held()

    def _place_above(self, seq: int) -> int:
        """Return how many of the records have a number of `seq` or below."""
        records = self._records
        low = 0
        high = len(records)
        while low < high:
            middle = (low + high) // 2
            if records[middle][0] > seq:
                high = middle
            else:
                low = middle + 1
        return low

    def _make_room(self) -> None:
        records = self._records
        for at in range(len(records)):
            if records[at][2] & _MESSAGE not in _KEPT:
                records.pop(at)
                return
        records.pop(0)
