"""The engine's walls against the walk round a square of stacks with coordinates. (SBR-2)"""

import itertools

import pytest

from tests.reference.rulesets import RULESETS
from tests.reference.wall import deal_and_draw
from wallwright.rules.core.walls import deal_seats
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.rules.sichuan.wall import break_wall, take_order, wall_plan

DICE = [(one, other) for one in range(1, 7) for other in range(1, 7)]
PLANS = {
    "the dealer's": lambda dealer: (14, 13, 14, 13) if dealer % 2 == 0 else (13, 14, 13, 14),
    "east and west": lambda _dealer: (14, 13, 14, 13),
    "136 tiles": lambda _dealer: (17, 17, 17, 17),
    "144 tiles": lambda _dealer: (18, 18, 18, 18),
}


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("dealer", range(4))
def test_every_dice_result_takes_the_tiles_in_the_order_of_the_model(plan, dealer):
    stacks = plan(dealer)
    for dice in DICE:
        order, receivers = deal_and_draw(stacks, dealer, dice)
        taken = [(place.seat, place.stack, place.layer) for place in take_order(stacks, dealer, dice)]
        assert taken == order, dice
        assert list(deal_seats(dealer)) == receivers


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("name", RULESETS)
def test_the_long_walls_lie_where_the_ruleset_says(name, dealer):
    long_walls = load_ruleset(name).long_walls
    plan = wall_plan(108, dealer, long_walls)
    own = dealer if RULESETS[name].long_walls == "dealer" else 0
    assert [plan[(own + step) % 4] for step in range(4)] == [14, 13, 14, 13]


@pytest.mark.parametrize("tiles", [112, 116, 120, 136, 144, 152])
@pytest.mark.parametrize("dealer", range(4))
def test_other_sets_fill_walls_of_nearly_equal_length(tiles, dealer):
    plan = wall_plan(tiles, dealer)
    assert 2 * sum(plan) == tiles
    assert max(plan) - min(plan) <= 1


@pytest.mark.parametrize(
    ("tiles", "stacks"), [(144, 18), (136, 17)], ids=["Balsall and Cumberland guides", "Hong Kong old style guide"]
)
def test_sets_with_honours_stand_in_four_equal_walls(tiles, stacks):
    assert wall_plan(tiles, 2) == (stacks,) * 4


# The book's figures count players from East; East sits at seat 0 here.
@pytest.mark.parametrize(
    ("dice", "seat", "indent"), [((6, 4), 1, 4), ((2, 2), 3, 2), ((5, 4), 0, 4)], ids=["South", "North", "East"]
)
def test_the_three_breaks_of_lesson_2(dice, seat, indent):
    found = break_wall(dice, 0)
    assert (found.seat, found.indent) == (seat, indent)


def test_the_wall_left_after_6_and_4_in_lesson_2():
    """1 tile, then 9 stacks of North's side, 14 of West's and the 4 of South's indent: 55 tiles. (SBR-2.3)"""
    left = take_order((14, 13, 14, 13), 0, (6, 4))[53:]
    sides = [(seat, len(list(tiles))) for seat, tiles in itertools.groupby(place.seat for place in left)]
    assert sides == [(3, 1 + 2 * 9), (2, 2 * 14), (1, 2 * 4)]
    assert left[0].layer == 0
    assert len(left) == 55


def test_east_gets_the_first_stack_after_the_indent_in_lesson_2():
    """After 6 and 4 East takes two stacks, the others likewise; the second round crosses into East's own wall."""
    order = take_order((14, 13, 14, 13), 0, (6, 4))
    seats = deal_seats(0)
    walls_of_east = [place.seat for place, seat in zip(order, seats, strict=False) if seat == 0]
    assert walls_of_east[:4] == [1] * 4
    assert walls_of_east[4:8] == [1, 1, 0, 0]
    assert [seats.count(seat) for seat in range(4)] == [14, 13, 13, 13]
