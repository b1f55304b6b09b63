"""The same scenarios with the firmware in a real MicroPython: what they assert holds, and every poll gives the same.

The loop is closed: the world answers to the drives of the VM, so one byte or millisecond that differs spreads at once.
"""

from functools import partial
from itertools import zip_longest

import pytest

from tests.scenarios.boards import ahead
from tests.scenarios.scenarios import SCENARIOS
from tests.scenarios.table import Table
from wallwright_firmware.app import App
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


def test_twelve_days_of_uptime_are_the_same(seed, micropython_runtime):
    """Ms outgrow a small integer of the 32-bit VM in the middle of a build."""
    ahead_ms = 2**30 - 10_000
    outside = Table(seed, firmware=ahead(App, ahead_ms))
    SCENARIOS["build with dice"](outside)
    with Table(seed, firmware=ahead(partial(VmApp, runtime=micropython_runtime), ahead_ms)) as inside:
        SCENARIOS["build with dice"](inside)
        check_same(inside, outside)
