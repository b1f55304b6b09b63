"""Deals of bots: they end, lose no tile, and East moves as the clauses say. (CLA-1.1, CUM-8, BAL-8, BAL-9)"""

from collections import Counter
from itertools import islice, pairwise
from random import Random

import pytest

from tests.length import length
from wallwright.rules.classical.bots import SmartBot
from wallwright.rules.classical.play import FULL_SET, session
from wallwright.rules.classical.ruleset import load_rules
from wallwright.rules.core.bots import RandomBot

RANDOM, SMART = length(20, 500), length(6, 200)


def tiles_of(deal):
    """Every tile of a deal, wherever it lies."""
    state = deal.state
    left = set(range(state.head, len(deal.wall))) - set(deal.tail[: state.tail])
    found = Counter(deal.wall[at] for at in left)
    found.update(state.unclaimed)
    for seat in range(4):
        found.update(deal.hand(seat))
        found.update((*state.flowers[seat], *state.waiting[seat]))
        for one in state.sets[seat]:
            found.update(one.tiles)
    if state.won is not None and state.won.by in ("discard", "robbed_kong"):
        found[state.won.tile] += 1
    return found


def check_deal(played):
    """A deal that has ended with all its tiles, and whose payments come to nothing but what the pot gained."""
    deal, settled = played.deal, played.settled
    assert tiles_of(deal) == Counter(FULL_SET)
    assert deal.state.end == ("win" if deal.state.won else "wall")
    assert deal.state.won or not deal.left
    if deal.sitting.rules.name == "balsall":
        pot = settled.next_["pot"]
        assert sum(settled.points) == deal.sitting.pot - pot
    while deal.log:
        deal.undo()
    assert [len(hand) for hand in deal.dealt] == [
        len(deal.hand(seat)) + len(deal.state.waiting[seat]) for seat in range(4)
    ]


def check_next(before, after):
    """Who is East next, as CUM-8.1, BAL-8.5, 8.6 and 9.2 say, and what the next deal is."""
    sitting, following, settled = before.deal.sitting, after.deal.sitting, before.settled
    stays = settled.winner is None or (settled.winner == sitting.east and not sitting.goulash)
    assert following.east == (sitting.east if stays else (sitting.east + 1) % 4)
    assert following.goulash == (sitting.rules.name == "balsall" and settled.winner is None)
    assert following.pot == (20 if sitting.goulash and settled.winner is None else 0)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["cumberland", "balsall"])
@pytest.mark.parametrize(("bot", "number"), [(RandomBot(), RANDOM), (SmartBot(), SMART)], ids=["random", "smart"])
def test_deals_of_bots(ruleset, bot, number, seed):
    played = list(islice(session(load_rules(ruleset), [bot] * 4, Random(seed)), number))
    for before, after in pairwise(played):
        check_next(before, after)
    wins = sum(one.deal.state.won is not None for one in played)
    for one in played:
        check_deal(one)
    if isinstance(bot, SmartBot):
        assert 2 * wins >= number
    if ruleset == "balsall":
        assert any(one.deal.sitting.goulash for one in played) or isinstance(bot, SmartBot)


@pytest.mark.parametrize("options", [{"flowers": "at_once"}, {"reserve": 16}, {"rob_kong": False, "min_points": 5}])
def test_deals_with_other_decisions(options, seed):
    for one in islice(session(load_rules("balsall", options), [RandomBot()] * 4, Random(seed)), 10):
        assert tiles_of(one.deal) == Counter(FULL_SET)


@pytest.mark.slow
@pytest.mark.parametrize("wind", ["each_hand", "each_round", "fixed"])
def test_cum_2_2_winds_of_a_session(wind, seed):
    rules = load_rules("cumberland", {"wind_of_round": wind, "settlement": "classical"})
    played = list(islice(session(rules, [SmartBot()] * 4, Random(seed)), 6))
    assert all(sum(one.settled.points) == 0 for one in played)
    first = [one.deal.sitting.round_wind for one in played]
    thrown = ["NESW"[sum(one.throws[0]) % 4] for one in played]
    if wind == "each_hand":
        assert first == thrown
    else:
        assert first[0] == ("E" if wind == "fixed" else thrown[0])
        for before, after in pairwise(played):
            if not (after.deal.sitting.east == 0 and before.deal.sitting.east == 3):
                assert after.deal.sitting.round_wind == before.deal.sitting.round_wind
