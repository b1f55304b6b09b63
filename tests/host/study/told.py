"""Journals of tables that know their tiles, as a hall writes them, with walls whose order is made by the test."""

from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

import numpy as np

from wallwright.journal import Journal
from wallwright.link.reports import Event
from wallwright.study.revealed import falling_order
from wallwright_protocol.hardware import DISCARDS, HAND, reader_number
from wallwright_protocol.wall import PART_TILES

PLAN = (14, 13, 14, 13)
TILES = 108
BOOT = 7

Order = Callable[[np.random.Generator], np.ndarray]
"""Makes a wall: by place the rank of falling of its tile."""


def along():
    """Of each place how far along its wall it is, 0 the right end."""
    return np.concatenate([np.repeat((np.arange(stacks) + 0.5) / stacks, 2) for stacks in PLAN])


def fair(generator):
    return generator.permutation(TILES)


def slanted(generator, rho=0.1):
    """A wall whose correlation of falling and place is rho on the average."""
    score = generator.normal(size=TILES) + 1.047 * rho * (along() - along().mean()) / along().std()
    return score.argsort().argsort()


class ToldTable:
    """A table with readers at its heads, and maybe its seats, whose events go into a journal."""

    def __init__(
        self, journal: Journal, unit: str, *, seats: bool = True, heads: bool = True, boot: int = BOOT
    ) -> None:
        self._boot = boot
        self._journal = journal
        self._unit = unit
        self._seats = seats
        self._heads = heads
        self._seq = count(1)
        self._deal = 0
        # A set's tags are in the order in which they fall; a new set's first wall is anything.
        self._falling = [[bytes([0xE0, 4, 1, 0, 0, 0, number, tile]) for tile in range(TILES)] for number in (0, 1)]
        self._hidden: list[tuple[int, list[bytes]]] = []

    def play(self, deals: int, order: Order, generator: np.random.Generator, wash_s: int | None = None) -> None:
        """Play so many deals with walls of that order; each is revealed in the second deal after."""
        for _ in range(deals):
            self._play_deal(order, generator, wash_s)

    def _play_deal(self, order: Order, generator: np.random.Generator, wash_s: int | None) -> None:
        number = self._deal % 2
        self._deal += 1
        washed = {} if wash_s is None else {"wash_s": wash_s}
        wall = [self._falling[number][rank] for rank in order(generator)]
        self._tell("build_started", {"tile_set": number, "plan": list(PLAN), **washed})
        if self._heads:
            self._tell("wall_sealed", {"deal": self._deal, "tiles": TILES, "unread": 0, "commitment": "00" * 32})
        self._tell("walls_up", {"tile_set": number, "deal": self._deal})
        zones = {}
        if self._seats:
            for tag in generator.permutation(wall)[:90]:
                seat = int(generator.integers(4))
                kind = DISCARDS if generator.random() < 0.5 else HAND
                zones[bytes(tag)] = (seat, kind)
                fields = {"reader": reader_number(seat, kind), "tag": bytes(tag).hex()}
                self._tell("tag_appeared", {}, secret=fields)
        self._tell("state_changed", {"state": "lid_opening"})
        self._falling[number] = [tag for tag, _ in falling_order(PLAN, wall, zones)]
        self._hidden.append((self._deal, wall))
        if self._heads and len(self._hidden) > 1:
            self._reveal(*self._hidden.pop(0))

    def _reveal(self, deal: int, wall: Iterable[bytes]) -> None:
        tags = list(wall)
        self._tell("wall_revealed", {"deal": deal, "nonce": "00" * 32})
        for first in range(0, TILES, PART_TILES):
            part = tags[first : first + PART_TILES]
            data = b"".join(part).ljust(PART_TILES * 8, b"\0").hex()
            self._tell("wall_part", {"deal": deal, "first": first, "tiles": len(part), "tags": data})

    def _tell(self, name, fields, secret=None):
        seq = next(self._seq)
        event = Event(seq, self._boot, 1000 * seq, name, fields, secret=secret or {})
        self._journal.append_event(self._unit, event, at_ms=1000 * seq)


def write_hall(path: Path, tables: Callable[[Journal], None]) -> Path:
    """Write a journal in one transaction."""
    with Journal(path) as journal, journal.batch():
        tables(journal)
    return path
