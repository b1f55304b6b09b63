"""What hands of Cumberland are worth. (CUM-4, CUM-5, CUM-7.2)"""

import pytest

from tests.host.rules.classical.support import answer, chow, cumberland, items, kong, pung

LOSER = {"winner": False}


def test_cum_4_1_irregular_hands_do_not_win():
    assert answer("score", cumberland("SW", "19m19p19s1234567z", winning="1z")) == {"complete": False}
    assert answer("score", cumberland("SW", "1155m3377p2288s5z", winning="5z")) == {"complete": False}
    assert answer("score", cumberland("SW", "123m456m789m123p5s", winning="5s"))["complete"]


def test_cum_5_1_only_the_winner_has_20_and_drawing_earns_nothing():
    hand = cumberland("SW", "123m456m789m123p5s", winning="5s")
    assert answer("score", hand)["points"] == answer("score", {**hand, "by": "self_drawn"})["points"] == 20
    assert answer("score", cumberland("SW", "123m456m789m123p5s", **LOSER))["points"] == 0


@pytest.mark.parametrize(
    ("pair", "points"), [("5s", 0), ("1s", 2), ("9p", 2), ("1z", 2), ("2z", 2), ("3z", 2), ("7z", 2)]
)
def test_cum_5_2_a_pair_counts_once_whatever_wind_it_is(pair, points):
    assert answer("score", cumberland("SS", f"123m456m789m123p{pair}", winning=pair))["base"] == 20 + points


@pytest.mark.parametrize(
    ("meld", "points"),
    [
        (chow("456p"), 0),
        (pung("555p"), 2),
        (pung("999p"), 4),
        (kong("5p"), 8),
        (kong("5p", "concealed"), 16),
        (kong("5p", "promoted"), 16),
        (kong("5p", "postponed"), 16),
        (kong("1z"), 16),
        (kong("1z", "concealed"), 32),
        (kong("1z", "promoted"), 32),
        ({"kind": "pung", "tiles": "555p", "type": "concealed"}, 4),
    ],
)
def test_cum_5_3_sets_laid_down(meld, points):
    hand = cumberland("SW", "123m456m12s77s", meld, winning="3s")
    assert answer("score", hand)["base"] == 20 + points
    exposed = answer("score", {**hand, "options": {"promoted": "exposed"}})["base"]
    assert exposed == 20 + (points // 2 if meld.get("type") in ("promoted", "postponed") else points)


def test_cum_5_3_a_claimed_tile_makes_its_set_a_claimed_one():
    hand = cumberland("SW", "55p123m456m12377s", winning="5p")
    assert items(hand) == {"winner": 20, "pung": 2}
    assert items({**hand, "by": "self_drawn"}) == {"winner": 20, "pung": 4}
    assert items({**hand, "by": "robbed_kong", "standing": "46p123m456m12377s"}) == {"winner": 20}


def test_cum_5_4_flowers_are_4_points_each():
    hand = cumberland("SW", "123m456m789m123p5s", winning="5s", flowers=["1f", "7f"])
    assert items(hand) == {"winner": 20, "flower": 8}
    loser = cumberland("SW", "123m456m789m123p5s", flowers=["1f"], **LOSER)
    assert items(loser) == {"flower": 4}
    assert items({**loser, "options": {"loser_flowers": False}}) == {}


def test_cum_5_5_a_losers_equal_tiles_are_pungs_and_pairs():
    found = answer("score", cumberland("EW", "5555m99p11p22z", chow("123s"), **LOSER))
    assert found["items"] == {"pung": 4, "pair": 6}
    assert (found["complete"], found["allowed"], found["points"]) == (False, False, 10)


@pytest.mark.parametrize(
    ("winds", "flowers", "doubles"),
    [
        ("SS", [], {"dragon": 1, "seat_wind": 1, "round_wind": 1}),
        ("SW", [], {"dragon": 1, "seat_wind": 1}),
        ("WS", [], {"dragon": 1, "round_wind": 1}),
        ("EN", [], {"east_won": 1, "dragon": 1}),
        ("SN", ["2f"], {"dragon": 1, "seat_wind": 1, "own_season": 1}),
        ("SN", ["6f", "5f"], {"dragon": 1, "seat_wind": 1, "own_flower": 1}),
        ("NN", ["1f", "2f", "3f", "4f"], {"dragon": 1, "own_season": 1, "all_seasons": 2}),
        ("NN", ["5f", "6f", "7f", "8f"], {"dragon": 1, "own_flower": 1, "all_flowers": 2}),
    ],
)
def test_cum_5_6_doubles(winds, flowers, doubles):
    hand = cumberland(winds, "123m45p11s", pung("222z"), pung("777z"), winning="6p", flowers=flowers)
    found = answer("score", hand)
    points = {"winner": 20, "pung": 8, "pair": 2} | ({"flower": 4 * len(flowers)} if flowers else {})
    assert found["items"] == {**points, **doubles}
    assert found["points"] == found["base"] * 2 ** found["doubles"]


def test_cum_5_6_pairs_double_nothing_and_own_tile_of_a_full_set_may_not():
    assert items(cumberland("SS", "123m456m789m123p2z", winning="2z")) == {"winner": 20, "pair": 2}
    hand = cumberland("NN", "123m456m789m123p5s", winning="5s", flowers=["1f", "2f", "3f", "4f"])
    assert answer("score", hand)["doubles"] == 3
    assert answer("score", {**hand, "options": {"bouquet_own": False}})["doubles"] == 2


def test_cum_5_7_clean_and_pure():
    pure = answer("score", cumberland("SW", "1234567891115m", winning="5m"))
    assert (pure["items"]["pure"], pure["doubles"]) == (3, 3)
    clean = answer("score", cumberland("SW", "123456789m111z5m", winning="5m"))
    assert (clean["items"]["clean"], clean["doubles"]) == (1, 1)
    honours = answer("score", cumberland("SE", "33z77766z", pung("444z"), pung("555z"), winning="3z"))
    assert "clean" not in honours["items"]


def test_cum_5_8_points_times_two_to_the_doubles_of_the_dearest_reading():
    hand = cumberland("SW", "111222333m55p12s", winning="3s", by="self_drawn")
    assert items(hand) == {"winner": 20, "pung": 16}
    assert answer("score", cumberland("SW", "11123m22p", chow("456p"), chow("456s"), winning="1m"))["base"] == 28


def test_cum_5_9_no_limit_but_by_option():
    hand = cumberland(
        "EE", "9s", kong("1z", "concealed"), kong("7z", "promoted"), kong("6z"), kong("5s", "promoted"), winning="9s"
    )
    assert answer("score", hand)["points"] == 7552
    assert answer("score", {**hand, "options": {"limit": 1000}})["points"] == 1000
    assert answer("score", {**hand, "options": {"limit": None}})["points"] == 7552


def test_cum_7_2_long_hands_score_nothing_and_short_ones_gain_nothing_by_suit():
    full = cumberland("SW", "1122334455667m", flowers=["2f"], **LOSER)
    assert answer("score", full)["items"] == {"pair": 2, "flower": 4, "own_season": 1, "pure": 3}
    short = {**full, "standing": "112233445566m"}
    assert answer("score", short)["items"] == {"pair": 2, "flower": 4, "own_season": 1}
    assert answer("score", {**full, "standing": "11223344556677m"})["points"] == 0


def test_cum_7_1_a_flower_that_waits_for_the_first_turn_makes_no_hand_short():
    waiting = cumberland("SW", "112233445566m", flowers=["3f"], flowers_waiting=1, **LOSER)
    assert answer("score", waiting)["items"] == {"pair": 2, "flower": 4, "pure": 3}
