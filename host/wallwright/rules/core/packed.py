"""What a suit's tiles can be, and the honours': tables by packed pattern.

A packed hand is an integer, byte k the number of tiles of kind k; a suit is 72 bits of it. A suit has only 405,350
patterns of at most 14 tiles, of which 21,743 are complete, so one lookup a suit decides a hand, and one more for the
honours, which make no chows. The tables are built at first use, in a fraction of a second, and hold the complete
patterns, those that lack one tile, and those made of pairs; no other pattern matters.
"""

from functools import cache
from itertools import combinations_with_replacement
from typing import Final

SUIT_BITS: Final = 72
SUIT_MASK: Final = (1 << SUIT_BITS) - 1
HONOURS_SHIFT: Final = 3 * SUIT_BITS

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


@cache
def suit_table() -> dict[int, int]:
    """Packed suit pattern -> flags and completing ranks, as the constants above name them. Built once."""
    return _table(9, [0x010101 << 8 * rank for rank in range(7)])


@cache
def honours_table() -> dict[int, int]:
    """The same for the seven honours."""
    return _table(7, [])


def _table(ranks: int, chows: list[int]) -> dict[int, int]:
    table: dict[int, int] = {}
    pungs = [3 << 8 * rank for rank in range(ranks)]
    pairs = [2 << 8 * rank for rank in range(ranks)]
    each = int.from_bytes(b"\1" * ranks, "little")
    over, high = 3 * each, 0xF8 * each
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
        for rank in range(ranks):
            if whole >> 8 * rank & 7:
                part = whole - (1 << 8 * rank)
                table[part] = table.get(part, 0) | lacking | 1 << rank
    for number in range(8):
        for some in combinations_with_replacement(pairs, number):
            whole = sum(some)
            if not whole + over & high:
                table[whole] = table.get(whole, 0) | PAIRS
    return table
