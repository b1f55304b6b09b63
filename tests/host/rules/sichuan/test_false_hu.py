"""SBR-3.5 and 7: a Hu that is none, who pays for it, and the sentence that says why."""

import pytest

from tests.host.rules.sichuan.support import melds
from tests.host.rules.sichuan.test_settlement import (
    NOT_READY,
    WAITS_5P,
    false,
    judged,
    new_deal,
    penalties,
    unpaid,
    value,
    won,
)
from wallwright.rules.sichuan.events import Winner
from wallwright.rules.sichuan.tiles import parse_suit, parse_tile, parse_tiles


def test_sbr_3_5_hu_with_the_suit_costs_48_and_is_false():
    deal = new_deal()
    deal.hu("discard", [won(1, WAITS_5P, "5p", void="p")], from_=0)
    deal.end("wall", judged((0, 0), (2, 0), (3, 0)))
    settlement = deal.settle()
    assert penalties(settlement) == [(1, 48, "SBR-3.5")]
    assert settlement.points == (8, -24 - 48, 8, 8)


def test_sbr_3_5_a_declared_set_makes_the_hu_false_too():
    deal = new_deal()
    deal.hu("discard", [won(1, "456s789s5p", "5p", "pung:777p pung:222m")], from_=0)
    deal.end("wall", judged((0, 0), (2, 0), (3, 0)))
    settlement = deal.settle()
    assert penalties(settlement) == [(1, 48, "SBR-3.4")]
    assert settlement.hu[0].winners[0].false


@pytest.mark.parametrize(
    ("standing", "winning", "sets", "void", "why"),
    [
        (WAITS_5P, "5p", "", "p", "the hand holds its forbidden suit p"),
        ("2222m46p1234567s", "9s", "", "m", "the hand holds its forbidden suit m"),
        ("46p456789s11s", "7m", "pung:222s", "m", "the hand holds its forbidden suit m"),
        ("456s789s5p", "5p", "pung:777p pung:222m", "m", "the hand holds its forbidden suit m"),
        ("456s789s5p", "9p", "pung:777p pung:222p", "m", "the hand is not complete"),
        ("456s789s5p", "9p", "pung:777p pung:222p", None, "the hand is not complete"),
    ],
)
def test_sbr_3_5_a_false_hu_names_the_suit_that_the_hand_holds(standing, winning, sets, void, why):
    deal = new_deal()
    suit = None if void is None else parse_suit(void)
    hu = Winner(1, parse_tiles(standing), melds(sets), parse_tile(winning), suit)
    deal.hu("discard", [hu], from_=0)
    deal.end("wall", judged((0, 0), (2, 0), (3, 0)))
    found = deal.settle().hu[0].winners[0]
    assert (found.false, found.value, str(found.why)) == (True, 0, why)


def test_sbr_7_2_a_referee_who_found_a_false_hu_is_named_beside_what_was_wrong():
    deal = new_deal()
    referee = "Ria of B"
    deal.hu(
        "discard", [Winner(1, parse_tiles(WAITS_5P), (), parse_tile("9p"), 0, false=True, referee=referee)], from_=0
    )
    deal.hu("discard", [Winner(2, parse_tiles(NOT_READY), (), parse_tile("9p"), 0, false=True)], from_=0)
    deal.hu("discard", [Winner(3, false=True, referee=referee)], from_=0)
    deal.end("three_hu")
    assert [str(hu.winners[0].why) for hu in deal.settle().hu] == [
        "the hand is not complete, found by the referee Ria of B",
        "the hand is not complete",
        "found false by the referee Ria of B",
    ]


def test_sbr_7_1_and_7_2_a_declared_hu_is_checked_when_the_deal_is_scored():
    deal = new_deal()
    deal.hu("discard", [won(1, "46p12345678922s", "7p")], from_=0)
    # The deal went on as if it were true, and seat 1 paid nothing more.
    deal.hu("self_drawn", [value(2, 1)])
    deal.end("wall", judged((0, 0), (3, 0)))
    settlement = deal.settle()
    assert str(settlement.hu[0].winners[0].why) == "the hand is not complete"
    assert settlement.points == (8 - 2, -24, 8 + 4, 8 - 2)
    assert settlement.winners == (2,)


def test_sbr_7_3_a_first_false_hu_costs_24_and_its_kongs():
    deal = new_deal()
    deal.kong(1, "concealed")
    deal.hu("self_drawn", [false(1)])
    deal.end("wall", judged((0, 0), (2, 0), (3, 0)))
    settlement = deal.settle()
    assert (settlement.points, unpaid(settlement)) == ((8, -24, 8, 8), ["SBR-7.3"])


def test_sbr_7_3_two_false_hu_after_a_hu_pay_the_one_player_left():
    deal = new_deal()
    deal.hu("self_drawn", [value(0, 1)])
    deal.hu("discard", [false(1), false(2)], from_=3)
    deal.end("three_hu")
    assert deal.settle().points == (6, -2 - 8, -2 - 8, -2 + 16)


def test_sbr_7_4_a_false_hu_neither_deals_next_nor_pays_at_the_walls_end():
    deal = new_deal(dealer=3)
    deal.hu("discard", [false(1), value(2, 1)], from_=0)
    deal.end("wall", judged((0, 4), (3, 0)))
    settlement = deal.settle()
    assert settlement.next_dealer == 2
    # Seat 1 paid 8 to each of the two still in, and nothing to the hand that was ready.
    assert settlement.points == (8 - 1 + 4, -16, 1, 8 - 4)
