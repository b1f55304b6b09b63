"""A build that the host stops, at whatever moment, goes on from what is really there."""

import random

import pytest

from tests.length import length
from tests.scenarios.power import app_of
from tests.scenarios.scenarios import check_walls, plan_of
from tests.scenarios.table import Table
from tests.usual import CHECK_MS
from wallwright_firmware.build import CHECKS
from wallwright_protocol import codes
from wallwright_protocol.hardware import DISC, RING

MOMENTS = 150
"""Milliseconds from the first stop to the last; lanes pass all their states meanwhile."""
EVERY_MS = length(7, 1)


def test_a_pause_at_any_ms_of_a_build_loses_no_count(seed):
    chance = random.Random(seed)
    world = chance.randrange(2**32)
    first_ms = chance.randrange(3_000, 12_000)
    for pause_ms in range(first_ms, first_ms + MOMENTS, EVERY_MS):
        table = Table(world)
        host = table.connect()
        host.do("start_build")
        table.run(pause_ms)
        host.do("open_lid")
        table.until("TILE?", 5_000)
        status = host.do("get_status")
        counted = list(zip(status["stacks"], status["loose_tiles"], strict=True))
        there = [(len(head.carrier), len(head.tiles)) for head in table.world.heads]
        assert counted == there, f"world {world}, paused after {pause_ms} ms"
        host.do("raise_walls")
        table.until("READY")
        check_walls(table, plan_of(0), 0)
        assert not host.named("fault"), f"world {world}, paused after {pause_ms} ms"


@pytest.mark.parametrize("power", ["stays", "goes"])
def test_a_stop_at_any_ms_of_a_build_loses_no_count(power, seed):
    """Edges that are still being debounced when everything stops count as well, and over a power loss, too."""
    chance = random.Random(seed)
    world = chance.randrange(2**32)
    first_ms = chance.randrange(3_000, 10_000)
    for stop_ms in range(first_ms, first_ms + MOMENTS, EVERY_MS):
        table = Table(world)
        host = table.connect()
        host.do("start_build")
        table.run(stop_ms)
        host.do("stop")
        table.run(100)
        if power == "goes":
            table.sim.cut_power(2_000)
            table.run(2_100)
            host.connect()
        else:
            host.do("clear_fault")
        host.do("start_build")
        table.until("READY")
        check_walls(table, plan_of(0), 0)
        assert [event.values["fault"] for event in host.named("fault")] == [codes.STOPPED], (
            f"world {world}, stopped after {stop_ms} ms"
        )


def test_a_pause_that_comes_when_the_walls_are_whole_checks_a_drum_that_turns(seed):
    table = Table(seed)
    table.press_lift()
    table.until_building()
    build = app_of(table).build
    assert table.run(90_000, lambda: not any(lane.missing() for lane in build.lanes))
    assert build.running
    table.press_lift(0)
    table.press_lift(2)
    table.until("READY", 5_000)
    assert build.state == CHECKS
    assert table.run(100, lambda: table.world.mask & (DISC | RING) == DISC | RING)
    started_ms = table.now_ms
    assert table.run(10_000, lambda: not table.world.mask & (DISC | RING))
    assert table.now_ms - started_ms > CHECK_MS - 200
