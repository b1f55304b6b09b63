"""What the comparisons with slow counts leave behind ends with each of their files."""

from collections.abc import Iterator

import pytest

from tests.reference import full_set, hong_kong_table


@pytest.fixture(scope="module", autouse=True)
def forgets() -> Iterator[None]:
    """The references keep what they have counted, 41 MB of one file; no other test of the process is to have that."""
    yield
    full_set._partings.cache_clear()
    hong_kong_table.complete.cache_clear()
