"""SBR-3.3 to 3.5, 6 to 8, 10 and 11: who pays what after a declared deal."""

import pytest

from tests.host.rules.sichuan.support import BOOK, CHENGDU, FOUR, MIL, melds
from wallwright.rules.core.errors import HandError
from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.events import FinalHand, Winner
from wallwright.rules.sichuan.tiles import parse_suit, parse_tile, parse_tiles

WAITS_5P = "46p12345678911s"
NOT_READY = "1479p13579s1379p"
FLUSH = "1112345678999s"


def won(seat, standing, winning, sets="", void="m", conditions=()):
    return Winner(
        seat, parse_tiles(standing), melds(sets), parse_tile(winning), parse_suit(void), frozenset(conditions)
    )


def shown(seat, standing, sets="", void="m", only_void_discards=False):
    return FinalHand(seat, parse_tiles(standing), melds(sets), parse_suit(void), only_void_discards)


def value(seat, points):
    return Winner(seat, value=points)


def false(seat):
    return Winner(seat, false=True)


def judged(*pairs):
    return [FinalHand(seat, value=points) for seat, points in pairs]


def new_deal(ruleset=BOOK, dealer=0):
    return DeclaredDeal(ruleset, dealer)


WHY = {
    "SBR-3.3": "tiles of the forbidden suit ",
    "SBR-3.4": "declared set of the forbidden suit: ",
    "SBR-3.5": "Hu with tiles of the forbidden suit ",
    "SBR-10.2": "tiles of the forbidden suit ",
    "SBR-11.2": "active breach of the forbidden suit",
    "SBR-11.3": "tiles of the forbidden suit ",
    "SBR-11.4": "false Hu: ",
}


def penalties(settlement):
    assert all(str(penalty.why).startswith(WHY[penalty.clause]) for penalty in settlement.penalties)
    return [(penalty.seat, penalty.points, penalty.clause) for penalty in settlement.penalties]


def unpaid(settlement):
    return [kong.clause for kong in settlement.kongs if not kong.paid]


def wall_end(*hands, ruleset=BOOK, before=()):
    """Settle a deal without Hu but with the events given, hands of other seats judged not ready."""
    deal = new_deal(ruleset)
    for event in before:
        event(deal)
    seats = {hand.seat for hand in hands}
    deal.end("wall", [*hands, *judged(*((seat, 0) for seat in range(4) if seat not in seats))])
    return deal.settle()


def kong(seat, kind, from_=None, **options):
    return lambda deal: deal.kong(seat, kind, from_, **options)


def test_sbr_3_3_the_suit_in_hand_at_the_walls_end():
    hand = shown(0, WAITS_5P, void="p")
    assert penalties(wall_end(hand)) == [(0, 48, "SBR-3.3")]
    settlement = wall_end(hand, FinalHand(1, value=4))
    # Not ready, although 5p would complete the hand: it pays seat 1 like the others.
    assert settlement.points == (-48 - 4, 12, -4, -4)


def test_sbr_3_3_no_penalty_when_only_the_suit_was_discarded():
    settlement = wall_end(shown(0, WAITS_5P, void="p", only_void_discards=True), FinalHand(1, value=4))
    assert (penalties(settlement), settlement.points) == ([], (-4, 12, -4, -4))


def test_sbr_3_4_a_declared_set_of_the_suit_is_penalised_at_every_end():
    sets = "pung:222m pung:333m"
    deal = new_deal()
    for seat in range(3):
        deal.hu("self_drawn", [value(seat, 1)])
    deal.end("three_hu", [FinalHand(3, None, melds(sets), 0)])
    assert penalties(deal.settle()) == [(3, 48, "SBR-3.4")] * 2
    assert penalties(wall_end(shown(3, "4479p123s", sets))) == [(3, 48, "SBR-3.4")] * 2
    assert penalties(wall_end(shown(3, "4479p123s", sets, void="s"))) == [(3, 48, "SBR-3.3")]


def test_sbr_6_1_the_discarder_pays_each_winner():
    deal = new_deal()
    deal.hu("discard", [value(0, 4), value(3, 1)], from_=2)
    deal.end("wall", judged((1, 0), (2, 0)))
    assert deal.settle().points == (4, 0, -5, 1)


def test_sbr_6_1_the_player_robbed_pays():
    deal = new_deal()
    deal.kong(2, "promoted", robbed=True)
    deal.hu("robbed_kong", [won(0, WAITS_5P, "5p")], from_=2)
    deal.end("wall", judged((1, 0), (2, 0), (3, 0)))
    settlement = deal.settle()
    assert settlement.points == (2, 0, -2, 0)
    assert settlement.payments[0].clause == "SBR-6.1"


def test_sbr_6_2_a_self_drawn_hu_is_paid_by_all_who_have_not_won():
    deal = new_deal()
    deal.hu("self_drawn", [won(0, WAITS_5P, "5p")])
    deal.hu("self_drawn", [value(1, 8)])
    deal.end("wall", judged((2, 0), (3, 0)))
    settlement = deal.settle()
    assert settlement.points == (6, -2 + 18, -2 - 9, -2 - 9)
    assert {payment.clause for payment in settlement.payments} == {"SBR-6.2"}


@pytest.mark.parametrize(
    ("kind", "from_", "points"),
    [
        ("concealed", None, (6, -2, -2, -2)),
        ("melded", 2, (2, 0, -2, 0)),
        ("promoted", None, (3, -1, -1, -1)),
        ("postponed", None, (0, 0, 0, 0)),
    ],
)
def test_sbr_6_3_kongs(kind, from_, points):
    ready = FinalHand(0, value=1)
    before = wall_end(ready).points
    after = wall_end(ready, before=[kong(0, kind, from_)]).points
    assert tuple(b - a for a, b in zip(before, after, strict=True)) == points


def test_sbr_6_3_players_who_have_won_pay_no_kong():
    deal = new_deal()
    deal.hu("self_drawn", [value(1, 1)])
    deal.kong(0, "concealed")
    deal.end("wall", judged((0, 1), (2, 1), (3, 1)))
    assert deal.settle().points == (-2 + 4, 6, -2 - 2, -2 - 2)


def test_sbr_6_4_a_kong_of_a_player_not_ready_is_not_paid():
    settlement = wall_end(before=[kong(1, "concealed")])
    assert (settlement.points, unpaid(settlement)) == ((0, 0, 0, 0), ["SBR-6.4"])


def test_sbr_6_4_hu_on_the_discard_after_it_takes_the_last_kong_or_the_turns():
    points = {}
    for voids in ("last", "turn"):
        deal = new_deal(BOOK.with_changes(shoot_voids=voids))
        deal.kong(1, "concealed")
        deal.kong(1, "promoted")
        deal.kong(1, "concealed", chain=True)
        deal.hu("discard", [value(0, 2)], from_=1, after_kong=True)
        deal.end("wall", judged((1, 1), (2, 1), (3, 1)))
        points[voids] = deal.settle().points
    # Only the second and third were made in the turn of the discard.
    assert points == {"last": (2 - 3, -2 + 9, -3, -3), "turn": (2 - 2, -2 + 6, -2, -2)}


def test_sbr_6_4_after_three_hu_the_last_player_keeps_kong_points():
    deal = new_deal()
    deal.kong(3, "concealed")
    for seat in range(3):
        deal.hu("discard", [value(seat, 1)], from_=3)
    deal.end("three_hu")
    assert deal.settle().points == (1 - 2, 1 - 2, 1 - 2, 6 - 3)


def test_sbr_6_5_who_is_not_ready_pays_each_who_is():
    settlement = wall_end(shown(0, FLUSH), FinalHand(1, value=4), shown(2, NOT_READY))
    # Seat 0 waits for nine tiles of a flush, the best of them making a root as well.
    assert settlement.points == (16, 8, -8 - 4, -8 - 4)
    assert {payment.clause for payment in settlement.payments} == {"SBR-6.5"}


def test_sbr_6_5_a_player_left_alone_has_nobody_to_pay():
    deal = new_deal()
    deal.kong(3, "concealed")
    deal.hu("discard", [value(0, 1)], from_=3)
    deal.hu("discard", [value(1, 1), value(2, 1)], from_=3)
    deal.end("three_hu")
    assert deal.settle().points == (-1, -1, -1, 3)
    lonely = new_deal()
    lonely.hu("discard", [value(0, 1)], from_=3)
    lonely.hu("discard", [value(1, 1)], from_=3)
    lonely.end("wall", [FinalHand(2, value=8), shown(3, WAITS_5P, void="p")])
    assert lonely.settle().points == (1, 1, 8, -2 - 8 - 48)


def test_sbr_6_7_payments_sum_to_zero_but_for_penalties():
    settlement = wall_end(shown(0, WAITS_5P, void="p"), FinalHand(1, value=4), before=[kong(1, "concealed")])
    assert sum(settlement.points) == -48 == -sum(penalty.points for penalty in settlement.penalties)


@pytest.mark.parametrize(
    ("events", "dealer"),
    [
        ([], 3),
        ([("self_drawn", [value(1, 1)], None)], 1),
        ([("discard", [value(1, 1)], 0), ("discard", [value(2, 1)], 0)], 1),
        ([("discard", [value(1, 1), value(2, 1)], 0)], 0),
        ([("robbed_kong", [value(1, 1), value(2, 1)], 0)], 0),
        ([("self_drawn", [false(1)], None)], 3),
        ([("self_drawn", [false(1)], None), ("self_drawn", [value(0, 2)], None)], 0),
    ],
)
def test_sbr_8_1_the_next_dealer(events, dealer):
    deal = new_deal(dealer=3)
    won_seats = set()
    for by, winners, from_ in events:
        deal.hu(by, winners, from_)
        won_seats |= {winner.seat for winner in winners}
    deal.end("wall", judged(*((seat, 0) for seat in range(4) if seat not in won_seats)))
    assert deal.settle().next_dealer == dealer


def three_won(ruleset, last):
    deal = new_deal(ruleset)
    for seat in range(3):
        deal.hu("discard", [value(seat, 1)], from_=3)
    deal.end("three_hu", [last])
    return deal.settle()


def test_sbr_10_2_the_suit_in_hand_costs_48_after_three_hu_as_well():
    last = shown(3, WAITS_5P, void="p", only_void_discards=True)
    assert penalties(three_won(CHENGDU, last)) == [(3, 48, "SBR-10.2")]
    assert penalties(three_won(BOOK, last)) == []


def test_sbr_10_3_a_waiting_hand_is_worth_one_point():
    assert wall_end(shown(0, FLUSH), ruleset=CHENGDU).points == (3, -1, -1, -1)
    assert wall_end(shown(0, FLUSH), ruleset=BOOK).points == (24, -8, -8, -8)


def test_sbr_10_4_no_limit_and_the_extra_point_after_doubling():
    deal = new_deal(CHENGDU)
    deal.hu("self_drawn", [won(0, "1133557799226s", "6s")])
    deal.end("wall", judged((1, 0), (2, 0), (3, 0)))
    assert deal.settle().points == (51, -17, -17, -17)


def test_sbr_10_5_a_kong_earns_nothing_when_the_next_discard_is_won_on():
    deal = new_deal(CHENGDU)
    deal.kong(1, "concealed")
    deal.hu("discard", [value(0, 2)], from_=1, after_kong=True)
    deal.end("wall", judged((1, 1), (2, 1), (3, 1)))
    assert deal.settle().points == (2, -2, 0, 0)
    assert unpaid(wall_end(before=[kong(1, "concealed")], ruleset=CHENGDU)) == ["SBR-6.4"]


def test_sbr_11_2_an_active_breach():
    settlement = wall_end(
        FinalHand(0, value=4),
        FinalHand(1, value=2),
        ruleset=MIL,
        before=[kong(0, "concealed"), lambda deal: deal.breach(0)],
    )
    # 24 once, kong points returned, nothing collected and, being ready, nothing paid.
    assert settlement.points == (-24, 4, -2, -2)
    assert penalties(settlement) == [(0, 24, "SBR-11.2")]
    assert unpaid(settlement) == ["SBR-11.2"]


def test_sbr_11_2_who_is_not_ready_pays_in_spite_of_the_breach_and_may_not_win():
    settlement = wall_end(FinalHand(1, value=2), ruleset=MIL, before=[lambda deal: deal.breach(0)])
    assert settlement.points == (-24 - 2, 6, -2, -2)
    deal = new_deal(MIL)
    deal.breach(0)
    deal.hu("self_drawn", [won(0, WAITS_5P, "5p")])
    deal.end("wall", judged((1, 0), (2, 0), (3, 0)))
    assert penalties(deal.settle()) == [(0, 24, "SBR-11.2"), (0, 24, "SBR-11.4")]


def test_sbr_11_2_a_declared_set_of_the_suit_is_a_breach():
    assert penalties(wall_end(shown(3, "4479p123s", "pung:222m pung:333m"), ruleset=MIL)) == [(3, 24, "SBR-11.2")]


def test_sbr_11_3_the_suit_in_hand_at_the_walls_end():
    active, passive = shown(0, WAITS_5P, void="p"), shown(0, WAITS_5P, void="p", only_void_discards=True)
    assert penalties(wall_end(active, ruleset=MIL)) == [(0, 24, "SBR-11.3")]
    settlement = wall_end(passive, FinalHand(1, value=4), ruleset=MIL)
    assert settlement.points == (-4, 12, -4, -4)


def test_sbr_11_3_players_in_one_state_pay_nothing():
    assert wall_end(ruleset=MIL).points == (0, 0, 0, 0)
    everyone = [FinalHand(seat, value=4) for seat in range(4)]
    assert wall_end(*everyone, ruleset=MIL).points == (0, 0, 0, 0)


def test_sbr_11_4_a_false_hu_costs_24_that_nobody_gets():
    deal = new_deal(MIL)
    deal.kong(1, "concealed")
    deal.kong(2, "concealed")
    deal.hu("discard", [false(1)], from_=2, after_kong=True)
    deal.end("wall", judged((0, 1), (2, 1), (3, 1)))
    settlement = deal.settle()
    assert (settlement.points, penalties(settlement)) == ((0, -24, 0, 0), [(1, 24, "SBR-11.4")])
    # Its own kong is returned, and the kong lost to the false Hu stays unpaid.
    assert unpaid(settlement) == ["SBR-11.4", "SBR-6.4"]


def test_sbr_11_4_the_suit_in_a_false_hu_is_not_charged_on_top():
    deal = new_deal(MIL)
    deal.hu("discard", [won(1, WAITS_5P, "5p", void="p")], from_=0)
    deal.end("wall", judged((0, 0), (2, 0), (3, 0)))
    assert penalties(deal.settle()) == [(1, 24, "SBR-11.4")]


def test_sbr_11_5_robbing_the_second_kong_of_a_chain():
    values = {}
    for ruleset in (FOUR, MIL):
        deal = new_deal(ruleset)
        deal.kong(2, "concealed")
        deal.kong(2, "promoted", robbed=True, chain=True)
        deal.hu("robbed_kong", [won(0, WAITS_5P, "5p")], from_=2, after_kong=True)
        deal.end("wall", judged((1, 1), (2, 1), (3, 1)))
        values[ruleset.name] = deal.settle().hu[0].winners[0].value
    assert values == {"sichuan-4": 2, "mil-2025": 4}


def test_what_a_winner_says_must_fit_the_event():
    deal = new_deal()
    deal.hu("self_drawn", [won(0, WAITS_5P, "5p", conditions=["robbing_kong"])])
    deal.end("wall", judged((1, 0), (2, 0), (3, 0)))
    with pytest.raises(HandError, match="robbing_kong contradicts"):
        deal.settle()


def test_a_value_must_be_one_that_a_hand_can_have():
    deal = new_deal()
    deal.hu("self_drawn", [value(0, 16)])
    deal.end("wall", judged((1, 0), (2, 0), (3, 0)))
    with pytest.raises(HandError, match="16 is not the value of a hand: 1, 2, 4, 8"):
        deal.settle()


def test_at_the_walls_end_hands_are_shown_or_judged():
    deal = new_deal()
    deal.end("wall", [FinalHand(0), *judged((1, 0), (2, 0), (3, 0))])
    with pytest.raises(HandError, match="must be shown"):
        deal.settle()
