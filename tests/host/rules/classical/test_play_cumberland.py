"""Flowers, claims and the end of a deal of Cumberland. (CUM-2.3, CUM-3, CUM-7.1)"""

from tests.host.rules.classical.playing import deal_of, items, legal, run, sitting, won
from tests.host.rules.classical.test_play import BY_CHOW, BY_PAIR, BY_PUNG
from wallwright.rules.classical.play import settle


def test_cum_2_3_flowers_are_laid_out_at_once_and_replaced_in_the_first_turn():
    deal = deal_of(sitting(), "1f", "2f", "3f", head="9p", tail="9m4f9s")
    run(deal, "0 flower 1f", "1 flower 2f", "2 flower 3f", "0 replace 9m")
    assert [deal.state.owed[seat] for seat in range(4)] == [0, 1, 1, 0]
    run(deal, "0 discard 9m", "1 draw 9p", "1 replace 4f", "1 flower 4f", "1 replace 9s", "1 discard 9s")
    assert [deal.state.owed[seat] for seat in range(4)] == [0, 0, 1, 0]


def test_cum_2_3_a_claim_begins_the_turn_and_a_short_hand_cannot_win():
    deal = deal_of(sitting(), "5m", "", "46m123s456s789s11p", tail="9m")
    run(deal, "0 discard 5m")
    assert "hu 5m" in legal(deal, 2)
    deal = deal_of(sitting(), "5m", "", "1f46m123s456s789s1p", tail="9m")
    run(deal, "0 discard 5m")
    assert "hu 5m" not in legal(deal, 2)
    deal = deal_of(sitting(), "6z", "", "1f66z", tail="9m")
    run(deal, "0 discard 6z", "2 pung 6z", "2 replace 9m", "2 discard 9m")
    assert len(deal.hand(2)) + 3 == 13


def test_cum_2_2_and_2_1_the_wind_of_the_round_is_scored():
    deal = deal_of(sitting(round_wind="S"), "222z123456m789s5m")
    assert legal(deal)[0] != "win"
    deal = deal_of(sitting(round_wind="S"), "222z123456m789s55m")
    assert items(run(deal, "0 hu"), 0) == {"winner": 20, "pung": 8, "east_won": 1, "round_wind": 1}


def test_cum_3_2_the_tile_goes_where_it_makes_most():
    deal = deal_of(sitting(), "5m", BY_CHOW, BY_PUNG)
    assert won(run(deal, "0 discard 5m", "1 hu 5m", "2 hu 5m"))[0] == 2
    deal = deal_of(sitting(), "5m", BY_PAIR, "", BY_CHOW)
    assert won(run(deal, "0 discard 5m", "1 hu 5m", "3 hu 5m"))[0] == 3
    equal = deal_of(sitting(), "5m", "46m123p456p789p11z", BY_CHOW)
    assert won(run(equal, "0 discard 5m", "1 hu 5m", "2 hu 5m"))[0] == 1


def test_cum_3_3_all_hands_are_shown_and_scored_at_the_end():
    deal = deal_of(sitting(), "5m", BY_PAIR, "777z99m")
    settled = settle(run(deal, "0 discard 5m", "1 hu 5m"))
    assert items(deal, 2)["pung"] == 8
    assert settled.points == tuple(score.points for score in settled.scores if score is not None)


def test_cum_7_1_flowers_that_wait_make_no_hand_short():
    deal = deal_of(sitting(), "5m", BY_PAIR, "", "1f123456789111p")
    assert items(run(deal, "0 discard 5m", "1 hu 5m"), 3)["pure"] == 3
