"""The connection against boards that do what no board may: handshakes and statuses that cannot be, refusals, floods."""

import struct

import pytest

from tests.host.line import Board, Line
from wallwright.errors import BadBoard, LinkError, NoAnswer, Refused, VersionMismatch
from wallwright.link.connection import INBOX_EVENTS, Connection
from wallwright.link.numbers import name_of
from wallwright.link.reports import Event, Status, Strange
from wallwright.table.table import Table
from wallwright_protocol import codes, link
from wallwright_protocol.codec import EVENTS, NUMBER_OF
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION


def connected() -> tuple[Connection, Line]:
    line = Line(Board())
    connection = Connection(line)
    connection.connect()
    return connection, line


@pytest.mark.parametrize("message", [NUMBER_OF["status"], 0x61, 0, 255])
def test_a_status_that_cannot_be_taken_is_told_once_and_the_session_goes_on(message: int) -> None:
    connection, line = connected()
    good = line.board.status() if message != NUMBER_OF["status"] else b"\xab\xcd"
    for _ in range(3):
        line.board.responder.send_status(message, good)
        line.board.send_status()
        connection.pump(100)
    told = [item.text for item in connection.inbox if isinstance(item, Strange)]
    assert len(told) == 1
    assert ("ab cd" if message == NUMBER_OF["status"] else f"status {message},") in told[0]
    assert any(isinstance(item, Status) for item in connection.inbox)
    assert connection.request("open_lid")[0] == codes.OK


def hello_reply(frame: bytes, code: int = codes.OK, **other: int) -> bytes:
    """What a board answers to that HELLO, but for what is given."""
    (body,) = Decoder().feed(frame)
    connection = int.from_bytes(body[7:11], "little")
    head = {"boot_id": 7, "session": connection, "version": PROTOCOL_VERSION, "catalog": CATALOG_HASH} | other
    return encode(struct.pack(link.HELLO_REPLY_LAYOUT, link.HELLO_REPLY, *head.values(), code, 0, 0))


@pytest.mark.parametrize(
    ("other", "error", "said"),
    [
        ({"version": PROTOCOL_VERSION + 1}, VersionMismatch, "this program is older"),
        ({"boot_id": 0}, BadBoard, "gives its start the number 0"),
        ({"code": codes.VERSION_MISMATCH}, BadBoard, r"refuses the handshake \(version_mismatch\)"),
        ({"code": codes.BAD_ARGUMENT}, BadBoard, r"refuses the handshake \(bad_argument\)"),
        ({"code": 200}, BadBoard, r"refuses the handshake \(refusal 200\)"),
    ],
)
def test_a_handshake_that_cannot_be_opens_no_session_and_says_why(
    other: dict[str, int], error: type[LinkError], said: str
) -> None:
    line = Line(Board())

    def answer(frame: bytes) -> list[bytes]:
        line.noise = hello_reply(frame, **other)
        return []

    line.to_board = answer
    connection = Connection(line)
    with pytest.raises(error, match=said):
        connection.connect()
    assert (connection.boot_id, connection._requester.is_open()) == (0, False)


@pytest.mark.parametrize("question", ["get_info", "get_status"])
@pytest.mark.parametrize("code", [codes.NO_RANDOM, 200])
def test_what_no_board_may_refuse_is_said_to_be_refused(question: str, code: int) -> None:
    line = Line(Board())
    execute = line.board.execute

    def refuse(message: int, payload: bytes) -> tuple[int, bytes]:
        return (code, b"") if message == NUMBER_OF[question] else execute(message, payload)

    line.board.responder._execute = refuse
    with pytest.raises(BadBoard, match=rf"refuses {question} \({name_of('refusal', code)}\)"):
        Table(Connection(line))


def test_an_unknown_refusal_is_a_refusal() -> None:
    line = Line(Board())
    table = Table(Connection(line))
    line.board.code = 200
    with pytest.raises(Refused, match=r"open_lid \(refusal 200,.*does not know that reason"):
        table.open_lid()
    line.board.code = codes.OK
    table.open_lid()


@pytest.mark.slow
def test_a_flood_while_a_request_is_in_flight_is_bounded_and_no_event_is_lost() -> None:
    """A board that sends what it likes: statuses without end, an event beside each; it never answers the request."""
    connection, line = connected()
    line.to_board = lambda _: []
    message = NUMBER_OF["referee_called"]
    flooded = 0

    def flood() -> None:
        nonlocal flooded
        first = connection._requester._received + 1
        for seq in range(first, first + 200):  # in order, and again from the first that the host has not taken
            line.board.send_status()
            head = struct.pack(link.EVENT_LAYOUT, link.EVENT, 7, seq, seq - 1, 0, message)
            line.noise += encode(head + EVENTS[message].pack(1))
            flooded += 1
        line.at.append((line.now + 100, flood))

    flood()
    with pytest.raises(NoAnswer):
        connection.request("open_lid")
    events = [item for item in connection.inbox if isinstance(item, Event)]
    assert len(events) <= INBOX_EVENTS
    assert len(connection.inbox) <= INBOX_EVENTS + 1
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert connection._requester._received == len(events), "what found no room is not acknowledged"
    assert flooded > 5 * INBOX_EVENTS


def test_events_that_found_no_room_come_when_there_is_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wallwright.link.connection.INBOX_EVENTS", 3)
    connection, line = connected()
    for number in range(20):
        line.board.ring.add(1, "referee_called", number % 4)
    seqs: list[int] = []
    until = line.now + 60_000
    while len(seqs) < 20 and line.now < until:
        connection.pump(1000)
        assert len([item for item in connection.inbox if isinstance(item, Event)]) <= 3
        seqs += [item.seq for item in connection.inbox if isinstance(item, Event)]
        connection.inbox.clear()
    assert seqs == list(range(1, 21))
