"""Ports that a test may open: a pseudo-terminal, and a server on this machine."""

import socket
from collections.abc import Iterator

import pytest

from tests.host.ends import Pty


@pytest.fixture
def pty() -> Iterator[Pty]:
    pty = Pty()
    yield pty
    pty.hang_up()


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server
