"""The simulated board: the firmware's hardware contract on top of the modelled mechanics."""

from collections import deque

from wallwright_firmware.hal import SIDES, Hal

from .noise import Noise
from .power import Slots
from .readers import Read
from .world import World


class SimulatedBoard(Hal):
    """A board whose sensors and drives belong to `world`; `lamp_mask` and `displays` are what its panels show;
    `slots` is its memory that lasts without power. Its clock has shown 0 at `started_ms` of the world.

    `source` is where its random numbers come from.
    """

    def __init__(self, world: World, source: Noise) -> None:
        self.world = world
        self.lamp_mask = 0
        self.displays = [""] * SIDES
        self.slots = Slots()
        self.started_ms = 0
        self.source = source
        self.readers = world.readers.fitted
        self._edges: deque[tuple[int, int, int]] = deque()
        self._reads: deque[Read] = deque()

    def lose_power(self) -> None:
        """Motors, lamps and displays go off."""
        self.world.drive(0)
        self.lamp_mask = 0
        self.displays = [""] * SIDES

    def start(self) -> None:
        """The power is back: what the inputs did without it nobody has seen, and the clock begins at 0."""
        self.world.edges.clear()
        self._edges.clear()
        self._reads.clear()
        self.world.readers.restart()
        self.started_ms = self.world.now_ms

    def fetch_edges(self) -> bool:
        """Move the world's new edges and reads into the queues of the board; say whether there were any."""
        world = self.world
        if not world.edges and not world.readers.reads:
            return False
        self._edges.extend(world.edges)
        world.edges.clear()
        self._reads.extend(world.readers.reads)
        world.readers.reads.clear()
        return True

    def next_edge(self) -> bool:
        if not self._edges:
            return False
        at_ms, self.edge_input, self.edge_level = self._edges.popleft()
        self.edge_ms = at_ms - self.started_ms
        return True

    def next_read(self) -> bool:
        if not self._reads:
            return False
        at_ms, self.read_reader, self.read_tag, self.read_there = self._reads.popleft()
        self.read_ms = at_ms - self.started_ms
        return True

    def level(self, number: int) -> int:
        return self.world.levels[number]

    def drive(self, mask: int) -> None:
        self.world.drive(mask)

    def lamps(self, mask: int) -> None:
        self.lamp_mask = mask

    def show(self, side: int, text: str) -> None:
        self.displays[side] = text

    def noise(self, count: int) -> bytes:
        return self.source(self.world.now_ms, count)

    def load(self, slot: int) -> bytes:
        return self.slots.load(slot)

    def save(self, slot: int, data: bytes) -> bool:
        return self.slots.save(slot, data)
