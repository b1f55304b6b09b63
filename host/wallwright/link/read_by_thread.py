"""A port that a thread of its own reads, for systems that cannot wait for its descriptor: a COM port, a port of macOS.

The thread takes what arrives as soon as it does, up to `ROOM_BYTES`, then leaves it to the system until somebody reads:
there it stops a sender that floods.
"""

import errno
import select
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import serial

from .ports import READ_SIZE, SerialPort

ROOM_BYTES = 65_536
LOOK_S = 0.25
"""The thread looks this often whether the port is to be closed, where nothing can end its read sooner."""
END_LIMIT_S = 0.75
"""A driver that lets no read end is left to itself after this long."""


class ReadPort(SerialPort):
    """See Transport; `on_arrival` is called by the thread whenever there is something to read or to raise."""

    def __init__(self, name: str, device: Any) -> None:
        super().__init__(name, device)
        self.on_arrival: Callable[[], None] = lambda: None
        self._changed = threading.Condition()
        self._arrived = bytearray()
        self._failure: OSError | None = None
        self._is_closing = False
        # Once and for all: Windows sets the whole port up anew with every change, while others may be writing to it.
        device.timeout = LOOK_S
        self._take = _taking_from(device)
        self._thread = threading.Thread(target=self._run, name=f"reads {name}", daemon=True)
        self._thread.start()

    @property
    def is_ready(self) -> bool:
        """Whether `read` has something to return or to raise."""
        return bool(self._arrived) or self._failure is not None or self._is_closing

    def write(self, data: bytes) -> None:
        """See Transport.write."""
        if self._is_closing:
            raise self._gone(_closed())
        super().write(data)

    def close(self) -> None:
        """See Transport.close."""
        with self._changed:
            if self._is_closing:
                return
            self._is_closing = True
            self._changed.notify_all()
        with suppress(OSError):
            self._end_read()
        self._thread.join(END_LIMIT_S)
        super().close()

    def _end_read(self) -> None:
        if hasattr(self._device, "_socket"):
            self._device._socket.shutdown(socket.SHUT_RDWR)
        elif hasattr(self._device, "cancel_read"):
            self._device.cancel_read()

    def _read_once(self, timeout_ms: int) -> bytes:
        with self._changed:
            self._changed.wait_for(lambda: self.is_ready, timeout_ms / 1000)
            if self._is_closing:
                raise self._gone(_closed())
            if not self._arrived and self._failure is not None:
                raise self._gone(self._failure) from self._failure
            data = bytes(self._arrived[:READ_SIZE])
            del self._arrived[: len(data)]
            self._changed.notify_all()
            return data

    def _run(self) -> None:
        try:
            while self._has_room():
                data = self._take()
                if data:
                    self._tell(data)
        except (serial.SerialException, OSError) as error:
            self._tell(failure=error)
        except (TypeError, ValueError, AttributeError) as error:
            # pyserial trips over its own attributes when a port is closed under a read that did not end in time.
            self._tell(failure=OSError(errno.EIO, str(error)))

    def _tell(self, data: bytes = b"", failure: OSError | None = None) -> None:
        with self._changed:
            self._arrived += data
            self._failure = failure
            self._changed.notify_all()
        self.on_arrival()

    def _has_room(self) -> bool:
        """Wait for room; False when the port is to be closed."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._arrived) < ROOM_BYTES or self._is_closing)
            return not self._is_closing


def _taking_from(device: Any) -> Callable[[], bytes]:
    """Return what waits for bytes, for LOOK_S at the most, and returns them."""
    connection = getattr(device, "_socket", None)
    return partial(_from_device, device) if connection is None else partial(_from_socket, connection)


def _from_device(device: Any) -> bytes:
    first = device.read(1)
    return bytes(first + device.read(min(READ_SIZE, device.in_waiting))) if first else b""


def _from_socket(connection: socket.socket) -> bytes:
    if not select.select([connection], [], [], LOOK_S)[0]:
        return b""
    data = connection.recv(READ_SIZE)
    if not data:
        raise OSError(errno.EIO, "it has hung up")
    return data


def _closed() -> OSError:
    return OSError(errno.EBADF, "it was closed here")
