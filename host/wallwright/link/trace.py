"""The traffic of a link: the last frames kept as they are, and a tap for who wants all of them.

Nothing is decoded until somebody wants to read it; `frames.py` does that.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from wallwright_protocol.frame import MAX_FRAME

from .binding import OWN
from .frames import describe, show_bytes
from .masking import body_of, catalog_in, masked

CAPACITY = 200
SENT = "->"
RECEIVED = "<-"

Tap = Callable[[int, str, bytes], None]
"""Called with the time in ms, SENT or RECEIVED, and the bytes, as they cross the wire."""


class Block(NamedTuple):
    """Bytes up to a 0x00, a frame or noise, when its end was seen, and the hash of the dictionary that it goes by."""

    time_ms: int
    direction: str
    data: bytes
    catalog: int = OWN.catalog

    def line(self) -> str:
        """Return one line: time in ms, direction, what it says."""
        return f"{self.time_ms:>10} {self.direction} {describe(self.data, self.catalog)}"


class Splitter:
    """Cuts the bytes of both directions into blocks; `rest` is what has no end yet."""

    def __init__(self) -> None:
        self.rest = {SENT: b"", RECEIVED: b""}
        self.catalog = OWN.catalog

    def add(self, time_ms: int, direction: str, data: bytes) -> list[Block]:
        """Take bytes as they crossed the wire, however cut; return the blocks that are now whole."""
        *whole, rest = (self.rest[direction] + data).split(b"\0")
        blocks = []
        for block in filter(None, whole):
            found = catalog_in(block) if direction == RECEIVED else None
            self.catalog = self.catalog if found is None else found
            blocks.append(Block(time_ms, direction, block, self.catalog))
        # What has no 0x00 for longer than a frame is noise, and noise is shown in pieces.
        at = 0
        while len(rest) - at > MAX_FRAME:
            blocks.append(Block(time_ms, direction, rest[at : at + MAX_FRAME], self.catalog))
            at += MAX_FRAME
        self.rest[direction] = rest[at:]
        return blocks


class Trace:
    """A ring of the last CAPACITY blocks in both directions; `tap` is called with every piece of traffic."""

    def __init__(self, tap: Tap | None = None) -> None:
        self._blocks: deque[Block] = deque(maxlen=CAPACITY)
        self._splitter = Splitter()
        self._tap = tap

    def add(self, time_ms: int, direction: str, data: bytes) -> None:
        """Record bytes as they crossed the wire, however cut; direction is SENT or RECEIVED."""
        self._blocks.extend(self._splitter.add(time_ms, direction, data))
        if self._tap is not None:
            self._tap(time_ms, direction, data)

    def noise(self) -> bytes:
        """Return what was received lately and is no frame."""
        blocks = [block.data for block in self._blocks if block.direction == RECEIVED and not body_of(block.data)]
        found = [*blocks, self._splitter.rest[RECEIVED]]
        return b" ".join(masked(data, self._splitter.catalog) for data in found).strip()

    def dump(self) -> str:
        """Return one line a block, oldest first: time in ms, direction, what it says."""
        rest = [(direction, masked(data, self._splitter.catalog)) for direction, data in self._splitter.rest.items()]
        lines = [block.line() for block in self._blocks]
        lines += [f"{'':>10} {direction} unfinished: {show_bytes(data)}" for direction, data in rest if data]
        return "\n".join(lines)
