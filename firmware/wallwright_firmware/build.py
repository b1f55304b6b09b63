"""Wall building: four lanes at once, each stopping alone when its side is whole.

- The plan is latched at the start; what is planned later is for the next build. A build that is held makes the stacks
  that its plan has on every side however it is turned, and is given its plan after that.
- Ends with exactly the planned stacks on every side, or with a fault that names the side, the tiles found and wanted.
- A build that was stopped goes on from its counts when it is started again.
- When the walls are whole the drum is run a little longer: a tile that still comes is one too many.
- Tiles that do not come although people have put in what was missing are looked for in the heads, side by side.
"""

from wallwright_protocol.codes import (
    CHECK,
    DISC_LIMIT,
    DISC_STALLED,
    EYE_BLOCKED,
    EYE_DEAD,
    FACE_UP_STUCK,
    NO_FAULT,
    NO_SIDE,
    PLAN_IMPOSSIBLE,
    RING_LIMIT,
    RING_STALLED,
    SIDE_SHORT,
    SLOW_BUILD,
    STARVED_LIMIT,
    TILE_MISSING,
    TILE_TOO_MANY,
)
from wallwright_protocol.hardware import CARRIER_STACKS, DISC, RING, SIDES, TILES_PER_STACK
from wallwright_protocol.link import NEVER

from .drivers.lane import Lane
from .safety import BUILD_LIMIT_MS, Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

STARVED_MS = 8000
"""Without a tile in any lane for this long the drum is shaken: it rests for SHAKE_MS, and tiles fall otherwise; what
the lanes have on their belts goes back into it. A setting."""
SHAKE_MS = 500
SHAKES = 3
FEW_TILES = 4
"""So many tiles can be lost on the floor; when more are missing, something keeps them from coming."""
CHECK_MS = 4000
"""How long an empty drum is run to see whether a tile is left: nine out of ten such tiles come within 2 s. A
setting."""
VANE_LIMIT_MS = 6000
"""Disc and ring show their vane once a turn, every 1.5 s and 3 s. Default of two settings."""
START_AGAIN_MS = 1000


def plan_is_possible(plan: "tuple[int, ...]", tiles: int) -> bool:
    """Say whether `plan`, stacks a side, uses up a set of `tiles` and fits the carriers."""
    return sum(plan) * TILES_PER_STACK == tiles and min(plan) > 0 and max(plan) <= CARRIER_STACKS


MOST_RESTARTS = 3
"""So often disc or ring is started again in a build; one that needs it more often is too slow, and no chance."""
AT_ONCE = 0
"""A deadline that has been: with the next poll."""


class Rotor:
    """A motor of the drum and the vane that shows its turns, `longest` apart at the most, a setting.

    It is started again, and is `late`, when the vane does not come; if that does not help, or is needed for the fourth
    time in a build, it is a fault. `tries` counts how often it was started again in this build.
    """

    def __init__(self, drive: int, fault: int, longest: int) -> None:
        self.drive = drive
        self.fault = fault
        self.longest = longest
        self.limit = NEVER
        self.tries = 0
        self.late = False


class Build:
    """The build in progress, or the last one.

    The owner sets `side_done(now, side, stacks, after_ms)`, `finished(now, duration_ms)`, `common_built()`, `paused()`,
    `checked()`, `notice(fault, side, tries)` and `failed(fault, side, found, wanted)`, counts in tiles. `partial` says
    that the carriers hold part of the walls; while it is `held`, `plan` may still turn.
    """

    def __init__(self, tiles: int, outputs: Outputs, steady: bytearray, settings: list[int]) -> None:
        self.due = NEVER
        self.plan: "tuple[int, ...]" = (0, 0, 0, 0)
        self.running = False
        self.partial = False
        self.held = False
        self.checking = False
        self.has_all_lanes = True
        self.tiles = tiles
        self.settings = settings
        self.lanes = [Lane(side, outputs, steady, self) for side in range(SIDES)]
        self.rotors = [Rotor(DISC, DISC_STALLED, DISC_LIMIT), Rotor(RING, RING_STALLED, RING_LIMIT)]
        self.side_done: "Callable[[int, int, int, int], None]"
        self.finished: "Callable[[int, int], None]"
        self.common_built: "Callable[[], None]"
        self.paused: "Callable[[], None]"
        self.checked: "Callable[[], None]"
        self.notice: "Callable[[int, int, int], None]"
        self.failed: "Callable[[int, int, int, int], None]"
        self._outputs = outputs
        self._started_ms = 0
        self._spent_ms = 0
        self._limit = NEVER
        self._starved_at = NEVER
        self._shakes = 0
        self._lacked = 0
        self._fruitless = 0
        self._drum_rests_until = NEVER
        self._check_until = NEVER
        self._pausing = False
        self._next_lane = SIDES
        self._set_going: "Callable[[Lane, int], None]" = Lane.start

    def start(self, now_ms: int, plan: "tuple[int, ...]", hold: bool = False) -> None:
        """Start a build by `plan`, or go on with the one that was stopped, by its own plan once that is latched.

        With `hold` it is not latched yet. The owner gives no plan with fewer stacks on a side than are held.
        """
        if self.held or not self.partial:
            if not plan_is_possible(plan, self.tiles) or not self.has_all_lanes:
                self.failed(PLAN_IMPOSSIBLE, NO_SIDE, sum(plan) * TILES_PER_STACK, self.tiles)
                return
            self.plan = plan
            if not self.partial:
                self._spent_ms = 0
                self._lacked = 0
                for lane in self.lanes:
                    lane.clear()
            self._hold(hold)
        self.partial = True
        self.running = True
        self._pausing = False
        self._started_ms = now_ms
        self._limit = now_ms + BUILD_LIMIT_MS
        self._shakes = 0
        self.counted(now_ms)
        for rotor in self.rotors:
            rotor.tries = 0
            rotor.late = False
        self._turn_drum(now_ms)
        if self.running:
            self._each_lane(Lane.start)

    def pause(self) -> None:
        """Come to rest with every head at home; `paused` is then called."""
        self._pausing = True
        self._rest_drum()
        self._each_lane(Lane.pause)

    def stop(self, now_ms: int) -> None:
        """Stand still; the counts stay. The outputs have been switched off."""
        if self.running:
            self._spent_ms += now_ms - self._started_ms
        self.running = False
        self.checking = False
        self._next_lane = SIDES
        self._rest_drum()
        self._check_until = NEVER
        self.due = NEVER
        for lane in self.lanes:
            lane.stop(now_ms)

    def end_check(self) -> bool:
        """Cut the check short; say whether the belts still have to be emptied, after which `checked` is called."""
        if self.checking:
            self._check_until = NEVER
            self._rest_drum()
            self._each_lane(Lane.end_check)
        return self.checking

    def mend(self, fault: int, side: int) -> None:
        """People have done what the words of this fault say for this side; other lanes may be blocked as well."""
        if side < SIDES and self.lanes[side].fault == fault:
            self.lanes[side].mend()

    def restore(
        self,
        plan: "tuple[int, ...]",
        stacks: "tuple[int, ...]",
        in_head: "tuple[int, ...]",
        faults: "tuple[int, ...]",
        partial: bool,
        held: bool,
    ) -> None:
        """Take over what was counted before the power went: a build that was stopped (`partial`), or whole walls."""
        self.plan = plan
        self.partial = partial
        self._hold(held)
        for side in range(SIDES):
            lane = self.lanes[side]
            lane.stacks = stacks[side]
            lane.in_head = in_head[side]
            lane.fault = faults[side]

    def fail_blocked(self) -> bool:
        """Fail for the first lane that a fault blocks; False when none is blocked."""
        for lane in self.lanes:
            if lane.fault != NO_FAULT:
                self._give_up(lane.fault, lane)
                return True
        return False

    def carriers_emptied(self) -> None:
        """The carriers are empty again: the walls have gone up, or people have taken out what was there."""
        self.partial = False
        self.held = False
        for lane in self.lanes:
            lane.clear()

    def counted(self, now_ms: int) -> None:
        """A lane has counted a tile."""
        self._starved_at = now_ms + self.settings[STARVED_LIMIT]
        if self._shakes:
            self.notice(FACE_UP_STUCK, NO_SIDE, self._shakes)
            self._shakes = 0

    def surplus(self, side: int) -> None:
        """A tile has come although the walls are whole."""
        lane = self.lanes[side]
        self.failed(TILE_TOO_MANY, side, lane.tiles() + 1, lane.wanted * TILES_PER_STACK)

    def vane(self, rotor: int, now_ms: int) -> None:
        """Disc (0) or ring (1) has turned once more."""
        if self.rotors[rotor].limit != NEVER:
            self.rotors[rotor].limit = now_ms + self.settings[self.rotors[rotor].longest]
            if self.rotors[rotor].late:
                self.rotors[rotor].late = False
                self.notice(self.rotors[rotor].fault, NO_SIDE, self.rotors[rotor].tries)
            self._set_due()

    def lane_rests(self, side: int, now_ms: int) -> None:
        """A lane is whole, paused or blocked; with the last one the build ends."""
        lane = self.lanes[side]
        if self.running and not self.held and lane.fault == NO_FAULT and lane.stacks == lane.wanted:
            self.side_done(now_ms, side, lane.stacks, self._elapsed(now_ms))
        self._all_rest(now_ms)

    def poll(self, now_ms: int) -> None:
        """Set the next lane going; shake a drum that gives nothing, start a rotor again, end the check or a build that
        takes too long."""
        if self._next_lane < SIDES:
            self._next_lane += 1
            self._set_going(self.lanes[self._next_lane - 1], now_ms)
            self._all_rest(now_ms)
            self._set_due()
            return
        if now_ms >= self._drum_rests_until:
            self._turn_drum(now_ms)
        for rotor in self.rotors:
            if now_ms >= rotor.limit:
                self._stalled(rotor, now_ms)
        if now_ms >= self._check_until:
            self.end_check()
        elif self.running and now_ms >= self._limit:
            self._out_of_time(now_ms)
        elif self.running and now_ms >= self._starved_at:
            self._starved(now_ms)
        if self.running or self.checking:
            self._set_due()

    def stacks(self) -> "tuple[int, ...]":
        """Return the stacks in the carriers, by side."""
        return tuple([lane.stacks for lane in self.lanes])

    def _hold(self, hold: bool) -> None:
        """Say what each lane is to build; walls of one plan are not held."""
        least = min(self.plan)
        self.held = hold and least < max(self.plan)
        for lane in self.lanes:
            lane.wanted = least if self.held else self.plan[lane.side]

    def _each_lane(self, do: "Callable[[Lane, int], None]") -> None:
        """Let `do` set the lanes going: one a poll, so that no poll is long."""
        self._set_going = do
        self._next_lane = 0
        self.due = AT_ONCE

    def _all_rest(self, now_ms: int) -> None:
        if self._next_lane < SIDES:
            return
        for lane in self.lanes:
            if not lane.at_rest:
                return
        if self.checking:
            self.checking = False
            self._rest_drum()
            self._set_due()
            self.checked()
        elif self.running:
            self._end(now_ms)

    def _end(self, now_ms: int) -> None:
        if self.fail_blocked():
            return
        if self.held or (self._pausing and self._missing()):
            self.stop(now_ms)
            (self.paused if self._pausing else self.common_built)()
            return
        elapsed_ms = self._elapsed(now_ms)
        self.running = False
        self.partial = False
        self.checking = True
        self._check_until = now_ms + self.settings[CHECK]
        self._turn_drum(now_ms)
        self._each_lane(Lane.check)
        self.finished(now_ms, elapsed_ms)

    def _turn_drum(self, now_ms: int) -> None:
        self._drum_rests_until = NEVER
        for rotor in self.rotors:
            if self._outputs.on(rotor.drive, now_ms):
                rotor.limit = now_ms + self.settings[rotor.longest]

    def _rest_drum(self) -> None:
        self._drum_rests_until = NEVER
        for rotor in self.rotors:
            self._outputs.off(rotor.drive)
            rotor.limit = NEVER

    def _stalled(self, rotor: Rotor, now_ms: int) -> None:
        if rotor.late or rotor.tries == MOST_RESTARTS:
            self.failed(rotor.fault, NO_SIDE, 0, 0)
        else:
            rotor.tries += 1
            rotor.late = True
            self._rest_drum()
            self._drum_rests_until = now_ms + START_AGAIN_MS

    def _starved(self, now_ms: int) -> None:
        self._starved_at = now_ms + self.settings[STARVED_LIMIT]
        if self._shakes < SHAKES:
            self._shakes += 1
            for lane in self.lanes:
                lane.shake(now_ms)
            self._rest_drum()
            self._drum_rests_until = now_ms + SHAKE_MS
        else:
            self._out_of_time(now_ms)

    def _out_of_time(self, now_ms: int) -> None:
        """Name what keeps the walls from becoming whole, by what is missing where, and by what was named before."""
        if self.fail_blocked():
            return
        short = sorted([-lane.missing() * SIDES + lane.side for lane in self.lanes if lane.missing() > 0])
        lanes = [self.lanes[rank % SIDES] for rank in short]
        missing = self._missing()
        if not lanes:
            # The last strokes and belts come to their end, or block their lane.
            self._limit = self._starved_at = NEVER
            return
        if now_ms < self._starved_at - self.settings[STARVED_LIMIT] // 2 and not self._shakes:
            self._give_up(SLOW_BUILD, lanes[0])
            return
        self._fruitless = self._fruitless + 1 if missing >= self._lacked > 0 else 0
        self._lacked = missing
        suspects = [lane for lane in lanes if lane.eye_doubted]
        in_turn = self._fruitless % (len(lanes) + 1)
        if in_turn and not suspects:
            suspects = [lanes[in_turn - 1]]
        if suspects:
            lane = suspects[0]
            lane.fault = EYE_BLOCKED if lane.eye_doubted else EYE_DEAD
            self._give_up(lane.fault, lane)
        elif missing <= FEW_TILES:
            self._give_up(TILE_MISSING, lanes[0])
        else:
            self._give_up(SIDE_SHORT if len(lanes) == 1 else FACE_UP_STUCK, lanes[0])

    def _give_up(self, fault: int, lane: Lane) -> None:
        """End in `fault`, with the counts of a lane."""
        self.failed(fault, lane.side, lane.tiles(), lane.wanted * TILES_PER_STACK)

    def _missing(self) -> int:
        return sum([lane.missing() for lane in self.lanes])

    def _elapsed(self, now_ms: int) -> int:
        return self._spent_ms + now_ms - self._started_ms

    def _set_due(self) -> None:
        if self._next_lane < SIDES:
            self.due = AT_ONCE
            return
        due = min(self._drum_rests_until, self._check_until, self.rotors[0].limit, self.rotors[1].limit)
        if self.running:
            due = min(due, self._limit, self._starved_at)
        self.due = due
