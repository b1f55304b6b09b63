"""Both ends under any mixture of loss, duplication, delay, corruption, restarts and silence, searched by hypothesis.

Every frame waits on its wire until a rule decides what becomes of it, so frames overtake each other and come late as
SPEC.md allows it: a HELLO does not come any more once its session has ended.
"""

import struct

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.length import length
from wallwright_firmware.events import EventRing
from wallwright_protocol import codes, link
from wallwright_protocol.link import Responder
from wallwright_protocol.requester import Requester

from .pair import STOP, Happened, kind, split

ROUNDS = 60
"""The ring keeps 96 events; four of them are under way at a time, for two rounds, and a question takes two more."""
EXCHANGE_MS = 4750


class Ends(RuleBasedStateMachine):
    """One host, one table that may restart, and two wires that do what they like."""

    @initialize(start_ms=st.sampled_from([0, 2**30 - 20_000]))
    def switch_on(self, start_ms: int) -> None:
        self.now_ms = start_ms
        self.up: list[bytes] = []
        self.down: list[bytes] = []
        self.executed: list[bytes] = []
        self.asked = 0
        self.started_ms = 0
        self.frames = 0
        self.session = 0
        self.boot_id = 0
        self.log: dict[tuple[int, int], bytes] = {}
        self.base = 0
        self.stored: dict[int, int] = {}
        self.in_flight: bytes | None = None
        self.host = Requester()
        self.switch_board_on()
        self.shake_hands()

    def switch_board_on(self) -> None:
        self.boot_id += 1
        self.ring = EventRing()
        self.board = Responder(self.boot_id, self.execute, self.ring)

    def execute(self, message: int, payload: bytes) -> tuple[int, bytes]:
        assert message == STOP
        self.executed.append(payload)
        return codes.OK, b"done " + payload

    # What the two programs do.

    @rule()
    def shake_hands(self) -> None:
        self.session += 1
        self.end_of_session()
        self.in_flight = None
        self.begin()
        self.host.hello(self.now_ms, self.session)
        self.collect()

    @precondition(lambda self: not self.host.busy and self.host.is_open())
    @rule()
    def ask(self) -> None:
        self.asked += 1
        self.in_flight = b"%d" % self.asked
        self.begin()
        self.host.request(self.now_ms, STOP, self.in_flight)
        self.collect()

    @rule(count=st.sampled_from([1, 1, 2, 6, 120]))
    def let_something_happen(self, count: int) -> None:
        for _ in range(count):
            seq = self.ring.newest() + 1
            self.ring.add(self.now_ms, "side_done", seq % 4, 13, seq)
            self.log[self.boot_id, seq] = struct.pack("<BBI", seq % 4, 13, seq)
        self.board.poll(self.now_ms)
        self.collect()

    @precondition(lambda self: self.host.is_open() and self.base)
    @rule()
    def store(self) -> None:
        boot_id = self.host.boot_id
        self.stored[boot_id] = max(self.base, self.stored.get(boot_id, 0))
        self.host.stored(self.now_ms, self.stored[boot_id])
        self.collect()

    @rule()
    def restart_the_board(self) -> None:
        self.end_of_session()
        self.switch_board_on()

    # What the wires and the clock do.

    @precondition(lambda self: self.up)
    @rule(data=st.data(), fate=st.sampled_from(["arrive", "arrive", "arrive", "lose", "double", "damage"]))
    def decide_upwards(self, data: st.DataObject, fate: str) -> None:
        self.board.receive(self.now_ms, self.fated(self.up, data, fate))
        self.board.poll(self.now_ms)
        self.collect()

    @precondition(lambda self: self.down)
    @rule(data=st.data(), fate=st.sampled_from(["arrive", "arrive", "arrive", "lose", "double", "damage"]))
    def decide_downwards(self, data: st.DataObject, fate: str) -> None:
        self.note(self.host.receive(self.now_ms, self.fated(self.down, data, fate)))
        self.collect()

    @rule()
    def let_everything_arrive(self) -> None:
        for _ in range(ROUNDS):
            if not self.up and not self.down:
                return
            rising, self.up = self.up, []
            for frame in rising:
                self.board.receive(self.now_ms, frame)
            falling, self.down = self.down, []
            for frame in falling:
                self.note(self.host.receive(self.now_ms, frame))
            self.collect()
        raise AssertionError("the two keep on talking although no time passes")

    @rule(ms=st.sampled_from([1, 100, 250, 500, 1000, 3000, 11_000]))
    def wait(self, ms: int) -> None:
        until = self.now_ms + ms
        while self.now_ms < until:
            dues = [end.due for end in (self.host, self.board) if end.due != link.NEVER]
            self.now_ms = min([until, *dues])
            was_open = self.board.is_open()
            self.board.poll(self.now_ms)
            if was_open and not self.board.is_open():
                self.end_of_session()
            self.note(self.host.poll(self.now_ms))
            self.collect()

    def end_of_session(self) -> None:
        self.up = [frame for frame in self.up if kind(frame) != link.HELLO]

    def fated(self, wire: list[bytes], data: st.DataObject, fate: str) -> bytes:
        at = data.draw(st.integers(0, min(len(wire), 5) - 1))
        frame = wire[at] if fate == "double" else wire.pop(at)
        if fate == "lose":
            return b""
        if fate == "damage":
            byte = data.draw(st.integers(0, len(frame) - 1))
            damaged = frame[byte] ^ 1 << data.draw(st.integers(0, 7))
            return frame[:byte] + bytes([damaged]) + frame[byte + 1 :]
        return frame

    # What is looked at.

    def begin(self) -> None:
        self.started_ms = self.now_ms
        self.frames = 0

    def collect(self) -> None:
        rising = split(self.host.take())
        self.frames += sum(kind(frame) in (link.HELLO, link.REQUEST) for frame in rising)
        self.up += rising
        self.down += split(self.board.take())

    def note(self, happened: list[Happened]) -> None:
        for what in happened:
            match what:
                case ("hello", boot_id, codes.OK, _, _, stored, newest):
                    assert stored <= newest
                    assert stored <= self.stored.get(boot_id, 0)
                    self.base = stored
                case ("reply", message, code, payload):
                    assert self.in_flight is not None, "an answer without a question"
                    assert message == STOP
                    assert (code, payload) in [(codes.OK, b"done " + self.in_flight), (codes.UNKNOWN_SESSION, b"")]
                    assert code != codes.OK or self.in_flight in self.executed
                    self.in_flight = None
                case ("event", boot_id, seq, lost, _, _, payload):
                    assert boot_id == self.host.boot_id
                    assert payload == self.log[boot_id, seq]
                    assert seq == self.base + lost + 1, "not the next one"
                    if lost:
                        assert boot_id != self.boot_id or not self.held(self.base + 1, seq - 1)
                    self.base = seq
                case ("no_answer", tries):
                    assert tries == self.frames == link.TRIES
                    assert self.now_ms == self.started_ms + EXCHANGE_MS
                    self.in_flight = None
                case ("reset", _):
                    assert not self.host.busy
                    self.in_flight = None
                case _:
                    raise AssertionError(what)

    def held(self, first: int, last: int) -> bool:
        """Whether the ring still has one of these events."""
        record = self.ring.after(first - 1)
        return record is not None and record[0] <= last

    @invariant()
    def nothing_is_done_twice(self) -> None:
        assert len(set(self.executed)) == len(self.executed)

    @invariant()
    def an_exchange_ends_in_bounded_time_and_frames(self) -> None:
        if self.host.busy:
            assert self.now_ms < self.started_ms + EXCHANGE_MS
            assert self.frames <= link.TRIES

    @invariant()
    def only_stored_events_are_forgotten(self) -> None:
        assert self.ring.stored() <= self.stored.get(self.boot_id, 0)

    @invariant()
    def deadlines_lie_ahead(self) -> None:
        assert self.host.due >= self.now_ms or self.host.due == link.NEVER
        assert self.board.due >= self.now_ms or self.board.due == link.NEVER

    def teardown(self) -> None:
        """With a sound wire all is well again: a request is answered, and every event that is left arrives."""
        if not hasattr(self, "host"):
            return
        self.up, self.down = [], []
        self.shake_hands()
        # The first HELLO may go down with the rest of a frame that has lost its end, and its answer likewise.
        for _ in range(3):
            self.let_everything_arrive()
            self.wait(link.RETRY_CAP_MS)
        assert self.host.is_open()
        self.ask()
        self.let_everything_arrive()
        assert not self.host.busy
        assert self.executed[-1] == b"%d" % self.asked
        for _ in range(12):
            self.wait(500)
            self.let_everything_arrive()
        assert self.base == self.ring.newest()
        assert self.board.is_open()


Ends.TestCase.settings = settings(max_examples=length(75, 1000), stateful_step_count=60)
TestEnds = pytest.mark.slow(Ends.TestCase)
