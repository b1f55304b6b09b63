"""The flash chip, a W25Q32RV of four MiB: what it holds outlives resets and power. See `emulator/flash.mjs`.

The functions of the boot ROM that erase and program are done here, and take their time: the CPU stands, while DMA, PIO,
UARTs and timers go on.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

SECTOR, PAGE = 4096, 256
PAGE_NS = 400_000


class Act(NamedTuple):
    """An erase or a write that is under way; an erase has no data."""

    start: int
    size: int
    data: bytes | None
    since_ns: int
    until_ns: int


class Flash:
    """`cells` is the memory that the core reads."""

    def __init__(self, cells: Any, erase_ms: int) -> None:
        self.cells = cells
        self._erase_ns = erase_ms * 1_000_000
        self.act: Act | None = None
        self.erases = self.pages = 0

    def begin(self, start: int, size: int, data: bytes | None, now_ns: int) -> None:
        """Erase, or program `data`, from `now_ns` on."""
        unit, takes_ns = (SECTOR, self._erase_ns) if data is None else (PAGE, PAGE_NS)
        self.act = Act(start, size, data, now_ns, now_ns + -(-size // unit) * takes_ns)

    def finish(self) -> None:
        """The time has come: the cells are as they were wanted."""
        assert self.act is not None
        start, size, data, _, _ = self.act
        if data is None:
            self.erases += -(-size // SECTOR)
            self.put(start, b"\xff" * size)
        else:
            self.pages += -(-size // PAGE)
            self._program(start, data)
        self.act = None

    def cut(self, now_ns: int, chance: Callable[[int], bytes]) -> None:
        """The power fails now: half a page is programmed, or the cells of a sector are neither."""
        if self.act is None:
            return
        start, size, data, since_ns, until_ns = self.act
        if data is None:
            noise = chance(size)
            self.put(start, bytes(old | new for old, new in zip(self.read(start, size), noise, strict=True)))
        else:
            self._program(start, data[: size * (now_ns - since_ns) // (until_ns - since_ns)])
        self.act = None

    def read(self, start: int, size: int) -> bytes:
        """Return what it holds there."""
        return bytes(self.cells[start : start + size])

    def put(self, start: int, data: bytes) -> None:
        """Let it hold this."""
        self.cells[start : start + len(data)] = data

    def _program(self, start: int, data: bytes) -> None:
        self.put(start, bytes(old & new for old, new in zip(self.read(start, len(data)), data, strict=True)))
