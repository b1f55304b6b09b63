"""Tables with parts that sort, and hands to run them with."""

from wallwright_protocol.hardware import CONVEYOR, DISC, MOUTH_READER, RING, SIDES, drive_bit, sorter_bit
from wallwright_simulator.sorters import read_hardware

RING_9 = read_hardware("ring")
RING_18 = read_hardware("ring", magnets=18)
FLAP_2 = read_hardware("flap", places=2)
MOUTH = read_hardware("mouth")
ALL = [MOUTH, read_hardware("flap"), FLAP_2, RING_9, RING_18]


def all_sides(kind):
    return sum(drive_bit(side, kind) for side in range(SIDES))


def all_sorter(kind):
    return sum(sorter_bit(side, kind) for side in range(SIDES))


FEEDING = DISC | RING | all_sides(CONVEYOR)


def sorter_of(world):
    """What sorts; of any kind, for a test knows which it has made."""
    return world.sorter


def held_in(world, side, place):
    return world.belts[side].holding[place]


def run(world, for_ms):
    """Let time run, tiles conserved at every stop; return the reads at the mouths as (ms, side, tile)."""
    until_ms = world.now_ms + for_ms
    tiles = {tag: tile for tile, tag in enumerate(world.readers.tags)}
    while world.now_ms < until_ms:
        world.advance(until_ms)
        world.check_conserved()
    reads = [
        (read.at_ms, read.reader - MOUTH_READER, tiles[read.tag])
        for read in world.readers.reads
        if read.there and read.reader >= MOUTH_READER
    ]
    world.readers.reads.clear()
    return reads


def on_belts(world):
    return [tile for belt in world.belts for tile in belt.tiles]
