"""Two hosts run one event on one server; one is killed, the other goes on with its tables: nothing is lost or twice.

The sixteen tables are in this process, in real time but faster, with people who play at them. The hosts are processes.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests.host.event.event_host import deal_of, operate
from tests.host.hosts import kill, spawning
from tests.host.postgresql import Server
from wallwright.event import running, setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event, read_event
from wallwright.journal import read_journal, verify_journal
from wallwright.rules.sichuan.records import read_deal
from wallwright_simulator.hall import Hall, People
from wallwright_simulator.simulation import Simulation

TABLES = 16
DEALS = 4
PACE = 2
"""A board of this pace gives a host up that says nothing for five seconds, however busy the machine is."""
DEAL_MS = 5_000
LIMIT_S = 90
"""Nothing takes as long as this, on however slow a machine."""
STEP_S = 0.01


@pytest.fixture
def spawn() -> Iterator[Callable[..., BaseProcess]]:
    with spawning() as start:
        yield start


def begin_event(url: str, simulations: list[Simulation]) -> None:
    with open_event(url, "test", new=True) as desk:
        setup.create(desk, load_format("chengdu-grand-prix"))
        players = tuple(Player(number, f"P{number}") for number in range(1, 4 * TABLES + 1))
        setup.import_players(desk, Roster(players), "test")
        setup.commit_draw(desk, MAIN, bytes(32))
        setup.reveal_draw(desk, MAIN, bytes(32))
        for table, simulation in enumerate(simulations, 1):
            setup.bind_table(desk, table, simulation.unit)
        running.open_session(desk, 1)
        running.start_session(desk, 1)


@pytest.mark.timeout(2 * LIMIT_S)
def test_the_tables_of_a_killed_host_are_taken_over_and_nothing_is_lost_or_scored_twice(
    postgresql: Server, tmp_path: Path, spawn: Callable[..., BaseProcess], seed: int, request: pytest.FixtureRequest
) -> None:
    url = postgresql.database()
    simulations = [Simulation(seed % 10**6 + number) for number in range(TABLES)]
    people = [People(simulation, DEAL_MS) for simulation in simulations]
    hall = Hall(simulations, people, pace=PACE)
    request.addfinalizer(hall.close)
    begin_event(url, simulations)
    lines = [f'[[table]]\nname = "T{table}"\nport = "{port}"\n' for table, port in enumerate(hall.ports, 1)]
    for name, tables in (("one", lines[:8]), ("other", lines)):
        (tmp_path / f"{name}.toml").write_text(f'journal = "{url}"\n' + "".join(tables))

    def live_until(is_over: Callable[[], bool]) -> None:
        end = time.monotonic() + LIMIT_S
        while not is_over():
            assert time.monotonic() < end
            assert all(host.is_alive() for host in hosts)
            hall.step(STEP_S)

    def stored() -> list[int]:
        return [simulation.app.events.stored() for simulation in simulations]  # type: ignore[attr-defined]

    def newest() -> list[int]:
        return [simulation.app.events.newest() for simulation in simulations]  # type: ignore[attr-defined]

    hosts: list[BaseProcess] = []
    first, second = (",".join(map(str, range(start, start + 8))) for start in (1, 9))
    one = spawn(operate, str(tmp_path / "one.toml"), url, "one", first, str(DEALS), str(tmp_path), "fatal")
    hosts.append(one)
    live_until(lambda: all(stored()[:8]))
    other = spawn(
        operate, str(tmp_path / "other.toml"), url, "other", f"{second},{first}", str(DEALS), str(tmp_path), ""
    )
    hosts.append(other)
    live_until(lambda: all(stored()))
    (tmp_path / "go").touch()
    live_until((tmp_path / "stopped").exists)
    before = stored()
    hosts.remove(one)
    kill(one)
    # The other host meets the tables of the dead one, and takes what they kept and what happens now.
    live_until(lambda: all(now > then for now, then in zip(stored()[:8], before[:8], strict=True)))
    live_until((tmp_path / "done by other").exists)
    happened = newest()
    live_until(lambda: all(now >= then for now, then in zip(stored(), happened, strict=True)))
    kill(other)

    assert verify_journal(url).is_whole
    entries = list(read_journal(url))
    for simulation, count in zip(simulations, happened, strict=True):
        mine = [entry for entry in entries if entry.unit == simulation.unit and entry.seq is not None]
        assert [entry.seq for entry in mine] == list(range(1, len(mine) + 1))
        assert len(mine) >= count
        assert all("lost" not in entry.body for entry in mine)
    by = {"one": Counter[int](), "other": Counter[int]()}
    for entry in entries:
        if entry.kind == "result_recorded":
            by[entry.body["by"]][entry.body["table"]] += 1
    assert by["one"].total() > 0
    assert set(by["one"]) == set(range(1, 9))
    assert by["one"] + by["other"] == Counter(dict.fromkeys(range(1, TABLES + 1), DEALS))
    state = read_event(url)
    assert state.notes == []
    assert state.format is not None
    for sheet in state.sessions[1].tables:
        for number, deal in sheet.deals.items():
            told = {key: value for key, value in deal_of(sheet.table, number).items() if key != "deal"}
            record = {"dealer": deal.dealer, **told}
            assert deal.points == read_deal(record, state.format.sichuan).settle().points
