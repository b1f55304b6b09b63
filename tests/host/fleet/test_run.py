"""`wallwright run` as a process: what it prints, how it ends, what it says when it cannot begin."""

import json
import os
import pty
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.fleet.served import all_stored, config_text, journalled, serving, until
from tests.host.programs import RUNNER, Program
from wallwright.journal import Journal, verify_journal
from wallwright.journal.witness_places import read_witness
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation


@pytest.fixture
def simulation() -> Simulation:
    return Simulation(51)


@pytest.fixture
def hall(simulation: Simulation) -> Iterator[Hall]:
    hall = Hall([simulation], pace=4)
    yield hall
    hall.close()


@pytest.fixture
def file(tmp_path: Path, hall: Hall) -> Path:
    file = tmp_path / "hall.toml"
    tables = [f'name = "A1"\nport = "{hall.ports[0]}"', 'name = "A2"\nport = "/dev/there-is-no-such-port"']
    file.write_text(config_text(tmp_path / "hall.journal", tables))
    return file


@pytest.fixture
def run(file: Path) -> Iterator[Program]:
    process = RUNNER.start("run", "--json", "--config", file)
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_line_of_json_for_every_change_until_a_signal(
    number: int, run: Program, hall: Hall, simulation: Simulation, file: Path
) -> None:
    assert run.stdout is not None
    with serving(hall) as served:
        records = (json.loads(line) for line in run.stdout)
        seen = []
        for record in records:
            seen.append((record["table"], record["change"]))
            assert isinstance(record["at_ms"], int)
            if record["change"] == "searching":
                assert (record["table"], record["outage"]) == ("A2", "port_not_found")
            if record.get("event") == "booted":
                assert record["seq"] == 1
            if {("A1", "event"), ("A2", "searching")} <= set(seen):
                break
        assert ("A1", "connected") in seen
        until(all_stored(served, simulation))
        for _ in range(3):
            run.send_signal(number)
        _, errors = run.communicate(timeout=100)
        assert (run.returncode, errors) == (0, "")
    (seqs,) = journalled(file.parent / "hall.journal", "SIM-51").values()
    assert seqs == list(range(1, len(seqs) + 1))


def test_on_a_terminal_it_is_a_picture(hall: Hall, file: Path) -> None:
    master, slave = pty.openpty()
    with serving(hall):
        process = RUNNER.start(
            "run",
            "--config",
            file,
            stdout=slave,
            stderr=slave,
            env=os.environ | {"COLUMNS": "120", "LINES": "40", "TERM": "xterm"},
        )
        os.close(slave)
        shown = ""
        while "1 of 2 tables connected" not in shown:
            shown += os.read(master, 4096).decode("utf-8", "replace")
        process.send_signal(signal.SIGINT)
        while True:
            try:
                shown += os.read(master, 4096).decode("utf-8", "replace")
            except OSError:
                break  # the other end is closed
        assert process.wait(20) == 0
        os.close(master)
    assert "SIM-51" in shown
    assert "port_not_found" in shown or "no such port" in shown
    assert "Traceback" not in shown


def test_without_a_terminal_it_is_lines_for_people_and_a_witness_keeps_checkpoints(hall: Hall, file: Path) -> None:
    file.write_text(f'witnesses = ["hall.witness"]\n{file.read_text()}')
    with serving(hall):
        process = RUNNER.start("run", "--config", file)
        assert process.stdout is not None
        line = next(line for line in process.stdout if "connected" in line)
        assert re.search(r"^\d\d:\d\d:\d\d  A1 +connected  SIM-51 is here", line)
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=100)[1] == ""
        assert process.returncode == 0
    kept = read_witness(file.with_name("hall.witness"))
    assert kept
    assert verify_journal(file.with_name("hall.journal"), kept).is_whole


def finished(*words: str) -> tuple[int, str]:
    done = RUNNER.finish("run", *words)
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_what_cannot_begin_is_one_line_and_an_exit_code(tmp_path: Path, file: Path) -> None:
    code, said = finished("--config", str(tmp_path / "none.toml"))
    assert (code, said.count("\n")) == (2, 1)
    assert "cannot be read" in said
    with Journal(tmp_path / "hall.journal"):
        code, said = finished("--config", str(file))
    assert (code, said.count("\n")) == (5, 1)
    assert "another program writes it" in said
    file.write_text(file.read_text().replace("A2", "A1"))
    code, said = finished("--config", str(file))
    assert (code, said.count("\n")) == (2, 1)
    assert "given 2 times" in said
