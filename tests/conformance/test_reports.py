"""What the board says of itself: a status a second, events in a chain, kept until they are stored, and then silence."""

from itertools import pairwise

from tests.conformance.probe import Probe, events_in
from wallwright_protocol import link
from wallwright_protocol.codec import EVENTS, NUMBER_OF, STATUSES

STATUS = NUMBER_OF["status"]


def test_a_status_comes_every_second(probe: Probe) -> None:
    heard = [body for body in probe.hear(5200) if body[0] == link.STATUS]
    times = [STATUSES[STATUS].unpack_named(body[link.STATUS_HEAD :])["uptime_ms"] for body in heard]
    assert 5 <= len(times) <= 6
    gaps = [later - sooner for sooner, later in pairwise(times[1:])]
    assert all(900 <= gap <= 1100 for gap in gaps), gaps


def test_events_come_in_a_chain_without_a_gap_in_windows_of_four(probe: Probe) -> None:
    _, _, _, _, _, stored, newest = probe.hello()
    reached = stored
    while True:
        fresh = {event for event in events_in(probe.hear(300)) if event[0] > reached}
        assert len(fresh) <= link.EVENT_WINDOW
        if not fresh:
            break
        for seq, previous, message, payload in sorted(fresh):
            assert previous == reached
            assert EVENTS[message].size == len(payload)
            reached = seq
        probe.acknowledge(reached, stored)
    assert reached >= newest


def test_an_event_that_is_not_acknowledged_is_sent_again(probe: Probe) -> None:
    _, _, _, _, _, stored, newest = probe.hello()
    events = events_in(probe.hear(1700))
    if stored == newest:
        assert events == []
    else:
        first = min(events)
        assert events.count(first) >= 2


def test_what_was_received_and_not_stored_comes_again_in_the_next_session(probe: Probe) -> None:
    *_, stored, _ = probe.hello()
    first = events_in(probe.hear(100))
    if first:
        probe.acknowledge(max(first)[0], stored)
    probe.hear(50)
    *_, still, _ = probe.hello()
    assert still == stored
    assert events_in(probe.hear(100))[: len(first)] == first


def test_an_acknowledgement_of_what_never_was_is_not_believed(probe: Probe) -> None:
    """It would make the board forget events that nobody has."""
    *_, stored, newest = probe.hello()
    probe.boot_id ^= 1
    probe.acknowledge(newest, newest)
    probe.boot_id ^= 1
    probe.hear(20)
    *_, still, _ = probe.hello()
    assert still == stored


def test_a_board_that_hears_nothing_for_ten_seconds_falls_silent(probe: Probe) -> None:
    heard = probe.hear(link.SILENCE_MS + 500)
    assert sum(body[0] == link.STATUS for body in heard) >= 9
    assert probe.hear(3000) == []
    probe.hello()
    assert probe.hear(1500) != []


def test_a_heartbeat_keeps_it_talking(probe: Probe) -> None:
    *_, stored, _ = probe.hello()
    for _ in range(7):
        probe.hear(link.HEARTBEAT_MS)
        probe.acknowledge(stored, stored)
    assert any(body[0] == link.STATUS for body in probe.hear(1500))
