"""Every way to read standing tiles as sets and a pair, and which tiles complete them.

A hand is packed: one integer of 34 bytes, byte k the number of tiles of kind k (see `packed`). A suit has few patterns,
and the readings of each are found once and kept; the honours are a fourth suit without chows.
"""

from collections.abc import Iterable
from itertools import product
from typing import Final, NamedTuple

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
from wallwright.rules.core.tiles import STANDING, SUITED, TERMINALS

ONE = tuple(1 << 8 * kind for kind in range(STANDING))
"""A packed hand of a single tile, by kind."""


class Reading(NamedTuple):
    """Standing tiles as concealed sets and the kind of the pair."""

    sets: tuple[TileSet, ...]
    pair: int


def pack_tiles(tiles: Iterable[int]) -> int:
    """Kinds 0..33 in any order -> a packed hand."""
    # A plain loop is twice as fast as a sum here.
    hand = 0
    for kind in tiles:
        hand += ONE[kind]
    return hand


def unpack_tiles(hand: int) -> tuple[int, ...]:
    """The kinds of a packed hand, sorted."""
    return tuple(kind for kind, count in enumerate(hand.to_bytes(STANDING, "little")) for _ in range(count))


def has_four(hand: int) -> bool:
    """Whether a packed hand holds four tiles of some kind."""
    return bool(hand + _FOURS & _FULL)


_FOURS: Final = int.from_bytes(b"\4" * STANDING, "little")
_FULL: Final = 2 * _FOURS


def held(hand: int, kind: int) -> int:
    """How many tiles of a kind a packed hand holds."""
    return hand >> 8 * kind & 255


class Split(NamedTuple):
    """One way to part the tiles of a suit, or the honours: its sets, the pair if it has one, how many are chows."""

    sets: tuple[TileSet, ...]
    pair: int | None
    chows: int


class Part(NamedTuple):
    """What the tiles of a suit, or the honours, can be parted into. All splits of them have the pair, or none has.

    `chows` is how many the first split has, and `varies` says that another one has more or fewer; `marks` are those of
    all tiles (see MARKS).
    """

    splits: tuple[Split, ...]
    has_pair: bool
    chows: int
    varies: bool
    marks: int


HONOUR: Final = 8
"""The mark of an honour; those of the suits are 1, 2 and 4."""
INNER: Final = 16
"""The mark of a suited tile that is no end."""
MARKS = tuple(
    (1 << kind // 9) + (0 if kind in TERMINALS else INNER) if kind < SUITED else HONOUR for kind in range(STANDING)
)
"""By kind: which suit it is of, or that it is an honour, and whether it is no end. The marks of tiles are joined."""


def parts(hand: int) -> tuple[Part, Part, Part, Part] | None:
    """The suits and the honours of a packed hand of 3n + 2 tiles, one of which has the pair; None where it is not sets
    and a pair.

    Any choice of a split of each is a reading. Splits with more pungs come first.
    """
    part = hand & SUIT_MASK
    a = _PARTS[0].get(part) or _part(part, 0)
    if a is None:
        return None
    part = hand >> SUIT_BITS & SUIT_MASK
    b = _PARTS[1].get(part) or _part(part, 1)
    if b is None:
        return None
    part = hand >> 2 * SUIT_BITS & SUIT_MASK
    c = _PARTS[2].get(part) or _part(part, 2)
    if c is None:
        return None
    part = hand >> HONOURS_SHIFT
    d = _PARTS[3].get(part) or _part(part, 3)
    if d is None or a.has_pair + b.has_pair + c.has_pair + d.has_pair != 1:
        return None
    return a, b, c, d


def readings(hand: int) -> tuple[Reading, ...]:
    """Every reading of a packed hand of 3n + 2 tiles; none when it has none. Those with more pungs come first."""
    found = parts(hand)
    return tuple(map(_joined, product(*(part.splits for part in found)))) if found else ()


def _joined(choice: Iterable[Split]) -> Reading:
    """The reading of one split of each part."""
    sets: tuple[TileSet, ...] = ()
    pair = -1
    for one in choice:
        sets += one.sets
        if one.pair is not None:
            pair = one.pair
    return Reading(sets, pair)


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


_PARTS: tuple[dict[int, Part], ...] = ({}, {}, {}, {})
"""By suit, and the honours: the complete patterns, as they are met. A suit has 21,743 of these."""


def _part(tiles: int, suit: int) -> Part | None:
    """What a suit's tiles can be parted into, kept in the table; None when they are not complete."""
    flags = (suit_table() if suit < 3 else honours_table()).get(tiles, 0)
    if not flags & (SETS | PAIRED):
        return None
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
    splits = tuple(Split(sets, pair, sum(one.is_chow for one in sets)) for sets, pair in found)
    marks = 0
    for rank, count in enumerate(counts):
        marks |= MARKS[suit * 9 + rank] if count else 0
    chows = splits[0].chows
    part = Part(splits, not flags & SETS, chows, any(one.chows != chows for one in splits), marks)
    _PARTS[suit][tiles] = part
    return part


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
