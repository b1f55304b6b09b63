"""What may move when, and for how long: interlocks and run-time limits as tables.

- A drive goes on only through `Outputs.on`, which asks the interlock table first.
- An interlock that breaks, or a drive that is on for longer than its limit, stops everything and raises a fault.
- The safe value of every drive is off.
"""

from wallwright_protocol.codes import INTERLOCK, NO_SIDE, RUN_LIMIT
from wallwright_protocol.link import NEVER

from .hal import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    DISC,
    DRIVES,
    DRIVES_PER_SIDE,
    EMERGENCY_STOP,
    HEAD,
    HEAD_HOME,
    LID_CLOSE,
    LID_IS_CLOSED,
    LID_OPEN,
    LIFT_DOWN,
    LIFT_LOWER,
    LIFT_RAISE,
    RING,
    SIDES,
    Hal,
    drive_bit,
    input_number,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

BUILD_LIMIT_MS = 80000
"""A healthy table builds a full set in 18 to 35 s; beyond 80 s something is wrong."""

LIMITS_MS = (
    ("disc", 120000),
    ("ring", BUILD_LIMIT_MS + 5000),
    ("conveyor", BUILD_LIMIT_MS + 5000),
    ("conveyor_reverse", 5000),
    ("head", 2000),
    ("lift_raise", 5000),
    ("lift_lower", 5000),
    ("lid_open", 4000),
    ("lid_close", 4000),
)
"""Longest time that each kind of drive may be on: twice or more of what it needs."""


def _limits() -> list[int]:
    limit = dict(LIMITS_MS)
    side = [limit[kind] for kind in ("conveyor", "conveyor_reverse", "head", "lift_raise", "lift_lower")]
    return [limit["disc"], limit["ring"]] + side * SIDES + [limit["lid_open"], limit["lid_close"]]


def _interlocks() -> list[tuple[int, int, int]]:
    rows = [(DISC, LID_IS_CLOSED, 1), (RING, LID_IS_CLOSED, 1)]
    for side in range(SIDES):
        for kind in (LIFT_RAISE, LIFT_LOWER):
            rows.append((drive_bit(side, kind), LID_IS_CLOSED, 1))
            rows.append((drive_bit(side, kind), input_number(side, HEAD_HOME), 1))
        rows.append((drive_bit(side, HEAD), input_number(side, LIFT_DOWN), 1))
        rows.append((LID_OPEN, input_number(side, LIFT_DOWN), 1))
        rows.append((LID_CLOSE, input_number(side, LIFT_DOWN), 1))
        rows.append((drive_bit(side, CONVEYOR), LID_IS_CLOSED, 1))
    for number in range(DRIVES):
        rows.append((1 << number, EMERGENCY_STOP, 0))
    return rows


INTERLOCKS = _interlocks()
"""Rows (drive bit, input number, level): the drive may be on only while the input has the level."""

NUMBER_OF_DRIVE = {1 << number: number for number in range(DRIVES)}

OPPOSITES = [(LID_OPEN, LID_CLOSE)]
for _side in range(SIDES):
    OPPOSITES.append((drive_bit(_side, LIFT_RAISE), drive_bit(_side, LIFT_LOWER)))
    OPPOSITES.append((drive_bit(_side, CONVEYOR), drive_bit(_side, CONVEYOR_REVERSE)))


def side_of(drive: int) -> int:
    """Return the side of drive number `drive`, or NO_SIDE."""
    if 2 <= drive < 2 + SIDES * DRIVES_PER_SIDE:
        return (drive - 2) // DRIVES_PER_SIDE
    return NO_SIDE


class Outputs:
    """The drives; `mask` is what is on, `steady` the debounced inputs that interlocks look at.

    `trip(fault, side)` is called, with everything already off, when an interlock or a limit is broken.
    """

    def __init__(self, hal: Hal, steady: bytearray, trip: "Callable[[int, int], None]") -> None:
        self.mask = 0
        self.due = NEVER
        self._hal = hal
        self._steady = steady
        self._trip = trip
        self._limits = _limits()
        self._off_at = [NEVER] * DRIVES
        self._sent = 0
        self._rows_of_drive: dict[int, list[tuple[int, int]]] = {}
        self._rows_of_input: dict[int, list[tuple[int, int]]] = {}
        self._opposite: dict[int, int] = {}
        for bit, number, level in INTERLOCKS:
            self._rows_of_drive.setdefault(bit, []).append((number, level))
            self._rows_of_input.setdefault(number, []).append((bit, level))
        for one, other in OPPOSITES:
            self._opposite[one] = other
            self._opposite[other] = one
        hal.drive(0)

    def on(self, bit: int, now_ms: int) -> bool:
        """Switch one drive on; False, and a fault, when its interlock forbids it."""
        if self.mask & bit:
            return True
        if self.forbidden_by(bit) or self.mask & self._opposite.get(bit, 0):
            self._stop(INTERLOCK, bit)
            return False
        self.mask |= bit
        drive = NUMBER_OF_DRIVE[bit]
        off_at = now_ms + self._limits[drive]
        self._off_at[drive] = off_at
        if off_at < self.due:
            self.due = off_at
        return True

    def forbidden_by(self, bit: int) -> "tuple[int, int] | None":
        """Return the input, and the level of it that is missing, by which an interlock forbids a drive now, or None."""
        for row in self._rows_of_drive.get(bit, ()):
            if self._steady[row[0]] != row[1]:
                return row
        return None

    def limit_ms(self, drive: int) -> int:
        """Return how long drive number `drive` may be on."""
        return self._limits[drive]

    def off(self, bits: int) -> None:
        """Switch drives off."""
        self.mask &= ~bits

    def all_off(self) -> None:
        """Switch every drive off at once, before anything else happens."""
        self.mask = 0
        self.flush()

    def input_changed(self, number: int, level: int) -> None:
        """Stop everything when a drive that is on needs this input at another level."""
        for bit, needed in self._rows_of_input.get(number, ()):
            if level != needed and self.mask & bit:
                self._stop(INTERLOCK, bit)
                return

    def poll(self, now_ms: int) -> None:
        """Stop everything when a drive has been on for longer than its limit."""
        due = NEVER
        for drive in range(DRIVES):
            if self.mask >> drive & 1:
                off_at = self._off_at[drive]
                if off_at <= now_ms:
                    self._stop(RUN_LIMIT, 1 << drive)
                    due = NEVER
                    break
                if off_at < due:
                    due = off_at
        self.due = due

    def rest(self) -> None:
        """Switch everything off until the next flush, which switches on again what is to be on."""
        if self._sent:
            self._sent = 0
            self._hal.drive(0)

    def flush(self) -> None:
        """Hand the mask to the board when it has changed."""
        if self.mask != self._sent:
            self._sent = self.mask
            self._hal.drive(self.mask)

    def _stop(self, fault: int, bit: int) -> None:
        self.all_off()
        self._trip(fault, side_of(NUMBER_OF_DRIVE[bit]))
