"""What hands are worth: every row of the tables of HKO-5 and 10, and what excludes what."""

import pytest

from tests.host.rules.hong_kong.support import items, one, refused, score

PLAIN = "123m 789m 456p 5s [222s] +5s"


def test_hko_5_1_regular_hands_and_thirteen_orphans_are_complete():
    assert score("19m 19p 19s 1234567z +1m")["items"] == {"thirteen_orphans": 10}
    assert score("147m 147p 147s 1234z +5z") == {"complete": False}
    assert score("1122m 3344p 5566s 7z +7z") == {"complete": False}


def test_hko_5_1_seven_pairs_are_a_hand_by_option():
    assert items("1122m 3344p 5566s 7z +7z", seven_pairs=4) == {"seven_pairs": 4}
    assert score("1111m 3344p 5566s 7z +7z", seven_pairs=4) == {"complete": False}
    assert items("1122m 3344m 5566m 7z +7z", seven_pairs=4) == {"seven_pairs": 4, "half_flush": 3}
    # Seven pairs that are four sets as well are what is worth more.
    assert items("112233m 445566m 9m +9m", seven_pairs=4) == {"seven_pairs": 4, "full_flush": 6}


def test_hko_5_2_the_reading_worth_most_counts():
    assert items("111222333m 67s 55p +8s") == {"all_chows": 1}
    assert items("111222333m 555p 7s +7s") == {"all_pungs": 3}


def test_hko_5_3_a_hand_may_win_with_nothing_and_self_draw_adds_one():
    assert score(PLAIN)["faan"] == 0
    assert score(PLAIN)["allowed"]
    assert items(PLAIN, by="self_drawn") == {"self_drawn": 1}
    assert score("123456m 5m [777m] [999m] +5m")["faan"] >= 6


@pytest.mark.parametrize(
    ("text", "said", "found"),
    [
        ("123m 456p 789s 1z [234s] +1z", {}, {"all_chows": 1}),
        ("123m 456p 789s 1z [234s] +1z", {"all_chows_pair": "suited"}, {}),
        ("123m 456p 789s 1s [234s] +1s", {"all_chows_pair": "suited"}, {"all_chows": 1}),
        ("222m 4p [555p] [888s] [3333z] +4p", {}, {"all_pungs": 3}),
        ("123m 456m 9m [777m] [333z] +9m", {}, {"half_flush": 3}),
        ("123m 456m 9m [777m] [234m] +9m", {}, {"full_flush": 6}),
        ("123m 456p 9m [777m] [555z] +9m", {}, {"dragon": 1}),
        ("123m 456p 9m [5555z] [777z] +9m", {}, {"dragon": 2}),
        ("123m 456p 9m [777m] [222z] +9m", {}, {"seat_wind": 1}),
        ("123m 456p 9m [777m] [111z] +9m", {}, {"round_wind": 1}),
        ("123m 456p 9m [777m] [111z] +9m", {"seat": "E"}, {"seat_wind": 1, "round_wind": 1}),
        ("123m 456p 9m [777m] [444z] +9m", {}, {}),
        ("123m 456p 7z [555z] [6666z] +7z", {}, {"little_three_dragons": 4}),
        ("123m 444z 7z [555z] [6666z] +7z", {}, {"half_flush": 3, "little_three_dragons": 4}),
        ("123m 456p 99m 23s [777m] +1s", {"concealed_hand": 1}, {}),
        ("123m 456p 99m 23s 777m +1s", {"concealed_hand": 1}, {"concealed_hand": 1}),
        ("123m 456p 99m 23s 777m +1s", {}, {}),
        ("123m 456p 99m 23s [=7777m] +1s", {"concealed_hand": 1}, {}),
        ("111m 999p 9s [111s] [444z] +9s", {"mixed_terminals": 1}, {"all_pungs": 3, "mixed_terminals": 1}),
        ("111m 999p 9s [111s] [444z] +9s", {}, {"all_pungs": 3}),
        ("111m 999p 5z [111s] [999s] +5z", {"mixed_terminals": 1}, {"all_pungs": 3, "mixed_terminals": 1}),
        ("111m 999p 2s [111s] [444z] +2s", {"mixed_terminals": 1}, {"all_pungs": 3}),
    ],
)  # fmt: skip
def test_hko_5_4_items_of_the_tiles(text, said, found):
    answer = score(text, **said)
    assert answer.get("items") == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"by": "self_drawn"}, {"self_drawn": 1}),
        ({"by": "loose"}, {"self_drawn": 1, "after_a_kong": 1}),
        ({"by": "self_drawn", "conditions": ["after_kong"]}, {"self_drawn": 1, "after_a_kong": 1}),
        ({"by": "loose", "conditions": ["kong_on_kong"]}, {"self_drawn": 1, "after_a_kong": 1}),
        ({"by": "self_drawn", "conditions": ["last_tile"]}, {"self_drawn": 1, "last_tile": 1}),
        ({"by": "loose", "conditions": ["last_tile"]}, {"self_drawn": 1, "after_a_kong": 1, "last_tile": 1}),
        ({"by": "robbed_kong"}, {"robbing_the_kong": 1}),
        ({"by": "discard", "conditions": ["last_discard"]}, {}),
        ({"by": "discard", "conditions": ["last_discard"], "last_discard": True}, {"last_discard": 1}),
    ],
)
def test_hko_5_4_items_of_the_way_of_winning(said, found):
    assert items("23s 88m [=7777m] [2222p] [456p] +4s", **said) == found


LIMITS = {
    "big_three_dragons": "23m 88m [555z] [666z] [7777z] +4m",
    "little_four_winds": "23m 44z [111z] [222z] [333z] +4m",
    "big_four_winds": "8m [111z] [222z] [333z] [444z] +8m",
    "all_honors": "7z [111z] [222z] [555z] [444z] +7z",
    "all_terminals": "9s [111m] [999m] [111p] [999p] +9s",
    "nine_gates": "1112345678999m +5m",
    "four_concealed_pungs": "111m 333p 555s 777z 9s +9s",
    "four_kongs": "9s [1111m] [3333m] [=5555p] [^7777p] +9s",
    "thirteen_orphans": "19m 19p 19s 1234567z +7z",
}


@pytest.mark.parametrize("name", LIMITS)
def test_hko_5_5_limit_hands(name):
    by = "self_drawn" if name == "four_concealed_pungs" else "discard"
    assert score(LIMITS[name], by=by) == {
        "complete": True,
        "allowed": True,
        "items": {name: 10},
        "faan": 10,
        "points": 64,
    }


def test_hko_5_5_heavenly_and_earthly_hands():
    dealt = "123m 456p 789s 111m 5z +5z"
    assert items(dealt, by="self_drawn", seat="E", conditions=["heavenly"]) == {"heavenly": 10}
    assert items(dealt, seat="W", conditions=["earthly"]) == {"earthly": 10}


def test_hko_5_5_what_a_limit_hand_is_not():
    # Four pungs on a discard are not concealed, and neither are those with a melded kong.
    assert items("11m 333p 555s 777z 99s +1m") == {"all_pungs": 3, "dragon": 1}
    assert items("111m 333p 777z 9s [5555s] +9s", by="self_drawn") == {"all_pungs": 3, "dragon": 1, "self_drawn": 1}
    assert items("111m 333p 777z 9s [=5555s] +9s", by="self_drawn") == {"four_concealed_pungs": 10}
    # Nine Gates stand wholly.
    assert items("2345678999m [111m] +5m") == {"full_flush": 6}
    assert items("1112345678999m +1m") == {"nine_gates": 10}
    assert items("1112345678999s +9s") == {"nine_gates": 10}


def test_hko_5_6_the_count_stops_and_limit_hands_stand_alone():
    big = "22z 77z [1111m] [444m] [555z] +2z"
    assert items(big) == {"all_pungs": 3, "half_flush": 3, "dragon": 1, "seat_wind": 1}
    assert score(big, limit_faan=5)["faan"] == 5
    assert items("777z 6z [111z] [222z] [555z] +6z", by="self_drawn") == {"all_honors": 10}
    assert score("777z 6z [111z] [222z] [555z] +6z", limit_faan=13)["items"] == {"all_honors": 13}


def test_hko_5_7_a_minimum_and_flowers_towards_it():
    assert not score(PLAIN, min_faan=1)["allowed"]
    assert score(PLAIN, by="self_drawn", min_faan=1)["allowed"]
    for flag in (False, True):
        found = one(
            "score",
            standing="123m789m456p5s",
            melds=[{"kind": "pung", "tiles": "222s"}],
            winning="5s",
            by="discard",
            seat_wind="S",
            round_wind="E",
            flowers=["2f"],
            options={"flowers": True, "min_faan": 1, "flowers_for_minimum": flag},
        )
        assert found == {"complete": True, "allowed": flag, "items": {"own_season": 1}, "faan": 1, "points": 2}


@pytest.mark.parametrize(
    ("flowers", "found"),
    [
        ([], {"no_flowers": 1}),
        (["1f"], {}),
        (["2f"], {"own_season": 1}),
        (["6f", "2f"], {"own_season": 1, "own_flower": 1}),
        (["1234f"], {"all_seasons": 2}),
        (["5f", "6f", "78f"], {"all_flowers": 2}),
        (["12345678f"], {"all_seasons": 2, "all_flowers": 2}),
    ],
)
def test_hko_5_8_flowers(flowers, found):
    record = {"standing": "123m789m456p5s", "melds": [{"kind": "pung", "tiles": "222s"}], "winning": "5s"}
    record |= {"by": "discard", "seat_wind": "S", "round_wind": "E", "flowers": flowers}
    assert one("score", **record, options={"flowers": True})["items"] == found
    if flowers:
        assert "HKO-1.1, 1.3" in refused("score", **record)


def test_hko_5_9_the_largest_sum_is_fifteen():
    text = "77z 11m [^1111z] [5555z] [666z] +1m"
    found = score(text, by="loose", seat="E", conditions=["last_tile"], limit_faan=13)
    assert sum(found["items"].values()) == 15
    assert found["faan"] == 13


@pytest.mark.parametrize(
    ("table", "points"),
    [
        ("spicy", [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192]),
        ("half_spicy", [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384]),
        ("laak", [1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64]),
    ],
)
def test_hko_6_2_points_by_faan(table, points):
    # Thirteen orphans are worth the limit, whatever it is.
    for faan in range(1, 14):
        found = score(LIMITS["thirteen_orphans"], limit_faan=faan, points_table=table, max_base="none")
        assert (found["faan"], found["points"]) == (faan, points[faan])
    assert score(PLAIN, points_table=table)["points"] == points[0]


@pytest.mark.parametrize(("cap", "points"), [(64, 64), (128, 128), ("none", 1024), (None, 1024)])
def test_hko_6_3_the_dearest_base(cap, points):
    assert score(LIMITS["thirteen_orphans"], max_base=cap)["points"] == points


def test_hko_10_1_the_modern_preset():
    assert score(PLAIN, ruleset="hong-kong-modern")["allowed"] is False
    found = score(LIMITS["thirteen_orphans"], ruleset="hong-kong-modern")
    assert (found["faan"], found["points"]) == (13, 384)


MODERN_ROWS = [
    ("123m 456m 9m [777m] [234m] +9m", {}, {"full_flush": 7}),
    ("123m 456p 7z [555z] [6666z] +7z", {}, {"little_three_dragons": 5}),
    (LIMITS["big_three_dragons"], {}, {"big_three_dragons": 8, "half_flush": 3}),
    (LIMITS["little_four_winds"], {}, {"half_flush": 3, "seat_wind": 1, "round_wind": 1, "little_four_winds": 3}),
    (LIMITS["big_four_winds"], {}, {"big_four_winds": 13}),
    (LIMITS["all_honors"], {}, {"all_honors": 10}),
    (LIMITS["all_terminals"], {"by": "self_drawn"}, {"all_terminals": 10, "self_drawn": 1}),
    (LIMITS["nine_gates"], {"by": "self_drawn"}, {"nine_gates": 10, "self_drawn": 1}),
    (
        LIMITS["four_concealed_pungs"],
        {"by": "self_drawn"},
        {"dragon": 1, "four_concealed_pungs": 8, "self_drawn": 1},
    ),
    (LIMITS["four_kongs"], {}, {"four_kongs": 13}),
    (LIMITS["thirteen_orphans"], {"by": "robbed_kong"}, None),
    (
        "23s 88m [=7777m] [2222p] [456p] +4s",
        {"by": "loose", "conditions": ["kong_on_kong"]},
        {"self_drawn": 1, "kong_on_kong": 8},
    ),
    ("123m 456p 99m 23s 777m +1s", {}, {"concealed_hand": 1}),
]


@pytest.mark.parametrize(("text", "said", "found"), MODERN_ROWS)
def test_hko_10_2_the_modern_table(text, said, found):
    if found is None:
        # Thirteen orphans that rob a tile hold no other one of it.
        text, found = "119m 19p 19s 234567z +1z", {"thirteen_orphans": 13, "robbing_the_kong": 1}
    assert items(text, ruleset="hong-kong-modern", **said) == found


def test_hko_10_3_the_dearest_stands_for_the_pattern_and_the_way_is_added():
    honors = "777z 6z [111z] [222z] [555z] +6z"
    found = score(honors, by="self_drawn", ruleset="hong-kong-modern")
    assert found["items"] == {"all_honors": 10, "self_drawn": 1}
    assert (found["faan"], found["points"]) == (11, 192)
    winds = "7z [1111z] [2222z] [3333z] [4444z] +7z"
    assert items(winds, by="loose", ruleset="hong-kong-modern")["self_drawn"] == 1
    assert sum(items(winds, ruleset="hong-kong-modern").values()) == 13
    assert items("123m 456p 789s 111m 5z +5z", seat="W", conditions=["earthly"], ruleset="hong-kong-modern") == (
        {"earthly": 13}
    )


def test_waits_and_what_they_are_worth():
    record = {"standing": "1112345678999m", "seat_wind": "S", "round_wind": "E"}
    found = one("waits", **record)
    assert found["waits"] == [f"{rank}m" for rank in range(1, 10)]
    assert found["ready"] is True
    assert found["best_points"] == 64
    assert one("waits", standing="19m19p19s1234567z")["waits"] == (
        ["1m", "9m", "1p", "9p", "1s", "9s", "1z", "2z", "3z", "4z", "5z", "6z", "7z"]
    )
    assert one("waits", standing="119m19p19s123456z") == {"waits": ["7z"], "ready": True}
    assert one("waits", standing="1122m3344p5566s7z") == {"waits": [], "ready": False}
    assert one("waits", standing="1122m3344p5566s7z", options={"seven_pairs": 4})["waits"] == ["7z"]
    assert one("waits", standing="1122m3344p5566s7z", ruleset="hong-kong-modern")["ready"] is False
