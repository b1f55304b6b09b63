"""Tile readers: what the antennas at heads and seats see of the tiles that are really there, and how they err.

A tile stays at a reader from when it comes until it goes. Of each stay chance decides, by shares in permille that are 0
to begin with: it is missed; it is seen late; it is seen twice, with a gap; a neighbour of the same seat sees the tile
as well for a while, a ghost; it is seen with the number of another tag of its set. An antenna may be dead, and a tag; a
foreign tag may lie somewhere. What chance a stay has does not depend on what other stays had, nor on the shares.
"""

import hashlib
import random
from functools import partial
from typing import NamedTuple, Protocol

from wallwright_protocol.hardware import LANE_READERS, MOUTH_READER, READERS, READERS_PER_SEAT, SETS, SIDES
from wallwright_protocol.wall import TAG_BYTES

NO_READERS = 0
ALL_READERS = (1 << READERS) - 1
MOUTH_READERS = (1 << SIDES) - 1 << MOUTH_READER
"""Those at the mouths of a table that sorts; nobody chooses them."""
KINDS = {"none": NO_READERS, "lanes": LANE_READERS, "all": ALL_READERS}
"""What a table may have, as a mask of readers."""

HEAD_MS = (10, 50)
"""A reader at a head or at a mouth sees a tile so long after it is wholly there: it has two tags to ask at the most.
Estimate."""
SEAT_MS = (20, 120)
"""One at a seat, after a round of its inventory. Estimate."""
GONE_MS = (100, 250)
"""A reader has lost a tile that was taken away after a round or two without it."""
MOUTH_GONE_MS = (20, 60)
"""One at a mouth asks for one tag after the other, so it has lost a tile before the magnets can bring it again."""
LATE_MS = (200, 1500)
"""A late read comes this much later, at least and at most."""
GHOST_MS = (100, 1500)
"""A neighbour sees a tile that is not its own for this long, at least and at most."""
GAP_MS = (50, 250)
"""Between the two times that a tile is seen when it is seen twice."""

MAKER = b"\xe0\x04"
"""How the number of a tag begins, by ISO 15693 and the maker's code of ISO 7816-6."""
FOREIGN = b"\xe0\x16"


class Read(NamedTuple):
    """A reader sees a tag from `at_ms` on, or does not see it any more."""

    at_ms: int
    reader: int
    tag: bytes
    there: bool


class Heads(Protocol):
    """What of a world the readers look at."""

    seed: int
    tiles: int

    @property
    def now_ms(self) -> int:
        """The present time."""

    def later(self, time_ms: int, call: partial[None]) -> None:
        """Let `call` happen at `time_ms`."""

    def stream(self, name: str) -> random.Random:
        """Chance of its own."""

    def read_places(self) -> list[list[int]]:
        """The tiles that each reader has before it, by its number."""


def tag_of(seed: int, tile: int) -> bytes:
    """Return the number of the tag in a tile; it tells nothing of the tile."""
    return MAKER + hashlib.sha256(f"{seed}/tag/{tile}".encode()).digest()[: TAG_BYTES - len(MAKER)]


class TileReaders:
    """The readers of `fitted`, a mask; those at mouths have bits from MOUTH_READER on. `reads` collects what they say
    until somebody clears it.

    `shares` is how often, in permille, a stay is subject to `miss`, `late`, `double`, `ghost` and `misread`.
    """

    def __init__(self, world: Heads, fitted: int) -> None:
        self.fitted = fitted
        self.reads: list[Read] = []
        self.shares = dict.fromkeys(("miss", "late", "double", "ghost", "misread"), 0)
        self._tags: list[bytes] = []
        self._world = world
        self._chance = world.stream("readers")
        self._wrong = world.stream("misreads")
        self._taken_for: dict[tuple[int, int], int] = {}
        self._stays: dict[tuple[int, int], int] = {}
        self._count = 0
        self._seen: set[tuple[int, bytes]] = set()
        self._dead_readers: set[int] = set()
        self._dead_tiles: set[int] = set()

    @property
    def tags(self) -> list[bytes]:
        """The number of each tile's tag, made when somebody first asks: most tables have no readers."""
        if not self._tags:
            self._tags = [tag_of(self._world.seed, tile) for tile in range(SETS * self._world.tiles)]
        return self._tags

    def look(self) -> None:
        """Tiles have moved: see who has come to a reader and who has gone."""
        there = {
            (reader, tile)
            for reader, tiles in enumerate(self._world.read_places())
            if self.fitted >> reader & 1
            for tile in tiles
        }
        for reader, tile in sorted(self._stays.keys() - there):
            del self._stays[reader, tile]
            limits = GONE_MS if reader < READERS else MOUTH_GONE_MS
            self._later(limits, self._chance.random(), partial(self._end, reader, tile))
        for reader, tile in sorted(there - self._stays.keys()):
            self._come(reader, tile)

    def kill_reader(self, reader: int, dead: bool) -> None:
        """The antenna of a reader breaks, or works again."""
        if dead:
            self._dead_readers.add(reader)
            for other, tag in sorted(self._seen):
                if other == reader:
                    self._tell(reader, tag, False)
        else:
            self._dead_readers.discard(reader)
            for other, tile in sorted(self._stays):
                if other == reader:
                    self._come(reader, tile)

    def kill_tag(self, tile: int, dead: bool) -> None:
        """The tag of a tile does not answer from its next stay on, or does again."""
        (self._dead_tiles.add if dead else self._dead_tiles.discard)(tile)

    def put_foreign(self, reader: int, there: bool) -> None:
        """A tag of no tile of this table lies at a reader, or is taken away."""
        self._tell(reader, FOREIGN + bytes([reader] * (TAG_BYTES - len(FOREIGN))), there)

    def restart(self) -> None:
        """The board starts: it is told what is seen now, as of now."""
        self.reads.clear()
        self.reads.extend(Read(self._world.now_ms, reader, tag, True) for reader, tag in sorted(self._seen))

    def _come(self, reader: int, tile: int) -> None:
        """A stay begins; draw all its chances, whether they count or not."""
        self._count += 1
        stay = self._stays[reader, tile] = self._count
        if self.shares["misread"] and self._wrong.randrange(1000) < self.shares["misread"]:
            size = self._world.tiles
            self._taken_for[reader, tile] = tile // size * size + self._wrong.randrange(size)
        chance = self._chance
        first, missed, late, later, doubled, gap, haunted, lasting, where = (chance.random() for _ in range(9))
        if tile in self._dead_tiles or 1000 * missed < self.shares["miss"]:
            return
        delay_ms = _between(SEAT_MS if SIDES <= reader < READERS else HEAD_MS, first)
        if 1000 * late < self.shares["late"]:
            delay_ms += _between(LATE_MS, later)
        now_ms = self._world.now_ms
        self._world.later(now_ms + delay_ms, partial(self._begin, reader, tile, stay))
        if 1000 * doubled < self.shares["double"]:
            gone_ms = now_ms + delay_ms + _between(GONE_MS, gap)
            self._world.later(gone_ms, partial(self._lose, reader, tile, stay))
            self._world.later(gone_ms + _between(GAP_MS, gap), partial(self._begin, reader, tile, stay))
        if SIDES <= reader < READERS and 1000 * haunted < self.shares["ghost"]:
            seat, kind = divmod(reader - SIDES, READERS_PER_SEAT)
            ghost = SIDES + seat * READERS_PER_SEAT + (kind + 1 + int(2 * where)) % READERS_PER_SEAT
            if self.fitted >> ghost & 1:
                self._world.later(now_ms + delay_ms, partial(self._haunt, ghost, tile, _between(GHOST_MS, lasting)))

    def _begin(self, reader: int, tile: int, stay: int) -> None:
        if self._stays.get((reader, tile)) == stay:
            self._tell(reader, self._tag(reader, tile), True)

    def _lose(self, reader: int, tile: int, stay: int) -> None:
        if self._stays.get((reader, tile)) == stay:
            self._tell(reader, self._tag(reader, tile), False)

    def _end(self, reader: int, tile: int) -> None:
        if (reader, tile) not in self._stays:
            self._tell(reader, self._tag(reader, tile), False)
            self._taken_for.pop((reader, tile), None)

    def _tag(self, reader: int, tile: int) -> bytes:
        """The number that a reader sees in a tile during its stay."""
        return self.tags[self._taken_for.get((reader, tile), tile)]

    def _haunt(self, reader: int, tile: int, for_ms: int) -> None:
        if (reader, tile) not in self._stays:
            self._tell(reader, self.tags[tile], True)
            self._world.later(self._world.now_ms + for_ms, partial(self._end, reader, tile))

    def _tell(self, reader: int, tag: bytes, there: bool) -> None:
        known = (reader, tag) in self._seen
        if known == there or (there and reader in self._dead_readers):
            return
        (self._seen.add if there else self._seen.discard)((reader, tag))
        self.reads.append(Read(self._world.now_ms, reader, tag, there))

    def _later(self, limits: tuple[int, int], part: float, call: partial[None]) -> None:
        self._world.later(self._world.now_ms + _between(limits, part), call)


def _between(limits: tuple[int, int], part: float) -> int:
    low, high = limits
    return low + int(part * (high - low + 1))
