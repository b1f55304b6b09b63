"""Cumberland and Balsall by engine and reference, in `make campaign` 100,000 hands each. (CUM-5, BAL-5, BAL-6)"""

import random
from collections import Counter
from typing import Any

import pytest

from tests.length import length
from tests.reference import classical
from tests.reference.classical_cases import case
from tests.reference.full_set import read
from wallwright.rules.core.registry import find_game

HANDS = length(2_000, 100_000)
WAITS = length(60, 2_500)
RULESETS = ("cumberland", "balsall")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_scores_are_those_of_the_reference(seed: int, ruleset: str) -> None:
    rng = random.Random(seed)
    seen: Counter[Any] = Counter()
    for _ in range(HANDS):
        record = case(rng, ruleset)
        expected = classical.score(record)
        assert find_game(ruleset).score(record) == expected, record
        seen[expected["complete"], expected.get("special")] += 1
    if ruleset == "balsall":
        rows = {special for complete, special in seen if complete}
        assert rows == {None, *classical.SPECIAL_ROWS, *classical.CONCEALED_ROWS}
    assert sum(count for (complete, _), count in seen.items() if complete) > HANDS // 5
    assert sum(count for (complete, _), count in seen.items() if not complete) > HANDS // 5


@pytest.mark.parametrize("ruleset", RULESETS)
def test_waits_are_those_of_the_reference(seed: int, ruleset: str) -> None:
    rng = random.Random(seed)
    ready = 0
    for _ in range(WAITS):
        record = case(rng, ruleset)
        while "winning" not in record:
            record = case(rng, ruleset)
        hand = {key: record[key] for key in ("ruleset", "options", "melds", "standing", "seat_wind", "round_wind")}
        held = read(hand["standing"]) + [tile for meld in hand["melds"] for tile in read(meld["tiles"])]
        # A tile that lies in an own set four times cannot come either.
        expected = [tile for tile in classical.waits(hand) if held.count(tile) < 4]
        found = find_game(ruleset).waits(hand)
        assert found["waits"] == expected, hand
        ready += bool(expected)
    assert ready > WAITS // 5
