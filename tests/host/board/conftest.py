"""A table with a board to flash, and keys that are nobody else's."""

from pathlib import Path

import pytest

from tests.host.board.boards import Bench
from tests.host.cli.test_program import run

__all__ = ["run"]


@pytest.fixture(autouse=True)
def own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def bench(tmp_path: Path, request: pytest.FixtureRequest) -> Bench:
    return Bench(tmp_path, f"board-{request.node.name}".replace("[", "-").replace("]", ""))
