"""Garbage is collected when there is time, and after many polls without."""

import pytest

from wallwright_firmware import garbage
from wallwright_firmware.garbage import IDLE_MS, POLLS, Garbage


def test_a_poll_that_leaves_time_collects_and_a_row_of_busy_ones_does_at_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    collections = []
    rule = Garbage()
    monkeypatch.setattr(garbage.gc, "collect", lambda: collections.append(polls))
    polls = 0
    for polls in range(1, 2 * POLLS + 1):
        rule.after_poll(IDLE_MS)
    assert collections == [POLLS, 2 * POLLS]
    rule.after_poll(IDLE_MS + 1)
    assert len(collections) == 3
    for _ in range(POLLS - 1):
        rule.after_poll(0)
    assert len(collections) == 3, "the count begins anew"
