"""The twelve worked examples of the classical clauses, and hands of every row of Balsall's table, with answers.

They are data for the reference and for the command line alike.
"""

from typing import Any

Json = dict[str, Any]


def chow(tiles: str) -> Json:
    """A claimed chow."""
    return {"kind": "chow", "tiles": tiles}


def pung(tiles: str) -> Json:
    """A claimed pung."""
    return {"kind": "pung", "tiles": tiles}


def kong(tiles: str, type_: str = "melded") -> Json:
    """A kong; the tile once is enough."""
    return {"kind": "kong", "tiles": tiles[0] * 4 + tiles[1], "type": type_}


def hand(ruleset: str, winds: str, standing: str, *melds: Json, **more: Any) -> Json:
    """A score input. `winds` is the wind of the seat and that of the round: "SW"."""
    record = {"ruleset": ruleset, "standing": standing, "melds": list(melds)}
    return {**record, "seat_wind": winds[0], "round_wind": winds[1], **more}


def cumberland(winds: str, standing: str, *melds: Json, **more: Any) -> Json:
    """A hand of Cumberland, won by a discard unless `by` says otherwise."""
    return hand("cumberland", winds, standing, *melds, **{"by": "discard", **more})


def balsall(winds: str, standing: str, *melds: Json, **more: Any) -> Json:
    """A hand of Balsall, won by a discard unless `by` says otherwise."""
    return hand("balsall", winds, standing, *melds, **{"by": "discard", **more})


def of_cumberland(base: int, doubles: int, points: int, won: bool = True, **items: int) -> Json:
    """What `rules score` answers."""
    start = {"complete": won, "allowed": won, "items": items, "special": None}
    return {**start, "base": base, "doubles": doubles, "points": points}


def of_balsall(special: str | None, allowed: int = 1, **items: int) -> Json:
    """What `rules score` answers; all items are points."""
    total = sum(items.values())
    start = {"complete": True, "allowed": bool(allowed), "items": items, "special": special}
    return {**start, "base": total, "doubles": 0, "points": total}


LOSER = {"winner": False}
# Number of the worked example or clause -> (input, answer).
SCORES: dict[str, tuple[Json, Json]] = {
    "1: 28 points with 3 doubles": (
        cumberland("SW", "1112345673466m", winning="5m"),
        of_cumberland(28, 3, 224, winner=20, pung=8, pure=3),
    ),
    "3: the discard in the chow": (
        cumberland("SW", "11123m22p", chow("456p"), chow("456s"), winning="1m"),
        of_cumberland(28, 0, 28, winner=20, pung=8),
    ),
    "4: East's kongs": (
        cumberland(
            "EE", "9s", kong("1z", "concealed"), kong("7z", "promoted"), kong("6z"), kong("5s", "promoted"),
            winning="9s", by="loose",
        ),
        of_cumberland(
            118, 6, 7552, winner=20, kong=96, pair=2, east_won=1, dragon=2, seat_wind=1, round_wind=1, clean=1
        ),
    ),
    "5: a loser": (
        cumberland("SW", "234567m5m11m99m22z", **LOSER),
        of_cumberland(6, 1, 12, won=False, pair=6, clean=1),
    ),
    "5: a loser without doubles for suits": (
        cumberland("SW", "234567m5m11m99m22z", **LOSER, options={"suit_doubles": "winner"}),
        of_cumberland(6, 0, 6, won=False, pair=6),
    ),
    "9: a goulash on a discard": (
        balsall(
            "SE", "222m88p3s3s", pung("444p"), pung("777s"), winning="3s", flowers=[], conditions=["goulash"]
        ),
        of_balsall(None, 0, all_pongs=3, no_flowers=1),
    ),
    "9: a goulash self-drawn": (
        balsall(
            "SE", "222m88p3s3s", pung("444p"), pung("777s"), winning="3s", by="self_drawn", conditions=["goulash"]
        ),
        of_balsall(None, all_pongs=3, no_flowers=1, self_drawn=1),
    ),
    "10: little winds": (
        balsall(
            "SW", "234p4z", pung("111z"), pung("222z"), pung("333z"), winning="4z", flowers=["2f"]
        ),
        of_balsall("little_winds", little_winds=8, seat_wind=1, round_wind=1),
    ),
    "11: hidden treasure": (
        balsall("SW", "222m666p88999s11z", winning="8s", by="self_drawn", flowers=["2f"]),
        of_balsall("hidden_treasure", hidden_treasure=10, self_drawn=1),
    ),
    "12: pure is more than seven pairs": (
        balsall("SW", "1122334455667m", winning="7m", flowers=["2f"]),
        of_balsall(None, pure=6, concealed_hand=1),
    ),
}  # fmt: skip

# The row -> a hand of it as the clause shows it, with one flower of nobody's, and the items.
ROWS: dict[str, tuple[Json, Json]] = {
    "3_big_dragons": (
        balsall("SE", "234p8m", pung("555z"), pung("666z"), pung("777z"), winning="8m", flowers=["2f"]),
        of_balsall("3_big_dragons", **{"3_big_dragons": 6}, dragon=3),
    ),
    "little_winds": (
        balsall("SE", "234p4z", pung("111z"), pung("222z"), pung("333z"), winning="4z", flowers=["2f"]),
        of_balsall("little_winds", little_winds=8, round_wind=1, seat_wind=1),
    ),
    "big_4_winds": (
        balsall("SE", "8m", pung("111z"), pung("222z"), pung("333z"), pung("444z"), winning="8m", flowers=["2f"]),
        of_balsall("big_4_winds", big_4_winds=10, round_wind=1, seat_wind=1),
    ),
    "all_honours": (
        balsall("WN", "777z6z", pung("111z"), pung("222z"), pung("555z"), winning="6z", flowers=["2f"]),
        of_balsall("all_honours", all_honours=10, dragon=2),
    ),
    "all_terminal": (
        balsall("SE", "111p9s", pung("111m"), pung("999m"), pung("999p"), winning="9s", flowers=["2f"]),
        of_balsall("all_terminal", all_terminal=10),
    ),
    "all_kongs": (
        balsall("SE", "5p", kong("2m"), kong("3p"), kong("8s"), kong("7z"), winning="5p", flowers=["2f"]),
        of_balsall("all_kongs", all_kongs=10, dragon=1),
    ),
    "jade_dragon": (
        balsall("SE", "3s", pung("111s"), pung("444s"), pung("999s"), pung("666z"), winning="3s", flowers=["2f"]),
        of_balsall("jade_dragon", jade_dragon=10, dragon=1),
    ),
    "ruby_dragon": (
        balsall("SE", "4m", pung("111m"), pung("333m"), pung("999m"), pung("777z"), winning="4m", flowers=["2f"]),
        of_balsall("ruby_dragon", ruby_dragon=10, dragon=1),
    ),
    "pearl_dragon": (
        balsall("SE", "4p", pung("111p"), pung("333p"), pung("999p"), pung("555z"), winning="4p", flowers=["2f"]),
        of_balsall("pearl_dragon", pearl_dragon=10, dragon=1),
    ),
    "7_pairs": (
        balsall("SE", "1155m3377p2288s5z", winning="5z", flowers=["2f"]),
        of_balsall("7_pairs", **{"7_pairs": 6}),
    ),
    "double_knitting": (
        balsall("SE", "1355789m135578s", winning="9s", flowers=["2f"]),
        of_balsall("double_knitting", double_knitting=6),
    ),
    "triple_knitting": (
        balsall("SE", "1358m13589p1358s", winning="9s", flowers=["2f"]),
        of_balsall("triple_knitting", triple_knitting=6),
    ),
    "9_gates": (
        balsall("SE", "1112345678999m", winning="5m", flowers=["2f"]),
        of_balsall("9_gates", **{"9_gates": 10}),
    ),
    "13_orphans": (
        balsall("SE", "19m19p19s1234567z", winning="7z", flowers=["2f"]),
        of_balsall("13_orphans", **{"13_orphans": 10}),
    ),
    "hidden_treasure": (
        balsall("SE", "222m666p888s999s1z", winning="1z", by="self_drawn", flowers=["2f"]),
        of_balsall("hidden_treasure", hidden_treasure=10, self_drawn=1),
    ),
    "little_snake": (
        balsall("SE", "123456789s1246z", winning="7z", flowers=["2f"]),
        of_balsall("little_snake", little_snake=10),
    ),
    "great_snake": (
        balsall("SE", "123456789s3z", kong("7z", "concealed"), winning="3z", flowers=["2f"]),
        of_balsall("great_snake", great_snake=10),
    ),
}

# Number of the worked example -> (input of settle, points, payments in words of the clause, what else is kept).
EAST, SOUTH, WEST, NORTH = range(4)
KONGS = [
    {"type": "kong", "seat": 1, "kind": "concealed"},
    {"type": "kong", "seat": 1, "kind": "melded", "from": 3},
    {"type": "kong", "seat": 1, "kind": "promoted"},
]
SETTLEMENTS: dict[str, tuple[Json, Json]] = {
    "6: all against all": (
        {
            "ruleset": "cumberland",
            "options": {"settlement": "classical"},
            "east": EAST,
            "winner": SOUTH,
            "by": "discard",
            "from": WEST,
            "hands": [{"points": 80}, {"points": 84}, {"points": 208}, {"points": 416}],
        },
        {"points": [-1096, 336, -36, 796], "next_dealer": SOUTH},
    ),
    "6: written down": (
        {
            "ruleset": "cumberland",
            "east": EAST,
            "winner": SOUTH,
            "by": "discard",
            "from": WEST,
            "hands": [{"points": 80}, {"points": 84}, {"points": 208}, {"points": 416}],
        },
        {"points": [80, 84, 208, 416], "payments": [], "next_dealer": SOUTH},
    ),
    "7: three kongs and a draw": (
        {"ruleset": "balsall", "east": EAST, "round_wind": "E", "winner": None, "events": KONGS},
        {"points": [-6, 18, -6, -6], "next_dealer": EAST, "goulash": True, "pot": 0, "round_wind": "E"},
    ),
    "7: the last kong wins": (
        {
            "ruleset": "balsall",
            "east": EAST,
            "round_wind": "E",
            "winner": SOUTH,
            "by": "loose",
            "events": KONGS,
            "hands": [None, {"points": 5}, None, None],
        },
        {"points": [-10, 30, -10, -10], "next_dealer": SOUTH, "goulash": False, "pot": 0, "round_wind": "E"},
    ),
    "9: the dealer takes the pot": (
        {
            "ruleset": "balsall",
            "east": EAST,
            "round_wind": "E",
            "goulash": True,
            "winner": EAST,
            "by": "self_drawn",
            "events": [],
            "hands": [{"points": 5}, None, None, None],
        },
        {"points": [15, -5, -5, -5], "next_dealer": SOUTH, "goulash": False, "pot": 0, "round_wind": "E"},
    ),
    "11: each of the three pays": (
        {
            "ruleset": "balsall",
            "east": EAST,
            "round_wind": "W",
            "winner": SOUTH,
            "by": "self_drawn",
            "hands": [None, {"standing": "222m666p88999s11z", "winning": "8s", "flowers": ["2f"]}, None, None],
        },
        {"points": [-11, 33, -11, -11], "next_dealer": SOUTH},
    ),
    "12: the discarder alone": (
        {
            "ruleset": "balsall",
            "east": EAST,
            "round_wind": "W",
            "winner": SOUTH,
            "by": "discard",
            "from": NORTH,
            "hands": [None, {"standing": "1122334455667m", "winning": "7m", "flowers": ["2f"]}, None, None],
        },
        {"points": [0, 7, 0, -7], "next_dealer": SOUTH},
    ),
}

BREAKS: dict[str, tuple[Json, Json]] = {
    "2: two throwers": (
        {"ruleset": "cumberland", "dealer": 0, "dice": [[4, 2], [1, 1]]},
        {
            "side": 1,
            "first": [1, 3, 1],
            "replacements": [[1, 2, 1], [1, 2, 0], [1, 1, 1]],
            "head_after_deal": [0, 11, 0],
            "left": 91,
        },
    ),
    "8: eighteen": (
        {"ruleset": "balsall", "dealer": 0, "dice": [6, 6, 6]},
        {
            "side": 1,
            "first": [0, 1, 1],
            "replacements": [[1, 18, 1], [1, 18, 0], [1, 17, 1]],
            "head_after_deal": [3, 9, 0],
            "left": 91,
        },
    ),
}
