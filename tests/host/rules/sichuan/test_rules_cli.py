"""`wallwright rules`: JSON lines in and out, bad lines told in their place."""

import json
import random

import pytest
from typer.testing import CliRunner

from tests.host.rules.sichuan.support import BOOK, CHENGDU, FOUR, MIL, random_deal
from wallwright.cli.rules import app
from wallwright.errors import BadInput
from wallwright.rules.sichuan.bots import SmartBot
from wallwright.rules.sichuan.declarations import event_record, hand_record
from wallwright.rules.sichuan.play import play
from wallwright.rules.sichuan.records import settlement_record


def call(command, *lines, options=()):
    """Exit status and the output lines, parsed."""
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    result = CliRunner().invoke(app, [command, *options], input=text)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def one(command, line):
    status, answers = call(command, line)
    assert (status, len(answers)) == (0, 1)
    return answers[0]


HAND = {
    "standing": "456s789s5p",
    "melds": [{"kind": "pung", "tiles": "777p"}, {"kind": "kong", "tiles": "2222s", "type": "concealed"}],
    "winning": "5p",
    "conditions": ["after_kong"],
    "ruleset": "sichuan-4",
    "void": "m",
}
NOBODY_READY = [{"seat": seat, "value": 0} for seat in range(4)]


def test_score():
    assert one("score", HAND) == {
        "complete": True,
        "form": "regular",
        "items": {"kong": 1, "win_after_kong": 1},
        "fans": 2,
        "value": 4,
    }
    assert one("score", {"standing": "123456s12345p99s", "winning": "7p"}) == {"complete": False}


def test_sbr_1_2_the_books_notation_is_read():
    assert one("score", HAND | {"standing": "B4 B5 B6 B7 B8 B9 D5", "winning": "D5"}) == one("score", HAND)


@pytest.mark.parametrize(("limit", "value"), [(1, 2), (3, 8), (None, 1024)])
def test_a_fan_limit_overrides_the_rulesets(limit, value):
    kongs = [{"kind": "kong", "tiles": tiles} for tiles in ("1111s", "3333s", "5555s", "9999s")]
    largest = {"standing": "7s", "melds": kongs, "winning": "7s", "conditions": ["after_kong", "under_the_sea"]}
    assert one("score", largest | {"fan_limit": limit})["value"] == value


def test_waits():
    answer = one("waits", {"standing": "1112345678999s", "melds": [], "void": "m"})
    assert answer["ready"]
    assert answer["best_value"] == 8
    assert answer["by_tile"] == {f"{rank}s": 8 if rank in (1, 9) else 4 for rank in range(1, 10)}
    assert answer["waits"] == list(answer["by_tile"])
    assert one("waits", {"standing": "147258m369p1479s"}) == {
        "waits": [],
        "ready": False,
        "best_value": 0,
        "by_tile": {},
    }


def test_settle():
    record = {
        "ruleset": "sichuan-4",
        "dealer": 0,
        "events": [
            {"type": "kong", "seat": 1, "kind": "melded", "from": 2, "robbed": False},
            {"type": "hu", "by": "discard", "from": 1, "after_kong": True, "winners": [{"seat": 0, "value": 4}]},
        ],
        "end": "wall",
        "hands": [
            {"seat": 1, "value": 0},
            {"seat": 2, "value": 2},
            {"seat": 3, "standing": "46p12345678911s", "melds": [], "void": "s", "only_void_discards": False},
        ],
    }
    answer = one("settle", record)
    assert answer["points"] == [4, -4 - 2, 4, -2 - 48]
    assert [(p["from"], p["to"], p["points"], p["clause"]) for p in answer["payments"]] == [
        (1, 0, 4, "SBR-6.1"),
        (1, 2, 2, "SBR-6.5"),
        (3, 2, 2, "SBR-6.5"),
    ]
    assert [(p["seat"], p["points"], p["clause"]) for p in answer["penalties"]] == [(3, 48, "SBR-3.3")]
    assert answer["hu"] == [{"seat": 0, "by": "discard", "from": 1, "false": False, "value": 4}]
    assert answer["kongs"][0]["paid"] is False
    assert answer["next_dealer"] == 0


def test_what_a_winner_says_of_the_tile_counts_for_the_event():
    winner = {k: v for k, v in HAND.items() if k != "ruleset"} | {"seat": 1}
    hu: dict[str, object] = {"type": "hu", "by": "self_drawn", "winners": [winner]}
    events = [{"type": "kong", "seat": 1, "kind": "concealed"}, hu]
    others = [hand for hand in NOBODY_READY if hand["seat"] != 1]
    record = {"dealer": 0, "events": events, "end": "wall", "hands": others}
    assert one("settle", record)["hu"][0]["items"] == {"kong": 1, "win_after_kong": 1}
    hu["after_kong"] = False
    assert "contradicts" in call("settle", record)[1][0]["error"]


def test_bad_lines_are_told_in_their_place_and_the_rest_goes_on():
    status, answers = call("score", HAND, "{", "", "[1]", HAND | {"winning": "5x"}, HAND)
    assert status == 1
    assert [answer.get("line") for answer in answers] == [None, 2, 4, 5, None]
    assert answers[1]["error"] == "cannot read the line: it is no JSON (it ends within a value, line 2, character 2)"
    assert all("error" in answer for answer in answers[1:4])
    assert answers[4] == answers[0]


def test_bytes_that_are_no_text_are_a_bad_line():
    result = CliRunner().invoke(app, ["score"], input=b'\xff\xfe{"a"\n' + json.dumps(HAND).encode())
    assert result.exit_code == 1
    bad, good = (json.loads(line) for line in result.stdout.splitlines())
    assert set(bad) == {"line", "error"}
    assert good["value"] == 4


@pytest.mark.parametrize("line", ["[" * 100_000, "1" * 10_000], ids=["nested", "digits"])
def test_lines_beyond_reason_are_bad_lines(line):
    status, answers = call("score", line, HAND)
    assert status == 1
    assert "cannot read the line" in answers[0]["error"]
    assert answers[1]["value"] == 4


@pytest.mark.parametrize(
    ("command", "change", "message"),
    [
        ("score", {"standign": "5p"}, "unknown key 'standign'"),
        ("score", {"winning": 5}, "'winning' is 5, it must be a text"),
        ("score", {"standing": "456s789s"}, "13 tiles"),
        ("score", {"melds": "777p"}, "'melds' is '777p'"),
        ("score", {"melds": [{"kind": "pung", "tiles": "777p"}] * 5}, "four at most"),
        ("score", {"conditions": ["after_kan"]}, "unknown condition 'after_kan'"),
        ("score", {"conditions": "after_kong"}, "must be a list of texts"),
        ("score", {"ruleset": "riichi"}, "'riichi' is no ruleset"),
        ("score", {"fan_limit": 12}, "fan_limit is 12"),
        ("score", {"fan_limit": "3"}, "must be a number"),
        ("score", {"void": "b"}, "'b' is not a suit"),
        ("waits", {}, "unknown key 'winning'"),
    ],
)
def test_errors_say_what_to_change(command, change, message):
    status, answers = call(command, HAND | change)
    assert status == 1
    assert message in answers[0]["error"]


SETTLED = {"dealer": 0, "events": [], "end": "wall", "hands": NOBODY_READY}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dealer": 4}, "'dealer' is 4"),
        ({"dealer": True}, "'dealer' is True, it must be a number"),
        ({"events": [{"type": "chow", "seat": 1}]}, "not 'chow'"),
        ({"events": [{"type": "kong", "seat": 1, "kind": "melded", "from": 1}]}, "event 1: seat 1 cannot claim"),
        ({"events": [{"type": "kong", "seat": 1, "kind": "concealed", "robbed": "no"}]}, "true or false"),
        ({"events": [{"type": "hu", "by": "self_drawn", "winners": [{"seat": 1}]}]}, "declared Hu, so it has no hand"),
        ({"end": "draw"}, "not 'draw'"),
        ({"hands": NOBODY_READY[1:]}, "hand of seat 0 is missing"),
        ({"hands": [{"seat": 0, "value": -1}]}, "0 (not ready) or more"),
        ({"hands": [{"seat": 0, "value": 1, "standing": "1s"}]}, "not both"),
        ({"hands": [{"seat": 0, "standing": "1s"}, *NOBODY_READY[1:]]}, "not a hand of 13"),
    ],
)
def test_impossible_deals_say_why(change, message):
    status, answers = call("settle", SETTLED | change)
    assert status == 1
    assert message in answers[0]["error"]


@pytest.mark.parametrize(
    ("winner", "message"),
    [
        ({"standing": "46p12345678911s"}, "belong together"),
        ({"standing": "46p12345678911s", "winning": "5p", "value": 1}, "not two of them"),
        ({"value": 1, "false": True}, "not two of them"),
        ({"value": 3}, "3 is not the value of a hand"),
        ({}, "give the hand"),
    ],
)
def test_winners_are_given_in_one_way(winner, message):
    hu = {"type": "hu", "by": "self_drawn", "winners": [{"seat": 0} | winner]}
    status, answers = call("settle", SETTLED | {"events": [hu], "hands": NOBODY_READY[1:]})
    assert status == 1
    assert message in answers[0]["error"]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [BOOK, FOUR, CHENGDU, MIL], ids=lambda ruleset: ruleset.name)
def test_a_tracked_deal_told_as_a_declared_one_settles_alike(ruleset):
    seed = 31
    print("seed", seed)
    rng = random.Random(seed)
    kinds = set()
    for number in range(12):
        deal = play(random_deal(ruleset, rng, number % 4), [SmartBot()] * 4, rng)
        declared = deal.declared()
        record = {
            "ruleset": ruleset.name,
            "dealer": deal.dealer,
            "events": [event_record(event) for event in declared.events],
            "end": deal.end,
            "hands": [hand_record(hand) for hand in declared.hands],
        }
        kinds |= {event["type"] for event in record["events"]}
        assert one("settle", record) == json.loads(json.dumps(settlement_record(deal.settle())))
    assert kinds == {"kong", "hu"}


@pytest.mark.slow
def test_deals_are_played_and_repeated():
    options = ("--count", "3", "--bots", "smart", "--seed", "9", "--ruleset", "mil-2025")
    status, lines = call("deals", options=options)
    assert status == 0
    assert [line["deal"] for line in lines] == [1, 2, 3]
    for line in lines:
        assert sum(line["points"]) == -sum(penalty["points"] for penalty in line["penalties"])
    assert call("deals", options=options) == (status, lines)
    random_bots = call("deals", options=("--count", "1", "--bots", "random"))
    assert random_bots[0] == 0


def test_an_unknown_ruleset_is_a_wrong_option():
    result = CliRunner().invoke(app, ["deals", "--ruleset", "riichi"])
    assert isinstance(result.exception, BadInput)
    assert "'riichi' is no ruleset" in str(result.exception)
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["score", "waits", "settle", "seats", "deals"])
def test_help_has_an_example(command):
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert f"wallwright rules {command}" in result.stdout
