"""Answers of servers that this program asks: so many bytes in so much time, whatever a server does.

A timeout of a socket counts from byte to byte, so a server that sends one a second could keep a program for days. Here
a clock ends the connection, in whatever part of the answer the server is.
"""

import errno
import socket
import ssl
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Any, Final, Protocol

from ..errors import BadInput
from .disk import read_whole
from .trusted import problem_with

ANSWER_S: Final = 60.0
"""A whole answer of some kB has this long."""


class Readable(Protocol):
    """An answer whose body can be read."""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes of it, or all."""


def read_answer(answer: Readable, most: int) -> bytes:
    """Return the body of an answer. OSError for one of more than `most` bytes."""
    data = answer.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it answers with more than {most:,} bytes")
    return data


@contextmanager
def ended_after(seconds: float, connected: Callable[[], socket.socket | None]) -> Iterator[None]:
    """End the connection that `connected` gives when what is done within takes longer.

    TimeoutError says so, whatever has failed by that.
    """
    is_late = threading.Event()

    def end() -> None:
        is_late.set()
        found = connected()
        if found is not None:
            with suppress(OSError):
                found.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception as error:
        if is_late.is_set():
            raise _late(seconds) from error
        raise
    finally:
        timer.cancel()
    if is_late.is_set():
        raise _late(seconds)


@contextmanager
def asked(
    request: urllib.request.Request,
    timeout: float,
    seconds: float,
    *handlers: Any,
    context: ssl.SSLContext | None = None,
) -> Iterator[Any]:
    """Give the answer to a request, as `urllib.request.urlopen` does; `timeout` is that of each step.

    It has so many seconds in all, also while it is read. Raises OSError and HTTPException.
    """
    sockets: list[socket.socket] = []

    class Kept(HTTPConnection):
        def connect(self) -> None:
            super().connect()
            sockets.append(self.sock)

    class KeptSecure(HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            sockets.append(self.sock)

    class Plain(urllib.request.HTTPHandler):
        def http_open(self, req: urllib.request.Request) -> Any:
            return self.do_open(Kept, req)

    class Secure(urllib.request.HTTPSHandler):
        def https_open(self, req: urllib.request.Request) -> Any:
            return self.do_open(KeptSecure, req, context=context)

    opener = urllib.request.build_opener(Plain, Secure, *handlers)
    late = ended_after(seconds, lambda: sockets[-1] if sockets else None)
    with late, opener.open(request, timeout=timeout) as answer:
        yield answer


def trusting(certificate: Path, *, is_private: bool = False) -> ssl.SSLContext:
    """Return what trusts the certificates of a file in PEM. BadInput when there are none, or when the file is to be
    private and others can change it.
    """
    try:
        if is_private and (is_open := problem_with(certificate)) is not None:
            raise BadInput(f"{certificate}: {is_open}")
        # OpenSSL itself would read a file without end to its end.
        return ssl.create_default_context(cadata=read_whole(certificate).decode("ascii", errors="ignore"))
    except (OSError, ssl.SSLError) as error:
        raise BadInput(f"{certificate}: no certificate can be read from it; check the path") from error


def _late(seconds: float) -> TimeoutError:
    return TimeoutError(errno.ETIMEDOUT, f"its answer has not come in {seconds:g} s")
