"""The table's cycle: what the states of `transitions` do.

Motion starts only in an action, and every chain of actions starts with an act: a key, a command, or the end of another
motion. Two sets of tiles go round: one is above, in play; the other is below, in the drum or built on the carriers
(`whole`). Before a set is built it is washed, while nothing else moves. Over whole walls the lid opens only when the
drum was checked: a tile left over would be hidden by those that are pushed in. A table does not see whether its walls
were drawn in: a key while the lifts go down brings them up again.
"""

from wallwright_protocol import codes
from wallwright_protocol.codes import FAULT, NO_SIDE
from wallwright_protocol.hardware import EMERGENCY_STOP, SIDES
from wallwright_protocol.link import NEVER
from wallwright_protocol.settings import DICE_COUNT, WASH
from wallwright_protocol.transitions import TRANSITIONS

from . import resting
from .build import Build
from .drivers.lift import Lift
from .drivers.panel import Panel
from .drivers.travel import Lid, Travel
from .events import EventRing
from .memory import Memory
from .safety import Outputs
from .service import Service
from .steps import Steps
from .wash import Wash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .owners import Prescriber


class Cycle(Memory):
    """The state of the table and its cycle. `now_ms` is the time of the poll in progress, set by `begin_poll`."""

    def __init__(self, outputs: Outputs, steady: bytearray, build: Build, events: EventRing, panel: Panel) -> None:
        super().__init__()
        self.due, self.now_ms = NEVER, 0
        self.state, self._lifts_moving, self.fault, self.fault_side = codes.STARTING, 0, codes.NO_FAULT, NO_SIDE
        self.use_usual_plan(build.tiles)
        self.host_present = False
        self._steady, self._outputs, self._build, self._events, self._panel = steady, outputs, build, events, panel
        build.tell(self)
        self.lid = Lid(outputs, steady, build.settings, self)
        self.lifts = [Lift(side, outputs, steady, build.settings, self) for side in range(SIDES)]
        self.wash = Wash(build.drum, self)
        self.sorting: "Prescriber | None" = None
        self._builds_whole = self._is_cut = False
        self.steps = Steps()
        self.service = Service(self, build, outputs, steady, events)

    def use_sorting(self, sorting: "Prescriber") -> None:
        """This table can build prescribed walls."""
        self.sorting = sorting

    def begin_poll(self, now_ms: int) -> None:
        """A poll begins."""
        self.now_ms = now_ms

    def wake_at(self, at_ms: int) -> None:
        """Poll it then: a jog is over, or it is to find out whether it goes on."""
        self.due = at_ms

    def start(self, store_is_corrupt: bool, crashes_on: int) -> None:
        """Find out where everything stands after power-up, and say what people have to see to; nothing moves."""
        self.walls_unknown = self.walls_unknown or store_is_corrupt
        if crashes_on or self.walls_unknown:
            unknown = codes.STORE_CORRUPT if store_is_corrupt else codes.WALLS_UNKNOWN
            self.fail(codes.CRASH_LOOP if crashes_on else unknown, NO_SIDE, 0, 0)
        elif self._build.fail_blocked():
            return
        elif self._steady[EMERGENCY_STOP]:
            self.fail(codes.EMERGENCY_STOP, NO_SIDE, 0, 0)
        else:
            self.come_to_rest()

    def trigger(self, name: str) -> bool:
        """Follow the table; False when `name` does nothing in the present state."""
        if self.state == codes.IDLE and name in ("lift_key", "start_build") and self._wash_s():
            self._builds_whole = name == "start_build"
            name = "wash"
        elif self.state == codes.READY and self._build.unchecked and name in ("lift_key", "open_lid"):
            name = "check"
        elif self.state == codes.SHUFFLING and name == "start_build":
            self._builds_whole = True
        row = TRANSITIONS.get((self.state, name))
        if row is None:
            return False
        self._enter(row[0])
        if row[1] != "rest":
            self.steps.add(self._act, row)
        return True

    def _act(self, row: "tuple[int, str]") -> None:
        """Do what a transition brings with it, unless a fault has come before that."""
        if self.state == row[0]:
            _ACTIONS[row[1]](self)

    def fail(self, fault: int, side: int, found: int, wanted: int) -> None:
        """Stop everything and name the fault; a second fault does not hide the first."""
        self._outputs.all_off()
        self.steps.add(self._stop_all)
        self._is_cut, self._builds_whole, self.due = False, False, NEVER
        if self.state == FAULT:
            return
        self.service.end_jog(codes.BY_FAULT)
        self.fault, self.fault_side = fault, side
        self._panel.note_fault(self.now_ms)
        self._events.add(self.now_ms, "fault", fault, side, found, wanted)
        self._enter(FAULT)
        self.steps.add(self._show_fault)

    def _show_fault(self) -> None:
        if self.state == FAULT:
            self._panel.fault(self.now_ms, self.fault, self.fault_side)

    def _stop_all(self) -> None:
        for lane in self._build.lanes:
            self.steps.add(lane.stop, self.now_ms)
        self.steps.add(self._build.stop, self.now_ms)
        self.steps.add(self._stop_ways)

    def _stop_ways(self) -> None:
        self.lid.stop(self.now_ms)
        for lift in self.lifts:
            lift.stop(self.now_ms)
        self.wash.stop(self.now_ms)

    def fail_in(self, fault: int) -> None:
        """Stand in this fault, whatever other one the table stands in."""
        if self.state != FAULT:
            self.fail(fault, NO_SIDE, 0, 0)
            return
        self._events.add(self.now_ms, "fault_cleared", self.fault, codes.FROM_HOST)
        self.fault, self.fault_side = fault, NO_SIDE
        self._events.add(self.now_ms, "fault", fault, NO_SIDE, 0, 0)
        self._panel.fault(self.now_ms, fault, NO_SIDE)

    def notice(self, fault: int, side: int, tries: int) -> None:
        """Tell of something that the table has got over by itself."""
        self._events.add(self.now_ms, "notice", fault, side, tries)

    def clear(self, source: int) -> bool:
        """Leave the fault for the state that the switches show; nothing moves. False while its cause can be seen, and
        for a key where it takes a technician."""
        if self.state != FAULT or self._steady[EMERGENCY_STOP]:
            return False
        if self.fault == codes.CRASH_LOOP and source != codes.FROM_HOST:
            return False
        self._events.add(self.now_ms, "fault_cleared", self.fault, source)
        if self.fault == codes.TILE_TOO_MANY:
            self._build.give_up_check()  # people were told, and have to open the lid for it
        if self.fault in resting.WALLS_EMPTIED:
            self.forget_walls(self.fault == codes.WALLS_UNKNOWN)
            if self.fault == codes.WALLS_UNKNOWN and self.sorting is not None:
                self.sorting.enter_mode(codes.ORDINARY_WALL)
            self._build.carriers_emptied()
        self._build.mend(self.fault, self.fault_side)
        self.fault, self.fault_side = codes.NO_FAULT, NO_SIDE
        self._panel.note_fault(self.now_ms)
        self.come_to_rest()
        self._build.fail_blocked()
        return True

    def input_changed(self, number: int, level: int) -> None:
        """A lid or emergency stop input has changed."""
        if number == EMERGENCY_STOP:
            if level:
                self.fail(codes.EMERGENCY_STOP, NO_SIDE, 0, 0)
        else:
            if not level and not self.lid.is_moving() and not self.service.moves(self.lid):
                self.fail(codes.LID_LIMITS, NO_SIDE, 0, 0)
            self.lid.input_changed(self.now_ms, number, level)
            self._give_up_check()
            self._find_contradictions()

    def lift_switch(self, side: int, number: int, level: int) -> None:
        """A switch of a lift has changed; an upper one that opens although the lift stands means that it sinks."""
        lift = self.lifts[side]
        if not level and not lift.is_moving() and not self.service.moves(lift):
            self.fail(codes.LIFT_SINKING if number == lift.first.number else codes.LIFT_LIMITS, side, 0, 0)
        lift.input_changed(self.now_ms, number, level)
        self._find_contradictions()

    def poll(self, now_ms: int) -> None:
        """A jog has taken its time; or a set is to be washed, or no longer; or a build is held no more."""
        self.due = NEVER
        if self.state == codes.SERVICE:
            self.service.end_jog(codes.BY_TIME)
        elif self.state != codes.SHUFFLING:
            self.trigger("planned")
        elif not self.wash.start(now_ms, self._wash_s()):
            self.trigger("mixed")  # from this poll on nobody can take the prescription back

    def host_is(self, present: bool) -> None:
        """The host has come or gone; a build is not held without it."""
        self.host_present = present
        if not present:
            self.notice(codes.HOST_SILENT, NO_SIDE, 0)
            self.service.end(codes.BY_HOST)
        self.go_on_unless_held()

    def go_on_unless_held(self) -> None:
        """A build that waits for its plan goes on with the next poll if nothing holds it any more."""
        if self.state in (codes.HOLDING, codes.ASKING) and not self._holds():
            self.due = self.now_ms

    def _holds(self) -> bool:
        return self.plan_mode == codes.HELD and self.host_present

    def come_to_rest(self) -> None:
        """Enter the state that the switches show. Whole walls are handed over if they have come up meanwhile."""
        self._give_up_check()
        if self.whole and resting.are_up(self._steady, self.lifts, self._build.out):
            self._hand_over()
        self._enter(resting.resting_state(self._steady, self.whole, self.dropped, self.dice[0]))
        if self.state == codes.STOPPED_LOWERING:
            self.steps.add(self._ask_to_lower)
        elif self.state == codes.READY:
            for lift in self.lifts:
                if not self._steady[lift.second.number]:
                    self.fail(codes.LIFT_LIMITS, lift.side, 0, 0)
        self._find_contradictions()
        if self.walls_unknown:
            self.fail(codes.WALLS_UNKNOWN, NO_SIDE, 0, 0)

    def _enter(self, state: int) -> None:
        if state != self.state:
            self.state = state
            self._events.add(self.now_ms, "state_changed", state)
            if state != FAULT:  # it is shown with its number
                self.steps.add(self._panel.state, state, self.keeps_above(self._build.partial))

    def _start_build(self) -> None:
        self._go_for_walls(self._holds() and not self._builds_whole)

    def _hurry(self) -> None:
        if self.wash.cut(self.now_ms) or self._wash_s():
            self.notice(codes.WASH_CUT, NO_SIDE, 0)
        self._start_build()

    def _go_for_walls(self, hold: bool) -> None:
        self.due = NEVER
        self._builds_whole = self.fills = False
        build = self._build
        if not build.partial:
            self.washed_s = self.wash.taken_s()
            if self.sorting is not None:
                self.sorting.latch(self.now_ms)
        build.use_sorting(self.wall_mode != codes.ORDINARY_WALL)
        if self.sorting is not None and build.sorting:
            self.steps.add(self._begin_build, self.sorting.plan, False)
        else:
            self.steps.add(self._begin_build, self.next_plan(), hold)

    def _begin_build(self, plan: "tuple[int, ...]", hold: bool) -> None:
        if self.state != codes.BUILDING:
            return
        build = self._build
        is_latched = build.partial and not build.held
        build.start(self.now_ms, plan, hold)
        if self.sorting is not None and build.sorting:
            self.steps.add(self.sorting.start, self.now_ms)
        if build.running and not build.held and not is_latched:
            self._tell_started()

    def _tell_started(self) -> None:
        game = (self._build.tiles, self._build.settings[DICE_COUNT], self.washed_s, self.wall_mode)
        self._events.add(self.now_ms, "build_started", 1 - self.set_above, *(self._build.plan + game))

    def side_is_out(self) -> None:
        """A side has gone out, and part of the walls goes on by another plan; or it is back with its switches."""
        if self._build.partial:
            self._tell_started()
        elif self.state == codes.IDLE:
            self.come_to_rest()

    def _open_lid(self) -> None:
        # What people push in now is not washed: the wash begins anew.
        self._is_cut = self.wash.stop(self.now_ms)
        self.lid.go(self.now_ms, self.lid.first)

    def _raise_lifts(self) -> None:
        self._lifts_moving = SIDES - (self._build.out < SIDES)
        for lift in self.lifts:
            if self.state == codes.LIFTING and lift.side != self._build.out:
                lift.stop(self.now_ms)
                lift.go(self.now_ms, lift.first)

    def _lower_lifts(self) -> None:
        self._lifts_moving = SIDES - (self._build.out < SIDES)
        for lift in self.lifts:
            if self.state == codes.LOWERING and lift.side != self._build.out:
                lift.go(self.now_ms, lift.second)

    def _hand_over(self) -> None:
        self.hand_over()
        if self.sorting is not None:
            self.drawn = self.sorting.drawn
        self._build.carriers_emptied()
        self._events.add(self.now_ms, "walls_up", self.set_above, self.deal)

    def _ask_to_lower(self) -> None:
        if self.dice[0]:
            self._panel.dice(self.dice, "LOW?")

    def _shuffle(self) -> None:
        self._builds_whole = False
        self._wash()

    def _wash(self) -> None:
        self.steps.add(self._begin_wash, self._wash_s())

    def _begin_wash(self, wash_s: int) -> None:
        if self.state == codes.SHUFFLING and not self.wash.start(self.now_ms, wash_s):
            self.due = self.now_ms + 1

    def _wash_s(self) -> int:
        """Return how long to wash the set in the drum: 0 when it is not built, or partly is, or for a drawn wall."""
        is_drawn = self.sorting is not None and self.sorting.is_next()
        if self._build.partial or is_drawn or not self._build.can_build(self.next_plan()):
            return 0
        return self._build.settings[WASH] if self.plan_wash_s == codes.AS_SET else self.plan_wash_s

    def side_done(self, now_ms: int, side: int, stacks: int, after_ms: int) -> None:
        self._events.add(now_ms, "side_done", side, stacks, after_ms)

    def built(self, now_ms: int, duration_ms: int) -> None:
        self.whole, self.dropped = True, False
        self.builds += 1
        self.steps.add(self._tell_built, now_ms, duration_ms)
        self.steps.add(self.trigger, "built")

    def _tell_built(self, now_ms: int, duration_ms: int) -> None:
        self._events.add(now_ms, "build_done", 1 - self.set_above, *self._build.stacks(), duration_ms, self.washed_s)

    def ended(self, how: str) -> None:
        self.steps.add(self._build.break_off, self.now_ms)
        self.steps.add(self.trigger, how)

    def washed(self) -> None:
        self.trigger("mixed")

    def checked(self) -> None:
        self.note_change()
        self.steps.add(self.trigger, "checked")

    def arrived(self, travel: Travel) -> None:
        """The lid is where it should be, or a lift; with the last lift the cycle goes on."""
        if travel is self.lid:
            self._lid_arrived()
            return
        self._lifts_moving -= 1
        if self._lifts_moving == 0:
            up = "lifts_up" if self.whole else "lifts_back"
            self.trigger("lifts_down" if self.state == codes.LOWERING else up)

    def _lid_arrived(self) -> None:
        if self.state == codes.LID_OPENING:
            self.dropped = True
            self._build.search.note_lid(self.whole)
            self.trigger("lid_opened")
        elif self.whole:
            self.trigger("lid_closed_whole")
        elif self._is_cut:
            self.trigger("lid_closed_unwashed")
        else:
            self.trigger("lid_closed_partial" if self._build.partial else "lid_closed_empty")

    def _give_up_check(self) -> None:
        """Tell of a check for tiles left over that can be made no more: where the lid or a lift was moved, tiles may
        have been pushed in, or walls drawn."""
        if self._build.unchecked and not resting.is_shut(self._steady):
            self._build.give_up_check()
            self.note_change()
            self.notice(codes.DRUM_UNCHECKED, NO_SIDE, 0)

    def _find_contradictions(self) -> None:
        fault, side = resting.contradiction(self._steady)
        if fault != codes.NO_FAULT:
            self.fail(fault, side, 0, 0)


_ACTIONS = {
    "start_build": Cycle._start_build,
    "build_whole": lambda self: self._go_for_walls(False),
    "hold": Cycle.go_on_unless_held,
    "pause_build": lambda self: self._build.pause(self.now_ms),
    "check": lambda self: self._build.happens("check", self.now_ms),
    "open_lid": Cycle._open_lid,
    "close_lid": lambda self: self.lid.go(self.now_ms, self.lid.second),
    "raise_lifts": Cycle._raise_lifts,
    "lower_lifts": Cycle._lower_lifts,
    "hand_over": Cycle._hand_over,
    "ask_to_lower": Cycle._ask_to_lower,
    "shuffle": Cycle._shuffle,
    "wash": Cycle._wash,
    "hurry": Cycle._hurry,
}
