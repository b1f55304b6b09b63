"""What a tracker can know of a deal at the best, to hold its account against."""

import random
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache

from wallwright.rules.sichuan import actions as act
from wallwright.rules.sichuan.bots import Bot, RandomBot, SmartBot
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.followed import Followed
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.tracking import Outcome, Setup, Tracker
from wallwright.tracking.outcome import Account

from .acted import Acted

ROBBED = 408
"""A deal of smart bots in which a kong is robbed."""


@cache
def played(seed: int, ruleset: str = "sichuan", *, at_random: bool = False) -> Deal:
    """A deal of four bots, with its wall known."""
    rng = random.Random(seed)
    _, deal = shuffled_deal(load_ruleset(ruleset), seed % 4, rng)
    bot: Bot = RandomBot() if at_random else SmartBot()
    return play(deal, (bot, bot, bot, bot), rng)


def plain_deals(
    chance: random.Random, ruleset: str = "sichuan", *, at_random: bool = False
) -> Iterator[tuple[int, Deal]]:
    """Deals, with their seeds, in which everybody is dealt all three suits: then the tile discarded first tells the
    forbidden suit. Who lacks a suit may name any by a card, which no reader sees.
    """
    while True:
        seed = chance.randrange(100_000)
        _, deal = shuffled_deal(load_ruleset(ruleset), seed % 4, random.Random(seed))
        if all(len({kind // 9 for kind in hand}) == 3 for hand in deal.dealt):
            yield seed, played(seed, ruleset, at_random=at_random)


def seen_log(deal: Deal) -> list[str]:
    """The actions of a deal as they can be seen: a pung or kong that a Hu overruled leaves no trace, like a pass."""
    again = deal.anew()
    log: list[str] = []
    window: list[int] = []
    for action in deal.log:
        asked = again.offered is not None and action.verb in (act.PASS, act.PUNG, act.KONG, act.HU)
        again.push(action)
        if asked:
            window.append(len(log))
        log.append(str(action))
        if asked and again.offered is None:
            if any(f" {act.HU}" in log[at] for at in window):
                for at in window:
                    if f" {act.HU}" not in log[at]:
                        log[at] = f"{log[at][0]} {act.PASS}"
            window = []
    return log


def tracked(acted: Acted, *, wall: bool = True, keys: bool = False) -> Outcome:
    """What the tracker says of a deal that was acted out."""
    deal = acted.deal
    tracker = Tracker(Setup(Followed(deal.ruleset), deal.dealer, acted.tiles, keys, own_sizes=deal.own_sizes))
    for event in acted.events:
        tracker.feed(event)
    return tracker.finish(acted.wall if wall else None)


def is_silently_wrong(account: Account, deal: Deal) -> bool:
    """Whether the account has other points than the deal, or another action that it does not mark as doubtful."""
    if account.settlement.points != deal.settle().points:
        return True
    if account.settlement.next_dealer != deal.settle().next_dealer:
        return True
    mine, theirs = list(map(str, account.deal.log)), seen_log(deal)
    wrong: set[int] = set()
    for tag, start, end, _, _ in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if tag != "equal":
            # Of what is missing, the next action has to be marked.
            wrong |= set(range(start, end)) or {min(start, len(mine) - 1)}
    return not wrong <= set(account.doubtful)


def is_exact(account: Account, deal: Deal) -> bool:
    """Whether every action is the true one."""
    return list(map(str, account.deal.log)) == seen_log(deal)
