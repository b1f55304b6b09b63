"""Garbage is collected when there is time, and after many polls without."""

import gc

import pytest

from wallwright_firmware.garbage import IDLE_MS, POLLS, Garbage


def test_a_poll_that_leaves_time_collects_and_a_row_of_busy_ones_does_at_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    collected: list[None] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(None))
    rule = Garbage()
    counts = []
    for _ in range(2 * POLLS):
        rule.after_poll(IDLE_MS)
        counts.append(len(collected))
    assert counts == [0] * (POLLS - 1) + [1] * POLLS + [2]
    rule.after_poll(IDLE_MS + 1)
    assert len(collected) == 3
    for _ in range(POLLS - 1):
        rule.after_poll(0)
    assert len(collected) == 3, "the count begins anew"
