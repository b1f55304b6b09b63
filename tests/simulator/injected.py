"""A world with a script of faults in it, and hands to run it with."""

from wallwright_protocol.hardware import CONVEYOR, DISC, RING, SIDES, drive_bit
from wallwright_simulator.faults import (
    parse_faults,
)
from wallwright_simulator.injection import Injection
from wallwright_simulator.world import World

FEEDING = DISC | RING | sum(drive_bit(side, CONVEYOR) for side in range(SIDES))


def injected(script: str, seed: int = 1) -> tuple[World, Injection]:
    world = World(seed)
    return world, Injection(world, parse_faults(script))


def run_to(world: World, time_ms: int) -> list[tuple[int, int, int]]:
    """Let time run, tiles conserved at every stop; return the edges."""
    while world.now_ms < time_ms:
        world.advance(time_ms)
        world.check_conserved()
    edges = world.edges[:]
    world.edges.clear()
    return edges


def edges_of(edges, number):
    return [(time_ms, level) for time_ms, each, level in edges if each == number]
