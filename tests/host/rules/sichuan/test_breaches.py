"""SBR-11.2 in a tracked deal: a breach of the forbidden suit is noted, and its player wins no more."""

import pytest

from tests.host.rules.sichuan.support import BOOK, CHENGDU, MIL
from tests.host.rules.sichuan.test_deal import DEALER, PAIR, WAITS_5P, WAITS_25P, legal, new_deal, run, voids
from wallwright.rules.sichuan.actions import parse_action
from wallwright.rules.sichuan.events import Breach


@pytest.mark.parametrize(("ruleset", "asked"), [(BOOK, (1, 2, 3)), (CHENGDU, (1, 2, 3)), (MIL, (2, 3))])
def test_sbr_11_2_a_set_of_the_suit_is_no_legal_claim(ruleset, asked):
    deal = voids(new_deal(DEALER, PAIR, WAITS_5P, WAITS_25P, ruleset=ruleset), "mpmm")
    assert run(deal, "0 discard 5p").pending == asked


def test_sbr_11_2_a_breach_pushed_is_noted_and_bars_hu():
    deal = voids(new_deal("5p123456789s1199m", PAIR, "346p2345678s555m", WAITS_25P, ruleset=MIL), "mmmm")
    deal.push(parse_action("0 discard 5p"))
    assert deal.events == (Breach(0),)
    assert len(deal.status()) == 1
    assert "may only: discard 1m" in deal.status()[0]


@pytest.mark.parametrize("breached", [False, True])
def test_sbr_11_2_a_hu_after_a_breach_is_false_although_the_suit_has_gone_meanwhile(breached):
    hands = (f"1m{WAITS_5P}", "2255889m113399p", "3366778m113388p", "3344557m228899p")
    deal = voids(new_deal(*hands, ruleset=MIL), "msss")
    first, second = ("4p", "1m") if breached else ("1m", "4p")
    deal.push(parse_action(f"0 discard {first}"))
    run(deal, "1 draw 7p, 1 discard 7p, 2 draw 7p, 2 discard 7p, 3 draw 7p, 3 discard 7p")
    run(deal, f"0 draw 4p, 0 discard {second}, 1 draw 5p, 1 discard 5p")
    assert ("hu 5p" in legal(deal)) == (not breached)
    deal.push(parse_action("0 hu 5p"))
    assert deal.events[-1].winners[0].false == breached
