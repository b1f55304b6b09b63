"""What sorts a table's tiles, and what all such parts have in common; `ring` and `flap` have the parts themselves.

A table without it is today's machine. Of a sorter the board sees end switches and what the readers at the mouths read,
and nothing else: it does not know which magnet stands where, nor what lies in a holding place.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import NamedTuple

from wallwright_protocol.hardware import (
    FLAP_OPEN,
    FLAP_SHUT,
    FLAP_WIDE,
    KNOCK_HOME,
    KNOCK_OFF,
    LANE_READERS,
    NO_SORTER,
    RING_SORTER,
    SCRAPER,
    SCRAPER_BACK,
    SCRAPER_OUT,
    SIDES,
    SORTER_DRIVES_PER_SIDE,
    sorter_bit,
    sorter_switch,
)

from .belt import Belt
from .drum import Source
from .mechanics import RING_MAGNETS
from .readers import MOUTH_READERS, NO_READERS
from .solenoid import Solenoid

_DRIVES = SIDES * SORTER_DRIVES_PER_SIDE
_ENDS = {SCRAPER: (SCRAPER_OUT, SCRAPER_BACK), KNOCK_OFF: (KNOCK_HOME, None), FLAP_OPEN: (FLAP_SHUT, FLAP_WIDE)}
"""The switches of each drive: at rest, at its end."""

Streams = Callable[[str], random.Random]
"""Chance of its own for a consumer, by name."""


class Hardware(NamedTuple):
    """What sorts: `kind` is a number of the hardware contract, `places` counts the ring's magnets or a lane's holding
    places; a tile comes before the mouth's reader `lead_ms` before it is at the mouth, or at the flap."""

    kind: int = NO_SORTER
    places: int = 0
    lead_ms: int = 0

    @property
    def magnets(self) -> int:
        """How many magnets its ring has."""
        return self.places if self.kind == RING_SORTER else RING_MAGNETS

    @property
    def readers(self) -> int:
        """The mask of the readers that come with it: those of mouths and heads."""
        return LANE_READERS | MOUTH_READERS if self.kind != NO_SORTER else NO_READERS


PLAIN = Hardware()


class Sorter(ABC):
    """The solenoids of all sides, by side and kind; `hardware` is what it is. ValueError from `drive` for a bad mask.

    `make_belt` makes the table's belts, whose tiles come from `source`; `moved` is called when the tiles before a
    reader have changed.
    """

    source: Source
    make_belt: Callable[..., Belt] = Belt

    def __init__(self, hardware: Hardware) -> None:
        self.hardware = hardware
        self.solenoids: dict[tuple[int, int], Solenoid] = {}
        self.moved: Callable[[], None] = _nobody_looks
        self._mask = 0
        self._has_power = True

    def drive(self, mask: int) -> None:
        """Switch every solenoid on or off, by the bits of the hardware contract."""
        if mask >> _DRIVES:
            raise ValueError(f"sorter mask {mask:#x} has bits that nothing is connected to")
        self._mask = mask
        self._power()

    def supply(self, on: bool) -> None:
        """The emergency stop takes the power, or gives it back."""
        self._has_power = on
        self._power()

    def store(self, side: int, place: int, move: int) -> None:
        """Tell a holding place what to do; ValueError where there is none."""
        raise ValueError(f"side {side} has no holding place {place} (move {move})")

    def rest(self) -> None:
        """The board has no power: all springs back."""
        self.drive(0)

    def switches(self) -> int:
        """Which end switches are reached, by the bits of the hardware contract."""
        found = 0
        for (side, kind), solenoid in self.solenoids.items():
            rest, end = _ENDS[kind]
            if solenoid.at_rest:
                found |= sorter_switch(side, rest)
            if solenoid.at_end and end is not None:
                found |= sorter_switch(side, end)
        return found

    @abstractmethod
    def join(self, belts: list[Belt]) -> None:
        """The table's belts are made, by side."""

    def turn(self, ring: bool, disc: bool) -> None:  # noqa: B027 - only a ring that sorts needs to know
        """Ring and disc turn from now on, or they do not."""

    @abstractmethod
    def read_places(self) -> list[list[int]]:
        """The tiles before the reader of each mouth."""

    @abstractmethod
    def places(self) -> Iterator[tuple[str, list[int]]]:
        """Every place of a tile in it, by name, with the very list of its tiles."""

    def clear(self) -> list[int]:
        """A person opens it and takes all tiles out; return them."""
        taken = [tile for _, tiles in self.places() for tile in tiles]
        for _, tiles in self.places():
            tiles.clear()
        self.moved()
        return taken

    def _power(self) -> None:
        mask = self._mask if self._has_power else 0
        for (side, kind), solenoid in self.solenoids.items():
            solenoid.run(bool(mask & sorter_bit(side, kind)))


def _nobody_looks() -> None:
    """There are no readers."""
