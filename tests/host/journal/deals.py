"""Deals of bots, written into a journal as a table writes them."""

from random import Random

from wallwright.journal import Journal
from wallwright.rules.bots import SmartBot
from wallwright.rules.play import play, shuffled_deal
from wallwright.rules.ruleset import Ruleset, load_ruleset
from wallwright.scoring import ScoreSheet


def write_deals(journal: Journal, count: int, seed: int, *, ruleset: Ruleset | None = None, unit: str = "T-1") -> None:
    """Play so many deals and write what was declared and what they came to, a transaction each."""
    rng = Random(seed)
    ruleset = ruleset or load_ruleset("sichuan")
    bot = SmartBot()
    dealer = 0
    clock = iter(range(1_700_000_000_000, 1_800_000_000_000, 1_000))
    for number in range(1, count + 1):
        dice, deal = shuffled_deal(ruleset, dealer, rng)
        declared = play(deal, (bot, bot, bot, bot), rng).declared()
        assert declared.ended is not None
        with journal.batch():
            start = {"dice": list(dice), "build_ms": 20_000}
            sheet = ScoreSheet(ruleset, number, dealer, journal, unit=unit, clock=clock.__next__, start=start)
            for event in declared.events:
                sheet.declare(event)
            dealer = sheet.end(declared.ended, declared.hands).next_dealer
