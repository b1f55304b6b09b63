"""Lanes that sort behind their mouths: a reader above each belt, and where a table has one, a flap and holding places.

A belt carries each tile below its reader and then over the flap. A flap that is open lets it fall back into the drum,
one on its way does or does not, by chance; a tile that lies on it when it opens falls too. A holding place that was
told to take a tile takes the next one that comes to the flap; one that was told to give its tile pushes it out before
the reader, as if it came from the drum, as soon as the belt runs forwards and has room. Without a flap a wrong tile is
given back by running the belt backwards. Holding places keep their tiles without power; the flap shuts.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from wallwright_protocol.hardware import FLAP_OPEN, FLAP_SORTER, SIDES, STORE_IN, STORE_OUT, STORE_RESTS

from .belt import Belt
from .clock import NEVER, Agenda
from .drum import Drum
from .head import Head
from .mechanics import MOUTH_ANTENNA_MS, MOUTH_READER_MS, STORE_MS
from .sensors import Sensors
from .solenoid import Solenoid
from .sorter import Hardware, Sorter, Streams
from .timing import Timing


class _HoldingPlace:
    """It does what it was told from `ready_ms` on."""

    __slots__ = ("move", "ready_ms", "tiles")

    def __init__(self) -> None:
        self.tiles: list[int] = []
        self.move = STORE_RESTS
        self.ready_ms = NEVER


class SortingBelt(Belt):
    """A belt with a reader above it. `stands_wide` says whether a tile at the flap falls; `moved` is called when the
    tiles below the reader have changed, `below_reader` are those."""

    __slots__ = (
        "_beyond",
        "_flap_place",
        "_has_flap",
        "_look_row",
        "_read_place",
        "_stands_wide",
        "below_reader",
        "holding",
        "moved",
    )

    def __init__(
        self,
        agenda: Agenda,
        sensors: Sensors,
        side: int,
        drum: Drum,
        head: Head,
        travel_ms: int,
        falls: random.Random,
        odd_ms: Mapping[int, int],
        timing: Timing,
        sorter: "LaneSorter",
    ) -> None:
        self._look_row = agenda.add(self._look)
        self._has_flap = sorter.hardware.kind == FLAP_SORTER
        self._read_place = min(MOUTH_READER_MS, travel_ms // 3)
        self._flap_place = min(self._read_place + sorter.hardware.lead_ms, travel_ms - timing.tile_spacing_ms)
        self._stands_wide: Callable[[], bool] = bool
        self._beyond: set[int] = set()
        self.below_reader: list[int] = []
        self.holding = [_HoldingPlace() for _ in range(sorter.hardware.places)]
        super().__init__(agenda, sensors, side, drum, head, travel_ms, falls, odd_ms, timing)
        self.moved = sorter.tell
        if self._has_flap:
            self._stands_wide = partial(sorter.stands_wide, side)

    def flap_opened(self) -> None:
        """The flap has reached its end: what lies on it falls."""
        self._settle()
        for index in reversed(range(len(self._places))):
            if self._flap_place <= self._places[index] < self._flap_place + MOUTH_ANTENNA_MS and not self._is_held(
                index
            ):
                self._fall_back(index)
        self._set_mouth()
        self._plan()

    def store(self, place: int, move: int) -> None:
        """Tell a holding place what to do."""
        held = self.holding[place]
        held.move = move
        held.ready_ms = NEVER if move == STORE_RESTS else self._agenda.now_ms + STORE_MS
        self._settle()
        self._plan()

    def _is_held(self, index: int) -> bool:
        """Whether the tile is in the gate already, or sticks there."""
        return index == 0 and (self.passing or self._is_stuck())

    def _fall_back(self, index: int) -> None:
        self._places.pop(index)
        self._drum.put_back(self.tiles.pop(index), self._falls.random() < 0.5, self._side)

    def _plan(self) -> None:
        """Find the next event of the belt, and of what is above and beside it."""
        super()._plan()
        now_ms = self._agenda.now_ms
        direction = self._direction
        due_ms = NEVER
        below = []
        self._beyond.intersection_update(self.tiles)
        marks = (self._read_place, self._read_place + MOUTH_ANTENNA_MS, self._flap_place)
        for tile, place in zip(self.tiles, self._places, strict=True):
            if self._read_place <= place < self._read_place + MOUTH_ANTENNA_MS:
                below.append(tile)
            if place < self._flap_place:
                self._beyond.discard(tile)
            elif tile not in self._beyond:
                due_ms = now_ms
            for mark in marks:
                if direction > 0 and place < mark:
                    due_ms = min(due_ms, now_ms + mark - place)
                elif direction < 0 and place >= mark:
                    due_ms = min(due_ms, now_ms + place - mark + 1)
        for held in self.holding:
            if held.move == STORE_OUT and held.tiles and held.ready_ms > now_ms:
                due_ms = min(due_ms, held.ready_ms)
            elif held.move == STORE_OUT and held.tiles and direction > 0 and len(self.tiles) < self._capacity:
                due_ms = now_ms
        self._agenda.plan(self._look_row, due_ms)
        if below != self.below_reader:
            self.below_reader[:] = below
            self.moved()

    def _look(self) -> None:
        """A tile comes below the reader, leaves it or is at the flap; or a holding place gives its tile."""
        self._settle()
        now_ms = self._agenda.now_ms
        for index in reversed(range(len(self._places))):
            if self._places[index] >= self._flap_place and self.tiles[index] not in self._beyond:
                self._beyond.add(self.tiles[index])
                self._at_flap(index)
        if self._direction > 0:
            for held in self.holding:
                is_due = held.move == STORE_OUT and held.ready_ms <= now_ms
                if is_due and held.tiles and len(self.tiles) < self._capacity:
                    self.take_in(held.tiles.pop())
        self._set_mouth()
        self._plan()

    def _at_flap(self, index: int) -> None:
        for held in self.holding:
            if held.move == STORE_IN and not held.tiles and held.ready_ms <= self._agenda.now_ms:
                self._places.pop(index)
                held.tiles.append(self.tiles.pop(index))
                return
        if self._stands_wide():
            self._fall_back(index)


class LaneSorter(Sorter):
    """The readers of the lanes, and their flaps where `hardware` has them. `belts` are the sorting ones, by side."""

    def __init__(self, agenda: Agenda, hardware: Hardware, drum: Drum, stream: Streams) -> None:
        super().__init__(hardware)
        self.source = drum
        self.make_belt = partial(SortingBelt, sorter=self)
        self.belts: list[SortingBelt] = []
        self._half_way = stream("flaps")
        if hardware.kind == FLAP_SORTER:
            for side in range(SIDES):
                opened = partial(self._opened, side)
                self.solenoids[side, FLAP_OPEN] = Solenoid(agenda, stream(f"solenoids/{side}"), opened)

    def join(self, belts: list[Belt]) -> None:
        """The table's belts are made, by side."""
        self.belts = [belt for belt in belts if isinstance(belt, SortingBelt)]

    def stands_wide(self, side: int) -> bool:
        """Whether a tile that is at the flap now falls."""
        flap = self.solenoids[side, FLAP_OPEN]
        return flap.at_end or (not flap.at_rest and self._half_way.random() < 0.5)

    def store(self, side: int, place: int, move: int) -> None:
        """Tell a holding place what to do; ValueError where there is none, or for another move."""
        if not (0 <= side < SIDES and 0 <= place < self.hardware.places and move in (STORE_RESTS, STORE_IN, STORE_OUT)):
            super().store(side, place, move)
        self.belts[side].store(place, move)

    def rest(self) -> None:
        """The board has no power: flaps shut, holding places rest."""
        super().rest()
        for belt in self.belts:
            for place in range(self.hardware.places):
                belt.store(place, STORE_RESTS)

    def tell(self) -> None:
        """The tiles below a reader have changed."""
        self.moved()

    def read_places(self) -> list[list[int]]:
        """The tiles below the reader of each belt."""
        return [belt.below_reader for belt in self.belts]

    def places(self) -> Iterator[tuple[str, list[int]]]:
        """Every holding place."""
        for side, belt in enumerate(self.belts):
            for number, held in enumerate(belt.holding):
                yield f"store {side}/{number}", held.tiles

    def _opened(self, side: int) -> None:
        self.belts[side].flap_opened()
