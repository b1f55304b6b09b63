"""Tables of all kinds, and for each a hash of everything that its firmware, its drives and its tiles have done.

    .venv-dev/bin/python -m tests.simulator.traces 0 10    those of seeds 0 to 9

It makes no class out of the simulator's own, and so runs with compiled modules as well.
"""

import random
import sys
from collections.abc import Callable
from hashlib import sha256
from typing import Any
from unittest.mock import patch

from tests.firmware.prescribing import FLAP_2, MOUTH, RING_18, Director
from wallwright.link.connection import Connection
from wallwright.link.transport import open_transport
from wallwright.table.table import Table
from wallwright_firmware.app import App
from wallwright_protocol.hardware import SET_SIZES, SIDES
from wallwright_simulator import world
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.harness import shuffled
from wallwright_simulator.places import Mixing
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Firmware, Simulation, attach

LONGEST_MS = 180_000
CAUSES = (
    "jam lane {side} at {at} s frees 50%",
    "jam head {side} at {at} s for 3 s",
    "eye {side} count dead at {at} s",
    "eye {side} count misses 3%",
    "eye {side} belt blocked at {at} s for 2 s",
    "vane {side} home dead at {at} s",
    "vane disc dead at {at} s",
    "switch lift {side} up stuck on at {at} s",
    "key {side} lift stuck at {at} s",
    "tile 5 weak magnet",
    "tile 7 missing",
    "tile 9 stays face up",
    "extra tile",
    "foreign tile bigger",
    "stall disc at {at} s for 0.8 s",
    "stall conveyor {side} at {at} s",
    "lift {side} sinks at {at} s",
    "press emergency stop at {at} s",
    "cut power at {at} s for 1.5 s",
    "watchdog resets board at {at} s",
    "program crashes at {at} s",
    "host silent at {at} s for 3 s",
    "readers miss 5%",
    "readers double 20%",
    "readers ghost 20%",
    "reader 2 dead at {at} s",
    "tag 3 dead",
)


class Trace:
    """A firmware whose polls are hashed, with what they have made of the drives, panels and lamps."""

    def __init__(self) -> None:
        self.digest = sha256()
        self.firmware: Any = None
        self.due = 0
        self._board: Any = None

    def __call__(self, board: Any, unit: bytes, tiles: int) -> Firmware:
        self.firmware = App(board, unit, tiles)
        self._board = board
        self.due = self.firmware.due
        return self

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        tx: bytes = self.firmware.poll(now_ms, rx)
        self.due = self.firmware.due
        board = self._board
        self.note(now_ms, rx, tx, self.due, board.displays, board.lamp_mask, bytes(board.world.levels))
        return tx

    def note(self, *values: object) -> None:
        self.digest.update(repr(values).encode())

    def end(self, sim: Simulation) -> str:
        """The hash, with where every tile is in the end."""
        self.note(sim.now_ms, sim.polls, sorted(sim.world.locations().items()), sim.world.drive_log)
        return self.digest.hexdigest()[:16]


def alone(seed: int, mixing: Mixing | None, wash_s: int) -> str:
    """A build by key, of every size of set."""
    trace = Trace()
    tiles = SET_SIZES[seed % len(SET_SIZES)]
    table = world.World(seed, tiles, log_drives=True, mixing=mixing)
    sim = Simulation(seed, tiles, world=table, wash_s=wash_s, firmware=trace)
    sim.players.press_lift(0)
    while sim.board.displays[0] != "READY" and sim.now_ms < LONGEST_MS:
        sim.run_until(max(sim.now_ms, sim.next_ms()))
    return trace.end(sim)


def hosted(seed: int) -> str:
    """A build by the host's command."""
    trace = Trace()
    sim = Simulation(seed, 108, wash_s=seed % 5, readers=ALL_READERS if seed % 2 else 0, firmware=trace)
    with (
        patch("secrets.randbelow", lambda _: 12345 + seed),
        Table(Connection(open_transport(attach(f"trace {seed}", sim)))) as table,
    ):
        table.start_build()
        table.wait_state("ready", LONGEST_MS)
    return trace.end(sim)


def evening(seed: int) -> str:
    """People with tags press keys, and play where walls are up; every third table is wired anyhow."""
    trace = Trace()
    chance = random.Random(seed)
    wires = None if seed % 3 else shuffled(seed)
    mixing = Mixing() if seed % 2 else None
    sim = Simulation(seed, 108, wash_s=0, readers=ALL_READERS, mixing=mixing, harness=wires, firmware=trace)
    people = sim.players
    for _ in range(12):
        sim.run_until(sim.now_ms + chance.randrange(6_000, 14_000))
        if sim.world.lid.at_end:
            people.push_in()
        elif all(lift.at_end for lift in sim.world.lifts) and not any(sim.world.walls):
            people.draw_in()
            hand = people.take(0, [(0, stack, 1) for stack in range(5)])
            sim.run_until(sim.now_ms + 3_000)
            people.discard(0, hand[0])
            people.press_dice(chance.randrange(SIDES))
            people.press_claim(chance.randrange(SIDES))
        people.press_lift(chance.randrange(SIDES))
    return trace.end(sim)


def faulty(seed: int) -> str:
    """A build, and up to three things that go wrong."""
    trace = Trace()
    chance = random.Random(f"{seed}/faults")
    causes = chance.sample(CAUSES, chance.randrange(1, 4))
    lines = [each.format(side=chance.randrange(SIDES), at=chance.randrange(20, 300) / 10) for each in causes]
    readers = ALL_READERS if seed % 3 == 0 or any(word in str(lines) for word in ("reader", "tag ")) else 0
    sim = Simulation(seed, 108, faults=parse_faults("\n".join(lines)), wash_s=0, readers=readers, firmware=trace)
    sim.run_until(1_500)
    sim.players.press_lift(0)
    sim.run_until(20_000)
    sim.players.press_dice(1)
    sim.run_until(50_000)
    return trace.end(sim)


def sorted_wall(seed: int) -> str:
    """A prescribed wall, by each sorter in turn."""
    trace = Trace()
    sorter = (RING_18, FLAP_2, MOUTH)[seed % 3]
    director = Director(seed, sorter, 108, "readers miss 2%" if seed % 2 else "", firmware=trace)
    director.equip()
    director.build(director.drawn())
    return trace.end(director.sim)


CASES: dict[str, Callable[[int], str]] = {
    "ideal drum": lambda seed: alone(seed, None, 0),
    "ideal drum, washed": lambda seed: alone(seed, None, 30),
    "drum of places": lambda seed: alone(seed, Mixing(), 0),
    "drum of places, washed": lambda seed: alone(seed, Mixing(), 30),
    "hosted": hosted,
    "evening": evening,
    "faulty": faulty,
    "sorted": sorted_wall,
}


def main(first: int, count: int) -> None:
    print(world.__file__)
    for seed in range(first, first + count):
        for name, case in CASES.items():
            print(name, seed, case(seed), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
