"""Orders of walls from both ends: whole, without repeats, and as Sichuan's own page has them."""

import pytest

from wallwright.rules.core.errors import WallError
from wallwright.rules.core.walls import DEALT, Place, check_dice, deal_seats, wall_order
from wallwright.rules.sichuan.wall import break_wall, take_order

PLANS = [(14, 13, 14, 13), (17, 17, 17, 17), (18, 18, 18, 18)]


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("count", [0, 1, 9, 13, 18])
def test_both_ends_have_every_tile_that_is_left_once(plan, count):
    for side in range(4):
        order = wall_order(plan, side, count)
        assert len(order.head) == len(set(order.head)) == 2 * sum(plan)
        assert sorted(order.tail) == sorted(order.head[DEALT:])


def test_the_tail_begins_at_the_break_and_goes_back_upper_tile_first():
    order = wall_order((17, 17, 17, 17), 1, 10)
    assert order.head[0] == (1, 11, 1)
    assert order.tail[:3] == ((1, 10, 1), (1, 10, 0), (1, 9, 1))
    assert order.tail[20] == (2, 17, 1)


def test_a_break_may_pass_a_corner():
    order = wall_order((17, 17, 17, 17), 1, 18)
    assert order.head[0] == (0, 2, 1)
    assert order.tail[:3] == ((0, 1, 1), (0, 1, 0), (1, 17, 1))


def test_the_last_tiles_are_dealt_from_three_stacks():
    order = wall_order((18, 18, 18, 18), 0, 0)
    assert order.head[48:DEALT] == ((3, 7, 1), (3, 9, 1), (3, 7, 0), (3, 8, 1), (3, 8, 0))
    assert order.head[DEALT] == (3, 9, 0)
    assert deal_seats(2)[48:] == (2, 2, 3, 0, 1)


def test_sichuan_takes_the_same_places():
    for dice in ((6, 4), (2, 2), (5, 4)):
        place = break_wall(dice, 2)
        order = wall_order((14, 13, 14, 13), place.seat, place.indent)
        assert [Place(one.seat, one.stack + 1, one.layer) for one in take_order((14, 13, 14, 13), 2, dice)] == [
            *order.head
        ]


@pytest.mark.parametrize(
    ("dice", "problem"),
    [
        ([1, 2], "2 dice where 3 are thrown"),
        ([1, 2, 3, 4], "4 dice where 3 are thrown"),
        ([0, 2, 3], "not numbers from 1 to 6"),
        ([True, 2, 3], "not numbers from 1 to 6"),
        ("123", "not numbers from 1 to 6"),
        (None, "not numbers from 1 to 6"),
    ],
)
def test_other_dice_are_refused_by_clause(dice, problem):
    with pytest.raises(WallError, match=rf"{problem} \(HKO-2\.2\)"):
        check_dice(dice, 3, "HKO-2.2")


def test_a_side_that_is_none_and_a_wall_too_short_are_refused():
    with pytest.raises(WallError, match="seat 4 does not exist"):
        wall_order((17, 17, 17, 17), 4, 3)
    with pytest.raises(WallError, match="too few for a deal"):
        wall_order((5, 5, 5, 5), 0, 3)
