"""A board without a map of its wires drives nothing, says so, and takes one; a table of an earlier release has one."""

from binascii import crc32

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.firmware.test_app import Bench
from tests.firmware.test_migration import RELEASED
from tests.firmware.test_wiring import AWAY, INPUTS, OUTPUTS, bench_of, hash_of, press, record
from wallwright_firmware.guard import CrashLog
from wallwright_firmware.hal import WIRING_SLOT
from wallwright_protocol import codes
from wallwright_protocol.hardware import SIDES


def test_a_board_without_a_map_drives_nothing_and_says_so() -> None:
    bench = bench_of(AWAY, b"")
    assert hash_of(bench) == 0
    assert bench.app.cycle.fault == codes.WIRING_UNKNOWN
    for wire in range(48):
        press(bench, wire, 1)
        press(bench, wire, 0)
    for name in ("start_build", "begin_service", "clear_fault"):
        assert bench.request(name)[0] == codes.FAULT_ACTIVE, name
    bench.poll(ms=10_000)
    assert bench.board.shown == ["NO MAP"] * SIDES
    assert bench.board.driven == [], "its outputs have not even been enabled"
    assert bench.board.lit == 0
    assert bench.board.slots[WIRING_SLOT] == b""


@pytest.mark.parametrize("release", RELEASED)
def test_a_table_that_has_built_walls_without_a_map_gets_the_standard_one(release: str) -> None:
    """Releases before this one went by the standard wiring where there was no map."""
    for row in RELEASED[release]:
        board = FakeBoard()
        board.slots[:2] = [bytes.fromhex(slot) for slot in row["slots"]]
        board.slots[WIRING_SLOT] = b""
        bench = Bench(board)
        bench.hello()
        if bench.app.cycle.builds:
            assert board.slots[WIRING_SLOT] == record()
            assert hash_of(bench) == crc32(record()[:-4])
            assert bench.app.cycle.fault != codes.WIRING_UNKNOWN
            assert sum(bench.app.inputs.steady) == 1 + 2 * SIDES
        else:
            assert bench.app.cycle.fault == codes.WIRING_UNKNOWN
            assert board.slots[WIRING_SLOT] == b""


def test_a_bad_map_is_not_replaced_by_the_standard_one() -> None:
    board = FakeBoard()
    board.slots[:2] = [bytes.fromhex(slot) for slot in list(RELEASED.values())[-1][-1]["slots"]]
    board.slots[WIRING_SLOT] = b"rubbish"
    bench = Bench(board)
    bench.hello()
    assert bench.app.cycle.builds
    assert bench.app.cycle.fault == codes.WIRING_UNKNOWN
    assert board.slots[WIRING_SLOT] == b"rubbish"


def test_a_board_without_a_map_that_fails_again_and_again_can_be_given_one() -> None:
    board = FakeBoard()
    board.slots[WIRING_SLOT] = b""
    for _ in range(3):
        CrashLog(board).add(100, b"firmware/app", 7, b"ValueError")
    bench = Bench(board)
    bench.hello()
    assert bench.app.cycle.fault == codes.CRASH_LOOP
    assert bench.request("clear_fault")[0] == codes.OK
    assert bench.app.cycle.fault == codes.WIRING_UNKNOWN
    assert bench.request("set_wiring", 15, *range(INPUTS), *range(OUTPUTS), 0, 0, 0)[0] == codes.OK
    assert bench.request("clear_fault")[0] == codes.OK
    assert bench.app.cycle.state == codes.IDLE
