"""The core's own registers: interrupts with their priorities, PendSV, the vectors' place (Armv8-M ARM, D1.2).

Interrupts are numbered by their exceptions: 14 is PendSV, 16 the first one of the chip.
"""

from collections.abc import Callable

BASE = 0xE000E000
PENDSV, FIRST = 14, 16
ENABLE, DISABLE, PEND, UNPEND, PRIORITY = 0x100, 0x180, 0x200, 0x280, 0x400
CPUID, CONTROL_STATE, VECTORS, SYSTEM_PRIORITY = 0xD00, 0xD04, 0xD08, 0xD18
CORTEX_M33 = 0x411FD210
PENDSV_SET, PENDSV_CLEAR = 1 << 28, 1 << 27
INTERRUPTS = 52
GROUP = 0x20
NEVER = 0x100


class Nvic:
    """`lines` are the interrupts that parts of the chip hold up, `vectors` where the table of them is."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._registers: dict[int, int] = {}
        self._priorities = bytearray(FIRST + INTERRUPTS)
        self._enabled = 1 << PENDSV
        self._pended = self.lines = 0
        self._active: list[int] = []
        self.vectors = 0x10000000
        self.is_masked = False

    @property
    def pending(self) -> int:
        """The interrupts that wait and may come, as bits by their numbers."""
        active = 0
        for number in self._active:
            active |= 1 << number
        return (self._pended | self.lines) & self._enabled & ~active

    def set_line(self, number: int, level: bool) -> None:
        """A part of the chip holds its interrupt up, or lets go of it."""
        bit = 1 << FIRST + number
        was = self.lines
        self.lines = was | bit if level else was & ~bit
        if self.lines & ~was & self._enabled:
            self._stop()

    def take(self, base: int) -> int | None:
        """Return the interrupt that begins now, which is active then; `base` is BASEPRI."""
        running = min([self._priority(number) for number in self._active] + [base or NEVER])
        waiting, best, urgent = self.pending, None, running
        while waiting:
            number = (waiting & -waiting).bit_length() - 1
            waiting &= waiting - 1
            if self._priority(number) < urgent:
                best, urgent = number, self._priority(number)
        if best is not None:
            self._pended &= ~(1 << best)
            self._active.append(best)
        return best

    def leave(self) -> None:
        """The last handler has returned."""
        self._active.pop()

    def _priority(self, number: int) -> int:
        return self._priorities[number] // GROUP * GROUP

    def read(self, address: int, _size: int) -> int:
        """Return a register, or bytes of it at their place."""
        offset = (address - BASE) & ~3
        if offset == CPUID:
            return CORTEX_M33
        if offset == VECTORS:
            return self.vectors
        if offset == CONTROL_STATE:
            return (PENDSV_SET if self._pended >> PENDSV & 1 else 0) | (self._active[-1] if self._active else 0)
        for first, bits in ((ENABLE, self._enabled), (PEND, self._pended | self.lines)):
            if first <= offset < first + 0x40 or first + 0x80 <= offset < first + 0xC0:
                return bits >> FIRST >> 8 * (offset & 0x3C) & 0xFFFFFFFF
        if PRIORITY <= offset < PRIORITY + INTERRUPTS:
            at = FIRST + offset - PRIORITY
            return int.from_bytes(self._priorities[at : at + 4], "little") >> 8 * (address & 3)
        return self._registers.get(offset, 0) >> 8 * (address & 3)

    def write(self, address: int, size: int, value: int) -> None:
        """Write a register, or bytes of it."""
        offset = address - BASE
        if PRIORITY <= offset < PRIORITY + INTERRUPTS:
            at = FIRST + offset - PRIORITY
            self._priorities[at : at + size] = value.to_bytes(size, "little")
            return
        if SYSTEM_PRIORITY <= offset < SYSTEM_PRIORITY + 12:
            at = 4 + offset - SYSTEM_PRIORITY
            self._priorities[at : at + size] = value.to_bytes(size, "little")
        bits = value << FIRST << 8 * (offset & 0x3C)
        if offset == CONTROL_STATE:
            if value & PENDSV_SET:
                self._pended |= 1 << PENDSV
            if value & PENDSV_CLEAR:
                self._pended &= ~(1 << PENDSV)
        elif offset == VECTORS:
            self.vectors = value
        elif ENABLE <= offset < ENABLE + 0x40:
            self._enabled |= bits
        elif DISABLE <= offset < DISABLE + 0x40:
            self._enabled &= ~bits
        elif PEND <= offset < PEND + 0x40:
            self._pended |= bits
        elif UNPEND <= offset < UNPEND + 0x40:
            self._pended &= ~bits
        else:
            self._registers[offset & ~3] = value
        if self.pending:
            self._stop()
