"""Whole builds in the simulated world, by a controller of the test's own."""

from statistics import median

import pytest

from tests.simulator.builder import Builder, fresh_seeds
from wallwright_protocol.hardware import (
    DEFAULT_PLANS,
    INPUTS_PER_SIDE,
    LID_OPEN,
    LIFT_DOWN,
    LIFT_LOWER,
    LIFT_RAISE,
    SIDES,
    drive_bit,
)
from wallwright_simulator.ideal import ideal_build_ms
from wallwright_simulator.world import World


@pytest.mark.parametrize("tiles", DEFAULT_PLANS)
def test_a_build_ends_with_the_planned_stacks_and_all_tiles_of_one_set(tiles, seed):
    world = World(seed, tiles)
    Builder(world, DEFAULT_PLANS[tiles]).run(200_000)
    assert [len(head.carrier) for head in world.heads] == list(DEFAULT_PLANS[tiles])
    stacked = [tile for head in world.heads for stack in head.carrier for tile in stack]
    assert sorted(stacked) == list(range(tiles))
    assert all(len(stack) == 2 for head in world.heads for stack in head.carrier)
    world.check_conserved()


@pytest.mark.slow
def test_no_tile_is_ever_in_two_places_or_none_after_any_event(seed):
    for world_seed in fresh_seeds(seed, 3):
        world = World(world_seed)
        builder = Builder(world, DEFAULT_PLANS[108])
        checks = 0

        def check(world=world):
            nonlocal checks
            world.check_conserved()
            checks += 1

        builder.run(200_000, check)
        assert checks > 400


@pytest.mark.slow
def test_builds_of_108_tiles_take_18_to_35_s():
    # Fixed seeds; one build in two thousand is outside, so one of these may be.
    times = [Builder(World(world_seed), DEFAULT_PLANS[108]).run(200_000) for world_seed in range(300)]
    assert min(times) > 18_000
    assert sorted(times)[-2] < 35_000
    assert 23_000 < median(times) < 25_000
    # The last tiles come by chance: the slow builds are further from the middle than the fast ones.
    times.sort()
    assert times[-15] - median(times) > 1.2 * (median(times) - times[14])


@pytest.mark.slow
def test_the_ideal_time_is_close_to_that_of_a_good_controller_and_touches_nothing():
    ratios = []
    for world_seed in range(40):
        world = World(world_seed)
        ideal_ms = ideal_build_ms(world, DEFAULT_PLANS[108])
        took_ms = Builder(world, DEFAULT_PLANS[108]).run(200_000)
        assert took_ms == Builder(World(world_seed), DEFAULT_PLANS[108]).run(200_000)
        ratios.append(took_ms / ideal_ms)
    assert 1.0 < median(ratios) < 1.05


def test_the_same_seed_has_the_same_history(seed):
    first, second, third = (Builder(World(number), DEFAULT_PLANS[108]) for number in (seed, seed, seed + 1))
    assert first.run(200_000) == second.run(200_000)
    third.run(200_000)
    assert first.history == second.history != third.history
    assert first.world.locations() == second.world.locations()
    assert [head.carrier for head in first.world.heads] == [head.carrier for head in second.world.heads]


def test_how_far_time_is_advanced_at_once_changes_nothing(seed):
    far, near = World(seed), World(seed)
    builder = Builder(far, DEFAULT_PLANS[108])
    builder.run(200_000)
    other = Builder(near, DEFAULT_PLANS[108])
    times = iter(range(0, 200_000, 7))
    while not other.done():
        step_ms = next(times)
        while near.now_ms < step_ms:
            near.advance(min(step_ms, *other.return_until))
            other.react()
    assert other.history == builder.history
    assert near.locations() == far.locations()


def test_the_edges_of_an_input_alternate_and_end_at_its_level(seed):
    world = World(seed)
    start = bytes(world.levels)
    builder = Builder(world, DEFAULT_PLANS[108])
    builder.run(200_000)
    level_now = dict(enumerate(start))
    for _, number, level in builder.history:
        assert level == 1 - level_now[number]
        level_now[number] = level
    assert list(level_now.values()) == list(world.levels)
    times = [time_ms for time_ms, _, _ in builder.history]
    assert times == sorted(times)
    assert {number % INPUTS_PER_SIDE for _, number, _ in builder.history} >= {1, 2, 3}


def test_two_sets_pushed_in_together_are_built_mixed(seed):
    world = World(seed)
    world.drive(LID_OPEN)
    while not world.lid.at_end:
        world.advance(10_000)
    world.push_in()
    world.edges.clear()
    Builder(world, DEFAULT_PLANS[108]).run(200_000)
    sets = {world.set_of(tile) for head in world.heads for stack in head.carrier for tile in stack}
    assert sets == {0, 1}
    assert len(world.drum.tiles) == 108
    world.check_conserved()


def test_finished_walls_rise_are_drawn_in_and_the_next_set_is_built(seed):
    world = World(seed)
    for deal in range(3):
        Builder(world, DEFAULT_PLANS[108]).run(200_000)
        built = [head.carrier[:] for head in world.heads]
        for mask, parts in (
            (LID_OPEN, [world.lid]),
            (sum(drive_bit(side, LIFT_RAISE) for side in range(SIDES)), world.lifts),
        ):
            world.drive(mask)
            while not all(part.at_end for part in parts):
                world.advance(world.next_ms)
            if parts == [world.lid]:
                world.push_in()
        world.draw_in_walls()
        assert world.walls == built
        assert {world.set_of(tile) for wall in built for stack in wall for tile in stack} == {deal % 2}
        assert {world.set_of(tile) for tile in world.drum.tiles} == {1 - deal % 2}
        world.check_conserved()
        lower_lifts(world)
        world.edges.clear()


def lower_lifts(world):
    """Lower all lifts and let their switches come to rest."""
    world.drive(sum(drive_bit(side, LIFT_LOWER) for side in range(SIDES)))
    until_ms = world.now_ms + 2100
    while world.now_ms < until_ms:
        world.advance(until_ms)
    assert all(world.levels[side * INPUTS_PER_SIDE + LIFT_DOWN] for side in range(SIDES))
