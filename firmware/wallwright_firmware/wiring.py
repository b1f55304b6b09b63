"""The wiring of one machine, as data: which wire is which input, of which sense, and which output drives what.

A board speaks of wires, the bits of its chains: 48 in and 32 out, of which the first 24 go by `drive` and the others
by `lamps`. The firmware speaks of inputs and drives. `Wiring` stands between the two, the same for all boards.

- An input that the map does not have reads 0. Those of a lane that is not there read as a lane at rest, which is in
  nobody's way.
- An output has no sense: one that runs while its wire is at 0 would run whenever nobody drives it.
- Without a record nothing is connected: no input, no drive, no lamp. So it is with one that cannot be read or that
  could do harm. Until an output is jogged the board has not even enabled its outputs.
- In the standard wiring every wire is what the hardware contract calls its number, and nothing is inverted. A table
  that has built walls without a record, as releases before this one let it, has that wiring and gets its record.
- No edge allocates anything.
- The map says which parts the carrier has (`hardware.PARTS`); without SENSED nobody sees what an output does.
- The map of a table that sorts its tiles says what sorts them. The board reads that when it starts: a map that is set
  later changes what sorts with the next start.

A record has 85 bytes, or 88 when it has a sorter:

    offset  size  what
         0     2  "WM"
         2     1  the version of this layout, 1; 2 with a sorter
         3     1  lanes that there are: that of side s is bit s; and from bit 4 on the parts of the carrier
         4    45  for each input its wire, plus 128 when it is 1 while the wire is at 0; 255: none
        49    32  for each output its wire; 255: none. Outputs 0 to 23 are the drives, 24 to 31 the lamps
        81     3  with a sorter only: what it is, such as `hardware.RING_SORTER`, its places, its lead in ms
  81 or 84     4  CRC-32 of all before it, little endian; the hash of this map
"""

import struct
from binascii import crc32

from wallwright_protocol.codes import BAD_ARGUMENT, NO_END_WIRED, NO_STOP_WIRED, OK, WIRED_TWICE
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import (
    CLAIM_KEY_0,
    DRIVES,
    EMERGENCY_STOP,
    GUARD_WIRE,
    HEAD_HOME,
    INPUTS,
    INPUTS_PER_SIDE,
    INTERLOCKED,
    LIFT_DOWN,
    LIFT_KEY,
    OUTPUTS,
    PARTS,
    READS_BACK,
    SENSED,
    SIDES,
    STANDARD_PARTS,
    WIRES,
)

from .hal import WIRING_SLOT, Hal
from .safety import DRIVE_OF_END

NONE = 255
"""No wire; of a wire, no input."""
INVERTED = 0x80
ALL_LANES = (1 << SIDES) - 1
ALL_DRIVES = (1 << DRIVES) - 1
HEAD = b"WM\x01"
FIRST_INPUT = 4
FIRST_OUTPUT = FIRST_INPUT + INPUTS
BODY_BYTES = FIRST_OUTPUT + OUTPUTS
SORTER_HEAD = b"WM\x02"
UNSORTED = b"\0\0\0"
_CRC_BYTES = const(4)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def standard(parts: int = STANDARD_PARTS) -> bytes:
    """Return the record of the standard wiring, but for its CRC, on a carrier with these parts."""
    return HEAD + bytes([ALL_LANES | parts]) + bytes(range(INPUTS)) + bytes(range(OUTPUTS))


def problem(body: bytes) -> int:
    """Return the refusal that says why a record, without its CRC, cannot be used; OK when it can."""
    if len(body) not in (BODY_BYTES, BODY_BYTES + len(UNSORTED)):
        return BAD_ARGUMENT
    if len(body) > BODY_BYTES:
        from wallwright_protocol.sorters import is_sorter

        if not is_sorter(*sorter_of(body)):
            return BAD_ARGUMENT
    lanes = body[FIRST_INPUT - 1]
    if body != body_of(body[len(HEAD) : BODY_BYTES] + sorter_of(body)) or not lanes & ALL_LANES:
        return BAD_ARGUMENT
    if lanes & (SENSED | READS_BACK) == SENSED:
        return BAD_ARGUMENT
    taken = bytearray(WIRES)
    for number in range(INPUTS):
        wire = body[FIRST_INPUT + number]
        if wire == NONE:
            continue
        wire &= ~INVERTED
        side = number // INPUTS_PER_SIDE
        if wire >= WIRES or (side < SIDES and not lanes >> side & 1):
            return BAD_ARGUMENT
        if taken[wire]:
            return WIRED_TWICE
        taken[wire] = 1
    used = bytearray(OUTPUTS)
    for output in range(OUTPUTS):
        wire = body[FIRST_OUTPUT + output]
        if wire == NONE:
            continue
        if wire >= OUTPUTS:
            return BAD_ARGUMENT
        if used[wire]:
            return WIRED_TWICE
        used[wire] = 1
    if lanes & INTERLOCKED and taken[GUARD_WIRE]:
        return WIRED_TWICE
    if body[FIRST_INPUT + EMERGENCY_STOP] == NONE:
        return NO_STOP_WIRED
    for number, drive in DRIVE_OF_END.items():
        if body[FIRST_OUTPUT + drive] != NONE and body[FIRST_INPUT + number] == NONE:
            return NO_END_WIRED
    return OK


def body_of(fields: bytes) -> bytes:
    """Return the record, without its CRC, of lanes, inputs, outputs and what sorts."""
    at = BODY_BYTES - len(HEAD)
    return HEAD + fields[:at] if fields[at:] == UNSORTED else SORTER_HEAD + fields


def sorter_of(body: bytes) -> bytes:
    """Return what sorts by a record without its CRC: kind, places, lead in ms; zeros where nothing does."""
    return body[BODY_BYTES:] or UNSORTED


def checked(body: bytes) -> int:
    """Return the CRC of a record without one: the hash of the map."""
    return crc32(body) & 0xFFFFFFFF


def record(body: bytes) -> bytes:
    """Return a record with its CRC."""
    return body + struct.pack("<I", checked(body))


def body_in(stored: bytes) -> bytes:
    """Return what a record has before its CRC; b"" when it cannot be used."""
    body = stored[:-_CRC_BYTES]
    return body if body and stored == record(body) and problem(body) == OK else b""


class Wiring(Hal):
    """`hal` by way of the map that it keeps. What wires do not concern is asked of the board itself.

    `connected` says that it goes by a map; `hash` is that of the map, 0 without one; `parts` are those of the carrier,
    0 while nothing is connected. While nothing is connected every edge of a wire goes to `seen(wire, level, at_ms)`,
    and `put` switches single outputs. `sent` are the first 24 outputs as the board has them, by their wires; `judged`
    are those of them that switch no lamp.
    """

    def __init__(self, hal: Hal) -> None:
        self.connected = False
        self.hash = 0
        self.body = standard()
        self.lanes = ALL_LANES
        self.parts = 0
        self.raw = 0
        self.seen: "Callable[[int, int, int], None]" = _nobody_sees
        self._out = SIDES
        self._wires = self.body[FIRST_INPUT:FIRST_OUTPUT]
        self._lanes = ALL_LANES
        self._hal = hal
        self._input_of = bytearray(WIRES + SIDES)
        self._straight = True
        self._drive_wires: dict[int, int] = {}
        self._drive_lamps: dict[int, int] = {}
        self._lamp_wires: dict[int, int] = {}
        self._lamp_lamps: dict[int, int] = {}
        self._drives = 0
        self._lamps = 0
        self.sent = -1
        self._lit = -1
        self.judged = ALL_DRIVES
        self.load_map()

    def watch(self, seen: "Callable[[int, int, int], None]") -> None:
        """Tell `seen` of every edge of a wire while nothing is connected."""
        self.seen = seen

    def load_map(self) -> bool:
        """Connect what the record says; False, and nothing is connected, when there is no good one."""
        body = body_in(self._hal.load(WIRING_SLOT))
        if not body:
            self.disconnect()
            return False
        self._connect(body)
        return True

    def adopt_standard(self) -> bool:
        """Connect and keep the standard wiring where there is no record, good or bad; False where there is one."""
        if self._hal.load(WIRING_SLOT):
            return False
        body = standard(0)  # that table has been built before there were such parts
        self.save_map(body)
        self._connect(body)
        return True

    def save_map(self, body: bytes) -> bool:
        """Keep a record that `problem` has nothing against; False when the board could not. It is not connected yet."""
        return self._hal.save(WIRING_SLOT, record(body))

    def driving(self, wire: int) -> int:
        """Return the drive that an output's wire switches, NONE where that is none."""
        if not self.connected:
            return NONE
        at = self.body.find(bytes([wire]), FIRST_OUTPUT, FIRST_OUTPUT + DRIVES)
        return NONE if at < 0 else at - FIRST_OUTPUT

    def drives_of(self, wires: int) -> int:
        """Return the drives that are switched by some of the first 24 outputs."""
        if self._straight:
            return wires
        found = 0
        for bit, wire in self._drive_wires.items():
            if wires & wire:
                found |= bit
        return found

    def disconnect(self) -> None:
        """Switch off every output that may be on; from now on wires are only wires."""
        self.connected = False
        self.hash = 0
        self.raw = 0
        self._use_parts(0)
        if self.sent >= 0:
            self.put(0)

    def leave_out(self, side: int) -> None:
        """Let the inputs of this side's lane and lift read as of a lane at rest, whatever their wires show; its keys
        go on. SIDES: no side is out."""
        self._out = side
        if self.connected:
            self._connect(self.body)

    def put(self, outputs: int) -> None:
        """Switch the outputs by their wires, while nothing is connected."""
        self.raw = outputs
        self._send(outputs & ALL_DRIVES, outputs >> DRIVES)

    def wire_level(self, wire: int) -> int:
        """Return the level of a wire."""
        return self._hal.level(wire)

    def next_edge(self) -> bool:
        """Step to the next edge of an input that there is."""
        hal = self._hal
        while hal.next_edge():
            if not self.connected:
                if hal.edge_input < WIRES:
                    self.seen(hal.edge_input, hal.edge_level, hal.edge_ms)
                continue
            number = self._input_of[hal.edge_input]
            if number != NONE:
                self.edge_input = number & 0x7F
                self.edge_level = hal.edge_level ^ number >> 7
                self.edge_ms = hal.edge_ms
                return True
        return False

    def level(self, number: int) -> int:
        """Return the level of an input."""
        if not self.connected:
            return 0
        wire = self._wires[number]
        if wire != NONE:
            return self._hal.level(wire & 0x7F) ^ wire >> 7
        side = number // INPUTS_PER_SIDE
        if side < SIDES and not self._lanes >> side & 1:
            return 1 if number % INPUTS_PER_SIDE in (HEAD_HOME, LIFT_DOWN) else 0
        return 0

    def drive(self, mask: int) -> None:
        """Switch the drives."""
        self._drives = mask
        if self.connected and self._straight:
            # As `_send` does: from an eye to a motor every call counts.
            if mask != self.sent:
                self.sent = mask
                self._hal.drive(mask)
        elif self.connected:
            self._switch()

    def lamps(self, mask: int) -> None:
        """Switch the lamps."""
        self._lamps = mask
        self._hal.show_lamps(mask)
        if self.connected:
            self._switch()

    def show(self, side: int, text: str) -> None:
        """Displays have wires of their own."""
        self._hal.show(side, text)

    def _connect(self, body: bytes) -> None:
        self.body = body
        self.lanes = body[FIRST_INPUT - 1] & ALL_LANES
        self.hash = checked(body)
        self._lanes = self.lanes & ~(1 << self._out)
        first = INPUTS_PER_SIDE * self._out
        self._wires = body[FIRST_INPUT:FIRST_OUTPUT]
        if self._out < SIDES:
            self._wires = self._wires[:first] + bytes([NONE]) * LIFT_KEY + self._wires[first + LIFT_KEY :]
        input_of = self._input_of
        for wire in range(WIRES):
            input_of[wire] = NONE
        for number in range(INPUTS):
            wire = self._wires[number]
            if wire != NONE:
                input_of[wire & 0x7F] = number | wire & INVERTED
        for seat in range(SIDES):
            input_of[WIRES + seat] = CLAIM_KEY_0 + seat
        self._straight = body[FIRST_OUTPUT:BODY_BYTES] == bytes(range(OUTPUTS))
        if not self._straight:
            # A board wired by the standard has better uses for their memory.
            self._drive_wires, self._drive_lamps = _wires_of(body, 0, DRIVES)
            self._lamp_wires, self._lamp_lamps = _wires_of(body, DRIVES, OUTPUTS)
        self.judged = ALL_DRIVES & ~sum(self._lamp_wires.values())
        self.raw = 0
        self.connected = True
        self._use_parts(body[FIRST_INPUT - 1] & PARTS)
        self._switch()

    def _use_parts(self, parts: int) -> None:
        self.parts = parts
        self._hal.use_parts(parts)

    def _switch(self) -> None:
        drives = self._drives
        lamps = self._lamps
        if self._straight:
            self._send(drives, lamps)
        else:
            low = _joined(drives, self._drive_wires) | _joined(lamps, self._lamp_wires)
            self._send(low, _joined(drives, self._drive_lamps) | _joined(lamps, self._lamp_lamps))

    def _send(self, drives: int, lamps: int) -> None:
        """Tell the board what has changed."""
        if drives != self.sent:
            self.sent = drives
            self._hal.drive(drives)
        if lamps != self._lit:
            self._lit = lamps
            self._hal.lamps(lamps)


def _wires_of(body: bytes, first: int, end: int) -> "tuple[dict[int, int], dict[int, int]]":
    """Return for the bit of each output the bit of its wire among the first 24, and among the others."""
    low: dict[int, int] = {}
    high: dict[int, int] = {}
    for output in range(first, end):
        wire = body[FIRST_OUTPUT + output]
        bit = 1 << (output - first)
        low[bit] = 1 << wire if wire < DRIVES else 0
        high[bit] = 1 << (wire - DRIVES) if DRIVES <= wire < OUTPUTS else 0
    return low, high


def _joined(mask: int, wires: "dict[int, int]") -> int:
    """Return the wires of all bits of a mask."""
    found = 0
    while mask:
        bit = mask & -mask
        found |= wires[bit]
        mask ^= bit
    return found


def _nobody_sees(wire: int, level: int, at_ms: int) -> None:
    """An edge before anybody looks for it."""
