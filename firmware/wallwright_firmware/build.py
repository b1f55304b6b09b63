"""Wall building: the drum and four lanes at once, until every side has the stacks of its plan.

**What happens there.** The drum turns and lays tiles onto four belts, to no side in particular: where the next one
comes out is chance, and the last ones take long. Each lane stops alone when its side is whole. A tile that lies face
up, or is stuck, or on the floor, does not come at all; then the drum is shaken, and when that does not help people are
told what is missing where (`missing`). The build is over with the last lane, and not quite: a tile too many in the drum
would be missing in the other set, so the drum is run a little longer, with all walls whole and no room for it. When one
comes, the drum rests, and what lies on the other belts is brought to their eyes: one tile too many may be any, several
are a set of another size. So is a set that has given just as many tiles as another size has, and gives no more.

**Why it has these states.** A build that runs may be held: it makes the stacks that its plan has on every side however
it is turned, and is given its plan after that. A build that pauses waits for strokes to end, since no lift or lid moves
while a head is on its way; it goes on from its counts when it is started again. A check ends in two steps: first the
drum rests, then the belts run empty, and only then nothing moves. When a tile has come it counts the others first, with
the drum at rest: what a belt takes back must not come up as another one. One that was stopped is made again.

The plan is latched at the start. A build ends with exactly its stacks on every side, or with a fault and its counts.
"""

from wallwright_protocol import codes
from wallwright_protocol.codes import NO_FAULT
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import SIDES, TILES_PER_STACK, plan_without
from wallwright_protocol.link import NEVER
from wallwright_protocol.machine import Machine
from wallwright_protocol.settings import BELT_RETURN, CHECK, STARVED_LIMIT

from .drivers.drum import Drum
from .drivers.lane import Lane
from .memory import least_of, plan_is_possible
from .missing import Search, counted, lacking, left_over, nothing_came
from .safety import BUILD_LIMIT_MS, SORT_LIMIT_MS, Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .owners import BuildOwner

    Four = tuple[int, ...]

SHAKE_MS = 500
SHAKES = 3
"""A drum that gives nothing is shaken: it rests for so long, and tiles fall otherwise; what the lanes have on their
belts goes back into it."""

RESTS = const(0)
"""Nothing is built, whatever the carriers hold."""
RUNS = const(1)
"""Lanes are to become whole."""
PAUSES = const(2)
"""Lanes come to rest, for somebody wants to get at the tiles."""
CHECKS = const(3)
"""The walls are whole, and the drum is run to see whether a tile is left."""
EMPTIES = const(4)
"""The check is over, and belts run empty."""
COUNTS = const(5)
"""A tile too many has come: the drum rests, and what lies on the belts of the other lanes is counted."""

BUILD = {
    RESTS: {
        "start": (RUNS, "run"),
        "check": (CHECKS, "check"),
    },
    RUNS: {
        "pause": (PAUSES, "pause_lanes"),
        "common_whole": (RESTS, "wait_for_plan"),
        "walls_whole": (CHECKS, "finish"),
        "stop": (RESTS, "break_off"),
    },
    PAUSES: {
        "lanes_rest": (RESTS, "end_pause"),
        "walls_whole": (CHECKS, "finish"),
        "stop": (RESTS, "break_off"),
    },
    CHECKS: {
        "surplus": (COUNTS, "rest_drum"),
        "end_check": (EMPTIES, "empty_belts"),
        "lanes_rest": (RESTS, "end"),
        "stop": (RESTS, "stand"),
    },
    EMPTIES: {
        "lanes_rest": (RESTS, "end"),
        "stop": (RESTS, "stand"),
    },
    COUNTS: {
        "end_check": (EMPTIES, "empty_belts"),
        "lanes_rest": (RESTS, "end"),
        "stop": (RESTS, "stand"),
    },
}

DRUM = -1  # is set going before the first lane
ALL = SIDES  # after the last lane: do all rest?
NOBODY = SIDES + 1
LANES = (1 << SIDES) - 1
AT_ONCE = 0  # a deadline that has been: with the next poll


class Build(Machine):
    """The build in progress, or the last one; it tells `owner`.

    `partial` says that the carriers hold part of the walls; while it is `held`, `plan` may still turn; `unchecked` that
    no check of whole walls has ended. With `sorting` a lane takes only what is prescribed, and may wait long for it.
    """

    table = BUILD
    owner: "BuildOwner"

    def __init__(self, tiles: int, outputs: Outputs, steady: bytearray, settings: list[int]) -> None:
        super().__init__(RESTS)
        self.plan: "tuple[int, ...]" = (0, 0, 0, 0)
        self.partial = self.held = self.unchecked = self.sorting = False
        self._wired = LANES
        self.tiles, self.out, self.settings = tiles, SIDES, settings
        self.lanes = [Lane(side, outputs, steady, self) for side in range(SIDES)]
        self.drum = Drum(outputs, settings, self)
        self._started_ms = self._spent_ms = self._shakes = 0
        self._limit = self._starved_at = self._check_until = NEVER
        self.search = Search()
        self._surplus: "list[int]" = []
        self._next_lane = NOBODY
        self._set_going: "Callable[[Lane, int], None]" = Lane.start

    @property
    def running(self) -> bool:
        """Whether lanes are to become whole."""
        return self.state in (RUNS, PAUSES)

    def can_build(self, plan: "tuple[int, ...]") -> bool:
        """Say whether `plan` can be built here."""
        return (self._wired | 1 << self.out) & LANES == LANES and plan_is_possible(plan, self.tiles, self.out)

    def start(self, now_ms: int, plan: "tuple[int, ...]", hold: bool = False) -> None:
        """Start a build by `plan`, or go on with the one that was stopped, by its own plan once that is latched: with
        `hold` not yet. The owner gives no plan with fewer stacks on a side than are held."""
        if self.held or not self.partial:
            if not self.can_build(plan):
                self.owner.fail(codes.PLAN_IMPOSSIBLE, codes.NO_SIDE, sum(plan) * TILES_PER_STACK, self.tiles)
                return
            self.plan = plan
            if not self.partial:
                self._spent_ms = 0
                self.search.begin()
                for lane in self.lanes:
                    lane.clear()
            self._hold(hold)
        self.partial = True
        self.happens("start", now_ms)

    def pause(self, now_ms: int) -> None:
        """Come to rest with every head at home; `paused` is then told."""
        self.happens("pause", now_ms)

    def stop(self, now_ms: int) -> None:
        """Stand still; the counts stay. The outputs have been switched off."""
        if not self.happens("stop", now_ms):
            self.stand(now_ms)

    def mend(self, fault: int, side: int) -> None:
        """People have done what the words of this fault say for this side; other lanes may be blocked as well."""
        for lane in self.lanes:
            if lane.fault == fault and side in (lane.side, codes.NO_SIDE):
                lane.mend()

    def restore(
        self, plan: "Four", stacks: "Four", in_head: "Four", faults: "Four", partial: bool, held: bool, unchecked: bool
    ) -> None:
        """Take over what was counted before the power went: a build that was stopped (`partial`), or whole walls."""
        self.plan, self.partial, self.unchecked = plan, partial, unchecked
        self._hold(held)
        for lane in self.lanes:
            lane.restore(stacks[lane.side], in_head[lane.side], faults[lane.side])
        if not partial:
            self.search.note_whole(stacks)

    def tell(self, owner: "BuildOwner") -> None:
        """Tell this part of everything."""
        self.owner = owner

    def use_sorting(self, is_prescribed: bool) -> None:
        """Lanes take only what is prescribed from now on, or whatever comes."""
        self.sorting = is_prescribed

    def use_size(self, tiles: int, out: int) -> None:
        """Sets have `tiles` tiles from now on, and side `out` builds nothing. Part of the walls that stands goes on by
        a plan for the others; people take out what that side had."""
        self.tiles, self.out = tiles, out
        if out < SIDES:
            self.lanes[out].leave_out()
            if self.partial:
                self.plan = plan_without(tiles, out)
                self._hold(False)

    def use_lanes(self, lanes: int) -> None:
        """These lanes are wired, side s as bit s."""
        self._wired = lanes

    def give_up_check(self) -> None:
        """Nobody will see any more whether a tile is left in the drum."""
        self.unchecked = False

    def fail_blocked(self) -> bool:
        """Fail for the first lane that a fault blocks; False when none is blocked."""
        blocked = self.search.blocked(self.lanes)
        if blocked is not None:
            self.owner.fail(*blocked)
        return blocked is not None

    def carriers_emptied(self) -> None:
        """The carriers are empty again: the walls have gone up, or people have taken out what was there."""
        self.partial = self.held = self.unchecked = False
        for lane in self.lanes:
            lane.clear()

    def counted(self, now_ms: int) -> None:
        """A lane has counted a tile."""
        self._starved_at = NEVER if self.sorting else now_ms + self.settings[STARVED_LIMIT]
        if self._shakes:
            self.notice(codes.FACE_UP_STUCK, codes.NO_SIDE, self._shakes)
            self._shakes = 0

    def notice(self, fault: int, side: int, tries: int) -> None:
        """A lane or a rotor has got over something."""
        self.owner.notice(fault, side, tries)

    def fail(self, fault: int, side: int, found: int, wanted: int) -> None:
        """A rotor does not turn."""
        self.owner.fail(fault, side, found, wanted)

    def surplus(self, side: int, now_ms: int) -> None:
        """A tile has come although the walls are whole: one a lane, whose belt takes it and all others back."""
        self._surplus.append(side)
        self.happens("surplus", now_ms)

    def vane(self, rotor: int, now_ms: int) -> None:
        """Disc (0) or ring (1) has turned once more."""
        if self.drum.rotors[rotor].happens("vane", now_ms) and self.state != RESTS:
            self._set_due()

    def lane_rests(self, side: int, now_ms: int) -> None:
        """A lane is whole, paused or blocked; with the last one the build ends."""
        lane = self.lanes[side]
        if self.running and not self.held and lane.fault == NO_FAULT and lane.stacks == lane.wanted:
            self.owner.side_done(now_ms, side, lane.stacks, self._elapsed(now_ms))
        self._all_rest(now_ms)

    def poll(self, now_ms: int) -> None:
        """Set drum or next lane going, shake a drum that gives nothing, start a rotor again; end check or build."""
        number = self._next_lane
        if number != NOBODY:
            self._next_lane += 1
            if number == ALL:
                self._all_rest(now_ms)
            elif number != DRUM:
                if number != self.out:
                    self._set_going(self.lanes[number], now_ms)
            elif self.state == RUNS:
                self.drum.begin(now_ms)
            elif self.state == CHECKS:
                self.drum.turn(now_ms)
            self._set_due()
            return
        self.drum.poll(now_ms)
        if now_ms >= self._check_until:
            self.happens("end_check", now_ms)
        elif self.running and now_ms >= self._limit:
            self._out_of_time(now_ms)
        elif self.running and now_ms >= self._starved_at:
            self._starved(now_ms)
        if self.state != RESTS:
            self._set_due()

    def stacks(self) -> "tuple[int, ...]":
        """Return the stacks in the carriers, by side."""
        return tuple([lane.stacks for lane in self.lanes])

    def _hold(self, hold: bool) -> None:
        """Say what each lane is to build; walls of one plan are not held."""
        least = least_of(self.plan, self.out)
        self.held = hold and least < max(self.plan)
        for lane in self.lanes:
            lane.want(min(least, self.plan[lane.side]) if self.held else self.plan[lane.side])

    def _each_lane(self, do: "Callable[[Lane, int], None]", first: int = 0) -> None:
        """Let `do` set the lanes going, after the drum if that is the `first`: one a poll, so that no poll is long."""
        self._set_going = do
        self._next_lane = first
        self.due = AT_ONCE

    def _all_rest(self, now_ms: int) -> None:
        if self._next_lane != NOBODY:
            return
        for lane in self.lanes:
            if not lane.at_rest:
                return
        if not self.running:
            self.happens("lanes_rest", now_ms)
        elif self.fail_blocked():
            return
        elif self.state == PAUSES and (self.held or lacking(self.lanes)):
            self.happens("lanes_rest", now_ms)
        else:
            self.happens("common_whole" if self.held else "walls_whole", now_ms)

    def run(self, now_ms: int) -> None:
        self._started_ms = now_ms
        self._limit = now_ms + (SORT_LIMIT_MS if self.sorting else BUILD_LIMIT_MS)
        self._shakes = 0
        self.counted(now_ms)
        self._each_lane(Lane.start, DRUM)

    def pause_lanes(self, now_ms: int) -> None:
        self.drum.rest(now_ms)
        self._each_lane(Lane.pause)

    def break_off(self, now_ms: int) -> None:
        self._spent_ms += now_ms - self._started_ms
        self.stand(now_ms)

    def stand(self, now_ms: int) -> None:
        self._next_lane = NOBODY
        self.drum.rest(now_ms)
        self._check_until = NEVER
        for lane in self.lanes:
            lane.stop(now_ms)

    def wait_for_plan(self, now_ms: int) -> None:
        self.owner.ended("common_built")

    def end_pause(self, now_ms: int) -> None:
        self.owner.ended("paused")

    def finish(self, now_ms: int) -> None:
        self.partial, self.unchecked = False, True
        self.search.note_whole(self.stacks())
        self.check(now_ms)
        self.owner.built(now_ms, self._elapsed(now_ms))

    def check(self, now_ms: int) -> None:
        # What a belt that was stopped has brought into a head lies there.
        self._surplus = [lane.side for lane in self.lanes if lane.in_head]
        self._check_until = now_ms + self.settings[CHECK]
        self._each_lane(Lane.check, DRUM)

    def rest_drum(self, now_ms: int) -> None:
        self.drum.rest(now_ms)
        self._check_until = now_ms + self.settings[BELT_RETURN]
        self._set_due()

    def empty_belts(self, now_ms: int) -> None:
        self._check_until = NEVER
        self.drum.rest(now_ms)
        self._each_lane(Lane.end_check)

    def end(self, now_ms: int) -> None:
        self.stand(now_ms)
        if self._surplus:
            self.owner.fail(*left_over(self._surplus, self.lanes, self.search.may_be_two))
        else:
            self.unchecked = False
            self.owner.checked()

    def _starved(self, now_ms: int) -> None:
        self._starved_at = now_ms + self.settings[STARVED_LIMIT]
        if self._shakes and not self.sorting and nothing_came(self.lanes):
            self.owner.fail(codes.DRUM_EMPTY, codes.NO_SIDE, 0, self.tiles)
        elif self._shakes < SHAKES:
            self._shakes += 1
            for lane in self.lanes:
                lane.shake(now_ms)
            self.drum.rest(now_ms, SHAKE_MS)
        else:
            self._out_of_time(now_ms)

    def _out_of_time(self, now_ms: int) -> None:
        """Name what keeps the walls from becoming whole, by what is missing where, and by what was named before."""
        if self.fail_blocked():
            return
        lanes = lacking(self.lanes)
        if not lanes:
            # The last strokes and belts come to their end, or block their lane.
            self._limit = self._starved_at = NEVER
        elif self.sorting:
            self.owner.fail(codes.PRESCRIBED_LATE, codes.NO_SIDE, counted(self.lanes), self.tiles)
        else:
            is_slow = now_ms < self._starved_at - self.settings[STARVED_LIMIT] // 2 and not self._shakes
            self.owner.fail(*self.search.judge(lanes, self.lanes, self.tiles, is_slow))

    def _elapsed(self, now_ms: int) -> int:
        return self._spent_ms + now_ms - self._started_ms

    def _set_due(self) -> None:
        if self._next_lane != NOBODY:
            self.due = AT_ONCE
            return
        due = min(self.drum.due, self._check_until)
        if self.running:
            due = min(due, self._limit, self._starved_at)
        self.due = due
