"""Directions of pairs in Howell and Mitchell movements, so that everybody is compared with everybody alike.

All tables play the same deals, and a pair is compared with those that sit in its direction. For two pairs,
count the sessions in which they sit in the same direction, less those in which they sit in opposite ones. Over a whole
Howell movement this is -1 at best, when the directions of the pairs are rows of a Hadamard matrix. Where the number of
pairs is no multiple of 4, it is 1 or -3 for some. A search found the plans here, for up to 24 pairs, and
tests/host/event/test_pair_movements.py counts their differences; larger ones use quadratic residues (Paley 1933).
"""

from collections.abc import Iterator
from itertools import count

_HOWELL: dict[int, tuple[tuple[tuple[int, int], ...], int]] = {
    4: (((1, 2),), 0),
    6: (((1, 4), (2, 3)), 1),
    8: (((1, 3), (2, 6), (4, 5)), 1),
    10: (((1, 6), (2, 8), (3, 4), (5, 7)), 73),
    12: (((1, 7), (2, 9), (3, 6), (5, 4), (8, 10)), 11),
    14: (((1, 7), (2, 5), (3, 12), (4, 9), (6, 8), (10, 11)), 75),
    16: (((1, 4), (2, 7), (3, 10), (5, 14), (6, 8), (9, 13), (11, 12)), 79),
    18: (((1, 6), (2, 9), (3, 16), (4, 15), (5, 13), (7, 8), (10, 12), (14, 11)), 6307),
    20: (((1, 5), (2, 7), (3, 9), (4, 11), (6, 15), (8, 16), (13, 10), (14, 12), (17, 18)), 127),
    22: (((1, 7), (2, 9), (3, 8), (4, 17), (5, 14), (6, 16), (10, 13), (12, 11), (15, 19), (18, 20)), 102003),
    24: (((1, 5), (2, 7), (3, 10), (4, 14), (6, 17), (8, 22), (9, 11), (12, 20), (13, 19), (16, 15), (18, 21)), 1151),
}
"""Pairs -> the meetings of the first session but that of the fixed pair, by places on the ring, East-West first; and
the sessions, as bits, in which all tables change directions, so that nobody sits in one direction all day."""

_MITCHELL: dict[int, tuple[int, ...]] = {
    2: (1, 0),
    3: (2, 1, 4),
    4: (14, 15, 3, 8),
    5: (11, 17, 24, 13, 6),
    6: (30, 43, 34, 9, 24, 53),
    7: (6, 26, 78, 65, 39, 59, 122),
    8: (179, 40, 240, 71, 102, 55, 57, 140),
    9: (322, 286, 416, 221, 84, 111, 437, 467, 232),
    10: (883, 678, 525, 70, 286, 962, 366, 489, 724, 165),
    11: (27, 1037, 1542, 771, 1409, 1728, 864, 432, 216, 108, 54),
    12: (27, 2061, 3078, 1539, 2817, 3456, 1728, 864, 432, 216, 108, 54),
}
"""Tables -> of each table the sessions, as bits, in which the pair that stays there sits South-North."""


def howell(pairs: int, session: int) -> Iterator[tuple[int, int]]:
    """Yield who meets in a session, East-West first, as numbers of pairs from 0; `pairs` is even, 2 at the least."""
    ring = pairs - 1
    place = session % ring
    meetings, turned = _HOWELL.get(pairs) or (tuple(_residue_meetings(ring)), 0)
    met = [(0, 1 + place), *((1 + (one + place) % ring, 1 + (other + place) % ring) for one, other in meetings)]
    turns = turned >> place & 1 if pairs in _HOWELL else session % 2
    yield from ((other, one) if turns else (one, other) for one, other in met)


def is_turned(tables: int, table: int, session: int) -> bool:
    """Say whether the pair that stays at a table of a Mitchell movement sits South-North in a session."""
    if rows := _MITCHELL.get(tables):
        return bool(rows[table] >> session % tables & 1)
    return _is_residue((table + session) % tables, tables)


def _residue_meetings(ring: int) -> Iterator[tuple[int, int]]:
    for one in range(1, (ring + 1) // 2):
        yield (one, ring - one) if _is_residue(one, ring - 1) else (ring - one, one)


def _is_residue(number: int, least: int) -> bool:
    """Say whether a number is a square modulo the first prime of the form 4n + 3 that is more than `least`."""
    prime = next(one for one in count(least + 1) if one % 4 == 3 and all(one % divisor for divisor in range(3, one, 2)))
    return number != 0 and pow(number, (prime - 1) // 2, prime) == 1
