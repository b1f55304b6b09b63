"""The hands of Balsall that are no sets and a pair, and those that must be concealed. (BAL-6)

Each test takes a hand with its winning tile. Nothing here counts points.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from wallwright.rules.classical.hand import HAND, Hand
from wallwright.rules.classical.ruleset import Balsall
from wallwright.rules.core.readings import pack_tiles, readings
from wallwright.rules.core.tiles import ORPHANS, SUITED

GATES = Counter({0: 3, 8: 3} | dict.fromkeys(range(1, 8), 1))
"""1112345678999, by number less one."""
_ORPHANS = frozenset(ORPHANS)
ALONE = 14
"""Tiles of a hand without a set laid down."""


def concealed_rows(hand: Hand, rules: Balsall) -> Iterator[str]:
    """The rows of BAL-6 that a hand is. Nothing may be claimed but the winning tile (BAL-6.9)."""
    if hand.is_concealed:
        yield from (row for row, is_row in _ROWS.items() if is_row(hand, rules))


def is_near(standing: Sequence[int]) -> bool:
    """Whether thirteen standing tiles may lack one tile of a row that is no sets and a pair.

    It is asked of every hand that changes, so it counts alone; some that it lets pass lack more.
    """
    held = Counter(standing)
    suited = Counter(kind // 9 for kind in standing if kind < SUITED)
    sizes = sorted(suited.values())
    numbers = sum(kind < SUITED for kind in held)
    return (
        sum(number // 2 for number in held.values()) >= 6
        or sum(kind in _ORPHANS for kind in held) >= 12
        or (len(suited) == 1 and (numbers >= 8 or sizes == [HAND]))
        or sizes in ([6, 7], [4, 4, 5], [3, 5, 5])
    )


def _is_seven_pairs(hand: Hand, rules: Balsall) -> bool:
    held = Counter(hand.complete_tiles).values()
    return _is_alone(hand) and all(number == 2 or (number == 4 and rules.quads_as_pairs) for number in held)


def _is_double_knitting(hand: Hand, _rules: Balsall) -> bool:
    """Two suits that hold the same numbers."""
    suits = _numbers(hand)
    return _is_alone(hand) and len(suits) == 2 and len(set(map(str, suits.values()))) == 1 and not _honours(hand)


def _is_triple_knitting(hand: Hand, _rules: Balsall) -> bool:
    """Three suits that hold the same four numbers, but for one more number in two of them."""
    suits = _numbers(hand)
    if not _is_alone(hand) or _honours(hand) or len(suits) != 3:
        return False
    counts = [Counter(numbers) for numbers in suits.values()]
    pairs = [sorted(one[number] for one in counts) for number in range(9)]
    # A number that is in all three suits equally often, but in one suit once less: that one has the pair.
    uneven = [held for held in pairs if len(set(held)) > 1]
    return len(uneven) == 1 and uneven[0][1] == uneven[0][2] == uneven[0][0] + 1


def _is_nine_gates(hand: Hand, rules: Balsall) -> bool:
    suits = _numbers(hand)
    if not _is_alone(hand) or len(suits) != 1 or _honours(hand):
        return False
    held = Counter(next(iter(suits.values())))
    if rules.nine_gates == "pure":
        return Counter(kind % 9 for kind in hand.standing) == GATES
    return all(held[number] >= wanted for number, wanted in GATES.items())


def _is_thirteen_orphans(hand: Hand, _rules: Balsall) -> bool:
    return _is_alone(hand) and set(hand.complete_tiles) == _ORPHANS


def _is_hidden_treasure(hand: Hand, _rules: Balsall) -> bool:
    """Four pungs and a pair, all drawn, no kong. A loose tile is drawn too (BAL-6.6)."""
    if not hand.is_drawn or any(one.is_kong or one.is_chow for one in hand.sets):
        return False
    return any(
        len(reading.sets) + len(hand.sets) == 4 and not any(one.is_chow for one in reading.sets)
        for reading in readings(pack_tiles(hand.complete_tiles))
    )


def _is_little_snake(hand: Hand, _rules: Balsall) -> bool:
    return _is_snake(hand) and sorted(_honours(hand).values()) == [1, 1, 1, 1, 1]


def _is_great_snake(hand: Hand, _rules: Balsall) -> bool:
    wanted = [2, 4] if any(one.is_kong for one in hand.sets) else [2, 3]
    return _is_snake(hand) and sorted(_honours(hand).values()) == wanted


def _is_snake(hand: Hand) -> bool:
    """One to nine of one suit, and honours."""
    suits = _numbers(hand)
    return len(suits) == 1 and next(iter(suits.values())) == list(range(9))


def _is_alone(hand: Hand) -> bool:
    return len(hand.complete_tiles) == ALONE


def _numbers(hand: Hand) -> dict[int, list[int]]:
    """The numbers less one of each suit that the hand has, sorted."""
    found: dict[int, list[int]] = {}
    for kind in sorted(hand.all_tiles):
        if kind < SUITED:
            found.setdefault(kind // 9, []).append(kind % 9)
    return found


def _honours(hand: Hand) -> Counter[int]:
    return Counter(kind for kind in hand.all_tiles if kind >= SUITED)


_ROWS: dict[str, Callable[[Hand, Balsall], bool]] = {
    "7_pairs": _is_seven_pairs,
    "double_knitting": _is_double_knitting,
    "triple_knitting": _is_triple_knitting,
    "9_gates": _is_nine_gates,
    "13_orphans": _is_thirteen_orphans,
    "hidden_treasure": _is_hidden_treasure,
    "little_snake": _is_little_snake,
    "great_snake": _is_great_snake,
}
