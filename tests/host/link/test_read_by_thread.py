"""Ports that a thread reads, and what pyserial says on Windows; `test_transport.py` tries all kinds alike."""

import select
import socket
import threading

import pytest
import serial

from tests.host.ends import Pty, address
from wallwright.errors import BadPort, PortBusy, PortNotFound
from wallwright.link import read_by_thread
from wallwright.link import transport as transport_module
from wallwright.link.ports import READ_SIZE
from wallwright.link.read_by_thread import ROOM_BYTES, ReadPort
from wallwright.link.transport import open_transport


@pytest.fixture
def by_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport_module, "CAN_POLL", False)


def test_a_thread_leaves_a_flood_to_the_system(by_thread: None, server: socket.socket) -> None:
    transport = open_transport(address(server))
    assert isinstance(transport, ReadPort)
    peer, _ = server.accept()
    peer.setblocking(False)
    sent = 0
    while select.select([], [peer], [], 1)[1]:
        sent += peer.send(bytes(100_000))
    held = len(transport._arrived)
    assert ROOM_BYTES <= held < ROOM_BYTES + READ_SIZE
    got = 0
    while got < sent:
        got += len(transport.read(10_000))
    assert transport.read(0) == b""
    transport.close()
    peer.close()


def test_a_thread_ends_with_its_port(by_thread: None, server: socket.socket, pty: Pty) -> None:
    for name in (address(server), pty.name):
        before = threading.active_count()
        transport = open_transport(name)
        assert threading.active_count() == before + 1
        transport.close()
        assert threading.active_count() == before


class Waiting:
    """A port on which so many bytes wait; notes how many are asked for, which lasts until all of them are there."""

    def __init__(self, count: int) -> None:
        self.in_waiting = count
        self.asked: list[int] = []

    def read(self, count: int) -> bytes:
        self.asked.append(count)
        data = bytes(min(count, self.in_waiting))
        self.in_waiting -= len(data)
        return data


@pytest.mark.parametrize(
    ("there", "asked"),
    [(0, [1]), (1, [1, 0]), (6, [1, 5]), (READ_SIZE + 1, [1, READ_SIZE]), (READ_SIZE + 2, [1, READ_SIZE])],
)
def test_a_thread_asks_for_one_byte_and_then_for_those_that_wait_and_no_more(there: int, asked: list[int]) -> None:
    device = Waiting(there)
    assert read_by_thread._from_device(device) == bytes(min(there, READ_SIZE + 1))
    assert device.asked == asked


class ComPort:
    """What pyserial has for Windows, as far as its opening, which fails with this text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def open(self) -> None:
        raise serial.SerialException(f"could not open port 'COM5': {self._text}")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("FileNotFoundError(2, 'The system cannot find the file specified.', None, 2)", PortNotFound),
        ("PermissionError(13, 'Zugriff verweigert', None, 5)", PortBusy),
        ("OSError(22, 'A device attached to the system is not functioning.', None, 31)", PortNotFound),
        ("OSError(22, '参数错误。', None, 87)", BadPort),
    ],
)
def test_the_reasons_of_windows_have_names(monkeypatch: pytest.MonkeyPatch, text: str, kind: type[Exception]) -> None:
    monkeypatch.setattr(serial, "serial_for_url", lambda *_, **__: ComPort(text))
    with pytest.raises(kind) as caught:
        open_transport("COM5")
    assert str(caught.value).startswith("COM5: ")
    assert "None" not in str(caught.value)
