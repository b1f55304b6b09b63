"""The bot's judgement of a hand: what it may become, weighed by what it lacks."""

import pytest

from tests.host.rules.sichuan.support import melds
from wallwright.rules.core.distance import pungs_missing
from wallwright.rules.sichuan.packed import pack_tiles
from wallwright.rules.sichuan.plans import FULL_WALL, chance, prospect
from wallwright.rules.sichuan.tiles import parse_tiles


def worth(hand, sets="", each=0.25, void=0):
    return prospect(pack_tiles(parse_tiles(hand)), melds(sets), void, each)


def test_the_chance_of_a_tile_falls_with_the_wall():
    assert 0 < chance(0) < chance(FULL_WALL // 2) < chance(FULL_WALL) < 1


@pytest.mark.parametrize(
    ("hand", "sets", "value"),
    [
        ("123456789s11p234p", "", 1),
        ("123456s11p234p", "concealed:9999s", 2),
        ("111s333s444p22p", "pung:999s", 2),
        ("12345678911s234s", "", 4),
        ("1133557799s2244p", "", 4),
        ("11335577992266s", "", 16),
    ],
)
def test_a_complete_hand_is_worth_its_plan(hand, sets, value):
    assert worth(hand, sets) == value


def test_a_flush_one_tile_further_off_is_worth_more():
    # Ready for a hand of one point, two exchanges from a flush: four points are worth two tiles at a chance of a half.
    assert worth("123456789s11p23p", each=0.1) == pytest.approx(0.1)
    assert worth("1234567891123s", each=0.1) == pytest.approx(0.4)


def test_tiles_of_the_forbidden_suit_are_worth_nothing():
    assert worth("123456789s11p234p", void=1) < worth("123456789s11p234p", void=0)


def test_declared_sets_of_another_suit_end_a_flush():
    assert worth("23456788811s", "pung:999s") == 4
    assert worth("23456788811s", "pung:999p") == 1


def test_pungs_missing_counts_the_best_kinds():
    # Three pungs, a pair and three single tiles; four pungs and a pair.
    assert pungs_missing(3, 1, 3, 4) == 2
    assert pungs_missing(0, 1, 4, 4) == 0
