"""Every scenario on CPython, with fresh seeds each time."""

import random

import pytest

from tests.scenarios.scenarios import SCENARIOS
from tests.scenarios.table import Table

SEEDS = 6


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name, seed):
    chance = random.Random(seed)
    for _ in range(SEEDS):
        table = Table(chance.randrange(2**32))
        SCENARIOS[name](table)
        table.world.check_conserved()
