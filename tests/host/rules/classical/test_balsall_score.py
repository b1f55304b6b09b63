"""What hands of Balsall are worth. (BAL-5, BAL-6, BAL-7.1)"""

import pytest

from tests.host.rules.classical.support import answer, balsall, chow, items, kong, pung

NOBODYS = {"flowers": ["2f"]}
"""A flower that is neither the round's nor the seat's, and takes the point for none."""


@pytest.mark.slow
def test_bal_4_1_hidden_kongs_leave_a_hand_concealed():
    hand = balsall("SE", "123m456p77s88s", kong("9s", "concealed"), winning="8s", **NOBODYS)
    assert items(hand) == {"chicken": 0, "concealed_hand": 1}
    assert items({**hand, "melds": [kong("9s", "promoted")]}) == {"chicken": 0}


def test_bal_5_1_a_row_and_a_point_for_each_item():
    found = answer("score", balsall("SE", "123m456p789s1s", chow("234m"), winning="1s"))
    assert found == {
        "complete": True,
        "allowed": False,
        "items": {"sequence": 1, "no_flowers": 1},
        "special": None,
        "base": 2,
        "doubles": 0,
        "points": 2,
    }


@pytest.mark.parametrize(
    ("standing", "meld", "winning", "row"),
    [
        ("123m456p777s8s", chow("234m"), "8s", {"chicken": 0}),
        ("123m456p789s5z", chow("234m"), "5z", {"sequence": 1}),
        ("222m444p777s8s", pung("333m"), "8s", {"all_pongs": 3}),
        ("123m456m777m4z", chow("234m"), "4z", {"semi_pure": 3}),
        ("123m456m777m8m", chow("234m"), "8m", {"pure": 6}),
    ],
)
def test_bal_5_2_basic_rows(standing, meld, winning, row):
    found = answer("score", balsall("SE", standing, meld, winning=winning, **NOBODYS))
    assert (found["items"], found["special"]) == (row, None)


def test_bal_5_3_one_row_counts_or_basic_rows_add_up():
    pungs = balsall("SE", "222m444m777m4z", pung("333m"), winning="4z", **NOBODYS)
    assert items(pungs) == {"all_pongs": 3}
    assert items({**pungs, "options": {"rows": "add"}}) == {"all_pongs": 3, "semi_pure": 3}
    both = balsall("SE", "111222333m99p12s", winning="3s", **NOBODYS)
    assert items(both) == {"sequence": 1, "concealed_hand": 1}


def test_bal_5_4_three_dragons_with_a_pung_of_winds():
    hand = balsall("SE", "11z88m", pung("555z"), pung("666z"), pung("777z"), winning="1z", **NOBODYS)
    found = answer("score", hand)
    assert found["items"] == {"3_big_dragons": 6, "dragon": 3, "round_wind": 1}
    assert found["special"] == "3_big_dragons"


@pytest.mark.parametrize(
    ("change", "more"),
    [
        ({"by": "self_drawn"}, {"self_drawn": 1}),
        ({"by": "loose"}, {"self_drawn": 1, "replacement_tile": 1}),
        ({"by": "self_drawn", "conditions": ["last_tile"]}, {"self_drawn": 1, "last_tile": 1}),
        ({"conditions": ["last_discard"]}, {"last_discard": 1}),
        ({"by": "robbed_kong"}, {}),
        ({"flowers": []}, {"no_flowers": 1}),
        ({"flowers": ["1f"]}, {"red_flower_of_round": 1}),
        ({"flowers": ["6f"]}, {"blue_flower_of_seat": 1}),
        ({"flowers": ["1f", "2f", "3f", "4f"]}, {"all_red": 1, "red_flower_of_round": 1}),
        ({"flowers": ["5f", "6f", "7f", "8f"]}, {"all_blue": 1, "blue_flower_of_seat": 1}),
        ({"melds": [pung("222z")]}, {"seat_wind": 1}),
        ({"melds": [pung("111z")]}, {"round_wind": 1}),
        ({"melds": [pung("555z")]}, {"dragon": 1}),
        ({"melds": [], "standing": "123m456p4577s888s"}, {"concealed_hand": 1}),
    ],
)
def test_bal_5_5_one_point_each(change, more):
    hand = balsall("SE", "123m456p4577s", pung("999s"), winning="6s", **NOBODYS)
    assert items({**hand, **change}) == {"chicken": 0, **more}


def test_bal_5_5_own_wind_that_is_the_rounds_counts_twice():
    found = items(balsall("EE", "123m456p4577s", pung("111z"), winning="6s", **NOBODYS))
    assert found == {"chicken": 0, "round_wind": 1, "seat_wind": 1}


def test_bal_6_1_four_equal_tiles_are_two_pairs_by_option():
    hand = balsall("SE", "1111m3377p2288s5z", winning="5z", **NOBODYS)
    assert items(hand) == {"7_pairs": 6}
    assert answer("score", {**hand, "options": {"quads_as_pairs": False}}) == {"complete": False}


@pytest.mark.parametrize(("standing", "is_row"), [("1155789m155789s", True), ("1155789m155788s", False)])
def test_bal_6_2_double_knitting(standing, is_row):
    winning = "1s"
    found = answer("score", balsall("SE", standing, winning=winning, **NOBODYS))
    assert found == {"complete": False} if not is_row else found["special"] == "double_knitting"


def test_bal_6_3_triple_knitting_a_number_may_occur_twice():
    assert answer("score", balsall("SE", "1158m11589p1158s", winning="9s", **NOBODYS))["special"] == "triple_knitting"
    assert answer("score", balsall("SE", "1158m11589p1157s", winning="9s", **NOBODYS)) == {"complete": False}


def test_bal_6_4_nine_gates_any_tile_last_or_only_the_extra_one():
    pure = balsall("SE", "1112345678999m", winning="5m", **NOBODYS)
    impure = balsall("SE", "1112355678999m", winning="4m", **NOBODYS)
    assert [answer("score", one)["special"] for one in (pure, impure)] == ["9_gates", "9_gates"]
    strict = {"options": {"nine_gates": "pure"}}
    assert [answer("score", {**one, **strict})["special"] for one in (pure, impure)] == ["9_gates", None]


def test_bal_6_5_thirteen_orphans_wait_for_any_of_them():
    found = answer("waits", {"ruleset": "balsall", "standing": "19m19p19s1234567z"})
    assert len(found["waits"]) == 13


def test_bal_6_6_hidden_treasure_is_drawn_and_has_no_kong():
    hand = balsall("SE", "222m666p888s999s1z", winning="1z", by="self_drawn", **NOBODYS)
    assert answer("score", hand)["special"] == "hidden_treasure"
    assert answer("score", {**hand, "by": "loose"})["special"] == "hidden_treasure"
    assert answer("score", {**hand, "by": "discard"})["items"] == {"all_pongs": 3, "concealed_hand": 1}
    with_kong = {**hand, "standing": "222m666p888s1z", "melds": [kong("9s", "concealed")]}
    assert answer("score", with_kong)["special"] is None


def test_bal_6_7_the_little_snake_has_no_pair():
    hand = balsall("SE", "123456789s1246z", winning="7z", **NOBODYS)
    assert items(hand) == {"little_snake": 10}
    assert answer("score", {**hand, "winning": "6z"}) == {"complete": False}


def test_bal_6_8_the_great_snake_may_have_a_hidden_kong():
    hand = balsall("SE", "123456789s777z3z", winning="3z", **NOBODYS)
    assert items(hand) == {"great_snake": 10}
    hidden = {**hand, "standing": "123456789s3z", "melds": [kong("7z", "concealed")]}
    assert items(hidden) == {"great_snake": 10}
    claimed = {**hidden, "melds": [kong("7z")]}
    assert items(claimed) == {"semi_pure": 3, "dragon": 1}


def test_bal_6_9_concealed_rows_gain_nothing_for_honours():
    treasure = balsall("SE", "222z555z111z999s1m", winning="1m", by="self_drawn", flowers=[])
    assert items(treasure) == {"hidden_treasure": 10, "self_drawn": 1, "no_flowers": 1}


def test_bal_7_1_three_points_or_five_and_nothing_for_losers():
    hand = balsall("SE", "222m444p777s8s", pung("333m"), winning="8s", **NOBODYS)
    assert answer("score", hand)["allowed"] is True
    assert answer("score", {**hand, "options": {"min_points": 5}})["allowed"] is False
    assert answer("score", {**hand, "conditions": ["goulash"]})["allowed"] is False
    loser = answer("score", balsall("SE", "222m444p777s8s", pung("333m"), winner=False))
    assert (loser["complete"], loser["items"], loser["points"]) == (False, {}, 0)


def test_bal_8_4_a_goulash_needs_five_points():
    hand = balsall("SE", "222m444p777s8s", pung("333m"), winning="8s", conditions=["goulash"], by="self_drawn")
    assert (answer("score", hand)["points"], answer("score", hand)["allowed"]) == (5, True)


def test_waits_tell_what_each_tile_is_worth():
    found = answer("waits", {"ruleset": "balsall", "standing": "123456789s1246z", "seat_wind": "S", "round_wind": "E"})
    assert found == {
        "waits": ["3z", "5z", "7z"],
        "ready": True,
        "best_value": 11,
        "by_tile": dict.fromkeys(("3z", "5z", "7z"), 11),
    }
    assert answer("waits", {"ruleset": "cumberland", "standing": "123456789s1246z"})["ready"] is False
