"""Deals in which each player draws from the own wall and nobody forbids a suit (SBR-11.9)."""

from random import Random

import pytest

from wallwright.duplicate.deals import OWN, dealt
from wallwright.duplicate.drawing import draw_deals
from wallwright.rules.core.form import NEVER
from wallwright.rules.sichuan import actions as act
from wallwright.rules.sichuan.bots import RandomBot, SmartBot
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.form import form_of
from wallwright.rules.sichuan.play import play
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.rules.sichuan.tiles import parse_tiles

RULES = load_ruleset("mil-2025-duplicate")


def drawn(seed, count):
    return draw_deals("x", "mil-2025-duplicate", OWN, count, random_bytes=Random(seed).randbytes)


def deal_of(deals, number):
    one = deals.deal(number)
    found = dealt(deals.rules, OWN, one)
    hands, walls = [list(hand) for hand in found.hands], [list(wall) for wall in found.walls]
    hands[one.dealer].append(walls[one.dealer].pop(0))
    return Deal(RULES, one.dealer, hands, sum(map(len, walls)), own_walls=walls), walls


@pytest.mark.slow
@pytest.mark.parametrize("bot", [SmartBot(), RandomBot()])
def test_sbr_11_9_everybody_draws_the_own_wall_in_its_order_until_one_has_nothing_to_draw(bot):
    deals = drawn(1, 6)
    ends = set()
    for number in range(1, 7):
        deal, walls = deal_of(deals, number)
        assert all(action.verb != act.VOID for action in deal.legal_actions())
        play(deal, [bot] * 4, Random(number))
        for seat in range(4):
            mine = [action.tile for action in deal.log if action.verb == act.DRAW and action.seat == seat]
            assert mine == walls[seat][: len(mine)]
        ends.add(deal.end)
        if deal.end == "wall":
            # Whoever would have been next had drawn the whole wall.
            last = deal.log[-1].seat
            following = next(seat % 4 for seat in range(last + 1, last + 5) if not deal.has_won(seat % 4))
            used = sum(action.verb == act.DRAW and action.seat == following for action in deal.log)
            assert used == len(walls[following]) or deal.log[-1].verb != act.DISCARD
        assert deal.status() == ()
        settled = deal.settle()
        assert sum(settled.points) == 0
        assert settled.penalties == ()
    assert "wall" in ends


def test_undo_gives_the_own_walls_back():
    deal, _ = deal_of(drawn(2, 1), 1)
    play(deal, [RandomBot()] * 4, Random(2))
    log = list(deal.log)
    while deal.log:
        deal.undo()
    for action in log:
        assert action in deal.legal_actions()
        deal.apply(action)
    assert deal.is_over


@pytest.mark.parametrize(
    ("hand", "wins"), [("11122233344455m", True), ("11122233344m555p", True), ("111222333m44p555s", False)]
)
def test_a_hand_wins_that_lacks_a_suit_and_none_that_has_three(hand, wins):
    tiles = sorted(parse_tiles(hand))
    rest = [kind for kind in range(27) for _ in range(4 - tiles.count(kind))]
    hands = [tiles, rest[:13], rest[13:26], rest[26:39]]
    walls = [rest[39 + 13 * seat : 52 + 13 * seat] for seat in range(4)]
    deal = Deal(RULES, 0, hands, 52, own_walls=walls)
    assert any(action.verb == act.HU for action in deal.legal_actions()) is wins


def test_the_score_sheet_does_not_ask_for_a_forbidden_suit():
    assert form_of(RULES).parts["void"].shown == NEVER
    assert form_of(load_ruleset("mil-2025")).parts["void"].shown != NEVER
