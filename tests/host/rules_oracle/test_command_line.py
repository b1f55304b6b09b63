"""`wallwright rules score|waits|settle` against the reference, line by line in their JSON shapes. (SBR-5 to SBR-8)"""

import json
import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from typer.testing import CliRunner

from tests.host.rules_oracle.bridge import name_outcome
from tests.length import length
from tests.reference import fans
from tests.reference.cases import case, meld_json
from tests.reference.notation import name, write
from tests.reference.records import record
from tests.reference.rulesets import RULESETS
from tests.reference.settle import settle
from wallwright.cli.rules import app

HANDS = length(300, 5_000)
DEALS = length(80, 2_000)


def answers(command: str, lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the command prints for the lines, parsed."""
    result = CliRunner().invoke(app, [command], input="".join(json.dumps(line) + "\n" for line in lines))
    found = [json.loads(line) for line in result.output.splitlines()]
    assert [answer for answer in found if "error" in answer] == []
    assert result.exit_code == 0
    return found


def limits(rng: random.Random, ruleset: str) -> tuple[dict[str, Any], int | None]:
    """Now and then a fan limit of the line's own, which goes before the ruleset's."""
    if rng.random() < 0.7:
        return {}, RULESETS[ruleset].fan_limit
    limit = rng.choice((None, 1, 3, 5))
    return {"fan_limit": limit}, limit


def test_score(seed):
    rng = random.Random(seed)
    lines: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    for _ in range(HANDS):
        item = case(rng)
        extra, limit = limits(rng, item.ruleset)
        lines.append({**item.as_json(), **extra})
        found = fans.score(item.standing, item.melds, item.winning, item.conditions, item.void, limit)
        expected.append(
            {"complete": True, "form": found.form, "items": found.items, "fans": found.fans, "value": found.value}
            if found.complete
            else {"complete": False}
        )
    for line, answer, wanted in zip(lines, answers("score", lines), expected, strict=True):
        assert answer == wanted, line
    assert 0 < sum(answer["complete"] for answer in expected) < HANDS


def test_waits(seed):
    rng = random.Random(seed)
    lines: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    for _ in range(HANDS):
        item = case(rng)
        extra, limit = limits(rng, item.ruleset)
        hand = {"standing": write(item.standing), "melds": [meld_json(meld) for meld in item.melds]}
        lines.append({**hand, "ruleset": item.ruleset, **({"void": item.void} if item.void else {}), **extra})
        values = fans.wait_values(item.standing, item.melds, item.void, RULESETS[item.ruleset], limit)
        by_tile = {name(tile): value for tile, value in values.items()}
        best = max(values.values(), default=0)
        expected.append({"waits": sorted(by_tile), "ready": bool(values), "best_value": best, "by_tile": by_tile})
    for line, answer, wanted in zip(lines, answers("waits", lines), expected, strict=True):
        assert {**answer, "waits": sorted(answer["waits"])} == wanted, line
    assert 0 < sum(answer["ready"] for answer in expected) < HANDS


def test_settle(seed):
    rng = random.Random(seed)
    lines = [record(rng) for _ in range(DEALS)]
    seen: Counter[str] = Counter()
    for line, answer in zip(lines, answers("settle", lines), strict=True):
        outcome = settle(line)
        found = {
            "points": tuple(answer["points"]),
            "payments": sorted(
                (item["from"], item["to"], item["points"], item["clause"]) for item in answer["payments"]
            ),
            "penalties": sorted((item["seat"], item["points"], item["clause"]) for item in answer["penalties"]),
            "next dealer": answer["next_dealer"],
        }
        assert found == name_outcome(outcome), line
        seen[line["end"]] += 1
        seen.update(payment[-1] for payment in outcome.payments)
        seen.update(penalty[-1] for penalty in outcome.penalties)
    wanted = ["three_hu", "wall", "time_up", "SBR-3.3", "SBR-3.4", "SBR-3.5", "SBR-6.1", "SBR-6.2", "SBR-6.3"]
    wanted += ["SBR-6.5", "SBR-7.3", "SBR-11.2", "SBR-11.3", "SBR-11.4"]
    assert [what for what in wanted if not seen[what]] == []


def test_impossible_records_are_refused_and_the_rest_goes_on(seed):
    """A player who had won before, a kong from oneself, a fifth copy: an error in place, and exit status 1."""
    rng = random.Random(seed)
    good = record(rng)
    kong = {"type": "kong", "seat": 1, "kind": "melded", "from": 1}
    twice = {"type": "hu", "by": "self_drawn", "winners": [{"seat": 2, "value": 1}]}
    hands = [{"seat": seat, "standing": "1112223334445s", "void": "m"} for seat in (0, 1)]
    bare = {"ruleset": "sichuan", "dealer": 0, "end": "time_up"}
    lines = [
        {**bare, "events": [kong]},
        good,
        {**bare, "events": [twice, twice]},
        good,
        {**bare, "events": [], "hands": hands},
    ]
    result = CliRunner().invoke(app, ["settle"], input="".join(json.dumps(line) + "\n" for line in lines))
    found = [json.loads(line) for line in result.output.splitlines()]
    assert result.exit_code == 1
    assert [answer.get("line") for answer in found] == [1, None, 3, None, 5]
    assert all(answer["error"] for answer in found[::2])
    assert found[1] == found[3]
    assert tuple(found[1]["points"]) == name_outcome(settle(good))["points"]
