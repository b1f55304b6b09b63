"""The link's faults on the emulated chip, for a while; for longer they are in the campaign."""

import random

from tests.board.bad_wire import Day
from tests.board.conftest import SETTLED_MS

ACTS = 3


def test_a_bad_link_loses_no_event_and_doubles_none(chip, seed):
    simulation = chip(seed % 1000)
    simulation.run_until(SETTLED_MS - 1500)
    day = Day(simulation, random.Random(seed))
    for _ in range(ACTS):
        day.act()
    day.unplug(700)
    day.settle()
    assert sum(day.fates.values()) > 0, day.told()
    assert len(day.called) == ACTS
