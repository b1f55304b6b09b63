"""Paths of current with the stop pressed, the pump without edges, or the lid open."""

import pytest

from carrier import circuit
from carrier.board import Board
from carrier.paths import Circuit
from carrier.wiring import motors

LIVE = ("24V_IN", "24V_SENSOR", "24V_LAMP", "24V_LINE", "5V", "3V3", "VM_SUPPLY")
"""Supplies that the stop leaves on."""
PUMPED = frozenset(("K4", "K5"))
CLOSED = "S3"
GUARDED = [one for one in motors() if not one.name.startswith(("lift", "lid"))]
OTHERS = [one for one in motors() if one.name.startswith(("lift", "lid"))]


@pytest.fixture(scope="module")
def board() -> Board:
    return circuit.build(panel=True)


def in_state(board: Board, *moved: str) -> Circuit:
    return Circuit(board.kinds, board.wires, moved)


def ends(motor) -> tuple[str, str]:
    return f"M_{motor.name}_1", f"M_{motor.name}_2"


def test_all_runs_with_the_pump_going_and_the_lid_closed_once_start_was_pressed(board: Board) -> None:
    running = in_state(board, *PUMPED, CLOSED).started()
    assert running.moved == {*PUMPED, CLOSED, "K0", "K1", "K2", "K3"}
    assert running.path("VM_SUPPLY", "VM")[:4] == ["VM_SUPPLY", "F90", "VM_FUSED", "K1"]
    assert running.path("24V_IN", "24V_COIL")
    for motor in motors():
        assert all(running.path("VM_SUPPLY", end) for end in ends(motor)), motor.name


@pytest.mark.parametrize("welded", [(), ("K1",), ("K2",), ("K3",)], ids=str)
@pytest.mark.parametrize("supply", LIVE)
def test_with_the_stop_pressed_nothing_feeds_motors_or_relays(board: Board, supply: str, welded: tuple[str]) -> None:
    """Also with one contactor welded, and pump, lid and the stop's button in any state."""
    cut = in_state(board, *welded, *PUMPED, CLOSED, "S1")
    for net in ("24V_COIL", "VM", "VM_GUARDED", *(end for motor in motors() for end in ends(motor))):
        assert cut.path(supply, net) == [], (supply, net)
    assert "K0" not in cut.started().moved


def test_lamps_on_an_array_of_coils_are_found(board: Board) -> None:
    """With one array for both, its diodes feed the coils from the lamps' supply, which the stop leaves on."""
    shared = board.wires["U34"] | {10: "24V_COIL"}
    cut = Circuit(board.kinds, {**board.wires, "U34": shared}, ["S1"])
    found = cut.path("24V_LAMP", "24V_COIL")
    assert found[0] == "24V_LAMP"
    assert found[1].startswith("E")
    assert found[-2:] == ["U34", "24V_COIL"]


@pytest.mark.parametrize("fallen", ["K4", "K5"])
def test_without_one_channel_of_the_pump_nothing_starts(board: Board, fallen: str) -> None:
    cut = in_state(board, CLOSED, *(PUMPED - {fallen})).started()
    assert not {"K0", "K1", "K2", "K3"} & cut.moved
    for motor in motors():
        assert not any(cut.path("VM_SUPPLY", end) for end in ends(motor)), motor.name


@pytest.mark.parametrize("welded", ["K1", "K2", "K3"])
def test_a_welded_contactor_is_not_started_with(board: Board, welded: str) -> None:
    assert "K0" not in in_state(board, *PUMPED, CLOSED, welded).started().moved


def test_with_the_lid_open_only_lifts_and_lid_have_a_supply(board: Board) -> None:
    opened = in_state(board, *PUMPED).started()
    assert opened.moved == {*PUMPED, "K0", "K1", "K2"}
    for supply in (*LIVE, "VM"):
        for motor in GUARDED:
            assert not any(opened.path(supply, end) for end in ends(motor)), (supply, motor.name)
    for motor in OTHERS:
        assert any(opened.path("VM_SUPPLY", end) for end in ends(motor)), motor.name
    assert len(GUARDED) == 10


def test_the_lids_contactor_reports_while_it_is_off(board: Board) -> None:
    assert in_state(board, *PUMPED).started().path("24V_SENSOR", "FIELD_45")
    assert not in_state(board, *PUMPED, CLOSED).started().path("24V_SENSOR", "FIELD_45")
