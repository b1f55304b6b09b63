"""Deals that bots play at a table with readers, with all that a host keeps and shows of them."""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from wallwright.journal import Journal
from wallwright.playing import PlayedTable
from wallwright.rules.bots import SmartBot
from wallwright.rules.ruleset import load_ruleset
from wallwright.simulated import register_simulated_ports
from wallwright.table import Table, open_table
from wallwright.tiles.enrolment import Enrolment
from wallwright.trace_file import Recorder
from wallwright.values import Event
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Simulation, attach


@dataclass
class Played:
    """What there is of it; `look` is called whenever the bots say what they do, with the deals that have ended."""

    folder: Path
    simulation: Simulation
    events: list[Event] = field(default_factory=list)

    @property
    def journal(self) -> Path:
        return self.folder / "hall.journal"

    def enrolment(self) -> Enrolment:
        """The list of tags as it would be enrolled, from the world itself."""
        world = self.simulation.world
        first, second = (
            {world.readers.tags[tile]: world.face(tile) for tile in range(start, start + world.tiles)}
            for start in (0, world.tiles)
        )
        sets = ({tag.hex(): face for tag, face in tags.items()} for tags in (first, second))
        return Enrolment(self.simulation.unit, world.tiles, (next(sets), next(sets)))


def play(folder: Path, seed: int, deals: int, script: str = "", look=lambda played, table: None) -> Played:
    """Let bots play; the journal, a recording and the last trace are in `folder` then."""
    register_simulated_ports()
    simulation = Simulation(seed, readers=ALL_READERS, faults=parse_faults(script))
    played = Played(folder, simulation)
    port = attach(f"played-{seed}", simulation)
    with (
        Journal(played.journal) as journal,
        Recorder(folder / "hall.trace", port) as recorder,
        open_table(port, journal=journal, contribution=lambda: Random(seed).randbytes(16), tap=recorder.add) as table,
    ):
        bot = SmartBot()

        def watch(text: str) -> None:
            look(played, table)

        bots = PlayedTable(
            simulation, table, journal, load_ruleset("sichuan"), (bot, bot, bot, bot), Random(seed), watch
        )
        for _ in bots.play(deals):
            pass
        listen(played, table, 100)
    return played


def listen(played: Played, table: Table, ms: int) -> None:
    table.pump(ms)
    played.events.extend(table.events())
