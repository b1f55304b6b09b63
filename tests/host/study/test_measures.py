"""What is measured of a wall, on walls whose measures are known; and what the tests of a study find and do not find."""

import numpy as np
import pytest

from tests.length import length
from wallwright.study.findings import FEWEST, compare, significant, verdict, walls_to_show
from wallwright.study.measures import MEASURES, fair_means, measure

PLAN = (14, 13, 14, 13)
TILES = 108
STATED = {"rho": 400, "lower": 400, "same_side": 400, "neighbours": 500}
"""So many walls show the biases below in four of five studies."""


def fair(generator, walls):
    """So many walls in which every order is as likely as any other."""
    ranks = generator.permuted(np.tile(np.arange(TILES), (walls, 1)), axis=1)
    return ranks, generator.integers(0, 4, (walls, TILES))


def along():
    return np.concatenate([np.repeat((np.arange(count) + 0.5) / count, 2) for count in PLAN])


def test_a_wall_in_the_order_of_falling_has_the_largest_correlation():
    # Dealt to the four walls in turn, stack by stack, as four mouths that take alike would.
    order = np.argsort(along(), kind="stable")
    ranks = np.empty((1, TILES), dtype=int)
    ranks[0, order] = np.arange(TILES)
    pushed = np.zeros((1, TILES), dtype=int)
    found = measure(ranks, pushed, PLAN)
    assert found.values["rho"][0] > 0.99
    assert found.values["first_third"][0] > 0.9
    # All tiles were pushed from side 0, which has 28 of the 108 places.
    assert found.values["same_side"][0] == pytest.approx(28 / 108)
    assert found.values["neighbours"][0] == 54
    assert np.trace(found.map) > 80
    assert found.map.sum() == TILES


def test_what_lies_below_is_counted(seed):
    ranks, pushed = fair(np.random.default_rng(seed), 1)
    pairs = ranks.reshape(1, 54, 2)
    pairs.sort(axis=2)
    below = sum(1 for first, _ in pairs[0] if first < 54)
    assert measure(ranks, pushed, PLAN).values["lower"][0] == pytest.approx(below / 54)


@pytest.mark.parametrize("stacks", [(14, 13, 14, 13), (17, 17, 17, 17), (18, 18, 18, 18)])
def test_fair_walls_have_the_expected_means(stacks, seed):
    generator = np.random.default_rng(seed)
    tiles = 2 * sum(stacks)
    ranks = generator.permuted(np.tile(np.arange(tiles), (4000, 1)), axis=1)
    found = measure(ranks, generator.integers(0, 4, ranks.shape), stacks)
    for name in MEASURES:
        values = found.values[name]
        assert abs(values.mean() - fair_means(stacks)[name]) < 4.5 * values.std() / np.sqrt(len(values)), name


def slanted(generator, walls):
    """Walls whose correlation is 0.02."""
    score = generator.normal(size=(walls, TILES)) + 0.021 * (along() - along().mean()) / along().std()
    return score.argsort(axis=1).argsort(axis=1), generator.integers(0, 4, (walls, TILES))


def layered(generator, walls):
    """Walls with 51 % of the first half below: of 100 stacks, 4 have the earlier tile below on purpose."""
    ranks, pushed = fair(generator, walls)
    pairs = ranks.reshape(walls, 54, 2)
    chosen = generator.random((walls, 54)) < 0.02 / (54 / 107)
    pairs[chosen] = np.sort(pairs[chosen], axis=1)
    return pairs.reshape(walls, TILES), pushed


def sided(generator, walls):
    """Walls in which one tile of a hundred more than by chance is at the side that pushed it."""
    ranks, pushed = fair(generator, walls)
    side = np.repeat(np.arange(4), 2 * np.array(PLAN))
    home = np.empty_like(ranks)
    np.put_along_axis(home, ranks, np.broadcast_to(side, ranks.shape), axis=1)
    return ranks, np.where(generator.random(ranks.shape) < 0.01 / 0.75, home, pushed)


def paired(generator, walls):
    """Walls with 1.2 times as many neighbours in falling in one stack as by chance."""
    ranks, pushed = fair(generator, walls)
    for wall in np.flatnonzero(generator.random(walls) < 0.2):
        rank = generator.integers(0, TILES - 1)
        place, other = np.flatnonzero(ranks[wall] == rank)[0], np.flatnonzero(ranks[wall] == rank + 1)[0]
        beside = place ^ 1
        ranks[wall, [beside, other]] = ranks[wall, [other, beside]]
    return ranks, pushed


def shown(sample):
    ranks, pushed = sample
    found = compare(measure(ranks, pushed, PLAN).values, fair_means(PLAN))
    return dict(zip(MEASURES, significant([test.p for test in found]), strict=True))


@pytest.mark.parametrize(
    ("plant", "measured"), [(slanted, "rho"), (layered, "lower"), (sided, "same_side"), (paired, "neighbours")]
)
def test_four_of_five_studies_find_a_planted_bias(plant, measured, seed):
    generator = np.random.default_rng(seed)
    found = sum(shown(plant(generator, STATED[measured]))[measured] for _ in range(200))
    # 80 % of 200, and no bias so strong that the test would not notice a weaker one.
    assert 160 <= found < 200


def test_one_study_of_fair_walls_in_a_hundred_finds_something(seed):
    generator = np.random.default_rng(seed)
    studies = length(1000, 10_000)
    alarms = sum(any(shown(fair(generator, 100)).values()) for _ in range(studies))
    assert 0.003 * studies <= alarms <= 0.017 * studies


def test_holm_takes_the_smallest_first():
    # With four tests the bounds are 0.0025, 0.0033, 0.005 and 0.01; the third p fails, so the fourth does too.
    assert significant([0.0024, 0.0055, 0.0033, 0.0052]) == (True, False, True, False)
    assert significant([0.006, 0.007, 0.008, 0.009]) == (False,) * 4


def test_too_few_walls_have_no_verdict(seed):
    ranks, pushed = fair(np.random.default_rng(seed), FEWEST - 1)
    tests = compare(measure(ranks, pushed, PLAN).values, fair_means(PLAN))
    assert verdict(tests, [False] * 5) == "No verdict: 29 walls are too few, 30 are needed."
    ranks, pushed = fair(np.random.default_rng(seed), FEWEST)
    enough = compare(measure(ranks, pushed, PLAN).values, fair_means(PLAN))
    assert not verdict(enough, [False] * 5).startswith("No verdict")


def test_the_walls_that_show_a_correlation_are_those_of_the_design():
    """An independent study states 0.033 at 100 walls and 0.0105 at 1,000."""
    assert walls_to_show(0.033, TILES) == pytest.approx(100, rel=0.05)
    assert walls_to_show(0.0105, TILES) == pytest.approx(1000, rel=0.05)
