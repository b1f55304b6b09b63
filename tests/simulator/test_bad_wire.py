"""A table's port on a bad network: each fault does what it says at the host's end, and ends."""

import random
import socket
import time
from collections.abc import Callable, Iterator

import pytest

from wallwright_simulator.bad_wire import BadWire

LIMIT_S = 20.0
SHORT_S = 0.3


class Line:
    """A bad wire and a host's socket at it."""

    def __init__(self, seed: int) -> None:
        self.wire = BadWire(random.Random(seed))
        self.host = self.connect()
        self.heard = b""

    def connect_again(self) -> None:
        self.host.close()
        self.host = self.connect()

    def connect(self) -> socket.socket:
        host = socket.create_connection(("127.0.0.1", int(self.wire.name.rpartition(":")[2])))
        host.setblocking(False)
        return host

    def say(self, data: bytes) -> None:
        self.wire.write(data)

    def step(self) -> bytes:
        """Let the wire work; return what has come to the board."""
        came = self.wire.read()
        try:
            data = self.host.recv(65536)
        except BlockingIOError:
            time.sleep(0.001)
        else:
            self.heard += data
        return came

    def until(self, fits: Callable[[bytes], bool]) -> bytes:
        """Step until what has come to the board by then fits."""
        end, came = time.monotonic() + LIMIT_S, b""
        while not fits(came):
            assert time.monotonic() < end
            came += self.step()
        return came

    def is_sound(self) -> bool:
        """Whether bytes pass unchanged both ways."""
        self.heard = b""
        self.host.send(b"up")
        assert self.until(lambda came: came.endswith(b"up")).endswith(b"up")
        self.say(b"down")
        self.until(lambda _: self.heard.endswith(b"down"))
        return True


@pytest.fixture
def line(seed: int) -> Iterator[Line]:
    line = Line(seed)
    line.until(lambda _: len(line.wire.handles()) == 2)
    assert line.is_sound()
    yield line
    line.host.close()
    line.wire.close()


def test_a_reset_is_seen_at_once_and_another_connection_works(line: Line) -> None:
    line.wire.reset()
    with pytest.raises(ConnectionResetError):
        line.until(lambda _: False)
    line.connect_again()
    assert line.is_sound()


@pytest.mark.slow
def test_an_unplugged_wire_resets_every_connection_until_it_is_back(line: Line) -> None:
    line.wire.unplug(SHORT_S)
    resets = 0
    end = time.monotonic() + SHORT_S
    while time.monotonic() < end:
        try:
            line.step()
        except ConnectionResetError:
            resets += 1
            line.connect_again()
    assert resets > 1
    line.until(lambda _: line.wire.due_s == float("inf"))
    while True:
        try:
            assert line.is_sound()
            return
        except ConnectionResetError:  # the last one before it was back
            line.connect_again()


def test_a_half_open_link_says_nothing_and_takes_everything_for_good(line: Line) -> None:
    old = line.host
    line.wire.go_dark(SHORT_S)
    end = time.monotonic() + 2 * SHORT_S
    while time.monotonic() < end:
        old.send(b"x")
        line.say(b"y")
        assert line.step() == b""
        time.sleep(0.01)
    line.host = line.connect()
    assert line.is_sound()
    with pytest.raises(BlockingIOError):
        old.recv(1)
    old.close()


def test_a_line_that_loses_or_spoils_does_so_both_ways_and_gets_well(line: Line) -> None:
    for fault in (line.wire.lose, line.wire.spoil):
        fault(1.0, SHORT_S)
        line.heard = b""
        line.host.send(b"up")
        line.say(b"down")
        came = b""
        end = time.monotonic() + SHORT_S
        while time.monotonic() < end:
            came += line.step()
        assert came != b"up"
        assert line.heard != b"down"
        assert (came == line.heard == b"") == (fault == line.wire.lose)
        assert line.is_sound()


def test_what_is_late_comes_whole_and_in_its_order(line: Line) -> None:
    line.heard = b""
    line.wire.delay(0.05, SHORT_S)
    sent, came = bytes(range(50)), b""
    for number in sent:
        line.host.send(bytes([number]))
        line.say(bytes([number]))
        came += line.step()
    assert came != sent, "nothing was late"
    assert came + line.until(lambda more: len(came + more) == len(sent)) == sent
    line.until(lambda _: len(line.heard) == len(sent))
    assert line.heard == sent
