"""The trace: what crossed the line, in words."""

import random

from wallwright.link import trace_replay
from wallwright.link.frames import describe
from wallwright.link.trace import CAPACITY, RECEIVED, SENT, Block, Trace
from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF
from wallwright_protocol.frame import encode
from wallwright_protocol.link import Responder
from wallwright_protocol.requester import Requester


class Ring:
    def __init__(self) -> None:
        self.record = (1, 0, 77, NUMBER_OF["side_done"], b"\x02\x0e\x10\x27\x00\x00")

    def after(self, seq: int) -> tuple[int, int, int, int, bytes] | None:
        return self.record if seq < 1 else None

    def forget(self, seq: int) -> None:
        pass

    def stored(self) -> int:
        return 0

    def newest(self) -> int:
        return 1


def conversation() -> Trace:
    """One frame of every kind, by the link itself."""
    trace = Trace()
    host = Requester()
    board = Responder(
        0xABCD, lambda message, _: (codes.WRONG_STATE if message == NUMBER_OF["stop"] else 0, b""), Ring()
    )

    def exchange(now: int) -> None:
        for _ in range(2):
            tx = host.take()
            trace.add(now, SENT, tx)
            board.receive(now, tx)
            rx = board.take()
            trace.add(now, RECEIVED, rx)
            host.receive(now, rx)

    host.hello(0, 0x1234)
    exchange(1)
    host.request(2, NUMBER_OF["set_plan"], bytes((14, 13, 14, 13, 2, 1, 255)))
    exchange(3)
    host.request(4, NUMBER_OF["stop"], b"")
    exchange(5)
    return trace


def test_every_frame_is_said_in_words() -> None:
    lines = conversation().dump().splitlines()
    text = "\n".join(lines)
    assert "1 -> hello version=1" in lines[0]
    assert "session=00001234" in lines[0]
    assert "<- hello ok boot=0000abcd" in lines[1]
    assert "<- event 1 after=0 boot=0000abcd at=77 side_done side=2 stacks=14 after_ms=10000" in text
    assert "-> acknowledge received=1 stored=0" in text
    assert "-> request 1 session=00001234 set_plan plan=14,13,14,13 dealer=2 plan_mode=held" in text
    assert "<- reply 1 boot=0000abcd session=00001234 set_plan" in text
    assert "stop refused: wrong_state" in text
    assert len({line[:10] for line in lines}) == 3


def test_noise_is_shown_and_does_not_hide_the_frame_behind_it() -> None:
    trace = Trace()
    trace.add(5, RECEIVED, b"MPY: soft reboot\r\n\0" + encode(b"\x84\x01\0\0\0\x60" + b"\x07"))
    first, second = trace.dump().splitlines()
    assert "MPY: soft reboot" in first
    assert "boot=00000001" in second
    assert "MPY: soft reboot" in trace.noise().decode()


def test_a_piece_without_an_end_is_shown() -> None:
    trace = Trace()
    trace.add(5, RECEIVED, b"login: ")
    assert "login: " in trace.dump()
    assert trace.noise() == b"login:"


def test_it_is_bounded_whatever_comes(seed: int) -> None:
    rng = random.Random(seed)
    trace = Trace()
    for _ in range(300):
        trace.add(1, rng.choice((SENT, RECEIVED)), rng.randbytes(rng.randrange(900)))
    trace.add(1, RECEIVED, b"\xff" * 1_000_000)
    assert CAPACITY <= len(trace.dump().splitlines()) <= CAPACITY + 2
    assert len(trace.dump()) < CAPACITY * 2000


def test_how_it_was_cut_does_not_matter(seed: int) -> None:
    rng = random.Random(seed)
    data = b"".join(encode(rng.randbytes(rng.randint(1, 60))) for _ in range(20)) + b"rest"
    whole, cut = Trace(), Trace()
    whole.add(9, RECEIVED, data)
    while data:
        size = rng.randint(1, 30)
        cut.add(9, RECEIVED, data[:size])
        data = data[size:]
    assert cut.dump() == whole.dump()


def test_no_block_breaks_it(seed: int) -> None:
    rng = random.Random(seed)
    for kind in [*range(1, 4), *range(0x81, 0x85), 0x7F]:
        for size in range(40):
            body = bytes([kind]) + rng.randbytes(size)
            assert describe(encode(body)[:-1])
            assert "\n" not in describe(encode(body)[:-1])
            assert describe(rng.randbytes(size).replace(b"\0", b"\1") + b"x").startswith(("no frame", "unknown"))


def test_a_replay_that_lacks_a_frame_or_has_one_more_differs_there() -> None:
    frames = [Block(10 * number, RECEIVED, bytes([number])) for number in range(3)]
    assert trace_replay._compare(frames, frames) == (3, None)
    assert trace_replay._compare(frames, frames[:2]) == (3, trace_replay.Difference(3, frames[2], None))
    other = [frames[0], frames[1]._replace(data=b"x"), frames[2]]
    assert trace_replay._compare(frames, other) == (2, trace_replay.Difference(2, frames[1], other[1]))
    more = [*frames, frames[2]._replace(time_ms=15), frames[2]._replace(time_ms=20)]
    assert trace_replay._compare(frames, more) == (4, trace_replay.Difference(4, None, more[3]))
    assert trace_replay._compare(frames, [*frames, more[4]]) == (3, None)
