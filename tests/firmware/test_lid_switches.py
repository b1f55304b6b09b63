"""The lid's second switch: it cuts what runs below the lid, and a lid whose two switches do not agree is told."""

from collections.abc import Iterator

import pytest

from tests.scenarios.table import Table
from wallwright_firmware.wiring import problem, standard
from wallwright_protocol import codes
from wallwright_protocol.hardware import (
    CONVEYOR,
    DISC,
    GUARD_WIRE,
    HEAD,
    LID_IS_CLOSED,
    LID_OPEN,
    LIFT_RAISE,
    PARTS,
    RING,
    STANDARD_PARTS,
    drive_bit,
)
from wallwright_protocol.names import FAULTS, INPUTS

SOON_MS = 700
"""After the lid's own switch has moved: 500 ms, the contactor, and what the switch chatters."""
GUARDED = {"disc": DISC, "ring": RING, "head 0": drive_bit(0, HEAD), "belt 2": drive_bit(2, CONVEYOR)}


@pytest.fixture
def table(seed: int) -> Iterator[Table]:
    """A table whose lid has the second switch, with walls that are ready."""
    with Table(seed % 100, parts=PARTS) as table:
        table.connect()
        table.build()
        table.run(7_000)
        yield table


def faults(table: Table) -> list[str]:
    table.run(200)
    assert table.host
    return [FAULTS[event.values["fault"]] for event in table.host.named("fault")]


def open_lid(table: Table) -> None:
    table.press_lift()
    table.until("DROP", 9_000)


def test_deals_in_health_say_nothing(seed: int) -> None:
    with Table(seed % 100, parts=PARTS) as table:
        host = table.connect()
        for _ in range(3):
            table.build()
            table.raise_walls()
            host.do("lower_lifts")
            table.run(8_000)
            table.until("READY", 90_000)
            assert not table.world.supply.guard.report
        assert faults(table) == []


@pytest.mark.parametrize("name", GUARDED)
def test_what_runs_below_an_open_lid_has_no_supply_whatever_the_board_does(table: Table, name: str) -> None:
    open_lid(table)
    table.run(SOON_MS)
    assert table.world.supply.is_on
    table.world.stick(GUARDED[name], True)
    assert table.world.terminals.powered == 0
    table.world.stick(GUARDED[name], None)
    table.world.stick(LID_OPEN, True)
    assert table.world.terminals.powered == LID_OPEN


def test_without_the_second_switch_it_would_run(seed: int) -> None:
    with Table(seed % 100, parts=STANDARD_PARTS) as table:
        table.connect()
        table.build()
        table.run(7_000)
        open_lid(table)
        table.world.stick(DISC, True)
        assert table.world.terminals.powered == DISC


def test_an_open_lid_that_does_not_cut_the_supply_is_told_until_it_is_mended(table: Table) -> None:
    guard = table.world.supply.guard
    guard.stick(True)
    table.press_lift()
    table.run(2_000, lambda: not table.world.levels[LID_IS_CLOSED])
    began_ms = table.now_ms
    table.until_fault(SOON_MS)
    assert table.now_ms - began_ms >= 500
    assert table.shown == f"E{codes.LID_SWITCHES:02d}"
    assert table.host
    table.host.do("clear_fault")
    table.run(600)
    assert faults(table) == ["lid_switches"] * 2
    guard.stick(None)
    table.run(100)
    table.host.do("clear_fault")
    table.run(2_000)
    assert faults(table) == ["lid_switches"] * 2
    assert {INPUTS[event.values["input"]] for event in table.host.named("evidence")} == {"lid_is_closed"}


def test_a_closed_lid_whose_interlock_has_cut_is_told_when_lifts_have_voltage(table: Table) -> None:
    open_lid(table)
    table.sim.players.push_in()
    table.press_lift()
    table.run(3_000, lambda: bool(table.world.mask & drive_bit(0, LIFT_RAISE)))
    table.world.supply.guard.stick(False)
    table.until_fault(SOON_MS)
    assert faults(table) == ["lid_switches"]


def test_a_lid_whose_own_switch_says_closed_is_told_without_the_second(table: Table) -> None:
    table.world.sensors.distort(LID_IS_CLOSED, lambda _: 1)
    table.press_lift()
    table.until_fault(3_000)
    assert faults(table) == ["lid_limits"]


def test_without_supply_nothing_is_said(table: Table) -> None:
    table.world.supply.attend(False)
    table.world.emergency_stop(True)
    table.run(2_000)
    table.world.emergency_stop(False)
    table.run(2_000)
    assert table.world.supply.guard.report
    assert faults(table) == ["emergency_stop"]


def test_no_input_is_on_the_wire_of_its_report() -> None:
    inputs = bytearray(standard(PARTS))
    inputs[4] = GUARD_WIRE
    assert problem(bytes(inputs)) == codes.WIRED_TWICE
    inputs[3] &= ~PARTS | STANDARD_PARTS
    assert problem(bytes(inputs)) == codes.OK
