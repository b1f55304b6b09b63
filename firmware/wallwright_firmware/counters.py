"""What a technician wants to know of a table's life: jams, faults and notices, how long each drive has run.

The counts are stored with what must survive a power loss, whenever that is written, and cause no writing of their own:
a power loss costs what was counted since the last act or arrival.
"""

import struct

from wallwright_protocol.codes import EYE_BLOCKED, FAULTS, HEAD_JAM, LANE_JAM
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import DRIVES, SIDES

from .safety import NUMBER_OF_DRIVE

JAMS = (LANE_JAM, HEAD_JAM, EYE_BLOCKED)
TENTH_MS = 100
MOST = 0xFFFF
AT_ONCE = const(4)
"""Drives that are counted in one poll: a fault switches off a dozen."""

JAMS_AT = 4
TOLD_AT = JAMS_AT + 2 * SIDES
RAN_AT = TOLD_AT + 2 * FAULTS
BYTES: int = RAN_AT + 4 * DRIVES
LAYOUT = "<I%dH%dI" % (SIDES + FAULTS, DRIVES)


class Counters:
    """`data` holds, by LAYOUT: builds at the last clearing, jams by side, how often each fault was told, and the tenths
    of a second that each drive has run. `mask` is what runs, `kinds` are the numbers of the faults that were told.
    """

    def __init__(self) -> None:
        self.data = bytearray(BYTES)
        self.mask = 0
        self.kinds = bytearray()
        self._on_ms = [0] * DRIVES
        self._rest_ms = [0] * DRIVES

    def trouble(self, fault: int, side: int) -> None:
        """A fault or a notice was told."""
        if not self._count(TOLD_AT + 2 * fault):
            self.kinds.append(fault)
        if fault in JAMS and side < SIDES:
            self._count(JAMS_AT + 2 * side)

    def drives(self, mask: int, now_ms: int) -> None:
        """Of the drives that change, AT_ONCE at the most, those of `mask` run from now on; add up how long the others
        ran."""
        for _ in range(AT_ONCE):
            changed = self.mask ^ mask
            if not changed:
                return
            bit = changed & -changed
            self.mask ^= bit
            drive = NUMBER_OF_DRIVE[bit]
            if mask & bit:
                self._on_ms[drive] = now_ms - self._rest_ms[drive]
            else:
                ran_ms = now_ms - self._on_ms[drive]
                at = RAN_AT + 4 * drive
                tenths = struct.unpack_from("<I", self.data, at)[0] + ran_ms // TENTH_MS
                struct.pack_into("<I", self.data, at, tenths & 0xFFFFFFFF)
                self._rest_ms[drive] = ran_ms % TENTH_MS

    def catch_up(self, now_ms: int) -> None:
        """Count what still runs up to now."""
        running = self.mask
        while self.mask:
            self.drives(0, now_ms)
        while self.mask != running:
            self.drives(running, now_ms)

    def clear(self, builds: int) -> None:
        """After maintenance: jams and faults are counted anew from this number of builds on. Motors keep their time."""
        self.data[:RAN_AT] = struct.pack("<I", builds) + bytes(RAN_AT - JAMS_AT)
        self.kinds = bytearray()

    def restore(self, stored: bytes) -> None:
        """Go on from the counts that were stored."""
        self.data[:] = stored
        told = self.values()[1 + SIDES : 1 + SIDES + FAULTS]
        self.kinds = bytearray([fault for fault in range(1, FAULTS) if told[fault]])

    def values(self) -> "tuple[int, ...]":
        """Return all counts, flat, in the order of LAYOUT."""
        return struct.unpack(LAYOUT, self.data)

    def _count(self, at: int) -> int:
        """Add 1, to MOST at the most, and return how many there were before."""
        count: int = struct.unpack_from("<H", self.data, at)[0]
        if count < MOST:
            struct.pack_into("<H", self.data, at, count + 1)
        return count
