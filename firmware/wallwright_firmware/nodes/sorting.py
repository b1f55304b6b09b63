"""A node with parts that sort: the antenna at the mouth, solenoids, holding places and end switches.

- It does what the last WORK has said, and lets all go when none has come for WORK_MS, and at its own start.
- The antenna at the mouth goes on whenever it can, for a tile is past it within 100 ms; the others in turns in which it
  cannot. So an answer waits for one antenna, as it does at other nodes.
"""

import struct

from wallwright_protocol import line

from .node import Node
from .pn5180 import TICKS


class SortingNode(Node):
    """`mouth` is the antenna there, `drive(drives, moves)` switches solenoids and holding places, `switches()` tells
    which ends are reached."""

    def __init__(self, address: int, unit: bytes, start: int, antennas: list, mouth, parts, show, wait) -> None:
        super().__init__(address, unit, start, antennas, show, wait)
        self._mouth = mouth
        self._drive, self._switches = parts
        self._worked_ms = 0
        self._done = (0, 0)
        self._drive(0, 0)

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        answer = super().poll(now_ms, rx)
        if now_ms - self._worked_ms & TICKS >= line.WORK_MS:
            self._do(0, 0)
        return answer

    def look(self, now_ms: int, key: bool) -> None:
        mouth = self._mouth
        if not mouth.poll():
            super().look(now_ms, key)
        while mouth.news:
            self.note(now_ms, line.MOUTH, *mouth.next_news())

    def _do(self, drives: int, moves: int) -> None:
        if (drives, moves) != self._done:
            self._done = (drives, moves)
            self._drive(drives, moves)

    def _answer(self, now_ms: int, body: bytes) -> bytes:
        bit = 1 << line.MOUTH
        self._working = self._working | bit if self._mouth.works else self._working & ~bit
        if body[0] != line.WORK:
            return super()._answer(now_ms, body)
        _, _, _, _, _, drives, moves = struct.unpack(line.WORK_LAYOUT, body)
        self._worked_ms = now_ms
        self._do(drives, moves)
        said = super()._answer(now_ms, body)
        at = line.ANSWER_BYTES
        return bytes([line.WORKED]) + said[1:at] + bytes([self._switches()]) + said[at:]
