"""Where three dice break the wall (HKO-2), by `rules break`."""

from itertools import product
from random import Random

import pytest

from tests.host.rules.hong_kong.support import E, N, S, W, one, refused
from wallwright.rules.core.walls import DEALT, wall_order
from wallwright.rules.hong_kong.play import shuffled_deal
from wallwright.rules.hong_kong.ruleset import load_ruleset


def broken(*dice, dealer=E, **options):
    return one("break", dealer=dealer, dice=list(dice), options=options)


@pytest.mark.parametrize(
    ("dice", "first", "replacement"),
    [
        ((1, 1, 1), [W, 4, 1], [W, 3, 1]),
        ((3, 3, 4), [S, 11, 1], [S, 10, 1]),
        ((5, 6, 6), [N, 1, 1], [E, 17, 1]),
        ((6, 6, 6), [E, 2, 1], [E, 1, 1]),
    ],
)
def test_hko_2_3_the_four_checks(dice, first, replacement):
    found = broken(*dice)
    assert (found["first"], found["replacements"][0]) == (first, replacement)


@pytest.mark.parametrize(
    ("dice", "head"),
    [((3, 3, 4), [N, 3, 0]), ((1, 1, 1), [S, 13, 0]), ((5, 6, 6), [W, 10, 0]), ((6, 6, 6), [N, 11, 0])],
)
def test_hko_2_4_the_head_after_the_deal(dice, head):
    found = broken(*dice)
    assert (found["head_after_deal"], found["left"]) == (head, 83)


@pytest.mark.slow
def test_hko_2_2_the_sum_names_the_side():
    for dice in product(range(1, 7), repeat=3):
        side = broken(*dice, dealer=W)["side"]
        place = {"E": (5, 9, 13, 17), "S": (6, 10, 14, 18), "W": (3, 7, 11, 15), "N": (4, 8, 12, 16)}["ESWN"[side - W]]
        assert sum(dice) in place


def test_hko_2_5_replacements_come_from_the_tail_upper_tile_first():
    assert broken(3, 3, 4)["replacements"] == [[S, 10, 1], [S, 10, 0], [S, 9, 1]]


def test_hko_2_1_and_1_3_walls_with_and_without_flowers():
    assert load_ruleset("hong-kong").plan == (17, 17, 17, 17)
    assert len(load_ruleset("hong-kong").tiles) == 136
    with_flowers = load_ruleset("hong-kong", {"flowers": True})
    assert with_flowers.plan == (18, 18, 18, 18)
    assert len(with_flowers.tiles) == 144
    found = broken(6, 6, 6, flowers=True)
    assert (found["first"], found["replacements"][0], found["left"]) == ([E, 1, 1], [S, 18, 1], 91)


def test_hko_2_4_the_last_single_tiles():
    order = wall_order((17, 17, 17, 17), S, 10)
    # After six stacks each on S:11 to 17 and E:1 to 17: N:1, N:2 and N:3.
    assert order.head[48:DEALT] == ((N, 1, 1), (N, 3, 1), (N, 1, 0), (N, 2, 1), (N, 2, 0))


@pytest.mark.parametrize(
    ("dice", "problem"),
    [
        ([2, 5], "2 dice where 3 are thrown (HKO-2.2)"),
        ([2, 5, 1, 1], "4 dice where 3 are thrown (HKO-2.2)"),
        ([2, 5, 7], "not numbers from 1 to 6 (HKO-2.2)"),
        ([[2, 3], [1, 4]], "not numbers from 1 to 6 (HKO-2.2)"),
        (None, "not numbers from 1 to 6 (HKO-2.2)"),
    ],
)
def test_other_dice_are_refused(dice, problem):
    assert problem in refused("break", dealer=E, dice=dice)


def test_hko_3_1_seat_winds_follow_the_dealer():
    deal = shuffled_deal(load_ruleset("hong-kong"), W, "S", Random(3))[1]
    assert [deal.seat_wind(seat) for seat in (W, N, E, S)] == ["E", "S", "W", "N"]
    assert {act.verb for act in deal.legal()} <= {"hu", "discard", "kong"}
