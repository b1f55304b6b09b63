"""A server that is killed: who calls is still waiting afterwards, and what was done is on record once."""

from functools import partial
from pathlib import Path

import httpx2

from tests.host.console.hall import PASSWORD
from tests.host.console.test_serve import started
from tests.host.fleet.served import config_text, serving, until
from wallwright.journal import read_journal
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation


def test_a_call_and_who_was_there_outlive_a_server_that_is_killed(tmp_path: Path) -> None:
    simulation = Simulation(78)
    hall = Hall([simulation], pace=4)
    path, file = tmp_path / "hall.journal", tmp_path / "hall.toml"
    file.write_text(config_text(path, [f'name = "A1"\nport = "{hall.ports[0]}"']))

    def acts() -> list[str]:
        return [entry.body["act"] for entry in read_journal(path, kinds=("console_act",))]

    with serving(hall) as served:
        with started("--config", str(file)) as (process, address), httpx2.Client(base_url=address, timeout=60) as ann:
            token = process.stdout.readline().strip().rpartition("/")[2]
            session = ann.post("/api/v1/first", json={"token": token, "name": "ann", "password": PASSWORD}).json()
            headers = {
                "X-CSRF-Token": session["csrf"],
                "Cookie": f"wallwright_session={ann.cookies['wallwright_session']}",
            }
            until(lambda: ann.get("/api/v1/tables/A1").json()["is_connected"])
            served.do(partial(simulation.players.press_referee, 2))
            until(lambda: ann.get("/api/v1/hall").json()["calls"])
            [before] = ann.get("/api/v1/hall").json()["calls"]
            until(lambda: acts() == ["invite", "first_account", "sign_in"])
            process.kill()
            process.wait()
        with started("--config", str(file)) as (process, address):
            with httpx2.Client(base_url=address, timeout=60, headers=headers) as ann:
                [after] = ann.get("/api/v1/hall").json()["calls"]
                assert (after["id"], after["table"], after["side"]) == (before["id"], "A1", 2)
                call = f"/api/v1/calls/{after['id']}"
                assert ann.post(f"{call}/take", headers={"Idempotency-Key": "on-my-way"}).json()["taken_by"] == "ann"
                ended = ann.post(f"{call}/end", json={"words": "a chair"}, headers={"Idempotency-Key": "was-there"})
                assert ended.status_code == 200
            process.terminate()
            assert process.wait() == 0
    assert acts() == ["invite", "first_account", "sign_in", "take_call", "end_call"]
