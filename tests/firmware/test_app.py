"""The app as a whole on a board with nothing behind it: polls and deadlines, requests and refusals, keys, faults."""

import struct

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.usual import DEBOUNCE_MS
from wallwright_firmware.app import App
from wallwright_protocol import codes, link
from wallwright_protocol.codec import EVENTS, NUMBER_OF, REPLIES, REQUESTS, STATUSES
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.hardware import (
    DICE_KEY,
    EMERGENCY_STOP,
    LID_IS_CLOSED,
    LIFT_KEY,
    REFEREE_KEY,
    SIDES,
    input_number,
)
from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION

SESSION = 9
PLAN = (14, 13, 14, 13)
OUT_OF_STATE = ("raise_walls", "lower_lifts")
"""Motions that a table at rest, with nothing built, refuses."""


class Bench:
    """An app, its board, and the host's end of the wire."""

    def __init__(self, board: FakeBoard | None = None) -> None:
        self.board = board or FakeBoard()
        self.app = App(self.board, b"BENCH", 108)
        self.decoder = Decoder()
        self.now_ms = 0
        self.sequence = 0
        self.poll()

    def poll(self, rx: bytes = b"", ms: int = 1) -> list[bytes]:
        """Poll after `ms`, as a board does until nothing is due; return the bodies that the board has sent."""
        self.now_ms += ms
        bodies = self.decoder.feed(self.app.poll(self.now_ms, rx))
        while self.app.due <= self.now_ms:
            bodies.extend(self.decoder.feed(self.app.poll(self.now_ms, b"")))
        return bodies

    def hello(self, session: int = SESSION) -> None:
        hello = struct.pack(link.HELLO_LAYOUT, link.HELLO, PROTOCOL_VERSION, CATALOG_HASH, session)
        assert self.poll(encode(hello))[0][0] == link.HELLO_REPLY

    def ask(self, message: int, payload: bytes) -> tuple[int, bytes]:
        """Send a request; return code and payload of its reply."""
        self.sequence += 1
        head = struct.pack(link.REQUEST_LAYOUT, link.REQUEST, SESSION, self.sequence, message)
        bodies = self.poll(encode(head + payload))
        (reply,) = [body for body in bodies if body[0] == link.REPLY]
        return reply[link.REPLY_HEAD - 1], reply[link.REPLY_HEAD :]

    def request(self, name: str, *values: int | bytes) -> tuple[int, bytes]:
        return self.ask(NUMBER_OF[name], REQUESTS[NUMBER_OF[name]].pack(*values))

    def edge(self, number: int, level: int) -> None:
        """An input changes and is steady from then on."""
        self.board.edge(self.now_ms, number, level)
        self.poll()
        self.poll(ms=DEBOUNCE_MS)

    def log(self, name: str) -> list[dict[str, object]]:
        """The events of that name that the board holds."""
        found = []
        record = self.app.events.after(0)
        while record is not None:
            if record[3] == NUMBER_OF[name]:
                found.append(EVENTS[record[3]].unpack_named(record[4]))
            record = self.app.events.after(record[0])
        return found


@pytest.fixture
def bench() -> Bench:
    """A table at rest with a host."""
    made = Bench()
    made.hello()
    return made


def test_a_board_at_rest_without_a_host_sends_nothing_and_wants_no_poll_but_for_its_self_tests():
    bench = Bench()
    bench.app.self_tests.due = link.NEVER
    assert bench.poll(ms=100_000) == []
    assert bench.app.due == link.NEVER
    assert bench.board.driven == [0]
    assert [event["state"] for event in bench.log("state_changed")] == [codes.IDLE]


def test_a_host_gets_a_status_every_second_and_at_every_change_of_state(bench):
    assert bench.app.due <= bench.now_ms + 1000
    statuses = 0
    for _ in range(50):
        statuses += sum(body[0] == link.STATUS for body in bench.poll(ms=100))
    assert statuses == 5
    bodies = bench.poll(ms=1)
    bench.app.cycle.state = codes.READY
    bodies = bench.poll(ms=1)
    (status,) = [body for body in bodies if body[0] == link.STATUS]
    assert STATUSES[NUMBER_OF["status"]].unpack_named(status[link.STATUS_HEAD :])["state"] == codes.READY


def test_a_silent_host_gets_nothing_more(bench):
    bench.app.self_tests.due = link.NEVER
    assert bench.poll(ms=link.SILENCE_MS) == []
    assert bench.poll(ms=60_000) == []
    assert bench.app.due == link.NEVER


@pytest.mark.parametrize("message", range(256))
def test_any_message_of_any_length_is_answered_and_a_wrong_one_refused(bench, message):
    layout = REQUESTS.get(message)
    for size in range(20):
        code, payload = bench.ask(message, bytes(size))
        if layout is None:
            assert (code, payload) == (codes.UNKNOWN_MESSAGE, b"")
        elif size != layout.size:
            assert (code, payload) == (codes.WRONG_LENGTH, b"")
        else:
            assert code not in (codes.UNKNOWN_MESSAGE, codes.WRONG_LENGTH)
            assert len(payload) == (REPLIES[message].size if code == codes.OK else 0)


def test_info_and_status_tell_who_and_how(bench):
    code, payload = bench.request("get_info")
    info = REPLIES[NUMBER_OF["get_info"]].unpack_named(payload)
    assert (code, info["unit"], info["tiles"], info["sets"]) == (codes.OK, b"BENCH".ljust(16, b"\0"), 108, 2)
    code, payload = bench.request("get_status")
    status = REPLIES[NUMBER_OF["get_status"]].unpack_named(payload)
    assert (code, status["state"], status["plan"], status["uptime_ms"]) == (codes.OK, codes.IDLE, PLAN, bench.now_ms)
    assert not bench.log("command_accepted"), "questions are not commands"


@pytest.mark.parametrize(
    "values",
    [
        (14, 13, 14, 12, 0, 0, codes.AS_SET),
        (14, 14, 14, 13, 0, 0, codes.AS_SET),
        (20, 7, 14, 13, 0, 0, codes.AS_SET),
        (0, 19, 19, 16, 0, 0, codes.AS_SET),
        (14, 13, 14, 13, 4, 0, codes.AS_SET),
        (14, 13, 14, 13, 0, 3, codes.AS_SET),
        (14, 13, 14, 13, 0, 0, 241),
    ],
)
def test_a_plan_that_cannot_be_is_refused_and_changes_nothing(bench, values):
    before = bench.app.status.payload()
    assert bench.request("set_plan", *values) == (codes.BAD_ARGUMENT, b"")
    assert bench.app.status.payload()[:20] == before[:20]
    assert not bench.log("command_accepted")


def test_a_plan_is_taken_and_logged(bench):
    assert bench.request("set_plan", 13, 14, 13, 14, 3, 0, codes.AS_SET)[0] == codes.OK
    assert bench.app.cycle.next_plan() == (13, 14, 13, 14)
    assert bench.log("command_accepted") == [{"message": NUMBER_OF["set_plan"], "source": codes.FROM_HOST}]


@pytest.mark.parametrize("name", OUT_OF_STATE)
def test_a_motion_that_the_state_does_not_know_is_refused(bench, name):
    assert bench.request(name) == (codes.WRONG_STATE, b"")
    assert bench.board.driven == [0]
    assert not bench.log("command_accepted")


@pytest.mark.parametrize("name", ["start_build", "open_lid"])
def test_a_motion_that_the_state_knows_starts_and_is_logged(bench, name):
    assert bench.request(name)[0] == codes.OK
    assert bench.board.driven[-1] != 0
    assert bench.log("command_accepted") == [{"message": NUMBER_OF[name], "source": codes.FROM_HOST}]
    assert bench.request("stop")[0] == codes.OK
    assert bench.board.driven[-1] == 0
    assert bench.log("fault") == [{"fault": codes.STOPPED, "side": codes.NO_SIDE, "found": 0, "wanted": 0}]
    for motion in ("start_build", "open_lid", *OUT_OF_STATE):
        assert bench.request(motion)[0] == codes.FAULT_ACTIVE
    assert bench.request("clear_fault")[0] == codes.OK
    assert bench.board.driven[-1] == 0
    assert bench.request("clear_fault")[0] == codes.WRONG_STATE


@pytest.mark.parametrize("running", [False, True], ids=["at rest", "building"])
def test_an_emergency_stop_is_named_as_such_and_not_as_an_interlock(bench, running):
    if running:
        bench.request("start_build")
        assert bench.board.driven[-1] != 0
    bench.edge(EMERGENCY_STOP, 1)
    assert bench.board.driven[-1] == 0
    assert [event["fault"] for event in bench.log("fault")] == [codes.EMERGENCY_STOP]
    assert bench.request("clear_fault")[0] == codes.FAULT_ACTIVE
    bench.edge(EMERGENCY_STOP, 0)
    assert bench.request("clear_fault")[0] == codes.OK
    assert bench.board.driven[-1] == 0


def test_an_emergency_stop_that_is_pressed_at_power_up_is_a_fault():
    board = FakeBoard()
    board.levels[EMERGENCY_STOP] = 1
    bench = Bench(board)
    assert [event["fault"] for event in bench.log("fault")] == [codes.EMERGENCY_STOP]
    bench.edge(input_number(0, LIFT_KEY), 1)
    assert set(board.driven) == {0}


def test_a_table_that_starts_with_its_lid_open_waits_for_a_key():
    board = FakeBoard()
    board.levels[LID_IS_CLOSED] = 0
    bench = Bench(board)
    assert [event["state"] for event in bench.log("state_changed")] == [codes.LID_OPEN]
    assert board.driven == [0]


@pytest.mark.parametrize("side", range(SIDES))
@pytest.mark.parametrize("kind", [LIFT_KEY, DICE_KEY, REFEREE_KEY])
def test_every_key_is_logged_with_its_side_once_a_press(bench, side, kind):
    for _ in range(2):
        bench.edge(input_number(side, kind), 1)
        bench.edge(input_number(side, kind), 0)
    assert bench.log("key_pressed") == [{"side": side, "key": kind - LIFT_KEY}] * 2
    assert bench.log("referee_called") == ([{"side": side}] * 2 if kind == REFEREE_KEY else [])


@pytest.mark.parametrize("length", [1, 2, 7])
def test_bytes_and_edges_that_come_in_every_poll_are_all_taken(length):
    bench = Bench()
    request = struct.pack(link.REQUEST_LAYOUT, link.REQUEST, SESSION, 1, NUMBER_OF["get_info"])
    hello = struct.pack(link.HELLO_LAYOUT, link.HELLO, PROTOCOL_VERSION, CATALOG_HASH, SESSION)
    sent = encode(hello) + encode(request)
    bodies = []
    for at in range(0, len(sent), length):
        bench.now_ms += 1
        bench.board.edge(bench.now_ms, input_number(1, LIFT_KEY), at // length % 2)
        bodies += bench.decoder.feed(bench.app.poll(bench.now_ms, sent[at : at + length]))
    bodies += bench.poll()
    assert [body[0] for body in bodies if body[0] in (link.HELLO_REPLY, link.REPLY)] == [link.HELLO_REPLY, link.REPLY]
    bench.poll(ms=DEBOUNCE_MS + 1)
    assert not bench.board.edges
    assert bench.app.inputs.steady[input_number(1, LIFT_KEY)] == (len(sent) - 1) // length % 2
