"""Whatever anybody switches, and whenever, the world stays a possible one."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright_protocol.hardware import (
    CARRIER_STACKS,
    CONVEYOR,
    CONVEYOR_REVERSE,
    COUNT_EYE,
    DICE_KEY,
    DISC,
    DRIVES,
    HEAD,
    HEAD_HOME,
    HEAD_PUSHED,
    INPUTS,
    INPUTS_PER_SIDE,
    LID_CLOSE,
    LID_IS_CLOSED,
    LID_IS_OPEN,
    LID_OPEN,
    LIFT_DOWN,
    LIFT_LOWER,
    LIFT_RAISE,
    LIFT_UP,
    RING,
    SIDES,
    TILES_PER_STACK,
    drive_bit,
    input_number,
)
from wallwright_simulator.mechanics import SWITCH_PLAY_MS
from wallwright_simulator.surface import PhysicalError
from wallwright_simulator.timing import Timing
from wallwright_simulator.world import World


def all_sides(kind):
    return sum(drive_bit(side, kind) for side in range(SIDES))


BUILDING = DISC | RING | all_sides(CONVEYOR)
USUAL = [
    BUILDING,
    BUILDING | all_sides(HEAD),
    DISC | RING | all_sides(CONVEYOR_REVERSE),
    all_sides(LIFT_RAISE),
    all_sides(LIFT_LOWER),
    LID_OPEN,
    LID_CLOSE,
]

PEOPLE = {
    "push in": World.push_in,
    "draw in": World.draw_in_walls,
    "key": lambda world: world.press(input_number(1, DICE_KEY), 100),
    "stop": lambda world: world.emergency_stop(True),
    "release": lambda world: world.emergency_stop(False),
    "free": lambda world: [world.free_head(side) for side in range(SIDES)],
    "jam": lambda world: world.heads[2].block(),
    "block": lambda world: world.lifts[3].block(True),
    "unblock": lambda world: world.lifts[3].block(False),
    "stall": lambda world: world.disc.stall(True),
    "unstall": lambda world: world.disc.stall(False),
    "lose": lambda world: world.remove_tile(7),
    "put back": lambda world: world.put_in_drum(world.loose[0]) if world.loose else None,
}

WAITS = st.one_of(st.integers(0, 5), st.integers(0, 700), st.just(3000))
STEPS = st.tuples(
    WAITS,
    st.one_of(
        st.sampled_from(USUAL),
        st.sampled_from(USUAL),
        st.integers(0, (1 << DRIVES) - 1),
        st.integers(0, DRIVES - 1).map(lambda bit: ("toggle", bit)),
        st.sampled_from(sorted(PEOPLE)),
    ),
)


@pytest.mark.slow
@given(st.integers(0, 2**32), st.lists(STEPS, min_size=20, max_size=120))
def test_tiles_time_and_levels_stay_sound_under_any_drives(seed, steps):
    world = World(seed)
    mask = BUILDING
    world.drive(mask)
    levels = bytearray(world.levels)
    last_ms = 0
    for wait_ms, action in steps:
        until_ms = world.now_ms + wait_ms
        while True:
            world.advance(until_ms)
            # What was taken out of `next_ms` must not come again, or time would stand still.
            for time_ms, number, level in world.edges:
                assert last_ms <= time_ms == world.now_ms
                assert level == 1 - levels[number]
                levels[number] = level
                last_ms = time_ms
            world.edges.clear()
            assert levels == world.levels
            assert world.next_ms >= world.now_ms
            if world.now_ms >= until_ms and world.next_ms > until_ms:
                break
        world.check_conserved()
        check_capacities(world)
        if isinstance(action, int):
            mask = action
        elif isinstance(action, tuple):
            mask ^= 1 << action[1]
        else:
            with suppress(PhysicalError):
                PEOPLE[action](world)
        world.drive(mask)
    world.drive(0)
    settle(world)
    check_levels(world)


def settle(world):
    """Wait until keys are released and contacts at rest."""
    end_ms = world.now_ms + 1000
    while world.now_ms < end_ms:
        world.advance(end_ms)
    assert world.next_ms > end_ms


def check_capacities(world):
    for side in range(SIDES):
        assert len(world.belts[side].tiles) <= Timing().belt_capacity
        assert len(world.heads[side].tiles) <= TILES_PER_STACK
        assert len(world.heads[side].carrier) <= CARRIER_STACKS
        assert all(1 <= len(stack) <= TILES_PER_STACK for stack in world.heads[side].carrier)
        assert world.levels[side * INPUTS_PER_SIDE + COUNT_EYE] == world.belts[side].passing


def check_levels(world):
    assert len(world.levels) == INPUTS
    travels = [(world.lid, LID_IS_CLOSED, LID_IS_OPEN)]
    for side, lift in enumerate(world.lifts):
        travels.append((lift, input_number(side, LIFT_DOWN), input_number(side, LIFT_UP)))
        home, pushed = (world.levels[input_number(side, kind)] for kind in (HEAD_HOME, HEAD_PUSHED))
        assert not (home and pushed)
        assert home or not world.heads[side].takes_tiles()
    play = 1.1 * SWITCH_PLAY_MS / 1500
    for travel, start, end in travels:
        position = travel.position()
        assert world.levels[start] == travel.at_start
        assert world.levels[end] == travel.at_end
        assert travel.at_start or position > 0
        assert travel.at_end or position < 1
        assert not travel.at_start or position <= play
        assert not travel.at_end or position >= 1 - play
