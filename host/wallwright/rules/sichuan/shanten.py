"""How far a hand is from complete: the least number of tiles to be added or exchanged, minus one (0 is ready, -1
complete).

Exact for the hand's own tiles: no target has more than four copies of a kind. Tiles that others hold are not
considered.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from wallwright.rules.sichuan.packed import SUIT_BITS, SUIT_MASK, pack, size

_FAR = 99

# A suit is read rank by rank. What must be remembered between ranks is how many chows began at the rank before last
# and at the last one; more than two equal chows are never needed, as three are three pungs of the same tiles.
_STATES = tuple((older, newer) for older in range(3) for newer in range(3))
_WIDTH = 10
"""A vector has one number for each (sets 0..4, pair 0..1), at `2 * sets + pair`: the tiles missing for that many."""


@cache
def _steps() -> tuple[tuple[tuple[int, int, int, int], ...], ...]:
    """By state: (tiles of this rank wanted, index of the next state, sets finished, pair) for every choice at one
    rank.
    """
    steps = []
    for older, newer in _STATES:
        choices = []
        for chows in range(3):
            for pungs in range(2):
                for pair in range(2):
                    wanted = older + newer + chows + 3 * pungs + 2 * pair
                    if wanted <= 4:
                        choices.append((wanted, _STATES.index((newer, chows)), chows + pungs, pair))
        steps.append(tuple(choices))
    return tuple(steps)


@lru_cache(maxsize=1 << 16)
def _missing_after(counts: bytes, state: int, ranks_left: int) -> tuple[int, ...]:
    """The least tiles missing in the remaining ranks, whose counts are given, by (sets begun here, pair)."""
    if not ranks_left:
        # Chows that began at rank 8 or 9 would end beyond 9.
        return (0,) + (_FAR,) * (_WIDTH - 1) if state == 0 else (_FAR,) * _WIDTH
    best = [_FAR] * _WIDTH
    held = counts[0]
    rest = counts[1:]
    for wanted, following, sets, pair in _steps()[state]:
        lacking = wanted - held if wanted > held else 0
        shift = 2 * sets + pair
        for at, missing in enumerate(_missing_after(rest, following, ranks_left - 1)):
            # With a pair taken here, only entries without a pair can follow.
            if pair and at & 1:
                continue
            to = at + shift
            if to < _WIDTH and missing + lacking < best[to]:
                best[to] = missing + lacking
    return tuple(best)


@lru_cache(maxsize=1 << 16)
def suit_missing(suit: int) -> tuple[int, ...]:
    """Packed suit -> tiles missing for (sets, pair) at `2 * sets + pair`, 10 numbers; 99 where it cannot be."""
    return _missing_after(suit.to_bytes(9, "little"), 0, 9)


def regular_missing(suits: Sequence[int], sets: int) -> int:
    """Tiles missing for `sets` sets and a pair from packed suits."""
    whole = suit_missing(suits[0])
    for suit in suits[1:]:
        whole = _combine(whole, suit_missing(suit))
    return whole[2 * sets + 1]


@lru_cache(maxsize=1 << 15)
def _combine(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    best = [_FAR] * _WIDTH
    for sets in range(5):
        for more in range(5 - sets):
            a, a_pair = one[2 * sets], one[2 * sets + 1]
            b, b_pair = other[2 * more], other[2 * more + 1]
            to = 2 * (sets + more)
            best[to] = min(best[to], a + b)
            best[to + 1] = min(best[to + 1], a + b_pair, a_pair + b)
    return tuple(best)


def pairs_missing(hand: int) -> int:
    """Tiles missing for seven pairs, four equal tiles being two of them; for a packed hand of 13 or 14."""
    pairs = 0
    singles = 0
    for count in hand.to_bytes(27, "little"):
        pairs += count >> 1
        singles += count & 1
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
