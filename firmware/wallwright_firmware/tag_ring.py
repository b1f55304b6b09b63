"""Events of tags, packed: many and small, so that a deal of them fits; the oldest makes room for the newest."""

import struct

from wallwright_protocol.codec import NUMBER_OF
from wallwright_protocol.constants import const
from wallwright_protocol.wall import TAG_BYTES

EVENTS_PER_TILE = 4
"""A deal has three for a tile that is drawn, discarded and swept off; the fourth is for claims and doubtful reads."""
LAYOUT = "<IIBBB8s"
"""Number, time in ms, message, the reader before, the reader now, tag."""
RECORD_BYTES = const(19)
PAGE = const(32)
"""Records in one piece of memory: a heap in use may have no larger piece that is free."""

_FROM = const(9)
_TO = const(10)
_TAG = const(11)
_PAYLOADS = {
    NUMBER_OF["tag_appeared"]: (_TO, RECORD_BYTES),
    NUMBER_OF["tag_left"]: (_TO, RECORD_BYTES),
    NUMBER_OF["tag_moved"]: (_FROM, RECORD_BYTES),
    NUMBER_OF["tag_unread"]: (_TO, _TAG),
}
"""Message -> the part of a record that is its payload."""
_NO_TAG = bytes(TAG_BYTES)


class TagRing:
    """Up to `capacity` events in the order of their numbers, with gaps where other events lie between. It begins with
    all that `old` holds, which are not more."""

    def __init__(self, capacity: int, old: "TagRing | None" = None) -> None:
        self._capacity = capacity
        self._pages = [bytearray(PAGE * RECORD_BYTES) for _ in range((capacity + PAGE - 1) // PAGE)]
        self._oldest = 0
        self._count = 0 if old is None else self._take_over(old)
        self.before = self.here = 0
        self._place = 0

    def resized(self, capacity: int) -> "TagRing":
        """Return a ring with room for at least so many, and with all that this one holds."""
        return TagRing(max(capacity, self._count), self)

    def _take_over(self, old: "TagRing") -> int:
        """Copy what another ring holds; return how many these are."""
        for place in range(old._count):
            at = old._index(place)
            start = at % PAGE * RECORD_BYTES
            to = place % PAGE * RECORD_BYTES
            self._pages[place // PAGE][to : to + RECORD_BYTES] = old._pages[at // PAGE][start : start + RECORD_BYTES]
        return old._count

    def add(self, seq: int, now_ms: int, name: str, before: int, now: int, tag: bytes) -> None:
        """Append an event: `before` is the reader that a tag was moved from, `now` the one of every event."""
        at = (self._oldest + self._count) % self._capacity
        values = (seq, now_ms & 0xFFFFFFFF, NUMBER_OF[name], before, now, tag or _NO_TAG)
        struct.pack_into(LAYOUT, self._pages[at // PAGE], at % PAGE * RECORD_BYTES, *values)
        if self._count < self._capacity:
            self._count += 1
        else:
            self._oldest = (self._oldest + 1) % self._capacity

    def find(self, seq: int) -> int:
        """Return how many events have a number of `seq` or below; `before` and `here` are the numbers of the last of
        them and of the first above, 0 when there is none.

        The one behind an event that was given out is tried first: to search takes an RP2040 half a millisecond.
        """
        place = self._place
        self.before = self.seq_at(place - 1)
        self.here = self.seq_at(place)
        if self.before > seq or 0 < self.here <= seq:
            place = self._place = self._place_above(seq)
            self.before = self.seq_at(place - 1)
            self.here = self.seq_at(place)
        return place

    def _place_above(self, seq: int) -> int:
        low = 0
        high = self._count
        while low < high:
            middle = (low + high) // 2
            if self.seq_at(middle) > seq:
                high = middle
            else:
                low = middle + 1
        return low

    def seq_at(self, place: int) -> int:
        """Return the number of the event at `place`, counted from the oldest; 0 when there is none."""
        if not 0 <= place < self._count:
            return 0
        at = self._index(place)
        return struct.unpack_from("<I", self._pages[at // PAGE], at % PAGE * RECORD_BYTES)[0]

    def record_at(self, place: int) -> "tuple[int, int, int, bytes]":
        """Return (seq, time in ms, message, payload) of the event at `place`."""
        at = self._index(place)
        page = self._pages[at // PAGE]
        start = at % PAGE * RECORD_BYTES
        seq, time_ms, message = struct.unpack_from("<IIB", page, start)
        first, end = _PAYLOADS[message]
        self._place = place + 1
        return seq, time_ms, message, bytes(page[start + first : start + end])

    def forget(self, seq: int) -> None:
        """Drop all events up to `seq`."""
        count = self._place_above(seq)
        if count:
            self._place = max(0, self._place - count)
            self._oldest = (self._oldest + count) % self._capacity
            self._count -= count

    def held(self) -> int:
        """Return how many events there are."""
        return self._count

    def _index(self, place: int) -> int:
        return (self._oldest + place) % self._capacity
