"""Turns, claims, kongs and the wall of both games. (CLA-2.4, CLA-2.6, CLA-3)"""

import pytest

from tests.host.rules.classical.playing import (
    deal_of,
    items,
    legal,
    pending,
    reach,
    run,
    sets,
    sitting,
    throw_away,
    won,
)
from wallwright.rules.core.acts import parse_act
from wallwright.rules.core.errors import IllegalAction

# Four hands that complete with 5m: as a pung, a chow, a pair, and one that does not.
BY_PUNG, BY_CHOW, BY_PAIR = "55m123p456p789p99s", "46m123s456s789s11p", "5m111222333s777s"


def test_cla_3_1_east_begins_with_14_and_the_turn_passes_counter_clockwise():
    deal = deal_of(sitting(east=2), head="9m9p")
    assert [len(deal.hand(seat)) for seat in range(4)] == [13, 13, 14, 13]
    assert {text.split()[0] for text in legal(deal, 2)} <= {"discard", "kong"}
    tile = legal(deal)[0].split()[1]
    run(deal, f"2 discard {tile}", "3 draw 9m", "3 discard 9m", "0 draw 9p", "0 discard 9p")
    assert (deal.state.rivers[3], deal.state.rivers[0]) == ((8,), (17,))


def test_cla_3_1_a_claimed_set_makes_those_between_lose_their_turns():
    deal = deal_of(sitting(), "6z", "", "", "66z")
    run(deal, "0 discard 6z", "3 pung 6z")
    assert pending(deal) == 3
    assert all(text.startswith("discard") for text in legal(deal))
    throw_away(deal, 3)
    assert reach(deal, 0, "draw")
    assert deal.state.rivers[1] == deal.state.rivers[2] == ()


def test_cla_3_2_chows_from_the_left_only_and_pungs_go_before_them():
    deal = deal_of(sitting(), "5m", "3467m", "55m", "46m")
    run(deal, "0 discard 5m")
    assert legal(deal, 1) == ["pass", "chow 345m", "chow 456m", "chow 567m"]
    run(deal, "1 chow 345m")
    assert legal(deal, 2) == ["pass", "pung 5m"]
    deal.apply(parse_act("2 pung 5m"))
    assert (sets(deal, 1), sets(deal, 2), pending(deal), deal.state.unclaimed) == ([], ["pung:555m"], 2, ())
    # Seat 3 sits across: it was never asked.
    for _ in range(3):
        deal.undo()
    run(deal, "0 discard 5m", "1 chow 456m", "2 pass")
    assert (sets(deal, 1), pending(deal)) == (["chow:456m"], 1)


def test_cla_3_2_a_win_goes_before_everything_and_a_pair_is_claimed_only_to_win():
    deal = deal_of(sitting(), "5m", "46m", "55m", BY_PAIR)
    run(deal, "0 discard 5m", "1 chow 456m", "2 pung 5m")
    assert legal(deal, 3) == ["pass", "hu 5m"]
    run(deal, "3 hu 5m")
    assert (deal.state.end, won(deal), sets(deal, 2)) == ("win", (3, "discard", 0, {"earthly"}), [])


def test_cla_3_3_a_set_made_with_a_discard_stays_as_it_is():
    deal = deal_of(sitting(), "5z", "55z", head="5z")
    run(deal, "0 discard 5z", "1 pung 5z")
    throw_away(deal, 1)
    run(deal, "2 draw 5z", "2 discard 5z")
    # The fourth is discarded: nobody can claim it, its owner of the pung least of all.
    assert pending(deal) == 3
    assert legal(deal)[0].startswith("draw")
    assert sets(deal, 1) == ["pung:555z"]


def test_cla_3_4_kongs_take_their_replacement_from_the_tail():
    deal = deal_of(sitting(), "5555z6666z", tail="9m9p9s")
    run(deal, "0 kong 5z", "0 replace 9m", "0 kong 6z", "0 replace 9p")
    assert sets(deal, 0) == ["concealed:5555z", "concealed:6666z"]
    deal = deal_of(sitting(), "5z", "555z", tail="9m")
    run(deal, "0 discard 5z", "1 kong 5z", "1 replace 9m")
    assert (sets(deal, 1), [one.from_ for one in deal.state.kongs_declared]) == (["melded:5555z"], [0])
    # Only in a turn that began with a draw or the dealt hand.
    deal = deal_of(sitting(), "5z", "55z7777m")
    run(deal, "0 discard 5z", "1 pung 5z")
    assert "kong 7m" not in legal(deal)


def test_cla_3_4_the_fourth_tile_is_added_now_or_later():
    deal = deal_of(sitting(options={"rob_kong": False}), "5z", "55z", head="1s1p1m5z2m2p2s1z")
    run(deal, "0 discard 5z", "1 pung 5z")
    throw_away(deal, 1)
    run(deal, "2 discard 1s", "3 discard 1p", "0 discard 1m", "1 draw 5z")
    assert "kong 5z" in legal(deal)
    assert sets(run(deal, "1 kong 5z"), 1) == ["promoted:5555z"]
    deal.undo()
    throw_away(deal, 1, but="5z")
    run(deal, "2 discard 2m", "3 discard 2p", "0 discard 2s", "1 draw 1z", "1 kong 5z")
    assert sets(deal, 1) == ["promoted:5555z"]


def test_cla_3_5_a_flower_drawn_is_laid_out_and_replaced_from_the_tail_again_and_again():
    deal = deal_of(sitting("balsall"), head="1m2f", tail="7f9s")
    tile = legal(deal)[0].split()[1]
    run(deal, f"0 discard {tile}", "1 discard 1m", "2 draw 2f")
    assert legal(deal, 2) == ["flower 2f"]
    run(deal, "2 flower 2f", "2 replace 7f", "2 flower 7f", "2 replace 9s", "2 discard 9s")
    assert deal.state.flowers[2] == (35, 40)


def test_cla_3_6_one_player_wins_and_the_hand_ends():
    deal = deal_of(sitting(), "5m", BY_CHOW, BY_PAIR)
    run(deal, "0 discard 5m", "1 hu 5m", "2 hu 5m")
    assert (won(deal)[0], deal.state.end, deal.legal()) == (1, "win", ())


def test_cla_3_7_a_win_that_was_let_go_bars_nothing():
    deal = deal_of(sitting(), "5m", BY_PAIR, head="1z5m")
    run(deal, "0 discard 5m", "1 pass", "1 draw 1z", "1 discard 1z", "2 draw 5m", "2 discard 5m", "1 hu 5m")
    assert won(deal)[:3] == (1, "discard", 2)


def test_cla_3_8_the_tile_added_to_a_pung_may_be_robbed():
    hands = ("5m", "55m", "", "46m123s456s789s11p")
    deal = deal_of(sitting(), *hands, head="1z2z3z5m")
    throw_away(run(deal, "0 discard 5m", "1 pung 5m"), 1)
    run(deal, "2 discard 1z", "3 discard 2z", "0 discard 3z", "1 kong 5m")
    assert legal(deal, 3) == ["pass", "hu 5m"]
    run(deal, "3 hu 5m")
    assert won(deal)[:3] == (3, "robbed_kong", 1)
    assert sets(deal, 1) == ["pung:555m"]
    assert "kong" not in items(deal, 1)
    deal.undo()
    deal.undo()
    run(deal, "1 kong 5m", "3 pass")
    assert sets(deal, 1) == ["promoted:5555m"]


def test_cla_3_8_never_a_concealed_kong_and_not_where_the_club_forbids_it():
    deal = deal_of(sitting(), "5555m", "46m123s456s789s11p")
    run(deal, "0 kong 5m")
    assert pending(deal) == 0
    hands = ("5m", "55m", "", "46m123s456s789s11p")
    forbidden = deal_of(sitting(options={"rob_kong": False}), *hands, head="1z2z3z5m")
    throw_away(run(forbidden, "0 discard 5m", "1 pung 5m"), 1)
    run(forbidden, "2 discard 1z", "3 discard 2z", "0 discard 3z", "1 kong 5m")
    assert pending(forbidden) == 1


def test_cla_3_9_the_last_discard_can_only_be_won_on_and_then_the_hand_is_drawn():
    deal = deal_of(sitting(), "", "", "55m46m", BY_PAIR, head="5m", length=1)
    throw_away(deal, 0)
    run(deal, "1 draw 5m", "1 discard 5m")
    assert legal(deal, 3) == ["pass", "hu 5m"]
    run(deal, "3 pass")
    assert (deal.state.end, won(deal)) == ("wall", None)
    deal.undo()
    run(deal, "3 hu 5m")
    assert won(deal)[3] == {"last_discard"}


def test_cla_2_4_a_reserve_is_never_drawn():
    whole, kept = deal_of(sitting()), deal_of(sitting(options={"reserve": 14}))
    assert whole.left - kept.left == 14


def test_cla_2_6_the_last_tile_and_nothing_to_replace_with():
    deal = deal_of(sitting(), "", BY_PAIR, head="5m", length=1)
    run(deal, f"0 {legal(deal)[0]}", "1 draw 5m", "1 hu 5m")
    assert won(deal)[3] == {"last_tile"}
    flower = deal_of(sitting(), head="2f", length=1)
    run(flower, f"0 {legal(flower)[0]}", "1 flower 2f")
    assert (flower.state.end, won(flower)) == ("wall", None)
    kong = deal_of(sitting(), "", "5555z", head="1m", length=1)
    run(kong, f"0 {legal(kong)[0]}", "1 draw 1m")
    assert "kong 5z" not in legal(kong)


def test_a_win_after_a_kong_is_told_with_a_flower_in_between():
    deal = deal_of(sitting("balsall"), "5555z123m456m789m1p", tail="2f1p")
    run(deal, "0 kong 5z", "0 replace 2f", "0 flower 2f", "0 replace 1p", "0 hu 1p")
    assert won(deal) == (0, "loose", None, {"after_kong"})
    assert items(deal, 0)["replacement_tile"] == 1


def test_east_may_win_with_the_dealt_hand():
    deal = deal_of(sitting(), "123456789m123p55z")
    assert legal(deal)[0] == "hu"
    run(deal, "0 hu")
    assert won(deal)[1:] == ("self_drawn", None, {"heavenly"})


def test_without_a_known_wall_every_tile_that_was_not_seen_may_come():
    known = deal_of(sitting())
    deal = type(known)(known.sitting, known.dealt, 91)
    run(deal, f"0 {legal(deal)[0]}")
    while not legal(deal)[0].startswith("draw"):
        run(deal, f"{pending(deal)} pass")
    held = [kind for hand in known.dealt for kind in hand]
    assert len(legal(deal)) == sum(held.count(kind) < 4 for kind in range(34))


def test_undo_and_refusals():
    deal = deal_of(sitting(), "1z")
    before = deal.legal()
    run(deal, "0 discard 1z")
    with pytest.raises(IllegalAction, match="may be done now"):
        deal.apply(parse_act("0 discard 2z"))
    assert str(deal.undo()) == "0 discard 1z"
    assert deal.legal() == before
    with pytest.raises(IllegalAction, match="nothing"):
        deal.undo()
