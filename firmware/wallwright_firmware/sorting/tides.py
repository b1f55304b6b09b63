"""Lanes with readers at their mouths and nothing else: a belt gives back what the lane does not want by running back.

**What happens there.** Nothing shows a tile on the belt but its read, and one that is not read is not to come to the
gate. So for each magnet that comes by the belt runs forwards until its tile would have been read; then it runs back for
longer than it ran forwards, until shortly before the next magnet, and is empty again. A read ends that earlier. A tile
that the lane wants next rides on to the gate, alone: when a magnet comes by before it is there, the belt runs back for
the moment in which that could lay a tile onto it.

**What is known of the ring.** When it brings tiles to this lane, by `slots`. While that is not known well enough, the
belt runs for a whole slot and longer before it runs back; that takes more time, and lets no wrong tile in either.
"""

from wallwright_protocol.constants import const
from wallwright_protocol.hardware import CONVEYOR, CONVEYOR_REVERSE, COUNT_EYE, SIDES, drive_bit, input_number
from wallwright_protocol.link import NEVER
from wallwright_protocol.settings import BELT_RETURN

from ..build import RUNS
from ..drivers.belt import FEEDS
from .eddies import Eddy
from .gate import Gate
from .slots import LATE_MS, LEAD_MS, READ_MS, Slots
from .sorter import Sorter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..build import Build
    from ..cycle import Cycle
    from ..drivers.lane import Lane
    from ..hal import Hal
    from ..safety import Outputs
    from .sorter import Built

RESTS = const(0)
"""Nothing is sorted."""
WATCHES = const(1)
"""The belt runs forwards, for a magnet comes by."""
EBBS = const(2)
"""It runs back and gives back what it has."""
RIDES = const(3)
"""A tile that was let in rides to the gate."""
GUESSES = const(4)
"""The belt runs forwards for a tile that nobody reads."""

TIDE = {
    RESTS: {
        "sort": (WATCHES, "watch_behind"),
    },
    WATCHES: {
        "accept": (RIDES, "ride"),
        "refuse": (EBBS, "ebb"),
        "time": (EBBS, "ebb"),
        "guess": (GUESSES, ""),
        "whole": (RESTS, ""),
        "rest": (RESTS, ""),
    },
    EBBS: {
        "time": (WATCHES, "watch"),
        "whole": (RESTS, ""),
        "rest": (RESTS, ""),
    },
    RIDES: {
        "time": (WATCHES, "watch_behind"),
        "refuse": (EBBS, "ebb_one"),
        "whole": (RESTS, ""),
        "rest": (RESTS, ""),
    },
    GUESSES: {
        "pass": (EBBS, "ebb_one"),
        "rest": (RESTS, ""),
    },
}

MARGIN_MS = 3
"""It runs back for so much longer than it ran forwards."""
ONE_MS = 165
"""So long a run gives a tile back that was just read."""
SHUT_MS = 24
"""A run back, around the time at which a magnet comes by, that keeps its tile off the belt."""
AGAIN_MS = 5
BELTS = sum([drive_bit(side, CONVEYOR) | drive_bit(side, CONVEYOR_REVERSE) for side in range(SIDES)])


class Tide(Gate):
    """The belt of side `side`, as far as it brings and gives back; `owner` knows what is wanted. `rides_blind` says
    that nobody knew when magnets come by as the last tile was let in: others come onto the belt behind it."""

    table = TIDE

    def __init__(self, side: int, owner: "TideSorter", lane: "Lane") -> None:
        super().__init__(side)
        self.rides_blind = False
        self._owner = owner
        self._lane = lane
        self._since_ms = 0
        self._ready_ms = 0
        self._eye = input_number(side, COUNT_EYE)

    @property
    def ebbs(self) -> bool:
        """Whether the belt runs back because it is to."""
        return self.state in (EBBS, RIDES)

    def watch(self, now_ms: int) -> None:
        self._since_ms = self._owner.belts[self.side].since_ms
        self._await_read()

    def watch_behind(self, now_ms: int) -> None:
        """The belt is not empty, but what is on it comes to the gate before it runs back, or is given back first."""
        self._since_ms = now_ms
        self._await_read()

    def ebb(self, now_ms: int) -> None:
        """Run back until the belt is empty, and then until shortly before the next magnet."""
        until_ms = now_ms + now_ms - self._since_ms + MARGIN_MS
        if self.knows():
            until_ms = max(until_ms, self._owner.slots.next_ms(self.side, until_ms + MARGIN_MS) - LEAD_MS)
        self._run_back(until_ms - now_ms, now_ms)

    def ebb_one(self, now_ms: int) -> None:
        if not self.rides_blind:
            self._since_ms = now_ms - ONE_MS - self._owner.slots.late_ms
        self.ebb(now_ms)

    def ride(self, now_ms: int) -> None:
        self._ready_ms = now_ms - READ_MS + self._owner.settings[BELT_RETURN]
        self.rides_blind = not self.knows()
        if self.rides_blind:
            self.due = self._ready_ms
        else:
            self._await_magnet(now_ms)

    def tick(self, now_ms: int) -> None:
        """A magnet has come by, or is about to; or the belt has run back."""
        self.due = NEVER
        belt = self._owner.belts[self.side]
        if self.state == RIDES:
            if self.rides_blind:
                self.happens("refuse", now_ms)  # what has come behind it goes back
            elif now_ms + LEAD_MS + LATE_MS + self._owner.slots.late_ms >= self._ready_ms:
                self.happens("time", now_ms)
            else:
                self._run_back(SHUT_MS, now_ms)
                self._await_magnet(now_ms + SHUT_MS)
        elif belt.state != FEEDS:
            self.due = now_ms + AGAIN_MS
        elif self.state == EBBS and belt.since_ms <= self._since_ms:
            self.ebb(now_ms)  # the eye was dark
        elif self.state == WATCHES and belt.since_ms > self._since_ms:
            self.watch(now_ms)  # the belt was emptied meanwhile
        else:
            if self.state == WATCHES:
                self._owner.slots.miss(self.side)
            self.happens("time", now_ms)

    def knows(self) -> bool:
        """Say whether it is known when magnets come by."""
        return self._owner.slots.is_known(self.side)

    def _await_read(self) -> None:
        self.due = self._owner.slots.read_by_ms(self.side, self._since_ms - MARGIN_MS)

    def _await_magnet(self, now_ms: int) -> None:
        self.due = self._owner.slots.start_ms(self.side, now_ms)

    def _run_back(self, for_ms: int, now_ms: int) -> None:
        """Run back, but not with a tile in the eye: nobody would know on which side of it that has come out."""
        self.due = now_ms + AGAIN_MS
        if self._owner.steady[self._eye]:
            return
        lane = self._lane
        belt = self._owner.belts[self.side]
        if belt.give_back_for(for_ms, now_ms):
            self.due = belt.due
            lane.wake_by(self.due)


class TideSorter(Sorter):
    """The belts of all lanes, by the reads at their mouths."""

    most_on_belt = 1

    def __init__(
        self, hal: "Hal", cycle: "Cycle", build: "Build", outputs: "Outputs", steady: bytearray, built: "Built"
    ) -> None:
        self.slots = Slots(build.drum.rotors[1], hal.mouth_late_ms)
        self._tides = [Tide(lane.side, self, lane) for lane in build.lanes]
        super().__init__(hal, cycle, build, outputs, steady, built)
        outputs.turn_at_once(BELTS)
        self._eddies = [Eddy(lane, self) for lane in build.lanes]

    def make_mouth(self, side: int) -> Tide:
        """Make what brings and gives back on a side."""
        return self._tides[side]

    def start(self, now_ms: int) -> None:
        """The build of the latched wall starts, or goes on."""
        self.slots.begin()
        for eddy in self._eddies:
            eddy.happens("rest", now_ms)
        super().start(now_ms)

    def give_back_held(self, now_ms: int) -> None:
        """Empty the belts of sides that are whole."""
        for eddy in self._eddies:
            eddy.happens("release", now_ms)

    def decide(self, side: int, tile: int, at_ms: int, now_ms: int) -> None:
        """Let a tile in that the lane wants next; give back any other."""
        tide = self._tides[side]
        if tile in self._eddies[side].held:
            return
        self.slots.read(side, at_ms)
        for eddy in self._eddies:
            if tile in eddy.held:
                eddy.lose(tile)
        if tide.state == RESTS:
            self._eddies[side].read(tile, now_ms)
        elif tide.state != RIDES or not tide.rides_blind:
            super().decide(side, tile, at_ms, now_ms)

    def use(self, side: int, tile: int, face: int, at_ms: int, now_ms: int) -> None:
        """Give a tile back."""
        self._tides[side].happens("refuse", now_ms)

    def look_at_lane(self, side: int, now_ms: int) -> None:
        """See what has come into the head, and whether the side is whole."""
        super().look_at_lane(side, now_ms)
        self.slots.look()
        lane = self.build.lanes[side]
        if not lane.missing():
            self._tides[side].happens("whole", now_ms)
            if self.build.state == RUNS:
                self._eddies[side].look(now_ms)

    def poll(self, now_ms: int) -> None:
        """A belt has done what it was to do, or all is looked at."""
        for eddy in self._eddies:
            if now_ms >= eddy.due:
                may_run = self.wanted is not None and self.build.state == RUNS
                eddy.happens("time" if may_run else "rest", now_ms)
        super().poll(now_ms)

    def set_due(self) -> None:
        """Find out when there is something to do."""
        super().set_due()
        for eddy in self._eddies:
            self.due = min(self.due, eddy.due)
