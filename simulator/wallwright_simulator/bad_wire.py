"""A table's TCP port on a network that fails: bytes that are lost, damaged or late, links that end or lead nowhere.

Everything happens at the table's end of a real connection, so that its host sees what a bad network would show it.
Times are seconds of this machine's monotonic clock. The caller that breaks the wire calls `Hall.look` for its table,
now and whenever `due_s` has come.
"""

import socket
import struct
import time
from collections import deque
from collections.abc import Iterator
from random import Random

from .serve import TcpWire

GARBAGE = 40
"""Bytes of noise at once, at the most."""
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)

Queue = deque[tuple[float, bytes]]
"""When what is to be passed on."""


class BadWire(TcpWire):
    """See TcpWire; sound until one of its faults is called for. A later one of a kind takes an earlier one's place."""

    def __init__(self, chance: Random) -> None:
        super().__init__(0, say=lambda _: None)
        self._chance = chance
        self._lose = self._spoil = self._delay = (0.0, 0.0)
        self._away_until_s = 0.0
        self._dark_until_s = 0.0
        self._to_host: Queue = deque()
        self._to_board: Queue = deque()
        self._dead: list[socket.socket] = []

    @property
    def due_s(self) -> float:
        """When something has to be passed on, or the link can be used again; in the far future when nothing has."""
        times = [queue[0][0] for queue in (self._to_host, self._to_board) if queue]
        now_s = time.monotonic()
        times += [until_s for until_s in (self._away_until_s, self._dark_until_s) if until_s > now_s]
        return min(times, default=float("inf"))

    def reset(self) -> None:
        """The connection is reset."""
        self._cut()

    def unplug(self, for_s: float) -> None:
        """The connection is reset, and every other one that is tried meanwhile."""
        self._away_until_s = time.monotonic() + for_s
        self._cut()

    def go_dark(self, for_s: float) -> None:
        """Nothing passes any more and nobody is told: the connection is half open for good; then another one works."""
        self._dark_until_s = time.monotonic() + for_s
        if self._host is not None:
            self._dead.append(self._host)
            self._host = None
        self._forget()

    def lose(self, share: float, for_s: float) -> None:
        """Lose this share of what is written at once, either way."""
        self._lose = (share, time.monotonic() + for_s)

    def spoil(self, share: float, for_s: float) -> None:
        """Change a byte, or add noise, in this share of what is written at once, either way."""
        self._spoil = (share, time.monotonic() + for_s)

    def delay(self, by_s: float, for_s: float) -> None:
        """Deliver everything up to so much later, in its order, either way."""
        self._delay = (by_s, time.monotonic() + for_s)

    def handles(self) -> list[int]:
        """See Wire.handles."""
        return [] if time.monotonic() < self._dark_until_s else super().handles()

    def read(self) -> bytes:
        """See Wire.read."""
        now_s = time.monotonic()
        if now_s < self._dark_until_s:
            return b""
        came = super().read()
        if now_s < self._away_until_s:
            self._cut()
            return b""
        for data in _due(self._to_host, now_s):
            super().write(data)
        self._queue(self._to_board, came, now_s)
        return b"".join(_due(self._to_board, now_s))

    def write(self, data: bytes) -> None:
        """See Wire.write."""
        if self._host is None:
            return
        now_s = time.monotonic()
        self._queue(self._to_host, data, now_s)
        for late in _due(self._to_host, now_s):
            super().write(late)

    def close(self) -> None:
        """See Wire.close."""
        for host in self._dead:
            host.close()
        super().close()

    def _queue(self, queue: Queue, data: bytes, now_s: float) -> None:
        """Do to the bytes what the network does to them now, and let them follow those before."""
        if data and self._happens(self._lose, now_s):
            return
        if data and self._happens(self._spoil, now_s):
            data = self._spoilt(data)
        if not data:
            return
        by_s, until_s = self._delay
        at_s = now_s + self._chance.uniform(0, by_s) if now_s < until_s else now_s
        queue.append((max(at_s, queue[-1][0]) if queue else at_s, data))

    def _happens(self, fault: tuple[float, float], now_s: float) -> bool:
        share, until_s = fault
        return now_s < until_s and self._chance.random() < share

    def _spoilt(self, data: bytes) -> bytes:
        at = self._chance.randrange(len(data))
        if self._chance.random() < 0.5:
            return data[:at] + self._chance.randbytes(self._chance.randint(1, GARBAGE)) + data[at:]
        return data[:at] + bytes([data[at] ^ self._chance.randint(1, 255)]) + data[at + 1 :]

    def _cut(self) -> None:
        if self._host is not None:
            self._host.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
            self._hang_up()
        self._forget()

    def _forget(self) -> None:
        """What was under way on a connection does not come to the next one."""
        self._to_host.clear()
        self._to_board.clear()


def _due(queue: Queue, now_s: float) -> Iterator[bytes]:
    while queue and queue[0][0] <= now_s:
        yield queue.popleft()[1]
