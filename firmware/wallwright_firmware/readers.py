"""Tile readers: raw reads become numbered events, and the hash of the host's list of tags is kept.

A tag is where the reader says that first saw it. It stays there while that reader sees it, whatever others see: what
they see as well are ghosts, or a tile on the border. Once its reader has lost it, it has moved to the one that sees it
steadily, or, when none does for longer than a tile is held between two places, it has left. So a read that flickers and
a ghost that comes and goes make no event.

Reads at the stacking heads are for `seal`; only in service they are reported as well, for a technician.
"""

import struct
from binascii import crc32

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import MOUTH_READER, READERS, SIDES
from wallwright_protocol.link import NEVER
from wallwright_protocol.wall import TAG_BYTES

from .events import EventRing
from .hal import ENROLMENT_SLOT, Hal
from .tag_ring import EVENTS_PER_TILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .commands import Reply
    from .cycle import Cycle
    from .seal import Walls
    from .sorting.sorter import Sorter

SETTLE_MS = 300
"""A reader that sees a tag for so long has it: three rounds of an inventory of some 100 ms."""
LOST_MS = 2000
"""A tag that nobody has seen for so long has left; a player holds a tile between two places for less."""
READS = 2
"""Raw reads taken in a poll, and tags settled in one, so that no poll is long when a whole set leaves the table; of a
tag that was not known, or at a mouth, one."""
MOST_TAGS = 320
"""Both sets of the largest kind, and some strangers. More are not followed, whatever a broken reader makes up."""
ENROLMENT_BYTES = 32

_NOBODY = const(31)
_BITS = const(0x1F)
_CANDIDATE = const(5)
_SEEN = const(10)
_NOWHERE = const(_NOBODY | _NOBODY << _CANDIDATE)
"""What is known of a tag, in a small integer: the reader that was reported, five bits; the one that may follow, five
bits; a bit for each reader that sees it."""


class Readers:
    """A device with a deadline; `fitted` has a bit for each reader, `enrolment` is the hash that was set last."""

    answers = ("get_readers", "set_enrolment")

    def __init__(self, hal: Hal, events: EventRing, cycle: "Cycle", walls: "Walls") -> None:
        self.due = NEVER
        self.fitted = 0
        self.enrolment = bytes(ENROLMENT_BYTES)
        self._hal = hal
        self._events = events
        self._cycle = cycle
        self._walls = walls
        self._tags: dict[bytes, int] = {}
        self._settling: dict[bytes, int] = {}
        self._queue: list[tuple[int, bytes]] = []
        self.sorter: "Sorter | None" = None

    def use_sorter(self, sorter: "Sorter") -> None:
        """Tell it of the tiles at the mouths and in the heads."""
        self.sorter = sorter

    def fit(self, devices: list) -> bool:
        """Use the readers that there are now: with the first a table that was blind has two `devices` more. Say whether
        walls can be sealed from now on, and could not before."""
        readers = self._hal.readers
        if readers and not self.fitted:
            self._make_room()
            devices.extend((self._walls, self))
            self._cycle.steps.add(self._load_enrolment)
        self.fitted = readers
        return self._walls.fit(readers)

    def _load_enrolment(self) -> None:
        stored = self._hal.load(ENROLMENT_SLOT)
        if is_enrolment(stored):
            self.enrolment = stored[:ENROLMENT_BYTES]

    def make_room(self) -> None:
        """The table has sets of another size."""
        if self.fitted:
            self._make_room()

    def _make_room(self) -> None:
        self._events.make_tag_room(EVENTS_PER_TILE * self._walls.tiles())

    def take_news(self, now_ms: int, devices: list) -> bool:
        """Fetch what is to be told of the line, readers that were found since the start, and some reads; say whether
        there was anything."""
        hal = self._hal
        if not hal.has_line_news and hal.readers == self.fitted:
            return False
        found = False
        while hal.next_line_fault():
            self._cycle.notice(hal.line_fault, hal.line_fault_side, 0)
            found = True
        if hal.readers != self.fitted:
            found = True
            if self.fit(devices):
                self._cycle.steps.add(self._walls.start, now_ms)
        return (self.fitted != 0 and self.take_reads()) or found

    def take_reads(self) -> bool:
        """Fetch raw reads; say whether there were any."""
        hal = self._hal
        for number in range(READS):
            if not hal.next_read():
                return number > 0
            reader = hal.read_reader
            tag = hal.read_tag
            if self.sorter is not None and hal.read_there and len(tag) == TAG_BYTES:
                if reader >= MOUTH_READER:
                    self.sorter.read(reader - MOUTH_READER, tag, hal.read_ms, self._cycle.now_ms)
                    break
                if reader < SIDES:
                    self.sorter.head_read(reader, tag)
            if reader >= READERS or len(tag) != TAG_BYTES:
                continue
            is_new = tag not in self._tags
            if reader >= SIDES or self._cycle.state == codes.SERVICE or not is_new:
                self._read(reader, tag, hal.read_there, hal.read_ms)
            elif hal.read_there:
                self._walls.read(reader, tag, hal.read_ms)
            if is_new:
                break
        return True

    def poll(self, now_ms: int) -> None:
        """Report what has settled, in the order of its time."""
        queue = self._queue
        for _ in range(READS):
            if not queue or queue[0][0] > now_ms:
                break
            tag = queue.pop(0)[1]
            del self._settling[tag]
            self._settle(now_ms, tag)
        self.due = queue[0][0] if queue else NEVER

    def turn_back(self, by_ms: int) -> None:
        """Go by a clock that shows `by_ms` less."""
        self._queue = [(due - by_ms, tag) for due, tag in self._queue]
        for due, tag in self._queue:
            self._settling[tag] = due

    def on_get_readers(self, _: "tuple[int, ...]") -> "Reply":
        return codes.OK, REPLIES[NUMBER_OF["get_readers"]].pack(self.fitted, self.enrolment)

    def on_set_enrolment(self, values: "tuple[bytes]") -> "Reply":
        """Only while nothing runs, as everything that is stored."""
        if not self.fitted or not self._cycle.service.is_still():
            return codes.WRONG_STATE, b""
        if not self.set_enrolment(values[0]):
            self._cycle.fail(codes.STORE_FAILED, codes.NO_SIDE, 0, 0)
            return codes.FAULT_ACTIVE, b""
        return codes.OK, b""

    def set_enrolment(self, enrolment: bytes) -> bool:
        """Keep the hash of the host's list; False when the board could not store it."""
        if not self._hal.save(ENROLMENT_SLOT, enrolment + _check(enrolment)):
            return False
        self.enrolment = enrolment
        return True

    def _read(self, reader: int, tag: bytes, there: bool, at_ms: int) -> None:
        """Note which readers see a tag, and when that will have settled."""
        known = self._tags.get(tag, _NOWHERE)
        if known == _NOWHERE and len(self._tags) >= MOST_TAGS:
            return
        at = known & _BITS
        candidate = known >> _CANDIDATE & _BITS
        seen = known >> _SEEN
        if there:
            seen |= 1 << reader
            changed = candidate == _NOBODY and reader != at
            if changed:
                candidate = reader
        else:
            seen &= ~(1 << reader)
            changed = reader in (at, candidate)
            if changed and candidate in (reader, _NOBODY):
                candidate = _lowest(seen if at == _NOBODY else seen & ~(1 << at))
        if at != _NOBODY and seen >> at & 1:
            self._cancel(tag)
        elif not seen and at == _NOBODY:
            self._cancel(tag)
            self._tags.pop(tag, None)
            return
        elif changed:
            self._wait(tag, at_ms + (LOST_MS if candidate == _NOBODY else SETTLE_MS))
        self._tags[tag] = at | candidate << _CANDIDATE | seen << _SEEN

    def _wait(self, tag: bytes, due: int) -> None:
        """Let a tag settle at `due`, and not at another time."""
        self._cancel(tag)
        self._settling[tag] = due
        queue = self._queue
        queue.insert(self._place(due + 1), (due, tag))
        self.due = queue[0][0]

    def _place(self, due: int) -> int:
        """Return how many wait that settle before `due`."""
        queue = self._queue
        low = 0
        high = len(queue)
        while low < high:
            middle = (low + high) // 2
            if queue[middle][0] < due:
                low = middle + 1
            else:
                high = middle
        return low

    def _cancel(self, tag: bytes) -> None:
        due = self._settling.pop(tag, NEVER)
        if due != NEVER:
            at = self._place(due)
            while self._queue[at][1] != tag:
                at += 1
            self._queue.pop(at)

    def _settle(self, now_ms: int, tag: bytes) -> None:
        known = self._tags[tag]
        at = known & _BITS
        candidate = known >> _CANDIDATE & _BITS
        if candidate == _NOBODY:
            del self._tags[tag]
            self._events.add_tag(now_ms, "tag_left", 0, at, tag)
            return
        self._tags[tag] = candidate | _NOBODY << _CANDIDATE | known >> _SEEN << _SEEN
        if at == _NOBODY:
            self._events.add_tag(now_ms, "tag_appeared", 0, candidate, tag)
        else:
            self._events.add_tag(now_ms, "tag_moved", at, candidate, tag)


def _lowest(seen: int) -> int:
    """Return the lowest reader of a mask."""
    for reader in range(READERS):
        if seen >> reader & 1:
            return reader
    return _NOBODY


def is_enrolment(stored: bytes) -> bool:
    """Say whether these are an enrolment and its CRC-32, as it is stored."""
    return len(stored) == ENROLMENT_BYTES + 4 and stored[ENROLMENT_BYTES:] == _check(stored[:ENROLMENT_BYTES])


def _check(enrolment: bytes) -> bytes:
    return struct.pack("<I", crc32(enrolment) & 0xFFFFFFFF)
