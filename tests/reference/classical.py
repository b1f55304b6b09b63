"""A second reading of Cumberland and Balsall: what a hand of each is worth. (CUM-4, CUM-5, BAL-5, BAL-6)

Physical tiles are parted in all ways, the tables are the clauses' own as data, and the dearest parting counts. Input
and output have the shapes of `wallwright rules score`. Input is taken as possible: nothing here refuses a hand.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.reference.full_set import (
    ALL_TILES,
    DRAGONS,
    WINDS,
    Parting,
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

DEFAULTS: dict[str, dict[str, Any]] = {
    "cumberland": {
        "promoted": "natural",
        "loser_flowers": True,
        "bouquet_own": True,
        "suit_doubles": "all",
        "limit": None,
        "settlement": "record",
    },
    "balsall": {"rows": "best", "quads_as_pairs": True, "nine_gates": "any", "min_points": 3, "chips_per_point": 1},
}
# CUM-5.3: (what, whether of ones, nines, winds, dragons, whether natural) -> points.
SET_POINTS = {
    ("pung", False, False): 2, ("pung", False, True): 4, ("pung", True, False): 4, ("pung", True, True): 8,
    ("kong", False, False): 8, ("kong", False, True): 16, ("kong", True, False): 16, ("kong", True, True): 32,
}  # fmt: skip
# The rows of BAL-5.2, 5.4 and 6 in their order.
BASIC_ROWS = {"chicken": 0, "sequence": 1, "all_pongs": 3, "semi_pure": 3, "pure": 6}
SPECIAL_ROWS = {
    "3_big_dragons": 6,
    "little_winds": 8,
    "big_4_winds": 10,
    "all_honours": 10,
    "all_terminal": 10,
    "all_kongs": 10,
    "jade_dragon": 10,
    "ruby_dragon": 10,
    "pearl_dragon": 10,
}
CONCEALED_ROWS = {
    "7_pairs": 6,
    "double_knitting": 6,
    "triple_knitting": 6,
    "9_gates": 10,
    "13_orphans": 10,
    "hidden_treasure": 10,
    "little_snake": 10,
    "great_snake": 10,
}
ORDER = [*BASIC_ROWS, *SPECIAL_ROWS, *CONCEALED_ROWS]
DRAWN = ("self_drawn", "loose")


def rules_of(record: Record) -> dict[str, Any]:
    """The values of all options for a record."""
    return {**DEFAULTS[record["ruleset"]], **record.get("options", {})}


def score(record: Record) -> dict[str, Any]:
    """What `rules score` answers."""
    return cumberland(record) if record["ruleset"] == "cumberland" else balsall(record)


def waits(record: Record) -> list[str]:
    """The tiles that would complete the hand, except those of which it stands four times in it."""
    standing = read(record["standing"])
    hands = ((tile, {**record, "winning": tile}) for tile in ALL_TILES if standing.count(tile) < 4)
    return [tile for tile, hand in hands if score({"by": "discard", **hand})["complete"]]


# Cumberland.


def is_natural(meld: Record, rules: dict[str, Any]) -> bool:
    """Whether a declared set was drawn by the player. (CUM-5.3)"""
    type_ = meld.get("type", "melded")
    return type_ == "concealed" or (type_ in ("promoted", "postponed") and rules["promoted"] == "natural")


def cumberland(record: Record) -> dict[str, Any]:
    """Points times two to the power of the doubles, of a winner or a loser. (CUM-5)"""
    rules, won = rules_of(record), record.get("winner", True)
    found = [
        (sum(points.values()), points.get("pung", 0), points) for points in cumberland_readings(record, rules, won)
    ]
    if not found:
        return {"complete": False}
    length = len(physical(record))
    length += 3 * len(record.get("melds", ())) + record.get("flowers_waiting", 0)
    if not won and length > 13:
        return shown({}, {}, False, rules)
    _, _, points = max(found, key=lambda one: one[:2])
    doubles = cumberland_doubles(record, rules, won)
    if not won and (length < 13 or rules["suit_doubles"] == "winner"):
        doubles.pop("clean", None)
        doubles.pop("pure", None)
    return shown(points, doubles, won, rules)


def shown(points: dict[str, int], doubles: dict[str, int], won: bool, rules: dict[str, Any]) -> dict[str, Any]:
    """The answer: items of points and of doubles side by side."""
    base, times = sum(points.values()), sum(doubles.values())
    total = base * 2**times
    limit = rules["limit"]
    return {
        "complete": won,
        "allowed": won,
        "items": {**points, **doubles},
        "special": None,
        "base": base,
        "doubles": times,
        "points": total if limit in (None, "none") else min(total, limit),
    }


def cumberland_readings(record: Record, rules: dict[str, Any], won: bool) -> Iterator[dict[str, int]]:
    """The items of points of every reading: (pungs, kongs, pairs, flowers, winner). (CUM-5.1 to 5.5)"""
    declared = [(read(meld["tiles"]), is_natural(meld, rules)) for meld in record.get("melds", ())]
    fixed = {"winner": 20} if won else {}
    flowers = 4 * len(flowers_of(record)) if won or rules["loser_flowers"] else 0
    drawn = record.get("by") in DRAWN
    if won:
        for parting in regular(physical(record), len(declared)):
            groups = [(names(group), drawn or not any(last for _, last in group)) for group in parting]
            yield nonzero({**fixed, **set_points([*declared, *groups]), "flower": flowers})
        return
    held = Counter(tile for tile, _ in physical(record))
    # Four undeclared ones are a pung. (CUM-5.5)
    groups = [([tile] * min(number, 3), True) for tile, number in held.items() if number > 1]
    yield nonzero({**set_points([*declared, *groups]), "flower": flowers})


def nonzero(items: dict[str, int]) -> dict[str, int]:
    """The items that are worth something."""
    return {name: number for name, number in items.items() if number}


def set_points(groups: list[tuple[list[str], bool]]) -> dict[str, int]:
    """Points of sets and pairs. (CUM-5.2, 5.3)"""
    found = {"pung": 0, "kong": 0, "pair": 0}
    for tiles, natural in groups:
        dear = tiles[0][0] in "19" or tiles[0][1] == "z"
        if len(tiles) == 2:
            found["pair"] += 2 if dear else 0
        elif is_same(tiles):
            word = "kong" if len(tiles) == 4 else "pung"
            found[word] += SET_POINTS[word, dear, natural]
    return found


def cumberland_doubles(record: Record, rules: dict[str, Any], won: bool) -> dict[str, int]:
    """Every double by its reason. (CUM-5.6, 5.7)"""
    tiles, seat = faces(record), seat_of_wind(record["seat_wind"])
    held = Counter(tiles)
    flowers = flowers_of(record)
    seasons = [flower for flower in flowers if flower[0] in "1234"]
    plants = [flower for flower in flowers if flower[0] in "5678"]
    found = {
        "east_won": int(won and record["seat_wind"] == "E"),
        "dragon": sum(held[dragon] >= 3 for dragon in DRAGONS),
        "seat_wind": int(held[WINDS[record["seat_wind"]]] >= 3),
        "round_wind": int(held[WINDS[record["round_wind"]]] >= 3),
        "own_season": int(f"{seat}f" in seasons),
        "own_flower": int(f"{seat + 4}f" in plants),
        "all_seasons": 2 if len(seasons) == 4 else 0,
        "all_flowers": 2 if len(plants) == 4 else 0,
        "clean": int(len(suits(tiles)) == 1 and has_honours(tiles)),
        "pure": 3 if len(suits(tiles)) == 1 and not has_honours(tiles) else 0,
    }
    if not rules["bouquet_own"]:
        found["own_season"] *= len(seasons) < 4
        found["own_flower"] *= len(plants) < 4
    return nonzero(found)


# Balsall.


def balsall(record: Record) -> dict[str, Any]:
    """The row and the points for the rest; only a winner's hand is scored. (BAL-5, 6, 7.1)"""
    rules = rules_of(record)
    if not record.get("winner", True):
        nothing = {"complete": False, "allowed": False, "items": {}, "special": None}
        return {**nothing, "base": 0, "doubles": 0, "points": 0}
    found = [
        (sum(items.values()), sum(rows.values()), -min(ORDER.index(row) for row in rows), items, rows)
        for rows in balsall_rows(record, rules)
        for items in [{**rows, **balsall_items(record, any(row in CONCEALED_ROWS for row in rows))}]
    ]
    if not found:
        return {"complete": False}
    total, _, _, items, rows = max(found, key=lambda one: one[:3])
    special = [row for row in rows if row not in BASIC_ROWS]
    minimum = 5 if "goulash" in record.get("conditions", ()) else rules["min_points"]
    return {
        "complete": True,
        "allowed": total >= minimum,
        "items": items,
        "special": special[0] if special else None,
        "base": total,
        "doubles": 0,
        "points": total,
    }


def is_concealed(record: Record) -> bool:
    """Nothing claimed before the winning tile; hidden kongs do not matter. (BAL-4.1, 5.5)"""
    return all(meld.get("type") == "concealed" for meld in record.get("melds", ()))


def balsall_rows(record: Record, rules: dict[str, Any]) -> Iterator[dict[str, int]]:
    """Every row that the hand is, in every reading; with `rows = "add"` the basic ones of a reading together."""
    melds = [read(meld["tiles"]) for meld in record.get("melds", ())]
    for parting in regular(physical(record), len(melds)):
        groups = [*melds, *map(names, parting)]
        basic = {row: BASIC_ROWS[row] for row in basic_rows(groups)}
        if rules["rows"] == "add":
            yield {row: points for row, points in basic.items() if points} or basic
        else:
            yield from ({row: points} for row, points in basic.items())
        yield from ({row: SPECIAL_ROWS[row]} for row in special_rows(groups))
    if is_concealed(record):
        yield from ({row: CONCEALED_ROWS[row]} for row in concealed_rows(record, rules))


def basic_rows(groups: list[list[str]]) -> Iterator[str]:
    """BAL-5.2 for one reading."""
    sets, tiles = [group for group in groups if len(group) > 2], [tile for group in groups for tile in group]
    yield "chicken"
    if all(map(is_chow, sets)):
        yield "sequence"
    if all(map(is_same, sets)):
        yield "all_pongs"
    if len(suits(tiles)) == 1:
        yield "semi_pure" if has_honours(tiles) else "pure"


def special_rows(groups: list[list[str]]) -> Iterator[str]:
    """BAL-5.4 for one reading."""
    sets, (pair,) = [group for group in groups if len(group) > 2], [group for group in groups if len(group) == 2]
    tiles = [tile for group in groups for tile in group]
    equal = [group[0] for group in sets if is_same(group)]
    winds = [tile for tile in equal if tile in WINDS.values()]
    if all(dragon in equal for dragon in DRAGONS):
        yield "3_big_dragons"
    if len(winds) == 3 and pair[0] in WINDS.values() and suits(tiles):
        yield "little_winds"
    if len(winds) == 4:
        yield "big_4_winds"
    if not suits(tiles):
        yield "all_honours"
    if len(equal) == 4 and all(tile[0] in "19" and tile[1] in "mps" for tile in tiles):
        yield "all_terminal"
    if all(len(group) == 4 for group in sets):
        yield "all_kongs"
    for row, suit, dragon in (("jade_dragon", "s", "6z"), ("ruby_dragon", "m", "7z"), ("pearl_dragon", "p", "5z")):
        kinds = sorted(tile[1] if tile != dragon else "dragon" for tile in equal)
        if kinds == ["dragon", suit, suit, suit] and pair[0][1] == suit:
            yield row


def concealed_rows(record: Record, rules: dict[str, Any]) -> Iterator[str]:
    """BAL-6 for a hand of which nothing but the winning tile was claimed."""
    tiles, standing, melds = faces(record), physical(record), record.get("melds", ())
    held = Counter(tiles)
    if not melds:
        if pairs_of(partings(standing, {2: 7}, is_same), rules):
            yield "7_pairs"
        if len(suits(tiles)) == 2 and partings(standing, {2: 7}, is_knitted):
            yield "double_knitting"
        if partings(standing, {3: 4, 2: 1}, is_knitted):
            yield "triple_knitting"
        if is_nine_gates(tiles) and (rules["nine_gates"] == "any" or is_pure_gates(read(record["standing"]))):
            yield "9_gates"
        if is_thirteen_orphans(tiles):
            yield "13_orphans"
    no_kong = all(meld["kind"] != "kong" for meld in melds)
    pungs = any(all(is_same(names(group)) for group in parting) for parting in regular(standing, len(melds)))
    if pungs and no_kong and record["by"] in DRAWN and all(meld["kind"] == "pung" for meld in melds):
        yield "hidden_treasure"
    ranks = {tile for tile in tiles if tile[1] != "z"}
    if len(suits(tiles)) == 1 and len(ranks) == 9 and all(held[tile] == 1 for tile in ranks):
        honours = sorted(held[tile] for tile in held if tile[1] == "z")
        if honours == [1, 1, 1, 1, 1]:
            yield "little_snake"
        if honours == ([2, 3] if no_kong else [2, 4]):
            yield "great_snake"


def pairs_of(found: set[Parting], rules: dict[str, Any]) -> bool:
    """Whether one parting into pairs counts: four equal tiles may be barred. (BAL-6.1)"""
    return any(rules["quads_as_pairs"] or len({group[0][0] for group in parting}) == 7 for parting in found)


def is_knitted(tiles: list[str]) -> bool:
    """One number in as many suits as there are tiles. (BAL-6.2, 6.3)"""
    return len(suits(tiles)) == len(tiles) and len({tile[0] for tile in tiles}) == 1


def is_pure_gates(standing: list[str]) -> bool:
    """1112345678999 before the last tile came."""
    return sorted(tile[0] for tile in standing) == list("1112345678999")


def balsall_items(record: Record, concealed_row: bool) -> dict[str, int]:
    """One point each. Rows of BAL-6 gain nothing for honours or for being concealed. (BAL-5.5, 6.9)"""
    held, flowers = Counter(faces(record)), flowers_of(record)
    conditions = record.get("conditions", ())
    seat, wind = seat_of_wind(record["seat_wind"]), seat_of_wind(record["round_wind"])
    found = {
        "self_drawn": int(record["by"] in DRAWN),
        "replacement_tile": int(record["by"] == "loose" or "after_kong" in conditions),
        "last_tile": int("last_tile" in conditions),
        "last_discard": int("last_discard" in conditions),
        "no_flowers": int(not flowers),
        "all_red": int({"1f", "2f", "3f", "4f"} <= set(flowers)),
        "all_blue": int({"5f", "6f", "7f", "8f"} <= set(flowers)),
        "red_flower_of_round": int(f"{wind}f" in flowers),
        "blue_flower_of_seat": int(f"{seat + 4}f" in flowers),
    }
    if not concealed_row:
        found["dragon"] = sum(held[dragon] >= 3 for dragon in DRAGONS)
        found["round_wind"] = int(held[WINDS[record["round_wind"]]] >= 3)
        found["seat_wind"] = int(held[WINDS[record["seat_wind"]]] >= 3)
        found["concealed_hand"] = int(is_concealed(record))
    return nonzero(found)
