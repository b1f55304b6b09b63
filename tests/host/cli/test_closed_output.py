"""Output that nobody reads any more, or that cannot be written: every command ends quietly and says nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.host.fleet.served import config_text
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


def started(command: str, places: dict[str, str], stdout: int) -> tuple[int, str]:
    """The exit code and the standard error of a command with that output."""
    words = [places.get(word, word) for word in command.split()]
    done = subprocess.run(
        [sys.executable, "-m", "wallwright", *words],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=LIMIT_S,
        # Most people's output is buffered; then the last of it is written when the program ends.
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_that_has_gone_ends_every_command_quietly(command: str, places: dict[str, str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert started(command, places, writing) == (CUT_OFF, "")
    finally:
        os.close(writing)


@pytest.mark.parametrize("command", ["status --port sim://?seed=1", "simulate --tcp 0", "faults"])
def test_output_that_cannot_be_written_is_said_to_be_that(command: str, places: dict[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        code, said = started(command, places, full.fileno())
    assert code == NOT_WRITTEN
    assert said == "error: the output cannot be written (No space left on device)\n"
