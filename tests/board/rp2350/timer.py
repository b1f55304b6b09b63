"""A timer with its four alarms, and the watchdog. Sources: RP2350 datasheet 12.8 and 12.9.

The ticks of both are 1 us: how the program divides the crystal for them is not looked at.
"""

from collections.abc import Callable
from functools import partial

from .clock import Clock
from .registers import Registers

US = 1000
HIGH_WRITE, LOW_WRITE, HIGH_LATCHED, LOW_LATCHING = 0x00, 0x04, 0x08, 0x0C
ALARM, ARMED, RAW_HIGH, RAW_LOW, RAISED, ENABLED, FORCED, STATUS = 0x10, 0x20, 0x24, 0x28, 0x3C, 0x40, 0x44, 0x48
ALARMS = 4
CONTROL, LOAD, REASON, SCRATCH, SCRATCH_END = 0x00, 0x04, 0x08, 0x0C, 0x2C
TRIGGER, ENABLE = 1 << 31, 1 << 30
BY_TIMER, BY_FORCE = 1, 2
RESET_CONTROL = 0x07000000


class Timer(Registers):
    """`raise_line(number, level)` is told of its interrupts, of which `first` is that of the first alarm."""

    def __init__(self, clock: Clock, raise_line: Callable[[int, bool], None], first: int) -> None:
        super().__init__()
        self._clock = clock
        self._began = clock.now()
        self._line, self._first = raise_line, first
        self._alarms = [clock.alarm(partial(self._ring, number)) for number in range(ALARMS)]
        self._raised = 0

    def _us(self) -> int:
        return (self._clock.now() - self._began) // US

    def read(self, offset: int) -> int:
        """Return a register; the lower half of the time keeps the upper one."""
        us = self._us()
        if offset == RAW_LOW:
            return us & 0xFFFFFFFF
        if offset == RAW_HIGH:
            return us >> 32
        if offset == LOW_LATCHING:
            self.values[HIGH_LATCHED] = us >> 32
            return us & 0xFFFFFFFF
        if offset == ARMED:
            return sum(1 << number for number, alarm in enumerate(self._alarms) if alarm.is_set)
        if offset == STATUS:
            return self._raised & self.held(ENABLED) | self.held(FORCED)
        return self._raised if offset == RAISED else self.held(offset)

    def write(self, offset: int, value: int) -> None:
        """Write a register: an alarm rings when the lower half of the time is its own."""
        if ALARM <= offset < ARMED:
            self.values[offset] = value
            ahead = (value - self._us()) & 0xFFFFFFFF
            self._alarms[(offset - ALARM) >> 2].schedule(self._began + (self._us() + ahead) * US)
        elif offset == ARMED:
            for number, alarm in enumerate(self._alarms):
                if value >> number & 1:
                    alarm.cancel()
        elif offset == RAISED:
            self._raised &= ~value
        else:
            self.values[offset] = value
        self._check()

    def _ring(self, number: int) -> None:
        self._raised |= 1 << number
        self._check()

    def _check(self) -> None:
        status = self._raised & self.held(ENABLED) | self.held(FORCED)
        for number in range(ALARMS):
            self._line(self._first + number, bool(status >> number & 1))


class Watchdog(Registers):
    """`kept` has its reason and scratch registers, which outlive its bite; `bite` starts the chip again."""

    def __init__(self, clock: Clock, kept: dict[int, int], bite: Callable[[], None], fed: Callable[[], None]) -> None:
        super().__init__({CONTROL: RESET_CONTROL})
        self._clock = clock
        self._kept = kept
        self._bite = bite
        self._fed = fed
        self._count = 0
        self._alarm = clock.alarm(lambda: self.reset(BY_TIMER))
        self._ends = 0

    def reset(self, reason: int) -> None:
        """Bite."""
        self._kept[REASON] = reason
        self._bite()

    def held(self, offset: int) -> int:
        """Return a register."""
        if offset == REASON or SCRATCH <= offset < SCRATCH_END:
            return self._kept.get(offset, 0)
        left = max(0, (self._ends - self._clock.now()) // US) if self._alarm.is_set else self._count
        return self.values.get(offset, 0) | (left & 0xFFFFFF if offset == CONTROL else 0)

    def write(self, offset: int, value: int) -> None:
        """Write a register; a load feeds it."""
        if SCRATCH <= offset < SCRATCH_END:
            self._kept[offset] = value
        elif offset == LOAD:
            self._count = value & 0xFFFFFF
            self._fed()
            if self.values[CONTROL] & ENABLE:
                self._start()
        elif offset == CONTROL:
            self.values[CONTROL] = value & (RESET_CONTROL | ENABLE)
            if value & TRIGGER:
                self.reset(BY_FORCE)
            elif value & ENABLE:
                self._start()
            else:
                self._alarm.cancel()

    def _start(self) -> None:
        self._ends = self._clock.now() + self._count * US
        self._alarm.schedule(self._ends)
