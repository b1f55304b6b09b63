"""Garbage is collected at rest; while something moves only when there is much, and no head may come home meanwhile."""

import gc
from collections.abc import Callable

import pytest

from wallwright_firmware.garbage import (
    CARRIED_BYTES,
    HEADS,
    HOMING_MS,
    IDLE_MS,
    POLL_BYTES,
    READ_BYTES,
    REST_BYTES,
    REST_POLL_BYTES,
    Garbage,
)
from wallwright_firmware.settings import defaults
from wallwright_protocol.hardware import DISC, HEAD, SIDES, drive_bit
from wallwright_protocol.settings import LEAST_STROKE

ROOM = 100_000
SETTINGS = defaults(108, 0)
IDLE = 7 + IDLE_MS + 1


def polls_until(monkeypatch: pytest.MonkeyPatch, due: int, drives: int, carried: int = 0) -> list[int]:
    """After how many polls the first two collections come."""
    collected: list[None] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(None))
    rule = Garbage(ROOM, SETTINGS)
    found: list[int] = []
    for poll in range(1, 2 * ROOM // POLL_BYTES + 10):
        rule.after_poll(7, due, drives, carried)
        if len(collected) > len(found):
            found.append(poll)
        if len(found) == 2:
            break
    return found


def polls(amount: int, carried: int = 0, poll_bytes: int = POLL_BYTES) -> list[int]:
    each = poll_bytes + CARRIED_BYTES * carried
    return [-(-amount // each), 2 * -(-amount // each)]


def test_a_table_at_rest_collects_when_it_has_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert polls_until(monkeypatch, IDLE, 0) == polls(REST_BYTES, 0, REST_POLL_BYTES)
    assert polls_until(monkeypatch, IDLE, 0, carried=60) == polls(REST_BYTES, 60, REST_POLL_BYTES)
    assert polls_until(monkeypatch, IDLE - 1, 0) == polls(4 * REST_BYTES, 0, REST_POLL_BYTES), "before memory is full"


def test_while_something_moves_it_waits_for_three_quarters_of_its_room(monkeypatch: pytest.MonkeyPatch) -> None:
    assert polls_until(monkeypatch, IDLE, DISC) == polls(75_000)


def collected_ms(monkeypatch: pytest.MonkeyPatch, heads: Callable[[int], int], settings: list[int] = SETTINGS) -> int:
    """When garbage is collected first, with these heads on at each time and READ_BYTES left in each ms."""
    collected: list[int] = []
    rule = Garbage(ROOM, settings)
    for now_ms in range(20_000):
        monkeypatch.setattr(gc, "collect", lambda at_ms=now_ms: collected.append(at_ms))
        rule.after_poll(now_ms, now_ms + 1, DISC | heads(now_ms), 0, readers=1)
        if collected:
            break
    return collected[0]


EACH_MS = READ_BYTES + POLL_BYTES
WANTED_MS = ROOM * 3 // 4 // EACH_MS + 1
FULL_MS = ROOM // EACH_MS + 1


@pytest.mark.parametrize("side", range(SIDES))
def test_a_collection_waits_for_a_head_that_may_come_home(monkeypatch: pytest.MonkeyPatch, side: int) -> None:
    bit = drive_bit(side, HEAD)
    assert HEADS & bit
    soon_ms = SETTINGS[LEAST_STROKE] - HOMING_MS

    def until(began_ms: int, home_ms: int) -> int:
        return collected_ms(monkeypatch, lambda now_ms: bit if began_ms <= now_ms < home_ms else 0)

    assert until(0, 0) == pytest.approx(WANTED_MS, abs=1)
    began_ms = WANTED_MS - soon_ms
    assert until(began_ms + 10, began_ms + 500) == pytest.approx(WANTED_MS, abs=1), "it is far from home"
    assert until(began_ms - 10, began_ms + 500) == began_ms + 500, "it may come home until it is"
    assert until(0, 20_000) == pytest.approx(FULL_MS, abs=1), "memory is full"


def test_a_quick_head_is_waited_for_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = SETTINGS.copy()
    quick[LEAST_STROKE] = 150
    began_ms = WANTED_MS - 200

    def heads(now_ms: int) -> int:
        return drive_bit(0, HEAD) if began_ms <= now_ms < began_ms + 250 else 0

    assert collected_ms(monkeypatch, heads) == pytest.approx(WANTED_MS, abs=1)
    assert collected_ms(monkeypatch, heads, quick) == began_ms + 250


def test_one_head_that_may_come_home_is_enough_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def heads(now_ms: int) -> int:
        first = drive_bit(0, HEAD) if WANTED_MS - 440 <= now_ms < WANTED_MS + 60 else 0
        return first | (drive_bit(3, HEAD) if WANTED_MS - 50 <= now_ms < WANTED_MS + 450 else 0)

    assert collected_ms(monkeypatch, heads) == WANTED_MS + 60


def test_what_readers_leave_while_drives_are_on_counts_by_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[int] = []
    rule = Garbage(ROOM, SETTINGS)
    for now_ms in range(0, 20_000, 5):
        monkeypatch.setattr(gc, "collect", lambda at_ms=now_ms: collected.append(at_ms))
        rule.after_poll(now_ms, now_ms + 5, DISC, 0, readers=1)
    each_ms = READ_BYTES + POLL_BYTES / 5
    assert collected[0] == pytest.approx(75_000 / each_ms, abs=5)
    assert collected[1] == pytest.approx(2 * collected[0], abs=10)


def test_what_a_poll_has_left_besides_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[int] = []
    rule = Garbage(ROOM, SETTINGS)
    for poll in range(1, 101):
        monkeypatch.setattr(gc, "collect", lambda at=poll: collected.append(at))
        rule.after_poll(7, 7, DISC, 0, left=2000 - POLL_BYTES)
    assert collected == [38, 76]
