"""A value that a table agreed on is held against the rest of its record, through `wallwright rules settle`. The figures
are worked out by hand from SBR-5.3, HKO-5.4, CUM-5.3 and BAL-5.
"""

import json

import pytest
from typer.testing import CliRunner

from wallwright.cli.rules import app

NOT_READY = [{"seat": seat, "value": 0} for seat in range(4)]


def problem(record, *options):
    """What `rules settle` says against a record, "" when it settles it."""
    result = CliRunner().invoke(app, ["settle", *options], input=json.dumps(record))
    (line,) = result.stdout.splitlines() if not options or result.exit_code else [result.stdout]
    assert result.exit_code == (1 if '"error"' in line else 0)
    return json.loads(line).get("error", "") if result.exit_code or not options else ""


def kongs(seat, *kinds, **more):
    return [{"type": "kong", "seat": seat, "kind": kind, **more} for kind in kinds]


def hu(value, by="self_drawn", **more):
    said = {"from": 1} if by != "self_drawn" else {}
    winner = {key: more.pop(key) for key in ("melds", "conditions") if key in more}
    return {"type": "hu", "by": by, **said, **more, "winners": [{"seat": 0, "value": value, **winner}]}


def sichuan(*events, ruleset="chengdu-2016", end="wall", hands=NOT_READY[1:]):
    return {"ruleset": ruleset, "dealer": 0, "events": list(events), "end": end, "hands": hands}


ROBBED = kongs(1, "promoted", robbed=True)
FOUR = ("concealed", "concealed", "promoted", "postponed")
PUNGS = [{"kind": "pung", "tiles": tiles} for tiles in ("111m", "222m", "333p", "444p")]


@pytest.mark.parametrize(
    ("events", "least", "why"),
    [
        (kongs(0, "concealed"), 2, "1 declared kong its"),
        (kongs(0, "concealed", "promoted", "postponed"), 8, "3 declared kongs its"),
        # Four kongs are All Pungs and a Golden Wait as well: 4 + 1 + 1 fans.
        (kongs(0, *FOUR), 64, "4 declared kongs, all pungs, golden wait its"),
    ],
)
def test_kongs_make_the_least_of_a_hand_of_sichuan(events, least, why):
    assert problem(sichuan(*events, hu(least))) == ""
    found = problem(sichuan(*events, hu(least // 2)))
    assert found == f"seat 0: {least // 2} was agreed, but with {why} hand is worth {least} at least (SBR-5.3)"
    # A limit of three fans caps the least as well.
    assert problem(sichuan(*events, hu(min(least, 8)), ruleset="sichuan")) == ""


@pytest.mark.parametrize(
    ("events", "win", "least"),
    [
        (ROBBED, {"by": "robbed_kong"}, 2),
        ([*kongs(0, "concealed"), *ROBBED], {"by": "robbed_kong"}, 4),
        (kongs(0, "concealed"), {"after_kong": True}, 4),
        (kongs(1, "concealed"), {"by": "discard", "after_kong": True}, 2),
        ([], {"conditions": ["under_the_sea"]}, 2),
        (kongs(0, "concealed"), {"after_kong": True, "conditions": ["under_the_sea"]}, 8),
    ],
)
def test_how_the_last_tile_came_makes_the_least_of_a_hand_of_sichuan(events, win, least):
    assert problem(sichuan(*events, hu(least, **win))) == ""
    assert f"worth {least} at least" in problem(sichuan(*events, hu(least // 2, **win)))


@pytest.mark.parametrize(
    ("events", "win", "most"),
    [
        # Four kongs 4, All Pungs 1, Golden Wait 1, Full Flush 2, and on the last tile 1 more.
        (kongs(0, *FOUR), {}, 512),
        ([*kongs(0, *FOUR), *kongs(3, "concealed")], {}, 512),
        # Robbing 1, Full Flush 2, three roots 3: no Seven Pairs, no All Pungs, no last tile.
        (ROBBED, {"by": "robbed_kong"}, 64),
        # Three kongs leave one set, so no root: 3, Robbing 1, Full Flush 2.
        ([*kongs(0, *FOUR[:3]), *ROBBED], {"by": "robbed_kong"}, 64),
        # Declared sets of two suits: All Pungs 1, Golden Wait 1, and the last tile 1.
        ([], {"melds": PUNGS}, 8),
    ],
)
def test_no_hand_of_sichuan_is_worth_more_than_what_was_declared_allows(events, win, most):
    assert problem(sichuan(*events, hu(most, **win))) == ""
    assert f"worth {most} at most (SBR-5.4)" in problem(sichuan(*events, hu(2 * most, **win)))


def test_a_win_that_was_not_the_last_is_not_by_the_last_tile():
    first = sichuan(
        *kongs(0, *FOUR), hu(512), {**hu(1), "winners": [{"seat": 2, "value": 1}]}, hands=[NOT_READY[1], NOT_READY[3]]
    )
    assert "worth 256 at most" in problem(first)
    last = hu(2, conditions=["under_the_sea"])
    after = {**hu(1), "winners": [{"seat": 2, "value": 1}]}
    found = problem(sichuan(last, after, hands=[NOT_READY[1], NOT_READY[3]]))
    assert found == "seat 0 won on the last tile of the wall, and the deal went on (SBR-4.9)"
    assert "the deal went on" in problem(sichuan(last, end="time_up", hands=[]))


@pytest.mark.parametrize(
    ("ruleset", "declared", "value", "said"),
    [
        ("sichuan", 2, 2, "2 was agreed, but with 2 declared kongs its hand is worth 4 at least"),
        ("sichuan", 0, 3, "3 is not the value of a hand: 1, 2, 4, 8"),
        ("sichuan-4", 0, 32, "32 is not the value of a hand: 1, 2, 4, 8, 16"),
        ("chengdu-2016", 0, 2, "2 was agreed, but a waiting hand is worth 1 (SBR-10.3)"),
    ],
)
def test_a_hand_that_waits_is_compared_too(ruleset, declared, value, said):
    hands = [{"seat": 0, "value": value}, *NOT_READY[1:]]
    assert said in problem(sichuan(*kongs(0, *FOUR[:declared]), ruleset=ruleset, hands=hands))


def test_sets_that_are_shown_beside_a_value_are_the_kongs_that_were_declared():
    shown = [{"kind": "kong", "tiles": "1111m", "type": "concealed"}]
    found = problem(sichuan(hu(2, melds=shown)))
    assert found == "seat 0 shows 1 kong, but 0 were declared"
    assert problem(sichuan(*kongs(0, "concealed"), hu(2, melds=shown))) == ""


def test_an_explanation_is_refused_as_well():
    record = sichuan(*kongs(0, *FOUR[:3]), hu(1))
    assert "worth 8 at least" in problem(record, "--explain")
    assert problem(sichuan(*kongs(0, *FOUR[:3]), hu(8)), "--explain") == ""


def hong_kong(points, by="discard", ruleset="hong-kong", kong=None, **options):
    event = {"type": "hu", "by": by, "winners": [{"seat": 0, "points": points}]}
    event |= {"from": 1} if by in ("discard", "robbed_kong") else {}
    event |= {"kong": kong} if kong else {}
    return {"ruleset": ruleset, "options": options, "dealer": 0, "round_wind": "E", "events": [event], "end": "win"}


@pytest.mark.parametrize(
    ("record", "said"),
    [
        # One faan is a base of 2, two are 4, three are 8 (HKO-6.2).
        (hong_kong(1, "self_drawn"), "such a win has 1 faan, worth 2 at least (HKO-5.4)"),
        (hong_kong(2, "loose"), "such a win has 2 faan, worth 4 at least (HKO-5.4)"),
        (hong_kong(1, "robbed_kong"), "such a win has 1 faan, worth 2 at least (HKO-5.4)"),
        (hong_kong(4, min_faan=3), "a win needs 3 faan, worth 8 at least (HKO-5.7)"),
        (hong_kong(8, "robbed_kong", kong="hidden"), "thirteen orphans rob a hidden kong, worth 64 (HKO-4.6, 5.5)"),
    ],
)
def test_the_way_of_winning_makes_the_least_of_a_hand_of_hong_kong(record, said):
    assert said in problem(record)


@pytest.mark.parametrize(
    "record",
    [
        hong_kong(1),
        hong_kong(2, "self_drawn"),
        hong_kong(4, "loose"),
        hong_kong(8, min_faan=3),
        hong_kong(64, "robbed_kong", kong="hidden"),
    ],
)
def test_the_least_itself_is_settled_in_hong_kong(record):
    assert problem(record) == ""


def cumberland(winner=1, east=0, events=(), hands=(0, 20, 0, 0), **options):
    entries = [one if isinstance(one, dict) else {"points": one} for one in hands]
    common = {"ruleset": "cumberland", "options": options, "east": east, "winner": winner, "by": "discard", "from": 2}
    return {**common, "round_wind": "E", "hands": entries, "events": list(events)}


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (cumberland(hands=(0, 18, 0, 0)), "make 20 at least (CUM-5)"),
        (cumberland(winner=0, hands=(20, 0, 0, 0)) | {"from": 2}, "make 40 at least (CUM-5)"),
        # A concealed kong of 2 to 8 is 16, a promoted one too where it counts as natural, a claimed one 8.
        (cumberland(events=kongs(3, "concealed"), hands=(0, 20, 0, 8)), "1 declared kong make 16 at least"),
        (cumberland(events=kongs(3, "promoted"), hands=(0, 20, 0, 8)), "make 16 at least"),
        (cumberland(events=kongs(3, "melded"), hands=(0, 20, 0, 4)), "make 8 at least"),
        (cumberland(hands=(0, 21, 0, 0)), "21 was agreed, and all scores are even (CUM-5.9)"),
        (cumberland(hands=(0, 600, 0, 0), limit=500), "worth 500 at most"),
        (cumberland(hands=(0, 20, 0, 99999998)), "at most"),
    ],
)
def test_kongs_and_the_winner_make_the_least_of_hands_of_cumberland(record, said):
    assert said in problem(record)


@pytest.mark.parametrize(
    "record",
    [
        cumberland(),
        cumberland(winner=0, hands=(40, 0, 0, 0)),
        cumberland(events=kongs(3, "concealed"), hands=(0, 20, 0, 16)),
        cumberland(events=kongs(3, "promoted"), hands=(0, 20, 0, 8), promoted="exposed"),
        cumberland(events=[{"type": "false_win", "seat": 3}, *kongs(3, "concealed")], hands=(0, 20, 0, 0)),
        cumberland(hands=(0, 500, 0, 0), limit=500),
    ],
)
def test_the_least_itself_is_settled_in_cumberland(record):
    assert problem(record) == ""


def balsall(points, by="discard", events=(), conditions=(), **more):
    hands = [None, {"points": points, "conditions": list(conditions)}, None, None]
    way = {"by": by, **({"from": 2} if by == "discard" else {})}
    common = {"ruleset": "balsall", "east": 0, "round_wind": "E", "winner": 1, "hands": hands, "events": list(events)}
    return {**common, **way, **more}


@pytest.mark.parametrize(
    ("record", "said"),
    [
        # All kongs are a row of 10, a drawn tile is 1, one that replaced a kong 2, the last one another.
        (balsall(9, events=kongs(1, *FOUR)), "4 declared kongs make 10 at least (BAL-5)"),
        (balsall(12, "loose", events=kongs(1, *FOUR), conditions=["last_tile"]), "make 13 at least (BAL-5)"),
        # 10 for a row, 6 for dragons, winds and a concealed hand, 4 for flowers, 1 for the last discard.
        (balsall(22), "worth 21 at most (BAL-5)"),
    ],
)
def test_kongs_and_the_way_of_winning_bound_a_hand_of_balsall(record, said):
    assert said in problem(record)


@pytest.mark.parametrize("record", [balsall(10, events=kongs(1, *FOUR)), balsall(21), balsall(3)])
def test_the_bounds_themselves_are_settled_in_balsall(record):
    assert problem(record) == ""


@pytest.mark.parametrize("ruleset", ["cumberland", "balsall"])
def test_a_hand_shows_the_kongs_that_were_declared(ruleset):
    shown = {"standing": "55z", "winning": "5z", "melds": [{"kind": "kong", "tiles": "1111m", "type": "concealed"}]}
    shown["standing"] = "234m567p88s55z"
    shown |= {"flowers": []}
    rest = [{"points": 0}] * 3 if ruleset == "cumberland" else [None] * 3
    record = {
        "ruleset": ruleset,
        "east": 0,
        "round_wind": "E",
        "winner": 0,
        "by": "self_drawn",
        "hands": [shown, *rest],
    }
    assert problem({**record, "events": kongs(0, "concealed")}) == ""
    found = problem({**record, "events": kongs(0, "promoted")})
    assert found == "seat 0 shows these kongs: concealed; declared were: promoted (CLA-3.4)"
    assert "declared were: -" in problem({**record, "events": []})
