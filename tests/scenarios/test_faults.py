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
from wallwright_protocol import codes
from wallwright_protocol.hardware import (
    BELT_FULL,
    COUNT_EYE,
    HEAD,
    LID_IS_CLOSED,
    LIFT_DOWN,
    SIDES,
    drive_bit,
    input_number,
)


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


@pytest.mark.parametrize("side", range(SIDES))
def test_a_belt_full_eye_that_is_dark_for_a_whole_build_is_told_once_and_the_walls_get_whole(side, seed):
    table = Table(seed)
    host = table.connect()
    table.world.sensors.distort(input_number(side, BELT_FULL), lambda _: 1)
    table.build()
    table.run(CHECKED_MS)
    assert table.built() == plan_of(0)
    stuck = [each.values for each in host.named("notice") if each.values["fault"] == codes.BELT_FULL_STUCK]
    assert [(each["side"], each["tries"]) for each in stuck] == [(side, 0)]
    assert host.named("fault") == []


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


@pytest.mark.parametrize("by_host", [False, True], ids=["by key", "by host"])
def test_every_lane_that_is_blocked_is_shown_after_the_one_before_and_an_emergency_stop_hides_none(by_host, seed):
    chance = random.Random(seed)
    first, second = sorted(chance.sample(range(SIDES), 2))
    table = Table(seed)
    host = table.connect()
    table.press_lift()
    table.run(chance.randrange(500, 4_000))
    for side in (first, second):
        table.world.heads[side].block()
    table.run(9_000)
    table.world.emergency_stop(True)
    assert table.until_fault() == shown(codes.EMERGENCY_STOP)
    table.run(1_000)
    table.world.emergency_stop(False)
    table.run(1_000)
    for side in (first, second):
        if by_host:
            host.do("clear_fault")
        else:
            table.press_lift()
        table.until(shown(codes.HEAD_JAM, side), 300)
        still_as_it_is(table, keys=False)
        for tile in table.world.free_head(side):
            table.world.put_in_drum(tile)
    clear(table)
    assert [event.values["fault"] for event in host.named("fault_cleared")] == [
        codes.EMERGENCY_STOP,
        codes.HEAD_JAM,
        codes.HEAD_JAM,
    ]
    table.build()
    check_walls(table, plan_of(0), 0)


@pytest.mark.parametrize("kind", ["eye misses a tile", "eye is dark"])
def test_a_tile_that_no_eye_has_counted_is_found_in_the_head_by_doing_what_the_faults_say(kind, seed):
    """The last tile of a side goes into the head unseen, so that nothing can be told from tiles that queue.

    Before an eye that is dark the belt goes to and fro, and the tile may stay on it: the lane is blocked all the same.
    """
    side = seed % SIDES
    table = Table(seed)
    wanted = 2 * plan_of(0)[side]
    eye = input_number(side, COUNT_EYE)
    table.press_lift()
    head = table.world.heads[side]
    assert table.run(60_000, lambda: 2 * len(head.carrier) + len(head.tiles) == wanted - 1)
    table.run(10)
    level = 0 if kind == "eye misses a tile" else 1
    table.world.sensors.distort(eye, lambda _: level)
    blocked = shown(codes.EYE_BLOCKED, side)
    assert table.run(60_000, lambda: 2 * len(head.carrier) + len(head.tiles) == wanted or table.shown == blocked)
    assert level or table.shown != blocked
    table.run(3_000)
    table.world.sensors.distort(eye, None)
    named = []
    while table.run(90_000, lambda: table.shown == "READY" or table.shown.startswith("E")) and table.shown != "READY":
        named.append(table.shown)
        table.run(1_000)
        assert len(named) < 2 * SIDES, named
        if not table.shown.startswith((FAULT_TEXTS[codes.TILE_MISSING], FAULT_TEXTS[codes.SLOW_BUILD])):
            for tile in table.world.free_head(int(table.shown[-1])):
                table.world.put_in_drum(tile)
        clear(table)
        table.press_lift()
        table.run(300)
    assert named[-1] == shown(codes.EYE_BLOCKED if level else codes.EYE_DEAD, side)
    others = {shown(codes.TILE_MISSING), shown(codes.EYE_DEAD), shown(codes.SLOW_BUILD)}
    assert {text[:3] for text in named[:-1]} <= others
    check_walls(table, plan_of(0), 0)


@pytest.mark.parametrize("what", ["lid", "lift"])
def test_nothing_that_a_switch_keeps_from_moving_moves_before_the_way_is_gone(what, seed):
    """The switch that ends the way sticks in its last part; the watch over the world sees what moves too soon."""
    chance = random.Random(seed)
    for _ in range(6):
        table = Table(chance.randrange(2**32))
        table.build()
        side = chance.randrange(SIDES)
        if what == "lid":
            table.press_lift()
            table.until("DROP")
            table.sim.players.push_in()
            table.run(300)
            table.press_lift()
            number, part = LID_IS_CLOSED, table.world.lid
        else:
            table.raise_walls()
            table.run(1_000)
            table.press_dice()
            number, part = input_number(side, LIFT_DOWN), table.world.lifts[side]
        table.run(1_000)
        last = chance.uniform(0.01, 0.25)
        while part.position() > last:
            table.run(5)
        table.world.sensors.distort(number, lambda _: 1)
        table.run(8_000)
        assert part.at_start or table.shown == shown(
            *((codes.LID_LIMITS,) if what == "lid" else (codes.LIFT_LIMITS, side))
        )


def test_a_lift_switch_that_opens_is_named_whatever_it_keeps_from_moving(seed):
    side = seed % SIDES
    table = Table(seed)
    table.press_lift()
    head = drive_bit(side, HEAD)
    assert table.run(20_000, lambda: bool(table.world.mask & head))
    table.world.sensors.distort(input_number(side, LIFT_DOWN), lambda _: 0)
    assert table.until_fault(20) == shown(codes.LIFT_LIMITS, side)
