"""Questions by which every option of every ruleset can be told: hands, deals and throws that clubs decide differently.

`QUESTIONS` has a list for each game: (command, record). A record may set other options that the one in question needs.
"""

from typing import Any

from tests.host.rules.hong_kong.support import hand
from tests.reference.classical_examples import kong, pung

Question = tuple[str, dict[str, Any]]
RANDOM: Question = ("deals", {"bots": "random", "count": 30, "seed": 3})


def _hong_kong(text: str, by: str = "discard", **more: Any) -> Question:
    return "score", {**hand(text), "by": by, "seat_wind": "S", "round_wind": "E", **more}


def _won(events: list[Any], end: str = "win", **more: Any) -> Question:
    return "settle", {"dealer": 0, "round_wind": "E", "first_dealer": 0, "events": events, "end": end, **more}


def _hu(seat: int, by: str, from_: int | None, shown: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "hu", "by": by, "from": from_, "winners": [{"seat": seat, **shown}], **more}


_CHEAP = "123m456p789s12s55z +3s"
_NINE = hand("23m99m [123m] [456m] [777m] +4m")
_FED = {"type": "twelve_pieces", "seat": 1, "from": 0}
_DRAGONS = hand("9p [123p] [555z] [666z] [777z] +9p")
_FLOWER_ALONE = {"flowers": True, "min_faan": 1, "concealed_hand": 0, "all_chows_pair": "suited"}
_TWO = [{"seat": 1, "points": 1}, {"seat": 2, "points": 2}]

HONG_KONG: list[Question] = [
    _hong_kong("123m456p789s123s2z +2z"),
    _hong_kong("1133557799m11p5z +5z"),
    _hong_kong("111m999p11s22z [333z] +1s"),
    _hong_kong("123m 444p 7z [555z] [666z] +7z"),
    _hong_kong("19m19p19s1234567z +1z", options={"max_base": "none"}),
    _hong_kong("19m19p19s1234567z +1z"),
    _hong_kong("23m99m [123m] [456m] [777m] +4m", by="self_drawn"),
    _hong_kong(_CHEAP, conditions=["last_discard"]),
    _hong_kong(_CHEAP, flowers=["2f"], options={"min_faan": 0}),
    _hong_kong(_CHEAP, flowers=["2f"], options=_FLOWER_ALONE),
    _won([_hu(1, "discard", 2, hand(_CHEAP))]),
    _won([_hu(1, "discard", 2, _NINE)]),
    _won([_FED, _hu(1, "self_drawn", None, _DRAGONS)], options={"nine_call": "auto"}),
    *(_won([_hu(1, "robbed_kong", 2, {"points": 8}, kong=face)]) for face in ("promoted", "shown", "hidden")),
    _won([{"type": "hu", "by": "discard", "from": 0, "winners": _TWO}], options={"min_faan": 0}),
    _won([{"type": "false_win", "seat": 0}], "false_win"),
    _won([_hu(0, "discard", 2, {"points": 8})]),
    _won([], "time_up"),
    ("break", {"dealer": 0, "dice": [6, 6, 6]}),
    ("late", {}),
    RANDOM,
]

_WORTH = [{"points": points} for points in (80, 84, 208, 416)]
_GAME = {"east": 0, "winner": 1, "by": "discard", "from": 2, "round_wind": "E", "hands": _WORTH}
_AROUND = {"seat_wind": "E", "round_wind": "E"}
_KONGS = [kong("1z", "concealed"), kong("7z", "promoted"), kong("6z"), kong("5s", "promoted")]
_CLUB = [
    ("settle", {**_GAME, "by": "robbed_kong"}),
    *(("settle", {**_GAME, "claimed_ms": claimed_ms}) for claimed_ms in (700, 2500, 3500)),
]
CUMBERLAND: list[Question] = [
    ("score", {"standing": "9s", "melds": _KONGS, "winning": "9s", "by": "discard", **_AROUND}),
    ("score", {"standing": "234567m5m11m99m22z", "winner": False, "flowers": ["1f", "2f", "3f", "4f"], **_AROUND}),
    ("settle", _GAME),
    ("settle", {**_GAME, "east": 3}),
    *(("settle", {**_GAME, "hands_played": played}) for played in (4, 15)),
    ("explain", {**_GAME, "events": [{"type": "flipped", "tile": "5m"}]}),
    *_CLUB,
    RANDOM,
]

_PAID = {**_GAME, "hands": [None, {"points": 4}, None, None]}
_GATES = {"standing": "1123455678999m", "winning": "1m", "by": "discard", "seat_wind": "S", "round_wind": "W"}
BALSALL: list[Question] = [
    ("score", _GATES),
    ("score", {**_GATES, "standing": "1111m3377p2288s5z", "winning": "5z"}),
    ("score", {**_GATES, "standing": "1122m", "melds": [pung("555m"), pung("777m"), pung("333z")], "winning": "2m"}),
    ("settle", _PAID),
    ("settle", {**_PAID, "events": [{"type": "count_error", "seat": 1, "what": "short"}]}),
    *((command, {**record, "hands": _PAID["hands"]}) for command, record in _CLUB),
    ("break", {"dealer": 0, "dice": [2, 5]}),
    RANDOM,
]

_READY = {"standing": "45m123456789p11p", "void": "s"}
_PIG = {"standing": "123456789m4p19s1p", "void": "s"}
_SHOWN = {"standing": "46p12345678911s", "void": "m", "winning": "5p"}
_NO_HU = {"standing": "46p12345678912s", "void": "m", "winning": "5p"}


def _ended(events: list[Any], *hands: Any, end: str = "wall") -> Question:
    return "settle", {"dealer": 0, "events": events, "end": end, "hands": list(hands)}


def _three_hu(last: Any) -> Question:
    events = [_hu(seat, "discard", 3, {"value": 1}) for seat in range(3)]
    return _ended(events, {"seat": 3, **last}, end="three_hu")


def _kong(seat: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"type": "kong", "seat": seat, "kind": kind, **more}


_NOBODY = [{"seat": seat, "value": 0} for seat in range(4)]
_CHAIN = [_kong(1, "concealed"), _kong(1, "concealed", chain=True)]
_SHOOT = {"type": "hu", "by": "discard", "from": 1, "after_kong": True, "winners": [{"seat": 0, "value": 1}]}
_ROBBED = [_kong(1, "concealed"), _kong(1, "promoted", chain=True, robbed=True)]
_WIN = _hu(0, "robbed_kong", 1, _SHOWN, after_kong=True)
SICHUAN: list[Question] = [
    ("score", {"standing": "1111222233344m", "winning": "3m", "void": "s", "conditions": ["self_drawn"]}),
    ("waits", {"standing": "1112345678999s", "void": "m"}),
    ("waits", {"standing": "1112345s", "melds": [kong("9s", "concealed"), kong("8s")], "void": "m"}),
    ("break", {"dealer": 1, "dice": [6, 4]}),
    _ended([], {"seat": 0, **_PIG}, *_NOBODY[1:]),
    _ended([], {"seat": 0, **_PIG, "only_void_discards": True}, *_NOBODY[1:]),
    _three_hu(_PIG),
    _ended([{"type": "breach", "seat": 2}], *_NOBODY),
    _ended([_hu(0, "self_drawn", None, _NO_HU)], *_NOBODY[1:]),
    _ended([*_CHAIN, _SHOOT], *_NOBODY[1:]),
    _ended([*_ROBBED, _WIN], *_NOBODY[1:]),
    ("event", {"events": [], "end": "time_up"}),
    ("format", {}),
    ("walls", {"dealer": 1}),
    RANDOM,
]

QUESTIONS = {"hong_kong": HONG_KONG, "cumberland": CUMBERLAND, "balsall": BALSALL, "sichuan": SICHUAN}
"""By game, the classical ones by ruleset."""

_NO_YES = (False, True)
VALUES: dict[str, dict[str, tuple[Any, ...]]] = {
    "hong_kong": {
        "flowers": _NO_YES,
        "dead_wall": (0, 14),
        "concealed_kong": ("choice", "shown", "hidden"),
        "late_claims": _NO_YES,
        "multi_win": ("nearest", "all"),
        "last_discard": _NO_YES,
        "seven_pairs": (0, 4),
        "table": ("old_style", "modern"),
        "all_chows_pair": ("any", "suited"),
        "concealed_hand": (0, 1),
        "mixed_terminals": (0, 1),
        "limit_faan": (1, 3, 10, 13),
        "min_faan": (0, 1, 3, 13),
        "flowers_for_minimum": _NO_YES,
        "points_table": ("spicy", "half_spicy", "laak"),
        "max_base": (64, 128, "none"),
        "payment": ("half", "full"),
        "robbed_pays": ("discard", "all"),
        "nine_call": ("declared", "auto"),
        "liable_hands": ("full_flush", "tvb"),
        "false_win_dealer": ("stay", "pass"),
        "dealer_repeat": _NO_YES,
        "time_up": ("finish", "stop"),
    },
    "cumberland": {
        "reserve": (0, 14, 16),
        "rob_kong": _NO_YES,
        "wind_of_round": ("each_hand", "each_round", "fixed"),
        "flipped": ("stay", "shuffle"),
        "claim_ms": (500, 2000, 60_000),
        "promoted": ("natural", "exposed"),
        "loser_flowers": _NO_YES,
        "bouquet_own": _NO_YES,
        "suit_doubles": ("all", "winner"),
        "limit": ("none", 500, 1000),
        "settlement": ("record", "classical"),
        "session_hands": (0, 5, 16),
    },
    "balsall": {
        "reserve": (0, 14, 16),
        "rob_kong": _NO_YES,
        "dice": (3, 2),
        "flowers": ("rounds", "at_once"),
        "claim_ms": (500, 3000, 60_000),
        "rows": ("best", "add"),
        "quads_as_pairs": _NO_YES,
        "nine_gates": ("any", "pure"),
        "min_points": (3, 5),
        "chips_per_point": (1, 2, 1000),
        "count_error": ("mend", "no_win"),
    },
    "sichuan": {
        "fan_limit": (3, 4, "none"),
        "long_walls": ("dealer", "east_west"),
        "forbidden_suit": ("chosen", "nobody"),
        "own_walls": _NO_YES,
        "void_first": _NO_YES,
        "void_points": (24, 48),
        "void_check": ("wall", "any"),
        "passive_exempt": _NO_YES,
        "breach_points": (0, 24),
        "wall_end_value": ("best", "one"),
        "wall_end_kongs": _NO_YES,
        "shoot_voids": ("last", "turn"),
        "chain_rob_shoots": _NO_YES,
        "false_hu": ("players", "penalty"),
        "false_hu_points": (8, 24),
        "time_up": ("finish", "stop"),
        "session_deals": (0, 8),
        "session_minutes": (45, 60),
        "session_minutes_range": ([60, 60], [40, 50], [70, 80]),
        "warning_minutes": ([], [10]),
        "best_of": ([], [4, 5]),
        "table_points": ([4, 3, 2, 1], [5, 3, 1, 0]),
    },
}
"""Values of each option that must differ from one another in some answer."""
NEEDS = {"wall_end_kongs": 'wall_end_value = "best"\n', "void_first": 'forbidden_suit = "chosen"\n'}
"""What a club's file says besides, where an option means nothing without it."""
