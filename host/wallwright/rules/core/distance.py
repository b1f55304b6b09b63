"""How many tiles a hand lacks: the least number to be added or exchanged for so many sets and a pair.

Exact for the hand's own tiles: no target has more than four copies of a kind. Tiles of others are not considered.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

_FAR = 99
Missing = bytes

# A suit is read rank by rank. What must be remembered between ranks is how many chows began at the rank before last
# and at the last one; more than two equal chows are never needed, as three are three pungs of the same tiles.
_STATES = tuple((older, newer) for older in range(3) for newer in range(3))
_WIDTH = 10
"""A vector has a byte for each (sets 0..4, pair 0..1), at `2 * sets + pair`: the tiles missing for that many."""
_UNREACHED = bytes((_FAR,) * _WIDTH)
_MORE = tuple(bytes(min(missing + more, 255) for missing in range(256)) for more in range(5))
"""Tables that add so many tiles to each byte of a vector."""
_NOTHING = bytes((0,) + (_FAR,) * (_WIDTH - 1))


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


@lru_cache(maxsize=1 << 12)
def _without_pair(missing: Missing) -> Missing:
    return bytes(_FAR if at & 1 else tiles for at, tiles in enumerate(missing))


@lru_cache(maxsize=1 << 16)
def _missing_after(counts: bytes, state: int, ranks_left: int) -> Missing:
    """The least tiles missing in the remaining ranks, whose counts are given, by (sets begun here, pair)."""
    if not ranks_left:
        # Chows that began at rank 8 or 9 would end beyond 9.
        return _NOTHING if state == 0 else _UNREACHED
    held = counts[0]
    rest = counts[1:]
    found = [_UNREACHED]
    for wanted, following, sets, pair in _steps()[state]:
        after = _missing_after(rest, following, ranks_left - 1)
        if pair:
            # With a pair taken here, only entries without a pair can follow.
            after = _without_pair(after)
        if wanted > held:
            after = after.translate(_MORE[wanted - held])
        shift = 2 * sets + pair
        found.append(_UNREACHED[:shift] + after[: _WIDTH - shift])
    return bytes(map(min, *found))


@lru_cache(maxsize=1 << 16)
def suit_missing(suit: int) -> Missing:
    """Packed suit -> tiles missing for (sets, pair) at `2 * sets + pair`, 10 numbers; 99 where it cannot be."""
    return _missing_after(suit.to_bytes(9, "little"), 0, 9)


@lru_cache(maxsize=1 << 14)
def honours_missing(honours: int) -> Missing:
    """The same of the seven honours, which make pungs and pairs only."""
    whole = _NOTHING
    for count in honours.to_bytes(7, "little"):
        whole = combine(whole, bytes((0, max(0, 2 - count), max(0, 3 - count)) + (_FAR,) * (_WIDTH - 3)))
    return whole


def missing(parts: Sequence[Missing], sets: int) -> int:
    """Tiles missing for `sets` sets and a pair from suits, and honours, as the functions above have them."""
    whole = parts[0]
    for part in parts[1:]:
        whole = combine(whole, part)
    return whole[2 * sets + 1]


@lru_cache(maxsize=1 << 10)
def pungs_missing(singles: int, pairs: int, more: int, sets: int) -> int:
    """Tiles missing for so many pungs and a pair, of a hand with so many kinds once, twice, and more often."""
    counts = (*(3,) * more, *(2,) * pairs, *(1,) * singles, *(0,) * (sets + 1))
    return sum(3 - count for count in counts[:sets]) + max(0, 2 - counts[sets])


@lru_cache(maxsize=1 << 15)
def combine(one: Missing, other: Missing) -> Missing:
    """Tiles missing for sets and a pair out of two parts of a hand."""
    best = [_FAR] * _WIDTH
    for sets in range(5):
        for more in range(5 - sets):
            a, a_pair = one[2 * sets], one[2 * sets + 1]
            b, b_pair = other[2 * more], other[2 * more + 1]
            to = 2 * (sets + more)
            best[to] = min(best[to], a + b)
            best[to + 1] = min(best[to + 1], a + b_pair, a_pair + b)
    return bytes(best)
