"""Boards that are several times as fast as real ones, and hosts that are not: what they may expect of each other."""

import pytest

from wallwright_protocol import link

FASTEST = 2000
"""A deal of three minutes without an event passes in a tenth of a second."""


@pytest.fixture(autouse=True)
def patient_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a host's time these boards wait for it at least as long as a real one, else a busy machine would lose them."""
    monkeypatch.setattr(link, "SILENCE_MS", FASTEST * link.SILENCE_MS)
