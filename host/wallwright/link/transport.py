"""Opens ports, each named by one string, and says why one does not open.

A port is one string: `/dev/ttyACM0`, `COM5`, `socket://127.0.0.1:4000`, `sim://?seed=1`. A simulated port brings its
own clock: its time passes while it is read, so nothing may read it more often than it has to.

Where the system can wait for many descriptors of any kind, a port is waited for by its own (DescriptorPort). Windows
can do so for sockets alone, macOS not for devices: there a thread reads each port (`read_by_thread.ReadPort`).
"""

import errno
import re
import socket
from socket import gaierror
from typing import Any
from urllib.parse import urlsplit

import serial

from ..errors import BadPort, PortBusy, PortDenied, PortError, PortNotFound
from .ports import CAN_POLL, WRITE_LIMIT_MS, DescriptorPort, SerialPort, SimulatedPort, TerminalError, Transport
from .read_by_thread import ReadPort
from .simulator import register_simulated_ports

BAUD_RATE = 115_200
"""Of a board on a UART; USB, sockets and simulated ports do not care."""
_WINDOWS_ERROR = re.compile(r"(FileNotFoundError|PermissionError|OSError)\(\d+, .*, (\d+)\)")
"""What pyserial says when Windows opens no port: its own error's text has Python's, and nothing else of it."""
_DEVICE_AWAY = (21, 31, 121, 433, 1167)
"""Windows: not ready, not functioning, no answer in time, no such device, not connected."""


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
