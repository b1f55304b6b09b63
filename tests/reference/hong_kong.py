"""A second reading of Hong Kong Old Style: which hands are complete and what they are worth. (HKO-5, 6.2, 6.3, 10)

Input and output have the shapes of `wallwright rules score`. Input is taken as possible: nothing here refuses a hand.
`settle` and `break_` are in `hong_kong_settle` and `two_ended`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from tests.reference.full_set import (
    ALL_TILES,
    DRAGONS,
    WINDS,
    Record,
    faces,
    flowers_of,
    has_honours,
    is_chow,
    is_nine_gates,
    is_same,
    is_thirteen_orphans,
    names,
    partings,
    physical,
    read,
    regular,
    seat_of_wind,
    suits,
)

DEFAULTS: dict[str, Any] = {
    "flowers": False,
    "dead_wall": 0,
    "concealed_kong": "choice",
    "late_claims": True,
    "multi_win": "nearest",
    "last_discard": False,
    "seven_pairs": 0,
    "all_chows_pair": "any",
    "concealed_hand": 0,
    "mixed_terminals": 0,
    "limit_faan": 10,
    "min_faan": 0,
    "flowers_for_minimum": False,
    "points_table": "spicy",
    "max_base": 64,
    "payment": "half",
    "robbed_pays": "discard",
    "nine_call": "declared",
    "liable_hands": "full_flush",
    "false_win_dealer": "stay",
    "dealer_repeat": True,
}
# HKO-10.1
MODERN = {
    "min_faan": 3,
    "points_table": "half_spicy",
    "limit_faan": 13,
    "max_base": None,
    "payment": "full",
    "concealed_hand": 1,
    "mixed_terminals": 1,
    "last_discard": True,
}
# HKO-6.2, by faan from 0.
POINTS = {
    "spicy": (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192),
    "half_spicy": (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384),
    "laak": (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64),
}
# HKO-5.5, in the order of the clause.
LIMIT_HANDS = (
    "big_three_dragons",
    "little_four_winds",
    "big_four_winds",
    "all_honors",
    "all_terminals",
    "nine_gates",
    "four_concealed_pungs",
    "four_kongs",
    "thirteen_orphans",
    "heavenly",
    "earthly",
)
# HKO-10.2: what the modern table counts in place of the limit hands of HKO-5.5.
MODERN_FAAN = {
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
# HKO-10.3: the dearest of these stands for all items of pattern.
STAND_FOR_PATTERN = (
    "big_four_winds",
    "all_honors",
    "all_terminals",
    "nine_gates",
    "four_kongs",
    "thirteen_orphans",
    "heavenly",
    "earthly",
)
FLOWER_ITEMS = ("no_flowers", "own_season", "own_flower", "all_seasons", "all_flowers")

Sets = list[list[str]]


def rules_of(record: Record) -> dict[str, Any]:
    """The values of all options for a record."""
    modern = MODERN if record.get("ruleset") == "hong-kong-modern" else {}
    return {**DEFAULTS, **modern, **record.get("options", {}), "modern": bool(modern)}


def score(record: Record) -> dict[str, Any]:
    """What `rules score` answers; of readings worth the same the first found."""
    found = best(record)
    return found[0] if found else {"complete": False}


def best(record: Record) -> list[dict[str, Any]]:
    """Every answer that is worth the most: equal readings and equal limit hands may be shown either way."""
    rules = rules_of(record)
    valued = [value(items, rules) for reading in readings(record, rules) for items in countings(record, rules, reading)]
    most = max((sum(answer["items"].values()) for answer in valued), default=0)
    return [answer for answer in valued if sum(answer["items"].values()) == most]


def readings(record: Record, rules: dict[str, Any]) -> Iterator[Sets]:
    """Sets and pair of each reading, declared sets in front; an irregular hand is one group of 14. (HKO-5.1)"""
    melds = [read(meld["tiles"]) for meld in record.get("melds", ())]
    tiles = physical(record)
    for parting in regular(tiles, len(melds)):
        yield [*melds, *map(names, parting)]
    if not melds and is_thirteen_orphans(faces(record)):
        yield [faces(record)]
    if not melds and rules["seven_pairs"]:
        for parting in partings(tiles, {2: 7}, is_same):
            pairs = [names(group) for group in parting]
            if len({pair[0] for pair in pairs}) == 7:
                yield pairs


def is_complete(record: Record) -> bool:
    """Whether the hand is complete at all. (HKO-5.1)"""
    return next(readings(record, rules_of(record)), None) is not None


def waits(record: Record) -> list[str]:
    """The tiles that would complete the hand, except those of which it stands four times in it."""
    standing = read(record["standing"])
    return [tile for tile in ALL_TILES if standing.count(tile) < 4 and is_complete({**record, "winning": tile})]


def value(items: dict[str, int], rules: dict[str, Any]) -> dict[str, Any]:
    """Faan, whether they are enough, and the base of HKO-6.2 after both caps."""
    faan = min(sum(items.values()), rules["limit_faan"])
    counted = [amount for item, amount in items.items() if item not in FLOWER_ITEMS or rules["flowers_for_minimum"]]
    return {
        "complete": True,
        "allowed": sum(counted) >= rules["min_faan"],
        "items": items,
        "faan": faan,
        "points": base(faan, rules),
    }


def base(faan: int, rules: dict[str, Any]) -> int:
    """Points that a loser pays who did not discard. (HKO-6.1 to 6.3)"""
    points = POINTS[rules["points_table"]][faan]
    return points if rules["max_base"] in (None, "none") else min(points, rules["max_base"])


def countings(record: Record, rules: dict[str, Any], reading: Sets) -> Iterator[dict[str, int]]:
    """The items of a reading; where several limit hands apply, one answer for each. (HKO-5.5, 5.6, 10.3)"""
    limits = list(limit_hands(record, reading))
    if limits and not rules["modern"]:
        for name in limits:
            yield {name: rules["limit_faan"]}
        return
    pattern = pattern_items(record, rules, reading)
    around = {**way_items(record, rules), **flower_items(record, rules)}
    alone = [name for name in limits if name in STAND_FOR_PATTERN]
    dearest = max((MODERN_FAAN[name] for name in alone), default=0)
    for name in alone:
        if MODERN_FAAN[name] == dearest:
            yield {name: dearest, **around}
    if alone:
        return
    pattern.update((name, MODERN_FAAN[name]) for name in limits)
    if "big_three_dragons" in limits:
        pattern.pop("dragon")
    if "four_concealed_pungs" in limits:
        pattern.pop("all_pungs")
        pattern.pop("concealed_hand", None)
    yield {**pattern, **around}


def limit_hands(record: Record, reading: Sets) -> Iterator[str]:
    """The limit hands that apply to a reading. (HKO-5.5)"""
    sets, pairs = [one for one in reading if len(one) in (3, 4)], [one for one in reading if len(one) == 2]
    equal = [one[0] for one in sets if is_same(one)]
    tiles, melds = faces(record), record.get("melds", ())
    winds = [tile for tile in WINDS.values() if tile in equal]
    if all(dragon in equal for dragon in DRAGONS):
        yield "big_three_dragons"
    if len(winds) == 3 and pairs[0][0] in WINDS.values():
        yield "little_four_winds"
    if len(winds) == 4:
        yield "big_four_winds"
    if not suits(tiles):
        yield "all_honors"
    if len(equal) == 4 and all(tile[0] in "19" and tile[1] in "mps" for tile in tiles):
        yield "all_terminals"
    if not melds and is_nine_gates(tiles):
        yield "nine_gates"
    drawn = record["by"] in ("self_drawn", "loose")
    if drawn and len(equal) == 4 and all(meld.get("type") == "concealed" for meld in melds):
        yield "four_concealed_pungs"
    if len([one for one in sets if len(one) == 4]) == 4:
        yield "four_kongs"
    if is_thirteen_orphans(tiles) and not melds:
        yield "thirteen_orphans"
    for name in ("heavenly", "earthly"):
        if name in record.get("conditions", ()):
            yield name


def pattern_items(record: Record, rules: dict[str, Any], reading: Sets) -> dict[str, int]:
    """What the tiles earn, by the table of HKO-5.4 as far as Little Three Dragons, and its two optional items."""
    sets, pairs = [one for one in reading if len(one) in (3, 4)], [one for one in reading if len(one) == 2]
    equal = [one[0] for one in sets if is_same(one)]
    tiles, modern = faces(record), rules["modern"]
    found: dict[str, int] = {}
    honour_pair = pairs[0][0][1] == "z" if len(pairs) == 1 else False
    if len(pairs) == 7:
        found["seven_pairs"] = rules["seven_pairs"]
    pair_may_be = rules["all_chows_pair"] == "any" or not honour_pair
    if len(sets) == 4 and all(map(is_chow, sets)) and pair_may_be:
        found["all_chows"] = 1
    if len(equal) == 4:
        found["all_pungs"] = 3
    if len(suits(tiles)) == 1:
        found.update({"half_flush": 3} if has_honours(tiles) else {"full_flush": 7 if modern else 6})
    dragons = [tile for tile in equal if tile in DRAGONS]
    if len(dragons) == 2 and pairs[0][0] in DRAGONS:
        found["little_three_dragons"] = 5 if modern else 4
    elif dragons:
        found["dragon"] = len(dragons)
    if WINDS[record["seat_wind"]] in equal:
        found["seat_wind"] = 1
    if WINDS[record["round_wind"]] in equal:
        found["round_wind"] = 1
    if rules["concealed_hand"] and all(
        meld["kind"] == "pung" and meld.get("type") == "concealed" for meld in record.get("melds", ())
    ):
        found["concealed_hand"] = 1
    ends = [tile[0] in "19" for tile in tiles if tile[1] in "mps"]
    if rules["mixed_terminals"] and len(equal) == 4 and ends and all(ends) and has_honours(tiles):
        found["mixed_terminals"] = 1
    return found


def way_items(record: Record, rules: dict[str, Any]) -> dict[str, int]:
    """What the way of winning earns. (HKO-5.4, 10.2)"""
    conditions: Sequence[str] = record.get("conditions", ())
    found: dict[str, int] = {}
    if record["by"] in ("self_drawn", "loose") and "heavenly" not in conditions:
        found["self_drawn"] = 1
    if rules["modern"] and "kong_on_kong" in conditions:
        found["kong_on_kong"] = 8
    elif record["by"] == "loose" or "after_kong" in conditions or "kong_on_kong" in conditions:
        found["after_a_kong"] = 1
    if "last_tile" in conditions:
        found["last_tile"] = 1
    if record["by"] == "robbed_kong":
        found["robbing_the_kong"] = 1
    if "last_discard" in conditions and rules["last_discard"]:
        found["last_discard"] = 1
    return found


def flower_items(record: Record, rules: dict[str, Any]) -> dict[str, int]:
    """What the flowers earn where the game is played with them. (HKO-5.8)"""
    if not rules["flowers"]:
        return {}
    held, own = flowers_of(record), seat_of_wind(record["seat_wind"])
    if not held:
        return {"no_flowers": 1}
    found = {}
    for series, first, word in (("seasons", 1, "season"), ("flowers", 5, "flower")):
        if all(f"{number}f" in held for number in range(first, first + 4)):
            found[f"all_{series}"] = 2
        elif f"{first + own - 1}f" in held:
            found[f"own_{word}"] = 1
    return found
