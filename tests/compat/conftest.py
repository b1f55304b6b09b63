"""Names that other releases bring get numbers for as long as a program runs; here they last for one test."""

from copy import deepcopy

import pytest

from wallwright.link import numbers


@pytest.fixture(autouse=True)
def names_of_one_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give boards of other releases numbers that end with the test."""
    for name in ("_NAMES", "_NUMBERS", "_given"):
        monkeypatch.setattr(numbers, name, deepcopy(getattr(numbers, name)))
