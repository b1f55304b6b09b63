"""What all tests share: the seed, which is printed, hypothesis' settings, and a real MicroPython to run code in."""

import gc
import os
import random
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.length import length
from tests.needs import leave_out
from tests.needs import pytest_terminal_summary as pytest_terminal_summary
from wallwright_simulator.runtimes import LANES, NoRuntime, Runtime, find_micropython

SEED = pytest.StashKey[int]()
SUITE_SEED = 2026
"""What `make test` draws from, so that it says the same of one tree everywhere. `make campaign` draws its own seed."""
BOARD = Path(__file__).parent / "board"
DRAWN = os.environ.get("WALLWRIGHT_SEED") == "random"

# Loaded by name because hypothesis picks a profile of its own on CI machines. No deadline and no complaint about
# slowness: how busy the machine is, is not what these tests are about.
settings.register_profile(
    "wallwright",
    deadline=None,
    derandomize=not DRAWN,
    max_examples=length(40, 400),
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("wallwright")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --micropython, which chooses the runtime of the tests that need one, and the conformance tests' options."""
    parser.addoption(
        "--micropython",
        "--lane",
        choices=LANES,
        help="run the MicroPython tests on lane A (64 bit) or B (32 bit); default: $MICROPYTHON, else A",
    )
    parser.addoption("--port", help="run the conformance tests on the table at this port, and there only")
    parser.addoption(
        "--motion", action="store_true", help="with --port: let the conformance tests build walls and roll dice there"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Take the seed from $WALLWRIGHT_SEED, which may say `random`; let Ctrl-C reach the programs that tests start.

    A shell starts what runs in its background with SIGINT ignored, and programs inherit that.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    given = getattr(config, "workerinput", {}).get("seed")
    if given is None:
        drawn = random.SystemRandom().randrange(2**32)
        given = drawn if DRAWN else os.environ.get("WALLWRIGHT_SEED") or SUITE_SEED
    config.stash[SEED] = int(given)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let the collector pass over modules and tests, which stay anyway: it took a tenth of the suite's time."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Let the collector end what is left; DuckDB would list at the end of the process what nobody had collected."""
    gc.unfreeze()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the tests of the emulated board out unless somebody names them: they take minutes and an image."""
    is_named = any(Path(arg.partition("::")[0]).resolve().is_relative_to(BOARD) for arg in config.args)
    return True if collection_path == BOARD and not is_named else None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give each of the processes that share a run's tests the seed of the run."""
    node.workerinput["seed"] = str(node.config.stash[SEED])


def pytest_report_header(config: pytest.Config) -> str:
    """Show the seed, so that every run can be repeated."""
    return f"seed: {config.stash[SEED]} (repeat with WALLWRIGHT_SEED={config.stash[SEED]})"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a MicroPython, so that `-m micropython` runs exactly that on another lane."""
    for item in items:
        if "micropython_runtime" in getattr(item, "fixturenames", ()):
            item.add_marker("micropython")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put the seed beside the failure of a test that used it."""
    report = yield
    if report.failed and "seed" in getattr(item, "fixturenames", ()):
        report.sections.append(("seed", f"WALLWRIGHT_SEED={item.config.stash[SEED]}"))
    return report


@pytest.fixture
def seed(pytestconfig: pytest.Config) -> int:
    """The seed of this run, printed in the header and beside the failure."""
    return pytestconfig.stash[SEED]


@pytest.fixture(scope="session")
def micropython_runtime(pytestconfig: pytest.Config) -> Runtime:
    """The MicroPython that --micropython chose. One that was chosen and is missing fails the test.

    Where nobody chose one and lane A is missing, the test is left out.
    """
    lane: str | None = pytestconfig.getoption("--micropython")
    is_chosen = lane is not None or bool(os.environ.get("MICROPYTHON"))
    try:
        return find_micropython(lane if is_chosen else "A")
    except NoRuntime as error:
        if is_chosen:
            pytest.fail(str(error), pytrace=False)
        leave_out(f"not run, for {error}")


@pytest.fixture(scope="session")
def micropython(micropython_runtime: Runtime) -> list[str]:
    """The argv prefix that starts that MicroPython."""
    return list(micropython_runtime.argv)
