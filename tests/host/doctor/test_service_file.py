"""The service file: what it holds, against the table itself and its journal, and what it must not hold or do."""

import getpass
import json
import os
import socket
import zipfile
from pathlib import Path
from typing import Any

import pytest

from wallwright.journal import Journal
from wallwright.table.table import open_table
from wallwright_protocol.messages import CATALOG_HASH
from wallwright_protocol.names import DRIVES, INPUTS, LAMPS, SETTINGS
from wallwright_simulator.simulation import Simulation, attach

FILES = {
    *("about.json", "status.json", "inputs.json", "wiring.toml", "settings.json", "counters.json"),
    *("faults.jsonl", "events.jsonl", "trace.txt"),
}


def read(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def stopped(simulation: Simulation, port: str) -> str:
    """A table that has had two faults and stands in the second."""
    with open_table(port) as table:
        table.start_build()
        table.pump(8000)
        table.stop()
        table.clear_fault()
        table.start_build()
        table.pump(2000)
        simulation.world.emergency_stop(True)
        table.pump(200)
    return port


def test_it_tells_how_the_table_stands(run, stopped: str, simulation: Simulation, tmp_path: Path) -> None:
    path = tmp_path / "table.zip"
    result = run(f"doctor service-file {path} --port {stopped}")
    assert (result.code, result.err) == (0, "")
    files = read(path)
    assert files.keys() == FILES
    assert all(name in result.out for name in FILES)
    about = json.loads(files["about.json"])
    assert (about["unit"], about["firmware"], about["tiles"]) == ("SIM-11", "0.1.0", 108)
    assert (about["catalog_hash"], about["faults_from"]) == (f"{CATALOG_HASH:08x}", "board")
    status = json.loads(files["status.json"])
    assert (status["state"], status["fault"]) == ("fault", "emergency_stop")
    inputs = json.loads(files["inputs.json"])
    assert inputs["inputs"] == {name: bool(simulation.world.levels[n]) for n, name in enumerate(INPUTS)}
    assert inputs["lamps"].keys() == set(LAMPS)
    assert inputs["drives"].keys() == set(DRIVES)
    assert inputs["drives"]["disc"] == {
        "on": False,
        "longest_jog_ms": 10000,
        "forbidden_by": "emergency_stop",
        "level": 0,
    }
    assert {"input": "emergency_stop", "level": 1} in [
        {"input": change["input"], "level": change["level"]} for change in inputs["last_changes"]
    ]
    assert len(inputs["last_changes"]) == 16
    counters = json.loads(files["counters.json"])
    assert counters["told"] == {
        "stopped": 1,
        "emergency_stop": 1,
        **{k: v for k, v in counters["told"].items() if k == "host_silent"},
    }
    assert counters["motor_s"]["disc"] > 5
    assert [setting["name"] for setting in json.loads(files["settings.json"])] == list(SETTINGS)
    assert "request" in files["trace.txt"]
    assert "get_inputs" in files["trace.txt"]


def test_the_history_is_what_the_board_holds(run, stopped: str, tmp_path: Path) -> None:
    path = tmp_path / "table.zip"
    run(f"doctor service-file {path} --port {stopped}")
    files = read(path)
    events = records(files["events.jsonl"])
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["event"] for event in events][:2] == ["booted", "state_changed"]
    faults = [(event["event"], event.get("fault")) for event in records(files["faults.jsonl"])]
    assert faults[0] == ("booted", None)
    assert [fault for fault in faults if fault[0] != "notice"][1:] == [
        ("fault", "stopped"),
        ("fault_cleared", "stopped"),
        ("fault", "emergency_stop"),
    ]


def test_the_history_of_a_journal_goes_back_further_and_is_that_of_this_table(run, tmp_path: Path) -> None:
    simulations = {seed: Simulation(seed) for seed in (11, 12)}
    ports = {seed: attach(f"service-file-{seed}", simulation) for seed, simulation in simulations.items()}
    journal = tmp_path / "session.journal"
    with Journal(journal) as log:
        for seed, port in ports.items():
            with open_table(port, journal=log) as table:
                for _ in range(2 if seed == 11 else 1):
                    table.stop()
                    table.clear_fault()
                    table.pump(500)
    path = tmp_path / "table.zip"
    assert run(f"doctor service-file {path} --port {ports[11]} --journal {journal}").code == 0
    files = read(path)
    assert json.loads(files["about.json"])["faults_from"] == "journal"
    assert records(files["events.jsonl"]) == [], "the board has handed all over"
    past = records(files["faults.jsonl"])
    assert [record["event"] for record in past] == ["booted", "fault", "fault_cleared", "fault", "fault_cleared"]
    assert past[1]["fault"] == "stopped"
    assert {record["boot_id"] for record in past} == {json.loads(files["about.json"])["boot_id"]}


def test_it_never_overwrites_and_does_not_disturb_the_table(run, port: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.zip"
    path.write_text("mine")
    result = run(f"doctor service-file {path} --port {port}")
    assert result.code == 2
    assert "there is a file already" in result.err
    assert path.read_text() == "mine"
    missing = run(f"doctor service-file {tmp_path}/nowhere/x.zip --port {port}")
    assert missing.code == 2
    assert "No such file or directory" in missing.err
    assert run(f"doctor service-file {tmp_path}/x.zip --port {port} --journal {path}").code == 5
    with open_table(port) as table:
        assert table.state == "idle"
        assert "command_accepted" not in [event.name for event in table.events()]


def test_it_holds_nothing_of_the_computer_but_versions(run, stopped: str, tmp_path: Path) -> None:
    path = tmp_path / "table.zip"
    run(f"doctor service-file {path} --port {stopped}")
    text = "\n".join(read(path).values())
    private = {str(tmp_path), str(Path.cwd()), str(Path.home()), socket.gethostname(), stopped}
    private |= {value for name, value in os.environ.items() if "KEY" in name or "TOKEN" in name or "SECRET" in name}
    if len(getpass.getuser()) > 4:
        private.add(getpass.getuser())
    assert [word for word in private if len(word) > 3 and word in text] == []
