"""What tests of the host share: a PostgreSQL server, and a key that is not the developer's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.postgresql import Server, running_server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL server, started once a run."""
    with running_server() as server:
        yield server


@pytest.fixture(autouse=True)
def own_key(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this run's signing key."""
    folder = tmp_path_factory.getbasetemp() / "data-home"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder
