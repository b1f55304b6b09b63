"""What hands come to for all four. (CUM-6, CUM-7.2, CUM-8.1, BAL-4, BAL-7, BAL-8, BAL-9, BAL-10)"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.host.rules.classical.support import answer, explained, kong
from tests.reference.classical_settle import settle

SCORES = [{"points": 80}, {"points": 84}, {"points": 208}, {"points": 416}]


def of_cumberland(**change):
    return {"ruleset": "cumberland", "east": 0, "winner": 1, "by": "discard", "from": 2, "hands": SCORES, **change}


def of_balsall(**change):
    hands = [None, {"points": 5}, None, None]
    common = {"ruleset": "balsall", "east": 0, "round_wind": "E", "winner": 1, "by": "discard", "from": 2}
    return {**common, "hands": hands, "events": [], **change}


def a_kong(seat, kind="concealed", **more):
    return {"type": "kong", "seat": seat, "kind": kind, **more}


def test_cum_6_1_scores_are_written_down():
    found = answer("settle", of_cumberland())
    assert (found["points"], found["payments"], found["scores"]) == ([80, 84, 208, 416], [], [80, 84, 208, 416])


def test_cum_6_2_east_who_won_is_not_doubled_again():
    found = answer("settle", of_cumberland(winner=0, options={"settlement": "classical"}))
    assert found["points"] == [240, -80 - 124 - 332, -80 + 124 - 208, -80 + 332 + 208]
    assert {payment["clause"] for payment in found["payments"]} == {"CUM-6.2"}


def test_cum_6_3_a_stale_hand_scores_nothing_and_does_not_count():
    found = answer("settle", {"ruleset": "cumberland", "east": 2, "winner": None})
    assert (found["points"], found["next_dealer"], found["counts"]) == ([0, 0, 0, 0], 2, False)
    assert "stale" in explained({"ruleset": "cumberland", "east": 2, "winner": None})


def test_cum_7_2_a_false_win_is_a_dead_hand():
    dead = [{"type": "false_win", "seat": 3}]
    found = answer("settle", of_cumberland(events=dead))
    assert found["points"] == [80, 84, 208, 0]
    assert "dead" in explained(of_cumberland(events=dead))


@pytest.mark.parametrize(("winner", "next_east", "counts"), [(0, 0, False), (1, 1, True), (3, 1, True)])
def test_cum_8_1_east_stays_after_winning(winner, next_east, counts):
    change = {"from": (winner + 1) % 4}
    found = answer("settle", of_cumberland(winner=winner, **change))
    assert (found["next_dealer"], found["counts"]) == (next_east, counts)


@pytest.mark.parametrize(
    ("option", "east", "winner", "wind"),
    [
        ("each_hand", 0, 1, None),
        ("each_round", 0, 1, "S"),
        ("each_round", 3, 1, None),
        ("fixed", 0, 1, "S"),
        ("fixed", 3, 1, "W"),
        ("fixed", 3, 3, "S"),
    ],
)
def test_cum_2_2_the_wind_of_the_next_round(option, east, winner, wind):
    given_ = of_cumberland(east=east, winner=winner, round_wind="S", options={"wind_of_round": option})
    assert answer("settle", given_)["round_wind"] == wind


def test_cum_5_1_all_four_hands_are_scored_by_their_tiles():
    hands = [
        {"standing": "123m456p777s99m12s"},
        {"standing": "123m456m789m123p5s", "winning": "5s"},
        {"standing": "234567m5m11m99m22z"},
        {"standing": "13579m13579p123s", "melds": []},
    ]
    record = of_cumberland(hands=hands, round_wind="W")
    assert answer("settle", record)["points"] == [6, 20, 12, 0]
    assert settle(record)["points"] == [6, 20, 12, 0]
    assert "Seat 2: pair 6, clean 1" in explained(record)


@pytest.mark.parametrize(("kind", "chips"), [("concealed", 3), ("melded", 2), ("promoted", 1), ("postponed", 1)])
def test_bal_4_2_each_of_the_others_pays_for_a_kong(kind, chips):
    more = {"from": 3} if kind == "melded" else {}
    found = answer(
        "settle", of_balsall(winner=None, by=None, hands=[None] * 4, events=[a_kong(2, kind, **more)]) | {"from": None}
    )
    assert found["points"] == [-chips, -chips, 3 * chips, -chips]
    assert {payment["clause"] for payment in found["payments"]} == {"BAL-4.2"}


def test_bal_4_3_kongs_of_a_drawn_hand_and_of_a_goulash_are_paid():
    drawn = of_balsall(winner=None, by=None, hands=[None] * 4, events=[a_kong(0)]) | {"from": None}
    assert answer("settle", drawn)["points"] == [9, -3, -3, -3]
    goulash = of_balsall(goulash=True, events=[a_kong(0)])
    assert answer("settle", goulash)["points"] == [9 - 5, -3 + 15, -3 - 5, -3 - 5]


def test_bal_4_4_a_robbed_kong_brings_nothing_and_its_owner_pays():
    robbed = of_balsall(by="robbed_kong", events=[a_kong(2, "promoted", robbed=True)])
    assert answer("settle", robbed)["points"] == [0, 5, -5, 0]
    assert "robbed" in explained(robbed)


def test_bal_7_2_the_discarder_alone_or_all_three():
    assert answer("settle", of_balsall())["points"] == [0, 5, -5, 0]
    drawn = of_balsall(by="self_drawn") | {"from": None}
    assert answer("settle", drawn)["points"] == [-5, 15, -5, -5]
    assert answer("settle", {**drawn, "options": {"chips_per_point": 4}})["points"] == [-20, 60, -20, -20]


def test_bal_7_4_the_last_kong_of_the_turn_is_not_paid_when_its_replacement_wins():
    kongs = [a_kong(1), a_kong(0), a_kong(1, "promoted")]
    won = of_balsall(by="loose", events=kongs) | {"from": None}
    assert answer("settle", won)["points"] == [-5 - 3 + 9, 15 + 9 - 3, -5 - 3 - 3, -5 - 3 - 3]
    hand = {"standing": "123m456p4577s", "melds": [kong("9s", "concealed")], "winning": "6s", "flowers": ["2f"]}
    shown = of_balsall(by="loose", hands=[None, hand, None, None])
    shown = {key: value for key, value in shown.items() if key not in ("events", "from")}
    replaced_kong = {**shown, "hands": [None, {**hand, "conditions": ["after_kong"]}, None, None]}
    assert answer("settle", replaced_kong)["points"] == [-3, 9, -3, -3]
    # A loose tile that replaced a flower leaves the kong of an earlier turn paid.
    assert answer("settle", shown)["points"] == [-6, 18, -6, -6]


def test_bal_8_1_a_drawn_hand_is_followed_by_a_goulash_with_the_same_east():
    drawn = of_balsall(east=2, winner=None, by=None, hands=[None] * 4) | {"from": None}
    found = answer("settle", drawn)
    assert (found["goulash"], found["next_dealer"], found["pot"], found["round_wind"]) == (True, 2, 0, "E")


def test_bal_8_2_and_8_6_the_pot_stays_until_a_goulash_is_won():
    drawn = of_balsall(goulash=True, winner=None, by=None, hands=[None] * 4) | {"from": None}
    first = answer("settle", drawn)
    assert (first["points"], first["pot"], first["goulash"], first["next_dealer"]) == ([-5] * 4, 20, True, 0)
    again = answer("settle", {**drawn, "pot": 20})
    assert (again["points"], again["pot"], again["goulash"]) == ([0] * 4, 20, True)
    won = answer("settle", of_balsall(goulash=True, pot=20))
    assert (won["points"], won["pot"], won["goulash"]) == ([0, 20, 0, 0], 0, False)
    assert won["payments"][-1]["from"] == "pot"


def test_bal_8_5_the_dice_pass_whoever_wins_a_goulash():
    assert (
        answer("settle", of_balsall(goulash=True, winner=0, hands=[{"points": 5}, None, None, None]))["next_dealer"]
        == 1
    )


def test_bal_9_1_rounds_and_matches():
    last = answer("settle", of_balsall(east=3))
    assert (last["next_dealer"], last["round_wind"], last["match_over"]) == (0, "S", False)
    north = answer("settle", of_balsall(east=3, round_wind="N"))
    assert (north["round_wind"], north["match_over"]) == ("E", True)
    assert answer("settle", of_balsall(east=3, first_dealer=1))["round_wind"] == "E"
    assert "match is over" in explained(of_balsall(east=3, round_wind="N"))


def test_bal_9_2_the_dealer_stays_after_winning():
    assert answer("settle", of_balsall(winner=0, hands=[{"points": 5}, None, None, None]))["next_dealer"] == 0
    assert answer("settle", of_balsall())["next_dealer"] == 1


def test_bal_10_2_a_false_mahjong_moves_no_chips():
    dead = of_balsall(events=[{"type": "false_win", "seat": 0}])
    assert answer("settle", dead)["points"] == [0, 5, -5, 0]
    assert "dead for the deal" in explained(dead)


SEATS = st.integers(0, 3)
KONGS = st.lists(
    st.builds(a_kong, SEATS, st.sampled_from(["concealed", "melded", "promoted", "postponed"])), max_size=4
)


@st.composite
def balsall_deals(draw):
    """Declared hands of Balsall of any kind."""
    winner, east = draw(st.none() | SEATS), draw(SEATS)
    goulash = draw(st.booleans())
    record = {"ruleset": "balsall", "east": east, "round_wind": draw(st.sampled_from("ESWN")), "winner": winner}
    record |= {"events": draw(KONGS), "goulash": goulash, "pot": draw(st.sampled_from((0, 20))) if goulash else 0}
    record |= {"first_dealer": draw(SEATS), "hands": [None] * 4}
    if winner is not None:
        # Four kongs are a row of 10, and a tile that replaced one 2 more (BAL-5.4, 5.5).
        least = 12 if [kong["seat"] for kong in record["events"]] == [winner] * 4 else 5
        record["hands"][winner] = {"points": draw(st.integers(least, 21))}
        record["by"] = draw(st.sampled_from(["discard", "self_drawn", "loose"]))
        if record["by"] == "discard":
            record["from"] = draw(SEATS.filter(lambda seat: seat != winner))
    return record


@pytest.mark.slow
@given(balsall_deals())
def test_bal_7_3_all_payments_sum_to_zero_the_pot_counted(record):
    found = answer("settle", record)
    assert sum(found["points"]) == record["pot"] - found["pot"]
    expected = settle(record)
    payments = [(one["from"], one["to"], one["points"], one["clause"]) for one in found["payments"]]
    assert sorted(payments, key=str) == sorted(expected["payments"], key=str)
    assert {key: found[key] for key in expected if key != "payments"} == {
        key: value for key, value in expected.items() if key != "payments"
    }


@pytest.mark.slow
@given(st.lists(st.integers(0, 2500), min_size=4, max_size=4), SEATS, SEATS)
def test_cum_6_2_all_payments_sum_to_zero(halves, east, winner):
    # All scores are even (CUM-5.9), and the winner's has the points for it, which East doubles (CUM-5.1, 5.6).
    scores = [2 * half + 40 * (seat == winner) for seat, half in enumerate(halves)]
    record = of_cumberland(east=east, winner=winner, hands=[{"points": points} for points in scores])
    record |= {"from": (winner + 1) % 4, "options": {"settlement": "classical"}}
    found = answer("settle", record)
    assert sum(found["points"]) == 0
    expected = settle(record)
    assert (found["points"], found["next_dealer"]) == (expected["points"], expected["next_dealer"])
