"""What goes wrong in the machine ends in a fault that names it, with everything still; mended, it goes on."""

import random

import pytest

from tests.scenarios.boards import deaf
from tests.scenarios.scenarios import (
    CHECKED_MS,
    FAULT_TEXTS,
    check_walls,
    follow,
    go_on,
    plan_of,
    still_as_it_is,
)
from tests.scenarios.table import Table
from wallwright_firmware.app import App
from wallwright_firmware.hal import COUNT_EYE, SIDES, input_number
from wallwright_protocol import codes


def shown(fault, side=None):
    """What the panels show of a fault."""
    return FAULT_TEXTS[fault] if side is None else f"{FAULT_TEXTS[fault]} S{side}"


def clear(table):
    """A lift key clears the fault; nothing moves by that."""
    table.press_lift()
    assert table.run(300, lambda: not table.shown.startswith("E"))
    still_as_it_is(table, keys=False)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_missing_tiles_are_told_for_the_side_that_lacks_the_most(count, seed):
    table = Table(seed)
    for tile in random.Random(seed).sample(range(108), count):
        table.world.remove_tile(tile)
    table.press_lift()
    text = table.until_fault()
    lack = [2 * stacks for stacks in plan_of(0)]
    for side, head in enumerate(table.world.heads):
        lack[side] -= 2 * len(head.carrier) + len(head.tiles)
    assert sum(lack) == count
    assert text == shown(codes.TILE_MISSING, lack.index(max(lack)))
    still_as_it_is(table, keys=False)
    for tile in list(table.world.loose):
        table.world.put_in_drum(tile)
    clear(table)
    table.build()
    check_walls(table, plan_of(0), 0)
    table.raise_walls()
    assert table.world.rises == [plan_of(0)]


def test_a_tile_of_the_other_set_in_the_drum_is_one_too_many_and_comes_out_again(seed):
    table = Table(seed)
    foreign = table.world.pile[0]
    table.world.put_in_drum(foreign)
    table.press_lift()
    table.until("READY")
    assert table.built() == plan_of(0)
    assert table.until_fault(CHECKED_MS)[:3] == shown(codes.TILE_TOO_MANY)
    assert table.built() == plan_of(0)
    assert len(table.world.drum.tiles) + sum(len(belt.tiles) for belt in table.world.belts) == 1
    still_as_it_is(table, keys=False)
    table.world.check_conserved()


def test_a_dead_counting_eye_ends_in_a_fault_of_its_side_while_the_others_get_whole(seed):
    side = seed % SIDES
    table = Table(seed, firmware=deaf(App, {input_number(side, COUNT_EYE)}))
    table.press_lift()
    assert table.until_fault() == shown(codes.EYE_DEAD, side)
    assert [table.built()[other] for other in range(SIDES) if other != side] == [
        plan_of(0)[other] for other in range(SIDES) if other != side
    ]
    still_as_it_is(table, keys=False)
    assert table.world.rises == []


def test_a_jammed_head_ends_in_a_fault_and_the_build_goes_on_when_a_person_has_freed_it(seed):
    chance = random.Random(seed)
    side = chance.randrange(SIDES)
    table = Table(seed)
    table.press_lift()
    table.run(chance.randrange(500, 9_000))
    table.world.heads[side].block()
    assert table.until_fault() == shown(codes.HEAD_JAM, side)
    still_as_it_is(table, keys=False)
    for tile in table.world.free_head(side):
        table.world.put_in_drum(tile)
    clear(table)
    table.build()
    check_walls(table, plan_of(0), 0)
    table.raise_walls()
    assert table.world.rises == [plan_of(0)]


@pytest.mark.parametrize("up", [True, False], ids=["up", "down"])
def test_a_lift_that_does_not_move_is_a_fault_of_its_side_and_goes_on_by_keys(up, seed):
    side = seed % SIDES
    table = Table(seed)
    table.build()
    if up:
        table.world.lifts[side].block(True)
        table.press_lift()
        table.until("DROP")
        table.sim.players.push_in()
        table.press_lift()
    else:
        table.raise_walls()
        table.world.lifts[side].block(True)
        table.press_dice()
    assert table.until_fault() == shown(codes.LIFT_STALL, side)
    still_as_it_is(table, keys=False)
    table.world.lifts[side].block(False)
    clear(table)
    if up:
        go_on(table)
    else:
        follow(table)
        table.until_building()


@pytest.mark.parametrize("opening", [True, False], ids=["opening", "closing"])
def test_a_lid_in_whose_way_something_lies_is_a_fault_and_goes_on_by_keys(opening, seed):
    table = Table(seed)
    table.build()
    if opening:
        table.world.lid.block(True)
        table.press_lift()
    else:
        table.press_lift()
        table.until("DROP")
        table.sim.players.push_in()
        table.world.lid.block(True)
        table.press_lift()
    assert table.until_fault() == shown(codes.LID_OBSTRUCTED)
    still_as_it_is(table, keys=False)
    table.world.lid.block(False)
    clear(table)
    if opening:
        assert table.shown == "READY"
        table.raise_walls()
    else:
        assert table.shown == "DROP"
        table.press_lift()
        table.until("DICE?")
        table.sim.players.draw_in()
    assert table.world.rises == [plan_of(0)]
