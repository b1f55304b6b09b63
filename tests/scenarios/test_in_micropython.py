"""The same scenarios with the firmware in a real MicroPython: what they assert holds, and every poll gives the same.

The loop is closed: the world answers to the drives of the VM, so one byte or millisecond that differs spreads at once.
"""

from functools import partial
from itertools import zip_longest

import pytest

from tests.scenarios.scenarios import SCENARIOS
from tests.scenarios.table import Table
from wallwright_simulator.vm import VmApp


def check_same(inside, outside):
    """The polls in the VM and in CPython are the same; the first that differs is shown."""
    for number, (one, other) in enumerate(zip_longest(inside.polls, outside.polls)):
        assert one == other, f"poll {number} differs"
    assert inside.world.drive_log == outside.world.drive_log
    assert inside.sim.board.displays == outside.sim.board.displays


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_is_byte_for_byte_the_same(name, seed, micropython_runtime):
    outside = Table(seed)
    SCENARIOS[name](outside)
    assert len(outside.polls) > 500
    with Table(seed, firmware=partial(VmApp, runtime=micropython_runtime)) as inside:
        SCENARIOS[name](inside)
        check_same(inside, outside)
