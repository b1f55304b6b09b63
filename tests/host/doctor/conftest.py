"""A simulated table on the bench, and the command line as a person calls it."""

import json
import os
import shlex
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from wallwright import cli
from wallwright.doctor.bench import Bench
from wallwright.table.table import open_table
from wallwright_simulator.simulation import Simulation, attach

_NAMES = count()


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[str], Result]]:
    """Call a command with nobody at the keyboard."""

    def run(line: str) -> Result:
        monkeypatch.setattr("sys.argv", ["wallwright", *shlex.split(line)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        return Result(int(caught.value.code or 0), printed.out, printed.err)

    with Path(os.devnull).open() as nobody:
        monkeypatch.setattr("sys.stdin", nobody)
        yield run


@pytest.fixture
def simulation() -> Simulation:
    return Simulation(11)


@pytest.fixture
def port(simulation: Simulation) -> str:
    return attach(f"bench-{next(_NAMES)}", simulation)


@pytest.fixture
def bench(port: str) -> Iterator[Bench]:
    with open_table(port) as table:
        yield Bench(table)
