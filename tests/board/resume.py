"""A campaign that goes on where it was ended: what has passed with the same image is not run again.

`make board-campaign` loads this. A test that has passed leaves what it printed and how long it took in
build/board/passed/, in a folder for the images, the emulator, the tests of this folder and the seed.
"""

import hashlib
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.conftest import SEED
from wallwright_simulator.chip.image import NODE_IMAGE, find_image

ROOT = Path(__file__).parents[2]
HASHED = ("tests/board/*.py", "simulator/wallwright_simulator/**/*.py", "simulator/wallwright_simulator/**/*.mjs")
FOLDER = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """Choose the folder by the hash of all that the tests depend on."""
    found = hashlib.sha256(find_image().read_bytes() + find_image(NODE_IMAGE).read_bytes())
    for path in sorted(path for pattern in HASHED for path in ROOT.glob(pattern)):
        found.update(path.read_bytes())
    config.stash[FOLDER] = ROOT / "build" / "board" / "passed" / f"{found.hexdigest()[:16]}-{config.stash[SEED]}"
    config.stash[FOLDER].mkdir(parents=True, exist_ok=True)


def kept(item: pytest.Item) -> Path:
    """Return where a test leaves what it has printed."""
    return item.config.stash[FOLDER] / f"{hashlib.sha256(item.nodeid.encode()).hexdigest()[:16]}.txt"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what has passed."""
    done = [item for item in items if kept(item).is_file()]
    config.hook.pytest_deselected(items=done)
    items[:] = [item for item in items if item not in done]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep what a test that has passed has printed."""
    report = yield
    if report.when == "call" and report.passed:
        draft = kept(item).with_suffix(".new")
        draft.write_text(f"{item.name}: {report.duration:.0f} s\n{report.capstdout}", encoding="utf-8")
        draft.replace(kept(item))
    return report


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A campaign of which nothing is left to be run has passed."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and any(session.config.stash[FOLDER].glob("*.txt")):
        session.exitstatus = pytest.ExitCode.OK


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what each test has printed that has passed so far, in this run or before."""
    terminalreporter.section("passed so far")
    texts = sorted(path.read_text(encoding="utf-8") for path in config.stash[FOLDER].glob("*.txt"))
    terminalreporter.write("".join(texts) + f"{len(texts)} tests have passed\n")
