"""Jams and sensors out of order have the physical effect that they say, and no other."""

import pytest

from tests.simulator.builder import Builder
from tests.simulator.injected import FEEDING, edges_of, injected, run_to
from wallwright_protocol.hardware import (
    BELT_FULL,
    CONVEYOR,
    CONVEYOR_REVERSE,
    COUNT_EYE,
    DEFAULT_PLANS,
    DISC,
    DISC_VANE,
    HEAD,
    HEAD_HOME,
    HEAD_PUSHED,
    LID_CLOSE,
    LID_IS_CLOSED,
    LID_OPEN,
    LIFT_DOWN,
    LIFT_KEY,
    LIFT_LOWER,
    LIFT_RAISE,
    LIFT_UP,
    RING,
    RING_VANE,
    SIDES,
    drive_bit,
    input_number,
)
from wallwright_simulator.mechanics import EYE_DARK_MS
from wallwright_simulator.timing import USUAL
from wallwright_simulator.world import World

# Jams


def jammed_belt(world: World, side: int = 2) -> list[int]:
    """Feed until tiles stand before the stuck one; return the tiles on the belt."""
    world.drive(DISC | RING | drive_bit(side, CONVEYOR))
    run_to(world, world.now_ms + 9000)
    return world.belts[side].tiles[:]


@pytest.mark.parametrize("seed", range(6))
def test_a_jammed_lane_lets_no_tile_into_the_head_and_its_belt_fills(seed):
    world, _ = injected("jam lane 2 at 0.001 s frees 0 %", seed)
    run_to(world, 2)
    belt = jammed_belt(world)
    assert len(belt) >= USUAL.belt_capacity - 1
    assert world.heads[2].tiles == []
    assert world.levels[input_number(2, BELT_FULL)] == 1
    assert world.levels[input_number(2, COUNT_EYE)] == world.belts[2].passing


def test_a_tile_sticks_in_the_eye_or_before_it_by_chance():
    places = set()
    for seed in range(12):
        world, _ = injected("jam lane 2 at 0 s frees 0 %", seed)
        jammed_belt(world)
        places.add(world.levels[input_number(2, COUNT_EYE)])
    assert places == {0, 1}


@pytest.mark.parametrize("seed", range(4))
def test_a_stuck_tile_stays_while_those_behind_it_run_back(seed):
    world, _ = injected("jam lane 2 at 0 s frees 0 %", seed)
    first, *others = jammed_belt(world)
    dark = world.levels[input_number(2, COUNT_EYE)]
    world.drive(drive_bit(2, CONVEYOR_REVERSE))
    run_to(world, world.now_ms + 5000)
    assert world.belts[2].tiles == [first]
    assert set(others) <= set(world.drum.tiles)
    assert world.levels[input_number(2, COUNT_EYE)] == dark
    assert world.levels[input_number(2, BELT_FULL)] == 0


@pytest.mark.slow
def test_a_jog_backwards_frees_with_the_chance_given():
    freed = 0
    for seed in range(200):
        world, _ = injected("jam lane 2 at 0 s frees 30 %", seed)
        jammed_belt(world)
        world.drive(drive_bit(2, CONVEYOR_REVERSE))
        run_to(world, world.now_ms + 100)
        world.drive(drive_bit(2, CONVEYOR))
        run_to(world, world.now_ms + 500)
        freed += bool(world.heads[2].tiles)
    # Binomial, 200 tries at 0.3: 60 +- 4 standard deviations of 6.5.
    assert 34 < freed < 86


def test_a_jam_ends_by_itself_after_its_time_or_by_a_hand():
    world, _ = injected("jam lane 2 at 0 s for 3 s frees 0 %")
    world.drive(DISC | RING | drive_bit(2, CONVEYOR))
    run_to(world, 2999)
    assert world.belts[2].tiles
    assert world.heads[2].tiles == []
    run_to(world, 3500)
    assert len(world.heads[2].tiles) == 2

    world, _ = injected("jam lane 2 at 0 s frees 0 %")
    jammed_belt(world)
    world.free_lane(2)
    run_to(world, world.now_ms + 500)
    assert len(world.heads[2].tiles) == 2


def test_other_lanes_build_on_while_one_is_jammed(seed):
    world, _ = injected("jam lane 2 at 3 s frees 0 %", seed)
    builder = Builder(world, DEFAULT_PLANS[108])
    with pytest.raises(AssertionError, match="not built"):
        builder.run(60_000)
    assert [builder.stacks[side] for side in (0, 1, 3)] == [14, 13, 13]
    assert builder.stacks[2] < 14


def test_a_jammed_head_stands_until_a_start_frees_it():
    world, injection = injected("jam head 1 at 0.1 s frees 0 %")
    world.drive(drive_bit(1, HEAD))
    edges = run_to(world, 5000)
    assert [number for _, number, _ in edges] == [input_number(1, HEAD_HOME)]
    for _ in range(5):
        world.drive(0)
        world.drive(drive_bit(1, HEAD))
        assert run_to(world, world.now_ms + 1000) == []
    injection.mend()
    assert edges_of(run_to(world, world.now_ms + 300), input_number(1, HEAD_PUSHED))


@pytest.mark.slow
def test_a_start_frees_a_head_with_the_chance_given():
    freed = 0
    for seed in range(200):
        world, _ = injected("jam head 1 at 0.1 s frees 30 %", seed)
        world.drive(drive_bit(1, HEAD))
        run_to(world, 1000)
        world.drive(0)
        world.drive(drive_bit(1, HEAD))
        freed += bool(run_to(world, 1600))
    assert 34 < freed < 86


# Sensors


@pytest.mark.parametrize(
    ("fault", "number", "level"),
    [
        ("eye 3 count dead", input_number(3, COUNT_EYE), 0),
        ("eye 3 count blocked", input_number(3, COUNT_EYE), 1),
        ("eye 1 belt dead", input_number(1, BELT_FULL), 0),
        ("eye 1 belt blocked", input_number(1, BELT_FULL), 1),
        ("vane 1 home dead", input_number(1, HEAD_HOME), 0),
        ("vane 1 pushed blocked", input_number(1, HEAD_PUSHED), 1),
        ("vane disc dead", DISC_VANE, 0),
        ("vane ring blocked", RING_VANE, 1),
        ("switch lift 2 up stuck on", input_number(2, LIFT_UP), 1),
        ("switch lift 2 down stuck off", input_number(2, LIFT_DOWN), 0),
        ("switch lid closed stuck off", LID_IS_CLOSED, 0),
        ("key 1 lift stuck", input_number(1, LIFT_KEY), 1),
    ],
)
def test_a_sensor_that_is_stuck_shows_one_level_and_the_machine_goes_on_as_without(fault, number, level):
    def history(script):
        world, _ = injected(script)
        edges = []
        for mask, ms in ((FEEDING, 4000), (sum(drive_bit(side, HEAD) for side in range(SIDES)), 490), (FEEDING, 2000)):
            world.drive(mask)
            edges += run_to(world, world.now_ms + ms)
        for mask in (drive_bit(2, LIFT_RAISE), drive_bit(2, LIFT_LOWER), LID_OPEN, LID_CLOSE):
            world.drive(mask)
            edges += run_to(world, world.now_ms + 3000)
        world.press(input_number(1, LIFT_KEY))
        edges += run_to(world, world.now_ms + 1000)
        return world, edges

    world, edges = history(fault)
    well, all_edges = history("")
    assert world.levels[number] == level
    assert edges_of(all_edges, number)
    assert set(edges_of(edges, number)) <= {(0, level)}
    assert [edge for edge in edges if edge[1] != number] == [edge for edge in all_edges if edge[1] != number]
    assert world.locations() == well.locations()


def test_a_stuck_sensor_jumps_to_its_level_and_back_to_the_truth():
    world, _ = injected("eye 3 count blocked at 0.5 s for 2 s; switch lid closed stuck off at 1 s for 0.5 s")
    assert run_to(world, 10_000) == [
        (500, input_number(3, COUNT_EYE), 1),
        (1000, LID_IS_CLOSED, 0),
        (1500, LID_IS_CLOSED, 1),
        (2500, input_number(3, COUNT_EYE), 0),
    ]


@pytest.mark.slow
def test_an_eye_misses_the_share_of_tiles_given_and_whole_ones():
    seen = passed = 0
    for seed in range(8):
        world, _ = injected("eye 3 count misses 20 %", seed)
        edges = []
        for _ in range(24):
            world.drive(DISC | RING | drive_bit(3, CONVEYOR))
            edges += edges_of(run_to(world, world.now_ms + 2500), input_number(3, COUNT_EYE))
            taken = world.free_head(3)
            passed += len(taken)
            for tile in taken:
                world.put_in_drum(tile)
        darks = list(zip(edges[::2], edges[1::2], strict=False))
        seen += len(darks)
        assert {(first[1], last[1], last[0] - first[0]) for first, last in darks} == {(1, 0, EYE_DARK_MS)}
    # Two tiles each time, or one when the other is on its way; 0.8 +- 4 standard deviations.
    assert passed > 350
    assert 0.71 < seen / passed < 0.89
