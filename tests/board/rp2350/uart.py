"""A UART: an ARM PL011 with FIFOs, levels, receive timeout, overrun and the time that a byte takes.

Sources: ARM DDI 0183G, chapters 2.4 to 3.4; RP2350 datasheet 12.1. Left out: DMA, flow control, IrDA, a break.
"""

from collections import Counter, deque
from collections.abc import Callable

from .clock import Clock
from .registers import Registers

DATA, ERRORS, FLAGS, DIVIDER, FRACTION, LINE, CONTROL, LEVELS = 0x00, 0x04, 0x18, 0x24, 0x28, 0x2C, 0x30, 0x34
MASK, RAISED, MASKED, CLEAR = 0x38, 0x3C, 0x40, 0x44
RX, TX, TIMEOUT, FRAMING, OVERRUN = 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 10
BAD_FRAME, OVERRAN = 1 << 8, 1 << 11
"""Beside the byte in DATA."""
BUSY, RX_EMPTY, TX_FULL, RX_FULL, TX_EMPTY = 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7
FIFOS, ENABLED, TX_ENABLED, RX_ENABLED = 1 << 4, 1 << 0, 1 << 8, 1 << 9
OF_32 = (4, 8, 16, 24, 28, 28, 28, 28)
TIMEOUT_BITS = 32
BAUD_TOLERANCE = 0.04
"""Ten bits sampled in their middle: half a bit is 5 %, less what the other end is off."""


class Uart(Registers):
    """`send(byte)` gets each byte when its stop bit is over; `spoilt` counts what gets lost."""

    def __init__(
        self,
        clock: Clock,
        hz: Callable[[], float],
        line: Callable[[bool], None],
        send: Callable[[int], None],
        spoilt: "Counter[str]",
    ) -> None:
        super().__init__({CONTROL: TX_ENABLED | RX_ENABLED, LEVELS: 0x12})
        self._clock, self._hz, self._line, self._send, self._spoilt = clock, hz, line, send, spoilt
        self._raised = 0
        self._tx: deque[int] = deque()
        self._rx: deque[int] = deque()
        self._shifting: int | None = None
        self._has_overrun = False
        self._sent = clock.alarm(self._finish)
        self._idle = clock.alarm(lambda: self._raise(TIMEOUT))

    @property
    def baud(self) -> float:
        """Bits a second, 0 before a program has set them."""
        divider = self.held(DIVIDER) + self.held(FRACTION) / 64
        return self._hz() / (16 * divider) if divider else 0

    @property
    def _depth(self) -> int:
        return 32 if self.held(LINE) & FIFOS else 1

    def _level(self, shift: int) -> int:
        return OF_32[self.held(LEVELS) >> shift & 7] if self.held(LINE) & FIFOS else 1

    def receive(self, byte: int, baud: float) -> None:
        """A character has come on the RX pin at this rate."""
        control = self.held(CONTROL)
        if not control & ENABLED or not control & RX_ENABLED or not self.baud:
            self._spoilt["unheard"] += 1
            return
        if len(self._rx) >= self._depth:
            self._has_overrun = True
            self._spoilt["overrun"] += 1
            self._raise(OVERRUN)
            return
        word = byte
        if abs(baud / self.baud - 1) > BAUD_TOLERANCE:
            word = byte ^ 0xA5 | BAD_FRAME
            self._spoilt["framing"] += 1
            self._raise(FRAMING)
        self._rx.append(word | (OVERRAN if self._has_overrun else 0))
        self._has_overrun = False
        if len(self._rx) == self._level(3):
            self._raise(RX)
        self._idle.schedule(self._clock.now() + round(TIMEOUT_BITS * 1e9 / self.baud))

    def _finish(self) -> None:
        byte, self._shifting = self._shifting, None
        assert byte is not None
        self._send(byte)
        self._start()

    def _start(self) -> None:
        control = self.held(CONTROL)
        if self._shifting is not None or not self._tx or not control & ENABLED or not control & TX_ENABLED:
            return
        self._shifting = self._tx.popleft()
        if len(self._tx) == (0 if self._depth == 1 else self._level(0)):
            self._raise(TX)
        line = self.held(LINE)
        bits = 1 + 5 + (line >> 5 & 3) + (line >> 1 & 1) + 1 + (line >> 3 & 1)
        self._sent.schedule(self._clock.now() + round(bits * 1e9 / self.baud))

    def _raise(self, bits: int) -> None:
        self._raised |= bits
        self._check()

    def _check(self) -> None:
        self._line(bool(self._raised & self.held(MASK)))

    def read(self, offset: int) -> int:
        """Return a register; of DATA it takes what has come first."""
        if offset == DATA:
            return self._take()
        if offset == FLAGS:
            waiting, room = len(self._rx), self._depth
            flags = BUSY if self._shifting is not None or self._tx else 0
            flags |= (0 if waiting else RX_EMPTY) | (RX_FULL if waiting >= room else 0)
            return flags | (0 if self._tx else TX_EMPTY) | (TX_FULL if len(self._tx) >= room else 0)
        if offset == RAISED:
            return self._raised
        return self._raised & self.held(MASK) if offset == MASKED else self.held(offset)

    def _take(self) -> int:
        if not self._rx:
            return 0
        word = self._rx.popleft()
        if len(self._rx) < self._level(3):
            self._raised &= ~RX
        if not self._rx:
            self._idle.cancel()
            self._raised &= ~TIMEOUT
        self._check()
        return word

    def write(self, offset: int, value: int) -> None:
        """Write a register; of DATA it sends a byte."""
        if offset == DATA:
            if len(self._tx) < self._depth:
                self._tx.append(value & 0xFF)
            else:
                self._spoilt["unsent"] += 1
            if len(self._tx) > self._level(0):
                self._raised &= ~TX
        elif offset == CLEAR:
            self._raised &= ~value
        else:
            self.values[offset] = value & 0xFFFF
        self._start()
        self._check()
