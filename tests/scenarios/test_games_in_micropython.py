"""Sets of 136 and 144 tiles in a real MicroPython: built, sealed, thrown for, revealed, poll by poll as in CPython."""

import hashlib
from functools import partial
from itertools import zip_longest
from typing import Any

import pytest

from tests.scenarios.table import Event, Table
from wallwright_protocol import codes
from wallwright_protocol.dice import commitment, dice_of
from wallwright_protocol.hardware import DEFAULT_PLANS, LANE_READERS, SIDES
from wallwright_protocol.settings import DICE_COUNT
from wallwright_simulator.vm import VmApp

GATHERED_MS = 2_500
"""By then the next seed is committed."""


def evening(table: Table, tiles: int) -> tuple[list[Event], bytes]:
    """Two deals of a game with three dice; return what the board tells, and the tags of the first wall as it stood."""
    world = table.world
    host = table.connect()
    host.do("set_setting", DICE_COUNT, 3)
    host.do("set_deal", 1, 2, 3, codes.GOULASH, 20)
    table.build()
    wall = b"".join(world.readers.tags[tile] for head in world.heads for stack in head.carrier for tile in stack)
    table.run(6_000)
    host.do("set_throw", codes.EAST, 1, codes.NO_SIDE)
    for side in range(SIDES):
        table.press_dice(side)
        table.run(GATHERED_MS)
    for deal in (1, 2):
        host.do("set_throw", codes.ROUND_WIND, 2, 1)
        table.press_lift()
        table.until("DROP", 9_000)
        table.sim.players.push_in()
        table.run(500)
        table.press_lift()
        table.until("WIND? S1", 5_000)
        table.sim.players.draw_in()
        for side in (0, 1):
            table.press_dice(side)
            table.run(GATHERED_MS)
        assert table.shown == " ".join(str(die) for die in host.named("dice_rolled")[-1].values["dice"] if die)
        host.do("set_throw", codes.CUT, 0, codes.NO_SIDE)
        table.press_dice(2)
        table.until_building(20_000)
        assert table.run(90_000, lambda: len(host.named("build_done")) == 1 + deal)  # noqa: B023 - asked at once
        table.run(10_000)
    return host.events, wall


@pytest.mark.parametrize("tiles", [136, 144])
def test_a_set_is_built_sealed_thrown_for_and_revealed(tiles, seed, micropython_runtime):
    outside = Table(seed, tiles=tiles, readers=LANE_READERS)
    evening(outside, tiles)
    with Table(seed, tiles=tiles, readers=LANE_READERS, firmware=partial(VmApp, runtime=micropython_runtime)) as inside:
        events, wall = evening(inside, tiles)
        for number, (one, other) in enumerate(zip_longest(inside.polls, outside.polls)):
            assert one == other, f"poll {number} differs"
        assert inside.world.drive_log == outside.world.drive_log

    def named(name: str) -> list[dict[str, Any]]:
        return [event.values for event in events if event.name == name]

    plan = DEFAULT_PLANS[tiles]
    assert [(one["plan"], one["tiles"], one["dice_count"]) for one in named("build_started")] == [(plan, tiles, 3)] * 3
    assert [one["stacks"] for one in named("build_done")] == [plan] * 3
    sealed, revealed = named("wall_sealed")[0], named("wall_revealed")[0]
    assert (sealed["deal"], sealed["tiles"], sealed["unread"], revealed["deal"]) == (1, tiles, 0, 1)
    parts = [one for one in named("wall_part") if one["deal"] == 1]
    shown = b"".join(one["tags"][: 8 * one["tiles"]] for one in parts)
    assert shown == wall
    assert sealed["commitment"] == hashlib.sha256((1).to_bytes(4, "little") + revealed["nonce"] + wall).digest()
    rolls = named("dice_rolled")
    east, wind, cut = (codes.EAST, 1), (codes.ROUND_WIND, 2), (codes.CUT, 3)
    thrown = [(one["seat"], one["purpose"], sum(map(bool, one["dice"]))) for one in rolls]
    assert thrown == [*((side, *east) for side in range(SIDES)), *[(1, *wind), (2, *cut)] * 2]
    for roll, committed in zip(rolls, named("dice_committed"), strict=False):
        assert committed["commitment"] == commitment(roll["roll"], roll["seed"])
        count = sum(map(bool, roll["dice"]))
        part = roll["contribution"] if roll["contributed"] else b""
        assert roll["dice"][:count] == dice_of(roll["roll"], roll["seed"], part, count)
