"""Machines whose parts are faster or slower: each time is what was asked for, seen from outside by its sensors."""

from dataclasses import fields, replace
from itertools import pairwise

import pytest

from tests.simulator.builder import Builder
from wallwright_protocol.hardware import (
    COUNT_EYE,
    DEFAULT_PLANS,
    DISC,
    DISC_VANE,
    HEAD,
    HEAD_HOME,
    LID_IS_OPEN,
    LID_OPEN,
    LIFT_DOWN,
    LIFT_LOWER,
    LIFT_RAISE,
    LIFT_UP,
    RING,
    RING_VANE,
    drive_bit,
    input_number,
)
from wallwright_simulator.mechanics import RING_MAGNETS, VARIATION_PERCENT
from wallwright_simulator.timing import MOST_PERCENT, USUAL, Timing, drawn, scaled
from wallwright_simulator.world import World


def first_edge(world: World, mask: int, number: int, level: int = 1) -> int:
    """How long it takes with these drives until that input shows `level`."""
    world.drive(mask)
    begun_ms = world.now_ms
    world.edges.clear()
    while not any(edge[1:] == (number, level) for edge in world.edges):
        world.advance(begun_ms + 20_000)
        assert world.now_ms < begun_ms + 20_000
    world.drive(0)
    return next(at_ms for at_ms, *edge in world.edges if edge == [number, level]) - begun_ms


def near(timing_ms: int) -> object:
    return pytest.approx(timing_ms, rel=VARIATION_PERCENT / 100, abs=2)


@pytest.mark.parametrize("factor", [0.7, 1.0, 1.3])
def test_every_part_takes_its_time(factor: float) -> None:
    timing = scaled(factor)
    world = World(3, timing=timing)
    assert first_edge(world, drive_bit(1, HEAD), input_number(1, HEAD_HOME)) == near(round(500 * factor))
    assert first_edge(world, drive_bit(2, LIFT_RAISE), input_number(2, LIFT_UP)) == near(round(2500 * factor))
    assert first_edge(world, drive_bit(2, LIFT_LOWER), input_number(2, LIFT_DOWN)) == near(round(2000 * factor))
    assert first_edge(world, LID_OPEN, LID_IS_OPEN) == near(round(1500 * factor))
    first_edge(world, DISC, DISC_VANE)
    assert first_edge(world, DISC, DISC_VANE) == near(round(1500 * factor))
    first_edge(world, RING, RING_VANE)
    assert first_edge(world, RING, RING_VANE) == near(round(RING_MAGNETS * 345 * factor))


@pytest.mark.parametrize("factor", [0.7, 1.3])
def test_tiles_darken_the_eye_for_as_long_as_the_belt_takes(factor: float) -> None:
    world = World(3, timing=replace(USUAL, eye_dark_ms=round(80 * factor)))
    builder = Builder(world, DEFAULT_PLANS[108])
    builder.run(200_000)
    dark = []
    for side in range(4):
        eye = [edge for edge in builder.history if edge[1] == input_number(side, COUNT_EYE)]
        dark += [end[0] - begin[0] for begin, end in pairwise(eye) if begin[2]]
    assert len(dark) == 108
    assert set(dark) == {round(80 * factor)}


def test_a_drawn_machine_differs_in_every_time_by_a_factor_of_its_own(seed: int) -> None:
    factors = {
        field.name: [getattr(drawn(seed + at), field.name) / getattr(USUAL, field.name) for at in range(300)]
        for field in fields(Timing)
    }
    most = MOST_PERCENT / 100
    for name, drawn_factors in factors.items():
        assert 1 - most - 0.01 <= min(drawn_factors) < 1 - 0.9 * most, name
        assert 1 + 0.9 * most < max(drawn_factors) <= 1 + most + 0.01, name
    assert len({tuple(round(factor, 2) for factor in each) for each in factors.values()}) == len(factors)
