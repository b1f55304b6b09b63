"""Compiled modules do what their sources do, byte for byte: `make compiled` runs this, which `make test` leaves out."""

import os
import subprocess
import sys

import pytest

from tests.needs import leave_out
from tools.compiled import ROOT, folder

if not folder().exists():
    leave_out("not run, for nothing is compiled: make compiled")
SEEDS = 12
AT_ONCE = 3
LONGEST_S = 90


def run(path: str, *words: str) -> str:
    """Return what a program says that finds its modules there first."""
    command = [sys.executable, *words]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=LONGEST_S
    ).stdout


def traces(first: int, path: str) -> list[str]:
    """Return where the simulator's modules are, and the hashes of that many tables."""
    return run(path, "-m", "tests.simulator.traces", str(first), str(AT_ONCE)).splitlines()


@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_tables_of_all_kinds_do_the_same(first):
    source, *as_written = traces(first, "")
    module, *compiled = traces(first, str(folder()))
    assert source.endswith("simulator/wallwright_simulator/world.py")
    assert module.startswith(str(folder()))
    assert module.endswith(".so")
    assert compiled == as_written


def test_a_hall_runs_with_them_and_keeps_its_promises():
    said = run(str(folder()), "-m", "wallwright", "rehearse", "chaos", "--tables", "1", "--minutes", "0.05")
    assert said.endswith("Every promise was kept.\n")
