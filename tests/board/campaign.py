"""What takes longer than `make test-board` may: `make board-campaign`, about half an hour."""

import random

import pytest

from tests.board.building import HEAD_STOP_MS, HeadStops, logged, samples_lost
from tests.board.failing import FAILING, crash_in

CUTS = 20
XIP_MISSES = (0, 50)


@pytest.mark.parametrize("xip_miss", XIP_MISSES)
@pytest.mark.parametrize("number", range(5))
def test_the_host_builds_the_walls(chip, operate, seed, number, xip_miss, monkeypatch):
    simulation = logged(chip, seed + number, xip_miss=xip_miss)
    simulation.run_until(2500)
    stops = HeadStops(simulation, monkeypatch)
    table = operate(simulation)
    table.set_plan([14, 13, 14, 13], dealer=0)
    table.start_build()
    built = table.wait_for("build_done", timeout_ms=90_000)
    assert built.fields["stacks"] == (14, 13, 14, 13)
    assert [len(head.carrier) for head in simulation.world.heads] == [14, 13, 14, 13]
    simulation.world.check_conserved()
    assert samples_lost(simulation) == 0
    assert len(stops.all()) >= 54, "each stack takes a turn of its head"
    assert max(stops.all()) <= HEAD_STOP_MS


@pytest.mark.parametrize("module", FAILING)
def test_an_exception_in_any_module_turns_the_outputs_off(chip, operate, seed, module):
    _, crashed = crash_in(module, chip, operate, seed)
    assert crashed["error"] == "ValueError"


@pytest.mark.parametrize("number", range(CUTS))
def test_a_power_cut_at_any_instruction_leaves_a_table_that_starts(chip, operate, seed, number):
    """Cut within the first second and a half: file system, settings and first records are being written then."""
    simulation = chip(1)
    simulation.cut_after(random.Random(seed + number).randrange(1_000_000, 90_000_000))
    simulation.run_until(2500)
    assert not simulation.is_on
    simulation.power_off()
    simulation.power_on()
    simulation.run_until(simulation.now_ms + 1600)
    assert operate(simulation).status().state == "idle"
