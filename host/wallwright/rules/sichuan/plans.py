"""What a hand may become and what that is worth: the judgement of the bot that plays to win.

Each plan (any complete hand, a flush, pungs, pairs) has a value in points and lacks some tiles; with a chance for
each tile that is lacking, the best of `value * chance ** missing` weighs value against speed. A rule of thumb: nobody
pays by it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from wallwright.rules.core import distance
from wallwright.rules.core.packed import SUIT_BITS, SUIT_MASK
from wallwright.rules.sichuan.melds import Meld
from wallwright.rules.sichuan.packed import size
from wallwright.rules.sichuan.shanten import pairs_of_kinds_missing

FULL_WALL = 55
"""Tiles left after the deal (SBR-2.3)."""

_PUNGS, _FLUSH, _PAIRS = 2, 4, 4
"""Points for the fans of a plan (SBR-5.3), to be multiplied where two plans are one."""


def chance(wall_left: int) -> float:
    """How likely a lacking tile comes in time: less as the wall gets shorter. Found by letting bots play each other."""
    return 0.15 + 0.2 * wall_left / FULL_WALL


def prospect(hand: int, melds: Sequence[Meld], void: int, each: float) -> float:
    """The worth of a packed hand's best plan in points; `each` is the chance of a tile that is lacking."""
    suits = _OTHERS[void]
    held = hand >> SUIT_BITS * suits[0] & SUIT_MASK, hand >> SUIT_BITS * suits[1] & SUIT_MASK
    away = _away(_part(held[0]), _part(held[1]), size(hand) // 3)
    kongs, flushes, is_whole = 1, (True, True), True
    if melds:
        kongs = 1 << sum(meld.is_kong for meld in melds)
        flushes = all(meld.tile // 9 == suits[0] for meld in melds), all(meld.tile // 9 == suits[1] for meld in melds)
        is_whole = False
    return _worth(away, kongs, flushes, is_whole, each)


_OTHERS = ((1, 2), (0, 2), (0, 1))
"""By the forbidden suit: the two others."""
_Part = tuple[distance.Missing, int, int, int, int]
"""The tiles that a suit lacks, and how many kinds it holds once, twice, three and four times."""


@lru_cache(maxsize=1 << 16)
def _part(suit: int) -> _Part:
    counts = suit.to_bytes(9, "little")
    return distance.suit_missing(suit), counts.count(1), counts.count(2), counts.count(3), counts.count(4)


class _Away(NamedTuple):
    """Tiles missing for each plan: any hand, pungs, pairs, a flush of either suit, and one of pairs."""

    any: int
    pungs: int
    pairs: int
    flushes: tuple[int, int]
    flushes_of_pairs: tuple[int, int]


@lru_cache(maxsize=1 << 15)
def _away(a: _Part, b: _Part, sets: int) -> _Away:
    """Return what two suits lack. Hands are many, but few of them differ in what counts."""
    singles, pairs, pungs, quads = (one + other for one, other in zip(a[1:], b[1:], strict=True))
    return _Away(
        distance.missing((a[0], b[0]), sets),
        distance.pungs_missing(singles, pairs, pungs + quads, sets),
        pairs_of_kinds_missing(singles, pairs, pungs, quads),
        (distance.missing((a[0],), sets), distance.missing((b[0],), sets)),
        (pairs_of_kinds_missing(*a[1:]), pairs_of_kinds_missing(*b[1:])),
    )


@lru_cache(maxsize=1 << 14)
def _worth(away: _Away, kongs: int, flushes: tuple[bool, bool], is_whole: bool, each: float) -> float:
    best = kongs * max(each**away.any, _PUNGS * each**away.pungs)
    if is_whole:
        best = max(best, _PAIRS * each**away.pairs)
    for at in (0, 1):
        if flushes[at]:
            best = max(best, _FLUSH * kongs * each ** away.flushes[at])
            if is_whole:
                best = max(best, _FLUSH * _PAIRS * each ** away.flushes_of_pairs[at])
    return best
