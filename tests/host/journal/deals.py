"""Deals of bots, written into a journal as a table writes them."""

from random import Random
from typing import Any

from wallwright.journal import Journal
from wallwright.play.score_sheet import ScoreSheet
from wallwright.rules.sichuan.bots import SmartBot
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.declarations import event_record, hand_record
from wallwright.rules.sichuan.notation import format_deal
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.records import settlement_record
from wallwright.rules.sichuan.ruleset import Ruleset, load_ruleset


def write_deals(
    journal: Journal,
    count: int,
    seed: int,
    *,
    ruleset: Ruleset | None = None,
    unit: str = "T-1",
    is_tracked: bool = False,
) -> list[Deal]:
    """Play so many deals and write what was declared and what they came to, a transaction each; `is_tracked`: and the
    moves. Return the deals.
    """
    rng = Random(seed)
    ruleset = ruleset or load_ruleset("sichuan")
    bot = SmartBot()
    dealer = 0
    deals = []
    clock = iter(range(1_700_000_000_000, 1_800_000_000_000, 1_000))
    for number in range(1, count + 1):
        dice, deal = shuffled_deal(ruleset, dealer, rng)
        deals.append(play(deal, (bot, bot, bot, bot), rng))
        declared = deal.declared()
        assert declared.ended is not None
        with journal.batch():
            start = {"dice": list(dice), "build_ms": 20_000}
            sheet = ScoreSheet(ruleset, number, dealer, journal, unit=unit, clock=clock.__next__, start=start)
            for event in declared.events:
                sheet.declare(event)
            dealer = sheet.end(declared.ended, declared.hands).next_dealer
            if is_tracked:
                journal.append("deal_moves", moves_body(number, deal, rng), at_ms=next(clock), unit=unit)
    return deals


def moves_body(number: int, deal: Deal, rng: Random) -> dict[str, Any]:
    """A record of moves as tables with readers write it, some times unknown, some moves doubtful."""
    times = [rng.choice([None, 500 * at]) for at in range(len(deal.log))]
    doubtful = [at for at in range(len(deal.log)) if rng.random() < 0.02]
    notices = [{"at_ms": 80_120, "text": "seat 2 claimed late"}]
    return {"deal": number, "text": format_deal(deal), "times": times, "doubtful": doubtful, "notices": notices}


def declared_deal(seed: int, name: str) -> dict[str, Any]:
    """A deal as a scorer declares it: the record, and what it comes to."""
    ruleset = load_ruleset(name)
    bot = SmartBot()
    rng = Random(seed)
    deal = play(shuffled_deal(ruleset, 0, rng)[1], (bot, bot, bot, bot), rng).declared()
    settled = settlement_record(deal.settle())
    record = {
        "dealer": 0,
        "events": [event_record(event) for event in deal.events],
        "end": deal.ended,
        "hands": [hand_record(hand) for hand in deal.hands],
    }
    return {
        "record": record,
        "winners": list(deal.settle().winners),
        **{key: settled[key] for key in ("points", "penalties", "next_dealer")},
    }
