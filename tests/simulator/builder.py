"""A controller of a few lines that builds walls in a world, to test the world without the firmware."""

import random
from collections.abc import Callable, Sequence

from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    COUNT_EYE,
    DISC,
    HEAD,
    HEAD_HOME,
    INPUTS_PER_SIDE,
    RING,
    drive_bit,
)
from wallwright_simulator.clock import NEVER
from wallwright_simulator.world import World

RETURN_MS = 800


class Builder:
    """Counts tiles by the count eye, strokes the head at two, sends the rest back when a side is full.

    It acts on every edge at once and without debouncing, which eyes and vanes do not need.
    """

    def __init__(self, world: World, plan: Sequence[int]) -> None:
        self.world = world
        self.plan = plan
        self.stacks = [0] * 4
        self.in_head = [0] * 4
        self.return_until = [NEVER] * 4
        self.history: list[tuple[int, int, int]] = []
        self.mask = DISC | RING | sum(drive_bit(side, CONVEYOR) for side in range(4) if plan[side])
        world.drive(self.mask)

    def run(self, limit_ms: int, check: Callable[[], None] | None = None) -> int:
        """Build; return the time it took. `check` is called whenever time has moved."""
        world = self.world
        start_ms = world.now_ms
        while not self.done():
            assert world.now_ms < start_ms + limit_ms, f"not built in {limit_ms} ms: {self.stacks} of {self.plan}"
            world.advance(min(start_ms + limit_ms, *self.return_until, world.next_ms))
            self.react()
            if check:
                check()
        world.drive(0)
        return world.now_ms - start_ms

    def react(self) -> None:
        """Take the new edges and do what is due."""
        for edge in self.world.edges:
            self.history.append(edge)
            self._edge(*edge)
        self.world.edges.clear()
        for side in range(4):
            if self.return_until[side] <= self.world.now_ms:
                self.return_until[side] = NEVER
                self._switch(side, CONVEYOR_REVERSE, False)

    def done(self) -> bool:
        """All sides have their stacks, heads are home, belts have been emptied."""
        return self.stacks == list(self.plan) and self.return_until == [NEVER] * 4

    def _edge(self, time_ms: int, number: int, level: int) -> None:
        side, kind = divmod(number, INPUTS_PER_SIDE)
        if kind == COUNT_EYE and not level:
            self.in_head[side] += 1
            if self.in_head[side] == 2:
                self._switch(side, HEAD, True)
                if self.stacks[side] + 1 == self.plan[side]:
                    self._switch(side, CONVEYOR, False)
                    self._switch(side, CONVEYOR_REVERSE, True)
                    self.return_until[side] = time_ms + RETURN_MS
        elif kind == HEAD_HOME and level:
            self._switch(side, HEAD, False)
            self.stacks[side] += 1
            self.in_head[side] = 0

    def _switch(self, side: int, kind: int, on: bool) -> None:
        bit = drive_bit(side, kind)
        self.mask = self.mask | bit if on else self.mask & ~bit
        self.world.drive(self.mask)


def fresh_seeds(seed: int, count: int) -> list[int]:
    """World seeds that follow from the seed of the test run."""
    stream = random.Random(seed)
    return [stream.randrange(2**32) for _ in range(count)]
