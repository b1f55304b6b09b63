"""SBR-3.1 and SBR-4: what is legal in a tracked deal, and what follows."""

import pytest

from tests.host.rules.sichuan.support import BOOK, CHENGDU, MIL
from wallwright.rules.core.errors import IllegalAction
from wallwright.rules.sichuan.actions import parse_action
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.events import Kong
from wallwright.rules.sichuan.melds import MeldType
from wallwright.rules.sichuan.tiles import parse_tiles

# Nobody holds characters. Seat 0 discards 5p; seat 1 can pung it, seats 2 and 3 wait for it with hands worth one point.
DEALER = "1122445666777p9p"
PAIR = "1122335578899p"
WAITS_5P = "46p12345678911s"
WAITS_25P = "34p12345678999s"

# Seats 0 and 3 hold characters, seats 1 and 2 none.
WITH_CHARACTERS = ("135m12345678999s", PAIR, WAITS_5P, "555m346p2345678s")

# A dealt hand that is complete and holds four equal tiles; the seats beside it have characters and bamboo.
COMPLETE = "11112345678999s"
OTHERS = ("3456m22345678s6s", "34568999m45678s")


def new_deal(*hands, left=55, ruleset=BOOK, dealer=0):
    """A deal whose wall is not known, so that a test can draw what it needs."""
    return Deal(ruleset, dealer, [parse_tiles(hand) for hand in hands], left)


def voids(deal, suits="mmmm"):
    """Each seat from the dealer on takes its first action for the suit named."""
    for suit in suits:
        deal.apply(next(action for action in deal.legal_actions() if str(action).endswith(suit)))
    return deal


def run(deal, text):
    """Apply actions written with commas between."""
    for part in text.split(","):
        deal.apply(parse_action(part))
    return deal


def legal(deal):
    """What may be done now, as text without the seat."""
    return [str(action)[2:] for action in deal.legal_actions()]


def kongs(deal):
    return [text for text in legal(deal) if text.startswith("kong")]


def open_window(**options):
    """Seat 0 has discarded 5p."""
    return run(voids(new_deal(DEALER, PAIR, WAITS_5P, WAITS_25P, **options)), "0 discard 5p")


def test_sbr_3_1_every_seat_chooses_from_the_dealer_on():
    deal = new_deal(*WITH_CHARACTERS)
    assert deal.pending == (0,)
    assert legal(deal) == ["void 1m", "void 3m", "void 5m", "void p", *(f"void {rank}s" for rank in range(1, 10))]
    run(deal, "0 void 5m, 1 void m, 2 void m")
    assert deal.pending == (3,)
    assert [deal.void(seat) for seat in range(4)] == [0, 0, 0, None]


def test_sbr_3_1_the_tile_laid_down_is_the_first_discard():
    deal = run(new_deal(*WITH_CHARACTERS), "0 void 3m, 1 void m, 2 void m, 3 void 5m")
    assert legal(deal) == ["discard 3m"]
    run(deal, "0 discard 3m, 1 draw 7m")
    # The card stands for no tile, so seat 1 may discard anything.
    assert {"discard 7m", "discard 1p"} <= set(legal(deal))


def test_sbr_3_1_the_tile_laid_down_is_in_no_set():
    deal = run(new_deal(*WITH_CHARACTERS), "0 void 5m, 1 void m, 2 void m, 3 void 5m, 0 discard 5m")
    # Seat 3 holds 555m, but one of them lies on the table.
    assert legal(deal) == ["pass", "pung 5m"]


def test_sbr_3_2_no_hu_while_the_suit_is_held():
    deal = voids(new_deal(DEALER, PAIR, WAITS_5P, WAITS_25P), "mmpm")
    assert run(deal, "0 discard 5p").pending == (1, 3)


@pytest.mark.parametrize(("ruleset", "number"), [(BOOK, 12), (CHENGDU, 2), (MIL, 2)])
def test_sbr_10_1_and_11_2_the_suit_goes_first(ruleset, number):
    deal = run(new_deal(*WITH_CHARACTERS, ruleset=ruleset), "0 void 1m, 1 void m, 2 void m, 3 void 5m, 0 discard 1m")
    run(deal, "1 draw 7m, 1 discard 7m, 2 draw 7m, 2 discard 7m, 3 draw 7m, 3 discard 5m, 0 draw 7p")
    assert len(legal(deal)) == number
    assert {"discard 3m", "discard 5m"} <= set(legal(deal))


def test_sbr_4_1_the_dealer_begins_with_hu_concealed_kong_or_discard():
    deal = voids(new_deal(COMPLETE, PAIR, *OTHERS), "mmpp")
    assert legal(deal)[0] == "hu"
    assert kongs(deal) == ["kong 1s"]
    assert "draw" not in " ".join(legal(deal))
    run(deal, "0 kong 1s, 0 draw 9m")
    assert all(text.startswith(("discard", "kong", "hu")) for text in legal(deal))


def test_sbr_4_2_the_turn_goes_counter_clockwise_past_winners():
    deal = run(open_window(), "1 pass, 2 hu 5p, 3 pass")
    # The turn goes on after the winner, seat 2.
    assert (deal.pending, legal(deal)[0].split()[0]) == ((3,), "draw")
    run(deal, "3 draw 8m, 3 discard 8m, 0 draw 8m, 0 discard 8m, 1 draw 8m, 1 discard 8m")
    assert deal.pending == (3,)


def test_sbr_4_2_a_claimed_discard_stands_for_the_draw():
    deal = run(open_window(), "1 pung 5p, 2 pass, 3 pass")
    assert deal.pending == (1,)
    assert all(text.startswith("discard") for text in legal(deal))
    assert deal.wall_left == 55


def test_sbr_4_3_pung_kong_and_hu_are_claimed_but_no_chow():
    deal = voids(new_deal("1122445666777p9p", "1123355578899p", WAITS_5P, "34p12345678999s"))
    run(deal, "0 discard 5p")
    assert legal(deal) == ["pass", "pung 5p", "kong 5p"]
    run(deal, "1 pass")
    assert legal(deal) == ["pass", "hu 5p"]


def test_sbr_4_4_the_four_kongs_and_their_replacements():
    deal = run(open_window(), "1 pung 5p, 2 pass, 3 pass, 1 discard 7p")
    # Seat 0 has 777p: a melded kong, one replacement, and then a concealed kong of nothing.
    assert legal(deal) == ["pass", "pung 7p", "kong 7p"]
    run(deal, "0 kong 7p")
    assert legal(deal)[0].startswith("draw")
    run(deal, "0 draw 9m, 0 discard 9m, 1 draw 5p")
    assert kongs(deal) == ["kong 5p"]
    run(deal, "1 kong 5p, 2 pass, 3 pass, 1 draw 8p, 1 discard 8p")
    assert [event.type for event in deal.events if isinstance(event, Kong)] == [MeldType.MELDED, MeldType.PROMOTED]


def test_sbr_4_4_a_tile_held_before_makes_a_postponed_kong():
    deal = voids(new_deal(DEALER, "1123355578899p", WAITS_5P, WAITS_25P))
    run(deal, "0 discard 5p, 1 pung 5p, 2 pass, 3 pass")
    # No kong on the turn of the pung, although the fourth tile is held.
    assert kongs(deal) == []
    run(deal, "1 discard 8p, 2 draw 9m, 2 discard 9m, 3 draw 9m, 3 discard 9m, 0 draw 9m, 0 discard 9m, 1 draw 8m")
    assert kongs(deal) == ["kong 5p"]
    run(deal, "1 kong 5p, 2 pass, 3 pass")
    assert deal.events[-1] == Kong(1, MeldType.POSTPONED)


def test_sbr_4_4_a_replacement_counts_as_just_drawn():
    deal = run(open_window(), "1 pung 5p, 2 pass, 3 pass, 1 discard 7p, 0 pass, 2 draw 8p, 2 discard 8p, 1 pung 8p")
    run(deal, "1 discard 9p, 2 draw 9m, 2 discard 9m, 3 draw 9m, 3 discard 9m, 0 draw 9m, 0 discard 9m")
    run(deal, "1 draw 8p, 1 kong 8p, 1 draw 5p, 1 kong 5p, 2 pass, 3 pass")
    assert deal.events == (Kong(1, MeldType.PROMOTED), Kong(1, MeldType.PROMOTED, chain=True))


def test_sbr_4_4_no_kong_without_a_replacement():
    deal = voids(new_deal("1122445666777p9p", "1123355578899p", WAITS_5P, WAITS_25P, left=0))
    run(deal, "0 discard 5p")
    assert legal(deal) == ["pass", "pung 5p"]
    assert kongs(voids(new_deal(COMPLETE, PAIR, *OTHERS, left=0), "mmpp")) == []


def test_sbr_4_5_hu_beats_pung_and_all_hu_are_satisfied():
    deal = open_window()
    assert deal.pending == (1, 2, 3)
    run(deal, "1 pung 5p, 2 hu 5p, 3 hu 5p")
    assert [deal.has_won(seat) for seat in range(4)] == [False, False, True, True]
    assert deal.melds(1) == ()


def test_sbr_4_6_a_passed_hu_bars_until_the_next_draw():
    deal = run(open_window(), "1 pass, 2 pass, 3 pass, 1 draw 5p, 1 discard 5p")
    # Seats 2 and 3 let 5p go and have drawn nothing since; nobody is asked.
    assert deal.pending == (2,)
    assert legal(deal)[0].startswith("draw")
    run(deal, "2 draw 9m, 2 discard 9m, 3 draw 9m, 3 discard 9m, 0 draw 9m, 0 discard 9m, 1 draw 9m, 1 discard 5p")
    assert deal.pending == (2, 3)


def test_sbr_4_6_a_hand_worth_more_may_be_declared():
    deal = voids(new_deal(DEALER, "1123357888899p", WAITS_5P, WAITS_25P))
    run(deal, "0 discard 5p, 2 pass, 3 pass, 1 draw 9m, 1 kong 8p, 1 draw 8m, 1 discard 5p")
    # Shoot after Kong doubles the hand.
    assert deal.pending == (2, 3)
    assert legal(deal) == ["pass", "hu 5p"]


def test_sbr_4_6_who_claims_a_pung_instead_has_passed_hu():
    deal = voids(new_deal(DEALER, "1122337888899p", "46p55p123456789s", "34p1234567899s9m"))
    run(deal, "0 discard 9p, 1 pass, 1 draw 9m, 1 discard 9m, 2 draw 9m, 2 discard 9m")
    run(deal, "3 draw 8m, 3 discard 9m, 0 draw 8m, 0 discard 5p")
    assert legal(deal) == ["pass", "hu 5p", "pung 5p"]
    run(deal, "2 pung 5p, 2 discard 6p, 0 pass, 1 pass, 3 draw 7m, 3 discard 4p")
    # Seat 2 waits for 4p now, for no more than it let go, and has not drawn: only the pung of seat 0 is left.
    assert deal.pending == (0,)


def test_sbr_4_7_after_several_hu_the_turn_follows_the_last_of_them():
    assert run(open_window(), "1 pass, 2 hu 5p, 3 hu 5p").pending == (0,)


def robbery(answers):
    deal = run(open_window(), "1 pung 5p, 2 pass, 3 pass, 1 discard 9p, 2 draw 9m, 2 discard 9m")
    run(deal, "3 draw 9m, 3 discard 9m, 0 draw 9m, 0 discard 9m, 1 draw 5p, 1 kong 5p")
    assert deal.pending == (2, 3)
    assert deal.offered == parse_tiles("5p")[0]
    return run(deal, answers)


def test_sbr_4_7_a_robbed_kong_stays_a_pung_and_the_turn_follows_the_winner():
    deal = robbery("2 hu 5p, 3 pass")
    assert deal.melds(1)[0].type is MeldType.PUNG
    assert len(deal.hand(1)) == 10
    assert deal.events[0] == Kong(1, MeldType.PROMOTED, robbed=True)
    assert deal.pending == (3,)
    assert deal.status() == ()


def test_sbr_4_3_nobody_robs_and_the_replacement_is_drawn():
    deal = robbery("2 pass, 3 pass")
    assert deal.melds(1)[0].type is MeldType.PROMOTED
    assert legal(deal)[0].startswith("draw")


def test_sbr_4_8_the_last_tile_allows_hu_or_a_discard_and_pung_on_it():
    deal = run(voids(new_deal(DEALER, PAIR, WAITS_5P, WAITS_25P, left=1)), "0 discard 9p, 1 pass, 1 draw 8p")
    # 888p would not be a kong anyway; with four of them there would be none either.
    assert all(text.startswith("discard") for text in legal(deal))
    run(deal, "1 discard 7p")
    assert legal(deal) == ["pass", "pung 7p"]
    run(deal, "0 pung 7p, 0 discard 5p")
    # The new last discard: Hu under the sea, or another pung.
    assert deal.pending == (1, 2, 3)
    run(deal, "1 pass, 2 hu 5p, 3 pass")
    assert deal.end == "wall"
    assert "under_the_sea" in deal.settle().hu[0].winners[0].winner.conditions


def test_sbr_4_9_the_third_hu_ends_the_deal():
    deal = voids(new_deal("1122899p555666m5p", WAITS_5P, WAITS_25P, "67p22345678s345s"), "smmm")
    run(deal, "0 discard 5p, 1 hu 5p, 2 hu 5p, 3 hu 5p")
    assert (deal.end, deal.legal_actions(), deal.pending) == ("three_hu", (), ())
    assert deal.settle().points == (-3, 1, 1, 1)


def test_sbr_4_9_an_empty_wall_ends_the_deal_after_the_turn():
    deal = run(voids(new_deal(DEALER, PAIR, WAITS_5P, WAITS_25P, left=1)), "0 discard 9p, 1 pass, 1 draw 8p")
    assert not deal.is_over
    run(deal, "1 discard 3p")
    assert deal.end == "wall"


def test_sbr_4_9_time_is_called_where_the_ruleset_stops():
    deal = run(open_window(), "1 pass, 2 hu 5p, 3 pass")
    with pytest.raises(IllegalAction, match="plays the deal in progress out"):
        deal.call_time()
    stopping = run(open_window(ruleset=BOOK.with_changes(time_up="stop")), "1 pass, 2 hu 5p, 3 pass, 3 draw 9m")
    stopping.call_time()
    settlement = stopping.settle()
    assert (stopping.end, settlement.points, settlement.hands) == ("time_up", (-1, 0, 1, 0), ())
    stopping.undo()
    assert not stopping.is_over


def test_refusals_say_why():
    deal = open_window()
    for text, message in [
        ("2 hu 5p", "seat 1 is to decide"),
        ("1 hu 5p", "may only: pass, pung 5p"),
        ("1 discard 1p", "may only"),
    ]:
        with pytest.raises(IllegalAction, match=message):
            deal.apply(parse_action(text))
    with pytest.raises(IllegalAction, match="not over"):
        deal.settle()
    with pytest.raises(IllegalAction, match="nothing to undo"):
        new_deal(DEALER, PAIR, WAITS_5P, WAITS_25P).undo()


def test_a_view_shows_the_own_hand_and_the_table():
    deal = run(open_window(), "1 pung 5p, 2 pass, 3 pass, 1 discard 9p, 2 draw 9m")
    view = deal.view(2)
    assert view.hand == deal.hand(2)
    assert view.drawn == parse_tiles("9m")[0]
    assert deal.view(3).drawn is None
    assert [len(view.discards(seat)) for seat in range(4)] == [1, 1, 0, 0]
    assert not any("hands" in name for name in dir(view) if not name.startswith("_"))


def test_status_names_what_is_wrong_as_dealt():
    assert any("14 are wanted" in text for text in new_deal(PAIR, PAIR, WAITS_5P, WAITS_25P).status())
    assert any("copies of" in text for text in new_deal(DEALER, DEALER[:-2], WAITS_5P, WAITS_25P).status())
    assert any("at most 55" in text for text in new_deal(DEALER, PAIR, WAITS_5P, WAITS_25P, left=56).status())


def test_status_names_a_tile_that_was_not_held():
    deal = voids(new_deal(DEALER, PAIR, WAITS_5P, WAITS_25P))
    deal.push(parse_action("0 discard 3p"))
    text = " ".join(deal.status())
    assert "against the rules" in text
    assert "did not hold" in text


def test_a_false_hu_can_be_pushed_and_is_settled_as_one():
    deal = voids(new_deal(DEALER, PAIR, WAITS_5P, WAITS_25P))
    deal.push(parse_action("0 hu"))
    assert "against the rules" in deal.status()[0]
    assert deal.events[-1].winners[0].seat == 0
    assert deal.pending == (1,)


@pytest.mark.parametrize(("ruleset", "paid", "lost"), [(BOOK, [8, 8, 8], []), (MIL, [], [24])])
def test_sbr_11_4_a_hu_against_the_passed_hu_rule_is_false(ruleset, paid, lost):
    deal = run(open_window(ruleset=ruleset, left=2), "1 pass, 2 pass, 3 pass, 1 draw 5p, 1 discard 5p")
    # Seat 2 let 5p go, and declares on the next one all the same.
    deal.push(parse_action("2 hu 5p"))
    assert "(2 hu 5p) is against the rules: seat 2 may only: draw" in deal.status()[0]
    assert deal.pending == (3,)
    settlement = run(deal, "3 draw 9m, 3 discard 9m").settle()
    assert (settlement.winners, settlement.hu[0].winners[0].false) == ((), True)
    assert [payment.points for payment in settlement.payments if payment.clause == "SBR-7.3"] == paid
    assert [penalty.points for penalty in settlement.penalties] == lost


def test_a_false_hu_beside_a_true_one_in_one_window():
    deal = open_window()
    deal.push(parse_action("3 hu 5p"))
    assert deal.pending == (1, 2)
    run(deal, "1 pass, 2 hu 5p")
    assert [winner.seat for winner in deal.events[-1].winners] == [2, 3]
    assert deal.pending == (0,)


def test_a_robbery_is_settled():
    deal = robbery("2 hu 5p, 3 hu 5p")
    deal = run(deal, "0 draw 9m")
    assert [deal.has_won(seat) for seat in range(4)] == [False, False, True, True]
    # Each hand has one fan for the robbing; the robbed kong is noted and pays nothing.
    assert deal.events[0] == Kong(1, MeldType.PROMOTED, robbed=True)
    assert {name for winner in deal.events[1].winners for name in winner.conditions} == {"robbing_kong"}
