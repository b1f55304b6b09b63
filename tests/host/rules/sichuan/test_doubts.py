"""What costs points by the tiles alone has to be said; and the items that a table agrees on are those of a hand."""

from random import Random
from typing import Any

import pytest

from tests.host.rules.sichuan.support import BOOK, CHENGDU, FOUR, MIL
from wallwright.rules.core.errors import RulesError
from wallwright.rules.sichuan.bots import RandomBot, SmartBot
from wallwright.rules.sichuan.declarations import deal_record
from wallwright.rules.sichuan.doubts import doubts, say_of_hands
from wallwright.rules.sichuan.events import Breach
from wallwright.rules.sichuan.fans import HAND_ITEMS
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.records import read_deal
from wallwright.rules.sichuan.settlement import Settlement

NO_HU = {"seat": 0, "standing": "1122334455669s", "winning": "1m", "void": "p"}
PIG = {"seat": 0, "standing": "1122334455667m", "winning": "7m", "void": "m"}
WITH_SET = {
    "seat": 0,
    "standing": "1112223344m",
    "winning": "4m",
    "void": "s",
    "melds": [{"kind": "pung", "tiles": "111s"}],
}


def hu(winner):
    return {"events": [{"type": "hu", "by": "self_drawn", "winners": [winner]}], "end": "time_up"}


def wall(hand):
    others = [{"seat": seat, "value": 0} for seat in (1, 2, 3)]
    return {"events": [], "end": "wall", "hands": [{"seat": 0, **hand}, *others]}


def found(record, ruleset=BOOK):
    deal = read_deal({"dealer": 0, **record}, ruleset)
    return [(one.kind, one.seat, one.at) for one in doubts(deal, deal.settle())]


SAID = {"false": True, "referee": "Ann"}


@pytest.mark.parametrize(
    ("ruleset", "record", "asked"),
    [
        (BOOK, hu(NO_HU), ["false_hu"]),
        (BOOK, hu({**NO_HU, "false": True}), ["false_hu"]),
        (BOOK, hu({**NO_HU, **SAID}), []),
        (BOOK, hu({"seat": 0, "false": True}), ["false_hu"]),
        (BOOK, hu({"seat": 0, **SAID}), []),
        (BOOK, hu(PIG), ["false_hu", "forbidden_suit"]),
        (BOOK, hu({**PIG, **SAID}), ["forbidden_suit"]),
        (BOOK, hu({**PIG, **SAID, "holds_void": True}), []),
        (MIL, hu({**PIG, **SAID}), []),
        (BOOK, hu({**WITH_SET, **SAID}), ["forbidden_suit"]),
        (MIL, hu({**WITH_SET, **SAID}), ["forbidden_suit"]),
        (
            MIL,
            {
                **hu({**WITH_SET, **SAID}),
                "events": [{"type": "breach", "seat": 0}, *hu({**WITH_SET, **SAID})["events"]],
            },
            [],
        ),
        (
            MIL,
            {
                **hu({"seat": 0, "value": 4}),
                "events": [{"type": "breach", "seat": 0}, *hu({"seat": 0, "value": 4})["events"]],
            },
            ["false_hu"],
        ),
        (BOOK, hu({"seat": 0, "value": 4, "melds": WITH_SET["melds"], "void": "s"}), ["forbidden_suit"]),
        (BOOK, hu({"seat": 0, "items": [], "holds_void": True}), ["no_forbidden_suit"]),
        (BOOK, wall({"standing": "147m258p369s1234m"}), ["not_ready"]),
        (BOOK, wall({"standing": "147m258p369s1234m", "not_ready": True}), []),
        (BOOK, wall({"value": 0}), []),
        (BOOK, wall({"standing": "1112223334447m", "void": "m"}), ["forbidden_suit"]),
        (BOOK, wall({"standing": "1112223334447m", "void": "m", "not_ready": True}), ["forbidden_suit"]),
        (BOOK, wall({"standing": "1112223334447m", "void": "m", "holds_void": True}), []),
        (BOOK, wall({"standing": "1112223334447m", "void": "m", "only_void_discards": True}), ["not_ready"]),
        (BOOK, wall({"standing": "1112223334447m", "void": "p", "not_ready": True}), ["ready"]),
        (BOOK, wall({"standing": "1112223334447m", "void": "p", "holds_void": True}), ["no_forbidden_suit"]),
        (BOOK, wall({"standing": "1112223334447m", "void": "p"}), []),
    ],
)
def test_what_a_wrong_tap_would_cost_is_asked(ruleset, record, asked):
    assert [kind for kind, _, _ in found(record, ruleset)] == asked
    assert {seat for _, seat, _ in found(record, ruleset)} <= {0}


def lost_alone(settlement: Settlement, seat: int) -> bool:
    """Whether a seat loses something without having given a tile or let somebody draw: by what its own hand is."""
    return any(one.seat == seat for one in settlement.penalties) or any(
        one.payer == seat and one.clause in ("SBR-7.3", "SBR-6.5") for one in settlement.payments
    )


@pytest.mark.slow
def test_nobody_pays_for_a_hand_of_which_nothing_is_said():
    """Deals of careless bots: without what is said of hands there is a doubt wherever somebody pays for their own."""
    seed = Random().randrange(1 << 32)
    print(f"seed {seed}")
    paid = 0
    for number in range(80):
        chance = Random(f"{seed} {number}")
        ruleset = (BOOK, FOUR, CHENGDU, MIL)[number % 4]
        _, tracked = shuffled_deal(ruleset, number % 4, chance)
        play(tracked, (RandomBot(), SmartBot(), RandomBot(), SmartBot()), chance)
        record = deal_record(tracked.declared())
        deal = read_deal(record, ruleset)
        settlement = deal.settle()
        asked = doubts(deal, settlement)
        breached = {one.seat for one in deal.events if isinstance(one, Breach)}
        for seat in range(4):
            if lost_alone(settlement, seat) and seat not in breached:
                paid += 1
                assert any(one.seat == seat for one in asked), (number, seat)
        said = read_deal(say_of_hands(record, asked), ruleset)
        assert said.settle().points == settlement.points
        assert all(one.at is not None for one in doubts(said, said.settle()))
    assert paid > 10


@pytest.mark.slow
def test_items_are_worth_what_their_hand_is():
    """Every Hu of bots, told by its items in place of its tiles, comes to the same."""
    seed = Random().randrange(1 << 32)
    print(f"seed {seed}")
    met = 0
    for number in range(80):
        chance = Random(f"{seed} {number}")
        ruleset = (BOOK, FOUR, CHENGDU, MIL)[number % 4]
        _, tracked = shuffled_deal(ruleset, number % 4, chance)
        bot = SmartBot()
        play(tracked, (bot, bot, bot, bot), chance)
        told = tracked.declared()
        settlement = told.settle()
        scores = {judged.seat: judged.score for one in settlement.hu for judged in one.winners if not judged.false}
        record: dict[str, Any] = deal_record(told)
        for event in record["events"]:
            for winner in event.get("winners", ()):
                if (score := scores.get(winner["seat"])) is not None:
                    met += 1
                    for name in ("standing", "winning", "melds", "void"):
                        winner.pop(name, None)
                    winner["items"] = [
                        name for name, fans in HAND_ITEMS.items() for _ in range(score.items.get(name, 0) // fans)
                    ]
        agreed = read_deal(record, ruleset).settle()
        assert agreed.points == settlement.points
        assert [one.value for hu in agreed.hu for one in hu.winners] == [
            one.value for hu in settlement.hu for one in hu.winners
        ]
    assert met > 80


KONGS = [{"type": "kong", "seat": 0, "kind": "concealed"}] * 2


@pytest.mark.parametrize(
    ("items", "kongs", "problem"),
    [
        (["seven_pairs", "all_pungs"], 0, "seven pairs together with all pungs"),
        (["seven_pairs"], 1, "seven pairs together with kong"),
        (["root", "all_pungs"], 0, "root together with all pungs"),
        (["golden_wait"], 0, "has all pungs as well"),
        (["full_flush", "full_flush"], 0, "full_flush counts once"),
        (["root"] * 3, 2, "no room for 2 kongs and 3 roots"),
        (["root"] * 4, 0, "no room for 0 kongs and 4 roots"),
        (["kong"], 0, "unknown item 'kong'"),
    ],
)
def test_items_that_no_hand_has_together_are_refused(items, kongs, problem):
    record = hu({"seat": 0, "items": items})
    with pytest.raises(RulesError, match=problem):
        read_deal({"dealer": 0, **record, "events": [*KONGS[:kongs], *record["events"]]}).settle()


@pytest.mark.parametrize("other", [{"value": 4}, {"standing": "1m", "winning": "1m"}, {"false": True}])
def test_a_hand_is_told_in_one_way(other):
    with pytest.raises(RulesError, match="not two of them"):
        read_deal({"dealer": 0, **hu({"seat": 0, "items": [], **other})})
