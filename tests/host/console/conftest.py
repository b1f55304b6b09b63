"""The console of a hall of paper."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.console.hall import Place, opened


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Two tables, A1 and A2, ready, and nobody who has an account yet."""
    with opened(tmp_path) as place:
        yield place
