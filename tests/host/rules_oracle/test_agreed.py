"""Agreed values beside the rest of their record, in every game: no hand is refused at its worth by the reference.

What is refused is in `tests/host/rules/test_agreed.py`, with figures worked out by hand. (SBR-5, HKO-5, CUM-5, BAL-5)
"""

import json
import random
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.host.rules_oracle.test_hong_kong import case as hong_kong_case
from tests.length import length
from tests.reference import classical, fans, hong_kong
from tests.reference.cases import Case, case
from tests.reference.classical_cases import case as classical_case
from tests.reference.rulesets import RULESETS
from wallwright.cli.rules import app

HANDS = length(600, 30_000)
NOT_READY = [{"seat": seat, "value": 0} for seat in (1, 2, 3)]


def ask(records: list[dict[str, Any]]) -> list[str]:
    """What `rules settle` says of each record that it refuses, "" for one that it settles."""
    result = CliRunner().invoke(app, ["settle"], input="".join(json.dumps(record) + "\n" for record in records))
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert len(answers) == len(records), result.output
    return [answer.get("error", "") for answer in answers]


def kong_events(kinds: list[str]) -> list[dict[str, Any]]:
    """Kongs of seat 0."""
    return [{"type": "kong", "seat": 0, "kind": kind, **({"from": 1} if kind == "melded" else {})} for kind in kinds]


def sichuan_record(one: Case, value: int, *, shows_sets: bool) -> dict[str, Any]:
    """The hand as a table agreed on it: seat 0 wins on a tile of seat 1 or of the wall, and the wall ends."""
    kongs = kong_events([meld.kind for meld in one.melds if meld.is_kong])
    events = list(kongs)
    hu: dict[str, Any] = {"type": "hu", "by": "discard", "from": 1}
    if "self_drawn" in one.conditions:
        hu = {"type": "hu", "by": "self_drawn"}
    if "robbing_kong" in one.conditions:
        if "shoot_after_kong" in one.conditions:
            events.append({"type": "kong", "seat": 1, "kind": "concealed"})
        chain = {"chain": True} if "shoot_after_kong" in one.conditions else {}
        events.append({"type": "kong", "seat": 1, "kind": "promoted", "robbed": True, **chain})
        hu = {"type": "hu", "by": "robbed_kong", "from": 1}
    elif "shoot_after_kong" in one.conditions:
        events.append({"type": "kong", "seat": 1, "kind": "concealed"})
    if {"after_kong", "shoot_after_kong"} & set(one.conditions):
        hu["after_kong"] = True
    sets = {"melds": one.as_json()["melds"]} if shows_sets and one.melds else {}
    conditions = {"conditions": ["under_the_sea"]} if "under_the_sea" in one.conditions else {}
    winner = {"seat": 0, "value": value, **sets, **conditions}
    return {
        "ruleset": one.ruleset,
        "dealer": 0,
        "events": [*events, {**hu, "winners": [winner]}],
        "end": "wall",
        "hands": NOT_READY,
    }


def test_no_hand_of_sichuan_is_refused_at_its_worth(seed):
    rng = random.Random(f"agreed {seed}")
    fair = []
    for number in range(HANDS):
        one = case(rng)
        limit = RULESETS[one.ruleset].fan_limit
        found = fans.score(one.standing, one.melds, one.winning, one.conditions, None, limit)
        if found.complete:
            fair.append(sichuan_record(one, found.value, shows_sets=number % 2 == 0))
    assert len(fair) > HANDS // 3
    assert [problem for problem in ask(fair) if problem] == []


def test_no_waiting_hand_of_sichuan_is_refused_at_its_worth(seed):
    rng = random.Random(f"waiting {seed}")
    fair = []
    for number in range(HANDS):
        one = case(rng)
        rules = RULESETS[one.ruleset]
        values = fans.wait_values(one.standing, one.melds, None, rules, rules.fan_limit)
        if not values:
            continue
        sets = {"melds": one.as_json()["melds"]} if number % 2 and one.melds else {}
        hands = [{"seat": 0, "value": max(values.values()), **sets}, *NOT_READY]
        events = kong_events([meld.kind for meld in one.melds if meld.is_kong])
        fair.append({"ruleset": one.ruleset, "dealer": 0, "events": events, "end": "wall", "hands": hands})
    assert len(fair) > HANDS // 3
    assert [problem for problem in ask(fair) if problem] == []


def test_no_hand_of_hong_kong_is_refused_at_its_worth(seed):
    rng = random.Random(f"agreed {seed}")
    fair = []
    for _ in range(HANDS):
        hand = hong_kong_case(rng)
        found = hong_kong.best(hand)
        if not found or not found[0]["allowed"]:
            continue
        by = hand["by"]
        hu = {"type": "hu", "by": by, "winners": [{"seat": 0, "points": found[0]["points"]}]}
        hu |= {} if by in ("self_drawn", "loose") else {"from": 1}
        wind = {"round_wind": hand["round_wind"], "dealer": "ENWS".index(hand["seat_wind"])}
        fair.append({"ruleset": hand["ruleset"], "options": hand["options"], **wind, "events": [hu], "end": "win"})
    assert len(fair) > HANDS // 3
    assert [problem for problem in ask(fair) if problem] == []


@pytest.mark.parametrize("ruleset", ["cumberland", "balsall"])
def test_no_hand_of_the_classical_games_is_refused_at_its_worth(seed, ruleset):
    """Seat 1 has the hand, and wins where it has won; a loser's counts in Cumberland alone."""
    rng = random.Random(f"agreed {ruleset} {seed}")
    fair = []
    for _ in range(HANDS):
        hand = classical_case(rng, ruleset)
        found = classical.score(hand)
        has_won = hand.get("winner", True)
        if not found.get("allowed") if has_won else (ruleset == "balsall" or found["points"] == 0):
            continue
        kongs = [meld["type"] for meld in hand["melds"] if meld["kind"] == "kong"]
        events = [{"type": "kong", "seat": 1, "kind": kind} for kind in kongs]
        way = {"winner": 1, "by": hand["by"]} if has_won else {"winner": 2, "by": "self_drawn"}
        way |= {"from": 3} if way["by"] in ("discard", "robbed_kong") else {}
        conditions = [one for one in hand.get("conditions", ()) if one in ("last_tile", "last_discard")]
        entries: list[Any] = [{"points": 0}, {"points": found["points"], "conditions": conditions}, {"points": 40}]
        entries = [*entries, {"points": 0}] if ruleset == "cumberland" else [None, entries[1], None, None]
        goulash = {"goulash": True} if "goulash" in hand.get("conditions", ()) else {}
        after = {"after_kong": True} if "after_kong" in hand.get("conditions", ()) else {}
        wind = {"round_wind": hand["round_wind"], "east": (1 - "ESWN".index(hand["seat_wind"])) % 4}
        rules = {"ruleset": ruleset, "options": hand["options"]}
        fair.append({**rules, **wind, **way, **goulash, **after, "hands": entries, "events": events})
    assert len(fair) > HANDS // 4
    assert [problem for problem in ask(fair) if problem] == []
