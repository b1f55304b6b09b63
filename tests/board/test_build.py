"""Walls of every size built by the board's own image, begun by a key and by the host, by heads of usual, quick and slow
cams; the conformance suite and the campaign have more."""

import pytest

from tests.board.building import HeadStops, build, check_walls, logged
from wallwright.doctor.upkeep import change_settings
from wallwright_protocol.hardware import DEFAULT_PLANS

SETTLED_MS = 2500
LONGEST_MS = 90_000
QUICK, SLOW = 0.7, 1.3
LEAST_STROKE_MS = 315
"""What `doctor calibrate` takes for heads that turn in 350 ms: 10 % less."""


@pytest.mark.parametrize(("tiles", "cam"), [(108, 1.0), (144, SLOW)])
def test_a_lift_key_builds_the_walls(chip, seed, monkeypatch, tiles, cam):
    simulation = build(chip, seed, tiles=tiles, cam=cam)
    stops = HeadStops(simulation, monkeypatch)
    while simulation.now_ms < LONGEST_MS and simulation.board.displays[0] == "BUILD":
        simulation.run_until(simulation.now_ms + 200)
    check_walls(simulation, stops, DEFAULT_PLANS[tiles])


def test_a_new_board_builds_the_walls_of_the_size_that_its_host_has_set(chip, operate, seed, monkeypatch):
    tiles = 136
    simulation = logged(chip, seed, tiles, cam=QUICK, knows_size=False)
    simulation.run_until(SETTLED_MS)
    stops = HeadStops(simulation, monkeypatch)
    table = operate(simulation)
    assert table.info.tiles == 108
    change_settings(table, {"set_tiles": tiles, "least_stroke_ms": LEAST_STROKE_MS, "wash_s": 0})
    assert table.info.tiles == tiles
    table.start_build()
    built = table.wait_for("build_done", timeout_ms=LONGEST_MS)
    assert built.fields["stacks"] == DEFAULT_PLANS[tiles]
    check_walls(simulation, stops, DEFAULT_PLANS[tiles])
