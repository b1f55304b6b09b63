"""State machine 0 of PIO 1, which makes pulses: it takes words, counts and sets one pin (RP2350 datasheet 11.4)."""

from collections import deque
from collections.abc import Callable

from wallwright_simulator.chip.process import ChipFault

from .clock import Alarm, Clock
from .registers import Registers

CONTROL, STATUS, LEVELS, TX_FIFO, PROGRAM = 0x00, 0x04, 0x0C, 0x10, 0x48
DIVIDER, EXECUTION, SHIFTING, ADDRESS, INSTRUCTION, PIN_CONTROL = 0xC8, 0xCC, 0xD0, 0xD4, 0xD8, 0xDC
JUMP, OUT, PULL, SET = 0, 3, 4, 7
PINS, X, DIRECTIONS = 0, 1, 4
X_DECREASES, ALWAYS = 2, 0
DEPTH = 4
EMPTY, FULL = 0x0F000F00, 1 << 16
SHIFTS_RIGHT, JOINED = 1 << 19, 3 << 30


class Pulses(Registers):
    """`set_pins(levels, directions)` gets what it drives; it steps by alarms of `clock`, and rests at an empty FIFO."""

    def __init__(self, clock: Clock, hz: Callable[[], float], set_pins: Callable[[int, int], None]) -> None:
        super().__init__()
        self._hz, self._set_pins, self._now = hz, set_pins, clock.now
        self._words: deque[int] = deque()
        self._at = self._x = self._taken = 0
        self._levels = self._directions = 0
        self._is_on = False
        self._alarm: Alarm = clock.alarm(self._step)

    def read(self, offset: int) -> int:
        """Return a register."""
        if offset == STATUS:
            empty = EMPTY | 0x01000000 if not self._words else EMPTY & ~0x01000000
            return empty | (FULL if len(self._words) == DEPTH else 0)
        if offset == LEVELS:
            return len(self._words)
        return self._at if offset == ADDRESS else self.held(offset)

    def write(self, offset: int, value: int) -> None:
        """Write a register."""
        if offset == CONTROL:
            if value & 0xE:
                raise ChipFault("only state machine 0 of PIO 1 is emulated")
            value &= 1
            self._is_on = bool(value)
            if self._is_on and not self._alarm.is_set:
                self._rest(0)
            elif not self._is_on:
                self._alarm.cancel()
        elif offset == SHIFTING and (value ^ self.held(SHIFTING)) & JOINED:
            self._words.clear()  # as the datasheet has it for a change of FJOIN
        elif offset == TX_FIFO:
            if len(self._words) < DEPTH:
                self._words.append(value)
            if self._is_on and not self._alarm.is_set:
                self._rest(0)
            return
        elif offset == INSTRUCTION:
            self._execute(value)
            return
        super().write(offset, value)

    def _rest(self, delay: int) -> None:
        divider = self.held(DIVIDER)
        cycle_ns = ((divider >> 16 or 65536) + (divider >> 8 & 0xFF) / 256) * 1e9 / self._hz()
        self._alarm.schedule(self._now() + round((1 + delay) * cycle_ns))

    def _step(self) -> None:
        instruction = self.held(PROGRAM + 4 * self._at)
        was_at, top = self._at, self.held(EXECUTION) >> 12 & 31
        if instruction >> 13 == PULL and not self._words:
            return  # until a word comes
        self._at = self._at + 1 if was_at != top else self.held(EXECUTION) >> 7 & 31
        self._execute(instruction)
        self._rest(instruction >> 8 & 31)

    def _execute(self, instruction: int) -> None:
        kind, first, second = instruction >> 13, instruction >> 5 & 7, instruction & 31
        control = self.held(PIN_CONTROL)
        if kind == SET and first in (PINS, DIRECTIONS):
            base, count = control >> 5 & 31, control >> 26 & 7
            mask = (1 << count) - 1 << base
            if first == PINS:
                self._levels = self._levels & ~mask | second << base & mask
            else:
                self._directions = self._directions & ~mask | second << base & mask
            self._set_pins(self._levels, self._directions)
        elif kind == JUMP and first == ALWAYS:
            self._at = second
        elif kind == JUMP and first == X_DECREASES:
            if self._x:
                self._at = second
            self._x = (self._x - 1) & 0xFFFFFFFF
        elif kind == PULL and instruction & 0xE0 == 0xA0:
            self._taken = self._words.popleft()
        elif kind == OUT and first == X and second and self.held(SHIFTING) & SHIFTS_RIGHT:
            self._x = self._taken & (1 << second) - 1
            self._taken >>= second
        else:
            raise ChipFault(f"the instruction {instruction:#06x} of the state machine for pulses is not emulated")
