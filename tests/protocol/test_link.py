"""The link as a whole: handshake, a second host, restarts, silence, heartbeat, the clock, any frame at all."""

import contextlib
import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright_firmware.events import EventRing
from wallwright_protocol import codes, link, requester
from wallwright_protocol.frame import MAX_BODY, encode
from wallwright_protocol.link import Responder
from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION
from wallwright_protocol.requester import Requester

from .pair import BOOT_ID, DELAY_MS, SESSION, STOP, Happened, Pair, faithful, split
from .talk import DONE, a_board, frame_body, hello_frame, kinds, payloads, request_frame, silenced, talk, timed


def test_a_repeated_hello_resets_nothing() -> None:
    board, executed = a_board()
    board.receive(0, hello_frame(SESSION) + request_frame(SESSION, 1, b"once"))
    _, reply = split(board.take())
    board.receive(5, hello_frame(SESSION) + request_frame(SESSION, 1, b"once"))
    assert split(board.take())[1] == reply
    assert executed == [b"once"]


def test_a_new_session_has_no_reply_in_store() -> None:
    board, executed = a_board()
    board.receive(0, hello_frame(SESSION) + request_frame(SESSION, 1, b"x") + hello_frame(SESSION + 1))
    board.take()
    board.receive(1, request_frame(SESSION + 1, 0, b"x"))
    assert (board.take(), executed, board.refused) == (b"", [b"x"], 1)


def test_a_second_host_takes_the_board_over() -> None:
    board, executed = a_board()
    old, new = Requester(), Requester()

    def exchange(host: Requester, now_ms: int) -> list[Happened]:
        board.receive(now_ms, host.take())
        return host.receive(now_ms, board.take())

    old.hello(0, 1)
    exchange(old, 0)
    old.request(1, STOP, b"old 1")
    assert exchange(old, 1) == [("reply", STOP, codes.OK, b"old 1")]
    new.hello(2, 2)
    assert exchange(new, 2) == [("hello", BOOT_ID, codes.OK, PROTOCOL_VERSION, CATALOG_HASH, 0, 0)]
    old.request(3, STOP, b"old 2")
    assert exchange(old, 3) == [("reply", STOP, codes.UNKNOWN_SESSION, b"")]
    new.request(4, STOP, b"new 1")
    assert exchange(new, 4) == [("reply", STOP, codes.OK, b"new 1")]
    assert executed == [b"old 1", b"new 1"]
    # The old one's next heartbeat tells it, even when it asks for nothing.
    assert old.poll(2 + link.HEARTBEAT_MS) == []
    assert exchange(old, 3000) == [("reset", BOOT_ID)]
    with pytest.raises(RuntimeError):
        old.request(3001, STOP, b"old 3")


def test_a_late_answer_to_an_earlier_handshake_opens_nothing() -> None:
    board, _ = a_board()
    host = Requester()
    host.hello(0, 1)
    board.receive(0, host.take())
    late = board.take()
    host.hello(1, 2)
    assert host.receive(2, late) == []
    assert (host.busy, host.ignored) == (True, 1)
    board.receive(3, host.take())
    assert host.receive(3, board.take()) == [("hello", BOOT_ID, codes.OK, PROTOCOL_VERSION, CATALOG_HASH, 0, 0)]
    # Nor does a second copy of the right one.
    board.receive(4, hello_frame(2))
    assert host.receive(4, board.take()) == []


def test_a_request_without_a_session_is_refused_and_not_executed() -> None:
    board, executed = a_board()
    for session in (0, 7):
        board.receive(0, request_frame(session, 1, b"x"))
        reply = struct.pack(link.REPLY_LAYOUT, link.REPLY, BOOT_ID, session, 1, STOP, codes.UNKNOWN_SESSION)
        assert board.take() == encode(reply)
    assert executed == []


def test_session_0_is_refused_and_leaves_the_open_one_alone() -> None:
    board, executed = a_board()
    board.receive(0, hello_frame(SESSION))
    board.take()
    board.receive(1, hello_frame(0))
    assert frame_body(board.take())[15] == codes.BAD_ARGUMENT
    board.receive(2, request_frame(SESSION, 1, b"x"))
    assert executed == [b"x"]


def hello_of(pair: Pair, monkeypatch: pytest.MonkeyPatch, name: str, value: int) -> bytes:
    """The HELLO of a host in which this number is another one."""
    with monkeypatch.context() as other:
        other.setattr(requester, name, value)
        pair.host.hello(pair.now_ms, SESSION)
    (sent,) = split(pair.host.take())
    assert struct.unpack_from("<HI", frame_body(sent), 1) != (PROTOCOL_VERSION, CATALOG_HASH)
    return sent


def test_another_catalog_hash_is_no_reason_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair()
    pair.up.put(0, hello_of(pair, monkeypatch, "CATALOG_HASH", 0x12345678))
    pair.run_until_idle()
    assert pair.of("hello") == [("hello", BOOT_ID, codes.OK, PROTOCOL_VERSION, CATALOG_HASH, 0, 0)]
    assert pair.board.is_open()


def test_a_mismatch_is_refused_with_the_boards_own_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair()
    sent = hello_of(pair, monkeypatch, "PROTOCOL_VERSION", 2)
    pair.up.put(0, sent)
    pair.run_until_idle()
    assert pair.of("hello") == [("hello", BOOT_ID, codes.VERSION_MISMATCH, PROTOCOL_VERSION, CATALOG_HASH, 0, 0)]
    assert not pair.board.is_open()
    with pytest.raises(RuntimeError):
        pair.host.request(pair.now_ms, STOP, b"")
    pair.run(10_000)
    assert len(pair.up.sent) == 1


def test_a_refused_hello_is_no_sign_of_life_of_the_host_that_is_held() -> None:
    board, _ = a_board()
    board.receive(0, hello_frame(SESSION))
    for now_ms in range(1000, link.SILENCE_MS, 1000):
        board.receive(now_ms, hello_frame(SESSION + 1, version=9))
        board.poll(now_ms)
        assert board.is_open()
    board.poll(link.SILENCE_MS)
    assert not board.is_open()


def test_one_request_at_a_time_and_only_after_a_handshake() -> None:
    host = Requester()
    with pytest.raises(RuntimeError, match="only after a handshake"):
        host.request(0, STOP, b"")
    host.hello(0, SESSION)
    with pytest.raises(RuntimeError, match="one request at a time"):
        host.request(0, STOP, b"")
    assert len(split(host.take())) == 1


def test_a_restart_is_seen_by_the_next_frame_at_every_boundary() -> None:
    whole = Pair()
    talk(whole)
    for number in range(2, len(whole.up.sent) + 1):
        pair = Pair()

        def restart(n: int, frame: bytes, pair: Pair = pair, number: int = number):
            if n == number:
                pair.start_board(BOOT_ID + 1)
            return faithful(n, frame)

        pair.up.fate = restart
        # Once the restart was seen, the next question is refused: it takes a handshake first.
        with contextlib.suppress(RuntimeError):
            talk(pair)
        pair.run(link.HEARTBEAT_MS + 2 * DELAY_MS)
        assert pair.of("reset") == [("reset", BOOT_ID + 1)], number
        assert all(payloads(pair).count(payload) <= 1 for payload in payloads(pair)), number
        pair.hello(SESSION + 1)
        assert pair.ask(b"after") == ("reply", STOP, codes.OK, b"after")


def test_a_request_in_flight_is_given_up_when_the_board_restarts() -> None:
    pair = Pair()
    pair.hello()
    pair.start_board(BOOT_ID + 1)
    start = pair.now_ms
    assert pair.ask(b"lost") == ("reset", BOOT_ID + 1)
    assert pair.now_ms == start + 2 * DELAY_MS
    assert pair.executed == []


def test_a_host_that_only_listens_learns_of_a_restart_by_its_heartbeat() -> None:
    pair = Pair()
    pair.hello()
    pair.run(500)
    pair.start_board(BOOT_ID + 1)
    pair.run(link.HEARTBEAT_MS)
    assert pair.of("reset") == [("reset", BOOT_ID + 1)]


def test_an_acknowledgement_of_another_start_is_answered_and_its_numbers_are_not_heeded() -> None:
    ring = EventRing()
    board = Responder(BOOT_ID, lambda _, payload: (codes.OK, payload), ring)
    board.receive(0, hello_frame(SESSION))
    ring.add(1, "referee_called", 2)
    board.poll(1)
    board.take()
    board.receive(9000, encode(struct.pack(link.EVENT_ACK_LAYOUT, link.EVENT_ACK, SESSION, BOOT_ID + 1, 1, 1)))
    refusal = struct.pack(link.REPLY_LAYOUT, link.REPLY, BOOT_ID, SESSION, 0, 0, codes.UNKNOWN_SESSION)
    assert board.take() == encode(refusal)
    assert ring.stored() == 0
    board.poll(link.SILENCE_MS - 1)
    assert board.is_open()
    board.poll(link.SILENCE_MS)
    assert not board.is_open(), "it counted as a sign of life"


def test_the_heartbeat_keeps_the_session_and_nothing_else_is_said() -> None:
    pair = Pair()
    pair.hello()
    times: list[int] = []
    pair.up.fate = timed(pair, times, faithful)
    pair.run(60_000)
    assert pair.board.is_open()
    assert len(pair.down.sent) == 1
    assert kinds(pair.up)[1:] == [link.EVENT_ACK] * (60_000 // link.HEARTBEAT_MS)
    assert {later - sooner for sooner, later in pairwise(times)} == {link.HEARTBEAT_MS}


@pytest.mark.parametrize("events", [0, 1, 6])
def test_a_board_without_its_host_falls_silent_on_time(events: int) -> None:
    pair = Pair()
    pair.hello()
    heard = pair.now_ms - DELAY_MS
    pair.up.fate = silenced
    pair.run(3000)
    for _ in range(events):
        pair.event()
    pair.run(heard + link.SILENCE_MS - 1 - pair.now_ms)
    assert pair.board.is_open()
    assert pair.board.due == heard + link.SILENCE_MS
    pair.run(1)
    assert not pair.board.is_open()
    said = len(pair.down.sent)
    pair.event()
    pair.board.send_status(0x60, b"")
    pair.run(60_000)
    assert len(pair.down.sent) == said
    assert pair.board.due == link.NEVER


def test_a_host_that_was_away_for_too_long_is_told_and_goes_on() -> None:
    pair = Pair()
    pair.hello()
    pair.up.fate = silenced
    pair.run(link.SILENCE_MS + 1000)
    pair.event()
    pair.up.fate = faithful
    pair.run(link.HEARTBEAT_MS)
    assert pair.of("reset") == [("reset", BOOT_ID)]
    pair.hello(SESSION + 1)
    pair.run(100)
    assert pair.seqs() == [1]
    assert pair.ask(b"again") == ("reply", STOP, codes.OK, b"again")


def test_a_board_that_nobody_has_spoken_to_says_nothing() -> None:
    pair = Pair()
    pair.event()
    pair.board.send_status(0x60, b"status")
    pair.run(60_000)
    assert pair.down.sent == []


def test_a_status_arrives() -> None:
    pair = Pair()
    pair.hello()
    pair.board.send_status(0x60, b"all is well")
    pair.run(10)
    assert pair.of("status") == [("status", 0x60, b"all is well")]


@pytest.mark.parametrize("start_ms", [2**30 - 4000, 2**30 - 1, 2**30, 2**32 - 4000])
def test_the_time_makes_no_difference_not_even_at_the_end_of_small_integers(start_ms: int) -> None:
    def trace(start: int) -> list[tuple[int, Happened]]:
        pair = Pair(start)
        pair.down.fate = lambda n, frame: [] if n in (2, 4, 7) else faithful(n, frame)
        assert talk(pair) == DONE
        pair.run(5000)
        pair.event()
        pair.up.fate = silenced
        pair.run(link.SILENCE_MS + 3000)
        assert not pair.board.is_open()
        pair.up.fate = faithful
        pair.run(3000)
        times = [(at - start, what[:4] + what[5:] if what[0] == "event" else what) for at, what in pair.happened]
        return times + [(at - start, (payload,)) for at, _, payload in pair.executed]

    assert trace(start_ms) == trace(0)
    assert trace(0)[-4][1] == ("reset", BOOT_ID)


@pytest.mark.slow
def test_every_kind_at_every_length_is_borne() -> None:
    known = (link.HELLO, link.REQUEST, link.EVENT_ACK, link.HELLO_REPLY, link.REPLY, link.EVENT, link.STATUS)
    for number in range(256):
        board, executed = a_board()
        board.receive(0, hello_frame(SESSION))
        host = Requester()
        host.hello(0, SESSION)
        host.receive(0, board.take())
        for size in range(1, MAX_BODY + 1) if number in known else (1, 5, 11, 24, MAX_BODY):
            body = bytes([number]) + bytes(size - 1)
            board.receive(1, encode(body))
            host.receive(1, encode(body))
        assert executed == []
        assert board.is_open()
        assert board.decoder.errors() == host.decoder.errors() == 0


words = st.sampled_from([0, 1, 2, 3, 90, 2**16, 2**32 - 1, SESSION, BOOT_ID])
board_bodies = st.one_of(
    st.builds(struct.pack, st.just(link.EVENT_ACK_LAYOUT), st.just(link.EVENT_ACK), words, words, words, words),
    st.builds(struct.pack, st.just(link.HELLO_LAYOUT), st.just(link.HELLO), st.just(1), st.just(CATALOG_HASH), words),
    st.builds(
        struct.pack, st.just(link.REQUEST_LAYOUT), st.just(link.REQUEST), words, st.integers(0, 9), st.just(STOP)
    ),
    st.binary(min_size=1, max_size=30),
)
steps = st.lists(st.tuples(board_bodies, st.integers(0, 3), st.integers(0, 3000)), max_size=40)


@pytest.mark.slow
@given(steps)
def test_no_frame_stops_the_board(steps: list[tuple[bytes, int, int]]) -> None:
    ring = EventRing()
    board = Responder(BOOT_ID, lambda message, payload: (codes.OK, payload), ring)
    board.receive(0, hello_frame(SESSION))
    now_ms = 0
    for body, events, later_ms in steps:
        for _ in range(events):
            ring.add(now_ms, "state_changed", 1)
        now_ms += later_ms
        board.receive(now_ms, encode(body))
        board.poll(now_ms)
        board.take()
        assert ring.stored() <= ring.newest()
        assert now_ms < board.due <= now_ms + link.SILENCE_MS or board.due == link.NEVER
