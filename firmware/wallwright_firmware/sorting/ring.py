"""A ring that sorts: its magnets carry tiles past the four mouths until one takes them.

**What happens there.** At each mouth the reader sees a tile a moment before it is there. The scraper is drawn back, so
that nothing enters a lane by itself; for a tile that the lane wants next it is let go, and takes it onto the belt. A
tile that is wanted soon stays on its magnet and comes round again. Any other is knocked off, so that the magnet can
pick up another one. A tile whose tag is not read passes.
"""

from wallwright_protocol.hardware import KNOCK_HOME, KNOCK_OFF, SCRAPER, SCRAPER_BACK, sorter_bit, sorter_switch

from .mouth import LETS_IN, Mouth
from .sorter import Sorter

HOLD_SHARE = 4
"""A tile is held while at most one in so many free magnets stand for places of its lane before it: found by simulation
(benchmarks/prescribed_builds.py); more clogs the ring, less throws away what is wanted next."""


class RingSorter(Sorter):
    """The mouths of a ring; what is held is on magnets, nobody knows where."""

    pass_ms = 500
    most_on_belt = 5
    stalled_ms = 12000
    _held: "dict[int, int]" = {}

    def make_mouth(self, side: int) -> Mouth:
        """Make scraper and knock-off of a side."""
        bits = sorter_bit(side, SCRAPER), sorter_bit(side, KNOCK_OFF)
        return Mouth(side, self, bits, (sorter_switch(side, SCRAPER_BACK), sorter_switch(side, KNOCK_HOME)))

    def give_back_held(self, now_ms: int) -> None:
        """What is held is knocked off when it comes by."""
        self._held = {}

    def decide(self, side: int, tile: int, now_ms: int) -> None:
        """Let a tile in that the lane wants next; leave others on their magnets, or knock them off."""
        self._held.pop(tile, None)
        mouth = self.mouths[side]
        if mouth.state == LETS_IN:
            # Two tiles on one magnet, or one that came too soon: nobody knows which of them is on the belt.
            mouth.happens("second", now_ms)
            self.doubt(side)
        else:
            super().decide(side, tile, now_ms)

    def use(self, side: int, tile: int, face: int, now_ms: int) -> None:
        """Leave a tile on its magnet that is wanted soon; knock any other off."""
        wanted = self.wanted
        assert wanted is not None
        same = 0
        for other in self._held.values():
            same += other == face
        free = self.hal.sorter_places - len(self._held)
        limit = min(self.horizon(), free // HOLD_SHARE)
        if self.may_hold(now_ms) and free > 1 and wanted.needs(face, limit) > same:
            self._held[tile] = face
        else:
            self.mouths[side].happens("refuse", now_ms)
