"""Every way to read standing tiles as sets and a pair, and which tiles complete them.

A hand is packed: one integer of 34 bytes, byte k the number of tiles of kind k (see `packed`). A suit has few patterns,
and the readings of each are found once and kept; the honours are a fourth suit without chows.
"""

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from wallwright.rules.core.packed import (
    HONOURS_SHIFT,
    LACKS_OF_PAIRED,
    LACKS_OF_SETS,
    PAIRED,
    SETS,
    SUIT_BITS,
    SUIT_MASK,
    WAITING,
    honours_table,
    suit_table,
)
from wallwright.rules.core.sets import SetKind, SetType, TileSet
from wallwright.rules.core.tiles import STANDING

ONE = tuple(1 << 8 * kind for kind in range(STANDING))
"""A packed hand of a single tile, by kind."""


class Reading(NamedTuple):
    """Standing tiles as concealed sets and the kind of the pair."""

    sets: tuple[TileSet, ...]
    pair: int


def pack_tiles(tiles: Iterable[int]) -> int:
    """Kinds 0..33 in any order -> a packed hand."""
    return sum(map(ONE.__getitem__, tiles))


def unpack_tiles(hand: int) -> tuple[int, ...]:
    """The kinds of a packed hand, sorted."""
    return tuple(kind for kind, count in enumerate(hand.to_bytes(STANDING, "little")) for _ in range(count))


def held(hand: int, kind: int) -> int:
    """How many tiles of a kind a packed hand holds."""
    return hand >> 8 * kind & 255


class Split(NamedTuple):
    """One way to part the tiles of a suit, or the honours: its sets, the pair if it has one, how many are chows."""

    sets: tuple[TileSet, ...]
    pair: int | None
    chows: int


def splits(hand: int) -> tuple[tuple[Split, ...], ...]:
    """The ways to part each suit and the honours of a packed hand of 3n + 2 tiles, one of which has the pair.

    Any choice of them is a reading. Nothing where there is none. Splits with more pungs come first.
    """
    part = hand & SUIT_MASK
    a = _SPLITS[0].get(part) or _split(part, 0)
    part = hand >> SUIT_BITS & SUIT_MASK
    b = _SPLITS[1].get(part) or _split(part, 1)
    part = hand >> 2 * SUIT_BITS & SUIT_MASK
    c = _SPLITS[2].get(part) or _split(part, 2)
    part = hand >> HONOURS_SHIFT
    d = _SPLITS[3].get(part) or _split(part, 3)
    if not (a and b and c and d):
        return ()
    # All splits of a part have the pair, or none has.
    without = (a[0].pair is None) + (b[0].pair is None) + (c[0].pair is None) + (d[0].pair is None)
    return (a, b, c, d) if without == 3 else ()


def joined(choice: Iterable[Split]) -> Reading:
    """The reading of one split of each part."""
    sets: tuple[TileSet, ...] = ()
    pair = -1
    for one in choice:
        sets += one.sets
        if one.pair is not None:
            pair = one.pair
    return Reading(sets, pair)


def readings(hand: int) -> tuple[Reading, ...]:
    """Every reading of a packed hand of 3n + 2 tiles; none when it has none. Those with more pungs come first."""
    parts = splits(hand)
    return tuple(map(joined, product(*parts))) if parts else ()


def is_regular(hand: int) -> bool:
    """Whether a packed hand is sets and one pair."""
    get = suit_table().get
    # A pattern that a table does not know settles it at once. The empty suit is SETS.
    a = get(hand & SUIT_MASK)
    if not a:
        return False
    b = get(hand >> SUIT_BITS & SUIT_MASK)
    if not b:
        return False
    c = get(hand >> 2 * SUIT_BITS & SUIT_MASK)
    if not c:
        return False
    d = honours_table().get(hand >> HONOURS_SHIFT)
    if not d:
        return False
    # Numbers of tiles modulo 3 keep SETS and PAIRED of a part apart, so exactly one of them holds the pair.
    return (
        bool(a & b & c & SETS and d & PAIRED)
        or bool(a & b & d & SETS and c & PAIRED)
        or bool(a & c & d & SETS and b & PAIRED)
        or bool(b & c & d & SETS and a & PAIRED)
    )


def completing(hand: int) -> tuple[int, ...]:
    """The kinds that make sets and a pair of a packed hand of 3n + 1 tiles, sorted.

    A kind of which the hand holds all four copies is none: the tables know no fifth copy.
    """
    get = suit_table().get
    # A pattern that a table does not know is neither complete nor lacks one tile. The empty suit is SETS.
    a = get(hand & SUIT_MASK)
    if not a:
        return ()
    b = get(hand >> SUIT_BITS & SUIT_MASK)
    if not b:
        return ()
    c = get(hand >> 2 * SUIT_BITS & SUIT_MASK)
    if not c:
        return ()
    d = honours_table().get(hand >> HONOURS_SHIFT)
    if not d:
        return ()
    if a & SETS:
        if b & SETS:
            if c & SETS:
                return _KINDS[3][d & WAITING] if d & LACKS_OF_PAIRED else ()
            if d & SETS:
                return _KINDS[2][c & WAITING] if c & LACKS_OF_PAIRED else ()
            return _of_two(2, c, 3, d)
        if c & SETS:
            if d & SETS:
                return _KINDS[1][b & WAITING] if b & LACKS_OF_PAIRED else ()
            return _of_two(1, b, 3, d)
        return _of_two(1, b, 2, c) if d & SETS else ()
    if b & SETS:
        if c & SETS:
            if d & SETS:
                return _KINDS[0][a & WAITING] if a & LACKS_OF_PAIRED else ()
            return _of_two(0, a, 3, d)
        return _of_two(0, a, 2, c) if d & SETS else ()
    return _of_two(0, a, 1, b) if c & d & SETS else ()


def _of_two(one: int, a: int, other: int, b: int) -> tuple[int, ...]:
    """The waits of two parts that are no sets: one is to be sets, the other one has the pair."""
    found: tuple[int, ...] = ()
    if b & PAIRED and a & LACKS_OF_SETS:
        found = _KINDS[one][a & WAITING]
    if a & PAIRED and b & LACKS_OF_SETS:
        found += _KINDS[other][b & WAITING]
    return found


_KINDS = tuple(
    tuple(tuple(9 * at + rank for rank in range(9) if mask >> rank & 1) for mask in range(512)) for at in range(4)
)
"""By suit, or the honours, and completing ranks as bits: their kinds."""


_SPLITS: tuple[dict[int, tuple[Split, ...]], ...] = ({}, {}, {}, {})
"""By suit, and the honours: the splits of complete patterns, as they are met. A suit has 21,743 of these."""


def _split(tiles: int, suit: int) -> tuple[Split, ...]:
    """All splits of a suit's tiles into sets and at most one pair; all of them have the pair, or none has."""
    flags = (suit_table() if suit < 3 else honours_table()).get(tiles, 0)
    if not flags & (SETS | PAIRED):
        return ()
    counts = list(tiles.to_bytes(9 if suit < 3 else 7, "little"))
    found: list[tuple[tuple[TileSet, ...], int | None]] = []
    if flags & SETS:
        found += [(sets, None) for sets in _sets(counts, 0, suit)]
    else:
        for rank, count in enumerate(counts):
            if count >= 2:
                counts[rank] -= 2
                found += [(sets, suit * 9 + rank) for sets in _sets(counts, 0, suit)]
                counts[rank] += 2
    split = tuple(Split(sets, pair, sum(one.is_chow for one in sets)) for sets, pair in found)
    _SPLITS[suit][tiles] = split
    return split


def _sets(counts: list[int], rank: int, suit: int) -> list[tuple[TileSet, ...]]:
    while rank < len(counts) and not counts[rank]:
        rank += 1
    if rank == len(counts):
        return [()]
    found = []
    if counts[rank] >= 3:
        counts[rank] -= 3
        one = TileSet(SetKind.PUNG, suit * 9 + rank, SetType.CONCEALED)
        found += [(one, *rest) for rest in _sets(counts, rank, suit)]
        counts[rank] += 3
    if suit < 3 and rank < 7 and counts[rank + 1] and counts[rank + 2]:
        for step in range(3):
            counts[rank + step] -= 1
        one = TileSet(SetKind.CHOW, suit * 9 + rank, SetType.CONCEALED)
        found += [(one, *rest) for rest in _sets(counts, rank, suit)]
        for step in range(3):
            counts[rank + step] += 1
    return found
