"""Events: in order and exactly once, the window, resending, gaps, and when the board may forget."""

import random
import struct
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from wallwright_firmware.events import CAPACITY
from wallwright_protocol import link
from wallwright_protocol.frame import Decoder, encode

from .pair import BOOT_ID, DELAY_MS, SESSION, STOP, Pair, faithful, kind
from .talk import silenced

fates = st.lists(
    st.sampled_from([(), (DELAY_MS,), (DELAY_MS,), (DELAY_MS,), (DELAY_MS, 40), (300,), (700, 900)]), max_size=60
)


def seq_of(frame: bytes) -> int:
    (body,) = Decoder().feed(frame)
    (seq,) = struct.unpack_from("<I", body, 5)
    assert isinstance(seq, int)
    return seq


def events_sent(pair: Pair) -> list[int]:
    """The numbers of all event frames that the board has put on the wire."""
    return [seq_of(frame) for frame in pair.down.sent if kind(frame) == link.EVENT]


def fated(plan: list[tuple[int, ...]]):
    """The first frames meet with the delays of `plan` (none: lost; two: doubled), the rest arrive."""
    return lambda n, frame: [(late, frame) for late in plan[n - 1]] if n <= len(plan) else faithful(n, frame)


@pytest.mark.slow
@given(fates, fates, st.lists(st.integers(0, 900), min_size=1, max_size=25))
def test_events_arrive_in_order_exactly_once_whatever_the_wire_does(up, down, pauses: list[int]) -> None:
    # Of a host that loses four heartbeats in a row the board hears nothing for ten seconds, and ends the session.
    assume(all(any(up[at : at + 4]) for at in range(len(up) - 3)))
    pair = Pair()
    pair.hello()
    pair.up.fate, pair.down.fate = fated(up), fated(down)
    for number, pause in enumerate(pauses):
        pair.event(number % 4, 13, number)
        pair.run(pause)
    pair.run(120_000)
    assert pair.seqs() == list(range(1, len(pauses) + 1))
    for number, event in enumerate(pair.of("event")):
        assert event[:4] == ("event", BOOT_ID, number + 1, 0)
        assert event[6] == struct.pack("<BBI", number % 4, 13, number)
    assert pair.board.is_open()


def test_no_more_than_the_window_is_under_way() -> None:
    pair = Pair()
    pair.hello()
    pair.down.fate = silenced
    for _ in range(10):
        pair.event()
    assert events_sent(pair) == [1, 2, 3, 4]
    pair.down.fate = faithful
    pair.run(link.EVENT_RETRY_MS + DELAY_MS)
    assert pair.seqs() == [1, 2, 3, 4]
    # One acknowledgement for the four opens the window for four more.
    pair.run(DELAY_MS)
    assert events_sent(pair)[8:] == [5, 6, 7, 8]
    pair.run(5 * DELAY_MS)
    assert pair.seqs() == list(range(1, 11))


def test_resending_backs_off_to_its_cap_and_starts_afresh_on_progress() -> None:
    pair = Pair()
    pair.hello()
    times: list[int] = []
    deaf = True

    def fate(n: int, frame: bytes):
        if kind(frame) == link.EVENT:
            times.append(pair.now_ms)
        return [] if deaf else faithful(n, frame)

    pair.down.fate = fate
    pair.event()
    pair.run(20_000)
    assert [later - sooner for sooner, later in pairwise(times)] == [500, 1000, 2000, 4000, 4000, 4000, 4000]
    deaf = False
    pair.run(4000)
    assert pair.seqs() == [1]
    deaf = True
    times.clear()
    pair.event()
    pair.run(1600)
    assert [later - sooner for sooner, later in pairwise(times)] == [500, 1000]


def test_progress_starts_the_wait_anew() -> None:
    pair = Pair()
    pair.hello()
    pair.down.fate = lambda n, frame: [(400 if n == 2 else 5000, frame)]
    for _ in range(3):
        pair.event()
    pair.run(400 + DELAY_MS + link.EVENT_RETRY_MS - 1)
    assert pair.seqs() == [1]
    assert events_sent(pair) == [1, 2, 3]
    pair.run(1)
    assert events_sent(pair) == [1, 2, 3, 2, 3]


@pytest.mark.parametrize(("at_ms", "carried"), [(70_000, 70_000), (2**32 - 5, 2**32 - 5), (2**32 + 5, 5)])
def test_the_time_of_an_event_is_that_of_the_board_modulo_32_bits(at_ms: int, carried: int) -> None:
    pair = Pair(at_ms)
    pair.event()
    pair.run(100)
    pair.hello()
    pair.run(100)
    assert [event[4] for event in pair.of("event")] == [carried]


def test_a_new_session_starts_with_the_short_wait() -> None:
    pair = Pair()
    pair.hello()
    pair.down.fate = lambda n, frame: [] if kind(frame) == link.EVENT else faithful(n, frame)
    pair.event()
    pair.run(8000)
    pair.hello(SESSION + 1)
    before = len(events_sent(pair))
    pair.run(link.EVENT_RETRY_MS)
    assert len(events_sent(pair)) == before + 1


@pytest.mark.parametrize("surplus", [1, 30, 500])
def test_what_a_full_ring_gave_up_is_reported_with_its_number(surplus: int) -> None:
    pair = Pair()
    for _ in range(CAPACITY + surplus):
        pair.event()
    pair.hello()
    pair.run(5000)
    lost = [(event[2], event[3]) for event in pair.of("event")]
    assert lost[0] == (surplus + 1, surplus)
    assert all(gap == 0 for _, gap in lost[1:])
    assert pair.seqs() == list(range(surplus + 1, CAPACITY + surplus + 1))


def test_every_gap_between_kept_events_is_reported() -> None:
    pair = Pair()
    for _ in range(20):
        pair.event(1, 2, name="walls_up")
        for _ in range(9):
            pair.event()
    pair.hello()
    pair.run(5000)
    gaps = [event[3] for event in pair.of("event")]
    assert len(gaps) == CAPACITY
    assert sum(gaps) + len(gaps) == pair.ring.newest() == 200
    assert gaps[:12] == [0, *[9] * 11]
    assert [event[2] for event in pair.of("event")][:3] == [1, 11, 21]


def test_an_event_that_is_given_up_on_its_way_is_a_gap_and_not_a_standstill() -> None:
    pair = Pair()
    pair.hello()
    pair.down.fate = silenced
    for _ in range(CAPACITY + 3):
        pair.event()
    pair.down.fate = faithful
    pair.run(5000)
    assert [(event[2], event[3]) for event in pair.of("event")][:2] == [(4, 3), (5, 0)]
    assert pair.seqs()[-1] == CAPACITY + 3


def test_only_a_missing_event_on_the_wire_holds_the_later_ones_back() -> None:
    pair = Pair()
    pair.hello()
    pair.down.fate = lambda n, frame: [] if kind(frame) == link.EVENT and n == 3 else faithful(n, frame)
    for _ in range(3):
        pair.event()
    pair.run(100)
    assert pair.seqs() == [1]
    assert pair.host.ignored == 1
    pair.run(link.EVENT_RETRY_MS)
    assert [(event[2], event[3]) for event in pair.of("event")] == [(1, 0), (2, 0), (3, 0)]


def test_the_board_forgets_only_what_is_stored() -> None:
    pair = Pair()
    pair.hello()
    for _ in range(5):
        pair.event()
        pair.run(50)
    assert pair.seqs() == [1, 2, 3, 4, 5]
    assert (pair.ring.held(), pair.ring.stored()) == (5, 0)
    pair.host.stored(pair.now_ms, 3)
    pair.run(50)
    assert (pair.ring.held(), pair.ring.stored()) == (2, 3)
    pair.host.stored(pair.now_ms, 2)
    pair.run(50)
    assert (pair.ring.held(), pair.ring.stored()) == (2, 3)


def test_a_lost_word_of_storing_comes_with_the_next_heartbeat() -> None:
    pair = Pair()
    pair.hello()
    pair.event()
    pair.run(50)
    pair.up.fate = silenced
    pair.host.stored(pair.now_ms, 1)
    pair.run(50)
    pair.up.fate = faithful
    assert pair.ring.stored() == 0
    pair.run(link.HEARTBEAT_MS)
    assert pair.ring.stored() == 1


def test_a_new_session_gets_what_was_received_but_not_stored() -> None:
    pair = Pair()
    pair.hello()
    for _ in range(5):
        pair.event()
        pair.run(50)
    pair.host.stored(pair.now_ms, 2)
    pair.run(50)
    pair.happened.clear()
    pair.hello(SESSION + 1)
    pair.run(50)
    assert pair.of("hello")[0][5:] == (2, 5)
    assert [(event[2], event[3]) for event in pair.of("event")] == [(3, 0), (4, 0), (5, 0)]


def test_a_host_that_has_the_events_from_before_need_not_get_them_again() -> None:
    pair = Pair()
    for _ in range(9):
        pair.event()
    pair.down.fate = lambda n, frame: [] if kind(frame) == link.EVENT else faithful(n, frame)
    pair.hello()
    pair.host.stored(pair.now_ms, 9)
    pair.down.fate = faithful
    pair.run(3000)
    assert pair.seqs() == []
    assert (pair.ring.held(), pair.ring.stored()) == (0, 9)
    pair.event()
    pair.run(50)
    assert [(event[2], event[3]) for event in pair.of("event")] == [(10, 0)]
    assert pair.ask(b"x")[0] == "reply"


@pytest.mark.parametrize(("received", "stored"), [(100, 0), (0, 100), (100, 100), (2**32 - 1, 2**32 - 1), (0, 3)])
def test_an_acknowledgement_of_events_that_never_were_does_no_harm(received: int, stored: int) -> None:
    pair = Pair()
    pair.hello()
    for _ in range(3):
        pair.event()
    ack = struct.pack(link.EVENT_ACK_LAYOUT, link.EVENT_ACK, SESSION, BOOT_ID, received, stored)
    pair.board.receive(pair.now_ms, encode(ack))
    assert pair.ring.stored() == min(stored, 3)
    pair.run(1000)
    pair.event()
    pair.run(1000)
    assert pair.seqs()[-1] == 4


def test_stored_says_received_too() -> None:
    pair = Pair()
    pair.hello()
    pair.down.fate = silenced
    pair.event()
    pair.run(1600)
    ack = struct.pack(link.EVENT_ACK_LAYOUT, link.EVENT_ACK, SESSION, BOOT_ID, 0, 1)
    pair.board.receive(pair.now_ms, encode(ack))
    pair.event()
    # The wait is the short one again, as after every progress.
    pair.run(link.EVENT_RETRY_MS)
    assert events_sent(pair)[-2:] == [2, 2]


def test_an_acknowledgement_of_another_start_of_the_board_is_not_heeded() -> None:
    pair = Pair()
    pair.hello()
    pair.event()
    ack = struct.pack(link.EVENT_ACK_LAYOUT, link.EVENT_ACK, SESSION, BOOT_ID + 1, 1, 1)
    pair.board.receive(pair.now_ms, encode(ack))
    assert pair.ring.stored() == 0


def test_requests_and_events_do_not_wait_for_each_other() -> None:
    pair = Pair()
    pair.hello()
    pair.down.fate = lambda n, frame: [] if kind(frame) == link.EVENT else faithful(n, frame)
    for _ in range(6):
        pair.event()
    start = pair.now_ms
    assert pair.ask(b"x")[0] == "reply"
    assert pair.now_ms == start + 2 * DELAY_MS
    pair.down.fate = lambda n, frame: [] if kind(frame) == link.REPLY else faithful(n, frame)
    pair.host.request(pair.now_ms, STOP, b"y")
    pair.run(1000)
    assert pair.seqs() == [1, 2, 3, 4, 5, 6]
    assert pair.host.busy


def test_event_frames_are_bounded_at_30_percent_loss(seed: int) -> None:
    rng = random.Random(seed)
    pair = Pair()
    pair.hello()
    pair.up.fate = pair.down.fate = lambda n, frame: [] if rng.random() < 0.3 else faithful(n, frame)
    for _ in range(300):
        pair.event()
        pair.run(1000)
        pair.host.stored(pair.now_ms, pair.seqs()[-1] if pair.seqs() else 0)
    pair.run(60_000)
    assert pair.seqs() == list(range(1, 301))
    pair.up.fate = pair.down.fate = faithful
    pair.host.stored(pair.now_ms, 300)
    pair.run(link.HEARTBEAT_MS + 50)
    assert pair.ring.held() == 0
    # Alone on its way an event takes 2.0 frames; behind a lost one it is sent along with it.
    assert len(events_sent(pair)) < 4 * 300
