"""Tiles, walls and what else a table of these games must know. (CLA-1, CLA-2, CUM-1, CUM-2, BAL-2, BAL-10)"""

from collections import Counter
from itertools import islice
from random import Random

import pytest

from tests.host.rules.classical.playing import sitting
from tests.host.rules.classical.support import answer, balsall, cumberland, explained, items, pung, refusal
from wallwright.rules.classical.bots import SmartBot
from wallwright.rules.classical.play import FULL_SET, session, shuffled_deal, throw
from wallwright.rules.classical.ruleset import load_rules
from wallwright.rules.classical.wall import PLAN
from wallwright.rules.core.bots import RandomBot
from wallwright.rules.core.tiles import format_tiles, parse_tiles


def test_cla_1_1_a_set_has_144_tiles():
    held = Counter(FULL_SET)
    assert (len(FULL_SET), sum(held[kind] == 4 for kind in range(34))) == (144, 34)
    assert [held[kind] for kind in range(34, 42)] == [1] * 8


def test_cla_1_2_tiles_have_a_text():
    text = "19m19p19s1234567z12345678f"
    assert format_tiles(parse_tiles(text)) == text


def test_cla_1_3_the_numbers_of_flowers_are_those_of_the_winds():
    for at, wind in enumerate("ESWN"):
        hand = cumberland(f"{wind}E", "123m456m789m123p5s", winning="5s", flowers=[f"{at + 1}f", f"{at + 5}f"])
        assert {"own_season", "own_flower"} <= set(items(hand))
        other = balsall(
            f"{wind}{wind}", "123m456m77m12p", pung("999s"), winning="3p", flowers=[f"{at + 1}f", f"{at + 5}f"]
        )
        assert {"red_flower_of_round", "blue_flower_of_seat"} <= set(items(other))


def test_cla_1_4_flowers_are_in_no_set():
    assert "CLA-1.4" in refusal("score", balsall("SE", "123m456p4577s", pung("111f"), winning="6s"))


@pytest.mark.parametrize("east", range(4))
def test_cla_2_1_walls_are_18_stacks_whoever_deals(east):
    assert PLAN == (18, 18, 18, 18)
    under = sitting("balsall", east=east)
    deal = shuffled_deal(under, throw(under.rules, Random(east)), Random(east))
    assert [len(deal.dealt[(east + step) % 4]) for step in range(4)] == [14, 13, 13, 13]
    assert deal.wall_size == 91


def test_cla_2_2_the_count_never_exceeds_a_wall():
    found = answer("break", {"ruleset": "balsall", "dealer": 3, "dice": [6, 6, 6]})
    assert (found["side"], found["first"]) == (0, [3, 1, 1])


def test_cum_1_1_dealer_and_east_may_be_two_people():
    found = answer("break", {"ruleset": "cumberland", "east": 1, "dice": [[1, 2], [2, 2]]})
    assert (found["side"], found["first"]) == (3, [3, 5, 1])
    assert "CUM-1.1" in refusal("break", {"ruleset": "cumberland", "east": 1, "dealer": 1, "dice": [[1, 2], [2, 2]]})


def of_cumberland(**change):
    hands = [{"points": points} for points in (80, 84, 208, 416)]
    record = {"ruleset": "cumberland", "east": 0, "winner": 1, "by": "discard", "from": 2, "hands": hands}
    return record | change


def of_balsall(**change):
    hands = [None, {"points": 5}, None, None]
    return of_cumberland(ruleset="balsall", round_wind="E", hands=hands) | change


def test_cum_2_4_a_tile_that_falls_open_stays_where_it_is_by_default():
    deal = of_cumberland(events=[{"type": "flipped", "tile": "5m"}])
    assert "5m fell open while it was dealt and stayed in its place (CUM-2.4)." in explained(deal)
    shuffled = explained(deal | {"options": {"flipped": "shuffle"}})
    assert "5m fell open while it was dealt and was shuffled back into the wall (CUM-2.4)." in shuffled
    assert "CUM-2.4" in refusal("settle", of_balsall(events=[{"type": "flipped", "tile": "5m"}]))


def test_cum_3_1_a_discard_is_gone_after_two_seconds():
    assert answer("settle", of_cumberland(claimed_ms=2000))["points"] == [80, 84, 208, 416]
    assert "after 2001 ms, and may be for 2000 ms" in refusal("settle", of_cumberland(claimed_ms=2001))
    assert answer("settle", of_cumberland(claimed_ms=2001, options={"claim_ms": 5000}))["points"][1] == 84
    drawn = of_cumberland(claimed_ms=100, by="self_drawn") | {"from": None}
    assert "CUM-3.1" in refusal("settle", drawn)
    assert "CUM-3.1" in refusal("settle", of_cumberland(claimed_ms=-1))


def test_bal_3_1_a_discard_is_gone_after_three_seconds():
    assert answer("settle", of_balsall(claimed_ms=3000))["points"] == [0, 5, -5, 0]
    assert "BAL-3.1" in refusal("settle", of_balsall(claimed_ms=3001))


def test_cum_8_2_a_game_has_sixteen_hands_that_count():
    last = of_cumberland(hands_played=15)
    found = answer("settle", last)
    assert (found["hands_played"], found["game_over"]) == (16, True)
    assert "The game of 16 hands is over (CUM-8.2)." in explained(last)
    # East's win and a stale hand do not count.
    assert answer("settle", last | {"winner": 0})["game_over"] is False
    assert (
        answer("settle", {"ruleset": "cumberland", "east": 0, "winner": None, "hands_played": 15})["game_over"] is False
    )
    assert "CUM-8.2" in refusal("settle", of_cumberland(hands_played=16))
    open_game = answer("settle", of_cumberland(hands_played=16, options={"session_hands": 0}))
    assert (open_game["hands_played"], open_game["game_over"]) == (17, False)
    assert "CUM-8.2" in refusal("settle", of_cumberland(hands_played=-1))
    assert "BAL-9.1" in refusal("settle", of_balsall(hands_played=1))


@pytest.mark.slow
def test_cum_8_2_bots_begin_another_game_after_the_last_hand():
    rules = load_rules("cumberland", {"session_hands": 1})
    played = list(islice(session(rules, [SmartBot()] * 4, Random(5)), 12))
    ends = [at for at, one in enumerate(played) if one.settled.next_["game_over"]]
    assert len(ends) > 1
    for at in ends[:-1]:
        following = played[at + 1].deal.sitting
        assert (following.hands_played, following.first_dealer) == (0, following.east)


@pytest.mark.slow
def test_cum_8_2_stale_and_repeated_hands_do_not_count():
    played = list(islice(session(load_rules("cumberland"), [RandomBot()] * 4, Random(5)), 30))
    for one in played:
        repeated = one.settled.winner in (None, one.deal.sitting.east)
        assert one.settled.next_["counts"] == (not repeated)


def test_bal_2_2_the_dealer_is_east_and_the_marker_stays_with_the_first():
    played = list(islice(session(load_rules("balsall"), [RandomBot()] * 4, Random(5), east=2), 5))
    assert played[0].deal.dealer == 2
    assert {one.deal.sitting.first_dealer for one in played} == {2}


def test_cum_7_1_and_7_2_a_wrong_number_of_tiles_cannot_win_and_a_long_hand_scores_0():
    long, short = ({"type": "count_error", "seat": 3, "what": what} for what in ("long", "short"))
    assert answer("settle", of_cumberland(events=[long]))["points"] == [80, 84, 208, 0]
    assert "too many tiles: the hand scores 0 (CUM-7.1, 7.2)" in explained(of_cumberland(events=[long]))
    assert answer("settle", of_cumberland(events=[short]))["points"] == [80, 84, 208, 416]
    assert "too few tiles and could not win (CUM-7.1)" in explained(of_cumberland(events=[short]))
    assert "CUM-7.1" in refusal("settle", of_cumberland(events=[short], winner=3))
    assert "CUM-7.1" in refusal("settle", of_cumberland(events=[{**long, "what": "odd"}]))
    hands = [*of_cumberland()["hands"][:3], {"standing": "234567m5m11m99m22z"}]
    denied = refusal("settle", of_cumberland(events=[long], hands=hands, round_wind="E"))
    assert "is long, and 13 tiles are shown (CUM-7.1)" in denied


def test_bal_8_7_a_hand_of_three_players_is_not_settled():
    refused = refusal("settle", of_balsall(hands=[None, {"points": 5}, None]))
    assert "three players (BAL-8.7) are not settled here" in refused


def test_bal_10_1_a_wrong_number_of_tiles_is_mended_by_default():
    wrong = of_balsall(events=[{"type": "count_error", "seat": 1, "what": "long"}])
    assert answer("settle", wrong)["points"] == [0, 5, -5, 0]
    assert "has put a wrong number of tiles right (BAL-10.1)" in explained(wrong)
    assert "BAL-10.1" in refusal("settle", wrong | {"options": {"count_error": "no_win"}})
    other = of_balsall(events=[{"type": "count_error", "seat": 2, "what": "long"}], options={"count_error": "no_win"})
    assert "could not win (BAL-10.1)" in explained(other)
    assert "CLA-3.1" in refusal("score", balsall("SE", "123m456p457s", pung("999s"), winning="6s"))
