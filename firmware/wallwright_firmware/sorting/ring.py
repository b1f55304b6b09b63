"""A ring that sorts: its magnets carry tiles past the four mouths until one takes them.

**What happens there.** At each mouth the reader sees a tile a moment before it is there. The scraper is drawn back, so
that nothing enters a lane by itself; for a tile that the lane wants next it is let go, and takes it onto the belt. A
tile that is wanted soon stays on its magnet and comes round again. Any other is knocked off, so that the magnet can
pick up another one. A tile passes whose tag is not read, or of which the board hears too late for what is to be done.
"""

from wallwright_protocol.hardware import KNOCK_HOME, KNOCK_OFF, SCRAPER, SCRAPER_BACK, sorter_bit, sorter_switch

from .mouth import LETS_IN, Mouth
from .slots import Slots
from .sorter import Sorter
from .worth import AHEAD, Worth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..build import Build
    from ..cycle import Cycle
    from ..hal import Hal
    from ..safety import Outputs
    from .sorter import Built

SHUT_MS = 5
"""A scraper is drawn back so long before a tile that was read at once would be at the mouth; no reader is so quick."""
STROKE_MS = 50
"""A knock-off has reached its end by then."""
SECOND_MS = 65
"""Two tiles on one magnet are read within less, one being read 10 to 50 ms after it has come; tiles on two magnets, of
24 at the most, within more."""


class RingSorter(Sorter):
    """The mouths of a ring; what is held is on magnets, nobody knows where."""

    pass_ms = 500
    most_on_belt = 5
    stalled_ms = 12000

    def __init__(
        self, hal: "Hal", cycle: "Cycle", build: "Build", outputs: "Outputs", steady: bytearray, built: "Built"
    ) -> None:
        self._held: "dict[int, int]" = {}
        self._judged: "list[tuple[int, int, int]]" = []  # side, tile, when it was read: what is judged, and what waits
        self._judging: "Iterator[None] | None" = None
        self._worth: "Worth | None" = None
        self._slots = Slots(build.drum.rotors[1])
        self.let_in_ms = hal.sorter_lead_ms - SHUT_MS
        super().__init__(hal, cycle, build, outputs, steady, built)

    def make_mouth(self, side: int) -> Mouth:
        """Make scraper and knock-off of a side."""
        bits = sorter_bit(side, SCRAPER), sorter_bit(side, KNOCK_OFF)
        return Mouth(side, self, bits, (sorter_switch(side, SCRAPER_BACK), sorter_switch(side, KNOCK_HOME)))

    def start(self, now_ms: int) -> None:
        """The build of the latched wall starts, or goes on."""
        self._slots.begin()
        super().start(now_ms)
        assert self.wanted is not None
        self._worth = Worth(self.wanted, self._seen_ms)

    def give_back_held(self, now_ms: int) -> None:
        """What is held is knocked off when it comes by."""
        self._held = {}
        self._judged.clear()
        self._judging = None

    def decide(self, side: int, tile: int, at_ms: int, now_ms: int) -> None:
        """Let a tile in that the lane wants next; leave others on their magnets, or knock them off."""
        self._held.pop(tile, None)
        mouth = self.mouths[side]
        if mouth.state == LETS_IN and at_ms < mouth.due - self.let_in_ms + SECOND_MS:
            # Two tiles on one magnet: nobody knows which of them is on the belt.
            mouth.happens("second", now_ms)
            self.doubt(side)
        else:
            super().decide(side, tile, at_ms, now_ms)

    def use(self, side: int, tile: int, face: int, at_ms: int, now_ms: int) -> None:
        """Leave a tile on its magnet that is wanted soon; knock any other off. Which it is, the next polls find out."""
        self._judged.append((side, tile, at_ms))

    def poll(self, now_ms: int) -> None:
        """Do what is due; else judge what was read, a step a poll."""
        if not self._judged or self.next_due() <= now_ms:
            super().poll(now_ms)
            return
        if self.build.running and self.wanted is not None:
            self._judge(now_ms)
        else:
            self.give_back_held(now_ms)
        self.set_due()

    def set_due(self) -> None:
        """Find out when there is something to do."""
        self.due = self.cycle.now_ms if self._judged else self.next_due()

    def _judge(self, now_ms: int) -> None:
        """Do a step for the tile that was read first; when it is over, leave it or knock it off."""
        worth = self._worth
        assert worth is not None
        side, tile, at_ms = self._judged[0]
        judging = self._judging
        if judging is None:
            free = self.hal.sorter_places - len(self._held)
            if self.may_hold(now_ms) and free > 1:
                ahead = min(self.horizon(), AHEAD)
                judging = self._judging = worth.judge(tile, self._held, free, ahead, self._slots.turn_ms, now_ms)
        is_worth = False
        if judging is not None:
            for _ in judging:
                return
            is_worth = worth.is_worth
        self._judging = None
        self._judged.pop(0)
        if is_worth:
            assert self.wanted is not None
            self._held[tile] = self.wanted.face_of(tile)
        elif not self.is_late(at_ms, now_ms, STROKE_MS):
            self.mouths[side].happens("refuse", now_ms)

    def look_at_lane(self, side: int, now_ms: int) -> None:
        """See what has come into the head, and how fast the ring turns."""
        super().look_at_lane(side, now_ms)
        self._slots.look()
