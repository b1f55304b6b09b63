"""Names that other releases bring get numbers for as long as a program runs; here they last for one test."""

from collections.abc import Iterator

import pytest

from wallwright.link.numbers import forget


@pytest.fixture(autouse=True)
def names_of_one_test() -> Iterator[None]:
    """Take the numbers back that boards of other releases have been given."""
    yield
    forget()
