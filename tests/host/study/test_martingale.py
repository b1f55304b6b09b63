"""The bets against a table's walls: exact on fair walls, seldom wrong however often somebody looks, and quick."""

from itertools import permutations
from statistics import fmean, median

import numpy as np
import pytest

from tests.host.study.told import PLAN, TILES, slanted
from tests.length import length
from wallwright.study.martingale import TABLE_YEAR_DEALS, THRESHOLD, Standing, winnings
from wallwright.study.revealed import UNKNOWN, Rebuilt
from wallwright_simulator.many_drums import build_walls
from wallwright_simulator.places import Mixing


def wall(ranks, plan=PLAN):
    nothing = (UNKNOWN,) * len(ranks)
    return Rebuilt("EAST", 0, 1, 0, plan, None, True, tuple(map(int, ranks)), nothing, nothing)


@pytest.mark.parametrize("hole", [None, 2])
def test_every_bet_is_fair_exactly(hole):
    """Over all orders of a wall of six tiles, also when one is not known, every bet wins 1 on the average."""
    known = 6 if hole is None else 5
    won = []
    for order in permutations(range(known)):
        ranks = list(order)
        if hole is not None:
            ranks.insert(hole, UNKNOWN)
        won.append(winnings(wall(ranks, (2, 1, 0, 0))))
    assert [fmean(bet) for bet in zip(*won, strict=True)] == pytest.approx([1] * len(won[0]), abs=1e-12)
    assert min(map(min, won)) > 0
    assert len(set(won)) > len(won) / 4


def test_the_stake_is_worth_one_on_the_average_of_fair_walls():
    """From any standing, over all next walls."""
    now = Standing()
    for ranks in ((0, 1, 2, 3, 4, 5), (0, 2, 1, 3, 5, 4)):
        now = now.after(wall(ranks, (2, 1, 0, 0)), year=20)
    assert now.evidence > 1
    after = [now.after(wall(ranks, (2, 1, 0, 0)), year=20).evidence for ranks in permutations(range(6))]
    assert fmean(after) == pytest.approx(now.evidence)


def test_fair_tables_seldom_raise_an_alarm_however_often_one_looks(seed):
    """At a level of 5 %, with a look after every deal of a year: Ville's inequality."""
    generator = np.random.default_rng(seed)
    tables, year, level = length(150, 2000), 100, 0.05
    alarms = 0
    for _ in range(tables):
        now = Standing()
        for _ in range(year):
            now = now.after(wall(generator.permutation(24), (3, 3, 3, 3)), year=year, threshold=1 / level)
        alarms += now.alarm_at is not None
    assert alarms <= level * tables + 3 * np.sqrt(level * (1 - level) * tables)


def deals_until_alarm(ranks, fair_before=0, generator=None):
    now = Standing()
    for _ in range(fair_before):
        now = now.after(wall(generator.permutation(TILES)))
    for at, one in enumerate(ranks, 1):
        now = now.after(wall(one))
        if now.alarm_at is not None:
            return at
    return len(ranks) + 1


@pytest.mark.parametrize("source", ["slanted", "drum"])
def test_a_correlation_of_a_tenth_is_found_within_sixty_deals(source, seed):
    tables = length(11, 201)
    generator = np.random.default_rng(seed)
    if source == "slanted":
        ranks = np.array([slanted(generator) for _ in range(tables * 100)])
    else:
        # The drum that mixes with 5 cm2/s keeps a correlation of a tenth after 16 s of wash.
        ranks = build_walls(tables * 100, PLAN, generator, mixing=Mixing(d=5), wash_ms=16_000).ranks
    found = [deals_until_alarm(ranks[100 * at : 100 * at + 100]) for at in range(tables)]
    assert median(found) <= 60


def test_what_begins_late_is_found_as_fast(seed):
    generator = np.random.default_rng(seed)
    found = [
        deals_until_alarm([slanted(generator) for _ in range(100)], fair_before=300, generator=generator)
        for _ in range(length(5, 50))
    ]
    assert median(found) <= 60


def test_a_machine_that_fills_row_by_row_is_found_too(seed):
    """55 % of the stacks have the tile below that fell first; along the walls nothing is to be seen."""
    generator = np.random.default_rng(seed)
    walls = []
    for _ in range(150):
        pairs = generator.permutation(TILES).reshape(-1, 2)
        chosen = generator.random(len(pairs)) < 0.1
        pairs[chosen] = np.sort(pairs[chosen], axis=1)
        walls.append(pairs.ravel())
    assert deals_until_alarm(walls) <= 150


def test_a_new_year_begins_anew():
    now = Standing(TABLE_YEAR_DEALS, 5 * THRESHOLD, 12, Standing().parts)
    after = now.after(wall(range(TILES)))
    assert (after.deals, after.alarm_at) == (1, None)


def test_evidence_has_an_end_that_can_be_written():
    now = Standing()
    for _ in range(400):
        now = now.after(wall(range(TILES)))
    assert THRESHOLD < now.evidence < 1e10
