"""Ports of every kind, opened, read, written, broken and closed; all failures are the project's own errors."""

import errno
import os
import random
import resource
import select
import socket
import sys
import termios
import threading
import time
from collections.abc import Iterator
from typing import NoReturn

import pytest
import serial

from tests.host.ends import Pty, address
from wallwright.errors import BadPort, PortBusy, PortDenied, PortGone, PortNotFound
from wallwright.link import transport as transport_module
from wallwright.link.ports import WRITE_LIMIT_MS, DescriptorPort, SerialPort
from wallwright.link.reconnect import FOR_A_PERSON
from wallwright.link.simulator import simulator
from wallwright.link.transport import open_transport

CLOSE_LIMIT_S = 10.0


@pytest.fixture(params=["descriptor", "thread"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ports as Linux waits for them, and as a thread reads them where the system cannot."""
    if request.param == "thread":
        monkeypatch.setattr(transport_module, "CAN_POLL", False)


ONE_OF = "write /dev/ttyACM0, COM5, socket://HOST:PORT or sim://"


@pytest.mark.parametrize(
    ("port", "kind", "says"),
    [
        ("/dev/there-is-no-such-port", PortNotFound, ""),
        ("there-is-no-such-port", PortNotFound, ""),
        ("", PortNotFound, ""),
        ("/dev/null", BadPort, "this is no serial port; check the name"),
        ("/", BadPort, "this is no serial port; check the name"),
        (__file__, BadPort, "this is no serial port; check the name"),
        ("tables://3", BadPort, f"this is no port (invalid URL, protocol 'tables' not known); {ONE_OF}"),
        ("socket://127.0.0.1", BadPort, f"this is no port (it lacks the port's number); {ONE_OF}"),
        ("socket://127.0.0.1:99999", BadPort, f"this is no port (Port out of range 0-65535); {ONE_OF}"),
        ("sim://?seed=x", BadPort, "seed takes a whole number, not 'x'"),
        ("sim://?sead=1", BadPort, "unknown option sead; there are seed, "),
        ("sim://?tiles=100", BadPort, "no set of 100 tiles is known: use one of 108, "),
        ("sim://?name=nobody", BadPort, "no simulated table is called nobody"),
        ("sim://here", BadPort, "write sim://?seed=1&tiles=108"),
    ],
)
def test_a_port_that_cannot_be_opened_is_named_in_one_line(port: str, kind: type[Exception], says: str) -> None:
    with pytest.raises(kind) as caught:
        open_transport(port)
    text = str(caught.value)
    assert text.startswith(f"{port}: {says}")
    assert "\n" not in text
    assert text.count(port) == 1 or not port


def test_nobody_listening_is_not_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        name = address(server)
    with pytest.raises(PortNotFound):
        open_transport(name)


@pytest.mark.parametrize(("number", "kind"), [(13, PortDenied), (16, PortBusy), (11, PortBusy), (6, PortNotFound)])
def test_the_system_s_reasons_have_names(
    monkeypatch: pytest.MonkeyPatch, number: int, kind: type[Exception], pty: Pty
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("serial.serialposix.os.open", refuse)
    with pytest.raises(kind):
        open_transport(pty.name)


def test_without_the_simulator_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wallwright_simulator", None)
    with pytest.raises(BadPort, match="not installed"):
        open_transport("sim://")


def test_a_fault_inside_the_simulator_is_not_taken_for_its_absence() -> None:
    with pytest.raises(BadPort, match="not installed"):
        simulator("no_such_module")
    with pytest.raises(ModuleNotFoundError, match="nothing_like_it"):
        __import__("nothing_like_it")


@pytest.mark.usefixtures("either_way")
def test_one_port_has_one_program(pty: Pty) -> None:
    transport = open_transport(pty.name)
    with pytest.raises(PortBusy):
        open_transport(pty.name)
    transport.close()
    open_transport(pty.name).close()


def test_one_simulated_table_has_one_program() -> None:
    attach = simulator("simulation").attach
    port = attach("one-host", simulator("simulation").Simulation(3))
    transport = open_transport(port)
    with pytest.raises(PortBusy):
        open_transport(port)
    transport.close()
    open_transport(port).close()


@pytest.mark.usefixtures("either_way")
def test_every_byte_passes_a_pty_both_ways(pty: Pty) -> None:
    transport = open_transport(pty.name)
    everything = bytes(range(256)) * 3
    transport.write(everything)
    got = b""
    while len(got) < len(everything):
        got += os.read(pty.master, 4096)
    assert got == everything
    os.write(pty.master, everything)
    got = b""
    while len(got) < len(everything):
        got += transport.read(1000)
    assert got == everything
    assert transport.read(0) == b""
    transport.close()


@pytest.mark.usefixtures("either_way")
def test_the_lines_do_not_change_while_a_port_opens(monkeypatch: pytest.MonkeyPatch, pty: Pty) -> None:
    seen = []

    def note(device: serial.Serial) -> None:
        seen.append((device.dtr, device.rts, device.exclusive, device.write_timeout, device.is_open))

    monkeypatch.setattr(serial.Serial, "_update_dtr_state", note)
    monkeypatch.setattr(serial.Serial, "_update_rts_state", note)
    open_transport(pty.name).close()
    assert {state[:4] for state in seen} == {(True, True, True, WRITE_LIMIT_MS / 1000)}


@pytest.mark.usefixtures("either_way")
def test_a_terminal_without_modem_lines_is_a_port(monkeypatch: pytest.MonkeyPatch, pty: Pty) -> None:
    def not_a_modem(*_: object) -> None:
        raise OSError(25, "Inappropriate ioctl for device")

    monkeypatch.setattr(serial.Serial, "_update_dtr_state", not_a_modem)
    transport = open_transport(pty.name)
    os.write(pty.master, b"x")
    assert transport.read(1000) == b"x"
    transport.close()


@pytest.mark.usefixtures("either_way")
def test_a_read_ends_with_the_first_bytes_or_the_time(pty: Pty) -> None:
    transport = open_transport(pty.name)
    start = time.monotonic()
    assert transport.read(120) == b""
    assert 0.11 <= time.monotonic() - start < 20
    os.write(pty.master, b"abc")
    start = time.monotonic()
    assert transport.read(60_000) == b"abc"
    assert time.monotonic() - start < 30
    transport.close()


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("when", ["before the read", "during the read"])
def test_a_pty_that_hangs_up_is_gone(pty: Pty, when: str) -> None:
    transport = open_transport(pty.name)
    thread = threading.Thread(target=pty.hang_up)
    if when == "before the read":
        pty.hang_up()
    else:
        thread.start()
    with pytest.raises(PortGone):
        transport.read(20_000)
    if thread.ident:
        thread.join()
    start = time.monotonic()
    transport.close()
    transport.close()
    assert time.monotonic() - start < CLOSE_LIMIT_S


@pytest.mark.usefixtures("either_way")
def test_a_socket_that_hangs_up_is_gone(server: socket.socket) -> None:
    transport = open_transport(address(server))
    peer, _ = server.accept()
    peer.send(b"last words")
    peer.close()
    assert transport.read(5000) == b"last words"
    with pytest.raises(PortGone, match="gone"):
        transport.read(5000)
    start = time.monotonic()
    transport.close()
    assert time.monotonic() - start < CLOSE_LIMIT_S


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize(
    "error",
    [
        TimeoutError("timed out"),
        *(OSError(number, os.strerror(number)) for number in (errno.ECONNRESET, errno.EPIPE, errno.EHOSTDOWN)),
    ],
    ids=str,
)
def test_a_network_that_fails_while_a_port_opens_is_nothing_for_a_person_to_mend(
    error: OSError, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of these passes: the table is asked again soon, and not as slowly as one whose port was mistyped."""

    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    monkeypatch.setattr(socket, "create_connection", fail)
    with pytest.raises(PortNotFound, match="nobody answers there") as caught:
        open_transport("socket://127.0.0.1:9")
    assert not isinstance(caught.value, FOR_A_PERSON)


def test_a_socket_that_was_reset_is_closed_without_a_leak(server: socket.socket) -> None:
    transport = open_transport(address(server))
    assert isinstance(transport, SerialPort)
    raw = transport._device._socket
    peer, _ = server.accept()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    peer.close()
    with pytest.raises(PortGone):
        transport.read(5000)
    transport.close()
    assert raw.fileno() == -1


@pytest.mark.usefixtures("either_way")
def test_a_port_that_takes_no_bytes_is_given_up_and_closed_in_time(pty: Pty) -> None:
    transport = open_transport(pty.name)
    start = time.monotonic()
    with pytest.raises(PortGone, match="takes no bytes"):
        transport.write(bytes(10_000_000))
    assert time.monotonic() - start < WRITE_LIMIT_MS / 1000 + CLOSE_LIMIT_S
    start = time.monotonic()
    transport.close()
    assert time.monotonic() - start < CLOSE_LIMIT_S


@pytest.mark.usefixtures("either_way")
def test_real_time_starts_near_zero_and_wall_time_is_the_system_s(pty: Pty) -> None:
    transport = open_transport(pty.name)
    assert 0 <= transport.now_ms() < 5000
    assert abs(transport.wall_ms() - time.time() * 1000) < 5000
    transport.close()


def test_a_simulated_port_has_its_own_time_and_takes_none_of_ours() -> None:
    transport = open_transport("sim://?seed=2")
    start = time.monotonic()
    before = transport.now_ms()
    assert transport.read(3_600_000) == b""
    assert transport.now_ms() - before == 3_600_000
    assert transport.wall_ms() == transport.now_ms()
    assert time.monotonic() - start < 30
    transport.close()


@pytest.mark.usefixtures("either_way")
def test_a_pty_is_left_raw(pty: Pty) -> None:
    open_transport(pty.name).close()
    local = termios.tcgetattr(pty.slave)[3]
    assert not local & (termios.ECHO | termios.ICANON | termios.ISIG)


@pytest.mark.usefixtures("either_way")
def test_bytes_come_whole_however_they_are_cut(pty: Pty, seed: int) -> None:
    rng = random.Random(seed)
    data = rng.randbytes(20_000)
    transport = open_transport(pty.name)

    def feed() -> None:
        at = 0
        while at < len(data):
            select.select([], [pty.master], [])
            at += os.write(pty.master, data[at : at + rng.randint(1, 400)])

    thread = threading.Thread(target=feed)
    thread.start()
    got = b""
    while len(got) < len(data):
        piece = transport.read(10_000)
        assert piece, f"only {len(got)} of {len(data)} bytes came"
        got += piece
    thread.join()
    transport.close()
    assert got == data


@pytest.fixture
def many_files() -> Iterator[None]:
    """All descriptors that `select` could wait for are taken."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, limits[1]), limits[1]))
    held: list[int] = []
    while not held or held[-1] < 1100:
        held.append(os.dup(held[-1] if held else 0))
    yield
    for handle in held:
        os.close(handle)
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_host_with_a_thousand_open_files_still_reads_and_writes(many_files: None, pty: Pty) -> None:
    transport = open_transport(pty.name)
    assert isinstance(transport, DescriptorPort)
    assert transport.fileno() > 1023
    os.write(pty.master, b"from the board")
    assert transport.read(5000) == b"from the board"
    transport.write(b"to the board")
    assert os.read(pty.master, 100) == b"to the board"
    transport.close()


@pytest.mark.usefixtures("either_way")
def test_a_port_closed_meanwhile_is_gone_for_its_reader(pty: Pty) -> None:
    transport = open_transport(pty.name)
    closer = threading.Thread(target=transport.close)
    start = time.monotonic()
    closer.start()
    with pytest.raises(PortGone):
        transport.read(20_000)
    assert time.monotonic() - start < CLOSE_LIMIT_S
    closer.join()
    with pytest.raises(PortGone):
        transport.write(b"x")


def test_small_frames_leave_a_socket_at_once(server: socket.socket) -> None:
    transport = open_transport(address(server))
    assert isinstance(transport, DescriptorPort)
    with socket.socket(fileno=os.dup(transport.fileno())) as same:
        assert same.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    transport.close()
