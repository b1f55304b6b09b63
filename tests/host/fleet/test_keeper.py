"""The thread of a table goes through every state of its table, with a real fleet, wire and board."""

from pathlib import Path

import pytest

from tests.followed import check_all_states, follow, path_of
from tests.host.fleet.served import Heard, all_stored, at_port, fill_disks, serving, start, until
from tools.machine_page import HOST
from wallwright.errors import NotConnected
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation

(KEEPER,) = (shown for shown in HOST if shown.machine.__name__ == "Keeper")
PACE = 4
FOUND = ["waits", "searches", "meets", "keeps"]


def test_every_state_of_a_tables_thread_is_reached_and_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = follow(monkeypatch)
    is_full = fill_disks(monkeypatch)
    simulation = Simulation(46)
    hall = Hall([simulation], pace=PACE)
    with serving(hall) as served:
        with start(tmp_path, at_port("A1", hall.ports[0])) as fleet:
            heard = Heard(fleet.news)
            heard.kind("A1", "connected")
            until(all_stored(served, simulation))
            is_full.set()
            served.do(lambda: simulation.players.press_referee(0))
            heard.kind(None, "journal", works=False)
            fleet.call("A1", lambda table: table.start_build()).result(20)
            heard.event("A1", "build_started")
            is_full.clear()
            heard.kind(None, "journal", works=True)
            until(all_stored(served, simulation))
            since = len(heard.changes)
            served.do(lambda: simulation.cut_power(500))
            heard.kind("A1", "searching", since)
            assert heard.kind("A1", "report", since).body["path"], "a table that was here is lost: that is reported"
            heard.kind("A1", "connected", since)
            keeper = fleet._keepers["A1"]
        assert not keeper._thread.is_alive()
    check_all_states(KEEPER, steps)
    path = path_of(KEEPER, steps)
    assert path[:8] == [*FOUND, "renews", "follows", "renews", "keeps"]
    assert path[-5:] == [*FOUND, "ended"]


def test_a_table_that_is_nowhere_is_looked_for_again_and_never_met(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = follow(monkeypatch)
    with start(tmp_path, at_port("A1", "/dev/there-is-no-such-port")) as fleet:
        heard = Heard(fleet.news)
        missed = heard.kind("A1", "searching")
        with pytest.raises(NotConnected, match="no such port"):
            fleet.call("A1", lambda table: table.state).result(10)
    assert missed.body["outage"] == "port_not_found"
    assert {change.kind for change in heard.changes} == {"searching"}, "nothing to report: it was never here"
    path = path_of(KEEPER, steps)
    assert path[:3] == ["waits", "searches", "waits"]
    assert set(path) == {"waits", "searches", "ended"}
