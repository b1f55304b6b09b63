"""The watched world finds what it is there to find: each rule is broken once, by hand."""

import pytest

from tests.scenarios.watch import LONGEST_MS, PAUSE_MS, REACTION_MS, Broken, WatchedWorld
from wallwright_firmware.hal import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    DISC,
    HEAD,
    LID_CLOSE,
    LID_OPEN,
    LIFT_LOWER,
    LIFT_RAISE,
    RING,
    SIDES,
    drive_bit,
)

PLAN = (1, 0, 0, 0)


def run_to(world, until_ms):
    while world.now_ms < until_ms:
        world.advance(until_ms)


@pytest.fixture
def world():
    made = WatchedWorld(1)
    made.plans = [(0, 0, 0, 0)]
    made.act()
    return made


@pytest.fixture
def lid_half_open(world):
    world.drive(LID_OPEN)
    run_to(world, 700)
    world.drive(0)
    world.act()
    return world


@pytest.fixture
def lift_half_up(world):
    world.drive(drive_bit(2, LIFT_RAISE))
    run_to(world, 700)
    world.drive(0)
    world.act()
    return world


@pytest.mark.parametrize("mask", [DISC, RING, *(drive_bit(side, LIFT_RAISE) for side in range(SIDES))])
def test_disc_ring_and_lifts_with_the_lid_open(lid_half_open, mask):
    with pytest.raises(Broken, match="interlock"):
        lid_half_open.drive(mask)


@pytest.mark.parametrize("mask", [LID_OPEN, LID_CLOSE, drive_bit(2, HEAD)])
def test_lid_and_head_with_a_lift_up(lift_half_up, mask):
    with pytest.raises(Broken, match="interlock"):
        lift_half_up.drive(mask)


def test_a_head_whose_own_lift_is_down_may_run_beside_a_lift_that_is_up(lift_half_up):
    lift_half_up.drive(drive_bit(1, HEAD))


@pytest.mark.parametrize("kind", [LIFT_RAISE, LIFT_LOWER])
def test_a_lift_whose_head_is_not_at_home(world, kind):
    world.drive(drive_bit(0, HEAD))
    run_to(world, 100)
    with pytest.raises(Broken, match="interlock"):
        world.drive(drive_bit(0, HEAD) | drive_bit(0, kind))


def test_an_interlock_that_breaks_while_a_drive_is_on(world):
    world.drive(drive_bit(3, HEAD) | drive_bit(3, LIFT_RAISE))
    with pytest.raises(Broken, match="interlock"):
        run_to(world, 1_000)


@pytest.mark.parametrize("kinds", [(CONVEYOR, CONVEYOR_REVERSE), (LIFT_RAISE, LIFT_LOWER)])
def test_two_directions_at_once(world, kinds):
    with pytest.raises(Broken, match="interlock"):
        world.drive(sum(drive_bit(1, kind) for kind in kinds))


def test_two_directions_of_the_lid_at_once(world):
    with pytest.raises(Broken, match="interlock"):
        world.drive(LID_OPEN | LID_CLOSE)


@pytest.mark.parametrize("bit", LONGEST_MS)
def test_a_drive_that_is_on_for_too_long(world, bit):
    world.lid.block(True)
    for lift in world.lifts:
        lift.block(True)
    for head in world.heads:
        head.block()
    world.drive(bit)
    run_to(world, LONGEST_MS[bit])
    with pytest.raises(Broken, match="has run since 0 ms"):
        run_to(world, LONGEST_MS[bit] + 1_000)


def test_a_motion_without_an_act(world):
    run_to(world, REACTION_MS + 1)
    with pytest.raises(Broken, match="11 ms after the last act"):
        world.drive(DISC)


def test_a_motion_may_pause_but_not_after_a_fault(world):
    world.drive(DISC)
    run_to(world, 500)
    world.drive(0)
    run_to(world, 500 + PAUSE_MS)
    world.drive(DISC)
    world.drive(0)
    world.shown = lambda: "E22"
    run_to(world, 700 + PAUSE_MS)
    world.shown = lambda: "READY"
    with pytest.raises(Broken, match="after the last act"):
        world.drive(DISC)


def test_a_motion_of_a_table_that_has_lost_its_host_needs_no_act(world):
    world.host_gone_ms = 500
    run_to(world, 500)
    world.drive(DISC)


def test_a_motion_while_a_fault_is_shown(world):
    world.shown = lambda: "E22"
    with pytest.raises(Broken, match="panel shows E22"):
        world.drive(DISC)


def test_a_drive_that_stays_on_after_an_emergency_stop(world):
    world.drive(DISC)
    run_to(world, 100)
    world.emergency_stop(True)
    with pytest.raises(Broken, match="emergency stop"):
        run_to(world, 100 + REACTION_MS + 1)


def test_walls_that_are_not_as_planned(world):
    world.plans = [PLAN]
    world.drive(drive_bit(0, LIFT_RAISE))
    world.drive(0)
    assert world.rises == []
    world.heads[0].carrier.extend([[5, 6], [7, 8]])
    with pytest.raises(Broken, match="planned were"):
        world.drive(drive_bit(0, LIFT_RAISE))


def test_walls_with_a_stack_of_one(world):
    world.plans = [PLAN]
    world.heads[0].carrier.append([5])
    with pytest.raises(Broken, match="two tiles"):
        world.drive(drive_bit(0, LIFT_RAISE))
    world.heads[0].carrier[0].append(6)
    world.drive(0)
    world.drive(drive_bit(0, LIFT_RAISE))
    assert world.rises == [PLAN]
