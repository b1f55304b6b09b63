"""Bots play whole deals; the one that plays to win does."""

import random
import time
from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from tests.host.rules.sichuan.support import BOOK, CHENGDU, FOUR, MIL, random_deal
from wallwright.rules.sichuan.actions import parse_action
from wallwright.rules.sichuan.bots import RandomBot, SmartBot
from wallwright.rules.sichuan.packed import ALL, pack_tiles
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.tiles import parse_suit, parse_tile, parse_tiles
from wallwright.rules.sichuan.wall import take_order, wall_plan

if TYPE_CHECKING:
    from wallwright.rules.sichuan.view import View

EVERY_RULESET = pytest.mark.parametrize("ruleset", [BOOK, FOUR, CHENGDU, MIL], ids=lambda ruleset: ruleset.name)


@pytest.mark.slow
@EVERY_RULESET
@pytest.mark.parametrize("bot", [RandomBot(), SmartBot()], ids=["random", "smart"])
def test_deals_end_and_points_sum_to_the_penalties(ruleset, bot):
    seed = 11
    print("seed", seed)
    rng = random.Random(seed)
    for number in range(8):
        deal = play(random_deal(ruleset, rng, number % 4), [bot] * 4, rng)
        settlement = deal.settle()
        assert sum(settlement.points) == -sum(penalty.points for penalty in settlement.penalties)
        assert deal.status() == ()


@EVERY_RULESET
def test_no_tile_is_in_two_places_and_undo_restores_everything(ruleset):
    seed = 12
    print("seed", seed)
    rng = random.Random(seed)
    deal = random_deal(ruleset, rng)
    states = []

    def state():
        return (
            [deal.packed_hand(seat) for seat in range(4)],
            [deal.melds(seat) for seat in range(4)],
            [deal.discards(seat) for seat in range(4)],
            [deal.void(seat) for seat in range(4)],
            deal.pending,
            deal.legal_actions(),
            deal.wall_left,
            deal.events,
            deal.end,
            deal.pool(),
        )

    while not deal.is_over:
        assert deal.wall is not None
        unseen = pack_tiles(deal.wall[len(deal.wall) - deal.wall_left :])
        hands = sum(deal.packed_hand(seat) for seat in range(4))
        assert hands + deal.open_tiles() + unseen == 4 * ALL
        states.append(state())
        deal.apply(rng.choice(deal.legal_actions()))
    while states:
        deal.undo()
        assert state() == states.pop()


@pytest.mark.parametrize(
    ("hand", "void", "chosen"),
    [
        ("555s 123s 78s 11m 234m", "p", "kong"),  # still waits for 6s and 9s
        ("34555s 123m 456m 78m", "p", "pass"),  # a kong takes the pair, a pung gains nothing
        ("34555s 123m 456m 99m", "p", "kong"),  # the pair is another
        ("555s 19m 258m 369m 17s", "p", "kong"),  # far from complete, and no farther
        ("55s 123m 456m 789m 1s 9s", "p", "pung"),
        ("55s 123m 456m 79m 346s", "p", "pass"),  # it had the pair
        ("555s 123m 456m 789m 1m", "s", "pass"),  # the forbidden suit
    ],
)
def test_the_winning_bot_claims_what_brings_it_nearer(hand: str, void: str, chosen: str) -> None:
    tiles = parse_tiles(hand)
    assert len(tiles) == 13
    five = parse_tile("5s")
    view = SimpleNamespace(seat=1, packed_hand=pack_tiles(tiles), offered=five, void=parse_suit(void))
    claims = [parse_action("1 pass"), parse_action("1 pung 5s")]
    claims += [parse_action("1 kong 5s")] * (tiles.count(five) == 3)
    assert SmartBot().choose(cast("View", view), claims, random.Random(0)).verb == chosen


@pytest.mark.slow
def test_the_winning_bot_beats_the_random_one():
    seed = 13
    print("seed", seed)
    rng = random.Random(seed)
    points: Counter[str] = Counter()
    for number in range(24):
        bots = [SmartBot() if (seat + number) % 2 else RandomBot() for seat in range(4)]
        settlement = play(random_deal(BOOK, rng, number % 4), bots, rng).settle()
        for seat in range(4):
            points[type(bots[seat]).__name__] += settlement.points[seat]
    assert points["SmartBot"] > 100
    assert points["RandomBot"] < 0


@pytest.mark.slow
def test_smart_bots_never_pay_a_penalty_and_mostly_win():
    seed = 14
    print("seed", seed)
    rng = random.Random(seed)
    winners = 0
    for number in range(30):
        settlement = play(random_deal(FOUR, rng, number % 4), [SmartBot()] * 4, rng).settle()
        assert settlement.penalties == ()
        winners += len(settlement.winners)
    assert winners > 60


def test_the_same_seed_plays_the_same_deal():
    logs = []
    for _ in range(2):
        rng = random.Random(5)
        _dice, deal = shuffled_deal(BOOK, 2, rng)
        play(deal, [SmartBot()] * 4, rng)
        logs.append(deal.log)
    assert logs[0] == logs[1]


def test_a_shuffled_deal_comes_from_its_walls():
    rng = random.Random(6)
    dice, deal = shuffled_deal(MIL, 1, rng)
    assert deal.wall is not None
    assert len(deal.wall) == 55
    assert [len(hand) for hand in deal.dealt] == [13, 14, 13, 13]
    # The same numbers lay out the same faces, so the tiles can be found again by the order of the walls.
    rng = random.Random(6)
    assert (rng.randint(1, 6), rng.randint(1, 6)) == dice
    assert len(take_order(wall_plan(108, 1, "east_west"), 1, dice)) == 108
    assert deal.status() == ()


@pytest.mark.slow
def test_a_smart_deal_is_quick():
    rng = random.Random(15)
    play(random_deal(BOOK, rng), [SmartBot()] * 4, rng)
    began = time.process_time()
    for _ in range(5):
        play(random_deal(BOOK, rng), [SmartBot()] * 4, rng)
    assert (time.process_time() - began) / 5 < 0.3
