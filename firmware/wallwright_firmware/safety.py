"""What may move when, and for how long, as tables: interlocks, end switches, run-time limits, the drives of each state.

- A drive goes on only through `Outputs.on`, which asks the interlock table first.
- Everything stops, with a fault, when an interlock breaks, when a drive is on for longer than its limit or past its end
  switch, and when one is on that has nothing to do in the state of the cycle.
- A raw level with which a drive may not be on holds that drive back at once, until it is known whether the level stays.
  So nothing waits for an input to settle: neither the emergency stop, nor a head that has come home.
- All this rests on what is on, whoever has switched it on and whatever they remember of it.
- A drive that waits for its start (`starts`) is not on: its run-time limit counts from then.
- The safe value of every drive is off.
"""

from wallwright_protocol import codes
from wallwright_protocol.codes import INTERLOCK, MOST_WASH_S, NO_SIDE, RUN_LIMIT
from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    DISC,
    DRIVES,
    DRIVES_PER_SIDE,
    EMERGENCY_STOP,
    FIRST_SIDE_DRIVE,
    HEAD,
    HEAD_HOME,
    LID_CLOSE,
    LID_IS_CLOSED,
    LID_IS_OPEN,
    LID_OPEN,
    LIFT_DOWN,
    LIFT_LOWER,
    LIFT_RAISE,
    LIFT_UP,
    RING,
    SIDES,
    drive_bit,
    input_number,
)
from wallwright_protocol.link import NEVER

from .hal import Hal
from .starts import NUMBER_OF_DRIVE, TURN_BOTH_WAYS, Starts, opposite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BUILD_LIMIT_MS = 80000
"""A healthy table builds a full set in 18 to 35 s; beyond 80 s something is wrong."""

SORT_LIMIT_MS = 480000
"""A prescribed wall that is not whole after eight minutes is given up: people play in less."""

LIMITS_MS = (
    ("disc", MOST_WASH_S * 1000 + 10000),
    ("ring", BUILD_LIMIT_MS + 5000),
    ("conveyor", BUILD_LIMIT_MS + 5000),
    ("conveyor_reverse", 5000),
    ("head", 2000),
    ("lift_raise", 5000),
    ("lift_lower", 5000),
    ("lid_open", 4000),
    ("lid_close", 4000),
)
"""Longest time that each kind of drive may be on, in the order of their numbers: twice or more of what it needs; the
disc just outlasts the longest wash, and a build is ended by the ring."""
PAST_END_MS = 500
"""A drive may be on for so long after it has reached its end. Lifts and lid press against their stops for 300 ms."""


def _limits() -> list[int]:
    limits = [limit_ms for _, limit_ms in LIMITS_MS]
    behind = FIRST_SIDE_DRIVE + DRIVES_PER_SIDE
    return limits[:FIRST_SIDE_DRIVE] + limits[FIRST_SIDE_DRIVE:behind] * SIDES + limits[behind:]


def interlocks() -> "Iterator[tuple[int, int, int]]":
    """Yield rows (drive bit, input number, level): the drive may be on only while the input has the level.

    A board takes what it needs of them into two small tables, and need not keep the rows.
    """
    yield DISC, LID_IS_CLOSED, 1
    yield RING, LID_IS_CLOSED, 1
    for side in range(SIDES):
        for kind in (LIFT_RAISE, LIFT_LOWER):
            yield drive_bit(side, kind), LID_IS_CLOSED, 1
            yield drive_bit(side, kind), input_number(side, HEAD_HOME), 1
        yield drive_bit(side, HEAD), input_number(side, LIFT_DOWN), 1
        yield LID_OPEN, input_number(side, LIFT_DOWN), 1
        yield LID_CLOSE, input_number(side, LIFT_DOWN), 1
        yield drive_bit(side, CONVEYOR), LID_IS_CLOSED, 1
    for number in range(DRIVES):
        yield 1 << number, EMERGENCY_STOP, 0


NONE = 255
"""No drive, no input."""

DRIVE_OF_END = {LID_IS_OPEN: DRIVES - 2, LID_IS_CLOSED: DRIVES - 1}
for _side in range(SIDES):
    DRIVE_OF_END[input_number(_side, LIFT_UP)] = FIRST_SIDE_DRIVE + _side * DRIVES_PER_SIDE + LIFT_RAISE
    DRIVE_OF_END[input_number(_side, LIFT_DOWN)] = FIRST_SIDE_DRIVE + _side * DRIVES_PER_SIDE + LIFT_LOWER
END_OF_DRIVE = {drive: number for number, drive in DRIVE_OF_END.items()}
"""Number of a drive that has no way left while its end switch is reached -> the input of that switch."""
for _side in range(SIDES):
    DRIVE_OF_END[input_number(_side, HEAD_HOME)] = FIRST_SIDE_DRIVE + _side * DRIVES_PER_SIDE + HEAD
"""Input number -> number of the drive that has to stop when the input becomes 1; a head goes round and comes back."""

_FIRST = sum([drive_bit(side, 0) for side in range(SIDES)])
_BELTS = _FIRST << CONVEYOR | _FIRST << CONVEYOR_REVERSE
_LIFTS = _FIRST << LIFT_RAISE | _FIRST << LIFT_LOWER
_LID = LID_OPEN | LID_CLOSE
_BUILD = DISC | RING | _BELTS | _FIRST << HEAD

DRIVES_OF_STATE = {
    codes.BUILDING: _BUILD,
    codes.PAUSING: _BUILD,
    codes.READY: DISC | RING | _BELTS,
    codes.CHECKING: DISC | RING | _BELTS,
    codes.LID_OPENING: _LID,
    codes.LID_CLOSING: _LID,
    codes.LIFTING: _LIFTS,
    codes.LOWERING: _LIFTS,
    codes.SHUFFLING: DISC,
    codes.SERVICE: (1 << DRIVES) - 1,
}
"""State of the cycle -> the drives that have something to do in it; in the states that are not here none has."""

LEVEL = 64
"""Number of an input plus this: the input at level 1."""


def _held_by() -> "dict[int, int]":
    rows: "dict[int, int]" = {}
    for bit, number, level in interlocks():
        key = number if level else number + LEVEL
        rows[key] = rows.get(key, 0) | bit
    for side in range(SIDES):
        rows[input_number(side, HEAD_HOME) + LEVEL] = drive_bit(side, HEAD)
    return rows


HELD_BY = _held_by()
"""Input, plus LEVEL for its level 1 -> the drives that are held back from the first sample of it on."""


def side_of(drive: int) -> int:
    """Return the side of drive number `drive`, or NO_SIDE."""
    if 2 <= drive < 2 + SIDES * DRIVES_PER_SIDE:
        return (drive - 2) // DRIVES_PER_SIDE
    return NO_SIDE


def _nobody(*_: int) -> None:
    """Nobody is told."""


class Outputs:
    """The drives; `mask` is what is to be on, `sent` what the board has on, `steady` the debounced inputs that
    interlocks look at.

    `been_on` are those that have been on since somebody took it.

    `trip(fault, side)` is called, with everything already off, when an interlock or a limit is broken.
    """

    def __init__(self, hal: Hal, steady: bytearray, trip: "Callable[[int, int], None]", settings: "list[int]") -> None:
        self.mask = self.sent = self.been_on = 0
        self.due = NEVER
        self._hal = hal
        self._steady = steady
        self._trip = trip
        self._limits = _limits()
        self._off_at = [NEVER] * DRIVES
        self._past_at = [NEVER] * DRIVES
        self._held = self._waiting = self._ended = self._out = 0
        self._starts = Starts(settings, self._put_off)
        self._told: "Callable[[int, int], None]" = _nobody
        self._held_by_input: dict[int, int] = {}
        self._needed: dict[int, int] = {}
        order = bytearray()
        for bit, number, level in interlocks():
            needed = number + LEVEL if level else number
            if needed not in self._needed:
                order.append(needed)
            self._needed[needed] = self._needed.get(needed, 0) | bit
        self._order = bytes(order)
        self._drives = tuple([self._needed[needed] for needed in self._order])
        hal.drive(0)

    def tell(self, put_off: "Callable[[int, int], None]") -> None:
        """Tell `put_off(drive, by_ms)` that a drive which was switched on begins so much later."""
        self._told = put_off

    def turn_at_once(self, bits: int) -> None:
        """Let these drives turn their motors round without a stand."""
        self._starts.turn_at_once(bits)

    def on(self, bit: int, now_ms: int) -> bool:
        """Switch one drive on; False, and a fault, when its interlock forbids it."""
        if self.mask & bit:
            return True
        if self.forbidden_by(bit) or bit & self._out or self.mask & opposite(bit):
            self._stop(INTERLOCK, bit)
            return False
        self.mask |= bit
        self.been_on |= bit
        self._waiting &= ~bit
        drive = NUMBER_OF_DRIVE[bit]
        off_at = now_ms + self._limits[drive]
        self._off_at[drive] = off_at
        self._past_at[drive] = NEVER
        end = END_OF_DRIVE.get(drive, NONE)
        if end != NONE and self._steady[end]:
            off_at = self._past_at[drive] = now_ms + PAST_END_MS
        if off_at < self.due:
            self.due = off_at
        return True

    def forbidden_by(self, bit: int, steady: "bytearray | None" = None) -> "tuple[int, int] | None":
        """Return the input, and the level of it that is missing, by which an interlock forbids a drive now, or None;
        or with inputs that are `steady` so."""
        drives = self._drives
        steady = steady or self._steady
        for at in range(len(drives)):
            if drives[at] & bit:
                needed = self._order[at]
                if steady[needed % LEVEL] != needed // LEVEL:
                    return needed % LEVEL, needed // LEVEL
        return None

    def leave_out(self, side: int) -> None:
        """No drive of this side goes on any more; SIDES: no side is out."""
        self._out = drive_bit(side, 0) * ((1 << DRIVES_PER_SIDE) - 1) if side < SIDES else 0

    def limit_ms(self, drive: int) -> int:
        """Return how long drive number `drive` may be on."""
        return self._limits[drive]

    def prolong(self, bits: int, now_ms: int) -> None:
        """Let drives that are on run for their longest time from now: while tiles are sorted, which SORT_LIMIT_MS
        ends."""
        for drive in range(DRIVES):
            if self.mask & bits & 1 << drive:
                self._off_at[drive] = now_ms + self._limits[drive]

    def off(self, bits: int) -> None:
        """Switch drives off."""
        self.mask &= ~bits

    def take_been_on(self) -> int:
        """Return the drives that have been on since the last call."""
        been_on = self.been_on
        self.been_on = self.mask
        return been_on

    def all_off(self) -> None:
        """Switch every drive off at once, before anything else happens."""
        self.mask = self._waiting = 0
        self.rest()

    def input_changed(self, now_ms: int, number: int, level: int) -> None:
        """Stop everything when a drive that is on needs this input at another level; end soon what is at its end."""
        drive = DRIVE_OF_END.get(number, NONE)
        if drive != NONE:
            past_at = now_ms + PAST_END_MS if level and self.mask >> drive & 1 else NEVER
            self._past_at[drive] = past_at
            if past_at < self.due:
                self.due = past_at
        stray = self.mask & self._needed.get(number if level else number + LEVEL, 0)
        if stray:
            self._stop(INTERLOCK, stray & -stray)

    def poll(self, now_ms: int) -> None:
        """Stop everything when a drive has been on for longer than its limit, or for too long past its end; start what
        has waited for that."""
        self._note_ended(now_ms)
        due = NEVER
        for drive in range(DRIVES):
            if self.mask >> drive & 1:
                off_at = min(self._off_at[drive], self._past_at[drive])
                if off_at <= now_ms:
                    self._stop(RUN_LIMIT, 1 << drive)
                    due = NEVER
                    break
                if off_at < due:
                    due = off_at
        self.due = due
        if self._waiting:
            if now_ms >= self._starts.next_ms:
                self._switch((self.sent | self._waiting) & self.mask & ~self._held, now_ms)
            self._wake_for_starts()

    def check_state(self, state: int) -> None:
        """Stop everything when a drive is on that has nothing to do in this state of the cycle."""
        stray = self.mask & ~DRIVES_OF_STATE.get(state, 0)
        if stray:
            self._stop(INTERLOCK, stray & -stray)

    def rest(self) -> None:
        """Switch everything off until the next flush, which switches on again what is to be on."""
        if self.sent:
            self._cut(0)

    def differ(self) -> bool:
        """Say whether `flush` would switch anything."""
        return self.mask & ~self._held & ~self._waiting != self.sent

    def flush(self, now_ms: int) -> None:
        """Hand the mask to the board when it has changed, without what is held back or waits for its start."""
        mask = self.mask & ~self._held
        if mask != self.sent:
            self._note_ended(now_ms)
            self._switch(mask, now_ms)
            self._wake_for_starts()

    def drop(self) -> None:
        """Hand to the board what has been switched off, and nothing that has been switched on."""
        kept = self.sent & self.mask
        if kept != self.sent:
            self._cut(kept)

    def hold_back(self, number: int, level: int) -> None:
        """An input has another raw level: switch off at once what may not be on with it. `let_go` ends that."""
        bits = HELD_BY.get(number + LEVEL if level else number, 0)
        if bits:
            self._held_by_input[number] = bits
            self._held |= bits
            if self.sent & bits:
                self._cut(self.sent & self.mask & ~self._held)

    def let_go(self, number: int) -> None:
        """An input has become steady, and whoever goes by it acts on that now."""
        if self._held_by_input.pop(number, 0):
            held = 0
            for bits in self._held_by_input.values():
                held |= bits
            self._held = held

    def _stop(self, fault: int, bit: int) -> None:
        self.all_off()
        self._trip(fault, side_of(NUMBER_OF_DRIVE[bit]))

    def _cut(self, kept: int) -> None:
        """Switch all but these off at once; the next poll notes when."""
        ended = self.sent & ~kept & TURN_BOTH_WAYS
        if ended:
            self._ended |= ended
            self.due = 0
        self.sent = kept
        self._hal.drive(kept)

    def _note_ended(self, now_ms: int) -> None:
        if self._ended:
            self._starts.end(self._ended, now_ms)
            self._ended = 0

    def _switch(self, mask: int, now_ms: int) -> None:
        """Have these on, but for those that have to wait."""
        on = self.sent & mask
        if on != self.sent:
            self._starts.end(self.sent & ~on & TURN_BOTH_WAYS, now_ms)
        bits = mask & ~on
        if bits:
            started = self._starts.begin(bits, on, self._waiting, now_ms)
            self._waiting = bits & ~started
            on |= started
        else:
            self._waiting = 0
        if on != self.sent:
            self.sent = on
            self._hal.drive(on)

    def _wake_for_starts(self) -> None:
        if self._waiting and self._starts.next_ms < self.due:
            self.due = self._starts.next_ms

    def _put_off(self, drive: int, by_ms: int) -> None:
        self._off_at[drive] += by_ms
        if self._past_at[drive] is not NEVER:
            self._past_at[drive] += by_ms
        self._told(drive, by_ms)
