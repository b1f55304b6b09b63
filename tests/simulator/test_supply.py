"""The motors' supply: what cuts it, how fast, and what it takes to have it back."""

import pytest

from wallwright_protocol.hardware import DISC, SIDES
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.injection import Injection
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.supply import DROP_OUT_MS, HOLD_MS
from wallwright_simulator.surface import PhysicalError
from wallwright_simulator.world import World

AT_MS = 12_000
LONGEST_MS = 150


def building(seed, script=""):
    """A table that builds, with nobody at START any more."""
    simulation = Simulation(seed, faults=parse_faults(f"nobody presses start at 11 s;{script}"))
    simulation.run_until(3000)
    simulation.players.press_lift(0)
    simulation.run_until(AT_MS - 1)
    assert simulation.world.supply.is_on
    assert simulation.world.disc.turning
    return simulation


def cut_after(simulation):
    """Return how long after AT_MS the motors have lost their supply."""
    supply = simulation.world.supply
    while supply.is_on and simulation.now_ms < AT_MS + 5000:
        simulation.run_until(simulation.now_ms + 1)
    assert not simulation.world.disc.turning
    return simulation.now_ms - AT_MS


@pytest.mark.parametrize(
    "script",
    [
        "program hangs at 12 s",
        "program crashes at 12 s",
        "watchdog resets board at 12 s",
        "brown out resets board at 12 s",
        "cut power at 12 s for 3 s",
        "pump stuck off at 12 s",
        "press emergency stop at 12 s",
        "contactor first welded at 11 s; program hangs at 12 s",
        "pump stuck on at 11 s; press emergency stop at 12 s",
    ],
)
def test_the_supply_is_cut_in_time_and_does_not_come_back_by_itself(script, seed):
    simulation = building(seed, script)
    assert cut_after(simulation) <= LONGEST_MS
    simulation.run_until(AT_MS + 5000)
    assert not simulation.world.supply.is_on


def test_a_board_that_gives_no_edges_any_more_has_it_cut_and_start_brings_it_back(seed):
    simulation = building(seed)
    simulation.run_until(AT_MS)
    simulation.board.keeps_supply = False
    assert HOLD_MS <= cut_after(simulation) <= LONGEST_MS
    with pytest.raises(PhysicalError, match="the board does not keep the supply"):
        simulation.world.supply.press_start()
    simulation.board.keeps_supply = True
    simulation.run_until(simulation.now_ms + 2000)
    assert not simulation.world.supply.is_on
    simulation.world.supply.press_start()
    assert simulation.world.supply.is_on


def test_two_welded_contactors_leave_the_supply_on_which_the_model_does_not_hide(seed):
    simulation = building(
        seed, "contactor first welded at 11 s; contactor second welded at 11 s; program hangs at 12 s"
    )
    simulation.run_until(AT_MS + 1000)
    assert simulation.world.supply.is_on


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("press emergency stop at 1 s", "the emergency stop is pressed"),
        ("contactor second welded; pump stuck off at 1 s for 2 s", "a contactor is welded"),
        ("start button stuck; pump stuck off at 1 s for 2 s", "its button stays pressed"),
    ],
)
def test_start_says_why_nothing_comes_of_it(script, why):
    world = World(1)
    Injection(world, parse_faults(script))
    while world.now_ms < 5000:
        world.advance(5000)
    assert not world.supply.is_on
    with pytest.raises(PhysicalError, match=why):
        world.supply.press_start()


def test_a_mended_contactor_opens_and_start_works_again():
    world = World(1)
    Injection(
        world, parse_faults("nobody presses start; contactor first welded for 3 s; contactor second welded for 3 s")
    )
    world.drive(DISC)
    world.emergency_stop(True)
    while world.now_ms < 2999:
        world.advance(2999)
    assert world.supply.is_on
    while world.now_ms < 3000 + DROP_OUT_MS:
        world.advance(3000 + DROP_OUT_MS)
    assert not world.supply.is_on
    world.emergency_stop(False)
    world.supply.press_start()
    assert world.disc.turning


def test_a_table_keeps_its_supply_through_rest_and_a_build(seed):
    simulation = Simulation(seed)
    simulation.run_until(3000)
    simulation.players.press_lift(0)
    lost = []
    while simulation.now_ms < 90_000:
        simulation.run_until(simulation.now_ms + 10)
        if not simulation.world.supply.is_on:
            lost.append(simulation.now_ms)
    assert lost == []
    assert all(simulation.world.heads[side].carrier for side in range(SIDES))
