"""Every way to read standing tiles as sets and a pair, and which tiles complete them.

A hand is packed: one integer of 34 bytes, byte k the number of tiles of kind k (see `packed`). A suit has few patterns,
and the readings of each are found once and kept; the honours are a fourth suit without chows.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from wallwright.rules.core.sets import SetKind, SetType, TileSet
from wallwright.rules.core.tiles import STANDING, SUITED

ONE = tuple(1 << 8 * kind for kind in range(STANDING))
"""A packed hand of a single tile, by kind."""
_SUIT_BITS = 72
_SUIT_MASK = (1 << _SUIT_BITS) - 1


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


def readings(hand: int) -> tuple[Reading, ...]:
    """Every reading of a packed hand of 3n + 2 tiles; none when it has none. Those with more pungs come first."""
    parts = [_split(hand >> _SUIT_BITS * suit & _SUIT_MASK, suit) for suit in range(3)]
    parts.append(_split(hand >> 8 * SUITED, 3))
    found = []
    for choice in product(*parts):
        pairs = [pair for _, pair in choice if pair is not None]
        if len(pairs) == 1:
            found.append(Reading(tuple(one for sets, _ in choice for one in sets), pairs[0]))
    return tuple(found)


def is_regular(hand: int) -> bool:
    """Whether a packed hand is sets and one pair."""
    pairs = 0
    for suit in range(4):
        tiles = hand >> _SUIT_BITS * suit & _SUIT_MASK if suit < 3 else hand >> 8 * SUITED
        splits = _split(tiles, suit)
        if not splits:
            return False
        pairs += splits[0][1] is not None
    return pairs == 1


def completing(hand: int) -> tuple[int, ...]:
    """The kinds that make sets and a pair of a packed hand of 3n + 1 tiles, sorted.

    A kind of which the hand holds all four copies is none.
    """
    return tuple(kind for kind in range(STANDING) if held(hand, kind) < 4 and is_regular(hand + ONE[kind]))


@lru_cache(maxsize=1 << 17)
def _split(tiles: int, suit: int) -> tuple[tuple[tuple[TileSet, ...], int | None], ...]:
    """All splits of a suit's tiles into sets and at most one pair; all of them have the pair, or none has."""
    counts = list(tiles.to_bytes(9 if suit < 3 else 7, "little"))
    total = sum(counts)
    if total % 3 == 1:
        return ()
    if total % 3 == 0:
        return tuple((sets, None) for sets in _sets(counts, 0, suit))
    found = []
    for rank, count in enumerate(counts):
        if count >= 2:
            counts[rank] -= 2
            found += [(sets, suit * 9 + rank) for sets in _sets(counts, 0, suit)]
            counts[rank] += 2
    return tuple(found)


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
