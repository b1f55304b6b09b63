"""What a technician wants to know of a table's life: jams, faults and notices, how long each drive has run.

The counts are stored with what must survive a power loss, whenever that is written, and cause no writing of their own:
a power loss costs what was counted since the last act or arrival.
"""

import struct

from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.codes import EYE_BLOCKED, HEAD_JAM, LANE_JAM
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import DRIVES, SIDES

from .safety import NUMBER_OF_DRIVE

JAMS = (LANE_JAM, HEAD_JAM, EYE_BLOCKED)
TENTH_MS = 100
MOST = 0xFFFF
AT_ONCE = const(4)
"""Drives that are counted in one poll: a fault switches off a dozen."""

_REPLY = REPLIES[NUMBER_OF["get_counters"]]
LAYOUT = "<" + _REPLY.layout[len("<IIH") :]
"""That of the reply to get_counters behind boots, builds and deals."""
BYTES: int = struct.calcsize(LAYOUT)
_JAMS_AT = 4
_TOLD_AT = _JAMS_AT + 2 * SIDES
_RAN_AT = BYTES - 4 * DRIVES
KINDS = (_RAN_AT - _TOLD_AT) // 2
"""Room for so many kinds of faults, those with the lowest numbers; the others are not counted."""


def bytes_of(kinds: int) -> int:
    """Return how many bytes the counters have with room for so many kinds of faults."""
    return BYTES + 2 * (kinds - KINDS)


def fitted(stored: bytes) -> bytes:
    """Return counters that were stored with room for another number of kinds with the room that they have now."""
    told = stored[_TOLD_AT : len(stored) - 4 * DRIVES][: 2 * KINDS]
    return stored[:_TOLD_AT] + told + bytes(2 * KINDS - len(told)) + stored[len(stored) - 4 * DRIVES :]


class Counters:
    """`data` holds, by LAYOUT: builds at the last clearing, jams by side, how often each fault was told, and the tenths
    of a second that each drive has run. `mask` is what runs.
    """

    def __init__(self) -> None:
        self.data = bytearray(BYTES)
        self.mask = 0
        self._on_ms = [0] * DRIVES
        self._rest_ms = [0] * DRIVES

    def trouble(self, fault: int, side: int) -> None:
        """A fault or a notice was told."""
        if fault < KINDS:
            self._count(_TOLD_AT + 2 * fault)
        if fault in JAMS and side < SIDES:
            self._count(_JAMS_AT + 2 * side)

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
                at = _RAN_AT + 4 * drive
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
        self.data[:_RAN_AT] = struct.pack("<I", builds) + bytes(_RAN_AT - _JAMS_AT)

    def restore(self, stored: bytes) -> None:
        """Go on from the counts that were stored."""
        self.data[:] = stored

    def values(self) -> "tuple[int, ...]":
        """Return all counts, flat, in the order of LAYOUT."""
        return struct.unpack(LAYOUT, self.data)

    def _count(self, at: int) -> None:
        count = struct.unpack_from("<H", self.data, at)[0]
        if count < MOST:
            struct.pack_into("<H", self.data, at, count + 1)
