"""What the belt of a lane does when its side is whole, while others look for tiles: it keeps some out of their way.

For each magnet that comes by it runs forwards until its tile is read. If no lane wants that one next, the belt stands,
and has it; if there is none, it runs back as far as it ran. So it has up to three tiles, one behind the other. They are
not in the drum, where they would hide what the others look for. As soon as a lane wants one of them the belt runs back
until it is empty.
"""

from wallwright_protocol.codes import NO_FAULT
from wallwright_protocol.constants import const
from wallwright_protocol.machine import Machine
from wallwright_protocol.settings import BELT_RETURN

from ..drivers.belt import RESTS as BELT_RESTS
from .slots import LATE_MS, LEAD_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..drivers.lane import Lane
    from .tides import TideSorter

RESTS = const(0)
"""The side is not whole, or nothing is sorted."""
STANDS = const(1)
"""It waits for a magnet, or has as many tiles as it can."""
WATCHES = const(2)
"""It runs forwards, for a magnet comes by."""
EBBS = const(3)
"""It runs back."""

EDDY = {
    RESTS: {
        "whole": (STANDS, "stand"),
    },
    STANDS: {
        "time": (WATCHES, "watch"),
        "release": (EBBS, "empty"),
        "rest": (RESTS, "end"),
    },
    WATCHES: {
        "hold": (STANDS, "hold"),
        "refuse": (EBBS, "ebb"),
        "time": (EBBS, "ebb"),
        "release": (EBBS, "empty"),
        "rest": (RESTS, "end"),
    },
    EBBS: {
        "time": (STANDS, "stand"),
        "release": (EBBS, "empty"),
        "rest": (RESTS, "end"),
    },
}

MARGIN_MS = 1
"""It runs back for so much longer than it ran forwards: more would drop what it has."""
EMPTY_MS = 200


class Eddy(Machine):
    """The belt of a lane whose side is whole. `held` are the tiles that it has."""

    table = EDDY

    def __init__(self, lane: "Lane", owner: "TideSorter") -> None:
        super().__init__(RESTS)
        self.held: "list[int]" = []
        self._lane = lane
        self._owner = owner
        self._since_ms = 0
        self._on_ms = 0

    def look(self, now_ms: int) -> None:
        """Begin once the lane rests; give back what another one wants next."""
        lane = self._lane
        wanted = self._owner.wanted
        assert wanted is not None
        if self.state == RESTS:
            is_whole = wanted.is_whole(lane.side) and not lane.missing() and lane.fault == NO_FAULT
            if is_whole and lane.belt.state == BELT_RESTS:
                self.happens("whole", now_ms)
            return
        for tile in self.held:
            if wanted.is_next(wanted.face_of(tile)):
                self.happens("release", now_ms)
                return

    def read(self, tile: int, now_ms: int) -> None:
        """Its reader sees a tile."""
        wanted = self._owner.wanted
        assert wanted is not None
        if wanted.is_next(wanted.face_of(tile)) or not self._owner.may_hold(now_ms):
            self.happens("refuse", now_ms)
        elif self.happens("hold", now_ms):
            self.held.append(tile)

    def lose(self, tile: int) -> None:
        """Another reader has seen a tile that it had."""
        self.held.remove(tile)

    def stand(self, now_ms: int) -> None:
        self._lane.belt.happens("stand", now_ms)
        slots = self._owner.slots
        if self._on_ms <= 3 * self._owner.settings[BELT_RETURN] // 8 and slots.is_known(self._lane.side):
            self.due = slots.start_ms(self._lane.side, now_ms)

    def hold(self, now_ms: int) -> None:
        self._on_ms += now_ms - self._since_ms
        self.stand(now_ms)

    def watch(self, now_ms: int) -> None:
        self._since_ms = now_ms
        self._lane.belt.happens("forwards", now_ms)
        self.due = now_ms + LEAD_MS + LATE_MS

    def ebb(self, now_ms: int) -> None:
        self._run_back(now_ms - self._since_ms + MARGIN_MS, now_ms)

    def empty(self, now_ms: int) -> None:
        self._run_back(self._on_ms + EMPTY_MS, now_ms)
        self._on_ms = 0
        self.held = []

    def end(self, now_ms: int) -> None:
        self._on_ms = 0
        self.held = []
        self._lane.belt.happens("stand", now_ms)

    def _run_back(self, for_ms: int, now_ms: int) -> None:
        self._lane.belt.happens("backwards", now_ms)
        self.due = now_ms + for_ms
