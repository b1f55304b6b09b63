"""Interlocks and run-time limits, as the tables have them."""

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.firmware.test_app import Bench
from wallwright_firmware.safety import DRIVES_OF_STATE, LIMITS_MS, PAST_END_MS, Outputs, interlocks
from wallwright_firmware.settings import defaults
from wallwright_protocol import codes, hardware
from wallwright_protocol.codes import INTERLOCK, NO_SIDE, RUN_LIMIT
from wallwright_protocol.names import STATES

ALL_BITS = [1 << number for number in range(hardware.DRIVES)]


def outputs_of(board: FakeBoard) -> tuple[Outputs, list[tuple[int, int]]]:
    trips: list[tuple[int, int]] = []
    return Outputs(board, board.levels, lambda fault, side: trips.append((fault, side)), defaults()), trips


@pytest.mark.parametrize("row", list(interlocks()), ids=str)
def test_no_drive_starts_against_its_interlock_and_none_goes_on(row: tuple[int, int, int]) -> None:
    bit, number, level = row
    board = FakeBoard()
    outputs, trips = outputs_of(board)
    assert outputs.on(bit, 0)
    board.levels[number] = 1 - level
    outputs.input_changed(0, number, 1 - level)
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
    outputs.flush(1000)
    outputs.poll(outputs.due - 1)
    assert outputs.mask == bit
    assert 0 < outputs.due - 1000 <= max(limit for _, limit in LIMITS_MS)
    outputs.poll(outputs.due)
    assert board.driven[-1] == 0
    assert [fault for fault, _ in trips] == [RUN_LIMIT]


ENDS = [
    (hardware.LID_OPEN, hardware.LID_IS_OPEN),
    (hardware.LID_CLOSE, hardware.LID_IS_CLOSED),
    *(
        (hardware.drive_bit(side, kind), hardware.input_number(side, end))
        for side in range(hardware.SIDES)
        for kind, end in (
            (hardware.HEAD, hardware.HEAD_HOME),
            (hardware.LIFT_RAISE, hardware.LIFT_UP),
            (hardware.LIFT_LOWER, hardware.LIFT_DOWN),
        )
    ),
]


@pytest.mark.parametrize(("bit", "end"), ENDS)
def test_a_drive_that_nobody_stops_at_its_end_switch_is_stopped_soon_after_it(bit: int, end: int) -> None:
    board = FakeBoard()
    outputs, trips = outputs_of(board)
    board.levels[end] = 0
    assert outputs.on(bit, 0)
    outputs.poll(900)
    board.levels[end] = 1
    outputs.input_changed(1_000, end, 1)
    assert outputs.due == 1_000 + PAST_END_MS
    outputs.poll(outputs.due - 1)
    assert outputs.mask == bit
    outputs.poll(outputs.due)
    assert outputs.mask == 0
    assert [fault for fault, _ in trips] == [RUN_LIMIT]


@pytest.mark.parametrize(("bit", "end"), ENDS)
def test_a_switch_that_opens_again_was_not_the_end(bit: int, end: int) -> None:
    board = FakeBoard()
    outputs, trips = outputs_of(board)
    board.levels[end] = 0
    assert outputs.on(bit, 0)
    outputs.input_changed(100, end, 1)
    outputs.input_changed(200, end, 0)
    outputs.poll(100 + PAST_END_MS)
    assert outputs.mask == bit
    outputs.poll(60_000)
    assert outputs.mask == 0
    assert [fault for fault, _ in trips] == [RUN_LIMIT]


@pytest.mark.parametrize(("bit", "end"), ENDS)
def test_a_drive_that_begins_at_its_end_has_no_way_to_go_unless_it_goes_round(bit: int, end: int) -> None:
    board = FakeBoard()
    outputs, _ = outputs_of(board)
    board.levels[end] = 1
    if outputs.on(bit, 0):
        outputs.poll(PAST_END_MS)
        assert outputs.mask == (
            bit if bit in [hardware.drive_bit(side, hardware.HEAD) for side in range(hardware.SIDES)] else 0
        )
    else:
        assert outputs.forbidden_by(bit) is not None


OPPOSITES = [
    (hardware.LID_OPEN, hardware.LID_CLOSE),
    *(
        (hardware.drive_bit(side, hardware.LIFT_RAISE), hardware.drive_bit(side, hardware.LIFT_LOWER))
        for side in range(4)
    ),
    *(
        (hardware.drive_bit(side, hardware.CONVEYOR), hardware.drive_bit(side, hardware.CONVEYOR_REVERSE))
        for side in range(4)
    ),
]


@pytest.mark.parametrize("pair", [*OPPOSITES, *((other, one) for one, other in OPPOSITES)])
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
    outputs.on(hardware.drive_bit(2, hardware.HEAD), 0)
    outputs.poll(60000)
    outputs.on(hardware.DISC, 0)
    outputs.poll(600000)
    assert trips == [(RUN_LIMIT, 2), (RUN_LIMIT, NO_SIDE)]


def test_the_emergency_stop_is_in_every_drives_interlock() -> None:
    assert {bit for bit, number, level in interlocks() if (number, level) == (hardware.EMERGENCY_STOP, 0)} == set(
        ALL_BITS
    )


def test_power_up_drives_nothing() -> None:
    board = FakeBoard()
    outputs_of(board)
    assert board.driven == [0]


def test_where_the_table_rests_every_drive_is_a_stray() -> None:
    resting = {
        "starting",
        "idle",
        "lid_open",
        "walls_up",
        "stopped_raising",
        "stopped_lowering",
        "fault",
        "holding",
        "asking",
    }
    assert {STATES[state] for state in DRIVES_OF_STATE} == set(STATES) - resting
    for state in set(range(len(STATES))) - set(DRIVES_OF_STATE):
        for bit in ALL_BITS:
            board = FakeBoard()
            outputs, trips = outputs_of(board)
            outputs.on(bit, 0)
            outputs.check_state(state)
            assert outputs.mask == 0
            assert [fault for fault, _ in trips] == [INTERLOCK]


@pytest.mark.parametrize("state", DRIVES_OF_STATE)
@pytest.mark.parametrize("bit", ALL_BITS)
def test_a_drive_stays_on_only_in_a_state_that_has_use_for_it(state: int, bit: int) -> None:
    board = FakeBoard()
    bench = Bench(board)
    bench.app.cycle.state = bench.app.saving.state = state
    bench.app.outputs.on(bit, bench.now_ms)
    bench.poll()
    if DRIVES_OF_STATE[state] & bit:
        assert board.driven[-1] == bit
        assert bench.log("fault") == []
    else:
        assert not any(board.driven)
        assert [event["fault"] for event in bench.log("fault")] == [INTERLOCK]
        assert bench.app.cycle.state == codes.FAULT
