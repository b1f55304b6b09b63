"""While the disk is full tables go on, boards hold what happens, and afterwards the journal says what there was."""

import resource
import signal
from pathlib import Path

import pytest

from tests.host.fleet.served import (
    Heard,
    all_stored,
    at_port,
    config_text,
    fill_disks,
    journalled,
    serving,
    start,
    until,
)
from tests.host.programs import RUNNER
from wallwright.journal import read_journal
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation

PACE = 4


def test_a_full_disk_leaves_the_tables_running_and_their_events_on_the_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_full = fill_disks(monkeypatch)
    simulations = [Simulation(43), Simulation(44)]
    hall = Hall(simulations, pace=PACE)
    with serving(hall) as served:
        tables = [at_port(f"A{index}", port) for index, port in enumerate(hall.ports)]
        with start(tmp_path, *tables) as fleet:
            heard = Heard(fleet.news)
            for name in ("A0", "A1"):
                heard.kind(name, "connected")
            until(all_stored(served, *simulations))
            is_full.set()
            served.do(lambda: simulations[0].players.press_dice(0))
            failed = heard.kind(None, "journal", works=False)
            assert "disk is full" in failed.body["text"]
            assert fleet.state().journal_problem == failed.body["text"]
            # They are followed and commanded all the same, and their boards keep what happens.
            since = len(heard.changes)
            served.do(lambda: simulations[1].players.press_referee(2))
            heard.event("A1", "referee_called", since)
            fleet.call("A1", lambda table: table.start_build()).result(20)
            heard.event("A1", "build_started", since)
            assert not all_stored(served, simulations[1])()
            assert not any(change.kind == "searching" for change in heard.changes)
            is_full.clear()
            heard.kind(None, "journal", works=True)
            until(all_stored(served, *simulations))
            assert fleet.state().journal_problem is None
        shown = [c.event for c in heard.changes if c.event is not None]
        assert len({(event.boot_id, event.seq) for event in shown}) == len(shown), "shown twice"
    for simulation in simulations:
        (seqs,) = journalled(tmp_path / "hall.journal", simulation.unit).values()
        assert seqs == list(range(1, len(seqs) + 1))
    kinds = [entry.kind for entry in read_journal(tmp_path / "hall.journal")]
    assert "journal_resumed" in kinds
    assert {"referee_called", "build_started"} <= set(kinds)


@pytest.mark.parametrize("fails", ["before it is met", "as it is met"])
def test_what_went_with_a_reset_while_the_disk_was_full_is_told_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    is_full = fill_disks(monkeypatch)
    simulation = Simulation(45)
    hall = Hall([simulation], pace=PACE)
    with serving(hall) as served, start(tmp_path, at_port("A1", hall.ports[0])) as fleet:
        heard = Heard(fleet.news)
        heard.kind("A1", "connected")
        until(all_stored(served, simulation))
        is_full.set()
        if fails == "before it is met":
            served.do(lambda: simulation.players.press_referee(0))
            heard.kind(None, "journal", works=False)
            heard.event("A1", "referee_called")
        since = len(heard.changes)
        served.do(lambda: simulation.cut_power(500))
        met = heard.kind("A1", "connected", since)
        assert met.body["meeting"] == "board_reset"
        heard.kind(None, "journal", works=False)
        is_full.clear()
        heard.kind(None, "journal", works=True)
        until(all_stored(served, simulation))
        assert len([change for change in heard.changes[since:] if change.kind == "connected"]) == 1
    [told] = [entry for entry in read_journal(tmp_path / "hall.journal") if entry.kind == "board_reset"]
    assert (told.unit, told.body["lost"]) == (simulation.unit, met.body["lost"])
    assert met.body["lost"] > 0 or fails == "as it is met"
    runs = list(journalled(tmp_path / "hall.journal", simulation.unit))
    assert told.body["boot_id"] == runs[1]


def test_a_disk_that_is_really_full_and_is_then_not(tmp_path: Path) -> None:
    """By the limit that the system puts on the size of this process's files, which is then lifted."""
    simulation = Simulation(45)
    hall = Hall([simulation], pace=PACE)
    with serving(hall) as served:
        file = tmp_path / "hall.toml"
        file.write_text(config_text(tmp_path / "hall.journal", [at_port("A1", hall.ports[0])]))
        run = RUNNER.start("run", "--json", "--config", file)
        assert run.stdout is not None
        try:
            lines = iter(run.stdout.readline, "")
            next(line for line in lines if '"connected"' in line)
            until(all_stored(served, simulation))
            resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
            served.do(lambda: simulation.players.press_dice(0))
            failed = next(line for line in lines if '"journal"' in line)
            assert '"works": false' in failed
            assert "full" in failed
            served.do(lambda: simulation.players.press_referee(1))
            next(line for line in lines if '"referee_called"' in line)
            resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            assert '"works": true' in next(line for line in lines if '"journal"' in line)
            until(all_stored(served, simulation))
            run.send_signal(signal.SIGTERM)
            _, errors = run.communicate(timeout=100)
        finally:
            run.kill()
            run.communicate()
        assert (run.returncode, errors) == (0, "")
    (seqs,) = journalled(tmp_path / "hall.journal", "SIM-45").values()
    assert seqs == list(range(1, len(seqs) + 1))
