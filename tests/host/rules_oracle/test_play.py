"""Whole deals played by the engine and the reference in step: the same actions legal at every moment, the same points
at the end. (SBR-3, SBR-4, SBR-6, SBR-8)
"""

import random
from collections import Counter
from typing import Any

from tests.host.rules_oracle.bridge import engine_deal, load, name_outcome, name_settlement
from tests.length import length
from tests.reference.deal import Table
from tests.reference.rulesets import KNOWN, OTHERWISE
from tests.reference.settle import settle
from tests.reference.starts import Lively, blind, chained, contested, rigged
from wallwright.rules.sichuan.actions import parse_action
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.events import Winner
from wallwright.rules.sichuan.ruleset import parse_ruleset

DEALS = length(20, 120)


def check_legal(deal: Deal, table: Table, path: list[str]) -> None:
    found = sorted(map(str, deal.legal_actions()))
    assert found == sorted(table.legal()), path


def play(rng: random.Random, ruleset: str, seen: Counter[str]) -> None:
    """One deal, some steps of which are taken back and done again; the wall is known to the engine or it is not."""
    start = rng.choice((blind, rigged, contested, chained))(rng)
    table = start.table(ruleset)
    knows = rng.random() < 0.5
    deal = engine_deal(start, ruleset, wall_known=knows)
    player = Lively(rng, start.wishes)
    path: list[str] = []
    while table.phase != "over":
        if knows or table.phase != "draw":
            check_legal(deal, table, path)
        else:
            assert table.legal()[0] in set(map(str, deal.legal_actions())), path
        assert not deal.is_over, path
        text = player.choose(table)
        path.append(text)
        deal.apply(parse_action(text))
        if rng.random() < 0.1:
            assert str(deal.undo()) == text
            if knows:
                check_legal(deal, table, path)
            deal.apply(parse_action(text))
        table.apply(text)
        seen[text.split()[1]] += 1
    assert deal.is_over, path
    assert not deal.legal_actions()
    assert deal.status() == ()
    record = table.declared()
    assert name_settlement(deal.settle()) == name_outcome(settle(record)), (ruleset, start, path)
    for event in record["events"]:
        seen[event.get("by") or event["kind"]] += 1
        seen.update(condition for winner in event.get("winners", ()) for condition in winner["conditions"])
    seen[str(table.end)] += 1


def test_engine_and_reference_play_the_same_deals(seed):
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for ruleset in KNOWN:
        for _ in range(DEALS):
            play(rng, ruleset, seen)
    wanted = ["pass", "pung", "hu", "concealed", "melded", "promoted", "postponed", "wall", "three_hu"]
    wanted += ["self_drawn", "discard", "shoot_after_kong", "robbed_kong"]
    assert [what for what in wanted if not seen[what]] == []


def test_a_deal_broken_off_settles_as_the_reference_says(seed):
    """Time may be called at any moment, in the middle of a turn too; nothing is legal then. (SBR-4.9)"""
    rng = random.Random(seed)
    ruleset = parse_ruleset('base = "sichuan"\ntime_up = "stop"\n', "sichuan to the minute")
    phases = Counter[str]()
    for _ in range(DEALS):
        start = rng.choice((blind, rigged, contested, chained))(rng)
        table, player = start.table("sichuan"), Lively(rng, start.wishes)
        deal = engine_deal(start, ruleset)
        steps, wanted = rng.randrange(4, 150), rng.choice(("own", "draw", "window"))
        while table.phase != "over" and (steps > 0 or table.phase != wanted):
            steps -= 1
            text = player.choose(table)
            table.apply(text)
            deal.apply(parse_action(text))
        if table.phase != "over":
            phases[table.phase] += 1
            deal.call_time()
            table.end = "time_up"
            assert deal.end == "time_up"
            assert deal.legal_actions() == ()
            assert name_settlement(deal.settle()) == name_outcome(settle(table.declared()))
    assert {"own", "draw", "window"} <= set(phases)


def test_hu_after_a_chain_of_kongs_takes_the_payment_of_the_last_or_of_all():
    """A kong of an earlier turn stays paid either way. (SBR-6.4)"""
    points = {}
    for name in ("sichuan-4", OTHERWISE.name):
        kongs: list[dict[str, Any]] = [
            {"type": "kong", "seat": 0, "kind": "concealed"},
            {"type": "kong", "seat": 0, "kind": "melded", "from": 1},
            {"type": "kong", "seat": 0, "kind": "concealed", "chain": True},
            {"type": "kong", "seat": 0, "kind": "promoted", "chain": True},
        ]
        winner = {"seat": 2, "value": 4}
        hu = {"type": "hu", "by": "discard", "from": 0, "after_kong": True, "winners": [winner]}
        record = {"ruleset": name, "dealer": 0, "events": [*kongs, hu], "end": "time_up"}
        deal = DeclaredDeal(load(name), 0)
        for kong in kongs:
            deal.kong(0, kong["kind"], kong.get("from"), chain=kong.get("chain", False))
        deal.hu("discard", [Winner(2, value=4)], 0, after_kong=True)
        deal.end("time_up")
        settlement = deal.settle()
        assert name_settlement(settlement) == name_outcome(settle(record))
        points[name] = settlement.points
    assert points == {"sichuan-4": (6 + 2 + 6 - 4, -6, 0, -4), OTHERWISE.name: (6 - 4, -2, 2, -2)}
