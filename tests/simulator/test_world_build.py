"""Whole builds in the simulated world, by a controller of the test's own."""

import pytest

from tests.simulator.builder import PLANS, Builder, fresh_seeds
from wallwright_simulator.world import World


@pytest.mark.parametrize("tiles", PLANS)
def test_a_build_ends_with_the_planned_stacks_and_all_tiles_of_one_set(tiles, seed):
    world = World(seed, tiles)
    Builder(world, PLANS[tiles]).run(120_000)
    assert [len(head.carrier) for head in world.heads] == list(PLANS[tiles])
    stacked = [tile for head in world.heads for stack in head.carrier for tile in stack]
    assert sorted(stacked) == list(range(tiles))
    assert all(len(stack) == 2 for head in world.heads for stack in head.carrier)
    world.check_conserved()


def test_no_tile_is_ever_in_two_places_or_none_after_any_event(seed):
    for world_seed in fresh_seeds(seed, 3):
        world = World(world_seed)
        Builder(world, PLANS[108]).run(120_000, check=world.check_conserved)
