"""The emergency stop, whenever it is pressed: everything off, nothing without an act, and a way on to walls."""

import random

import pytest

from tests.length import length
from tests.scenarios.scenarios import CHECKED_MS, emergency, go_on, plan_of
from tests.scenarios.table import Table
from wallwright_protocol import codes

STATES = {
    "START?": lambda table: None,
    "BUILD": lambda table: table.press_lift(),
    "READY": lambda table: table.build(),
    "LID_OPEN": lambda table: (table.build(), table.run(CHECKED_MS), table.press_lift()),
    "DROP": lambda table: (table.build(), table.press_lift(), table.until("DROP")),
    "LID_CLOS": lambda table: (table.build(), lower_in(table), table.press_lift()),
    "LIFTING": lambda table: (table.build(), lower_in(table), table.press_lift(), table.until("LIFTING")),
    "DICE?": lambda table: (table.build(), table.raise_walls()),
    "LOWERING": lambda table: (table.build(), table.raise_walls(), table.host.do("lower_lifts")),
    "WASH": lambda table: (
        table.build(),
        table.host.do("set_plan", *plan_of(0), 0, codes.HELD, 10),
        table.raise_walls(),
        table.host.do("lower_lifts"),
        table.until("WASH"),
    ),
    "HOLDING": lambda table: hold(table),
    "NEXT?": lambda table: (hold(table), table.press_lift(), table.until("NEXT?")),
}
"""What the panels show in a state -> how a new table gets there."""


def hold(table):
    """The next build is held, and nobody has rolled dice."""
    STATES["WASH"](table)
    table.until("HOLDING")


def lower_in(table):
    """The played set goes into the drum."""
    table.press_lift()
    table.until("DROP")
    table.sim.players.push_in()
    table.run(300)


@pytest.mark.parametrize("state", STATES)
def test_an_emergency_stop_in_every_state(state, seed):
    chance = random.Random(seed)
    checked = 0
    for _ in range(length(3, 30)):
        table = Table(chance.randrange(2**32))
        table.connect()
        STATES[state](table)
        table.until(state, 20)
        table.run(chance.randrange(1_200))
        if table.shown != state:
            continue
        emergency(table)
        go_on(table)
        table.world.check_conserved()
        assert table.world.rises
        assert sorted(tile for wall in table.world.walls for stack in wall for tile in stack) in (
            list(range(108)),
            list(range(108, 216)),
        )
        checked += 1
    assert checked


def test_an_emergency_stop_at_the_very_moment_when_the_walls_are_up(seed):
    """Around the switches of the lifts: nobody may be left with a table that thinks the walls are still below."""
    reference = Table(seed)
    reference.build()
    lower_in(reference)
    reference.press_lift()
    reference.until("DICE?")
    up_ms = reference.now_ms
    for before_ms in range(-3, 14):
        table = Table(seed)
        table.connect()
        table.build()
        lower_in(table)
        table.press_lift()
        table.run(up_ms - before_ms - table.now_ms)
        emergency(table)
        if table.shown == "RAISE?":
            table.press_lift()
            table.until("DICE?", 5_000)
        assert table.shown == "DICE?"
        table.sim.players.draw_in()
        table.press_dice()
        table.until_building(5_000)
