"""A port that is closed while somebody waits on it."""

import os
import socket
import threading
import time
import tty
from collections.abc import Callable, Iterator

import pytest

from wallwright.errors import PortGone
from wallwright.link.ports import Transport
from wallwright.link.transport import open_transport

CLOSE_LIMIT_S = 10.0


@pytest.fixture
def pty_port() -> Iterator[str]:
    master, slave = os.openpty()
    tty.setraw(slave)
    yield os.ttyname(slave)
    os.close(slave)
    os.close(master)


@pytest.fixture
def tcp_port() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"socket://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture(params=["pty_port", "tcp_port"])
def port(request: pytest.FixtureRequest) -> str:
    name: str = request.getfixturevalue(request.param)
    return name


def ends_in(limit_s: float, thread: threading.Thread) -> bool:
    start = time.monotonic()
    thread.join(4 * CLOSE_LIMIT_S)
    return not thread.is_alive() and time.monotonic() - start < limit_s


def test_row_12_a_close_ends_a_read_that_waits(port: str) -> None:
    transport = open_transport(port)
    began = threading.Event()
    ended: list[object] = []

    def wait(transport: Transport) -> None:
        began.set()
        try:
            ended.append(transport.read(60_000))
        except PortGone as error:
            ended.append(error)

    reader = threading.Thread(target=wait, args=(transport,), daemon=True)
    reader.start()
    assert began.wait(60)
    start = time.monotonic()
    transport.close()
    assert time.monotonic() - start < CLOSE_LIMIT_S
    assert ends_in(CLOSE_LIMIT_S, reader)
    assert len(ended) == 1
    assert isinstance(ended[0], PortGone)


@pytest.mark.parametrize("use", [lambda port: port.read(1000), lambda port: port.write(b"x")], ids=["read", "write"])
def test_row_12_a_closed_port_is_gone_and_no_wait(port: str, use: Callable[[Transport], object]) -> None:
    transport = open_transport(port)
    transport.close()
    start = time.monotonic()
    with pytest.raises(PortGone):
        use(transport)
    assert time.monotonic() - start < CLOSE_LIMIT_S
