"""A host that is killed at any moment loses no event and journals none twice: the board keeps them until then.

The tables are in this process, in real time but faster, and people play at them without a pause. The hosts are other
processes, which end by SIGKILL. 40 of them die here, 200 in `make soak`.
"""

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.host.fleet.served import config_text
from tests.host.handover_host import operate_hall, operate_table
from tests.host.hosts import kill, spawning
from wallwright.journal import read_journal
from wallwright.link.reports import read_event
from wallwright_protocol.codec import EVENTS, NUMBER_OF
from wallwright_simulator.hall import Hall, People
from wallwright_simulator.simulation import Simulation

KILLS = int(os.environ.get("WALLWRIGHT_KILLS", "40"))
PACE = 5
"""A board of this pace gives a host up that says nothing for two seconds, as a busy machine seldom makes one."""
AT_WORK = 0.8
"""Share of the hosts that are killed at a random event of their hand-over; the others die before they come to it."""
AT_ONCE = 8
"""A host at work hands over this many events at the most; some more are on their way then."""
HELD = 40
"""People play on when a table has handed over all but so many events: its memory of 96 must not overflow here."""
REST_MS = 1000
STEP_S = 0.002
LIMIT_S = 90
"""Nothing takes as long as this, on however slow a machine."""


class Happened(NamedTuple):
    """An event as the board counted it."""

    seq: int
    name: str
    values: tuple[object, ...]


class Patient(People):
    """People who wait for a table that has not been able to hand over, however long its hosts take."""

    def __init__(self, simulation: Simulation, deal_ms: int) -> None:
        super().__init__(simulation, deal_ms)
        self._table = simulation

    def act(self) -> None:
        if self._table.app.events.held() > HELD:  # type: ignore[attr-defined]
            self.due_ms = self._table.now_ms + REST_MS
        else:
            super().act()


def written_down(simulation: Simulation) -> list[Happened]:
    """A list that grows with every event of the board: the truth that the journal is held against."""
    truth: list[Happened] = []
    ring = simulation.app.events  # type: ignore[attr-defined]
    add = ring.add

    def note(now_ms: int, name: str, *values: object) -> None:
        add(now_ms, name, *values)
        truth.append(Happened(ring.newest(), name, values))

    ring.add = note
    return truth


@pytest.fixture(scope="module")
def spawn() -> Iterator[Callable[..., BaseProcess]]:
    with spawning() as start:
        yield start


def newest(journal: Path, simulation: Simulation) -> int:
    """The number of the last event in the journal."""
    return max((entry.seq or 0 for entry in read_journal(journal) if entry.unit == simulation.unit), default=0)


def as_journalled(event: Happened) -> Any:
    """The fields of an event as a journal gives them back."""
    layout = EVENTS[NUMBER_OF[event.name]]
    fields = read_event(1, event.seq, 0, 0, layout.number, layout.pack(*event.values)).fields
    return json.loads(json.dumps(fields))


@pytest.mark.timeout(600 + 5 * KILLS)
def test_no_event_is_missing_and_none_is_there_twice(
    tmp_path: Path, spawn: Callable[..., BaseProcess], seed: int, request: pytest.FixtureRequest
) -> None:
    rng = random.Random(seed)
    simulations = [Simulation(rng.randrange(10**6)) for _ in range(5)]
    truths = [written_down(simulation) for simulation in simulations]
    people = [Patient(simulation, 2000) for simulation in simulations]
    hall = Hall(simulations, people, pace=PACE)
    request.addfinalizer(hall.close)
    journal = tmp_path / "hall.journal"
    file = tmp_path / "hall.toml"
    tables = [f'name = "A{index}"\nport = "{port}"' for index, port in enumerate(hall.ports)]
    file.write_text(config_text(journal, tables))

    def stored() -> list[int]:
        return [simulation.app.events.stored() for simulation in simulations]  # type: ignore[attr-defined]

    def live_until_stored(count: int) -> None:
        live_until(lambda: sum(stored()) >= count)

    def live_until(is_over: Callable[[], bool]) -> None:
        end = time.monotonic() + LIMIT_S
        while not is_over():
            assert time.monotonic() < end, [(told, truth[-3:]) for told, truth in zip(stored(), truths, strict=True)]
            hall.step(STEP_S)

    def live(seconds: float) -> None:
        end = time.monotonic() + seconds
        live_until(lambda: time.monotonic() >= end)

    at_work = unaware = kills = 0
    start_s = 0.1
    while kills < KILLS or (unaware == 0 and kills < 5 * KILLS):
        before = sum(stored())
        begun = time.monotonic()
        if rng.random() < 0.75:
            host = spawn(operate_hall, str(file))
        else:
            host = spawn(operate_table, rng.choice(hall.ports), str(journal))
        if rng.random() < AT_WORK:
            live_until_stored(before + 1)
            start_s = time.monotonic() - begun
            live_until_stored(before + rng.randint(1, AT_ONCE))
            live(rng.uniform(0, STEP_S))
        else:
            live(rng.uniform(0, start_s))
        kill(host)
        kills += 1
        live(0.005)  # what it had sent arrives
        at_work += sum(stored()) > before
        if journal.exists():
            unaware += any(newest(journal, table) > told for table, told in zip(simulations, stored(), strict=True))
    for four in people:
        four.due_ms = 10**12
    host = spawn(operate_hall, str(file))
    live_until(lambda: stored() == [len(truth) for truth in truths])
    kill(host)

    print(f"{sum(map(len, truths))} events, {kills} kills: {at_work} after a part of them was handed over,")
    print(f"{unaware} between a commit and its acknowledgement")
    assert at_work > KILLS / 2
    assert unaware > 0
    entries = list(read_journal(journal))
    for simulation, truth in zip(simulations, truths, strict=True):
        mine = [entry for entry in entries if entry.unit == simulation.unit and entry.seq is not None]
        assert [entry.seq for entry in mine] == list(range(1, len(truth) + 1))
        assert [entry.kind for entry in mine] == [event.name for event in truth]
        assert all("lost" not in entry.body for entry in mine)
        for entry, event in zip(mine, truth, strict=True):
            assert entry.body["fields"] == as_journalled(event)
