"""Is a hand complete, in which ways, and which tiles complete it (SBR-5.1, 5.2, 6.6). Values are in `fans`.

`counts` is always 27 numbers by kind, of the *standing* tiles; declared sets are complete in themselves and given
apart where they matter. The functions ending in `_packed` take a packed hand (see `packed`) and are what the deal
uses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wallwright.rules.core.packed import (
    LACKS_OF_PAIRED,
    LACKS_OF_SETS,
    PAIRED,
    PAIRS,
    SETS,
    SUIT_BITS,
    SUIT_MASK,
    WAITING,
    suit_table,
)
from wallwright.rules.sichuan.melds import Meld
from wallwright.rules.sichuan.packed import ALL, pack

REGULAR = "regular"
SEVEN_PAIRS = "seven_pairs"

_HIGH_SHIFT = 2 * SUIT_BITS


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a complete hand: its sets as tuples of kinds (declared ones first) and its pair; seven pairs
    have no sets.
    """

    form: str
    sets: tuple[tuple[int, ...], ...]
    pairs: tuple[int, ...]


def is_complete(counts: Sequence[int]) -> bool:
    """Whether standing tiles, the winning one included, are complete: regular, or seven pairs (SBR-5.1), of two suits
    at most (SBR-5.2).
    """
    return is_complete_packed(int.from_bytes(bytes(counts), "little"))


def is_complete_packed(hand: int) -> bool:
    """`is_complete` of a packed hand."""
    get = suit_table().get
    # A suit that the table does not know settles it at once. The empty suit is SETS, so every flag below is of all
    # three suits.
    a = get(hand & SUIT_MASK)
    if not a:
        return False
    b = get(hand >> SUIT_BITS & SUIT_MASK)
    if not b:
        return False
    c = get(hand >> _HIGH_SHIFT)
    if not c:
        return False
    # Exactly one suit holds the pair; numbers of tiles modulo 3 keep SETS and PAIRED of a suit apart.
    if (a & b & SETS and c & PAIRED) or (a & c & SETS and b & PAIRED) or (b & c & SETS and a & PAIRED):
        return has_two_suits(hand)
    return bool(a & b & c & PAIRS) and hand % 255 == 14 and has_two_suits(hand)


def has_two_suits(hand: int) -> bool:
    """Whether a packed hand lacks a suit (SBR-5.2)."""
    return not (hand & SUIT_MASK and hand >> SUIT_BITS & SUIT_MASK and hand >> _HIGH_SHIFT)


def waits(counts: Sequence[int]) -> tuple[int, ...]:
    """The kinds that complete standing tiles that lack one, sorted.

    A kind of which all four copies stand in the hand is none (SBR-6.6): the table knows no fifth copy.
    """
    return kinds_of_mask(waits_packed(pack(counts)))


def waits_packed(hand: int) -> int:
    """27 bits: bit k says that a tile of kind k completes the packed hand."""
    odd = hand & ALL
    if odd and not odd & odd - 1 and hand % 255 == 13:
        # Six pairs and a tile without its like.
        mask = 1 << (odd.bit_length() - 1) // 8
    else:
        mask = 0
    # A suit that the table does not know is neither complete nor lacks one tile.
    get = suit_table().get
    a = get(hand & SUIT_MASK)
    if not a:
        return mask if has_two_suits(hand) else 0
    b = get(hand >> SUIT_BITS & SUIT_MASK)
    if not b:
        return mask if has_two_suits(hand) else 0
    c = get(hand >> _HIGH_SHIFT)
    if not c:
        return mask if has_two_suits(hand) else 0
    if a & SETS:
        if b & SETS:
            if c & LACKS_OF_PAIRED:
                mask |= (c & WAITING) << 18
        elif c & SETS:
            if b & LACKS_OF_PAIRED:
                mask |= (b & WAITING) << 9
        else:
            if b & PAIRED and c & LACKS_OF_SETS:
                mask |= (c & WAITING) << 18
            if c & PAIRED and b & LACKS_OF_SETS:
                mask |= (b & WAITING) << 9
    elif b & SETS:
        if c & SETS:
            if a & LACKS_OF_PAIRED:
                mask |= a & WAITING
        else:
            if a & PAIRED and c & LACKS_OF_SETS:
                mask |= (c & WAITING) << 18
            if c & PAIRED and a & LACKS_OF_SETS:
                mask |= a & WAITING
    elif c & SETS:
        if a & PAIRED and b & LACKS_OF_SETS:
            mask |= (b & WAITING) << 9
        if b & PAIRED and a & LACKS_OF_SETS:
            mask |= a & WAITING
    return mask if mask and has_two_suits(hand) else 0


def kinds_of_mask(mask: int) -> tuple[int, ...]:
    """27 bits -> the kinds whose bit is set, sorted."""
    if not mask:
        return ()
    return _CHARACTERS[mask & 511] + _DOTS[mask >> 9 & 511] + _BAMBOO[mask >> 18]


_CHARACTERS, _DOTS, _BAMBOO = (
    tuple(tuple(first + rank for rank in range(9) if mask >> rank & 1) for mask in range(512)) for first in (0, 9, 18)
)


def readings(counts: Sequence[int], melds: Sequence[Meld] = ()) -> tuple[Reading, ...]:
    """Every way to read a complete hand (standing tiles with the winning one, and declared sets); none when it is not
    complete.

    Regular readings come first, those with more pungs before those with chows.
    """
    if not is_complete(counts):
        return ()
    declared = tuple(meld.tiles for meld in melds)
    found = []
    for pair in range(27):
        if counts[pair] >= 2:
            rest = list(counts)
            rest[pair] -= 2
            found += [Reading(REGULAR, declared + sets, (pair,)) for sets in _split(rest, 0)]
    if sum(counts) == 14 and not any(count % 2 for count in counts):
        pairs = tuple(kind for kind in range(27) for _ in range(counts[kind] // 2))
        found.append(Reading(SEVEN_PAIRS, (), pairs))
    return tuple(found)


def _split(counts: list[int], kind: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to split counts, from `kind` on, into pungs and chows."""
    while kind < 27 and not counts[kind]:
        kind += 1
    if kind == 27:
        yield ()
        return
    if counts[kind] >= 3:
        counts[kind] -= 3
        for rest in _split(counts, kind):
            yield ((kind, kind, kind), *rest)
        counts[kind] += 3
    if kind % 9 < 7 and counts[kind + 1] and counts[kind + 2]:
        for step in range(3):
            counts[kind + step] -= 1
        for rest in _split(counts, kind):
            yield ((kind, kind + 1, kind + 2), *rest)
        for step in range(3):
            counts[kind + step] += 1
