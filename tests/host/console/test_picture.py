"""The picture of a table: what is drawn is what stands there, by a count of its own."""

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.host.console.hall import Place
from wallwright.console.hall.model import TableView
from wallwright.console.hall.picture import picture
from wallwright.fleet.wall_up import WallUp


@pytest.fixture
def table(place: Place) -> TableView:
    return place.desk.view.tables[0]


def taken_by_hand(plan, dealer, dice, taken) -> list[list[int]]:
    """Tiles left by side and stack. Walls are walked clockwise from the break, upper tile before lower one; the last
    stacks of the deal are taken out of turn, so `taken` is a whole number of stacks, or more than 53 tiles."""
    side = (dealer + dice[0] + dice[1] - 1) % 4
    stack = min(dice)
    left = [[2] * stacks for stacks in plan]
    for _ in range(taken):
        while stack >= plan[side] or left[side][stack] == 0:
            stack += 1
            if stack >= plan[side]:
                side, stack = (side - 1) % 4, 0
        left[side][stack] -= 1
    return left


def test_the_wall_on_the_table_is_what_the_rules_leave(table: TableView, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(50):
        dealer = chance.randrange(4)
        dice = (chance.randint(1, 6), chance.randint(1, 6))
        plan: Any = tuple((14, 13)[(side - dealer) % 2] for side in range(4))
        taken = chance.choice([0, 2, 24, 48, *range(54, 109)])
        shown = picture(replace(table, wall=WallUp(plan, dice, dealer, taken)))
        drawn = [[slot.tiles for slot in side.wall] for side in shown.sides]
        assert drawn == taken_by_hand(plan, dealer, dice, taken), (dealer, dice, taken)
        assert shown.left == 108 - taken
        marked = [side.side for side in shown.sides if side.break_x is not None]
        assert marked == [(dealer + sum(dice) - 1) % 4]


def test_the_stacks_below_are_those_of_the_status(table: TableView) -> None:
    shown = picture(replace(table, stacks=(3, 0, 14, 9), loose_tiles=(1, 0, 0, 0)))
    assert [sum(slot.tiles == 2 for slot in side.carrier) for side in shown.sides] == [3, 0, 14, 9]
    assert [len(side.carrier) for side in shown.sides] == [14, 13, 14, 13]
    assert [side.loose for side in shown.sides] == [1, 0, 0, 0]
    assert all(slot.x >= 0 for side in shown.sides for slot in side.carrier)


def test_a_wall_that_nobody_counts_is_drawn_as_it_was_built(table: TableView) -> None:
    for wall in (WallUp((14, 13, 14, 13)), WallUp((14, 13, 14, 13), (1, 2), 0)):
        shown = picture(replace(table, wall=wall))
        assert shown.left is None
        assert [[slot.tiles for slot in side.wall] for side in shown.sides] == [[2] * stacks for stacks in wall.plan]
        assert [side.side for side in shown.sides if side.break_x is not None] == ([] if wall.dice is None else [2])


def test_no_wall_is_drawn_where_none_was_seen(table: TableView) -> None:
    shown = picture(replace(table, wall=None))
    assert shown.left is None
    assert not any(side.wall for side in shown.sides)


def test_what_runs_and_what_stands_in_a_fault_is_marked_at_its_side(table: TableView, place: Place) -> None:
    place.fleet.change("A1", state="fault", fault="lane_jam", fault_side=3, drives=("conveyor_1", "disc"))
    place.look()
    shown = picture(place.desk.view.tables[0])
    assert [side.has_fault for side in shown.sides] == [False, False, False, True]
    assert [side.is_running for side in shown.sides] == [False, True, False, False]
    assert not shown.is_stopped
