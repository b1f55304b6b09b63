"""An SPI: an ARM PL022 that sends bytes, highest bit first, and the time that each takes (RP2350 datasheet 12.3)."""

from collections import deque
from collections.abc import Callable

from .registers import Registers

CONTROL, DATA, STATUS, PRESCALE = 0x00, 0x08, 0x0C, 0x10
BUSY, RX_FULL, RX_NOT_EMPTY, TX_NOT_FULL, TX_EMPTY = 1 << 4, 1 << 3, 1 << 2, 1 << 1, 1 << 0
DEPTH = 8


class Spi(Registers):
    """`send(byte)` gets each byte as it begins, and returns what came for it."""

    def __init__(self, now: Callable[[], int], hz: Callable[[], float], send: Callable[[int], int]) -> None:
        super().__init__({PRESCALE: 2, CONTROL: 7})
        self._now, self._hz, self._send = now, hz, send
        self._ends: deque[int] = deque()
        self._received: deque[tuple[int, int]] = deque()

    @property
    def is_busy(self) -> bool:
        """Whether bits are still on their way."""
        while self._ends and self._ends[0] <= self._now():
            self._ends.popleft()
        return bool(self._ends)

    def read(self, offset: int) -> int:
        """Return a register; of DATA it takes what has come first."""
        has_come = bool(self._received) and self._received[0][0] <= self._now()
        if offset == DATA:
            return self._received.popleft()[1] if has_come else 0
        if offset != STATUS:
            return self.held(offset)
        busy = BUSY if self.is_busy else 0
        room = TX_NOT_FULL if len(self._ends) <= DEPTH else 0
        return busy | room | (RX_NOT_EMPTY if has_come else 0) | (0 if len(self._ends) > 1 else TX_EMPTY)

    def write(self, offset: int, value: int) -> None:
        """Write a register; of DATA it sends a byte."""
        if offset != DATA:
            self.values[offset] = value
            return
        control = self.held(CONTROL)
        bit_ns = 1e9 * self.held(PRESCALE) * (1 + (control >> 8 & 0xFF)) / self._hz()
        begins = self._ends[-1] if self.is_busy else self._now()
        ends = begins + round(bit_ns * (1 + (control & 15)))
        self._ends.append(ends)
        self._received.append((ends, self._send(value & 0xFF)))
        while len(self._received) > DEPTH:
            self._received.popleft()
