"""A fake board with tile readers: tests say what they read."""

from collections import deque

from tests.firmware.fake_board import FakeBoard

ALL = 0xFFFF


class ReadBoard(FakeBoard):
    """`readers` as told; `read` queues a raw read."""

    def __init__(self, readers: int = ALL) -> None:
        super().__init__()
        self.readers = readers
        self.reads: deque[tuple[int, int, bytes, bool]] = deque()

    def read(self, at_ms: int, reader: int, tag: bytes, there: bool) -> None:
        self.reads.append((at_ms, reader, tag, there))

    def next_read(self) -> bool:
        if not self.reads:
            return False
        self.read_ms, self.read_reader, self.read_tag, self.read_there = self.reads.popleft()
        return True
