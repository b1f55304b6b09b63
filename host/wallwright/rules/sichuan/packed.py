"""Hands as one integer, and the table of what a suit's tiles can be.

A packed hand holds 27 bytes, little end first: byte k is the number of tiles of kind k. Adding a tile is `hand +
ONE[kind]`, and a suit is 72 bits of it. A suit has only 405,350 patterns of at most 14 tiles, of which 21,743 are
complete, so three lookups decide a hand. The table is built at first use, in a fraction of a second, and holds the
complete patterns, those that lack one tile, and those made of pairs; no other pattern matters.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

ONE: Final = tuple(1 << 8 * kind for kind in range(27))
"""A packed hand of a single tile, by kind."""

SUIT_BITS: Final = 72
SUIT_MASK: Final = (1 << SUIT_BITS) - 1
_NINE: Final = int.from_bytes(b"\1" * 9, "little")
ALL: Final = int.from_bytes(b"\1" * 27, "little")
"""One tile of each kind."""

OVER_FOUR: Final = 3 * ALL
HIGH: Final = 0xF8 * ALL
"""A packed hand h has a fifth copy of some kind exactly when `h + OVER_FOUR & HIGH` is not 0."""

# What the table says of a suit's pattern. The low nine bits are the ranks (bit 0 is rank 1) that would complete it.
SETS: Final = 1 << 9
"""Sets and nothing else; the empty suit is one."""
PAIRED: Final = 1 << 10
"""Sets and one pair."""
LACKS_OF_SETS: Final = 1 << 11
"""One of the low nine ranks makes it SETS (so it has 3n + 2 tiles)."""
LACKS_OF_PAIRED: Final = 1 << 12
"""One of the low nine ranks makes it PAIRED (so it has 3n + 1 tiles)."""
PUNGS: Final = 1 << 13
"""Complete with pungs (and the pair) only."""
PAIRS: Final = 1 << 14
"""Pairs only, four equal tiles being two."""
WAITING: Final = (1 << 9) - 1


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


@cache
def suit_table() -> dict[int, int]:
    """Packed suit pattern -> flags and completing ranks, as the constants above name them. Built once."""
    table: dict[int, int] = {}
    pungs = [3 << 8 * rank for rank in range(9)]
    chows = [0x010101 << 8 * rank for rank in range(7)]
    pairs = [2 << 8 * rank for rank in range(9)]
    over, high = 3 * _NINE, 0xF8 * _NINE
    for number in range(5):
        for sets in combinations_with_replacement(pungs + chows, number):
            tiles = sum(sets)
            if tiles + over & high:
                continue
            # The pungs come first in each combination, so the last set tells whether there is a chow.
            flag = PUNGS if not sets or sets[-1] in pungs else 0
            table[tiles] = table.get(tiles, 0) | SETS | flag
            for pair in pairs:
                whole = tiles + pair
                if not whole + over & high:
                    table[whole] = table.get(whole, 0) | PAIRED | flag
    for whole, flags in list(table.items()):
        lacking = LACKS_OF_SETS if flags & SETS else LACKS_OF_PAIRED
        for rank in range(9):
            if whole >> 8 * rank & 7:
                part = whole - (1 << 8 * rank)
                table[part] = table.get(part, 0) | lacking | 1 << rank
    for number in range(8):
        for some in combinations_with_replacement(pairs, number):
            whole = sum(some)
            if not whole + over & high:
                table[whole] = table.get(whole, 0) | PAIRS
    return table
