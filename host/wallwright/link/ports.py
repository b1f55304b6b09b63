"""The kinds of open ports: bytes to and from each, and the clock that belongs to it. pyserial is known here, in
`transport`, which opens them, and in `read_by_thread`.
"""

import errno
import importlib
import os
import select
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import serial

from ..clocks import wall_ms
from ..errors import PortGone

SLICE_MS = 50
"""A real port is read in waits of this length at the most, so that closing and Ctrl-C never wait for long."""
WRITE_LIMIT_MS = 1000
"""A port that takes no bytes for this long is given up; a request is a few dozen bytes."""
READ_SIZE = 4096


_linux_select: Any = select
"""Types know of no `poll` where there is none; with CAN_POLL there is."""
CAN_POLL = hasattr(select, "poll") and hasattr(os, "eventfd")
"""Whether ports are waited for by their descriptors, as on Linux."""


def _terminal_error() -> type[Exception]:
    """Return what the calls of a POSIX terminal raise, which is no OSError."""
    try:
        error: type[Exception] = importlib.import_module("termios").error
    except ImportError:
        return OSError
    return error


TerminalError = _terminal_error()


class Transport(Protocol):
    """One open port. Times are milliseconds on the port's own clock, which starts near 0."""

    name: str
    """The string it was opened by."""

    def read(self, timeout_ms: int) -> bytes:
        """Return what has arrived, as soon as something has; empty after `timeout_ms`. PortGone when it is dead."""

    def write(self, data: bytes) -> None:
        """Send all of `data`; PortGone when the port is dead or takes no bytes."""

    def close(self) -> None:
        """Let go of the port, in under a second whatever its state; a second time does nothing."""

    def now_ms(self) -> int:
        """Return the time that timeouts and deadlines are measured on."""

    def wall_ms(self) -> int:
        """Return the time to write into logs: since 1970 on a real port, since power-up on a simulated one."""


class SerialPort:
    """A port in real time: a device, a pseudo-terminal, a socket."""

    def __init__(self, name: str, device: Any) -> None:
        self.name = name
        self._device = device
        self._start = time.monotonic_ns()

    def read(self, timeout_ms: int) -> bytes:
        """See Transport.read."""
        until = self.now_ms() + timeout_ms
        while True:
            left = max(0, until - self.now_ms())
            data = self._read_once(min(left, SLICE_MS))
            if data or left <= SLICE_MS:
                return data

    def write(self, data: bytes) -> None:
        """See Transport.write."""
        try:
            self._device.write(data)
        except serial.SerialTimeoutException as error:
            raise PortGone(self.name, f"it takes no bytes for {WRITE_LIMIT_MS} ms; reset the board") from error
        except (serial.SerialException, OSError) as error:
            raise self._gone(error) from error

    def close(self) -> None:
        """See Transport.close."""
        if not self._device.is_open:
            return
        # pyserial forgets the socket without closing it when the other end was first to hang up.
        forgotten = getattr(self._device, "_socket", None)
        # A device that no longer takes bytes would keep the close waiting for them to leave; a dead one has none.
        with suppress(OSError, TerminalError):
            self._device.reset_output_buffer()
        self._device.close()
        if forgotten is not None:
            forgotten.close()

    def now_ms(self) -> int:
        """See Transport.now_ms."""
        return (time.monotonic_ns() - self._start) // 1_000_000

    def wall_ms(self) -> int:
        """See Transport.wall_ms."""
        return wall_ms()

    def _read_once(self, timeout_ms: int) -> bytes:
        # One byte with the timeout, then all that is there without one: a read sized by in_waiting spins on some
        # devices and sees nothing on others.
        device = self._device
        try:
            device.timeout = timeout_ms / 1000
            first = device.read(1)
            if not first:
                return b""
            device.timeout = 0
            return bytes(first + device.read(READ_SIZE))
        except (serial.SerialException, OSError) as error:
            raise self._gone(error) from error

    def _gone(self, error: OSError) -> PortGone:
        return PortGone(self.name, f"the port is gone ({error}); plug the table in and switch it on, then go on")


class DescriptorPort(SerialPort):
    """A device, a pseudo-terminal or a socket, read and written through its descriptor once pyserial has set it up.

    pyserial waits with `select`, which takes no descriptor above 1023, and a USB port of pyserial's has five of them:
    a hall would end at its two hundredth table. A program with many ports waits for `fileno` and reads with timeout 0.
    """

    def __init__(self, name: str, device: Any) -> None:
        super().__init__(name, device)
        self._handle: int = device.fileno()
        self._incoming = _linux_select.poll()
        self._incoming.register(self._handle, _linux_select.POLLIN)

    def fileno(self) -> int:
        """Return the descriptor, which is ready when `read` has something to return or to raise."""
        return self._handle

    def write(self, data: bytes) -> None:
        """See Transport.write."""
        until = self.now_ms() + WRITE_LIMIT_MS
        outgoing = _linux_select.poll()
        outgoing.register(self._handle, _linux_select.POLLOUT)
        try:
            while data:
                self._check_is_open()
                if not outgoing.poll(max(0, until - self.now_ms())):
                    raise PortGone(self.name, f"it takes no bytes for {WRITE_LIMIT_MS} ms; reset the board")
                with suppress(BlockingIOError):
                    data = data[os.write(self._handle, data) :]
        except OSError as error:
            raise self._gone(error) from error

    def _read_once(self, timeout_ms: int) -> bytes:
        try:
            self._check_is_open()
            if not self._incoming.poll(timeout_ms):
                return b""
            self._check_is_open()
            data = os.read(self._handle, READ_SIZE)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise self._gone(error) from error
        if not data:
            raise self._gone(OSError(errno.EIO, "it has hung up"))
        return data

    def _check_is_open(self) -> None:
        # Another thread may have closed it, and the descriptor's number may be another file's by now.
        if not self._device.is_open:
            raise OSError(errno.EBADF, "it was closed here")


class SimulatedPort(SerialPort):
    """A port whose time passes while it is read; its table says what time it is."""

    def __init__(self, name: str, device: Any, virtual_now_ms: Callable[[], int]) -> None:
        super().__init__(name, device)
        self._virtual_now_ms = virtual_now_ms

    def read(self, timeout_ms: int) -> bytes:
        """See Transport.read."""
        return self._read_once(timeout_ms)

    def _read_once(self, timeout_ms: int) -> bytes:
        # Whatever the size, it returns what is there as soon as something is.
        device = self._device
        try:
            device.timeout = timeout_ms / 1000
            return bytes(device.read(READ_SIZE))
        except (serial.SerialException, OSError) as error:
            raise self._gone(error) from error

    def now_ms(self) -> int:
        """See Transport.now_ms."""
        return self._virtual_now_ms()

    def wall_ms(self) -> int:
        """See Transport.wall_ms."""
        return self.now_ms()
