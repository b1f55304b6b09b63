"""Hands of 27 kinds as one integer.

A packed hand holds 27 bytes, little end first: byte k is the number of tiles of kind k. Adding a tile is `hand +
ONE[kind]`, and a suit is 72 bits of it, which `wallwright.rules.core.packed` has a table for.
"""

from collections.abc import Iterable, Sequence
from typing import Final

ONE: Final = tuple(1 << 8 * kind for kind in range(27))
"""A packed hand of a single tile, by kind."""

ALL: Final = int.from_bytes(b"\1" * 27, "little")
"""One tile of each kind."""

OVER_FOUR: Final = 3 * ALL
HIGH: Final = 0xF8 * ALL
"""A packed hand h has a fifth copy of some kind exactly when `h + OVER_FOUR & HIGH` is not 0."""


def pack(counts: Sequence[int]) -> int:
    """27 counts by kind -> a packed hand."""
    return int.from_bytes(bytes(counts), "little")


def pack_tiles(tiles: Iterable[int]) -> int:
    """Kinds in any order -> a packed hand."""
    return sum(map(ONE.__getitem__, tiles))


def unpack(hand: int) -> bytes:
    """27 counts by kind."""
    return hand.to_bytes(27, "little")


def unpack_tiles(hand: int) -> tuple[int, ...]:
    """The kinds of a packed hand, sorted."""
    return tuple(kind for kind, count in enumerate(hand.to_bytes(27, "little")) for _ in range(count))


def size(hand: int) -> int:
    """How many tiles: the sum of the bytes, which is the remainder by 255 as it stays below that."""
    return hand % 255


def quads(hand: int) -> int:
    """How many kinds the hand holds four (or more) of."""
    return (hand + 4 * ALL & HIGH).bit_count()
