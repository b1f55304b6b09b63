"""What the host gets of what happened: all of it once, in order, or a gap that shows."""

import random
from itertools import pairwise

import pytest

from tests.scenarios.table import Host, Table
from wallwright_firmware.events import CAPACITY
from wallwright_protocol import codes
from wallwright_protocol.link import SILENCE_MS
from wallwright_protocol.messages import KEPT_EVENTS


def play(table, deals):
    """Deals by keys, from rest to the next set being built."""
    if table.shown == "START?":
        table.press_lift()
    for _ in range(deals):
        table.until("READY")
        table.raise_walls()
        table.press_dice()
        table.until_building(3_000)


def test_twenty_deals_without_a_host_are_handed_over_in_order_with_the_gap_shown(seed):
    table = Table(seed)
    play(table, 20)
    table.until("READY")
    assert not any(poll.tx for poll in table.polls)
    host = table.connect()
    table.run(5_000)
    events = host.events
    newest = events[-1].seq
    assert newest > 2 * CAPACITY, "twenty deals are more than a ring holds, else this test shows nothing"
    assert len(events) <= CAPACITY + 10
    assert [event.seq for event in events] == sorted({event.seq for event in events})
    times = [event.time_ms for event in events]
    assert times == sorted(times)
    assert sum(event.lost for event in events) == newest - len(events) > 0
    before = 0
    for event in events:
        assert event.seq == before + event.lost + 1
        before = event.seq
    assert [event.values["deal"] for event in host.named("walls_up")] == list(range(1, 21))
    assert len(host.named("dice_rolled")) == 20
    assert len(host.named("build_done")) == 21
    assert {event.name for event in events[: CAPACITY // 2]} <= set(KEPT_EVENTS)


@pytest.mark.parametrize("loss", [0.0, 0.3])
def test_each_event_arrives_once_though_frames_get_lost_both_ways(loss, seed, monkeypatch):
    chance = random.Random(seed)
    table = Table(chance.randrange(2**32))
    write, read = table.sim.write, table.sim.read
    host = table.connect()
    in_a_row = 0

    def gets_lost():
        """Never so many in a row that the board takes its host for gone."""
        nonlocal in_a_row
        in_a_row = in_a_row + 1 if in_a_row < 3 and chance.random() < loss else 0
        return in_a_row > 0

    with monkeypatch.context() as line:
        line.setattr(table.sim, "write", lambda data: None if gets_lost() else write(data))
        line.setattr(table.sim, "read", lambda: data if (data := read()) and not gets_lost() else b"")
        play(table, 2)
    table.run(2 * SILENCE_MS)
    assert [event.seq for event in host.events] == list(range(1, len(host.events) + 1))
    assert not any(event.lost for event in host.events)
    status = host.do("get_status")
    assert status["newest_event"] == status["stored_event"] == len(host.events)


def test_what_a_host_has_received_but_not_stored_is_sent_to_the_next_one():
    table = Table(5)
    first = table.connect(session=7)
    table.run(100)
    kept = len(first.events)
    first.keep = False
    play(table, 1)
    table.run(100)
    assert len(first.events) > kept + 10
    table.disconnect()
    second = table.connect(session=8)
    table.run(3_000)
    assert second.events[: len(first.events) - kept] == first.events[kept:]
    table.disconnect()
    table.host = Host(table, 9)
    stored, newest = table.host.connect()
    assert stored == newest == second.events[-1].seq


def test_a_board_sends_nothing_of_itself_before_a_handshake_and_after_its_host_is_gone():
    table = Table(6)
    table.build()
    host = table.connect()
    table.run(3_000)
    assert host.events
    assert host.statuses
    table.disconnect()
    gone_ms = table.world.host_gone_ms
    table.run(3 * SILENCE_MS)
    sent = [poll.now_ms for poll in table.polls if poll.tx]
    assert sent[-1] < gone_ms
    polls = len(table.polls)
    table.raise_walls()
    table.press_dice()
    table.until("READY")
    assert not any(poll.tx for poll in table.polls[polls:])


def test_a_status_comes_every_second_and_with_every_change_of_state():
    table = Table(7)
    host = table.connect()
    host.do("start_build")
    table.run(20_000)
    times = [status["uptime_ms"] for status in host.statuses]
    assert all(0 < later - earlier <= 1_000 for earlier, later in pairwise(times))
    assert [status["state"] for status in host.statuses[:2]] == [codes.IDLE, codes.BUILDING]


def test_a_poll_sends_at_most_one_frame_so_that_it_is_short(seed):
    table = Table(seed)
    table.run(2_000)
    host = table.connect()
    play(table, 2)
    assert max(poll.tx.count(0) for poll in table.polls) == 1
    assert len(host.events) > 40
