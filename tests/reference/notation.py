"""Tiles as the reference sees them: 11-19 characters, 21-29 dots, 31-39 bamboo. The gap of one between the suits means
that `tile + 1` of a nine is no tile, so that a chow can never cross suits. (SBR-1.1, SBR-1.2)
"""

import re
from collections.abc import Iterable

SUITS = "mps"
ALL_TILES = tuple(10 * suit + rank for suit in (1, 2, 3) for rank in range(1, 10))


def suit_of(tile: int) -> str:
    """The suit letter of a tile: 25 is a `p`."""
    return SUITS[tile // 10 - 1]


def name(tile: int) -> str:
    """25 is `5p`."""
    return f"{tile % 10}{suit_of(tile)}"


def read(text: str) -> tuple[int, ...]:
    """Tiles of a text like `123s55p`, in the order written. Raises ValueError for anything else."""
    if not re.fullmatch(r"([1-9]+[mps])*", text):
        raise ValueError(f"not tiles: {text!r}")
    return tuple(
        10 * (SUITS.index(run[-1]) + 1) + int(rank) for run in re.findall(r"[1-9]+[mps]", text) for rank in run[:-1]
    )


def write(tiles: Iterable[int]) -> str:
    """Sorted text: characters, dots, bamboo. `write((31, 25, 25))` is `55p1s`."""
    tiles = sorted(tiles)
    by_suit = {suit: "".join(str(tile % 10) for tile in tiles if suit_of(tile) == suit) for suit in SUITS}
    return "".join(ranks + suit for suit, ranks in by_suit.items() if ranks)
