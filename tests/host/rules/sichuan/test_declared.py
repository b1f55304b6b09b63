"""Declared deals that cannot have happened are refused with the reason."""

import pytest

from tests.host.rules.sichuan.support import BOOK, MIL, melds
from wallwright.rules.core.errors import HandError, ImpossibleDeal
from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.events import FinalHand, Winner
from wallwright.rules.sichuan.tiles import parse_tile, parse_tiles


def value(seat, points=1):
    return Winner(seat, value=points)


def hand(seat, standing, sets="", void=None):
    return FinalHand(seat, parse_tiles(standing), melds(sets), void)


NOBODY = [FinalHand(seat, value=0) for seat in range(4)]


@pytest.mark.parametrize("dealer", [-1, 4])
def test_a_dealer_is_one_of_the_four_seats(dealer):
    with pytest.raises(ImpossibleDeal, match="the dealer"):
        DeclaredDeal(BOOK, dealer)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([("kong", (1, "melded"), {"from_": 1})], "own discard"),
        ([("kong", (1, "melded"), {})], "needs `from`"),
        ([("kong", (1, "concealed"), {"from_": 2})], "comes from nobody"),
        ([("kong", (1, "open"), {})], "a kong is concealed"),
        ([("kong", (4, "concealed"), {})], "seats are 0 to 3"),
        ([("kong", (1, "concealed"), {"robbed": True})], "cannot be robbed"),
        ([("kong", (1, "promoted"), {"chain": True})], "follows another kong"),
        (
            [("kong", (1, "concealed"), {}), ("kong", (2, "promoted"), {"chain": True})],
            "follows another kong of seat 2",
        ),
        ([("kong", (1, "concealed"), {}), ("kong", (1, "melded"), {"from_": 2, "chain": True})], "begins a turn"),
        ([("kong", (1, "concealed"), {})] * 5, "event 5: a fifth kong of seat 1"),
        ([("kong", (1, "promoted"), {"robbed": True}), ("kong", (2, "concealed"), {})], "was robbed"),
        (
            [("kong", (1, "promoted"), {"robbed": True}), ("hu", ("discard", [value(2)]), {"from_": 1})],
            "a Hu by robbed_kong from it must follow",
        ),
        ([("hu", ("self_drawn", [value(1)]), {}), ("hu", ("self_drawn", [value(1)]), {})], "had declared Hu before"),
        ([("hu", ("self_drawn", [value(1)]), {}), ("kong", (1, "concealed"), {})], "had declared Hu before"),
        ([("hu", ("self_drawn", [value(1)]), {}), ("kong", (2, "melded"), {"from_": 1})], "discarder, seat 1"),
        ([("hu", ("discard", [value(1)]), {"from_": 1})], "cannot win on its own tile"),
        ([("hu", ("discard", [value(1)]), {})], "needs `from`"),
        ([("hu", ("discard", [value(1), value(1)]), {"from_": 0})], "named twice"),
        ([("hu", ("discard", []), {"from_": 0})], "without a winner"),
        ([("hu", ("self_drawn", [value(1), value(2)]), {})], "one winner"),
        ([("hu", ("tsumo", [value(1)]), {"from_": 0})], "a Hu is by self_drawn"),
        ([("hu", ("self_drawn", [value(1)]), {"after_kong": True})], "no kong of seat 1"),
        ([("hu", ("discard", [value(1)]), {"from_": 2, "after_kong": True})], "no kong of seat 2"),
        ([("breach", (1,), {})], "knows no active breach"),
    ],
)
def test_impossible_events(steps, message):
    deal = DeclaredDeal(BOOK, 0)
    *before, (name, positional, named) = steps
    for earlier, its_positional, its_named in before:
        getattr(deal, earlier)(*its_positional, **its_named)
    with pytest.raises(ImpossibleDeal, match=message):
        getattr(deal, name)(*positional, **named)


def test_no_event_follows_the_third_hu_or_the_end():
    deal = DeclaredDeal(BOOK, 0)
    deal.hu("discard", [value(1), value(2), value(3)], from_=0)
    with pytest.raises(ImpossibleDeal, match="over before it"):
        deal.kong(0, "concealed")
    deal.end("three_hu")
    with pytest.raises(ImpossibleDeal, match="ended already"):
        deal.end("three_hu")


@pytest.mark.parametrize(
    ("end", "hands", "message"),
    [
        ("wall", NOBODY[:3], "final hand of seat 3 is missing"),
        ("three_hu", [], "0 players have declared Hu"),
        ("draw", NOBODY, "not 'draw'"),
        ("wall", [*NOBODY, NOBODY[0]], "two hands"),
        ("wall", [*NOBODY[:3], FinalHand(5, value=0)], "seats are 0 to 3"),
        ("wall", [hand(0, "1112223334445s"), hand(1, "11s34p888999m555p"), *NOBODY[2:]], "a fifth 1s"),
        ("wall", [hand(0, "4445s", "concealed:1111p pung:222s pung:333s"), *NOBODY[1:]], "shows 1 kong, but 0"),
    ],
)
def test_impossible_ends(end, hands, message):
    deal = DeclaredDeal(BOOK, 0)
    with pytest.raises(ImpossibleDeal, match=message):
        deal.end(end, hands)


def test_a_tile_won_by_two_is_one_tile():
    deal = DeclaredDeal(BOOK, 0)
    winner = parse_tile("5p")
    first = Winner(1, parse_tiles("55p11123456789s"), winning=winner)
    second = Winner(2, parse_tiles("5p123s666777888p"), winning=winner)
    deal.hu("discard", [first, second], from_=0)
    deal.end("wall", [NOBODY[0], NOBODY[3]])
    assert deal.settle().points == (-2, 1, 1, 0)


def test_a_hand_has_thirteen_tiles():
    deal = DeclaredDeal(BOOK, 0)
    with pytest.raises(HandError, match="12 standing tiles"):
        deal.end("wall", [hand(0, "111222333444s"), *NOBODY[1:]])


def test_winners_share_one_winning_tile():
    deal = DeclaredDeal(BOOK, 0)
    winners = [Winner(seat, (), winning=seat) for seat in (1, 2)]
    with pytest.raises(ImpossibleDeal, match="same winning tile"):
        deal.hu("discard", winners, from_=0)


def test_a_breach_is_punished_once():
    deal = DeclaredDeal(MIL, 0)
    deal.breach(1)
    with pytest.raises(ImpossibleDeal, match="second breach"):
        deal.breach(1)


def test_a_deal_is_settled_after_its_end():
    with pytest.raises(ImpossibleDeal, match="the end of the deal is not told"):
        DeclaredDeal(BOOK, 0).settle()


def test_time_may_be_called_while_a_player_holds_the_tile_drawn():
    deal = DeclaredDeal(BOOK, 0)
    deal.kong(0, "promoted")
    deal.end("time_up", [hand(1, "11122233344455s")])
    assert deal.settle().points == (3, -1, -1, -1)
