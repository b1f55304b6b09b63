"""The image that `make firmware` builds, on an emulated RP2040: `make test-board`, never `make test`.

pytest tests/board                        the whole of it
WALLWRIGHT_IMAGE=FILE pytest tests/board  with another image
"""

import re
from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.board.rp2350.emulator import Rp2350
from tests.host.hardware_page import Run, runner
from wallwright.table.table import Table, open_table
from wallwright_simulator.chip import ChipSimulation
from wallwright_simulator.chip.picture import svg, vcd
from wallwright_simulator.chip.process import ChipFault
from wallwright_simulator.simulation import attach

SETTLED_MS = 3000
"""After this long a board has made its file system, looked where everything stands and committed to its first dice."""
PICTURES = Path(__file__).parents[2] / "build" / "board"
LONGEST = ("test_sorter", "test_sorting_node")
"""Files that begin before the others, so that none of two workers is left with the last of them alone."""
MADE = pytest.StashKey[list[ChipSimulation]]()
_names = count()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files of this folder before the others of it."""
    folder = Path(__file__).parent
    ours = [item for item in items if item.path.parent == folder]
    ours.sort(key=lambda item: item.path.stem not in LONGEST)
    following = iter(ours)
    items[:] = [next(following) if item.path.parent == folder else item for item in items]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Draw the last 100 ms of the boards of a test that failed into build/board/."""
    report = yield
    if report.failed and report.when == "call":
        made: list[ChipSimulation] = item.stash.get(MADE, [])
        for number, one in enumerate(made):
            PICTURES.mkdir(parents=True, exist_ok=True)
            try:
                changes = one.chip.do("trace")
            except ChipFault as fault:
                report.sections.append(("board", f"no picture of it: {fault}"))
                continue
            path = PICTURES / f"{re.sub(r'[^A-Za-z0-9]+', '-', item.name)}-{number}"
            path.with_suffix(".vcd").write_text(vcd(changes))
            path.with_suffix(".svg").write_text(svg(changes, item.name))
            report.sections.append(("board", f"its last 100 ms: {path}.svg, and .vcd for GTKWave"))
    return report


@pytest.fixture
def chip(request: pytest.FixtureRequest) -> Iterator[Callable[..., ChipSimulation]]:
    """Make a table on an emulated board; it ends with the test."""
    made: list[ChipSimulation] = []
    request.node.stash[MADE] = made

    def make(*args: Any, **options: Any) -> ChipSimulation:
        made.append(ChipSimulation(*args, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def pico2(chip: Callable[..., ChipSimulation]) -> Callable[..., ChipSimulation]:
    """Make a table whose board is an emulated RP2350; it ends with the test."""
    return partial(chip, emulator=Rp2350)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call a command as its reader does."""
    return runner(monkeypatch, capsys)


@pytest.fixture
def operate() -> Iterator[Callable[[ChipSimulation], Table]]:
    """Open a table as its host does."""
    opened: list[Table] = []

    def operate(simulation: ChipSimulation) -> Table:
        opened.append(open_table(attach(f"board-{next(_names)}", simulation)))
        return opened[-1]

    yield operate
    for table in opened:
        table.close()
