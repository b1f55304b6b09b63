"""What a complete hand is worth: its items in faan, and the base that they make (HKO-5.2 to 6.3, 10.2, 10.3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from wallwright.rules.core.readings import completing, pack_tiles
from wallwright.rules.core.tiles import DRAGONS, EAST, FLOWERS, ORPHANS, SUITED, TERMINALS
from wallwright.rules.core.tiles import WINDS as WIND_TILES
from wallwright.rules.hong_kong.hands import (
    AFTER_KONG,
    EARTHLY,
    HEAVENLY,
    KONG_ON_KONG,
    LAST_DISCARD,
    LAST_TILE,
    LOOSE,
    ROBBED_KONG,
    SEVEN_PAIRS,
    THIRTEEN_ORPHANS,
    WINDS,
    Hand,
    Shape,
    shapes,
)
from wallwright.rules.hong_kong.ruleset import MODERN, Ruleset

LIMIT_HANDS: Mapping[str, int] = MappingProxyType(
    {
        "big_three_dragons": 8,
        "little_four_winds": 3,
        "big_four_winds": 13,
        "all_honors": 10,
        "all_terminals": 10,
        "nine_gates": 10,
        "four_concealed_pungs": 8,
        "four_kongs": 13,
        "thirteen_orphans": 13,
        "heavenly": 13,
        "earthly": 13,
    }
)
"""Limit hands of HKO-5.5, with their faan in the modern table (HKO-10.2)."""
_ALONE = frozenset(LIMIT_HANDS) - {"big_three_dragons", "little_four_winds", "four_concealed_pungs"}
"""In the modern table the dearest of these stands for all items of pattern (HKO-10.3)."""
FLOWER_ITEMS = ("no_flowers", "own_season", "own_flower", "all_seasons", "all_flowers")
_LITTLE_DRAGONS = {MODERN: 5}
_FULL_FLUSH = {MODERN: 7}


@dataclass(frozen=True, slots=True)
class Score:
    """A hand's worth. `items` maps each item to its faan; `faan` is their sum up to the limit, `points` the base B.

    `allowed` tells whether it reaches the minimum. A hand that is not complete has no items and no points.
    """

    complete: bool
    allowed: bool
    items: Mapping[str, int] = field(hash=False)
    faan: int
    points: int
    shape: Shape | None = None


INCOMPLETE = Score(False, False, MappingProxyType({}), 0, 0)


def score_hand(hand: Hand, ruleset: Ruleset) -> Score:
    """The reading worth most (HKO-5.2). The hand is one that `check_hand` lets pass."""
    best, most = INCOMPLETE, -1
    for shape in shapes(hand, ruleset):
        items = dict(_items(hand, shape, ruleset))
        faan = sum(items.values())
        if faan > most:
            most = faan
            counted = sum(n for name, n in items.items() if ruleset.flowers_for_minimum or name not in FLOWER_ITEMS)
            stops = min(faan, ruleset.limit_faan)
            allowed = counted >= ruleset.min_faan
            best = Score(True, allowed, MappingProxyType(items), stops, ruleset.base(faan), shape)
    return best


def waits(standing: tuple[int, ...], hand_has_sets: bool, ruleset: Ruleset) -> tuple[int, ...]:
    """The kinds that complete standing tiles that lack one (HKO-5.1), sorted."""
    found = set(completing(pack_tiles(standing)))
    if not hand_has_sets:
        missing = set(ORPHANS) - set(standing)
        if set(standing) <= set(ORPHANS) and len(missing) <= 1:
            found |= missing or set(ORPHANS)
        odd = [kind for kind in set(standing) if standing.count(kind) % 2]
        if ruleset.seven_pairs and len(odd) == 1 and len(set(standing)) == 7:
            found |= set(odd)
    return tuple(sorted(found))


def _items(hand: Hand, shape: Shape, ruleset: Ruleset) -> Iterator[tuple[str, int]]:
    limits = list(_limit_hands(hand, shape))
    if ruleset.table != MODERN:
        if limits:
            # One stands alone (HKO-5.6).
            yield limits[0], ruleset.limit_faan
            return
        yield from _pattern(hand, shape, ruleset)
    else:
        alone = [name for name in limits if name in _ALONE]
        if alone:
            dearest = max(alone, key=LIMIT_HANDS.__getitem__)
            yield dearest, LIMIT_HANDS[dearest]
        else:
            within = {"big_three_dragons": ("dragon",), "four_concealed_pungs": ("all_pungs", "concealed_hand")}
            left_out = {item for name in limits for item in within.get(name, ())}
            yield from ((name, n) for name, n in _pattern(hand, shape, ruleset) if name not in left_out)
            yield from ((name, LIMIT_HANDS[name]) for name in limits)
    yield from _way(hand, ruleset)
    if ruleset.flowers:
        yield from _flowers(hand)


def _limit_hands(hand: Hand, shape: Shape) -> Iterator[str]:
    """In the order of HKO-5.5."""
    tiles = set(hand.tiles)
    pungs = {one.tile for one in shape.sets if not one.is_chow}
    winds = len(pungs & set(WIND_TILES))
    if pungs >= set(DRAGONS):
        yield "big_three_dragons"
    if winds == 3 and shape.pairs[0] in WIND_TILES:
        yield "little_four_winds"
    if winds == 4:
        yield "big_four_winds"
    if min(tiles) >= SUITED:
        yield "all_honors"
    if len(pungs) == 4 and tiles <= set(TERMINALS):
        yield "all_terminals"
    if not hand.sets and _is_nine_gates(hand.tiles):
        yield "nine_gates"
    if hand.is_drawn and len(pungs) == 4 and all(one.is_concealed for one in shape.sets):
        yield "four_concealed_pungs"
    if sum(one.is_kong for one in shape.sets) == 4:
        yield "four_kongs"
    if shape.form == THIRTEEN_ORPHANS:
        yield "thirteen_orphans"
    yield from (name for name in (HEAVENLY, EARTHLY) if name in hand.conditions)


def _is_nine_gates(tiles: tuple[int, ...]) -> bool:
    first = min(tiles) // 9 * 9
    if first >= SUITED or max(tiles) >= first + 9:
        return False
    return all(tiles.count(first + rank) >= (3 if rank in (0, 8) else 1) for rank in range(9))


def _pattern(hand: Hand, shape: Shape, ruleset: Ruleset) -> Iterator[tuple[str, int]]:
    """What the tiles earn (HKO-5.4, 10.2)."""
    tiles, sets = set(hand.tiles), shape.sets
    pungs = {one.tile for one in sets if not one.is_chow}
    honors = {kind for kind in tiles if kind >= SUITED}
    suits = {kind // 9 for kind in tiles - honors}
    if shape.form == SEVEN_PAIRS:
        yield "seven_pairs", ruleset.seven_pairs
    if len(sets) == 4 and not pungs and (ruleset.all_chows_pair == "any" or shape.pairs[0] < SUITED):
        yield "all_chows", 1
    if len(pungs) == 4:
        yield "all_pungs", 3
    if len(suits) == 1 and honors:
        yield "half_flush", 3
    if len(suits) == 1 and not honors:
        yield "full_flush", _FULL_FLUSH.get(ruleset.table, 6)
    dragons = len(pungs & set(DRAGONS))
    if dragons == 2 and shape.pairs[0] in DRAGONS:
        yield "little_three_dragons", _LITTLE_DRAGONS.get(ruleset.table, 4)
    elif dragons:
        yield "dragon", dragons
    for name, wind in (("seat_wind", hand.seat_wind), ("round_wind", hand.round_wind)):
        if EAST + WINDS.index(wind) in pungs:
            yield name, 1
    if ruleset.concealed_hand and all(one.is_concealed and not one.is_kong for one in hand.sets):
        yield "concealed_hand", ruleset.concealed_hand
    ends = tiles - honors
    if ruleset.mixed_terminals and len(pungs) == 4 and honors and ends and ends <= set(TERMINALS):
        yield "mixed_terminals", ruleset.mixed_terminals


def _way(hand: Hand, ruleset: Ruleset) -> Iterator[tuple[str, int]]:
    """What the way of winning earns (HKO-5.4, 10.2)."""
    said = hand.conditions
    if hand.is_drawn and HEAVENLY not in said:
        yield "self_drawn", 1
    if KONG_ON_KONG in said and ruleset.table == MODERN:
        yield "kong_on_kong", 8
    elif hand.by == LOOSE or said & {AFTER_KONG, KONG_ON_KONG}:
        yield "after_a_kong", 1
    if LAST_TILE in said:
        yield "last_tile", 1
    if hand.by == ROBBED_KONG:
        yield "robbing_the_kong", 1
    if LAST_DISCARD in said and ruleset.last_discard:
        yield "last_discard", 1


def _flowers(hand: Hand) -> Iterator[tuple[str, int]]:
    """What flowers, or none, earn (HKO-5.8)."""
    if not hand.flowers:
        yield "no_flowers", 1
    own = WINDS.index(hand.seat_wind)
    for series, name in ((FLOWERS[:4], "season"), (FLOWERS[4:], "flower")):
        if set(series) <= set(hand.flowers):
            yield f"all_{name}s", 2
        elif series[own] in hand.flowers:
            yield f"own_{name}", 1
