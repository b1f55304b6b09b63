"""A table's port as its thread uses it: it can be woken while it waits, and a flood is read slowly.

A board that sends without end (a broken one, or another device) would take the time of all other tables: its bytes are
left in the system's buffer, where they stop their sender, and taken at the pace of a serial line.
"""

import os
import select
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from ..link.discovery import monotonic_ms
from ..link.ports import CAN_POLL, DescriptorPort
from ..link.read_by_thread import ReadPort

RATE_BYTES_PER_S = 16_384
"""A board at 115,200 baud can send 11,520; a table in play sends some 150."""
BURST_BYTES = 65_536
"""A board that hands over all that it kept sends some 6,000 at once."""
SLICE_MS = 100
"""A thread that waits for an answer looks this often whether it is to end."""


class Stopped(Exception):
    """The thread is to end; the only exception that is none of the project's errors and no bug."""


class _Signal(Protocol):
    """What ends a wait from another thread; a signal given while nobody waits ends the next one."""

    def give(self) -> None:
        """Any thread may do so."""

    def wait(self, timeout_ms: int, handle: int | None) -> None:
        """Wait for the signal, for the time, or until `handle` can be read."""

    def close(self) -> None:
        """Give back what it took; nobody waits any more."""


class _PolledSignal:
    """A descriptor, so that one wait is for a port as well."""

    def __init__(self) -> None:
        # Types know of no `eventfd` where there is none.
        self._os: Any = os
        self._select: Any = select
        self._handle: int = self._os.eventfd(0, self._os.EFD_NONBLOCK | self._os.EFD_CLOEXEC)
        self._poll = self._select.poll()
        self._poll.register(self._handle, self._select.POLLIN)

    def give(self) -> None:
        self._os.eventfd_write(self._handle, 1)

    def wait(self, timeout_ms: int, handle: int | None) -> None:
        if handle is not None:
            self._poll.register(handle, self._select.POLLIN)
        try:
            ready = self._poll.poll(timeout_ms)
        finally:
            if handle is not None:
                self._poll.unregister(handle)
        if any(number == self._handle for number, _ in ready):
            self._os.eventfd_read(self._handle)

    def close(self) -> None:
        os.close(self._handle)


class _ThreadSignal:
    """For systems where no wait is for a port as well: the port's thread gives the signal."""

    def __init__(self) -> None:
        self._given = threading.Event()

    def give(self) -> None:
        self._given.set()

    def wait(self, timeout_ms: int, handle: int | None) -> None:
        assert handle is None, "such ports have no descriptor here"
        self._given.wait(timeout_ms / 1000)
        self._given.clear()

    def close(self) -> None:
        return


class Bell:
    """Wakes the thread of one table: something is to be done, or it is to end. Any thread rings."""

    def __init__(self) -> None:
        self.is_stopping = False
        self._lock = threading.Lock()
        self._is_closed = False
        self._signal: _Signal = _PolledSignal() if CAN_POLL else _ThreadSignal()

    def ring(self) -> None:
        """Let the present wait of the thread, or its next one, end at once."""
        with self._lock:
            if not self._is_closed:
                self._signal.give()

    def stop(self) -> None:
        """Let every wait of the thread raise Stopped from now on."""
        self.is_stopping = True
        self.ring()

    def check(self) -> None:
        """Raise Stopped when the thread is to end."""
        if self.is_stopping:
            raise Stopped

    def wait(self, timeout_ms: int, handle: int | None = None) -> None:
        """Wait for the bell, for the time, or until `handle` can be read. Raises Stopped."""
        self.check()
        self._signal.wait(timeout_ms, handle)
        self.check()

    def close(self) -> None:
        """Give the bell back; it is silent then."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._signal.close()


class Budget:
    """How many bytes may be read: `rate` a second, `burst` at once after a quiet time."""

    def __init__(self, rate: int = RATE_BYTES_PER_S, burst: int = BURST_BYTES) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._at_ms = 0

    def spend(self, now_ms: int, count: int) -> None:
        """`count` bytes were read."""
        self._refill(now_ms)
        self._left -= count

    def wait_ms(self, now_ms: int) -> int:
        """Return how long nothing may be read, 0 when it may."""
        self._refill(now_ms)
        return 0 if self._left > 0 else 1 + -self._left * 1000 // self._rate

    def _refill(self, now_ms: int) -> None:
        gained = (now_ms - self._at_ms) * self._rate // 1000
        if gained > 0:
            self._left = min(self._burst, self._left + gained)
            self._at_ms = now_ms


class TablePort:
    """See `transport.Transport`; `bell` ends its waits with Stopped."""

    def __init__(
        self, inner: DescriptorPort | ReadPort, bell: Bell, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self.name = inner.name
        self._inner = inner
        if isinstance(inner, ReadPort):
            inner.on_arrival = bell.ring
        self._bell = bell
        self._pause = pause
        self._budget = Budget()

    def wait(self, timeout_ms: int) -> None:
        """Wait until a read has something to return, the bell rings, or the time is over. Raises Stopped."""
        too_much_ms = self._budget.wait_ms(monotonic_ms())
        if too_much_ms:
            self._bell.wait(min(timeout_ms, too_much_ms))
        elif isinstance(self._inner, DescriptorPort):
            self._bell.wait(timeout_ms, self._inner.fileno())
        else:
            self._bell.wait(0 if self._inner.is_ready else timeout_ms)

    def read(self, timeout_ms: int) -> bytes:
        """See Transport.read."""
        until = self.now_ms() + timeout_ms
        while True:
            self._bell.check()
            left = min(SLICE_MS, max(0, until - self.now_ms()))
            too_much_ms = self._budget.wait_ms(monotonic_ms())
            if not too_much_ms:
                data = self._inner.read(left)
                self._budget.spend(monotonic_ms(), len(data))
                if data:
                    return data
            elif left:
                self._pause(min(left, too_much_ms) / 1000)
            if self.now_ms() >= until:
                return b""

    def write(self, data: bytes) -> None:
        """See Transport.write."""
        self._inner.write(data)

    def close(self) -> None:
        """See Transport.close."""
        self._inner.close()

    def now_ms(self) -> int:
        """See Transport.now_ms."""
        return self._inner.now_ms()

    def wall_ms(self) -> int:
        """See Transport.wall_ms."""
        return self._inner.wall_ms()
