"""Garbage is collected at rest; while something moves only when there is much, and in a stroke when it must be."""

import gc

import pytest

from wallwright_firmware.garbage import CARRIED_BYTES, HEADS, IDLE_MS, POLL_BYTES, READ_BYTES, REST_BYTES, Garbage
from wallwright_protocol.hardware import DISC, HEAD, SIDES, drive_bit

ROOM = 100_000
IDLE = 7 + IDLE_MS + 1


def polls_until(monkeypatch: pytest.MonkeyPatch, due: int, drives: int, carried: int = 0) -> list[int]:
    """After how many polls the first two collections come."""
    collected: list[None] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(None))
    rule = Garbage(ROOM)
    found: list[int] = []
    for poll in range(1, 2 * ROOM // POLL_BYTES + 10):
        rule.after_poll(7, due, drives, carried)
        if len(collected) > len(found):
            found.append(poll)
        if len(found) == 2:
            break
    return found


def polls(amount: int, carried: int = 0) -> list[int]:
    each = POLL_BYTES + CARRIED_BYTES * carried
    return [-(-amount // each), 2 * -(-amount // each)]


def test_a_table_at_rest_collects_when_it_has_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert polls_until(monkeypatch, IDLE, 0) == polls(REST_BYTES)
    assert polls_until(monkeypatch, IDLE, 0, carried=60) == polls(REST_BYTES, carried=60)
    assert polls_until(monkeypatch, IDLE - 1, 0) == polls(ROOM)


def test_while_something_moves_it_waits_for_three_quarters_of_its_room(monkeypatch: pytest.MonkeyPatch) -> None:
    assert polls_until(monkeypatch, IDLE, DISC) == polls(75_000)


@pytest.mark.parametrize("side", range(SIDES))
def test_with_a_head_in_motion_it_waits_for_all_of_it(monkeypatch: pytest.MonkeyPatch, side: int) -> None:
    assert HEADS & drive_bit(side, HEAD)
    assert polls_until(monkeypatch, IDLE, DISC | drive_bit(side, HEAD)) == polls(ROOM)


def test_what_readers_leave_while_drives_are_on_counts_by_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[int] = []
    rule = Garbage(ROOM)
    for now_ms in range(0, 20_000, 5):
        monkeypatch.setattr(gc, "collect", lambda at_ms=now_ms: collected.append(at_ms))
        rule.after_poll(now_ms, now_ms + 5, DISC, 0, readers=1)
    each_ms = READ_BYTES + POLL_BYTES / 5
    assert collected[0] == pytest.approx(75_000 / each_ms, abs=5)
    assert collected[1] == pytest.approx(2 * collected[0], abs=10)


def test_what_a_poll_has_left_besides_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[int] = []
    rule = Garbage(ROOM)
    for poll in range(1, 101):
        monkeypatch.setattr(gc, "collect", lambda at=poll: collected.append(at))
        rule.after_poll(7, 7, 0, 0, left=2000 - POLL_BYTES)
    assert collected == [50, 100]
