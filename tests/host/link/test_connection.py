"""The connection: handshake, requests, events and all that a line can do to them."""

import random

import pytest

from tests.host.line import Board, Line, dropping
from wallwright.errors import BoardReset, ConnectionLost, NoAnswer, NotATable
from wallwright.link.connection import HANDSHAKE_MS, IDLE_MS, QUIET_MS, Connection
from wallwright.link.reports import Event, Status, Strange
from wallwright_protocol import codes, link
from wallwright_protocol.frame import encode


def connected(board: Board | None = None) -> tuple[Connection, Line]:
    line = Line(board or Board())
    connection = Connection(line)
    connection.connect()
    return connection, line


def names(connection: Connection) -> list[str]:
    return [item.name for item in connection.inbox if isinstance(item, Event)]


def test_a_board_that_is_deaf_for_two_seconds_is_met() -> None:
    line = Line(Board())
    line.deaf_until = 2000
    Connection(line).connect()
    assert 2000 <= line.now < 4000


@pytest.mark.parametrize(
    "noise", [b"MicroPython v1.25\r\n>>> ", b"\xff" * 5000, b"\x00\x00", encode(b"half a frame")[:-4], b"Traceback\0"]
)
def test_noise_before_the_first_answer_is_passed_over(noise: bytes) -> None:
    line = Line(Board())
    line.noise = noise
    connection = Connection(line)
    connection.connect()
    assert connection.boot_id == 7


def test_a_port_with_another_device_is_not_a_table() -> None:
    line = Line(Board())
    line.deaf_until = 10**9
    line.noise = b"login: "
    connection = Connection(line)
    with pytest.raises(NotATable, match="login:") as caught:
        connection.connect()
    assert line.now == HANDSHAKE_MS, "a dead port is given up in time, so that another one is tried"
    assert "hello" in caught.value.trace


def test_a_request_is_answered() -> None:
    connection, line = connected()
    assert connection.request("start_build") == (codes.OK, b"")
    assert line.board.done == ["start_build"]


@pytest.mark.parametrize("lost", range(5))
@pytest.mark.parametrize("way", ["to_board", "to_host"])
def test_a_lost_frame_neither_loses_nor_doubles_a_command(way: str, lost: int) -> None:
    connection, line = connected()
    setattr(line, way, dropping({lost}))
    for name in ("open_lid", "raise_walls", "lower_lifts"):
        assert connection.request(name)[0] == codes.OK
    assert line.board.done == ["open_lid", "raise_walls", "lower_lifts"]


def test_a_doubled_frame_is_carried_out_once() -> None:
    connection, line = connected()
    line.to_board = line.to_host = lambda frame: [frame, frame]
    connection.request("open_lid")
    connection.request("raise_walls")
    assert line.board.done == ["open_lid", "raise_walls"]


def test_commands_and_events_survive_a_bad_line(seed: int) -> None:
    rng = random.Random(seed)
    connection, line = connected()
    budget = 0

    def spoil(frame: bytes) -> list[bytes]:
        # A request has six tries. A frame whose closing zero is spoilt takes the next one with it.
        nonlocal budget
        chance = rng.random() if budget else 1
        budget -= chance < 0.3
        if chance < 0.15:
            return []
        if chance < 0.3:
            at = rng.randrange(len(frame))
            return [frame[:at] + bytes([frame[at] ^ 1 << rng.randrange(8)]) + frame[at + 1 :]]
        return [frame, frame] if chance < 0.4 else [frame]

    line.to_board = line.to_host = spoil
    wanted = []
    for number in range(30):
        budget = link.TRIES // 2 - 1
        line.board.ring.add(line.now, "referee_called", number % 4)
        name = rng.choice(["open_lid", "raise_walls", "lower_lifts"])
        wanted.append(name)
        assert connection.request(name)[0] == codes.OK
    line.to_board = line.to_host = lambda frame: [frame]
    until = line.now + 20_000
    while len(names(connection)) < 30 and line.now < until:
        connection.inbox, before = type(connection.inbox)(), connection.inbox
        connection.pump(1000)
        connection.inbox.extendleft(reversed(before))
    assert line.board.done == wanted
    events = [item for item in connection.inbox if isinstance(item, Event)]
    assert [event.seq for event in events] == list(range(1, 31))
    assert [event.fields["side"] for event in events] == [number % 4 for number in range(30)]
    assert not any(event.lost for event in events)


def test_a_silent_board_gives_no_answer_in_bounded_time_and_frames() -> None:
    connection, line = connected()
    line.to_board = lambda _: []
    before, sent = line.now, line.written
    with pytest.raises(NoAnswer, match="open_lid") as caught:
        connection.request("open_lid")
    assert line.now - before < 6000
    assert line.written - sent <= link.TRIES + 4
    assert "request 1" in caught.value.trace


def test_a_table_that_is_back_is_talked_to_in_a_new_session() -> None:
    connection, line = connected()
    line.to_board = lambda _: []
    with pytest.raises(NoAnswer):
        connection.request("open_lid")
    line.to_board = lambda frame: [frame]
    assert connection.request("raise_walls")[0] == codes.OK
    assert line.board.done == ["raise_walls"]


@pytest.mark.parametrize("at", ["before a request", "in a request", "while listening"])
def test_a_reset_is_raised_until_the_caller_reconnects(at: str) -> None:
    connection, line = connected()

    def reset() -> None:
        line.board = Board(boot_id=8)

    def reset_first(frame: bytes) -> list[bytes]:
        line.to_board = lambda other: [other]
        reset()
        return [frame]

    if at == "in a request":
        line.to_board = reset_first
    else:
        reset()
    call = (lambda: connection.pump(20_000)) if at == "while listening" else (lambda: connection.request("start_build"))
    with pytest.raises(BoardReset) as caught:
        call()
    assert (caught.value.old_boot_id, caught.value.new_boot_id) == (7, 8)
    assert caught.value.trace
    with pytest.raises(BoardReset):
        connection.request("start_build")
    with pytest.raises(BoardReset):
        connection.pump(10)
    assert line.board.done == []
    connection.reconnect()
    assert connection.request("start_build")[0] == codes.OK
    assert line.board.done == ["start_build"]


def test_another_host_is_noticed() -> None:
    connection, line = connected()
    Connection(line).connect()
    with pytest.raises(ConnectionLost):
        connection.request("start_build")
    assert line.board.done == []
    connection.reconnect()
    assert connection.request("start_build")[0] == codes.OK


def test_another_host_is_noticed_while_listening() -> None:
    connection, line = connected()
    Connection(line).connect()
    with pytest.raises(ConnectionLost):
        connection.pump(10_000)
    assert line.now < 5000


@pytest.mark.parametrize("pause", [IDLE_MS - 1, IDLE_MS, link.SILENCE_MS, 10**6])
def test_a_host_that_was_busy_elsewhere_goes_on_and_has_missed_nothing(pause: int) -> None:
    connection, line = connected()
    line.board.ring.add(1, "referee_called", 2)
    connection.pump(100)
    line.now += pause
    line.board.ring.add(line.now, "referee_called", 3)
    connection.pump(100)
    assert connection.request("open_lid")[0] == codes.OK
    assert [item.fields["side"] for item in connection.inbox if isinstance(item, Event)] == [2, 3]
    assert line.board.done == ["open_lid"]


def test_events_that_were_not_stored_come_again_to_the_next_host_but_not_twice_to_one() -> None:
    connection, line = connected()
    for side in range(4):
        line.board.ring.add(1, "referee_called", side)
    connection.pump(100)
    connection.stored(2)
    connection.reconnect()
    connection.pump(100)
    seqs = [item.seq for item in connection.inbox if isinstance(item, Event)]
    assert seqs == [1, 2, 3, 4]
    other = Connection(line)
    other.connect()
    other.pump(100)
    assert [item.seq for item in other.inbox if isinstance(item, Event)] == [3, 4]


def test_events_lost_on_the_board_are_counted() -> None:
    connection, line = connected()
    for number in range(200):
        line.board.ring.add(1, "referee_called", number % 4)
    while line.board.responder._received < 200:
        connection.inbox, before = type(connection.inbox)(), connection.inbox
        connection.pump(1000)
        connection.inbox.extendleft(reversed(before))
    events = [item for item in connection.inbox if isinstance(item, Event)]
    assert len(events) + sum(event.lost for event in events) == 200
    assert events[0].lost > 0


def test_a_quiet_board_is_asked_and_its_answer_is_a_status() -> None:
    connection, line = connected()
    start = line.now
    connection.pump(20_000)
    assert QUIET_MS <= line.now - start < QUIET_MS + 100
    assert isinstance(connection.inbox[0], Status)


def test_a_board_that_hangs_is_noticed_while_listening() -> None:
    connection, line = connected()
    line.to_host = lambda _: []
    with pytest.raises(NoAnswer, match="get_status"):
        connection.pump(60_000)
    assert line.now < QUIET_MS + 6000


def test_a_request_while_a_quiet_board_is_asked_gets_its_own_answer() -> None:
    connection, line = connected()
    line.to_host = lambda _: []
    connection.pump(QUIET_MS + 100)
    line.to_host = lambda frame: [frame]
    assert connection.request("open_lid") == (codes.OK, b"")
    assert any(isinstance(item, Status) for item in connection.inbox)


def test_a_request_that_was_broken_off_does_not_answer_the_next() -> None:
    connection, line = connected()

    def interrupt(_: bytes) -> list[bytes]:
        raise KeyboardInterrupt

    line.to_host = interrupt
    with pytest.raises(KeyboardInterrupt):
        connection.request("get_info")
    line.to_host = lambda frame: [frame]
    assert connection.request("open_lid") == (codes.OK, b"")
    assert line.board.done == ["get_info", "open_lid"]


def test_the_board_hears_its_host_while_that_listens() -> None:
    connection, line = connected()
    for _ in range(40):
        line.at.append((line.now + 1000, line.board.send_status))
        connection.pump(1000)
        connection.inbox.clear()
    assert line.now >= 40_000
    line.board.responder.poll(line.now)
    assert line.board.responder.is_open()


def test_a_host_that_runs_for_weeks_neither_spins_nor_sleeps_in() -> None:
    line = Line(Board())
    line.now = 3 << 30
    connection = Connection(line)
    connection.connect()
    reads = 0
    read = line.read

    def counted(timeout_ms: int) -> bytes:
        nonlocal reads
        reads += 1
        return read(timeout_ms)

    line.read = counted  # type: ignore[method-assign]
    start = line.now
    connection.pump(QUIET_MS - 1)
    assert line.now - start == QUIET_MS - 1
    assert reads <= 4
    assert connection.request("open_lid")[0] == codes.OK


def test_an_event_that_cannot_be_read_keeps_its_bytes() -> None:
    connection, line = connected()
    ring = line.board.ring
    ring.after = lambda seq: (1, 0, 5, 0x7F, b"\x01\x02") if seq < 1 else None  # type: ignore[method-assign]
    ring.newest = lambda: 1  # type: ignore[method-assign]
    connection.pump(100)
    event = connection.inbox[0]
    assert isinstance(event, Event)
    assert (event.name, event.fields) == ("event 127", {"payload": "0102"})
    assert connection.inbox[1] == Strange("event 1 says event 127, which this program does not know")
