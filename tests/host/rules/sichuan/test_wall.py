"""SBR-2: wall, break and deal, against a slow count over a wall laid out around the table."""

import itertools

import pytest

from wallwright.rules.core.errors import WallError
from wallwright.rules.core.walls import deal_seats
from wallwright.rules.sichuan.wall import STACKS, Position, break_wall, take_order, wall_plan

EVERY_DICE = [(one, other) for one in range(1, 7) for other in range(1, 7)]


def test_sbr_1_3_two_six_sided_dice_decide():
    assert {break_wall(dice, 0).indent for dice in EVERY_DICE} == {1, 2, 3, 4, 5, 6}
    for dice in [(0, 3), (7, 1), (1, -1)]:
        with pytest.raises(WallError, match="1 to 6"):
            break_wall(dice, 0)


def test_sbr_2_1_long_walls_follow_the_dealer():
    assert [wall_plan(108, dealer) for dealer in range(4)] == [(14, 13, 14, 13), (13, 14, 13, 14)] * 2


def test_sbr_2_1_long_walls_may_stay_with_east_and_west():
    assert {wall_plan(108, dealer, "east_west") for dealer in range(4)} == {(14, 13, 14, 13)}


@pytest.mark.parametrize("tiles", sorted(STACKS))
def test_sbr_2_1_every_plan_holds_its_tiles_two_high(tiles):
    for dealer in range(4):
        plan = wall_plan(tiles, dealer)
        assert 2 * sum(plan) == tiles
        assert plan[dealer] == plan[(dealer + 2) % 4] >= plan[(dealer + 1) % 4] == plan[(dealer + 3) % 4]
        # The carrier of a lane takes 19 stacks at most.
        assert max(plan) <= 19


@pytest.mark.parametrize(("tiles", "each"), [(136, 17), (144, 18), (152, 19)])
def test_plans_of_the_common_sets_are_even(tiles, each):
    assert wall_plan(tiles, 1) == (each,) * 4


# Dice and winds as the book gives them; East is the dealer.
@pytest.mark.parametrize(("dice", "steps", "indent"), [((6, 4), 1, 4), ((2, 2), 3, 2), ((5, 4), 0, 4)])
@pytest.mark.parametrize("dealer", range(4))
def test_sbr_2_2_the_books_examples(dice, steps, indent, dealer):
    start = break_wall(dice, dealer)
    assert (start.seat, start.indent) == ((dealer + steps) % 4, indent)


@pytest.mark.parametrize(("steps", "sums"), [(0, (5, 9)), (1, (2, 6, 10)), (2, (3, 7, 11)), (3, (4, 8, 12))])
def test_sbr_2_2_which_sum_names_which_wind(steps, sums):
    assert {sum(dice) for dice in EVERY_DICE if break_wall(dice, 0).seat == steps} == set(sums)


def walk(plan, dealer, dice):
    """The same order by pointing: a ring of stacks, a finger that walks clockwise, and tiles taken off the top."""
    ring: list[list[Position]] = []
    side = 0
    for _ in range(4):
        ring.extend([Position(side, stack, 0), Position(side, stack, 1)] for stack in range(plan[side]))
        side = (side + 3) % 4
    player, counted = dealer, 1
    while counted < dice[0] + dice[1]:
        player, counted = (player + 1) % 4, counted + 1
    finger = next(index for index, stack in enumerate(ring) if stack[0][:2] == (player, 0)) + min(dice)
    taken = []

    def take(offset):
        taken.append(ring[(finger + offset) % len(ring)].pop())

    for _ in range(12):
        for _ in range(2):
            take(0)
            take(0)
            finger += 1
    take(0)
    take(2)
    take(0)
    take(1)
    take(1)
    while any(ring):
        while not ring[finger % len(ring)]:
            finger += 1
        take(0)
    return tuple(taken)


@pytest.mark.parametrize("long_walls", ["dealer", "east_west"])
@pytest.mark.parametrize("dealer", range(4))
def test_sbr_2_3_the_order_is_that_of_a_slow_walk_round_the_table(dealer, long_walls):
    plan = wall_plan(108, dealer, long_walls)
    for dice in EVERY_DICE:
        assert take_order(plan, dealer, dice) == walk(plan, dealer, dice), dice


def test_sbr_2_3_who_gets_the_tiles():
    assert deal_seats(1)[:17] == (1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 1)
    assert deal_seats(1)[48:] == (1, 1, 2, 3, 0)
    assert [deal_seats(2).count(seat) for seat in range(4)] == [13, 13, 14, 13]


def test_sbr_2_3_after_six_and_four_the_wall_reads_as_the_book_says():
    rest = take_order(wall_plan(108, 0), 0, (6, 4))[53:]
    runs = [(seat, sum(1 for _ in run)) for seat, run in itertools.groupby(rest, key=lambda place: place.seat)]
    # One tile and nine stacks before North, fourteen stacks before West, four before South.
    assert runs == [(3, 1 + 2 * 9), (2, 28), (1, 8)]
    assert rest[0].layer == 0


@pytest.mark.parametrize("dealer", range(4))
def test_sbr_2_4_every_tile_leaves_once_from_the_same_head_top_first(dealer):
    plan = wall_plan(108, dealer)
    for dice in EVERY_DICE:
        order = take_order(plan, dealer, dice)
        assert len(set(order)) == len(order) == 108
        start = break_wall(dice, dealer)
        ring = [(seat % 4, stack) for seat in range(start.seat, start.seat - 4, -1) for stack in range(plan[seat % 4])]
        places = {stack: index for index, stack in enumerate(ring[start.indent :] + ring[: start.indent])}
        drawn = [(places[place.seat, place.stack], -place.layer) for place in order[53:]]
        assert drawn == sorted(drawn)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((100, 0), "no wall"), ((108, 4), "seat 4"), ((108, 0, "north"), "long_walls")],
)
def test_unknown_walls_are_refused(arguments, message):
    with pytest.raises(WallError, match=message):
        wall_plan(*arguments)


def test_a_wall_too_small_for_the_deal_is_refused():
    with pytest.raises(WallError, match="too few"):
        take_order((6, 6, 6, 6), 0, (1, 1))
