"""Faults of the electrics have the effect that they say, in the simulated table and at its board."""

import pytest

from tests.simulator.injected import FEEDING, edges_of, injected, run_to
from wallwright_protocol.hardware import DISC, DISC_VANE, HEAD, RING, RING_VANE, drive_bit
from wallwright_protocol.names import DRIVES
from wallwright_simulator.faults import FaultError, parse_faults
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.supply import DROP_OUT_MS


def test_a_drive_that_is_stuck_on_runs_for_as_long_whatever_is_commanded():
    world, _ = injected("drive disc stuck on at 1 s for 10 s")
    run_to(world, 999)
    assert world.terminals.powered == 0
    edges = edges_of(run_to(world, 11_000), DISC_VANE)
    assert edges
    assert all(1_000 < time_ms < 11_000 for time_ms, _ in edges)
    assert world.terminals.powered == 0
    world.drive(DISC)
    assert world.terminals.powered == DISC


def test_a_drive_that_is_stuck_off_stands_until_it_is_mended():
    world, injection = injected("drive ring stuck off; drive head 2 stuck off at 0 s for 3 s")
    head = drive_bit(2, HEAD)
    world.drive(FEEDING | head)
    run_to(world, 2_999)
    assert world.terminals.powered == FEEDING & ~RING
    assert not edges_of(run_to(world, 10_000), RING_VANE)
    assert world.terminals.powered == (FEEDING | head) & ~RING
    injection.mend()
    assert world.terminals.powered == FEEDING | head
    assert edges_of(run_to(world, 20_000), RING_VANE)


@pytest.mark.parametrize("drive", DRIVES)
def test_each_drive_has_its_line(drive):
    world, _ = injected(f"drive {drive.replace('_', ' ')} stuck on")
    assert world.terminals.powered == 1 << DRIVES.index(drive)


def test_the_stop_takes_the_voltage_of_what_is_stuck_on():
    world, _ = injected("drive ring stuck on")
    world.emergency_stop(True)
    run_to(world, DROP_OUT_MS)
    assert world.terminals.powered == 0
    world.emergency_stop(False)
    assert world.terminals.powered == RING, "somebody has pressed START"


@pytest.mark.parametrize(("how", "level"), [("on", 1), ("off", 0)])
def test_an_input_that_is_stuck_stays(how, level):
    world, injection = injected(f"input {DISC_VANE} stuck {how} at 2 s")
    world.drive(DISC | RING)
    run_to(world, 2_000)
    assert world.levels[DISC_VANE] == level
    assert not edges_of(run_to(world, 20_000), DISC_VANE)
    injection.mend()
    assert edges_of(run_to(world, 30_000), DISC_VANE)


def test_inputs_that_touch_show_either():
    world, injection = injected(f"inputs {DISC_VANE} and {RING_VANE} touch at 1 s")
    run_to(world, 1_000)
    world.drive(DISC)
    edges = run_to(world, 20_000)
    assert edges_of(edges, DISC_VANE) == edges_of(edges, RING_VANE) != []
    injection.mend()
    run_to(world, 20_001)
    assert world.levels[RING_VANE] == world.sensors.truth[RING_VANE]
    assert not edges_of(run_to(world, 30_000), RING_VANE)


@pytest.mark.parametrize("place", [0, 23])
def test_a_drive_that_flips_has_voltage_until_it_is_written_again(place):
    simulation = Simulation(1, faults=parse_faults(f"output {place} flips at 2 s"))
    terminals = simulation.world.terminals
    simulation.run_until(1_999)
    assert terminals.powered == 0
    simulation.run_until(2_000)
    assert terminals.powered == 1 << place
    simulation.run_until(2_010)
    assert terminals.powered == 0


def test_a_lamp_that_flips_is_lit_until_it_is_written_again():
    simulation = Simulation(1, faults=parse_faults("output 25 flips at 2 s"))
    simulation.run_until(1_999)
    lit = simulation.board.lamp_mask
    simulation.run_until(2_000)
    assert simulation.board.lamp_mask == lit ^ 2
    simulation.run_until(2_010)
    assert simulation.board.lamp_mask == lit


def test_a_world_alone_has_no_registers():
    with pytest.raises(FaultError, match="output 3 flips at 3 s: this world has no board"):
        injected("output 3 flips at 3 s")
