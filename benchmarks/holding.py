"""How good holding policies can be: the best one of a lane by itself, by dynamic programming, beside simple rules.

    .venv-dev/bin/python -m benchmarks.holding [WALLS]

**The model.** A lane fills 27 places in order, and the other three are as far as it is. A tile comes that is none of
those held; each of the faces that its places wait for is as likely as the share of its copies among the tiles that are
not placed. The lane takes what its next place wants, and holds one tile for each of some later places; what is held
for the next place comes to it in the time for a fetch. With a flap tiles come one a slot. A ring brings the fewer new
tiles the more magnets hold one, and each lane has a quarter of the magnets. "Best" is the least expected time that any
policy has which never throws away what it holds; "with exchanges" may throw the farthest away for a nearer one in no
time, and is a bound that nobody reaches. Lanes that share what they hold, and the last lane, for which all wait, are
not in the model; the second table says what the last one costs, through the firmware. Nor is in it where a held tile
is on the ring, and how many tiles of a face are left: the firmware knows both (`sorting/worth.py`).

**Readers at the mouths alone** leave nothing to choose: a lane takes what its next place wants. The third table says
how long walls take with nothing else in the way: in every slot each lane meets a tile, as the simulator's drum has it,
whole lanes keep three tiles out of the way of the others, and each tile that is taken costs its lane so many slots.
"""

import random
import sys
from collections.abc import Callable
from itertools import combinations
from statistics import mean
from typing import NamedTuple

from rich.console import Console
from rich.table import Table as Grid

from tests.firmware.prescribing import FLAP_2, RING_18, Director
from wallwright_protocol.hardware import DEFAULT_PLANS, SIDES, TILES_PER_STACK
from wallwright_simulator.mechanics import (
    BELT_TRAVEL_MS,
    CATCH_HALF,
    CATCH_LIMIT,
    EYE_DARK_MS,
    HEAD_CYCLE_MS,
    REPELLED_FLIPS,
    RING_MAGNETS,
    RING_SLOT_MS,
)

WALLS = 24
MODELLED = 500
PLACES = 27
COPIES = 4
SLOT_S = RING_SLOT_MS / 1000
TURN_S = RING_MAGNETS * SLOT_S
NEW_A_TURN = 1.3
"""New tiles that a free magnet shows in a turn: counted in builds of simulated rings of 9 and 18 magnets, strict."""
FETCH_S = TURN_S / 4

RIDE_S = (BELT_TRAVEL_MS + EYE_DARK_MS + HEAD_CYCLE_MS) / 1000
"""From the read of the last tile to the side that is whole."""
KEPT = 3
"""The belt of a lane that is whole keeps so many tiles."""

Held = tuple[int, ...]
Rule = Callable[[int, Held], bool]
"""Whether a tile whose place lies so many places ahead is held, with tiles for the places in `Held` held already."""


class Lane(NamedTuple):
    """How many tiles a lane can hold, how many new ones it sees a second by how many it holds, and how long it takes
    until one that it holds is placed, in s."""

    holds: int
    rate: Callable[[int], float]
    fetch_s: float


def flap(places: int) -> Lane:
    """A lane with so many holding places."""
    return Lane(places, lambda _: 1 / SLOT_S, SLOT_S)


def ring(magnets: int) -> Lane:
    """A lane of a ring with so many magnets, of which one stays free."""
    return Lane((magnets - 1) // SIDES, lambda held: NEW_A_TURN / TURN_S * (magnets - SIDES * held), FETCH_S)


def expected_s(lane: Lane, rule: Rule | None = None, *, exchanges: bool = False) -> float:
    """How long a lane takes on average, in s: with a rule, or with the best choice for every tile."""
    left: dict[tuple[int, Held], float] = {(0, ()): 0.0}
    for places in range(1, PLACES + 1):
        copies = 1 + (COPIES - 1) * (SIDES * places - 1) / (SIDES * PLACES - 1)
        for count in range(min(lane.holds, places - 1), -1, -1):
            share = min(1.0, copies / max(1, SIDES * (places - count)))
            for held in sorted(combinations(range(1, places), count), key=sum):
                wait_s = 1 / (lane.rate(count) * share)
                options = _options(lane, left, places, held, exchanges=exchanges)
                total, ways = wait_s + _placed(lane, left, places, held), 1
                for after_s, ahead in sorted(options):
                    if rule(ahead, held) if rule else after_s < total / ways:
                        total, ways = total + after_s, ways + 1
                left[places, held] = total / ways
    return left[PLACES, ()]


def _placed(lane: Lane, left: dict[tuple[int, Held], float], places: int, held: Held) -> float:
    """The time from the moment at which the next place has got its tile, with what is held for those behind it."""
    chain = 0
    while chain < len(held) and held[chain] == chain + 1:
        chain += 1
    rest = tuple(ahead - chain - 1 for ahead in held[chain:])
    return chain * lane.fetch_s + left[places - 1 - chain, rest]


def _options(
    lane: Lane, left: dict[tuple[int, Held], float], places: int, held: Held, *, exchanges: bool
) -> list[tuple[float, int]]:
    """The time that is left once a tile is held, for each place that one can be held for."""
    kept = held if len(held) < lane.holds else held[:-1]
    if kept != held and not exchanges:
        return []
    limit = places if kept == held else held[-1] if held else 0
    return [(left[places, tuple(sorted((*kept, ahead)))], ahead) for ahead in range(1, limit) if ahead not in held]


def lanes_s(hardware: object, walls: int) -> tuple[float, float]:
    """When the lanes of walls that the firmware builds are whole: on average, and the last of each wall."""
    means, lasts = [], []
    for seed in range(walls):
        table = Director(seed, hardware)  # type: ignore[arg-type]
        table.equip()
        table.build(table.drawn())
        ends = [row["after_ms"] / 1000 for row in table.named("side_done")]
        means.append(mean(ends))
        lasts.append(max(ends))
    return mean(means), mean(lasts)


def mouths_s(seed: int, slots_a_tile: int) -> float:
    """How long a wall of 108 tiles takes with readers at the mouths alone, in s, if a tile that is taken costs its lane
    so many slots, and nothing else does."""
    chance = random.Random(f"{seed}/mouths")
    tiles = [face for face in range(PLACES) for _ in range(COPIES)]
    chance.shuffle(wanted := tiles[:])
    lanes = [[wanted.pop() for _ in range(TILES_PER_STACK * stacks)] for stacks in DEFAULT_PLANS[len(tiles)]]
    drum = [[face, chance.random() < 0.5] for face in tiles]
    kept: list[list[int]] = [[] for _ in range(SIDES)]
    rests = [0] * SIDES
    slots = 0
    while any(lanes):
        slots += 1
        for side, lane in enumerate(lanes):
            nexts = {each[0] for each in lanes if each}
            if not lane and nexts.intersection(kept[side]):
                drum += [[face, chance.random() < 0.5] for face in kept[side]]
                kept[side] = []
            if rests[side] or (not lane and len(kept[side]) == KEPT):
                rests[side] = max(0, rests[side] - 1)
                continue
            if chance.random() >= CATCH_LIMIT * len(drum) / (len(drum) + CATCH_HALF):
                continue
            at = chance.randrange(len(drum))
            face, is_up = drum[at]
            if is_up:
                drum[at][1] = chance.random() >= REPELLED_FLIPS
                continue
            drum.pop(at)
            if lane and lane[0] == face:
                lane.pop(0)
                rests[side] = slots_a_tile
            elif not lane and face not in nexts:
                kept[side].append(face)
            else:
                drum.append([face, chance.random() < 0.5])
    return slots * SLOT_S + RIDE_S


def flap_rules(places: int) -> dict[str, Rule]:
    """The firmware's rule for a lane with so many holding places, and a simpler one."""
    return {
        "without a tile yet: 1 + free (the firmware's, all faces alike)": lambda ahead, held: (
            ahead - sum(each < ahead for each in held) <= 1 + places - len(held)
        ),
        "2 × free": lambda ahead, held: ahead <= 2 * (places - len(held)),
    }


ROWS: tuple[tuple[str, Lane, dict[str, Rule]], ...] = (
    ("flap, 2 places", flap(2), flap_rules(2)),
    ("flap, 4 places", flap(4), flap_rules(4)),
    (
        "ring, 18 magnets",
        ring(18),
        {"free / 4": lambda ahead, held: ahead <= 18 // 4 - len(held), "2": lambda ahead, _: ahead <= 2},
    ),
)


def main() -> None:
    """Print both tables."""
    walls = int(sys.argv[1]) if len(sys.argv) > 1 else WALLS
    grid = Grid("lane", "with exchanges", "best", "rules: a tile is held while so many places or fewer come before its")
    grid.title = "Seconds of one lane of 27 places in the model"
    for name, lane, rules in ROWS:
        best = expected_s(lane)
        tried = {rule: expected_s(lane, holds) for rule, holds in rules.items()}
        said = ", ".join(f"{rule}: {took:.0f} (+{100 * (took / best - 1):.0f} %)" for rule, took in tried.items())
        grid.add_row(name, f"{expected_s(lane, exchanges=True):.0f}", f"{best:.0f}", said)
    Console().print(grid)
    ends = Grid("sorter", "lanes, mean", "the last one", title=f"Seconds until lanes are whole, {walls} walls")
    for name, hardware in (("flap, 2 places", FLAP_2), ("ring, 18 magnets", RING_18)):
        ends.add_row(name, *(f"{took:.0f}" for took in lanes_s(hardware, walls)))
    Console().print(ends)
    mouths = Grid(
        "slots a tile", "mean", title=f"Seconds with readers at the mouths alone, 108 tiles, {MODELLED} walls"
    )
    for slots in (0, 1):
        mouths.add_row(str(slots), f"{mean(mouths_s(seed, slots) for seed in range(MODELLED)):.0f}")
    Console().print(mouths)


if __name__ == "__main__":
    main()
