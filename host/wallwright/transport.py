"""Bytes to and from a port, and the clock that belongs to it. All that the host knows of pyserial is in this module.

A port is one string: `/dev/ttyACM0`, `COM5`, `socket://127.0.0.1:4000`, `sim://?seed=1`. A simulated port brings its
own clock: its time passes while it is read, so nothing here may read more often than it has to.

Where the system can wait for many descriptors of any kind, a port is waited for by its own (DescriptorPort). Windows
can do so for sockets alone, macOS not for devices: there a thread reads each port (`read_by_thread.ReadPort`).
"""

import errno
import importlib
import os
import re
import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from socket import gaierror
from typing import Any, Protocol
from urllib.parse import urlsplit

import serial

from .errors import BadPort, PortBusy, PortDenied, PortError, PortGone, PortNotFound
from .simulated import register_simulated_ports
from .wall_clock import wall_ms

BAUD_RATE = 115_200
"""Of a board on a UART; USB, sockets and simulated ports do not care."""
SLICE_MS = 50
"""A real port is read in waits of this length at the most, so that closing and Ctrl-C never wait for long."""
WRITE_LIMIT_MS = 1000
"""A port that takes no bytes for this long is given up; a request is a few dozen bytes."""
READ_SIZE = 4096


_linux_select: Any = select
"""Types know of no `poll` where there is none; with CAN_POLL there is."""
CAN_POLL = hasattr(select, "poll") and hasattr(os, "eventfd")
"""Whether ports are waited for by their descriptors, as on Linux."""
_WINDOWS_ERROR = re.compile(r"(FileNotFoundError|PermissionError|OSError)\(\d+, .*, (\d+)\)")
"""What pyserial says when Windows opens no port: its own error's text has Python's, and nothing else of it."""
_DEVICE_AWAY = (21, 31, 121, 433, 1167)
"""Windows: not ready, not functioning, no answer in time, no such device, not connected."""


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


def open_transport(port: str) -> Transport:
    """Open `port` for this program alone.

    Raises BadPort, PortNotFound, PortDenied or PortBusy.
    """
    scheme = port.partition("://")[0].lower()
    if scheme == "sim":
        register_simulated_ports()
    try:
        if scheme == "socket" and urlsplit(port).port is None:
            raise ValueError("it lacks the port's number")
        # Any: its kinds of port have more about them than the base class that its types know.
        device: Any = serial.serial_for_url(port, do_not_open=True)
    except ValueError as error:
        problem = f"this is no port ({error}); write /dev/ttyACM0, COM5, socket://HOST:PORT or sim://"
        raise BadPort(port, problem) from error
    device.baudrate = BAUD_RATE
    device.timeout = 0
    device.write_timeout = WRITE_LIMIT_MS / 1000
    device.exclusive = True
    # Both lines high is how the kernel opens a port anyway, so nothing changes while it opens; a USB board sends only
    # when DTR is high, and the reset circuit of boards that have one fires only when the two lines differ.
    device.dtr = True
    device.rts = True
    if scheme == "socket":
        # A new socket is empty; pyserial would find that out by a `select`, which see below.
        device.reset_input_buffer = lambda: None
    try:
        device.open()
        if scheme == "socket":
            # A request behind an acknowledgement would else wait for the other end to acknowledge that one.
            device._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except (serial.SerialException, OSError) as error:
        raise _why_not_open(port, error) from error
    if scheme == "sim":
        return SimulatedPort(port, device, device.virtual_now_ms)
    if scheme != "socket" and "://" in port:
        return SerialPort(port, device)
    if CAN_POLL:
        return DescriptorPort(port, device)
    from .read_by_thread import ReadPort

    return ReadPort(port, device)


_NOBODY = "nobody answers there; is the table switched on, and the port number right?"


def _why_not_open(port: str, error: OSError) -> PortError:
    # pyserial puts the system's error number into its own error or leaves the original one in its context.
    number = error.errno
    cause = error.__context__
    if number is None and isinstance(cause, (OSError, TerminalError)):
        number = cause.args[0]
    if number is None:
        number = _windows_error_number(str(error))
    if number == errno.ENOENT:
        return PortNotFound(port, "there is no such port; is the table plugged in and switched on?")
    if number in (errno.ENXIO, errno.EIO):
        return PortNotFound(port, _NOBODY)
    if number in (errno.EACCES, errno.EPERM):
        return PortDenied(port, "you may not open it; add yourself to its group (often dialout), then log in again")
    if number in (errno.EBUSY, errno.EAGAIN, errno.EADDRINUSE) or error.strerror == "busy":
        return PortBusy(port, "another program has it open; end that program first")
    if isinstance(cause, gaierror):
        return PortNotFound(port, "no machine of that name is known here; check it, or give its address")
    if port.lower().startswith("socket://"):
        # Refused, reset, out of reach, no answer in time: a network has many ways to fail, and all of them may pass.
        return PortNotFound(port, _NOBODY)
    if number in (errno.ENOTTY, errno.EISDIR, errno.EINVAL):
        return BadPort(port, "this is no serial port; check the name")
    return BadPort(port, str(error).removeprefix(f"{port}: "))


def _windows_error_number(text: str) -> int | None:
    """Return the POSIX error that fits best to what pyserial says of a COM port."""
    found = _WINDOWS_ERROR.search(text)
    if found is None:
        return None
    kind, number = found[1], int(found[2])
    if kind == "FileNotFoundError":
        return errno.ENOENT
    if kind == "PermissionError":
        # A COM port has one program at a time, and no owner whose permission anybody would lack.
        return errno.EBUSY
    return errno.EIO if number in _DEVICE_AWAY else errno.EINVAL


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
    a hall would end at its two hundredth table. Whoever has many ports waits for `fileno` and reads with timeout 0.
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

    def now_ms(self) -> int:
        """See Transport.now_ms."""
        return self._virtual_now_ms()

    def wall_ms(self) -> int:
        """See Transport.wall_ms."""
        return self.now_ms()
