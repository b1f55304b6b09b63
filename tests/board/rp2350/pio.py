"""State machine 0 of PIO 0 and the DMA that empties it, which sample the inputs (RP2350 datasheet 11.4 and 12.6).

The program that the firmware has loaded is interpreted, on the nets. It runs for ever: what one round of it does with
the same inputs, from the same state, is kept and not interpreted again. Nobody is told of a word when it comes; whoever
looks at DMA or PIO brings them up to date first, so the ring holds by then what it should.

A round is done as a whole at its begin. Inputs that change within it are seen by the next one.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from wallwright_simulator.chip.process import ChipFault

from .pins import Pins
from .registers import Registers

CONTROL, STATUS, RX_FIFO, PROGRAM = 0x00, 0x04, 0x20, 0x48
DIVIDER, EXECUTION, SHIFTING, ADDRESS, INSTRUCTION, PIN_CONTROL, MACHINE_BYTES = (
    0xC8,
    0xCC,
    0xD0,
    0xD4,
    0xD8,
    0xDC,
    0x18,
)
EMPTY = 0x0F000F00
"""Of STATUS: all FIFOs are empty."""
JUMP, IN, MOVE, SET = 0, 2, 5, 7
PINS, X, Y, NULL, DIRECTIONS = 0, 1, 2, 3, 4
READ, WRITE, COUNT, TRIGGER = 0x00, 0x04, 0x08, 0x0C
ALIASES = (
    (READ, WRITE, COUNT, TRIGGER),
    (TRIGGER, READ, WRITE, COUNT),
    (TRIGGER, COUNT, READ, WRITE),
    (TRIGGER, WRITE, COUNT, READ),
)
"""The registers at the sixteen addresses of a channel; the fourth of each row is a trigger."""
CHANNEL_BYTES, CHANNELS = 0x40, 16
TRIGGERS, ABORT = 0x450, 0x464
BUSY, COUNT_MASK = 1 << 26, 0x0FFFFFFF
RX_0_REQUEST = 4


class State(NamedTuple):
    """All that a round can depend on, but for the inputs."""

    at: int
    x: int
    y: int
    shifted: int
    bits: int
    out: int


class Round(NamedTuple):
    """A round: its length in cycles, the words with the cycles at which they come, and the state after."""

    cycles: int
    words: tuple[tuple[int, int], ...]
    after: State


class Channel:
    """One DMA channel."""

    def __init__(self) -> None:
        self.registers = {READ: 0, WRITE: 0, COUNT: 0, TRIGGER: 0}
        self.left = 0

    @property
    def is_busy(self) -> bool:
        return self.left > 0

    def field(self, shift: int, mask: int) -> int:
        """Return a field of its control register."""
        return self.registers[TRIGGER] >> shift & mask


class Sampling:
    """`inputs` are the levels at the chain, `put` writes to memory, `sampled(ns)` is told of each round."""

    def __init__(
        self,
        pins: Pins,
        now: Callable[[], int],
        hz: Callable[[], float],
        inputs: Callable[[], bytes],
        put: Callable[[int, bytes], None],
        sampled: Callable[[int], None],
    ) -> None:
        self._pins, self._now, self._hz, self._inputs, self._put = pins, now, hz, inputs, put
        self._sampled = sampled
        self.pio = Pio(self)
        self.dma = Dma(self)
        self.channels = [Channel() for _ in range(CHANNELS)]
        self._state = State(0, 0, 0, 0, 0, 0)
        self._directions = 0
        self._is_on = False
        self._begins = 0
        self._rounds: dict[tuple[State, bytes], Round] = {}
        self._words: deque[tuple[int, int]] = deque()

    def catch_up(self) -> None:
        """Do all rounds that have begun by now, and let DMA have the words that have come."""
        now = self._now()
        while self._is_on and self._begins <= now:
            key = (self._state, self._inputs())
            done = self._rounds.get(key)
            if done is None:
                done = self._rounds[key] = self._round()
            cycle = self._cycle_ns()
            self._sampled(self._begins)
            self._words.extend((self._begins + round(at * cycle), word) for at, word in done.words)
            self._state = done.after
            self._begins += round(done.cycles * cycle)
        while self._words and self._words[0][0] <= now:
            self._carry(self._words.popleft()[1])

    def _cycle_ns(self) -> float:
        divider = self.pio.held(DIVIDER)
        return ((divider >> 16 or 65536) + (divider >> 8 & 0xFF) / 256) * 1e9 / self._hz()

    def switch(self, control: int) -> None:
        """The program has written to CONTROL: bit 0 lets machine 0 run."""
        if control & 0xE:
            raise ChipFault("only state machine 0 of PIO 0 is emulated")
        if control & 1 and not self._is_on:
            self._begins = self._now()
        self._is_on = bool(control & 1)

    def restart(self) -> None:
        """The program clears what the machine has shifted."""
        self._state = self._state._replace(shifted=0, bits=0)

    def execute(self, instruction: int) -> None:
        """The program has one instruction executed at once."""
        # Only a jump moves the machine.
        self._state = self._step(self._state._replace(at=self._state.at - 1), instruction, [], 0)[0]

    def at(self) -> int:
        """Return where the machine stands."""
        return self._state.at

    def _round(self) -> Round:
        state, cycles, words = self._state, 0, list[tuple[int, int]]()
        bottom, top = self.pio.held(EXECUTION) >> 7 & 31, self.pio.held(EXECUTION) >> 12 & 31
        while True:
            was_at = state.at
            instruction = self.pio.held(PROGRAM + 4 * was_at)
            state, took = self._step(state, instruction, words, cycles)
            cycles += took
            if state.at == was_at + 1 and was_at == top:
                return Round(cycles, tuple(words), state._replace(at=bottom))

    def _step(self, state: State, instruction: int, words: list[tuple[int, int]], at: int) -> tuple[State, int]:
        """Do one instruction; return the state after it, and its cycles."""
        control = self.pio.held(PIN_CONTROL)
        side_bits = control >> 29
        kind, delay_side, first, second = (
            instruction >> 13,
            instruction >> 8 & 31,
            instruction >> 5 & 7,
            instruction & 31,
        )
        out = state.out
        if side_bits:
            out = _put(out, control >> 10 & 31, side_bits, delay_side >> 5 - side_bits)
        state = state._replace(at=state.at + 1)
        if kind == SET and first in (PINS, DIRECTIONS):
            base, count = control >> 5 & 31, control >> 26 & 7
            if first == PINS:
                out = _put(out, base, count, second)
            else:
                self._directions = _put(self._directions, base, count, second)
        elif kind == SET and first in (X, Y):
            state = state._replace(x=second) if first == X else state._replace(y=second)
        elif kind == JUMP:
            state = _jump(state, first, second)
        elif kind == IN and first == PINS:
            self._pins.set_pio(0, out, self._directions)
            level = self._pins.levels[control >> 15 & 31]
            state = self._shift(state, level, second, words, at)
        elif kind != MOVE or (first, second) != (Y, Y):
            raise ChipFault(f"the instruction {instruction:#06x} of a state machine is not emulated")
        self._pins.set_pio(0, out, self._directions)
        return state._replace(out=out), 1 + (delay_side & (1 << 5 - side_bits) - 1)

    def _shift(self, state: State, level: int, count: int, words: list[tuple[int, int]], at: int) -> State:
        shifting = self.pio.held(SHIFTING)
        if count != 1 or shifting >> 18 & 1 or not shifting >> 16 & 1:
            raise ChipFault(
                "a state machine shifts in one bit, to the left, and pushes by itself: nothing else is emulated"
            )
        shifted, bits = (state.shifted << 1 | level) & 0xFFFFFFFF, state.bits + 1
        if bits == (shifting >> 20 & 31 or 32):
            words.append((at + 1, shifted))
            shifted = bits = 0
        return state._replace(shifted=shifted, bits=bits)

    def start(self, number: int) -> None:
        """A channel begins."""
        channel = self.channels[number]
        channel.left = channel.registers[COUNT] & COUNT_MASK
        if channel.field(0, 1) and (channel.field(17, 63), channel.field(2, 3)) != (RX_0_REQUEST, 2):
            raise ChipFault("DMA carries words of PIO 0's machine 0 and nothing else here")

    def _carry(self, word: int) -> None:
        """Let the channel that waits for a word have it; without one it is lost."""
        for channel in self.channels:
            if channel.is_busy and channel.field(0, 1):
                break
        else:
            return
        address = channel.registers[WRITE]
        self._put(address, word.to_bytes(4, "little"))
        if channel.field(6, 1):
            size = 1 << channel.field(8, 15) if channel.field(12, 1) and channel.field(8, 15) else 0
            following = address + 4
            channel.registers[WRITE] = (address & -size | following & size - 1) if size else following
        channel.left -= 1
        chained = channel.field(13, 15)
        if not channel.is_busy and self.channels[chained] is not channel:
            self.start(chained)


def _put(bits: int, base: int, count: int, value: int) -> int:
    mask = (1 << count) - 1
    return bits & ~(mask << base) | (value & mask) << base


def _jump(state: State, condition: int, to: int) -> State:
    if condition == 0:
        return state._replace(at=to)
    if condition == 2:
        return state._replace(x=(state.x - 1) & 0xFFFFFFFF, at=to if state.x else state.at)
    if condition == 4:
        return state._replace(y=(state.y - 1) & 0xFFFFFFFF, at=to if state.y else state.at)
    raise ChipFault(f"condition {condition} of a jump of a state machine is not emulated")


class Pio(Registers):
    """The registers of PIO 0."""

    def __init__(self, sampling: Sampling) -> None:
        super().__init__()
        self._sampling = sampling

    def read(self, offset: int) -> int:
        """Return a register."""
        self._sampling.catch_up()
        if offset == ADDRESS:
            return self._sampling.at()
        return EMPTY if offset == STATUS else self.held(offset)

    def write(self, offset: int, value: int) -> None:
        """Write a register."""
        self._sampling.catch_up()
        if offset == CONTROL:
            if value >> 4 & 1:
                self._sampling.restart()
            value &= 0xF
            self._sampling.switch(value)
        elif offset == INSTRUCTION:
            self._sampling.execute(value)
        super().write(offset, value)


class Dma(Registers):
    """The registers of the channels."""

    def __init__(self, sampling: Sampling) -> None:
        super().__init__()
        self._sampling = sampling

    def held(self, offset: int) -> int:
        """Return a register."""
        if offset >= CHANNEL_BYTES * CHANNELS:
            return super().held(offset)
        channel = self._sampling.channels[offset // CHANNEL_BYTES]
        register = ALIASES[offset >> 4 & 3][offset >> 2 & 3]
        if register == COUNT:
            return channel.left
        return channel.registers[register] | (BUSY if register == TRIGGER and channel.is_busy else 0)

    def read(self, offset: int) -> int:
        """Return a register."""
        self._sampling.catch_up()
        return self.held(offset)

    def write(self, offset: int, value: int) -> None:
        """Write a register; the fourth of each row starts the channel."""
        self._sampling.catch_up()
        if offset < CHANNEL_BYTES * CHANNELS:
            number = offset // CHANNEL_BYTES
            self._sampling.channels[number].registers[ALIASES[offset >> 4 & 3][offset >> 2 & 3]] = value
            if offset & 0xC == 0xC and self._sampling.channels[number].field(0, 1):
                self._sampling.start(number)
            return
        for number in range(CHANNELS):
            if value >> number & 1 and offset == TRIGGERS:
                self._sampling.start(number)
            elif value >> number & 1 and offset == ABORT:
                self._sampling.channels[number].left = 0
        super().write(offset, 0 if offset == ABORT else value)
