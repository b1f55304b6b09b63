"""The drum: tiles lie on the turning disc, and the magnets of the ring carry them to the four mouths.

A magnet passes each mouth every slot, while disc and ring both turn. With n tiles in the drum it brings one with the
probability CATCH_LIMIT * n / (n + CATCH_HALF); a tile that lies face up is repelled instead, and may turn over.
Stirring with the ring at rest changes nothing that is modelled: half of the tiles lie face up to begin with, as they
would again after any stirring.

All chance of slot k of a lane is drawn from a stream of its own, in the order of the slots, anew for each time tiles
were dropped in. What a controller does with one lane so never changes the luck of another, and two controllers can be
compared on the same drum.
"""

import random
from collections.abc import Sequence
from functools import partial
from typing import Protocol

from wallwright_protocol.hardware import SIDES

from .clock import NEVER, Agenda
from .mechanics import CATCH_HALF, CATCH_LIMIT, REPELLED_FLIPS, RING_SLOT_MS, WEAK_CATCH

_LEVELS = 1 << 12
"""Resolution of the chance to catch a tile."""
_SLOTS_AT_ONCE = 32
_WORD = 32
_ONE = 1 << _WORD
_FLIPS_BELOW = int(REPELLED_FLIPS * _ONE)


def _tiles_needed(level: int) -> int:
    chance = (level + 0.5) / _LEVELS
    if chance >= CATCH_LIMIT:
        return _ONE
    return int(chance * CATCH_HALF / (CATCH_LIMIT - chance)) + 1


_NEEDED = tuple(_tiles_needed(level) for level in range(_LEVELS))
"""The fewest tiles with which a slot of this luck catches one: the probability above, turned round."""


class Mouth(Protocol):
    """What takes the tiles of one lane."""

    def take_in(self, tile: int) -> None:
        """A tile enters; the mouth may close itself by `Drum.shut`."""
        ...


class Source(Protocol):
    """Where the tiles of a belt come from, and fall back to."""

    def open(self, lane: int) -> None:
        """The mouth of `lane` takes tiles from now on."""

    def shut(self, lane: int) -> None:
        """The mouth of `lane` takes no tiles from now on."""

    def put_back(self, tile: int, face_up: bool, lane: int | None = None) -> None:
        """A tile falls back into the drum."""


class Drum:
    """Tiles in the drum, and the event of each lane's next catch.

    A magnet meets any tile of the drum alike, so walls are perfectly shuffled by assumption; `PlacesDrum` has to mix.
    The magnets hold tiles of `weak` hardly ever, and those of `upright` stay face up whatever happens.
    """

    __slots__ = (
        "_agenda",
        "_catch",
        "_face_up",
        "_luck",
        "_mouths",
        "_needs",
        "_open",
        "_passed",
        "_phases",
        "_ring_ms",
        "_row",
        "_seed",
        "_streams",
        "_turning",
        "_weak_luck",
        "_zero_ms",
        "load",
        "slot_ms",
        "tiles",
        "upright",
        "weak",
    )

    def __init__(self, agenda: Agenda, seed: int, *, slot_ms: int = RING_SLOT_MS) -> None:
        self.tiles: list[int] = []
        self.load = 0
        """How many times tiles were dropped in."""
        self.slot_ms = slot_ms
        self.weak: set[int] = set()
        self.upright: set[int] = set()
        self._weak_luck = random.Random(f"{seed}/weak")
        self._agenda = agenda
        self._seed = seed
        self._row = len(agenda.due)
        for lane in range(SIDES):
            agenda.add(partial(self._meet, lane))
        self._phases = [slot_ms * (lane + 1) // SIDES for lane in range(SIDES)]
        self._mouths: list[Mouth] = []
        self._face_up: dict[int, bool] = {}
        self._turning = False
        self._ring_ms = 0
        self._zero_ms = 0
        self._open = [False] * SIDES
        self._passed = [0] * SIDES
        self._catch = [0] * SIDES
        self._restart()

    def join(self, mouths: Sequence[Mouth]) -> None:
        """Say who takes the tiles, by lane."""
        self._mouths = list(mouths)

    def drop(self, tiles: Sequence[int], face_up: Sequence[bool], sides: Sequence[int]) -> None:
        """Let `tiles` fall in, in this order, some face up, each pushed from a side; the ring's luck starts anew."""
        self.load += 1
        for rank, (tile, up, side) in enumerate(zip(tiles, face_up, sides, strict=True)):
            self._add(tile, up)
            self._fall(tile, side, (rank + 0.5) / len(tiles))
        self._restart()
        self._aim_all()

    def put_back(self, tile: int, face_up: bool, lane: int | None = None) -> None:
        """One tile falls back in, from the mouth of a lane or, without one, from a hand; the ring's luck goes on."""
        self._add(tile, face_up)
        self._fall(tile, lane, None)
        self._aim_all()

    def take_out(self, tile: int) -> None:
        """A hand takes a tile out."""
        self.tiles.remove(tile)
        self._left(tile)
        self._aim_all()

    def face_up(self) -> list[bool]:
        """Which of `tiles` lie face up."""
        return [self._lies_up(tile) for tile in self.tiles]

    def stir(self, on: bool) -> None:
        """The disc turns from now on, with the ring or alone, or it rests: that changes nothing here."""

    def turn(self, on: bool) -> None:
        """Disc and ring both turn from now on, or they do not."""
        if on == self._turning:
            return
        now_ms = self._agenda.now_ms
        if on:
            self._zero_ms = now_ms - self._ring_ms
        else:
            self._ring_ms = now_ms - self._zero_ms
        self._turning = on
        self._aim_all()

    def open(self, lane: int) -> None:
        """The mouth of `lane` takes tiles from now on."""
        if not self._open[lane]:
            self._open[lane] = True
            self._aim(lane)

    def shut(self, lane: int) -> None:
        """The mouth of `lane` takes no tiles from now on."""
        self._open[lane] = False
        self._agenda.plan(self._row + lane, NEVER)

    def copy(self, agenda: Agenda) -> "Drum":
        """The same drum with the same luck to come, at rest and on another agenda."""
        other = self._empty(agenda)
        other.tiles = list(self.tiles)
        other._face_up = dict(self._face_up)
        other.weak = set(self.weak)
        other.upright = set(self.upright)
        other.load = self.load
        other._restart()
        other._ring_ms = self._agenda.now_ms - self._zero_ms if self._turning else self._ring_ms
        other._passed = list(self._passed)
        return other

    def _empty(self, agenda: Agenda) -> "Drum":
        """Such a drum without a tile."""
        return Drum(agenda, self._seed, slot_ms=self.slot_ms)

    def _add(self, tile: int, face_up: bool) -> None:
        self.tiles.append(tile)
        self._face_up[tile] = face_up

    def _fall(self, tile: int, side: int | None, rank: float | None) -> None:
        """Where a tile falls in, pushed from a side: `rank` of its load, 0 to 1, or on its own by a mouth or a hand."""

    def _restart(self) -> None:
        self._streams = [random.Random(f"{self._seed}/slots/{self.load}/{lane}") for lane in range(SIDES)]
        self._needs: list[list[int]] = [[] for _ in range(SIDES)]
        self._luck: list[list[int]] = [[] for _ in range(SIDES)]
        self._passed = [0] * SIDES
        self._ring_ms = 0
        self._zero_ms = self._agenda.now_ms

    def _draw_slots(self, lane: int) -> None:
        bits = self._streams[lane].getrandbits
        for _ in range(_SLOTS_AT_ONCE):
            self._needs[lane].append(_NEEDED[bits(12)])
            self._luck[lane].append(bits(2 * _WORD))

    def _aim_all(self) -> None:
        for lane in range(SIDES):
            self._aim(lane)

    def _aim(self, lane: int) -> None:
        """Find the lane's next catch from the present time on."""
        if self._open[lane] and self._turning and self.tiles:
            ran_ms = self._agenda.now_ms - self._zero_ms - self._phases[lane]
            self._aim_from(lane, max(self._passed[lane], -(-ran_ms // self.slot_ms)))
        else:
            self._agenda.plan(self._row + lane, NEVER)

    def _aim_from(self, lane: int, slot: int) -> None:
        needs = self._needs[lane]
        count = len(self.tiles)
        while True:
            if slot >= len(needs):
                self._draw_slots(lane)
            elif needs[slot] <= count:
                break
            else:
                slot += 1
        self._catch[lane] = slot
        self._agenda.plan(self._row + lane, self._zero_ms + self._phases[lane] + slot * self.slot_ms)

    def _met(self, _lane: int, luck: int) -> int:
        """The index of the tile that a magnet meets before it passes the mouth of `lane`."""
        return (luck & _ONE - 1) * len(self.tiles) >> _WORD

    def _lies_up(self, tile: int) -> bool:
        return self._face_up[tile] or tile in self.upright

    def _left(self, tile: int) -> None:
        """A tile has left the drum."""

    def offer(self, lane: int, slot: int) -> int | None:
        """The tile that an empty magnet picks up before the mouth of `lane` in this slot of the load, if any."""
        while slot >= len(self._needs[lane]):
            self._draw_slots(lane)
        return self._pick(lane, slot) if self._needs[lane][slot] <= len(self.tiles) else None

    def _pick(self, lane: int, slot: int) -> int | None:
        """Take out the tile that a magnet meets, unless the magnet repels it."""
        tiles = self.tiles
        luck = self._luck[lane][slot]
        at = self._met(lane, luck)
        tile = tiles[at]
        if tile in self.upright:
            return None
        if self._face_up[tile]:
            if luck >> _WORD < _FLIPS_BELOW:
                self._face_up[tile] = False
            return None
        if tile in self.weak and self._weak_luck.random() >= WEAK_CATCH:
            return None
        tiles[at] = tiles[-1]
        tiles.pop()
        self._left(tile)
        return tile

    def _meet(self, lane: int) -> None:
        """A magnet comes past the mouth of `lane` with a tile."""
        slot = self._catch[lane]
        self._passed[lane] = slot + 1
        count = len(self.tiles)
        tile = self._pick(lane, slot)
        if tile is None:
            self._aim_from(lane, slot + 1)
            return
        self._mouths[lane].take_in(tile)
        for each in range(SIDES):
            if count == 1 or self._agenda.due[self._row + each] == NEVER:
                self._agenda.plan(self._row + each, NEVER)
            elif self._needs[each][self._catch[each]] >= count or each == lane:
                self._aim_from(each, self._catch[each] + 1)
