"""The picture of a table: what is drawn is what stands there, by a count of its own."""

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.host.console.hall import Place
from wallwright.console.hall.model import TableView
from wallwright.console.hall.picture import picture
from wallwright.fleet.wall_up import WallFollower, WallUp
from wallwright.journal.kinds import make_record
from wallwright.journal.kinds.tables import BuildDone, DiceRolled, WallsUp
from wallwright.rules.core.game_rules import preset_rules
from wallwright.rules.core.walls import WallOrder, wall_order


@pytest.fixture
def table(place: Place) -> TableView:
    return place.desk.view.tables[0]


def taken_by_hand(plan, side, stack, taken) -> list[list[int]]:
    """Tiles left by side and stack. Walls are walked clockwise from the break, so many stacks from the right end of a
    side, upper tile before lower one; the last stacks of the deal are taken out of turn, so `taken` is a whole number
    of stacks, or more than 53 tiles."""
    while stack >= plan[side]:
        side, stack = (side - 1) % 4, stack - plan[side]
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
        side = (dealer + sum(dice) - 1) % 4
        assert drawn == taken_by_hand(plan, side, min(dice), taken), (dealer, dice, taken)
        assert shown.left == 108 - taken
        marked = [side.side for side in shown.sides if side.break_x is not None]
        assert marked == [side]
        assert not shown.has_tail, "in Sichuan all tiles come from the head"


def test_a_wall_of_three_sides_is_what_the_rules_leave(table: TableView, seed: int) -> None:
    chance = random.Random(seed)
    met = set()
    for _ in range(200):
        out, dealer = chance.randrange(4), chance.randrange(4)
        dice = (chance.randint(1, 6), chance.randint(1, 6))
        plan: Any = tuple(0 if side == out else 18 for side in range(4))
        taken = chance.choice([0, 2, 24, 48, *range(54, 109)])
        up = WallUp(plan, dice, dealer, taken)
        shown = picture(replace(table, plan=plan, stacks=plan, sides_out=(out,), wall=up))
        side = (dealer + sum(dice) - 1) % 4
        met.add(side - out)
        if side == out:
            side = (side + 1) % 4
        drawn = [[slot.tiles for slot in side.wall] for side in shown.sides]
        assert drawn == taken_by_hand(plan, side, min(dice), taken), (dealer, dice, taken)
        marked = [side.side for side in shown.sides if side.break_x is not None]
        assert marked == [side]
        assert [side.is_out for side in shown.sides] == [side == out for side in range(4)]
        assert not shown.sides[out].carrier
    assert met >= {-1, 0, 1}


class CountedOnWall:
    """A game that breaks the wall of side 2 after its last stack."""

    dead_wall = 0

    def broken_wall(self, dealer: int, throws: object, plan: Any) -> WallOrder:
        return wall_order(plan, 2, plan[2])


@pytest.mark.parametrize(("plan", "first"), [((18, 0, 18, 18), 0), ((18, 18, 18, 0), 1)])
def test_a_break_behind_the_last_stack_of_a_wall_is_marked_there(table: TableView, plan: Any, first: int) -> None:
    rules: Any = CountedOnWall()
    shown = picture(replace(table, rules=rules, plan=plan, wall=WallUp(plan, (6, 6), 1, 1)))
    assert shown.sides[first].wall[0].tiles == 1
    marked = [(side.side, side.break_x) for side in shown.sides if side.break_x is not None]
    assert marked == [(2, shown.sides[2].wall[17].x - 1)]


@pytest.mark.parametrize(
    ("preset", "stacks", "options", "dice"),
    [
        ("hong-kong", 17, {}, 3),
        ("hong-kong", 18, {"flowers": True, "dead_wall": 14}, 3),
        ("cumberland", 18, {"reserve": 16}, 2),
        ("balsall", 18, {}, 3),
    ],
)
def test_walls_of_two_ends_are_broken_by_the_dice_of_their_game(
    table: TableView, seed: int, preset: str, stacks: int, options: dict[str, object], dice: int
) -> None:
    chance = random.Random(seed)
    rules = preset_rules(preset).changed(options)
    plan = (stacks, stacks, stacks, stacks)
    for _ in range(50):
        dealer = chance.randrange(4)
        throws = [tuple(chance.randint(1, 6) for _ in range(dice)) for _ in range(2 if preset == "cumberland" else 1)]
        taken = chance.choice([0, 8, 48, *range(54, 8 * stacks - 15)])
        up = WallUp(plan, throws[-1], dealer, taken, tuple(throws[:-1]))
        shown = picture(replace(table, rules=rules, wall=up))
        # HKO-2.2, CUM-2.1, BAL-2.1: the first sum names the side, the last one counts its stacks.
        side, count = (dealer + sum(throws[0]) - 1) % 4, sum(throws[-1])
        drawn = [[slot.tiles for slot in side.wall] for side in shown.sides]
        assert drawn == taken_by_hand(plan, side, count, taken), (dealer, throws, taken)
        assert shown.left == 8 * stacks - taken
        # The tail begins with the last stack counted, and goes on to its right, round the corner.
        if count > stacks:
            side, count = (side - 1) % 4, count - stacks
        [broken] = [side for side in shown.sides if side.break_x is not None]
        assert (broken.side, broken.break_x) == (side, broken.wall[count - 1].x - 1)
        dead = int(str(options.get("dead_wall", options.get("reserve", 0))))
        tail = [(side, at) if at >= 0 else ((side + 1) % 4, at + stacks) for at in range(count - 1, count - 9, -1)]
        marked = {(one.side, at): slot.mark for one in shown.sides for at, slot in enumerate(one.wall) if slot.mark}
        assert [place for place in tail if "tail" in marked.get(place, "")] == tail[:1]
        assert {place for place, mark in marked.items() if "dead" in mark} == set(tail[: dead // 2])
        assert (shown.has_tail, shown.dead) == (True, dead)


def test_between_the_throws_of_cumberland_the_wall_is_whole(table: TableView) -> None:
    follower = WallFollower()
    follower.note(BuildDone(tile_set=0, stacks=(18, 18, 18, 18), duration_ms=20_000))
    follower.note(WallsUp(tile_set=0, deal=1))
    thrown = [("east", 2, (6, 6)), ("round_wind", 1, (2, 4)), ("cut", 2, (5, 1))]
    rolled = {"source": "key", "deal": 1, "seed": "00" * 32, "contribution": "00" * 16, "contributed": 0}
    for number, (purpose, seat, dice) in enumerate(thrown, 1):
        throw = {**rolled, "purpose": purpose, "seat": seat, "dice": dice, "roll": number}
        follower.note(make_record(DiceRolled, {"fields": throw, "time_ms": 0}))
        shown = picture(replace(table, rules=preset_rules("cumberland"), wall=follower.wall))
        assert [side.side for side in shown.sides if side.break_x is not None] == ([] if number < 3 else [2])
        assert shown.left is None
    assert follower.wall == WallUp((18, 18, 18, 18), (5, 1), 1, None, ((2, 4),))
    assert (shown.before, shown.dice) == (((2, 4),), (5, 1))


def test_dice_and_walls_of_another_game_break_nothing(table: TableView) -> None:
    for preset, plan, dice in (
        ("hong-kong", (17, 17, 17, 17), (2, 5)),
        ("hong-kong", (18, 18, 18, 18), (2, 5, 1)),
        ("cumberland", (18, 18, 18, 18), (2, 5)),
        ("sichuan", (14, 13, 14, 13), (2, 5, 1)),
    ):
        shown = picture(replace(table, rules=preset_rules(preset), wall=WallUp(plan, dice, 0, 60)))
        assert not [side for side in shown.sides if side.break_x is not None], (preset, dice)
        assert not shown.has_tail


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
