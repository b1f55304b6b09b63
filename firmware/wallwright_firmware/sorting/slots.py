"""When the ring brings the next tile to a lane: magnets pass a mouth in equal times, as its vane and the reads tell.

The vane tells how long a turn takes, and so the time between two magnets; the reads of a lane tell when they come by
its mouth. Reads are some time late, more or less, so that it takes some of them to know that well.
"""

from wallwright_protocol.constants import const
from wallwright_protocol.hardware import SIDES
from wallwright_protocol.link import NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..drivers.drum import Rotor

MAGNETS = const(9)
"""Magnets of the ring of a table that sorts in its lanes."""
TURN_MS = const(3105)
"""Until the vane has shown how long a turn takes."""
READ_MS = const(130)
"""A tile is read so long after its magnet came by the mouth, 20 ms more or less."""
LATE_MS = 155
"""It is read by then."""
LEAD_MS = 12
"""A belt that is to take it runs so long before the magnet comes by."""
_STEADY = const(32)
"""Two turns are of the same speed when they differ by less than one part in so many."""
_KNOWN = const(4)
"""Reads from which on it is known when magnets come by."""
_DAMPING = const(8)
"""A read moves the clock of its lane by one part in so many of what it is off, or in as many as there were reads."""
_LOST = const(30)
"""When the belt has waited for so many magnets without a read, nobody knows any more when they come by."""


class Slots:
    """`turn_ms` is how long a turn of the ring takes, as far as it is known; the board hears of a read up to `late_ms`
    later."""

    def __init__(self, ring: "Rotor", late_ms: int = 0) -> None:
        self.turn_ms = TURN_MS
        self.late_ms = late_ms
        self._ring = ring
        self._due = 0
        self._vanes = 0
        self._read_ms = [0] * SIDES
        self._reads = [0] * SIDES
        self._misses = [0] * SIDES

    def begin(self) -> None:
        """The ring begins to turn, or will soon."""
        self._due = self._ring.due
        self._vanes = 0
        self._reads = [0] * SIDES

    def look(self) -> None:
        """See whether the ring has come round: its rotor then expects the vane anew. One that rests expects none."""
        due = self._ring.due
        if due == self._due:
            return
        turn_ms = due - self._due
        is_turn = NEVER not in (due, self._due)
        self._due = due
        if not is_turn:
            return
        self._vanes += 1
        if self._vanes == 2 or abs(turn_ms - self.turn_ms) < turn_ms // _STEADY:
            self.turn_ms = turn_ms

    def read(self, side: int, at_ms: int) -> None:
        """A tile that the ring has brought was read."""
        late_ms = (at_ms - self._read_ms[side] + self.slot_ms() // 2) * MAGNETS % self.turn_ms // MAGNETS
        late_ms -= self.slot_ms() // 2
        if not self._reads[side] or self._vanes < 2:
            self._reads[side] = late_ms = 0
        reads = self._reads[side] = min(self._reads[side] + 1, _DAMPING)
        self._read_ms[side] = at_ms - late_ms + (late_ms + reads // 2) // reads
        self._misses[side] = 0

    def miss(self, side: int) -> None:
        """A magnet came by, and no read."""
        self._misses[side] += 1
        if self._misses[side] == _LOST:
            self._reads[side] = self._misses[side] = 0

    def is_known(self, side: int) -> bool:
        """Say whether it is known when magnets come by a mouth."""
        return self._reads[side] >= _KNOWN

    def slot_ms(self) -> int:
        """Return the time between two magnets."""
        return self.turn_ms // MAGNETS

    def since(self, side: int, now_ms: int) -> int:
        """Return how long ago a tile of the last magnet would have been read, in ms."""
        return (now_ms - self._read_ms[side]) * MAGNETS % self.turn_ms // MAGNETS

    def next_ms(self, side: int, from_ms: int) -> int:
        """Return when the first magnet comes by a mouth that does so at `from_ms` or later."""
        return from_ms + (self._read_ms[side] - READ_MS - from_ms) * MAGNETS % self.turn_ms // MAGNETS

    def start_ms(self, side: int, from_ms: int) -> int:
        """Return when a belt is to run for the first magnet for which that is at `from_ms` or later."""
        return self.next_ms(side, from_ms + LEAD_MS) - LEAD_MS

    def read_by_ms(self, side: int, since_ms: int) -> int:
        """Return by when the board knows of a tile that the first magnet lays onto a belt that runs since then."""
        late_ms = LATE_MS + self.late_ms
        if self.is_known(side):
            return self.next_ms(side, since_ms) + late_ms
        return since_ms + self.slot_ms() + late_ms
