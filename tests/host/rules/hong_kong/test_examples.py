"""The worked examples of HKO-12, as a referee types them in. The dealer is East, seat 0."""

import pytest

from tests.host.rules.hong_kong.support import E, N, S, W, call, score, settle, win

NINE = {"type": "nine_pieces", "seat": S}
# Number, winner, by, from, hand, items, base, points of all; then the ruleset, round wind and events before.
EXAMPLES = [
    (1, S, "discard", W, "123m 789m 456p 5s [222s] +5s", {}, 1, [-1, 4, -2, -1], {}),
    (2, S, "discard", W, "111222333m 67s 55p +8s", {"all_chows": 1}, 2, [-2, 8, -4, -2], {}),
    (
        3, E, "self_drawn", None, "234m 456p 678s 9p [111z] +9p", {"seat_wind": 1, "round_wind": 1, "self_drawn": 1},
        8, [48, -16, -16, -16], {},
    ),
    (4, W, "discard", N, "123456s 9s [777s] [555z] +9s", {"half_flush": 3, "dragon": 1}, 16, [-16, -16, 64, -32], {}),
    (5, N, "discard", E, "222m 7m [555p] [888s] [333z] +7m", {"all_pungs": 3}, 8, [-16, -8, -8, 32], {}),
    (6, S, "discard", N, "123m 444p 7z [555z] [666z] +7z", {"little_three_dragons": 4}, 16, [-16, 64, -16, -32], {}),
    (
        7, S, "discard", W, "23m 99m [123m] [456m] [777m] +4m", {"full_flush": 6}, 64, [0, 256, -256, 0],
        {"before": [NINE]},
    ),
    (
        8, S, "self_drawn", None, "9m [123m] [456m] [777m] [345m] +9m", {"full_flush": 6, "self_drawn": 1}, 64,
        [-384, 384, 0, 0], {"before": [NINE, {"type": "twelve_pieces", "seat": S, "from": E}]},
    ),
    (9, N, "robbed_kong", E, "119m 19p 19s 234567z +1z", {"thirteen_orphans": 10}, 64, [-128, -64, -64, 256], {}),
    (
        10, S, "loose", None, "123m 456s 777m 8s [=9999p] +8s", {"self_drawn": 1, "after_a_kong": 1, "last_tile": 1},
        8, [-16, 48, -16, -16], {"conditions": ["last_tile"]},
    ),
    (
        11, S, "self_drawn", None, "999m 5m [111m] [333m] [777m] +5m",
        {"full_flush": 7, "all_pungs": 3, "self_drawn": 1}, 192, [-384, 1152, -384, -384],
        {"ruleset": "hong-kong-modern"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("number", "seat", "by", "giver", "text", "items", "base", "points", "more"), EXAMPLES)
def test_hko_12_a_worked_example(number, seat, by, giver, text, items, base, points, more):
    ruleset, conditions = more.get("ruleset", "hong-kong"), more.get("conditions", [])
    found = score(text, by=by, seat="ESWN"[seat], conditions=conditions, ruleset=ruleset)
    assert (found["complete"], found["allowed"], found["items"]) == (True, True, items)
    assert found["faan"] == sum(items.values())
    assert found["points"] == base
    events = win(seat, by, giver, text, conditions=conditions, before=more.get("before", ()))
    settled = settle(events, ruleset=ruleset)
    assert settled["points"] == points
    assert settled["wins"] == [{"seat": seat, "points": base, "faan": found["faan"], "items": items}]
    assert settled["next_dealer"] == (E if seat == E else S)


def test_hko_12_a_false_win():
    settled = settle([{"type": "false_win", "seat": W}], end="false_win")
    assert settled["points"] == [128, 128, -384, 128]
    assert (settled["next_dealer"], settled["round_wind"]) == (E, "E")


def test_the_issues_own_line_is_below_its_minimum():
    record = {
        "ruleset": "hong-kong",
        "options": {"min_faan": 3},
        "standing": "123m789m5s",
        "melds": [{"kind": "chow", "tiles": "123m"}, {"kind": "kong", "tiles": "9999p", "type": "concealed"}],
        "winning": "5s",
        "by": "discard",
        "seat_wind": "S",
        "round_wind": "E",
        "flowers": [],
        "conditions": [],
        "winner": True,
    }
    assert call("score", record) == (0, [{"complete": True, "allowed": False, "items": {}, "faan": 0, "points": 1}])
