"""Whoever was not there when a table failed finds the last frames of its link in a file beside the journal."""

from pathlib import Path

from tests.host.fleet.served import Heard, all_stored, config_text, serving, until
from wallwright.fleet import Change, Fleet, HallConfig, load_hall
from wallwright.fleet.reports import KEPT, Reports
from wallwright.link.trace import CAPACITY
from wallwright_simulator.hall import Hall
from wallwright_simulator.serve import PtyWire
from wallwright_simulator.simulation import Simulation


def hall_of(folder: Path, port: str) -> HallConfig:
    file = folder / "hall.toml"
    file.write_text(config_text(folder / "hall.journal", [f'name = "A/1"\nport = "{port}"']))
    return load_hall(file)


def report_of(change: Change) -> list[str]:
    return Path(change.body["path"]).read_text().splitlines()


def test_a_fault_and_a_lost_port_each_leave_the_frames_that_led_to_it(tmp_path: Path) -> None:
    simulation = Simulation(61)
    hall = Hall([simulation], pace=4, new_wire=PtyWire)
    with serving(hall) as served, Fleet(hall_of(tmp_path, hall.ports[0])) as fleet:
        heard = Heard(fleet.news)
        heard.kind("A/1", "connected")
        until(all_stored(served, simulation))
        for _ in range(CAPACITY):
            fleet.call("A/1", lambda table: table.status()).result(20)
        served.do(lambda: simulation.world.emergency_stop(True))
        told = heard.kind("A/1", "report")
        fault = report_of(told)
        assert fault[0].startswith("table A/1, ")
        assert fault[1].startswith("emergency_stop: ")
        assert "unit SIM-61" in fault[2]
        assert any(" <- event " in line and "fault=emergency_stop" in line for line in fault)
        assert len([line for line in fault if " -> " in line or " <- " in line]) >= CAPACITY
        assert told.body["path"] in told.body["text"]
        since = len(heard.changes)
        served.do(lambda: hall.replug(0))
        gone = heard.kind("A/1", "report", since)
        assert any("the port is gone" in line for line in report_of(gone)[:3])
        assert fleet.state().tables[0].report == gone.body["path"]
    assert Path(gone.body["path"]).parent == tmp_path / "hall.reports" / "A%2f1"


def test_a_disk_that_takes_no_report_is_said_and_the_table_goes_on(tmp_path: Path) -> None:
    simulation = Simulation(62)
    hall = Hall([simulation], pace=4)
    config = hall_of(tmp_path, hall.ports[0])
    config.reports.write_text("a file where the folder has to be")
    with serving(hall) as served, Fleet(config) as fleet:
        heard = Heard(fleet.news)
        heard.kind("A/1", "connected")
        served.do(lambda: simulation.world.emergency_stop(True))
        told = heard.kind("A/1", "report")
        assert told.body["path"] is None
        assert "look at the disk" in told.body["text"]
        assert fleet.call("A/1", lambda table: table.status().fault).result(20) == "emergency_stop"


def test_the_oldest_reports_go(tmp_path: Path) -> None:
    reports = Reports(tmp_path, "A1")
    other = Reports(tmp_path, "A11").write(1, "jam", "unit T-1", "")
    paths = [reports.write(1_700_000_000_000 + number, "jam", "unit T-1", "") for number in range(KEPT + 3)]
    assert [path.exists() for path in paths] == [False] * 3 + [True] * KEPT
    assert other.exists()


def test_a_name_of_any_kind_is_a_folder_of_its_own_below(tmp_path: Path) -> None:
    names = ("..", ".", "A/1", "A%2f1", "红 2")
    folders = {Reports(tmp_path, name).write(0, "", "", "").parent for name in names}
    assert len(folders) == len(names)
    assert {folder.parent for folder in folders} == {tmp_path}
