"""The belt of a lane: it carries tiles from the drum to the gate, and back.

`lane` says what happens there and why. Forwards it brings tiles; backwards it drops what lies on it into the drum.
While tiles queue up to the belt-full eye it need not run below them during a stroke, when the gate is closed; it waits
then.
"""

from wallwright_protocol.constants import const
from wallwright_protocol.hardware import CONVEYOR, CONVEYOR_REVERSE, drive_bit
from wallwright_protocol.machine import Machine
from wallwright_protocol.settings import BELT_RETURN

from ..safety import Outputs
from .lane_times import JOGS, jog_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..owners import BeltOwner

RESTS = const(0)
"""The lane is at rest: nothing moves, and nothing is waited for."""
WAITS = const(1)
"""It takes tiles, but stands until the head is at home again."""
FEEDS = const(2)
"""It takes tiles and runs."""
JOGS_BACK = const(3)
"""It runs back, so that what stands at the gate or on the whole belt comes another way; then it takes tiles again."""
CHECKS = const(4)
"""It runs for a side that is whole: a tile that comes now is one too many."""
RETURNS = const(5)
"""It runs back until it is empty, for this lane takes no more tiles."""
ENDS = const(6)
"""It stands for good, and the head may still be in its last stroke."""

TAKES_TILES = (WAITS, FEEDS)
"""In these states what comes to the gate is a tile on its way into the head."""
BRINGS_TILES = (WAITS, FEEDS, CHECKS)
"""After a stop in these what coasts through the gate is in the head."""

BELT = {
    RESTS: {
        "take_tiles": (WAITS, ""),
        "send_back": (RETURNS, "empty"),
        "check": (CHECKS, "run"),
    },
    WAITS: {
        "gate_opens": (FEEDS, "run"),
        "tiles_stand": (JOGS_BACK, "jog"),
        "send_back": (RETURNS, "empty"),
        "pause": (ENDS, "stand"),
        "stop": (RESTS, "stand"),
    },
    FEEDS: {
        "gate_shuts": (WAITS, "stand"),
        "tiles_stand": (JOGS_BACK, "jog"),
        "shake": (JOGS_BACK, "empty"),
        "send_back": (RETURNS, "empty"),
        "pause": (ENDS, "stand"),
        "stop": (RESTS, "stand"),
    },
    JOGS_BACK: {
        "time": (WAITS, "end_run"),
        "pause": (ENDS, "stand"),
        "stop": (RESTS, "stand"),
    },
    CHECKS: {
        "tile": (RETURNS, "empty"),
        "end_check": (RETURNS, "empty"),
        "stop": (RESTS, "stand"),
    },
    RETURNS: {
        "time": (ENDS, "end_run"),
        "pause": (ENDS, "stand"),
        "stop": (RESTS, "stand"),
    },
    ENDS: {
        "head_home": (RESTS, ""),
        "stop": (RESTS, "stand"),
    },
}

CLEAR = const(0)
FULL = const(1)
"""What the belt-full eye says."""
DISBELIEVED = const(2)
"""Added to it once the eye was dark above an emptied belt: until the next start it counts for nothing."""


class Belt(Machine):
    """The belt of side `side`. `queue` is what its belt-full eye says, `jogs` how often it was jogged for one tile."""

    table = BELT

    def __init__(self, side: int, outputs: Outputs, settings: list[int], owner: "BeltOwner") -> None:
        super().__init__(RESTS)
        self.queue = CLEAR
        self.jogs = 0
        self._outputs = outputs
        self._settings = settings
        self._owner = owner
        self._forward = drive_bit(side, CONVEYOR)
        self._reverse = drive_bit(side, CONVEYOR_REVERSE)

    def begin(self) -> None:
        """The lane starts: the eye is believed again, and no tile was jogged."""
        self.queue &= FULL
        self.jogs = 0

    def see(self, level: int) -> None:
        """The belt-full eye has changed."""
        self.queue = self.queue & ~FULL | level

    def come_free(self) -> None:
        """The tile that was jogged has come."""
        self.jogs = 0

    def run(self, now_ms: int) -> None:
        self._outputs.on(self._forward, now_ms)

    def stand(self, now_ms: int) -> None:
        self._outputs.off(self._forward | self._reverse)

    def jog(self, now_ms: int) -> None:
        """Run back half the length of the belt; the last time, all of it."""
        self.jogs += 1
        return_ms = self._settings[BELT_RETURN]
        self._run_back(now_ms, return_ms if self.jogs == JOGS else jog_ms(return_ms))

    def empty(self, now_ms: int) -> None:
        self._run_back(now_ms, self._settings[BELT_RETURN])

    def _run_back(self, now_ms: int, for_ms: int) -> None:
        self._outputs.off(self._forward)
        if self._outputs.on(self._reverse, now_ms):
            self.due = now_ms + for_ms

    def end_run(self, now_ms: int) -> None:
        """The belt has run back; an eye above it that is dark though it must be empty is dirty."""
        self.stand(now_ms)
        if self.queue == FULL and (self.state == ENDS or self.jogs == JOGS):
            self.queue = FULL | DISBELIEVED
            self.jogs = 0
            self._owner.belt_eye_stuck()
