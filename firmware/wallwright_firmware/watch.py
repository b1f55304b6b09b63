"""A comparison of the terminals with what was commanded: a drive that runs by itself, and one that does not come.

**What happens there.** A relay welds, a transistor fails closed, a bit of an output register flips: the drive has
voltage, whatever the program has switched. Or a relay does not close, a fuse has blown, START was not pressed after a
stop: it has none. The board senses the voltage behind the switch of each output, 5 to 10 ms late; a relay needs 10 ms
to release (estimate).

**Why it judges as it does.** A sample counts for outputs that are as they were at the look before, so that what was
just switched has its time. Voltage that nobody has commanded for RUNS_MS is `drive_runs`: all is switched off, and what
has voltage CUT_MS later is beyond the program, which ends the edges that keep the motors' supply alive. Whoever clears
the fault lets it be kept alive again, and START has to be pressed. One that was commanded and has no voltage for
DEAD_MS is `drive_dead`; when none of those that were has any, the motors have no supply.

A board that does not sense has vanes: of disc, ring and heads. One that moves although its motor has been off for a
while tells the same. Its belts, and a lift or the lid that is driven against its own stop, it cannot see.

Where the lid has a second switch (INTERLOCKED), its contactor cuts what runs below the lid and reports on GUARD_WIRE.
LID_MS after the lid has moved they are compared: an open lid whose contactor is on is `lid_switches`, and so is a
closed one whose contactor is off while lifts have voltage: without supply it is off, too.

Two inputs of one plug whose edges have come in the same ms, the same way, TOGETHER times in a row touch each other. By
chance two that change five times a second each would do so once in some 10^14 changes (calculated).
"""

from wallwright_protocol import codes
from wallwright_protocol.codes import (
    DRIVE_DEAD,
    DRIVE_RUNS,
    FAULT,
    INPUT_STUCK,
    LID_SWITCHES,
    NO_SUPPLY,
    OUTPUT_FLIPPED,
    SERVICE,
)
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import (
    DISC,
    DISC_VANE,
    EMERGENCY_STOP,
    GUARD_WIRE,
    HEAD,
    HEAD_HOME,
    HEAD_PUSHED,
    INPUTS_PER_SIDE,
    INTERLOCKED,
    LID_CLOSE,
    LID_IS_CLOSED,
    LID_OPEN,
    LIFT_LOWER,
    LIFT_RAISE,
    RING,
    RING_VANE,
    SIDES,
    drive_bit,
)
from wallwright_protocol.link import NEVER

from .safety import side_of
from .starts import NUMBER_OF_DRIVE
from .wiring import ALL_DRIVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .counters import Counters
    from .cycle import Cycle
    from .drivers.inputs import Inputs
    from .drivers.panel import Panel
    from .events import EventRing
    from .hal import Hal
    from .safety import Outputs
    from .wiring import Wiring

LOOK_MS = const(5)
"""While a difference is looked into, the samples are so far apart."""
RUNS_MS = const(20)
CUT_MS = const(50)
DEAD_MS = const(50)
COAST_MS = const(1000)
"""A motor that was switched off may turn on for so long, and up to twice that."""
HOUR_MS = const(3600000)
TOGETHER = const(6)
LID_MS = const(500)
FREE = LID_OPEN | LID_CLOSE | sum([drive_bit(s, kind) for s in range(SIDES) for kind in (LIFT_RAISE, LIFT_LOWER)])
"""Drives that the lid's interlock does not cut."""

NONE = const(255)
"""No drive, no input, no output."""


def mover_of(number: int) -> int:
    """Return the bit of the drive that alone moves the vane of an input, 0 for inputs that are no vanes."""
    if number >= SIDES * INPUTS_PER_SIDE:
        return DISC if number == DISC_VANE else RING if number == RING_VANE else 0
    kind = number % INPUTS_PER_SIDE
    return drive_bit(number // INPUTS_PER_SIDE, HEAD) if kind in (HEAD_HOME, HEAD_PUSHED) else 0


def _may_touch(one: int, other: int) -> bool:
    """Say whether two inputs are of the same plug, or neighbours of the chain."""
    if one == other or other == NONE:
        return False
    return one // INPUTS_PER_SIDE == other // INPUTS_PER_SIDE or one - other in (1, -1)


class Watch:
    """The judge. `hal` is the board, by its wires; `wiring` says what they are and what was sent to them."""

    def __init__(
        self,
        hal: "Hal",
        wiring: "Wiring",
        outputs: "Outputs",
        inputs: "Inputs",
        cycle: "Cycle",
        panel: "Panel",
        events: "EventRing",
        counters: "Counters",
    ) -> None:
        self._hal = hal
        self._wiring = wiring
        self._outputs = outputs
        self._inputs = inputs
        self._cycle = cycle
        self._panel = panel
        self._events = events
        self._counters = counters
        self._was = self._stray = self._missing = self._told = 0
        self._coasting = ALL_DRIVES  # by what had moved before a start
        self._seen_ms = self._supplied_ms = -1
        self._looked_ms = self._stray_ms = self._missing_ms = self._cut_at = 0
        self._forget_at = 2 * COAST_MS
        self._flipped = self._flipped_before = 0
        self._hour_at = 0
        self._is_cut = self._differs = False
        self._last = self._one = self._other = NONE
        self._last_ms = self._together = 0
        self._lid_at = LID_MS if wiring.parts & INTERLOCKED else NEVER

    @property
    def due(self) -> int:
        """When there is something to look at."""
        hal = self._hal
        sensed = hal.sensed
        if hal.flips:
            return 0
        if sensed < 0:
            return min(self._forget_at, self._lid_at)
        sent = self._wiring.sent
        if (sensed != sent and (sensed or sent > 0)) or self._differs:
            return self._looked_ms + (CUT_MS if self._is_cut else LOOK_MS)
        if self._is_cut and self._cycle.state != FAULT:
            return 0
        return self._lid_at

    def poll(self, now_ms: int) -> None:
        """Look at the newest sample."""
        hal = self._hal
        self._looked_ms = now_ms
        if hal.flips:
            self._tell_flips(now_ms, hal.take_flips())
        if now_ms >= self._lid_at:
            self._compare_lid(now_ms)
        if hal.sensed < 0:
            if now_ms >= self._forget_at:
                self._coasting = self._outputs.take_been_on()
                self._forget_at = now_ms + COAST_MS if self._coasting else NEVER
            return
        if self._cycle.state != FAULT:
            self._told = 0
            if self._is_cut:
                self._is_cut = False
                hal.keep_supply(True)
        if hal.sensed_ms != self._seen_ms:
            self._seen_ms = hal.sensed_ms
            self._judge(self._seen_ms)

    def note_drives(self, now_ms: int) -> None:
        """Drives have gone on or off: without sensing, what coasts is to be forgotten in time."""
        if self._hal.sensed < 0 and self._forget_at is NEVER:
            self._forget_at = now_ms + COAST_MS

    def changed(self, number: int, level: int, at_ms: int) -> None:
        """An input has become steady at a level, by an edge at `at_ms`."""
        if number == LID_IS_CLOSED and self._wiring.parts & INTERLOCKED:
            self._lid_at = at_ms + LID_MS
        last = self._last
        steady = self._inputs.steady
        if at_ms == self._last_ms and _may_touch(number, last) and steady[last] == level:
            if number + last != self._one + self._other or number not in (self._one, self._other):
                self._one = number
                self._other = last
                self._together = 0
            self._together += 1
            if self._together >= TOGETHER:
                self._touch()
        elif number == self._one or number == self._other:
            partner = self._one + self._other - number
            if self._inputs.since(partner) != at_ms:
                self._one = self._other = NONE
        self._last = number
        self._last_ms = at_ms

    def moved(self, number: int, now_ms: int) -> None:
        """A vane has moved: where nothing senses, its motor has, too."""
        if self._hal.sensed >= 0:
            return
        bit = mover_of(number)
        if not bit or self._cycle.state == SERVICE or bit & (self._outputs.been_on | self._coasting):
            return
        if self._cycle.state != FAULT:
            self._told = bit
            self._cut_at = now_ms + CUT_MS
            self._tell(DRIVE_RUNS, NUMBER_OF_DRIVE[bit], number, NONE)
        elif self._told & bit and now_ms >= self._cut_at:
            self._cut()

    def _judge(self, at_ms: int) -> None:
        wiring = self._wiring
        sensed = self._hal.sensed & wiring.judged
        sent = max(wiring.sent, 0) & wiring.judged
        was = self._was
        self._was = sent
        self._differs = sensed != sent
        if sensed & sent:
            self._supplied_ms = at_ms
        stray = sensed & ~(sent | was)
        held = self._stray & stray
        if not held:
            held = stray
            self._stray_ms = at_ms
        elif at_ms - self._stray_ms >= RUNS_MS:
            self._runs(held, at_ms)
        self._stray = held
        missing = sent & was & ~sensed if wiring.connected else 0
        held = self._missing & missing
        if not held:
            held = missing
            self._missing_ms = at_ms
        elif at_ms - self._missing_ms >= DEAD_MS:
            self._lacks(held, sensed & sent)
            held = 0
        self._missing = held

    def _runs(self, wires: int, at_ms: int) -> None:
        """Outputs have voltage that nobody has commanded."""
        new = wires & ~self._told
        if new:
            if not self._told:
                self._cut_at = at_ms + CUT_MS
            self._told |= new
            self._tell_output(DRIVE_RUNS, NUMBER_OF_DRIVE[new & -new])
        elif at_ms >= self._cut_at:
            self._cut()

    def _lacks(self, wires: int, live: int) -> None:
        """Outputs were commanded and have no voltage, those in `live` have."""
        first = wires & -wires
        is_supplied = self._supplied_ms > self._inputs.since(EMERGENCY_STOP)
        is_dead = live or (wires == first and is_supplied)
        self._tell_output(DRIVE_DEAD if is_dead else NO_SUPPLY, NUMBER_OF_DRIVE[first])

    def _compare_lid(self, now_ms: int) -> None:
        """The lid has stood for a while. Switches that differ are compared again, once the fault is cleared."""
        if self._cycle.state == FAULT:
            self._lid_at = now_ms + LID_MS
            return
        wiring = self._wiring
        live = wiring.drives_of(max(self._hal.sensed, 0) & max(wiring.sent, 0)) & FREE
        is_cut = wiring.wire_level(GUARD_WIRE) != 0
        if is_cut and live if self._inputs.steady[LID_IS_CLOSED] else not is_cut:
            self._lid_at = now_ms
            self._tell(LID_SWITCHES, NONE, LID_IS_CLOSED, NONE)
        else:
            self._lid_at = NEVER

    def _touch(self) -> None:
        """Two inputs are one: whatever either is for, neither can be believed."""
        state = self._cycle.state
        if state not in (FAULT, SERVICE):
            self._tell(INPUT_STUCK, NONE, self._one, NONE)
            self._cycle.steps.add(self._evidence, INPUT_STUCK, NONE, self._other, NONE, 0)

    def _cut(self) -> None:
        """End the edges that keep the motors' supply alive: the program cannot stop what runs."""
        if not self._is_cut:
            self._is_cut = True
            self._supplied_ms = -1
            self._hal.keep_supply(False)

    def _tell_output(self, fault: int, place: int) -> None:
        self._tell(fault, self._wiring.driving(place), NONE, place)

    def _tell(self, fault: int, drive: int, number: int, place: int) -> None:
        """Stop everything and name the fault, with the evidence behind it."""
        outputs = self._outputs
        commanded = outputs.mask
        self._panel.name_drive(NONE if fault == NO_SUPPLY else drive)
        side = codes.NO_SIDE if drive == NONE or fault == NO_SUPPLY else side_of(drive)
        if fault == INPUT_STUCK and number < SIDES * INPUTS_PER_SIDE:
            side = number // INPUTS_PER_SIDE
        self._cycle.fail(fault, side, 0, 0)
        self._cycle.steps.add(self._evidence, fault, drive, number, place, commanded)

    def _evidence(self, fault: int, drive: int, number: int, place: int, commanded: int) -> None:
        sensed = self._wiring.drives_of(max(self._hal.sensed, 0))
        self._events.add(self._cycle.now_ms, "evidence", fault, drive, number, place, commanded, sensed)

    def _tell_flips(self, now_ms: int, flips: int) -> None:
        """Count outputs whose bit has flipped; tell of one that did so before, within the last hour or two."""
        if now_ms >= self._hour_at:
            if now_ms >= self._hour_at + HOUR_MS:
                self._flipped = 0
            self._flipped_before = self._flipped
            self._flipped = 0
            self._hour_at = now_ms + HOUR_MS
        again = flips & (self._flipped | self._flipped_before)
        self._flipped |= flips
        place = 0
        while flips:
            if flips & 1:
                drive = self._wiring.driving(place)
                side = codes.NO_SIDE if drive == NONE else side_of(drive)
                if again >> place & 1:
                    self._cycle.notice(OUTPUT_FLIPPED, side, 1)
                    self._evidence(OUTPUT_FLIPPED, drive, NONE, place, self._outputs.mask)
                else:
                    self._counters.trouble(OUTPUT_FLIPPED, side)
            flips >>= 1
            place += 1
