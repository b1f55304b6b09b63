"""The value of one hand: every reading is valued and the best one counts. (SBR-5.3 to SBR-5.5)"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tests.reference.hands import Meld, Reading, is_winning, readings, suits_of, waits
from tests.reference.rulesets import Rules

CONDITION_ITEMS = {
    "after_kong": "win_after_kong",
    "shoot_after_kong": "shoot_after_kong",
    "robbing_kong": "robbing_the_kong",
    "under_the_sea": "under_the_sea",
}


@dataclass(frozen=True)
class Score:
    """What a hand is worth. An incomplete hand has no form, no items and no value."""

    complete: bool
    form: str | None = None
    items: dict[str, int] = field(default_factory=dict)
    fans: int = 0
    value: int = 0


def points(fans: int, fan_limit: int | None) -> int:
    """Two to the power of the fans, as far as the limit. (SBR-5.3)"""
    return 1 << (fans if fan_limit is None else min(fans, fan_limit))


def items_of(reading: Reading, melds: Sequence[Meld], standing: Sequence[int], conditions: Collection[str]) -> dict:
    """The items of one reading, each with its fans. `standing` includes the winning tile."""
    items: dict[str, int] = {}
    pairs = [tiles for tiles in reading if len(tiles) == 2]
    kongs = [tiles for tiles in reading if len(tiles) == 4]
    equal = [tiles for tiles in reading if len(set(tiles)) == 1]
    if kongs:
        items["kong"] = len(kongs)
    roots = [tile for tile in {tile for tiles in reading for tile in tiles} if is_root(tile, reading)]
    if len(pairs) == 1 and len(equal) == 5:
        # A wait for the fifth copy of an own pung would be a root in a hand of pungs, which SBR-5.4 rules out.
        items["all_pungs"] = 1
    elif roots:
        items["root"] = len(roots)
    if len(melds) == 4 and len(standing) == 2:
        items["golden_wait"] = 1
    if len(suits_of(standing, melds)) == 1:
        items["full_flush"] = 2
    if len(pairs) == 7:
        items["seven_pairs"] = 2
    for condition, item in CONDITION_ITEMS.items():
        if condition in conditions:
            items[item] = 1
    return items


def is_root(tile: int, reading: Reading) -> bool:
    """Four equal tiles spread over two or more sets; a tile counts as root or as kong, once. (SBR-5.3, SBR-6.5)"""
    if (tile,) * 4 in reading:
        return False
    return sum(tiles.count(tile) for tiles in reading) >= 4


def score(
    standing: Sequence[int],
    melds: Sequence[Meld],
    winning: int,
    conditions: Collection[str],
    void: str | None,
    fan_limit: int | None,
    uncounted: str | None = None,
) -> Score:
    """The reading worth most; `standing` is without the winning tile. Equal worth is read as regular. (SBR-5.5)

    Among regular readings that the limit makes equal, the one with more fans is shown. One item may be left uncounted.
    """
    hand = [*standing, winning]
    if not is_winning(hand, melds, void):
        return Score(complete=False)
    scores = []
    for reading in readings(hand, melds):
        items = items_of(reading, melds, hand, conditions)
        items.pop(uncounted, None)
        fans = sum(items.values())
        form = "seven_pairs" if len(reading) == 7 else "regular"
        scores.append(Score(True, form, items, fans, points(fans, fan_limit)))
    return max(scores, key=lambda found: (found.value, found.form == "regular", found.fans))


def wait_values(
    standing: Sequence[int], melds: Sequence[Meld], void: str | None, rules: Rules, fan_limit: int | None
) -> dict[int, int]:
    """What each waiting tile would be worth at the wall's end, without conditions. (SBR-6.5, SBR-10.3)"""
    uncounted = None if rules.wall_end_kongs else "kong"
    return {
        tile: 1 if rules.wait_is_one_point else score(standing, melds, tile, (), void, fan_limit, uncounted).value
        for tile in waits(standing, melds, void)
    }
