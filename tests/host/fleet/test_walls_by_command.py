"""`wallwright run` and `wallwright serve`, as processes: which walls their tables build, and when."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import httpx2
import pytest

from tests.host.console.hall import PASSWORD
from tests.host.console.test_serve import started
from tests.host.fleet.served import Served, config_text, serving, until
from tests.host.fleet.test_walls import RULES, new_event
from tests.host.programs import RUNNER
from tests.length import length
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.surface import PhysicalError

PACE = 8


class Table:
    """A simulated table, PACE times as fast as a real one, and what people do at it."""

    def __init__(self, served: Served, simulation: Simulation) -> None:
        self._served = served
        self._simulation = simulation

    def until(self, text: str) -> None:
        """Wait until the displays show what matches `text`, of prescribed walls or not."""
        until(
            lambda: (
                re.fullmatch(f"(P )?{text}", self._served.do(lambda: self._simulation.board.displays[0])) is not None
            )
        )

    def plan_mode(self) -> int:
        """What the board was told of the plan to come."""
        return self._served.do(lambda: int(self._simulation.app.cycle.plan_mode))  # type: ignore[attr-defined]

    def rolls(self) -> int:
        """How often the dice were rolled."""
        return self._served.do(lambda: int(self._simulation.app.dice.number))  # type: ignore[attr-defined]

    def press_lift(self, seat: int = 0) -> None:
        self._served.do(lambda: self._simulation.players.press_lift(seat))

    def be_asked(self) -> None:
        """Press a lift key until the table asks who deals next."""

        def is_asked() -> bool:
            with suppress(PhysicalError):
                # The press before may not be over yet.
                self.press_lift()
            return self._served.do(lambda: self._simulation.board.displays[0]) == "NEXT?"

        until(is_asked)

    def stacks(self) -> tuple[int, ...]:
        return self._served.do(lambda: tuple(len(head.carrier) for head in self._simulation.world.heads))

    def bring_up(self) -> None:
        """From ready walls to walls that are drawn in."""
        self.press_lift()
        self.until("DROP")
        self._served.do(self._simulation.players.push_in)
        self.press_lift()
        self.until(r"DICE\?")
        self._served.do(self._simulation.players.draw_in)

    def press_dice(self, seat: int) -> None:
        self._served.do(lambda: self._simulation.players.press_dice(seat))


@pytest.fixture
def simulation() -> Simulation:
    return Simulation(61)


@pytest.fixture
def table(simulation: Simulation) -> Iterator[tuple[Table, str]]:
    hall = Hall([simulation], pace=PACE)
    with serving(hall) as served:
        yield Table(served, simulation), hall.ports[0]


def hall_file(folder: Path, port: str) -> Path:
    file = folder / "hall.toml"
    file.write_text(config_text(folder / "hall.journal", [f'name = "A1"\nport = "{port}"']))
    return file


@pytest.fixture
def running(request: pytest.FixtureRequest, tmp_path: Path, table: Any, simulation: Simulation) -> Iterator[str]:
    """`wallwright run` with a tournament by some rules in its journal, whose results nobody enters."""
    new_event(tmp_path / "hall.journal", request.param, simulation.unit)
    process = RUNNER.start("run", "--json", "--config", hall_file(tmp_path, table[1]), stdout=DEVNULL, stderr=DEVNULL)
    yield request.param
    process.kill()
    process.wait()


@pytest.mark.parametrize("running", RULES, indirect=True)
def test_run_has_walls_wait_for_the_next_dealer_where_they_depend_on_it(running: str, table: tuple[Table, str]) -> None:
    people, _ = table
    # Told by the host: 14 stacks stay at sides 0 and 2, or they turn with the dealer.
    until(lambda: people.plan_mode() == (0 if running == "mil-2025" else 2))
    people.press_lift()
    people.until("READY")
    assert people.stacks() == RULES[running][0]
    people.bring_up()
    people.press_dice(1)
    # Counted by the board: the displays show the dice for some milliseconds only at this pace.
    until(lambda: people.rolls() == 1)
    if running == "sichuan":
        until(lambda: people.stacks() == (13, 13, 13, 13))
        people.be_asked()
        people.press_dice(3)
    people.until("READY")
    assert people.stacks() == RULES[running][3]


@pytest.mark.parametrize("dealer", range(0, 4, length(3, 1)))
def test_serve_has_the_walls_built_for_whom_the_entered_result_names(
    dealer: int, tmp_path: Path, table: tuple[Table, str], simulation: Simulation
) -> None:
    people, port = table
    new_event(tmp_path / "hall.journal", "sichuan", simulation.unit)
    with started("--config", str(hall_file(tmp_path, port))) as (process, address):
        token = process.stdout.readline().strip().rpartition("/")[2]
        with httpx2.Client(base_url=address, timeout=60) as client:
            session = client.post("/api/v1/first", json={"token": token, "name": "ann", "password": PASSWORD}).json()
            client.headers.update({"X-CSRF-Token": session["csrf"], "Idempotency-Key": "the-only-result"})
            until(lambda: people.plan_mode() == 2)
            people.press_lift()
            people.until("READY")
            people.bring_up()
            people.press_dice(0)
            until(lambda: people.stacks() == (13, 13, 13, 13))
            win = {"type": "hu", "by": "self_drawn", "winners": [{"seat": dealer, "value": 1}]}
            body = {"events": [win], "end": "time_up", "hands": []}
            sheet = "/api/v1/event/sessions/1/tables/1"
            [shown] = client.get("/api/v1/event").json()["sessions"][0]["tables"]
            version = shown["version"]
            entered = client.post(
                f"{sheet}/results", json={"record": body, "version": version, "reason": "they agreed"}
            )
            assert entered.status_code == 200, entered.text
            people.until("READY")
    assert people.stacks() == RULES["sichuan"][dealer]
