"""Interlocks and run-time limits, as the tables have them."""

import pytest

from tests.firmware.fake_board import FakeBoard
from wallwright_firmware import hal
from wallwright_firmware.safety import INTERLOCKS, LIMITS_MS, OPPOSITES, Outputs
from wallwright_protocol.codes import INTERLOCK, NO_SIDE, RUN_LIMIT

ALL_BITS = [1 << number for number in range(hal.DRIVES)]


def outputs_of(board: FakeBoard) -> tuple[Outputs, list[tuple[int, int]]]:
    trips: list[tuple[int, int]] = []
    return Outputs(board, board.levels, lambda fault, side: trips.append((fault, side))), trips


@pytest.mark.parametrize("row", INTERLOCKS, ids=str)
def test_no_drive_starts_against_its_interlock_and_none_goes_on(row: tuple[int, int, int]) -> None:
    bit, number, level = row
    board = FakeBoard()
    outputs, trips = outputs_of(board)
    assert outputs.on(bit, 0)
    board.levels[number] = 1 - level
    outputs.input_changed(number, 1 - level)
    assert outputs.mask == 0
    assert [fault for fault, _ in trips] == [INTERLOCK]
    assert not outputs.on(bit, 0)
    assert outputs.mask == 0
    assert len(trips) == 2


@pytest.mark.parametrize("bit", ALL_BITS)
def test_every_drive_has_a_limit_and_falls_to_off_at_it(bit: int) -> None:
    board = FakeBoard()
    outputs, trips = outputs_of(board)
    assert outputs.on(bit, 1000)
    outputs.flush()
    outputs.poll(outputs.due - 1)
    assert outputs.mask == bit
    assert 0 < outputs.due - 1000 <= max(limit for _, limit in LIMITS_MS)
    outputs.poll(outputs.due)
    assert board.driven[-1] == 0
    assert [fault for fault, _ in trips] == [RUN_LIMIT]


@pytest.mark.parametrize("pair", OPPOSITES)
def test_opposite_drives_are_never_on_together(pair: tuple[int, int]) -> None:
    board = FakeBoard()
    outputs, trips = outputs_of(board)
    assert outputs.on(pair[0], 0)
    assert not outputs.on(pair[1], 0)
    assert outputs.mask == 0
    assert trips[0][0] == INTERLOCK


def test_a_trip_names_the_side_of_the_drive() -> None:
    board = FakeBoard()
    outputs, trips = outputs_of(board)
    outputs.on(hal.drive_bit(2, hal.HEAD), 0)
    outputs.poll(60000)
    outputs.on(hal.DISC, 0)
    outputs.poll(600000)
    assert trips == [(RUN_LIMIT, 2), (RUN_LIMIT, NO_SIDE)]


def test_the_emergency_stop_is_in_every_drives_interlock() -> None:
    assert {bit for bit, number, level in INTERLOCKS if (number, level) == (hal.EMERGENCY_STOP, 0)} == set(ALL_BITS)


def test_power_up_drives_nothing() -> None:
    board = FakeBoard()
    outputs_of(board)
    assert board.driven == [0]
