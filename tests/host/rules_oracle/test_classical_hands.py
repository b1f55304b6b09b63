"""4,000 hands of Cumberland and Balsall, in `make campaign` 100,000, by engine and reference. (CUM-5, BAL-5, BAL-6)"""

import random
from collections import Counter
from typing import Any

from tests.length import length
from tests.reference import classical
from tests.reference.classical_cases import case
from tests.reference.full_set import read
from wallwright.rules.core.registry import find_game

HANDS = length(4_000, 100_000)
WAITS = length(300, 5_000)


def test_scores_are_those_of_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    seen: Counter[Any] = Counter()
    for _ in range(HANDS):
        record = case(rng)
        expected = classical.score(record)
        assert find_game(record["ruleset"]).score(record) == expected, record
        seen[record["ruleset"], expected["complete"], expected.get("special")] += 1
    rows = {special for ruleset, complete, special in seen if ruleset == "balsall" and complete}
    assert rows == {None, *classical.SPECIAL_ROWS, *classical.CONCEALED_ROWS}
    assert seen["cumberland", True, None] > HANDS // 10
    assert seen["cumberland", False, None] > HANDS // 10


def test_waits_are_those_of_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    ready = 0
    for _ in range(WAITS):
        record = case(rng)
        while "winning" not in record:
            record = case(rng)
        hand = {key: record[key] for key in ("ruleset", "options", "melds", "standing", "seat_wind", "round_wind")}
        held = read(hand["standing"]) + [tile for meld in hand["melds"] for tile in read(meld["tiles"])]
        # A tile that lies in an own set four times cannot come either.
        expected = [tile for tile in classical.waits(hand) if held.count(tile) < 4]
        found = find_game(hand["ruleset"]).waits(hand)
        assert found["waits"] == expected, hand
        ready += bool(expected)
    assert ready > WAITS // 3
