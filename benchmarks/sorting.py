"""Prescribed walls on the mechanics alone: how long they take on each sorter, beside what the design expected.

    .venv-dev/bin/python -m benchmarks.sorting [WALLS]

No firmware is in it: a small controller sees what the mouths' readers read, counts what it let pass, and drives the
parts itself. So the figures say what the mechanics allow with a policy, and bound what a firmware with it can reach.
All figures are simulated. Wall n has seed n for the table and for what is prescribed.
"""

import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from rich.console import Console
from rich.table import Table as Grid

from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    DEFAULT_PLANS,
    DISC,
    FLAP_OPEN,
    HEAD,
    KNOCK_OFF,
    MOUTH_READER,
    RING,
    SCRAPER,
    SIDES,
    STORE_IN,
    STORE_OUT,
    STORE_RESTS,
    TILES_PER_STACK,
    drive_bit,
    sorter_bit,
)
from wallwright_simulator.flap import LaneSorter
from wallwright_simulator.mechanics import MOUTH_READER_MS, SOLENOID_MS
from wallwright_simulator.ring import RingSorter
from wallwright_simulator.sorter import Hardware
from wallwright_simulator.sorters import read_hardware
from wallwright_simulator.world import World

WALLS = 24
LONGEST_MS = 3_600_000
HAND_TILES = 13
SHORT_PULSE_MS = SOLENOID_MS + 20
FLAP_WAIT_MS = 15
FLAP_PULSE_MS = 96
FLAP_SPARE_MS = 10
"""A flap opens so long after the read, for so long; a tile that was read more than the last before its current ends
would come to it half way, and is let fall whatever it is."""
FLAP_QUEUE = 3
"""With more tiles on a belt their queue reaches back to its flap."""
GIVE_BACK_MS = 153
"""A belt runs backwards so long after the read: a tile is at 150 ms then at the most."""


class Wanted:
    """What is prescribed: each place of each lane belongs to a group, and a group wants some faces in any order."""

    def __init__(self, world: World, seed: int, *, hands: bool) -> None:
        chance = random.Random(f"{seed}/prescribed")
        self.plan = DEFAULT_PLANS[world.tiles]
        faces = [world.face(tile) for tile in range(world.tiles)]
        chance.shuffle(faces)
        places = [(lane, at) for lane in range(SIDES) for at in range(TILES_PER_STACK * self.plan[lane])]
        groups = {place: number for number, place in enumerate(places)}
        if hands:
            start = TILES_PER_STACK * chance.randrange(len(places) // TILES_PER_STACK)
            taken = [places[(start + at) % len(places)] for at in range(4 * HAND_TILES + 1)]
            for at, place in enumerate(taken):
                seat = at // 4 % SIDES if at < 48 else at % SIDES
                groups[place] = -1 - seat
        self.lanes = [[groups[lane, at] for at in range(TILES_PER_STACK * self.plan[lane])] for lane in range(SIDES)]
        self.groups: dict[int, Counter[str]] = {}
        for place, face in zip(places, faces, strict=True):
            self.groups.setdefault(groups[place], Counter())[face] += 1
        self.done = [0] * SIDES

    def fits(self, lane: int, face: str) -> bool:
        """Whether the next place of a lane wants this face."""
        done = self.done[lane]
        return done < len(self.lanes[lane]) and self.groups[self.lanes[lane][done]][face] > 0

    def take(self, lane: int, face: str) -> None:
        """The next place of a lane gets this face."""
        self.groups[self.lanes[lane][self.done[lane]]][face] -= 1
        self.done[lane] += 1

    def needs(self, face: str, lanes: Sequence[int], lag: float = 0.0) -> list[float]:
        """How many places of its lane lie before each place that wants this face, the nearest first.

        Those of a lane that is ahead of the slowest one seem farther, by `lag` times its lead.
        """
        found = []
        left = Counter({group: faces[face] for group, faces in self.groups.items() if faces[face]})
        remain = [len(places) - done for places, done in zip(self.lanes, self.done, strict=True)]
        for lane in lanes:
            lead = lag * (max(remain) - remain[lane])
            for distance, group in enumerate(self.lanes[lane][self.done[lane] :]):
                if left[group]:
                    left[group] -= 1
                    found.append(distance + lead)
        return sorted(found)


@dataclass
class Policy:
    """A tile that no mouth wants now is held while its distance is at most `factor` times the free places, `reserve`
    not counted; else it goes back into the drum. The distance counts the places of its lane that come before the one
    that wants it, and `lag` times the lead that this lane has over the slowest."""

    factor: float
    reserve: int = 0
    lag: float = 0.0

    def holds(self, distance: float, free: int) -> bool:
        """Whether a tile is worth a place."""
        return free > self.reserve and distance <= self.factor * (free - self.reserve)


class Builder:
    """Builds one wall; `ms` is how long that took, None when it had not ended after LONGEST_MS."""

    def __init__(
        self, seed: int, tiles: int, hardware: Hardware, policy: Policy, *, hands: bool, lost: int = 0
    ) -> None:
        self.world = World(seed, tiles, hardware=hardware)
        self.world.readers.shares["miss"] = lost
        self.wanted = Wanted(self.world, seed, hands=hands)
        self.policy = policy
        self.tile_of = {tag: tile for tile, tag in enumerate(self.world.readers.tags)}
        self.heads = 0
        self.pulses: Counter[int] = Counter()
        self.shuts_ms = [0] * SIDES
        self.reverse = 0
        self.seen: dict[bytes, str] = {}
        self.held: Counter[str] = Counter()
        self.ms: int | None = None
        sorter = self.world.sorter
        assert sorter is not None
        self.sorter = sorter
        self.mask = 0
        if isinstance(sorter, RingSorter):
            for side in range(SIDES):
                self.mask |= sorter_bit(side, SCRAPER)
            sorter.drive(self.mask)

    def run(self) -> int | None:
        """Build it."""
        world = self.world
        self.drive()
        while world.now_ms < LONGEST_MS:
            world.advance(LONGEST_MS)
            for read in world.readers.reads:
                if read.reader >= MOUTH_READER and read.there:
                    self.read(read.reader - MOUTH_READER, read.tag)
            world.readers.reads.clear()
            world.edges.clear()
            self.tend_heads()
            if all(len(head.carrier) == stacks for head, stacks in zip(world.heads, self.wanted.plan, strict=True)):
                self.ms = world.now_ms
                break
        return self.ms

    def drive(self) -> None:
        """Switch the motors as they should be."""
        mask = DISC | RING
        for side in range(SIDES):
            backwards = self.reverse >> side & 1
            mask |= drive_bit(side, CONVEYOR_REVERSE if backwards else CONVEYOR)
            if self.heads >> side & 1:
                mask |= drive_bit(side, HEAD)
        self.world.drive(mask)

    def tend_heads(self) -> None:
        """Push a stack that is whole, and stop the cam at home."""
        heads = 0
        for side, head in enumerate(self.world.heads):
            if len(head.tiles) == TILES_PER_STACK or not self.world.levels[9 * side + 2]:
                heads |= 1 << side
        if heads != self.heads:
            self.heads = heads
            self.drive()

    def set(self, bit: int, on: bool) -> None:
        """Switch one solenoid."""
        self.mask = self.mask | bit if on else self.mask & ~bit
        self.sorter.drive(self.mask)

    def pulse(self, bit: int, for_ms: int, on: bool = True) -> None:
        """Switch one solenoid for a while, counted from the last time."""
        self.set(bit, on)
        self.pulses[bit] += 1
        number = self.pulses[bit]

        def end() -> None:
            if self.pulses[bit] == number:
                self.set(bit, not on)

        self.world.later(self.world.now_ms + for_ms, end)

    def read(self, side: int, tag: bytes) -> None:
        """The reader of a mouth sees a tile."""
        face = self.world.face(self.tile_of[tag])
        if isinstance(self.sorter, RingSorter):
            self.on_ring(self.sorter, side, tag, face)
        else:
            assert isinstance(self.sorter, LaneSorter)
            self.in_lane(self.sorter, side, face)

    def on_ring(self, ring: RingSorter, side: int, tag: bytes, face: str) -> None:
        """Take, pass or knock off."""
        wanted = self.wanted
        if tag in self.seen:
            self.held[self.seen.pop(tag)] -= 1
        if wanted.fits(side, face) and len(self.world.belts[side].tiles) < 5:
            wanted.take(side, face)
            self.pulse(sorter_bit(side, SCRAPER), ring.lead_ms, on=False)
            return
        needs = wanted.needs(face, range(SIDES), self.policy.lag)
        free = len(ring.magnets) - self.held.total()
        at = self.held[face]
        if at < len(needs) and self.policy.holds(needs[at], free):
            self.seen[tag] = face
            self.held[face] += 1
        else:
            self.pulse(sorter_bit(side, KNOCK_OFF), SHORT_PULSE_MS)

    def in_lane(self, sorter: LaneSorter, side: int, face: str) -> None:
        """Accept, hold or let fall."""
        wanted = self.wanted
        belt = sorter.belts[side]
        has_room = not sorter.solenoids or len(belt.tiles) <= FLAP_QUEUE
        if wanted.fits(side, face) and has_room and self.shuts_ms[side] <= self.world.now_ms + FLAP_SPARE_MS:
            wanted.take(side, face)
            self.fetch(sorter, side)
            return
        if not sorter.solenoids:
            self.reverse |= 1 << side
            self.drive()
            self.world.later(self.world.now_ms + GIVE_BACK_MS, lambda: self.forwards(side))
            return
        self.fetch(sorter, side)
        free = [number for number, held in enumerate(belt.holding) if not held.tiles and held.move == STORE_RESTS]
        same = sum(self.world.face(tile) == face for held in belt.holding for tile in held.tiles)
        needs = wanted.needs(face, (side,))
        if same < len(needs) and self.policy.holds(needs[same], len(free)):
            place = free[0]
            sorter.store(side, place, STORE_IN)
            self.world.later(self.world.now_ms + 2 * MOUTH_READER_MS, lambda: self.stored(sorter, side, place))
        else:
            opens_ms = self.world.now_ms + FLAP_WAIT_MS
            self.shuts_ms[side] = opens_ms + FLAP_PULSE_MS
            self.world.later(opens_ms, lambda: self.pulse(sorter_bit(side, FLAP_OPEN), FLAP_PULSE_MS))

    def forwards(self, side: int) -> None:
        """A wrong tile has ridden back."""
        self.reverse &= ~(1 << side)
        self.drive()

    def stored(self, sorter: LaneSorter, side: int, place: int) -> None:
        """A tile is in its holding place."""
        sorter.store(side, place, STORE_RESTS)
        self.fetch(sorter, side)

    def fetch(self, sorter: LaneSorter, side: int) -> None:
        """Let the tile that the lane wants next out of its holding place, or one that it does not want any more."""
        held = [
            (number, self.world.face(place.tiles[0]))
            for number, place in enumerate(sorter.belts[side].holding)
            if place.tiles and place.move == STORE_RESTS
        ]
        wanted = [number for number, face in held if self.wanted.fits(side, face)]
        useless = [number for number, face in held if not self.wanted.needs(face, (side,))]
        if wanted or useless:
            place = (wanted or useless)[0]
            sorter.store(side, place, STORE_OUT)
            self.world.later(self.world.now_ms + MOUTH_READER_MS, lambda: self.await_out(sorter, side, place))

    def await_out(self, sorter: LaneSorter, side: int, place: int) -> None:
        """Let a holding place rest once its tile is out."""
        if sorter.belts[side].holding[place].tiles:
            self.world.later(self.world.now_ms + MOUTH_READER_MS, lambda: self.await_out(sorter, side, place))
        else:
            sorter.store(side, place, STORE_RESTS)


CASES = ((108, False), (108, True), (136, False))
ROWS: tuple[tuple[str, dict[str, int], Policy, tuple[tuple[int, int], ...]], ...] = (
    ("mouth", {}, Policy(0), ((421, 486), (317, 409), (635, 767))),
    ("flap", {"places": 2}, Policy(3), ((235, 287), (188, 246), (379, 450))),
    ("ring", {"magnets": 9}, Policy(0.4, 2), ((147, 174), (106, 148), (212, 248))),
    ("ring", {"magnets": 18}, Policy(0.35, lag=0.25), ((71, 82), (59, 71), (103, 127))),
)
"""Sorter, its places, policy, and what the design page's own simulation gave: mean and p95 in s for each case."""


def times_s(
    walls: int, tiles: int, hardware: Hardware, policy: Policy, *, hands: bool, lost: int = 0
) -> tuple[float, float]:
    """Mean and p95 of so many walls, in s; a wall that did not end counts as LONGEST_MS."""
    found = sorted(
        (Builder(seed, tiles, hardware, policy, hands=hands, lost=lost).run() or LONGEST_MS) / 1000
        for seed in range(walls)
    )
    return mean(found), found[min(walls - 1, walls * 95 // 100)]


def main() -> None:
    walls = int(sys.argv[1]) if len(sys.argv) > 1 else WALLS
    grid = Grid("sorter", *(f"{tiles} {'hands' if hands else 'strict'}" for tiles, hands in CASES))
    grid.title = f"Seconds, mean (p95) of {walls} walls; in brackets what the design page has"
    for name, places, policy, expected in ROWS:
        hardware = read_hardware(name, **places)
        cells = []
        for (tiles, hands), (its_mean, its_p95) in zip(CASES, expected, strict=True):
            took, late = times_s(walls, tiles, hardware, policy, hands=hands)
            cells.append(f"{took:.0f} ({late:.0f}) [{its_mean} ({its_p95})]".replace("[", "\\["))
        grid.add_row(f"{name} {hardware.places or ''}".strip(), *cells)
    Console().print(grid)


if __name__ == "__main__":
    main()
