"""Deals that bots play at a table with readers, with all that a host keeps and shows of them."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from tests.host.people import Scored, people_at
from wallwright.journal import Journal
from wallwright.link.reports import Event
from wallwright.link.simulator import register_simulated_ports
from wallwright.link.trace_file import Recorder
from wallwright.table.table import Table, open_table
from wallwright.tiles.enrolment import Enrolment
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Simulation, attach

WALL_PARTS = 5
"""In which a wall of 108 tiles is shown."""


@dataclass
class Played:
    """What there is of it; the list of tags is as it would be enrolled."""

    folder: Path
    simulation: Simulation

    @property
    def journal(self) -> Path:
        return self.folder / "hall.journal"

    def enrolment(self) -> Enrolment:
        """The list of tags as it would be enrolled, from the world itself."""
        world = self.simulation.world
        return Enrolment(self.simulation.unit, world.tiles, (world.tags(0), world.tags(1)))


class Enough(Exception):
    """The wall of the first deal was shown."""


class Counting(Journal):
    """A journal that knows which events it got, and how many of a name."""

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
        self.counts[event.name] += 1
        self.seen.append(event)
        return super().append_event(unit, event, at_ms=at_ms)

    @cached_property
    def seen(self) -> list[Event]:
        return []

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter()


def play_until_shown(folder: Path, seed: int, script: str = "") -> Played:
    """Let bots play until the whole wall of the first deal was revealed, which is in the second."""

    def look(played: Played, table: Table, journal: Counting) -> None:
        if journal.counts["wall_part"] == WALL_PARTS:
            raise Enough

    return play(folder, seed, 3, script, look)


def play(
    folder: Path,
    seed: int,
    deals: int,
    script: str = "",
    look: Callable[[Played, Table, Counting], None] = lambda played, table, journal: None,
) -> Played:
    """Let bots play; the journal and a recording are in `folder` then."""
    register_simulated_ports()
    simulation = Simulation(seed, readers=ALL_READERS, faults=parse_faults(script))
    played = Played(folder, simulation)
    port = attach(f"played-{seed}", simulation)
    with Counting(played.journal) as journal, Recorder(folder / "hall.trace", port) as recorder, suppress(Enough):
        scored = Scored(journal)
        part = Random(seed).randbytes(16)
        with open_table(port, journal=scored.log, contribution=lambda: part, tap=recorder.add) as table:
            operated = scored.operate(table)

            def watch(text: str) -> None:
                look(played, table, journal)

            people = people_at(simulation, operated.run, scored.log, seed, check=operated.check, watch=watch)
            for _ in people.play(deals):
                pass
            table.pump(100)
    return played
