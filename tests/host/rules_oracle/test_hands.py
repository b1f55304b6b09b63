"""25,000 hands, in `make campaign` 100,000, valued by the engine and by the reference. (SBR-5, SBR-6.5, SBR-6.6)"""

import random
from collections import Counter

from tests.host.rules_oracle.bridge import counts, engine_melds, kind, kinds, load, tile_of, void_of
from tests.length import length
from tests.reference import fans, hands
from tests.reference.cases import FORMS, Case, case
from tests.reference.rulesets import RULESETS
from tests.reference.table9 import CHAIN, MOST, PAIRS, pairs_of
from wallwright.rules.sichuan.fans import score_hand, wait_values
from wallwright.rules.sichuan.hands import is_complete, readings
from wallwright.rules.sichuan.ruleset import Ruleset

HANDS = length(8_000, 100_000)


def reference_score(item: Case) -> fans.Score:
    limit = RULESETS[item.ruleset].fan_limit
    return fans.score(item.standing, item.melds, item.winning, item.conditions, item.void, limit)


def check_score(item: Case, ruleset: Ruleset) -> fans.Score:
    expected = reference_score(item)
    found = score_hand(
        kinds(item.standing), kind(item.winning), ruleset, engine_melds(item.melds), item.conditions, void_of(item)
    )
    assert (found.complete, found.form or None, dict(found.items), found.fans, found.value) == (
        expected.complete,
        expected.form,
        expected.items,
        expected.fans,
        expected.value,
    ), item
    return expected


def check_waits(item: Case, ruleset: Ruleset) -> int:
    rules = RULESETS[item.ruleset]
    expected = fans.wait_values(item.standing, item.melds, item.void, rules, rules.fan_limit)
    found = wait_values(kinds(item.standing), ruleset, engine_melds(item.melds), void_of(item))
    assert {tile_of(engine_kind): value for engine_kind, value in found.items()} == expected, item
    return len(expected)


def check_readings(item: Case) -> None:
    """Without a forbidden suit, only the tiles decide; every reading is found, and none twice."""
    hand = [*item.standing, item.winning]
    few_suits = len(hands.suits_of(hand, item.melds)) <= 2
    expected = Counter(map(sorted_reading, hands.readings(hand, item.melds))) if few_suits else Counter()
    if len(hands.suits_of(hand, ())) <= 2:
        assert is_complete(counts(hand)) == any(True for _ in hands.readings(hand, item.melds)), item
    found = Counter(
        tuple(sorted([*reading.sets, *((pair, pair) for pair in reading.pairs)]))
        for reading in readings(counts(hand), engine_melds(item.melds))
    )
    assert found == expected, item


def sorted_reading(reading: hands.Reading) -> hands.Reading:
    return tuple(sorted(kinds(tiles) for tiles in reading))


def test_random_hands_are_worth_the_same(seed):
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    together = set()
    for _ in range(HANDS):
        item = case(rng)
        ruleset = load(item.ruleset)
        expected = check_score(item, ruleset)
        seen[f"{item.form}: {'win' if expected.complete else 'miss'}"] += 1
        seen[f"{check_waits(item, ruleset)} waits"] += 1
        seen.update(f"{name} {fan}" for name, fan in expected.items.items())
        seen.update(expected.complete * item.conditions)
        together |= pairs_of(expected.items)
        if expected.complete:
            seen.update(meld.kind for meld in item.melds)
            check_readings(item)
    wanted = [f"{form}: {result}" for form in FORMS for result in ("win", "miss")]
    wanted += [f"kong {number}" for number in (1, 2, 3, 4)] + [f"root {number}" for number in (1, 2, 3)]
    wanted += ["seven_pairs 2", "full_flush 2", "golden_wait 1", "all_pungs 1"]
    wanted += ["concealed", "melded", "promoted", "postponed", "pung"]
    wanted += ["self_drawn", "after_kong", "shoot_after_kong", "robbing_kong", "under_the_sea"]
    wanted += [f"{number} waits" for number in range(7)]
    assert [name for name in wanted if seen[name] < HANDS // 10_000] == []
    # Every plus of Table 9 has turned up, and nothing else has.
    assert together == PAIRS | {CHAIN}
    assert {name: most for name in ("kong", "root") for most in range(1, 9) if seen[f"{name} {most}"]} == MOST
