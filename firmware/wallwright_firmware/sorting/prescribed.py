"""A prescription on its way to a wall: received in parts, checked in small steps, kept for one build, then forgotten.

It is in the board's memory alone, in one buffer that is overwritten when it has been built, cancelled or refused; a
power loss takes it. Nothing of what it says leaves the board but its hash, its deal and its mode.
"""

import struct
from binascii import crc32

from wallwright_protocol import codes
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import FLAP_SORTER, LANE_READERS, RING_SORTER
from wallwright_protocol.machine import Machine
from wallwright_protocol.prescription import (
    HASH_BYTES,
    HEAD_BYTES,
    HEAD_FORMAT,
    KEY_BYTES,
    MOST_BYTES,
    SIGNATURE_BYTES,
    PrescriptionError,
    checks,
    digest,
    signed,
)

from ..hal import DIRECTOR_SLOT, MUCH, Hal
from .ed25519 import Check
from .wanted import Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..build import Build
    from ..commands import Reply
    from ..cycle import Cycle
    from ..drivers.panel import Panel
    from ..events import EventRing
    from ..readers import Readers
    from ..safety import Outputs
    from .sorter import Sorter

EMPTY = const(0)
"""There is none."""
TAKES = const(1)
"""Parts of one have come."""
CHECKS = const(2)
"""It is whole, and nobody knows yet whether it may be built."""
READY = const(3)
"""The next build makes it."""
LATCHED = const(4)
"""It is being built, or its wall was not the one."""

PRESCRIBED = {
    EMPTY: {
        "part": (TAKES, ""),
    },
    TAKES: {
        "part": (TAKES, ""),
        "whole": (CHECKS, "begin_checks"),
        "forget": (EMPTY, "wipe"),
    },
    CHECKS: {
        "good": (READY, "tell"),
        "refused": (EMPTY, "refuse"),
        "forget": (EMPTY, "wipe"),
    },
    READY: {
        "latch": (LATCHED, "make_wanted"),
        "refused": (EMPTY, "refuse"),
        "forget": (EMPTY, "wipe"),
    },
    LATCHED: {
        "built": (EMPTY, "wipe"),
        "forget": (EMPTY, "wipe"),
    },
}
STEPS = 16
REST_MS = 8
"""So many steps of the checks follow one another; then link and other devices have their turns for so long."""
STEP_BYTES = 1300
"""Garbage that a step leaves. The rounds of SHA-512 leave the most: 1,255 on average (MicroPython of 32 bits)."""
NO_KEY = bytes(KEY_BYTES)
NOT_DRAWN = (0, 0, 0, 0)
_NOT_TAKEN_BACK = (
    codes.BUILDING,
    codes.PAUSING,
    codes.LID_OPENING,
    codes.LID_CLOSING,
    codes.LIFTING,
    codes.STOPPED_RAISING,
)
"""States in which no walls are given up: they are being built, or the lid or their lifts are on their way."""
_BUILD_STATES = (codes.BUILDING, codes.PAUSING, codes.HOLDING, codes.ASKING)


class Prescribed(Machine):
    """A device with a deadline. `director` is the key that signs; `drawn` are dealer and dice of the wall that was
    latched last, and `plan` its stacks; `sorter` builds it."""

    table = PRESCRIBED
    answers = ("set_director", "prescribe", "prescribe_cancel")

    def __init__(
        self,
        hal: Hal,
        cycle: "Cycle",
        build: "Build",
        outputs: "Outputs",
        steady: bytearray,
        panel: "Panel",
        events: "EventRing",
        readers: "Readers",
        unit: bytes,
    ) -> None:
        super().__init__(EMPTY)
        self.sorter: "Sorter" = sorter_of(hal)(hal, cycle, build, outputs, steady, self.built)
        self.hash = bytes(HASH_BYTES)
        self.drawn: "tuple[int, ...]" = NOT_DRAWN
        self.plan: "tuple[int, ...]" = (0, 0, 0, 0)
        self._hal = hal
        self._cycle = cycle
        self._build = build
        self._outputs = outputs
        self._panel = panel
        self._events = events
        self._readers = readers
        self._unit = unit
        self._data = bytearray()
        self._steps: "Iterator[None] | None" = None
        self._wanted: "Wanted | None" = None
        self._refusal = codes.OK
        self._done = 0
        stored = hal.load(DIRECTOR_SLOT)
        is_good = len(stored) == KEY_BYTES + 4 and stored[KEY_BYTES:] == _check(stored[:KEY_BYTES])
        self.director = stored[:KEY_BYTES] if is_good else NO_KEY

    def on_set_director(self, values: "tuple[bytes]") -> "Reply":
        """Keep the key of the directors."""
        return self.set_director(values[0]), b""

    def on_prescribe(self, values: "tuple[int, int, bytes]") -> "Reply":
        """Take a part."""
        return self.take(self._cycle.now_ms, *values), b""

    def on_prescribe_cancel(self, _: "tuple[int, ...]") -> "Reply":
        """Forget it."""
        return self.cancel(self._cycle.now_ms), b""

    def set_director(self, key: bytes) -> int:
        """Keep the key of the directors; return a refusal code."""
        if not self._cycle.service.is_still():
            return codes.WRONG_STATE
        if not self._hal.save(DIRECTOR_SLOT, key + _check(key)):
            self._cycle.fail(codes.STORE_FAILED, codes.NO_SIDE, 0, 0)
            return codes.FAULT_ACTIVE
        self.director = key
        return codes.OK

    def take(self, now_ms: int, size: int, offset: int, part: bytes) -> int:
        """Take a part; return a refusal code. The first one begins anew."""
        if not self._can_read():
            return codes.NO_SORTER
        if self.director == NO_KEY:
            return codes.NO_DIRECTOR
        if self.state not in (EMPTY, TAKES):
            return codes.PRESCRIBED_ALREADY
        cycle = self._cycle
        if cycle.state in _BUILD_STATES or (self._build.partial and not cycle.walls_unknown):
            return codes.WRONG_STATE
        if not offset and self.state == TAKES:
            self.wipe(now_ms)
        least = HEAD_BYTES + SIGNATURE_BYTES + HASH_BYTES
        if not least <= size <= MOST_BYTES or offset != len(self._data) or offset >= size:
            return codes.BAD_ARGUMENT
        self._data.extend(part[: size - offset])
        self.happens("part", now_ms)
        if len(self._data) == size:
            self.happens("whole", now_ms)
        return codes.OK

    def cancel(self, now_ms: int) -> int:
        """Forget it; return a refusal code. What was built of it is to be taken out: it is no ordinary wall. That goes
        for walls that are whole and wait below too."""
        cycle = self._cycle
        if cycle.state in _NOT_TAKEN_BACK:
            return codes.WRONG_STATE
        if cycle.wall_mode != codes.ORDINARY_WALL and (self._build.partial or cycle.whole):
            cycle.lose_walls()
            cycle.fail(codes.WALLS_UNKNOWN, codes.NO_SIDE, 0, 0)
        elif self.state == LATCHED:
            self.enter_mode(codes.ORDINARY_WALL)
        if not self.happens("forget", now_ms):
            self.wipe(now_ms)
        return codes.OK

    def is_next(self) -> bool:
        """Say whether a build that begins now makes the prescribed wall; such a set is not washed."""
        return self.state == LATCHED or (self.state == READY and not self._refused_now())

    def latch(self, now_ms: int) -> None:
        """A build begins, of no walls that stand in part. What is too old by now is refused."""
        if self.state == READY:
            self._refusal = self._refused_now()
            self.happens("refused" if self._refusal else "latch", now_ms)
        if self.state != LATCHED:
            self.drawn = NOT_DRAWN
        self.enter_mode(self._data[3] if self.state == LATCHED else codes.ORDINARY_WALL)
        self.sorter.give_back_held(now_ms)

    def start(self, now_ms: int) -> None:
        """The build has begun, or goes on, unless something has stopped it since."""
        if self._cycle.state == codes.BUILDING:
            self.sorter.start(now_ms)

    def enter_mode(self, wall_mode: int) -> None:
        """The walls that are built come about in this way; the displays say so until others are built."""
        self._cycle.enter_mode(wall_mode)
        self._panel.mark_prescribed(wall_mode != codes.ORDINARY_WALL)

    def built(self, now_ms: int, inferred: int, match: bool) -> None:
        """The wall is whole, and was compared."""
        deal = (self._cycle.deal + 1) & 0xFFFF
        self._events.add(now_ms, "wall_prescribed", deal, self.hash, inferred, 1 if match else 0)
        if match:
            self.happens("built", now_ms)

    def poll(self, now_ms: int) -> None:
        """Check a little more."""
        self._done = (self._done + 1) % STEPS
        self.due = now_ms if self._done else now_ms + REST_MS
        self._hal.note_garbage(STEP_BYTES)
        try:
            if self._steps is not None:
                for _ in self._steps:
                    return
        except PrescriptionError as error:
            self._refusal = error.refusal
        self._steps = None
        self.happens("refused" if self._refusal else "good", now_ms)

    def begin_checks(self, now_ms: int) -> None:
        self._refusal = codes.OK
        self._hal.note_garbage(MUCH)
        self._steps = self._judge()
        self.due = now_ms

    def _judge(self) -> "Iterator[None]":
        """Check the bytes, then whom they are for, then who has signed them; then count what is wanted."""
        data = self._data
        whole = memoryview(data)
        if digest(whole[:-HASH_BYTES]) != bytes(whole[-HASH_BYTES:]):
            raise PrescriptionError(codes.BAD_PRESCRIPTION, "")
        signature = bytes(data[-HASH_BYTES - SIGNATURE_BYTES : -HASH_BYTES])
        self._data = data = data[: -HASH_BYTES - SIGNATURE_BYTES]
        yield
        self.hash = digest(data)
        yield
        yield from checks(data)
        head = struct.unpack(HEAD_FORMAT, data[:HEAD_BYTES])
        refusal = self._refused_now()
        if head[3] != self._build.tiles:
            refusal = codes.OTHER_GAME
        elif head[16].rstrip(b"\0") != self._unit:
            refusal = codes.OTHER_TABLE
        elif head[17] != self._readers.enrolment or head[17] == bytes(len(head[17])):
            refusal = codes.NOT_ENROLLED
        if refusal:
            raise PrescriptionError(refusal, "")
        yield
        check = Check(self.director, signed(self.hash), signature)
        while not check.step():
            yield
        if not check.is_good:
            raise PrescriptionError(codes.UNSIGNED, "")
        wanted = Wanted(data)
        yield from wanted.count()
        self._wanted = wanted

    def _refused_now(self) -> int:
        """Return why a build that began now would not be the one that is prescribed, or OK."""
        head = struct.unpack(HEAD_FORMAT, self._data[:HEAD_BYTES])
        cycle = self._cycle
        if head[14] != (cycle.builds + 1) & 0xFFFFFFFF:
            return codes.EXPIRED
        return codes.OK if head[4] == 1 - cycle.set_above else codes.OTHER_SET

    def _can_read(self) -> bool:
        return self._readers.fitted & LANE_READERS == LANE_READERS

    def tell(self, now_ms: int) -> None:
        if self._cycle.state == codes.SHUFFLING:
            self._cycle.wake_at(now_ms + 1)  # a wash that has begun is good for nothing now
        deal = self._data[14] | self._data[15] << 8
        self._events.add(now_ms, "prescription_judged", deal, self._refusal, self.hash)

    def refuse(self, now_ms: int) -> None:
        deal = self._data[14] | self._data[15] << 8
        self.wipe(now_ms)
        self._events.add(now_ms, "prescription_judged", deal, self._refusal, self.hash)

    def make_wanted(self, now_ms: int) -> None:
        head = struct.unpack(HEAD_FORMAT, self._data[:HEAD_BYTES])
        self.drawn = head[5:9]
        self.plan = head[9:13]
        self.sorter.latch(self._wanted)

    def wipe(self, now_ms: int) -> None:
        self._data[:] = bytes(len(self._data))
        self._data = bytearray()
        self._steps = self._wanted = None
        self.sorter.forget()


def sorter_of(hal: Hal) -> "Callable[..., Sorter]":
    """Load what drives this table's sorter, and nothing of the others."""
    if hal.sorter == RING_SORTER:
        from .ring import RingSorter

        return RingSorter
    if hal.sorter == FLAP_SORTER:
        from .flaps import FlapSorter

        return FlapSorter
    from .tides import TideSorter

    return TideSorter


def _check(key: bytes) -> bytes:
    return struct.pack("<I", crc32(key) & 0xFFFFFFFF)
