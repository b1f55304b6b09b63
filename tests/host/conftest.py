"""Fixtures of the host's tests: a PostgreSQL server, a process that runs commands, and a key of their own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import needs
from tests.host.postgresql import Server, running_server
from tests.host.programs import RUNNER, Runner, Told


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL server, started once a run."""
    needs.program("postgresql")
    with running_server() as server:
        yield server


@pytest.fixture(scope="session", autouse=True)
def runner() -> Iterator[Runner]:
    """A process that has the whole program loaded and runs commands."""
    with RUNNER:
        yield RUNNER


@pytest.fixture(scope="session")
def small_event(tmp_path_factory: pytest.TempPathFactory, runner: Runner) -> Path:
    """The journal of a small event, played to its end; tests read it, and write into copies."""
    path = tmp_path_factory.mktemp("event") / "small.journal"
    told = runner.run("event", "rehearse", str(path), "--players", "8", "--sessions", "1", "--seed", "1")
    assert told == Told(0, "")
    return path


@pytest.fixture
def good(small_event: Path, tmp_path: Path) -> Path:
    """A copy of that journal."""
    return shutil.copyfile(small_event, tmp_path / "good.journal")


@pytest.fixture(scope="session", autouse=True)
def own_key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of this run's signing key."""
    folder = tmp_path_factory.getbasetemp() / "data-home"
    with pytest.MonkeyPatch.context() as here:
        here.setenv("XDG_DATA_HOME", str(folder))
        yield folder
