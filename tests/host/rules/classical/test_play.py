"""Turns, claims, kongs and the wall of both games. (CLA-2.4, CLA-2.6, CLA-3)"""

import pytest

from tests.host.rules.classical.playing import deal_of, legal, reach, run, sitting, throw_away
from wallwright.rules.core.errors import IllegalAction, NotationError
from wallwright.rules.core.play.actions import parse_action

# Four hands that complete with 5m: as a pung, a chow, a pair, and one that does not.
BY_PUNG, BY_CHOW, BY_PAIR = "55m123p456p789p99s", "46m123s456s789s11p", "5m111222333s777s"


def sets(deal, seat):
    return [str(one) for one in deal.sets(seat)]


def winners(deal):
    return [(one.seat, one.by, one.from_, set(one.conditions)) for one in deal.winners]


def test_cla_3_1_east_begins_with_14_and_the_turn_passes_counter_clockwise():
    deal = deal_of(sitting(east=2), head="9m9p")
    assert [len(deal.hand(seat)) for seat in range(4)] == [13, 13, 14, 13]
    assert {text.split()[0] for text in legal(deal, 2)} <= {"discard", "kong"}
    tile = legal(deal)[0].split()[1]
    run(deal, f"2 discard {tile}", "3 draw 9m", "3 discard 9m", "0 draw 9p", "0 discard 9p")
    assert (deal.discards(3), deal.discards(0)) == ((8,), (17,))


def test_cla_3_1_a_claimed_set_makes_those_between_lose_their_turns():
    deal = deal_of(sitting(), "6z", "", "", "66z")
    run(deal, "0 discard 6z", "3 pung 6z")
    assert deal.pending == (3,)
    assert all(text.startswith("discard") for text in legal(deal))
    throw_away(deal, 3)
    assert reach(deal, 0, "draw")
    assert deal.discards(1) == deal.discards(2) == ()


def test_cla_3_2_chows_from_the_left_only_and_pungs_go_before_them():
    deal = deal_of(sitting(), "5m", "3467m", "55m", "46m")
    run(deal, "0 discard 5m")
    assert legal(deal, 1) == ["pass", "chow 345m", "chow 456m", "chow 567m"]
    run(deal, "1 chow 345m")
    assert legal(deal, 2) == ["pass", "pung 5m"]
    deal.apply(parse_action("2 pung 5m"))
    assert (sets(deal, 1), sets(deal, 2), deal.pending, deal.discards(0)) == ([], ["pung:555m"], (2,), ())
    # Seat 3 sits across: it was never asked.
    for _ in range(3):
        deal.undo()
    run(deal, "0 discard 5m", "1 chow 456m", "2 pass")
    assert (sets(deal, 1), deal.pending) == (["chow:456m"], (1,))


def test_cla_3_2_a_win_goes_before_everything_and_a_pair_is_claimed_only_to_win():
    deal = deal_of(sitting(), "5m", "46m", "55m", BY_PAIR)
    run(deal, "0 discard 5m", "1 chow 456m", "2 pung 5m")
    assert legal(deal, 3) == ["pass", "win 5m"]
    run(deal, "3 win 5m")
    assert (deal.end, winners(deal), sets(deal, 2)) == ("win", [(3, "discard", 0, {"earthly"})], [])


def test_cla_3_3_a_set_made_with_a_discard_stays_as_it_is():
    deal = deal_of(sitting(), "5z", "55z", head="5z")
    run(deal, "0 discard 5z", "1 pung 5z")
    throw_away(deal, 1)
    run(deal, "2 draw 5z", "2 discard 5z")
    # The fourth is discarded: nobody can claim it, its owner of the pung least of all.
    assert deal.pending == (3,)
    assert legal(deal)[0].startswith("draw")
    assert sets(deal, 1) == ["pung:555z"]


def test_cla_3_4_kongs_take_their_replacement_from_the_tail():
    deal = deal_of(sitting(), "5555z6666z", tail="9m9p9s")
    run(deal, "0 kong 5z", "0 loose 9m", "0 kong 6z", "0 loose 9p")
    assert sets(deal, 0) == ["concealed:5555z", "concealed:6666z"]
    deal = deal_of(sitting(), "5z", "555z", tail="9m")
    run(deal, "0 discard 5z", "1 kong 5z", "1 loose 9m")
    assert (sets(deal, 1), [one[2] for one in deal.kongs]) == (["melded:5555z"], [0])
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
    assert str(run(deal, "1 kong 5z").sets(1)[0]) == "promoted:5555z"
    deal.undo()
    throw_away(deal, 1, but="5z")
    run(deal, "2 discard 2m", "3 discard 2p", "0 discard 2s", "1 draw 1z", "1 kong 5z")
    assert sets(deal, 1) == ["postponed:5555z"]


def test_cla_3_5_a_flower_drawn_is_laid_out_and_replaced_from_the_tail_again_and_again():
    deal = deal_of(sitting("balsall"), head="1m2f", tail="7f9s")
    tile = legal(deal)[0].split()[1]
    run(deal, f"0 discard {tile}", "1 discard 1m", "2 draw 2f")
    assert legal(deal, 2) == ["flower 2f"]
    run(deal, "2 flower 2f", "2 loose 7f", "2 flower 7f", "2 loose 9s", "2 discard 9s")
    assert deal.flowers(2) == (35, 40)


def test_cla_3_6_one_player_wins_and_the_hand_ends():
    deal = deal_of(sitting(), "5m", BY_CHOW, BY_PAIR)
    run(deal, "0 discard 5m", "1 win 5m", "2 win 5m")
    assert (len(deal.winners), deal.end, deal.legal_actions()) == (1, "win", ())


def test_cla_3_7_a_win_that_was_let_go_bars_nothing():
    deal = deal_of(sitting(), "5m", BY_PAIR, head="1z5m")
    run(deal, "0 discard 5m", "1 pass", "1 draw 1z", "1 discard 1z", "2 draw 5m", "2 discard 5m", "1 win 5m")
    assert [one[:3] for one in winners(deal)] == [(1, "discard", 2)]


def test_cla_3_8_the_tile_added_to_a_pung_may_be_robbed():
    hands = ("5m", "55m", "", "46m123s456s789s11p")
    deal = deal_of(sitting(), *hands, head="1z2z3z5m")
    throw_away(run(deal, "0 discard 5m", "1 pung 5m"), 1)
    run(deal, "2 discard 1z", "3 discard 2z", "0 discard 3z", "1 kong 5m")
    assert legal(deal, 3) == ["pass", "win 5m"]
    run(deal, "3 win 5m")
    assert [one[:3] for one in winners(deal)] == [(3, "robbed_kong", 1)]
    assert sets(deal, 1) == ["pung:555m"]
    settled = deal.rules.settle(deal)
    assert settled.scores[1].items.get("kong") is None
    deal.undo()
    deal.undo()
    run(deal, "1 kong 5m", "3 pass")
    assert sets(deal, 1) == ["promoted:5555m"]


def test_cla_3_8_never_a_concealed_kong_and_not_where_the_club_forbids_it():
    deal = deal_of(sitting(), "5555m", "46m123s456s789s11p")
    run(deal, "0 kong 5m")
    assert deal.pending == (0,)
    hands = ("5m", "55m", "", "46m123s456s789s11p")
    forbidden = deal_of(sitting(options={"rob_kong": False}), *hands, head="1z2z3z5m")
    throw_away(run(forbidden, "0 discard 5m", "1 pung 5m"), 1)
    run(forbidden, "2 discard 1z", "3 discard 2z", "0 discard 3z", "1 kong 5m")
    assert forbidden.pending == (1,)


def test_cla_3_9_the_last_discard_can_only_be_won_on_and_then_the_hand_is_drawn():
    deal = deal_of(sitting(), "", "", "55m46m", BY_PAIR, head="5m", length=1)
    throw_away(deal, 0)
    run(deal, "1 draw 5m", "1 discard 5m")
    assert legal(deal, 3) == ["pass", "win 5m"]
    run(deal, "3 pass")
    assert (deal.end, deal.winners) == ("wall", ())
    deal.undo()
    run(deal, "3 win 5m")
    assert winners(deal)[0][3] == {"last_discard"}


def test_cla_2_4_a_reserve_is_never_drawn():
    whole, kept = deal_of(sitting()), deal_of(sitting(options={"reserve": 14}))
    assert whole.wall_left - kept.wall_left == 14


def test_cla_2_6_the_last_tile_and_nothing_to_replace_with():
    deal = deal_of(sitting(), "", BY_PAIR, head="5m", length=1)
    run(deal, f"0 {legal(deal)[0]}", "1 draw 5m", "1 win 5m")
    assert winners(deal)[0][3] == {"last_tile"}
    flower = deal_of(sitting(), head="2f", length=1)
    run(flower, f"0 {legal(flower)[0]}", "1 flower 2f")
    assert (flower.end, flower.winners) == ("wall", ())
    kong = deal_of(sitting(), "", "5555z", head="1m", length=1)
    run(kong, f"0 {legal(kong)[0]}", "1 draw 1m")
    assert "kong 5z" not in legal(kong)


def test_a_win_after_a_kong_is_told_with_a_flower_in_between():
    deal = deal_of(sitting("balsall"), "5555z123m456m789m1p", tail="2f1p")
    run(deal, "0 kong 5z", "0 loose 2f", "0 flower 2f", "0 loose 1p", "0 win 1p")
    assert winners(deal) == [(0, "loose", None, {"after_kong"})]
    assert deal.rules.settle(deal).scores[0].items["replacement_tile"] == 1


def test_east_may_win_with_the_dealt_hand():
    deal = deal_of(sitting(), "123456789m123p55z")
    assert legal(deal)[0] == "win"
    run(deal, "0 win")
    assert winners(deal)[0][1:] == ("self_drawn", None, {"heavenly"})


def test_without_a_known_wall_every_tile_that_was_not_seen_may_come():
    known = deal_of(sitting())
    deal = type(known)(known.rules, 0, known.dealt, None, (), 91)
    run(deal, f"0 {legal(deal)[0]}")
    while not legal(deal)[0].startswith("draw"):
        run(deal, f"{deal.pending[0]} pass")
    held = [kind for hand in known.dealt for kind in hand]
    assert len(legal(deal)) == sum(held.count(kind) < (4 if kind < 34 else 1) for kind in range(42))


def test_actions_have_a_text():
    for text in (
        "0 draw 3p",
        "1 loose 7f",
        "2 flower 1f",
        "3 discard 5z",
        "0 pass",
        "1 chow 345m",
        "2 pung 1z",
        "3 win",
    ):
        assert str(parse_action(text)) == text
    assert str(parse_action("0 give 9p1m1p")) == "0 give 1m19p"
    for text in ("4 draw 3p", "0 draw", "0 chow 3p", "0 fly 3p", "draw 3p", "0 draw xx"):
        with pytest.raises(NotationError, match=text):
            parse_action(text)


def test_undo_and_refusals():
    deal = deal_of(sitting(), "1z")
    before = deal.legal_actions()
    run(deal, "0 discard 1z")
    with pytest.raises(IllegalAction, match="not legal"):
        deal.apply(parse_action("0 discard 2z"))
    assert str(deal.undo()) == "0 discard 1z"
    assert deal.legal_actions() == before
    with pytest.raises(IllegalAction, match="nothing"):
        deal.undo()
