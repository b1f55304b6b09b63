"""Weeks of power on the emulated chip with a slow flash, all readers and a host: its times are those of a new board.

`.venv-dev/bin/python -m pytest tests/board/test_weeks.py -rP` prints the figures.
"""

import pytest

from tests.board.building import HEAD_STOP_MS, HeadStops, samples_lost
from tests.board.test_measure import SEED, XIP_MISS
from tests.board.weeks import DAY_MS, aged, noted
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.world import World

RESTED_MS = 5_000
BUILDING_MS = 15_000
REST_BYTES_A_TURN = 4
"""A turn of the loop that polls nothing leaves none, or 77 bytes with integers that are not small."""
STROKES = 20
STARTED_MS = 1_000
COLLECTION_US = 7_400
"""No collection is shorter with all readers, and no turn of the loop as long without one."""
MEAN_US = 1_350
"""1,261 of a new board."""


@pytest.mark.parametrize("days", [0, 12.7, 25, 49.7])
def test_a_board_that_has_run_for_weeks_is_as_quick_as_a_new_one(chip, operate, monkeypatch, days):
    world = World(SEED, 108, readers=ALL_READERS, log_drives=True)
    flash = [aged(int(days * DAY_MS))]
    simulation = chip(SEED, world=world, flash=flash, readers=ALL_READERS, xip_miss=XIP_MISS)
    simulation.run_until(RESTED_MS)
    before, after = noted(simulation), noted(simulation)
    turns = after.turns - before.turns
    assert turns > 500
    assert 0 <= after.heap - before.heap <= REST_BYTES_A_TURN * turns
    stops = HeadStops(simulation, monkeypatch)
    table = operate(simulation)
    table.start_build()
    table.pump(BUILDING_MS)
    told = noted(simulation)
    print(f"{days} days: {(after.heap - before.heap) / turns:.1f} bytes a turn at rest", *stops.all(), told, sep="\n")
    assert told.planned > after.planned
    assert [pause for pause in told.pauses if pause.drives and pause.us >= COLLECTION_US] == []
    assert told.mean_us <= MEAN_US
    assert len(stops.all()) >= STROKES
    assert max(stops.all()) <= HEAD_STOP_MS
    assert samples_lost(simulation) == simulation.resets == 0
    uptime_ms = table.status().uptime_ms
    assert abs(uptime_ms - (int(days * DAY_MS) + simulation.now_ms) % 2**32) <= STARTED_MS
