"""Requests: repeated until answered, done at most once, answered by their own reply only, bounded in frames."""

import random
import struct

import pytest

from wallwright_firmware.events import EventRing
from wallwright_protocol import codes, link
from wallwright_protocol.frame import MAX_FRAME, Decoder, encode
from wallwright_protocol.link import Responder

from .pair import BOOT_ID, DELAY_MS, SESSION, STOP, Pair, faithful, kind
from .talk import DONE, a_board, frame_body, hello_frame, kinds, payloads, request_frame, silenced, talk, timed, without

TRY_TIMES = [0, 250, 750, 1750, 2750, 3750]
GIVEN_UP = 4750


def test_a_conversation_without_faults_takes_no_frame_too_many() -> None:
    pair = Pair()
    assert talk(pair) == DONE
    assert kinds(pair.up).count(link.HELLO) == 1
    assert kinds(pair.up).count(link.REQUEST) == kinds(pair.down).count(link.REPLY) == 3
    assert kinds(pair.down).count(link.EVENT) == 2
    assert (pair.board.refused, pair.host.ignored) == (0, 0)


@pytest.mark.parametrize("direction", ["up", "down"])
def test_the_loss_of_any_one_frame_is_made_good(direction: str) -> None:
    whole = Pair()
    talk(whole)
    frames = len(getattr(whole, direction).sent)
    assert frames >= 6
    for number in range(1, frames + 1):
        pair = Pair()
        getattr(pair, direction).fate = without(number)
        assert talk(pair) == DONE, number
        assert payloads(pair) == [b"one", b"two", b"three"], number
        assert pair.seqs() == [1, 2], number
        assert sum(event[3] for event in pair.of("event")) == 0, number


def test_a_lost_request_is_sent_again_in_the_same_bytes() -> None:
    pair = Pair()
    pair.hello()
    pair.up.fate = without(2)
    start = pair.now_ms
    assert pair.ask(b"one")[0] == "reply"
    assert pair.now_ms == start + TRY_TIMES[1] + 2 * DELAY_MS
    assert pair.up.sent[1] == pair.up.sent[2]
    assert payloads(pair) == [b"one"]


def test_a_lost_reply_comes_again_and_nothing_is_done_twice() -> None:
    pair = Pair()
    pair.hello()
    pair.down.fate = without(2)
    assert pair.ask(b"one") == DONE[0]
    assert payloads(pair) == [b"one"]
    assert kinds(pair.down) == [link.HELLO_REPLY, link.REPLY, link.REPLY]
    assert pair.down.sent[1] == pair.down.sent[2]


def test_after_six_tries_the_host_gives_up_and_says_so() -> None:
    pair = Pair()
    pair.hello()
    start = pair.now_ms
    times: list[int] = []
    pair.up.fate = timed(pair, times, silenced)
    assert pair.ask(b"one") == ("no_answer", 6)
    assert pair.now_ms == start + GIVEN_UP
    assert [time for time, frame in zip(times, pair.up.sent[1:], strict=True) if kind(frame) == link.REQUEST] == [
        start + later for later in TRY_TIMES
    ]
    assert not pair.host.busy


def test_a_hello_is_repeated_and_given_up_likewise() -> None:
    pair = Pair()
    pair.up.fate = silenced
    pair.hello()
    assert pair.happened == [(GIVEN_UP, ("no_answer", 6))]
    assert len(set(pair.up.sent)) == 1
    assert len(pair.up.sent) == 6


@pytest.mark.parametrize("arrives", [True, False])
def test_after_a_request_was_given_up_the_next_one_is_answered(arrives: bool) -> None:
    pair = Pair()
    pair.hello()
    lossy = pair.down if arrives else pair.up
    lossy.fate = silenced
    assert pair.ask(b"given up") == ("no_answer", 6)
    lossy.fate = faithful
    assert pair.ask(b"next") == ("reply", STOP, codes.OK, b"next")
    assert payloads(pair) == ([b"given up", b"next"] if arrives else [b"next"])


def test_a_late_reply_does_not_answer_a_newer_question() -> None:
    pair = Pair()
    pair.hello()
    late = {2: 700, 4: 2000}
    pair.down.fate = lambda n, frame: [(late.get(n, DELAY_MS), frame)]
    assert pair.ask(b"one") == DONE[0]
    assert pair.now_ms < 700
    pair.host.request(pair.now_ms, STOP, b"two")
    pair.run(200)
    pair.down.fate = faithful
    ignored = pair.host.ignored
    assert pair.run_until_idle() == DONE[1]
    pair.run(3000)
    assert payloads(pair) == [b"one", b"two"]
    assert pair.of("reply") == DONE[:2]
    assert pair.host.ignored > ignored


def test_a_late_reply_of_an_earlier_session_answers_nothing() -> None:
    pair = Pair()
    pair.hello()
    pair.down.fate = lambda _, frame: [(400, frame)] if kind(frame) == link.REPLY else faithful(_, frame)
    pair.host.request(pair.now_ms, STOP, b"one")
    pair.run(10)
    pair.hello(SESSION + 1)
    pair.up.fate = silenced
    # The same sequence, 1, and the same message as the one whose reply is still under way.
    assert pair.ask(b"two") == ("no_answer", 6)
    assert payloads(pair) == [b"one"]


def test_every_frame_twice_changes_nothing() -> None:
    pair = Pair()
    pair.up.fate = pair.down.fate = lambda _, frame: [(DELAY_MS, frame), (DELAY_MS + 1, frame)]
    assert talk(pair) == DONE
    assert payloads(pair) == [b"one", b"two", b"three"]
    assert pair.seqs() == [1, 2]


def test_frames_out_of_order_change_nothing(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        pair = Pair()
        pair.up.fate = pair.down.fate = lambda _, frame: [
            (rng.randrange(1, 600), frame) for _ in range(rng.randrange(1, 3))
        ]
        assert talk(pair) == DONE
        pair.run(5000)
        assert payloads(pair) == [b"one", b"two", b"three"]
        assert pair.seqs() == [1, 2]


def test_a_request_older_than_the_last_is_dropped_and_counted() -> None:
    board, executed = a_board()
    board.receive(0, hello_frame(SESSION) + request_frame(SESSION, 1, b"a") + request_frame(SESSION, 2, b"b"))
    board.take()
    board.receive(1, request_frame(SESSION, 1, b"a"))
    assert board.take() == b""
    assert (executed, board.refused) == ([b"a", b"b"], 1)


def test_a_first_sequence_of_0_is_dropped_and_counted() -> None:
    board, executed = a_board()
    board.receive(0, hello_frame(SESSION))
    board.take()
    board.receive(1, request_frame(SESSION, 0, b"a"))
    assert (board.take(), executed, board.refused) == (b"", [], 1)
    board.receive(2, request_frame(SESSION, 1, b"b"))
    assert executed == [b"b"]


def test_what_is_dropped_for_what_is_in_it_is_no_frame_error() -> None:
    board, _ = a_board()
    board.receive(0, hello_frame(SESSION))
    board.receive(1, request_frame(SESSION, 0, b"a") + encode(b"\x55 no such kind") + encode(bytes([link.HELLO, 1])))
    assert (board.refused, board.decoder.errors()) == (3, 0)
    board.receive(2, b"abc\x00" + b"abcdefgh\x00" + b"a" * 300 + b"\x00")
    decoder = board.decoder
    assert (decoder.short, decoder.crc_errors, decoder.too_long) == (1, 1, 1)
    assert decoder.errors() == 3


def test_the_sequence_wraps_after_65535() -> None:
    pair = Pair()
    pair.hello()
    pair.host._sequence = pair.board._sequence = 65_533
    for number in range(5):
        assert pair.ask(bytes([number])) == ("reply", STOP, codes.OK, bytes([number]))
    used = [struct.unpack_from("<H", frame_body(frame), 5)[0] for frame in pair.up.sent[1:]]
    assert used == [65_534, 65_535, 0, 1, 2]
    assert payloads(pair) == [bytes([number]) for number in range(5)]


@pytest.mark.parametrize("last", [0, 1, 40_000, 65_535])
def test_half_of_the_sequence_numbers_are_newer_and_half_are_late(last: int) -> None:
    for ahead, newer in ((1, True), (2, True), (32_767, True), (32_768, False), (65_535, False)):
        board, executed = a_board()
        board.receive(0, hello_frame(SESSION))
        board._sequence = last
        board.receive(1, request_frame(SESSION, (last + ahead) % 65_536, b"x"))
        assert executed == ([b"x"] if newer else [])


def test_frames_per_request_are_bounded_at_30_percent_loss(seed: int) -> None:
    rng = random.Random(seed)
    pair = Pair()
    pair.hello()
    pair.up.fate = pair.down.fate = lambda n, frame: [] if rng.random() < 0.3 else faithful(n, frame)
    tries = []
    for number in range(400):
        before = kinds(pair.up).count(link.REQUEST), kinds(pair.down).count(link.REPLY)
        end = pair.ask(number.to_bytes(2, "little"))
        sent, answered = (
            kinds(pair.up).count(link.REQUEST) - before[0],
            kinds(pair.down).count(link.REPLY) - before[1],
        )
        assert answered <= sent <= link.TRIES
        assert end in (("reply", STOP, codes.OK, number.to_bytes(2, "little")), ("no_answer", link.TRIES))
        tries.append(sent)
    # A try gets through both ways with 0.49, so 2.0 tries are the mean; 2.5 lies seven standard deviations off.
    assert 1.5 < sum(tries) / len(tries) < 2.5
    assert len(set(payloads(pair))) == len(pair.executed)
    assert len(pair.executed) > 380


def test_short_calls_do_one_thing_each_and_few_bytes_ever_wait() -> None:
    board, executed = a_board(short_calls=True)
    board.receive(
        0, hello_frame(SESSION) + b"".join(request_frame(SESSION, number, b"%d" % number) for number in (1, 2, 3))
    )
    sent = []
    while board.due <= 0:
        before = board.decoder.frames + len(executed)
        board.poll(0)
        sent += [tx for tx in [board.take()] if tx]
        assert board.decoder.frames + len(executed) <= before + 1
    assert executed == [b"1", b"2", b"3"]
    assert len(sent) == 4
    for _ in range(100):
        board.receive(0, b"\xff" * 100)
        assert len(board._later) <= 2 * MAX_FRAME
    board.receive(0, b"\0" + request_frame(SESSION, 4, b"4"))
    while board.due <= 0:
        board.poll(0)
    assert executed[-1] == b"4"


@pytest.mark.parametrize("calls", [1, 2, 5])
@pytest.mark.parametrize("repeated_after", range(5))
def test_a_request_that_takes_several_calls_is_done_once_however_often_it_comes(
    calls: int, repeated_after: int
) -> None:
    called: list[bytes] = []

    def execute(_: int, payload: bytes) -> tuple[int, bytes] | None:
        called.append(payload)
        return (codes.OK, payload) if len(called) == calls else None

    board = Responder(BOOT_ID, execute, EventRing(), short_calls=True)
    board.receive(0, hello_frame(SESSION))
    while board.due <= 0:
        board.poll(0)
    board.take()
    board.receive(1, request_frame(SESSION, 1, b"x"))
    for _ in range(3 + repeated_after):
        board.poll(1)
    board.receive(1, request_frame(SESSION, 1, b"x"))
    while board.due <= 1:
        board.poll(1)
    assert called == [b"x"] * calls
    reply = struct.pack(link.REPLY_LAYOUT, link.REPLY, BOOT_ID, SESSION, 1, STOP, codes.OK) + b"x"
    assert set(Decoder().feed(board.take())) == {reply}
