"""A hall whose journal is on a server: the server goes and comes back, the tables go on, and every event is there."""

from pathlib import Path

import pytest

from tests.host.fleet.served import Heard, all_stored, config_text, journalled, serving, until
from tests.host.postgresql import Server
from wallwright.fleet import Fleet, load_hall
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation


def test_a_server_that_stops_and_starts_again(
    tmp_path: Path, postgresql: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wallwright.fleet.shared_journal.RETRY_S", 0.2)
    simulation = Simulation(71)
    hall = Hall([simulation], pace=4)
    url = postgresql.database()
    file = tmp_path / "hall.toml"
    file.write_text(config_text(url, [f'name = "A1"\nport = "{hall.ports[0]}"']))
    with serving(hall) as served, Fleet(load_hall(file)) as fleet:
        heard = Heard(fleet.news)
        heard.kind("A1", "connected")
        until(all_stored(served, simulation))
        postgresql.stop()
        served.do(lambda: simulation.players.press_dice(0))
        failed = heard.kind(None, "journal", works=False)
        assert "cannot be reached" in failed.body["text"]
        heard.event("A1", "dice_rolled")
        assert not all_stored(served, simulation)()
        postgresql.start()
        heard.kind(None, "journal", works=True)
        until(all_stored(served, simulation))
        assert not any(change.kind == "searching" for change in heard.changes)
    (seqs,) = journalled(url, simulation.unit).values()
    assert seqs == list(range(1, len(seqs) + 1))
