"""Tiles, walls and what else a table of these games must know. (CLA-1, CLA-2, CUM-1, CUM-2, BAL-2, BAL-10)"""

from collections import Counter
from itertools import islice
from random import Random

import pytest

from tests.host.rules.classical.playing import sitting
from tests.host.rules.classical.support import answer, balsall, cumberland, items, pung, refusal
from wallwright.rules.classical.play import FULL_SET, session, shuffled_deal, throw
from wallwright.rules.classical.ruleset import load_rules
from wallwright.rules.classical.wall import PLAN
from wallwright.rules.core.bots import RandomBot
from wallwright.rules.core.tiles import format_tiles, parse_tiles


def option(ruleset, name, changes=None):
    """The value of an option."""
    return getattr(load_rules(ruleset, changes), name)


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


def test_cum_2_4_a_tile_that_falls_open_stays_where_it_is_by_default():
    assert option("cumberland", "flipped") == "stay"
    assert option("cumberland", "flipped", {"flipped": "shuffle"}) == "shuffle"


def test_cum_3_1_the_window_is_the_clubs():
    assert option("cumberland", "claim_ms") == 2000
    assert option("cumberland", "claim_ms", {"claim_ms": 5000}) == 5000


def test_cum_8_2_stale_and_repeated_hands_do_not_count():
    assert option("cumberland", "session_hands") == 16
    played = list(islice(session(load_rules("cumberland"), [RandomBot()] * 4, Random(5)), 30))
    for one in played:
        repeated = one.settled.winner in (None, one.deal.sitting.east)
        assert one.settled.next_["counts"] == (not repeated)


def test_bal_2_2_the_dealer_is_east_and_the_marker_stays_with_the_first():
    played = list(islice(session(load_rules("balsall"), [RandomBot()] * 4, Random(5), east=2), 5))
    assert played[0].deal.dealer == 2
    assert {one.deal.sitting.first_dealer for one in played} == {2}


def test_bal_10_1_a_wrong_number_of_tiles_is_mended_by_default():
    assert option("balsall", "count_error") == "mend"
    assert "CLA-3.1" in refusal("score", balsall("SE", "123m456p457s", pung("999s"), winning="6s"))
