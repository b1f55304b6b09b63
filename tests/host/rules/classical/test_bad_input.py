"""What cannot be is refused in one line that names the clause."""

import pytest

from tests.host.rules.classical.support import balsall, chow, cumberland, kong, pung, refusal

GOOD = balsall("SE", "123m456p4577s", pung("999s"), winning="6s")
DEAL = {"ruleset": "balsall", "east": 0, "round_wind": "E", "winner": 1, "by": "discard", "from": 2}
HANDS = [None, {"points": 5}, None, None]
KONG = {"type": "kong", "seat": 2, "kind": "promoted"}


@pytest.mark.parametrize(
    ("record", "clause"),
    [
        ({**GOOD, "melds": [kong("9s")], "winning": "9s"}, "CLA-1.1"),
        ({**GOOD, "flowers": [f"{number}f" for number in (*range(1, 9), 8)]}, "CLA-1.1"),
        ({**GOOD, "flowers": ["1z"]}, "CLA-1.2"),
        ({**GOOD, "standing": "123m456p457s1f"}, "CLA-1.4"),
        ({**GOOD, "melds": [chow("123z")]}, "CLA-1.4"),
        ({**GOOD, "melds": [chow("135m")]}, "CLA-1.4"),
        ({**GOOD, "melds": [pung("111f")]}, "CLA-1.4"),
        ({**GOOD, "melds": [kong("9s", "hidden")]}, "CLA-3.4"),
        ({**GOOD, "standing": "123m456p457s"}, "CLA-3.1"),
        ({**GOOD, "melds": [pung("999s")] * 5}, "CLA-1.1"),
        ({**GOOD, "by": "loose", "flowers": []}, "CLA-2.4"),
        ({**GOOD, "by": "loose", "flowers": ["1f"], "conditions": ["after_kong"]}, "CLA-3.4"),
        ({**GOOD, "by": "self_drawn", "conditions": ["last_discard"]}, "CLA-2.6"),
        ({**GOOD, "conditions": ["last_tile"]}, "CLA-2.6"),
        ({**GOOD, "conditions": ["under_the_sea"]}, "BAL-5.5"),
        ({**GOOD, "conditions": ["heavenly"]}, "CLA-3.1"),
        ({**GOOD, "by": "robbed_kong", "winning": "7s"}, "CLA-3.8"),
        ({**GOOD, "by": "robbed_kong", "options": {"rob_kong": False}}, "CLA-3.8"),
        ({**GOOD, "by": "luck"}, "CLA-3.1"),
        ({**GOOD, "seat_wind": "X"}, "BAL-9.1"),
        ({**GOOD, "winner": False}, "CUM-5.5"),
        ({**GOOD, "options": {"min_faan": 3}}, "BAL-7.1"),
        ({**GOOD, "options": {"min_points": 4}}, "BAL-7.1"),
        ({**GOOD, "options": {"limit": 500}}, "CLA-2.4"),
        ({**GOOD, "ruleset": "cumberland", "options": {"limit": 501}}, "CUM-5.9"),
        ({**GOOD, "ruleset": "cumberland", "options": {"dice": 3}}, "CUM-2.2"),
        (cumberland("SE", "123m456p4577s", pung("999s"), winning="6s", conditions=["goulash"]), "CUM-6.3"),
    ],
)
def test_hands_that_cannot_be(record, clause):
    assert clause in refusal("score", record)


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        ({"by": "self_drawn"}, "CLA-3.1"),
        ({"from": 1}, "CLA-3.2"),
        ({"from": None}, "CLA-3.2"),
        ({"by": "gift"}, "CLA-3.1"),
        ({"winner": None}, "CLA-3.9"),
        ({"hands": [None, {"points": 2}, None, None]}, "BAL-7.1"),
        ({"goulash": True, "hands": [None, {"points": 4}, None, None]}, "BAL-8.4"),
        ({"hands": [None] * 4}, "BAL-7.1"),
        ({"hands": [None] * 3}, "BAL-7.1"),
        ({"hands": [None, {"points": -1}, None, None]}, "BAL-5.1"),
        ({"hands": [None, {"standing": "123m456p4577s1z", "melds": [], "winning": "9m"}, None, None]}, "CLA-3.1"),
        ({"hands": [None, {"standing": "13579m13579p13s", "winning": "9m"}, None, None]}, "CLA-3.1"),
        ({"round_wind": "X"}, "BAL-9.1"),
        ({"round_wind": None}, "BAL-9.1"),
        ({"pot": 20}, "BAL-8.2"),
        ({"pot": 15, "goulash": True}, "BAL-8.2"),
        ({"events": [{"type": "false_win", "seat": 1}]}, "BAL-10.2"),
        ({"events": [{"type": "chow", "seat": 1}]}, "CLA-3.4"),
        ({"events": [{**KONG, "robbed": True}]}, "CLA-3.8"),
        ({"by": "robbed_kong", "events": [{**KONG, "seat": 3, "robbed": True}]}, "CLA-3.8"),
        ({"by": "robbed_kong", "events": [{**KONG, "kind": "concealed", "robbed": True}]}, "CLA-3.8"),
        ({"events": [{**KONG, "from": 3}]}, "CLA-3.4"),
        ({"events": [{**KONG, "kind": "hidden"}]}, "CLA-3.4"),
        ({"after_kong": True}, "BAL-7.4"),
        ({"ruleset": "cumberland", "goulash": True}, "CUM-6.3"),
        ({"ruleset": "cumberland"}, "CUM-5.1"),
    ],
)
def test_deals_that_cannot_be(change, clause):
    assert clause in refusal("settle", {**DEAL, "hands": HANDS, **change})


@pytest.mark.parametrize(
    ("record", "clause"),
    [
        ({"ruleset": "balsall", "dealer": 0, "dice": [1, 2]}, "BAL-2.1"),
        ({"ruleset": "balsall", "dealer": 0, "dice": [1, 2, 3, 4]}, "BAL-2.1"),
        ({"ruleset": "balsall", "dealer": 0, "dice": [1, 2, 7]}, "BAL-2.1"),
        ({"ruleset": "balsall", "dealer": 0, "options": {"dice": 2}, "dice": [1, 2, 3]}, "BAL-2.1"),
        ({"ruleset": "cumberland", "dealer": 0, "dice": [1, 2]}, "CUM-2.1"),
        ({"ruleset": "cumberland", "dealer": 0, "dice": [[1, 2]]}, "CUM-2.1"),
        ({"ruleset": "cumberland", "dealer": 0, "dice": [[1, 2], [3]]}, "CUM-2.1"),
        ({"ruleset": "cumberland", "dice": [[1, 2], [3, 4]]}, "CUM-1.1"),
    ],
)
def test_throws_that_cannot_be(record, clause):
    assert clause in refusal("break", record)


@pytest.mark.parametrize("extra", [{"void": "m"}, {"value": 4}, {"fan_limit": 3}])
def test_keys_of_another_game_are_named(extra):
    assert repr(next(iter(extra))) in refusal("score", {**GOOD, **extra})


def test_an_option_that_equals_another_value_is_not_taken_for_it():
    """JSON's 1 is not true, whatever was read before."""
    assert refusal("score", {**GOOD, "options": {"rob_kong": 1}}).count("CLA-3.8") == 1


def test_a_wrong_option_in_a_clubs_file_is_named(tmp_path):
    for base, option in (("balsall", "claim_ms"), ("cumberland", "wind_of_round")):
        path = tmp_path / f"{base}-club.toml"
        path.write_text(f'base = "{base}"\n{option} = "soon"\n')
        assert f"{option} is 'soon'" in refusal("score", {**GOOD, "ruleset": str(path)})
