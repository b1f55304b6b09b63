"""Output that nobody reads any more, or that cannot be written: every command ends quietly and says nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.host.every_command import words_of
from tests.host.fleet.served import config_text
from tests.host.programs import RUNNER
from wallwright.journal import Journal
from wallwright.system.streams import CUT_OFF, NOT_WRITTEN

LIMIT_S = 100
COMMANDS = (
    "status --port sim://?seed=1",
    "watch --json --port sim://?seed=1",
    "build --port sim://?seed=1",
    "demo --seed 1",
    "dice --port sim://?seed=1 --seat 0",
    "doctor watch --json --port sim://?seed=1",
    "faults",
    "log show JOURNAL",
    "run --json --config HALL",
    "simulate --tcp 0 --seed 1",
    "trace --port sim://?seed=1",
    "event --help",
)
"""Each way in which something is printed: by lines, by tables, live, from a thread, and the help."""


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    """What stands in a command for a journal and a hall."""
    journal = tmp_path / "some.journal"
    with Journal(journal) as opened:
        opened.append("note", {"text": "there is something to show"}, at_ms=1)
    hall = tmp_path / "hall.toml"
    hall.write_text(config_text(tmp_path / "hall.journal", ['name = "A1"\nport = "socket://127.0.0.1:9"']))
    return {"JOURNAL": str(journal), "HALL": str(hall)}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_that_has_gone_ends_every_command_quietly(command: str, places: dict[str, str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = RUNNER.finish(*words_of(command, places), stdout=writing)
        assert (done.returncode, done.stderr) == (CUT_OFF, "")
    finally:
        os.close(writing)


@pytest.mark.parametrize("command", ["status --port sim://?seed=1", "simulate --tcp 0", "faults"])
def test_output_that_cannot_be_written_is_said_to_be_that(command: str) -> None:
    """An interpreter of its own has the end in which the last output is written."""
    # Most people's output is buffered.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    line = [sys.executable, "-m", "wallwright", *command.split()]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            line, stdout=full, stderr=subprocess.PIPE, text=True, timeout=LIMIT_S, env=env, check=False
        )
    assert done.returncode == NOT_WRITTEN
    assert done.stderr == "error: the output cannot be written (No space left on device)\n"
