"""The reference of Hong Kong Old Style against the worked examples of its clauses. (HKO-12)"""

from typing import Any

import pytest

from tests.reference import hong_kong
from tests.reference.full_set import Record
from tests.reference.hong_kong_settle import settle
from tests.reference.two_ended import break_

E, S, W, N = range(4)


def meld(tiles: str, type_: str | None = None) -> dict[str, str]:
    """A declared set by its tiles."""
    kind = "kong" if len(tiles) == 5 else "pung" if len(set(tiles)) == 2 else "chow"
    return {"kind": kind, "tiles": tiles} if type_ is None else {"kind": kind, "tiles": tiles, "type": type_}


def hand(standing: str, *melds: dict[str, str], winning: str, conditions: tuple[str, ...] = ()) -> dict[str, Any]:
    """The part of a winner's entry that the tiles make."""
    return {"standing": standing, "melds": list(melds), "winning": winning, "conditions": list(conditions)}


# Number in HKO-12, winner, how, from whom, other events, ruleset, round wind, hand, items, base, deltas.
EXAMPLES: list[tuple[Any, ...]] = [
    (
        1, S, "discard", W, (), "hong-kong", "S", hand("123m789m456p5s", meld("222s"), winning="5s"),
        {}, 1, (-1, 4, -2, -1),
    ),
    (
        2, S, "discard", W, (), "hong-kong", "S", hand("111222333m67s55p", winning="8s"),
        {"all_chows": 1}, 2, (-2, 8, -4, -2),
    ),
    (
        3, E, "self_drawn", None, (), "hong-kong", "E", hand("234m456p678s9p", meld("111z"), winning="9p"),
        {"seat_wind": 1, "round_wind": 1, "self_drawn": 1}, 8, (48, -16, -16, -16),
    ),
    (
        4, W, "discard", N, (), "hong-kong", "E", hand("123456s9s", meld("777s"), meld("555z"), winning="9s"),
        {"half_flush": 3, "dragon": 1}, 16, (-16, -16, 64, -32),
    ),
    (
        5, N, "discard", E, (), "hong-kong", "E",
        hand("222m7m", meld("555p"), meld("888s"), meld("333z"), winning="7m"), {"all_pungs": 3}, 8, (-16, -8, -8, 32),
    ),
    (
        6, S, "discard", N, (), "hong-kong", "E", hand("123m444p7z", meld("555z"), meld("666z"), winning="7z"),
        {"little_three_dragons": 4}, 16, (-16, 64, -16, -32),
    ),
    (
        7, S, "discard", W, ({"type": "nine_pieces", "seat": S},), "hong-kong", "E",
        hand("23m99m", meld("123m"), meld("456m"), meld("777m"), winning="4m"),
        {"full_flush": 6}, 64, (0, 256, -256, 0),
    ),
    (
        8, S, "self_drawn", None,
        ({"type": "nine_pieces", "seat": S}, {"type": "twelve_pieces", "seat": S, "from": E}), "hong-kong", "E",
        hand("9m", meld("123m"), meld("456m"), meld("777m"), meld("345m"), winning="9m"),
        {"full_flush": 6, "self_drawn": 1}, 64, (-384, 384, 0, 0),
    ),
    (
        9, N, "robbed_kong", E, (), "hong-kong", "E", hand("119m19p19s234567z", winning="1z"),
        {"thirteen_orphans": 10}, 64, (-128, -64, -64, 256),
    ),
    (
        10, S, "loose", None, (), "hong-kong", "E",
        hand("123m456s777m8s", meld("9999p", "concealed"), winning="8s", conditions=("last_tile",)),
        {"self_drawn": 1, "after_a_kong": 1, "last_tile": 1}, 8, (-16, 48, -16, -16),
    ),
    (
        11, S, "self_drawn", None, (), "hong-kong-modern", "E",
        hand("999m5m", meld("111m"), meld("333m"), meld("777m"), winning="5m"),
        {"full_flush": 7, "all_pungs": 3, "self_drawn": 1}, 192, (-384, 1152, -384, -384),
    ),
]  # fmt: skip


def deal(
    winner: int, by: str, giver: int | None, before: tuple[Record, ...], ruleset: str, wind: str, tiles: Record
) -> Record:
    """The settle input of an example. The dealer is seat 0."""
    entry = {"seat": winner, **tiles}
    event = {"type": "hu", "by": by, "from": giver, "winners": [entry]}
    return {"ruleset": ruleset, "dealer": 0, "round_wind": wind, "events": [*before, event], "end": "win"}


@pytest.mark.parametrize(
    ("number", "winner", "by", "giver", "before", "ruleset", "wind", "tiles", "items", "points", "deltas"), EXAMPLES
)
def test_worked_examples(
    number: int, winner: int, by: str, giver: int | None, before: tuple[Record, ...], ruleset: str, wind: str,
    tiles: Record, items: dict[str, int], points: int, deltas: tuple[int, ...],
) -> None:  # fmt: skip
    found = hong_kong.score({**tiles, "ruleset": ruleset, "by": by, "seat_wind": "ESWN"[winner], "round_wind": wind})
    assert (found["items"], found["points"]) == (items, points), number
    settled = settle(deal(winner, by, giver, before, ruleset, wind, tiles))
    assert tuple(settled["points"]) == deltas
    assert settled["next_dealer"] == (0 if winner == 0 else 1)


def test_a_false_win_pays_the_dearest_hand_to_each() -> None:
    """Example 12. (HKO-7.1, 7.3)"""
    events = [{"type": "false_win", "seat": W}]
    settled = settle({"ruleset": "hong-kong", "dealer": 0, "round_wind": "E", "events": events, "end": "false_win"})
    assert settled["points"] == [128, 128, -384, 128]
    assert (settled["next_dealer"], settled["round_wind"]) == (0, "E")


@pytest.mark.parametrize(
    ("dice", "first", "tail", "head"),
    [
        ([1, 1, 1], [W, 4, 1], [W, 3, 1], None),
        ([1, 1, 1], [W, 4, 1], [W, 3, 1], [S, 13, 0]),
        ([3, 3, 4], [S, 11, 1], [S, 10, 1], [N, 3, 0]),
        ([6, 6, 5], [N, 1, 1], [E, 17, 1], [W, 10, 0]),
        ([6, 6, 6], [E, 2, 1], [E, 1, 1], [N, 11, 0]),
    ],
)
def test_breaks_of_the_clauses(dice: list[int], first: list[int], tail: list[int], head: list[int] | None) -> None:
    """The four checks of HKO-2.3 and the heads of HKO-2.4."""
    found = break_({"ruleset": "hong-kong", "dealer": 0, "dice": dice})
    assert (found["side"], found["left"]) == ((sum(dice) - 1) % 4, 83)
    assert (found["first"], found["replacements"][0]) == (first, tail)
    assert head in (None, found["head_after_deal"])


def test_eighteen_stacks_are_one_whole_wall() -> None:
    """HKO-2.3 and 2.4 with flowers."""
    found = break_({"ruleset": "hong-kong", "options": {"flowers": True}, "dealer": 0, "dice": [6, 6, 6]})
    assert (found["side"], found["first"], found["replacements"][0], found["left"]) == (S, [E, 1, 1], [S, 18, 1], 91)


def test_the_modern_table_is_another() -> None:
    """HKO-10.2 and 10.3 by hand."""
    three = hand("234p8m", meld("555z"), meld("666z"), meld("777z"), winning="8m")
    common = {"ruleset": "hong-kong-modern", "by": "discard", "seat_wind": "S", "round_wind": "E"}
    assert hong_kong.score({**three, **common})["items"] == {"big_three_dragons": 8}
    little = hand("444z888p7z", meld("555z"), meld("666z"), winning="7z")
    found = hong_kong.score({**little, **common})
    assert found["items"] == {"little_three_dragons": 5, "all_pungs": 3, "half_flush": 3}
    assert (found["faan"], found["points"]) == (11, 192)
    honours = hand("777z6z", meld("111z"), meld("222z"), meld("555z"), winning="6z")
    found = hong_kong.score({**honours, **common, "by": "self_drawn"})
    assert (found["items"], found["faan"]) == ({"all_honors": 10, "self_drawn": 1}, 11)
