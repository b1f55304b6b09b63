"""What a study compares: drums, each with the constant of its mixing, and how long the disc turned before the build."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..errors import BadInput

IDEAL, PLACES = "ideal", "places"
DRUMS = (IDEAL, PLACES)
LONGEST_WASH_S = 240


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of wall: the drum, its `d` in cm2/s (None for the ideal drum, which has none) and the wash in s."""

    drum: str
    d: float | None
    wash_s: int

    @property
    def name(self) -> str:
        """Return it as a word, such as places-d5-wash20."""
        mixing = "" if self.d is None else f"-d{self.d:g}"
        return f"{self.drum}{mixing}-wash{self.wash_s}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole study: so many walls of `stacks` a side for each cell, and `play` more that bots play; everything
    follows from `seed`.
    """

    cells: tuple[Cell, ...]
    builds: int
    stacks: tuple[int, int, int, int]
    game: str
    seed: int
    play: int = 0

    def record(self) -> dict[str, Any]:
        """Return it as plain values, by which a study that was begun is known again."""
        return asdict(self) | {"cells": [asdict(one) for one in self.cells], "stacks": list(self.stacks)}


def cells_of(drums: Sequence[str], ds: Sequence[float], washes: Sequence[int]) -> tuple[Cell, ...]:
    """Return every combination once. BadInput names what cannot be meant."""
    for drum in drums:
        if drum not in DRUMS:
            raise BadInput(f"--drum {drum}: there are {' and '.join(DRUMS)}")
    for d in ds:
        if not 0 < d <= 1000:
            raise BadInput(f"--D {d:g}: give a constant of mixing above 0 and up to 1000 cm2/s, such as 2,5,10")
    for wash in washes:
        if not 0 <= wash <= LONGEST_WASH_S:
            raise BadInput(f"--wash {wash}: give seconds from 0 to {LONGEST_WASH_S}, such as 0,20,60")
    cells = [Cell(drum, d, wash) for drum in drums for d in (ds if drum == PLACES else (None,)) for wash in washes]
    return tuple(dict.fromkeys(cells))


def numbers(text: str, option: str) -> tuple[float, ...]:
    """Read a list such as "2,5,10". BadInput when it is none."""
    try:
        found = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise BadInput(f"{option} {text}: give numbers with commas between them, such as 2,5,10") from None
    return found
