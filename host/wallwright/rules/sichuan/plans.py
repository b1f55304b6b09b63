"""What a hand may become and what that is worth: the judgement of the bot that plays to win.

Each plan (any complete hand, a flush, pungs, pairs) has a value in points and lacks some tiles; with a chance for
each tile that is lacking, the best of `value * chance ** missing` weighs value against speed. A rule of thumb: nobody
pays by it.
"""

from collections.abc import Sequence

from wallwright.rules.core import distance
from wallwright.rules.core.packed import SUIT_BITS, SUIT_MASK
from wallwright.rules.sichuan.melds import Meld
from wallwright.rules.sichuan.packed import size
from wallwright.rules.sichuan.shanten import pairs_missing, regular_missing

FULL_WALL = 55
"""Tiles left after the deal (SBR-2.3)."""

_PUNGS, _FLUSH, _PAIRS = 2, 4, 4
"""Points for the fans of a plan (SBR-5.3), to be multiplied where two plans are one."""


def chance(wall_left: int) -> float:
    """How likely a lacking tile comes in time: less as the wall gets shorter. Found by letting bots play each other."""
    return 0.15 + 0.2 * wall_left / FULL_WALL


def prospect(hand: int, melds: Sequence[Meld], void: int, each: float) -> float:
    """The worth of a packed hand's best plan in points; `each` is the chance of a tile that is lacking."""
    sets = size(hand) // 3
    suits = [suit for suit in range(3) if suit != void]
    held = [hand >> SUIT_BITS * suit & SUIT_MASK for suit in suits]
    usable = hand & ~(SUIT_MASK << SUIT_BITS * void)
    kongs = 1 << sum(meld.is_kong for meld in melds)
    best = kongs * max(each ** regular_missing(held, sets), _PUNGS * each ** pungs_missing(usable, sets))
    if not melds:
        best = max(best, _PAIRS * each ** pairs_missing(usable))
    for suit, tiles in zip(suits, held, strict=True):
        if all(meld.tile // 9 == suit for meld in melds):
            best = max(best, _FLUSH * kongs * each ** regular_missing([tiles], sets))
            if not melds:
                best = max(best, _FLUSH * _PAIRS * each ** pairs_missing(tiles << SUIT_BITS * suit))
    return best


def pungs_missing(hand: int, sets: int) -> int:
    """Tiles missing for so many pungs and a pair."""
    counts = hand.to_bytes(27, "little")
    return distance.pungs_missing(counts.count(1), counts.count(2), counts.count(3) + counts.count(4), sets)
