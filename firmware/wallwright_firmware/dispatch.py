"""Tells each changed input to the part that it belongs to: a lane, a lift, the lid, a key, the emergency stop."""

from wallwright_protocol.codes import NO_SIDE, SERVICE
from wallwright_protocol.hardware import (
    BELT_FULL,
    CLAIM_KEY_0,
    COUNT_EYE,
    DISC_VANE,
    DRIVES_PER_SIDE,
    EMERGENCY_STOP,
    FIRST_SIDE_DRIVE,
    HEAD_HOME,
    HEAD_PUSHED,
    INPUTS_PER_SIDE,
    LIFT_DOWN,
    LIFT_RAISE,
    LIFT_UP,
    SIDES,
)

from .drivers.inputs import EDGES
from .safety import side_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .build import Build
    from .cycle import Cycle
    from .drivers.inputs import Inputs
    from .drivers.keys import Keys
    from .events import EventRing
    from .presses import Presses
    from .safety import Outputs
    from .seal import Walls
    from .watch import Watch

_OF_SIDES = SIDES * INPUTS_PER_SIDE
_LIFT_SWITCHES = (LIFT_UP, LIFT_DOWN)
_COUNTING = (COUNT_EYE, HEAD_PUSHED)


class Dispatch:
    """It keeps nothing."""

    def __init__(
        self,
        inputs: "Inputs",
        outputs: "Outputs",
        build: "Build",
        cycle: "Cycle",
        keys: "Keys",
        presses: "Presses",
        walls: "Walls",
        events: "EventRing",
        watch: "Watch",
    ) -> None:
        self._inputs = inputs
        self._outputs = outputs
        self._build = build
        self._cycle = cycle
        self._keys = keys
        self._presses = presses
        self._walls = walls
        self._events = events
        self._watch = watch
        self._stop_changed: "Callable[[int], None]" = lambda _: None

    def tell_stop(self, stop_changed: "Callable[[int], None]") -> None:
        """Tell `stop_changed(level)` whenever the emergency stop is pressed or released."""
        self._stop_changed = stop_changed

    def input_changed(self, number: int, level: int, at_ms: int) -> None:
        """Input `number` has become steady at `level`, by an edge at `at_ms`."""
        cycle = self._cycle
        self._watch.changed(number, level, at_ms)
        if level and cycle.state == SERVICE and cycle.service.input_rose(number):
            cycle.note_change()
        if number < _OF_SIDES:
            self._side_changed(number // INPUTS_PER_SIDE, number, level, at_ms)
        elif number >= CLAIM_KEY_0:
            if level:
                self._keys.pressed(number, cycle.now_ms)
                # When it was pressed: a key on the line is told of later than one that was pressed after it elsewhere.
                self._events.add(self._inputs.since(number), "claim", number - CLAIM_KEY_0)
        elif number >= DISC_VANE:
            self._watch.moved(number, cycle.now_ms)
            if level:
                self._build.vane(number - DISC_VANE, cycle.now_ms)
        else:
            # First the cycle, so that an emergency stop is named as such and not as the interlock that it is as well.
            cycle.input_changed(number, level)
            if number == EMERGENCY_STOP:
                self._stop_changed(level)
            self._outputs.input_changed(cycle.now_ms, number, level)

    def put_off(self, drive: int, by_ms: int) -> None:
        """A drive that was switched on begins so much later, and what counts from then with it."""
        cycle = self._cycle
        side = side_of(drive)
        if cycle.state == SERVICE:
            cycle.service.put_off(by_ms)
        elif side != NO_SIDE:
            kind = (drive - FIRST_SIDE_DRIVE) % DRIVES_PER_SIDE
            if kind < LIFT_RAISE:
                self._build.lanes[side].put_off(kind, by_ms)
            else:
                cycle.lifts[side].put_off(by_ms)
        elif drive < FIRST_SIDE_DRIVE:
            self._build.drum.rotors[drive].put_off(by_ms)
        else:
            cycle.lid.put_off(by_ms)

    def _side_changed(self, side: int, number: int, level: int, at_ms: int) -> None:
        cycle = self._cycle
        now_ms = cycle.now_ms
        kind = number % INPUTS_PER_SIDE
        lane = self._build.lanes[side]
        if kind in _LIFT_SWITCHES:
            # First the cycle here too: a switch that opens below a lift at rest is at fault, whatever it interlocks.
            cycle.lift_switch(side, number, level)
        self._outputs.input_changed(now_ms, number, level)
        if kind in _COUNTING and lane.at_rest:
            # A tile or a stroke that coasts after a stop changes the counts that were stored with it.
            cycle.note_change()
        if kind == COUNT_EYE:
            lane.count_eye(level, now_ms, at_ms)
            self._walls_see(side)
        elif kind == HEAD_HOME:
            self._watch.moved(number, now_ms)
            if level:
                # In a poll of its own, as it may end a build. The motor is off, and nothing goes on before that.
                cycle.steps.add(lane.head_home, level, now_ms, at_ms)
            else:
                lane.head_home(level, now_ms, at_ms)
        elif kind == HEAD_PUSHED:
            self._watch.moved(number, now_ms)
            lane.head_pushed(level, now_ms, at_ms)
            self._walls_see(side)
        elif kind == BELT_FULL:
            lane.belt_full(level, now_ms)
        elif level and kind not in _LIFT_SWITCHES:
            self._presses.key(side, kind)

    def _walls_see(self, side: int) -> None:
        if self._walls.fitted:
            inputs = self._inputs
            self._walls.lane_changed(self._cycle.now_ms, side, inputs.edge_times[inputs.newest_edge % EDGES])
