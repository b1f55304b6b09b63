"""Wall building: four lanes at once, each stopping alone when its side is whole.

- The plan is latched at the start; what is planned later is for the next build.
- Ends with exactly the planned stacks on every side, or with a fault that names the side, the count found and wanted.
- A build that a fault has stopped goes on from its counts when it is started again.
"""

from wallwright_protocol.codes import NO_SIDE, PLAN_IMPOSSIBLE, SIDE_SHORT
from wallwright_protocol.link import NEVER

from .drivers.lane import TILES_PER_STACK, Lane
from .hal import DISC, RING, SIDES
from .safety import BUILD_LIMIT_MS, Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

CARRIER_STACKS = 19
"""A carrier holds this many stacks at the most."""


def plan_is_possible(plan: "tuple[int, ...]", tiles: int) -> bool:
    """Say whether `plan`, stacks a side, uses up a set of `tiles` and fits the carriers."""
    return sum(plan) * TILES_PER_STACK == tiles and min(plan) > 0 and max(plan) <= CARRIER_STACKS


class Build:
    """The build in progress, or the last one.

    The owner sets `side_done(now, side, stacks, after_ms)`, `finished(now, duration_ms)` and
    `failed(fault, side, found, wanted)`, counts in tiles.
    """

    def __init__(self, tiles: int, outputs: Outputs, steady: bytearray) -> None:
        self.due = NEVER
        self.plan: "tuple[int, ...]" = (0, 0, 0, 0)
        self.running = False
        self.partial = False
        self.tiles = tiles
        self.lanes = [Lane(side, outputs, steady, self) for side in range(SIDES)]
        self.side_done: "Callable[[int, int, int, int], None]"
        self.finished: "Callable[[int, int], None]"
        self.failed: "Callable[[int, int, int, int], None]"
        self._outputs = outputs
        self._started_ms = 0
        self._spent_ms = 0

    def start(self, now_ms: int, plan: "tuple[int, ...]") -> None:
        """Start a build by `plan`, or go on with the one that was stopped, by its own plan."""
        if not self.partial:
            if not plan_is_possible(plan, self.tiles):
                self.failed(PLAN_IMPOSSIBLE, NO_SIDE, sum(plan) * TILES_PER_STACK, self.tiles)
                return
            self.plan = plan
            self._spent_ms = 0
            for lane in self.lanes:
                lane.clear()
        self.partial = True
        self.running = True
        self._started_ms = now_ms
        self.due = now_ms + BUILD_LIMIT_MS
        self._outputs.on(DISC, now_ms)
        self._outputs.on(RING, now_ms)
        for side in range(SIDES):
            if self.running:
                self.lanes[side].start(now_ms, self.plan[side])

    def stop(self, now_ms: int) -> None:
        """Stand still; the counts stay. The outputs have been switched off."""
        if self.running:
            self._spent_ms += now_ms - self._started_ms
        self.running = False
        self.due = NEVER
        for lane in self.lanes:
            lane.stop()

    def carriers_emptied(self) -> None:
        """The walls have gone up: the carriers are empty again."""
        self.partial = False
        for lane in self.lanes:
            lane.clear()

    def lane_done(self, side: int, now_ms: int) -> None:
        """A lane is whole and at rest; with the last one the build is done."""
        self.side_done(now_ms, side, self.lanes[side].stacks, self._elapsed(now_ms))
        for lane in self.lanes:
            if not lane.done():
                return
        self.running = False
        self.partial = False
        self.due = NEVER
        self._outputs.off(DISC | RING)
        self.finished(now_ms, self._elapsed(now_ms))

    def poll(self, now_ms: int) -> None:
        """Past the limit: name the side that is furthest behind."""
        worst = self.lanes[0]
        for lane in self.lanes:
            if lane.missing() > worst.missing():
                worst = lane
        self.failed(SIDE_SHORT, worst.side, worst.tiles(), worst.wanted * TILES_PER_STACK)

    def stacks(self) -> "tuple[int, ...]":
        """Return the stacks in the carriers, by side."""
        return tuple([lane.stacks for lane in self.lanes])

    def _elapsed(self, now_ms: int) -> int:
        return self._spent_ms + now_ms - self._started_ms
