"""How far a hand is from complete: the least number of tiles to be added or exchanged, minus one (0 is ready, -1
complete).

Exact for the hand's own tiles: no target has more than four copies of a kind. Tiles that others hold are not
considered.
"""

from collections.abc import Sequence

from wallwright.rules.core.distance import combine, suit_missing
from wallwright.rules.core.packed import SUIT_BITS, SUIT_MASK
from wallwright.rules.sichuan.packed import pack, size

_FAR = 99


def regular_missing(suits: Sequence[int], sets: int) -> int:
    """Tiles missing for `sets` sets and a pair from packed suits."""
    whole = suit_missing(suits[0])
    for suit in suits[1:]:
        whole = combine(whole, suit_missing(suit))
    return whole[2 * sets + 1]


def pairs_missing(hand: int) -> int:
    """Tiles missing for seven pairs, four equal tiles being two of them; for a packed hand of 13 or 14."""
    counts = hand.to_bytes(27, "little")
    return pairs_of_kinds_missing(counts.count(1), counts.count(2), counts.count(3), counts.count(4))


def pairs_of_kinds_missing(once: int, twice: int, thrice: int, four_times: int) -> int:
    """The same of a hand that holds so many kinds so often."""
    pairs = twice + thrice + 2 * four_times
    singles = once + thrice
    # Every pair still wanted takes one tile beside a single; there are always enough singles with 13 tiles.
    return max(0, 7 - pairs) + max(0, 7 - pairs - singles)


def shanten(counts: Sequence[int], void: int | None = None) -> int:
    """Distance of standing tiles (27 counts; 1, 4 ... 13 or one more) from a complete hand, minus one.

    Tiles of the forbidden suit `void` count for nothing; without it, any two suits may be the hand's (SBR-5.2).
    """
    return shanten_packed(pack(counts), void)


def shanten_packed(hand: int, void: int | None) -> int:
    """`shanten` of a packed hand."""
    suits = [hand >> SUIT_BITS * suit & SUIT_MASK for suit in range(3)]
    tiles = size(hand)
    sets = tiles // 3
    best = _FAR
    for left_out in range(3) if void is None else (void,):
        kept = [suits[suit] for suit in range(3) if suit != left_out]
        best = min(best, regular_missing(kept, sets))
        if tiles >= 13:
            best = min(best, pairs_missing(hand & ~(SUIT_MASK << SUIT_BITS * left_out)))
    return best - 1
