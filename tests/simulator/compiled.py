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


def traces(first: int, path: str) -> list[str]:
    """Return where the simulator's modules are, and the hashes of that many tables."""
    command = [sys.executable, "-m", "tests.simulator.traces", str(first), str(AT_ONCE)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_tables_of_all_kinds_do_the_same(first):
    source, *as_written = traces(first, "")
    module, *compiled = traces(first, str(folder()))
    assert source.endswith("simulator/wallwright_simulator/world.py")
    assert module.startswith(str(folder()))
    assert module.endswith(".so")
    assert compiled == as_written
