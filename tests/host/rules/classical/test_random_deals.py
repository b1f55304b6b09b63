"""Deals of random actions: they end, no tile is lost, and every settlement is one. (CLA-1.1, CUM-8, BAL-8, BAL-9)"""

from collections import Counter
from random import Random

import pytest

from wallwright.rules.classical.play import FULL_SET, Sitting, next_sitting, shuffled_deal, throw, thrown_wind
from wallwright.rules.classical.ruleset import load_rules


def tiles_of(deal):
    """Every tile of a deal, wherever it lies."""
    found = Counter(deal.state.wall[at] for at in range(len(deal.state.wall)) if not deal.state.gone >> at & 1)
    for seat in range(4):
        found.update(deal.hand(seat))
        found.update(deal.flowers(seat))
        found.update(deal.discards(seat))
        for one in deal.sets(seat):
            found.update(one.tiles)
    found.update(one.tile for one in deal.winners[:1] if one.by == "robbed_kong")
    return found


def check_next(sitting, settled, following):
    """Who is East next, as CUM-8.1, BAL-8.5, 8.6 and 9.2 say."""
    balsall = sitting.rules.name == "balsall"
    stays = settled.winner is None or (settled.winner == sitting.east and not sitting.goulash)
    assert following.east == (sitting.east if stays else (sitting.east + 1) % 4)
    assert following.goulash == (balsall and settled.winner is None)
    assert following.pot == (20 if sitting.goulash and settled.winner is None else 0)


@pytest.mark.parametrize("ruleset", ["cumberland", "balsall"])
def test_a_sitting_of_random_deals(ruleset, seed):
    rng = Random(seed)
    sitting = Sitting(load_rules(ruleset))
    for _ in range(25):
        throws = throw(sitting.rules, rng)
        if ruleset == "cumberland":
            sitting = Sitting(sitting.rules, sitting.east, thrown_wind(throws))
        deal = shuffled_deal(sitting, throws, rng)
        while not deal.is_over:
            legal = deal.legal_actions()
            wins = [action for action in legal if action.verb == "win"]
            deal.apply(wins[0] if wins else rng.choice(legal))
            if rng.random() < 0.02:
                again = deal.undo()
                deal.apply(again)
        assert tiles_of(deal) == Counter(FULL_SET)
        assert (deal.wall_left == 0) or deal.winners
        settled = sitting.settle(deal)
        following = next_sitting(sitting, settled)
        check_next(sitting, settled, following)
        if ruleset == "balsall":
            pot = settled.next_["pot"]
            assert isinstance(pot, int)
            assert sum(settled.points) == sitting.pot - pot
        sitting = following
