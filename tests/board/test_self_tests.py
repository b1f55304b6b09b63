"""The board's tests of itself on an emulated RP2040 with a flash of misses: a good one passes, and each break is found.

`.venv-dev/bin/python -m pytest tests/board/test_self_tests.py -rP` prints the longest polls of a round.
"""

from tests.board.polls import check_polls, noting
from tests.board.test_measure import FOUND_MS, SEED, XIP_MISS
from wallwright.doctor.board_tests import BoardTest, read_board_tests, run_board_tests
from wallwright_protocol.codes import SELF_TESTS
from wallwright_protocol.names import SELF_TESTS as NAMES
from wallwright_simulator.chip.files import boot_program, file_system, with_map
from wallwright_simulator.chip.image import find_image
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.sorter import PLAIN

BROKEN = """
import machine
from wallwright_firmware.boards import hardware_tests
from wallwright_firmware.boards.board import Board
begin = Board.begin
def begin_slow(board):
    begin(board)
    machine.mem32[0x502000C8] = 126 << 16
Board.begin = begin_slow
hardware_tests.march = lambda block, words, background: background >> 4 & 1
"""
"""The state machine that samples the inputs goes by a clock that is 0.8 % slow (PIO0's SM0_CLKDIV, RP2040 datasheet
3.7), and every sixteenth bit of memory reads otherwise."""
UNSEEN = b"name '%q' isn't defined"
"""A text of the program that no test shows."""


MORE_US = 3_000
"""At rest, with no drive on; a step was 5.0 ms at the most."""


def results(tests: list[BoardTest]) -> dict[str, str]:
    return {test.name: test.result for test in tests}


def test_a_good_board_passes_and_no_step_takes_long(chip, operate):
    simulation = chip(SEED, flash=[noting()], readers=ALL_READERS, xip_miss=XIP_MISS)
    simulation.run_until(FOUND_MS)
    table = operate(simulation)
    check_polls(simulation)
    found = results(run_board_tests(table))
    assert found == dict.fromkeys(NAMES, "passed") | {"stop_input": "never"}
    assert len(found) == SELF_TESTS
    check_polls(simulation, MORE_US)
    assert table.status().fault is None


def test_a_board_with_everything_broken_fails_by_every_name(chip, operate, tmp_path):
    data = bytearray(find_image().read_bytes())
    at = data.find(UNSEEN)
    assert at >= 0
    data[at] ^= 0x20
    image = tmp_path / "flipped.uf2"
    image.write_bytes(data)
    simulation = chip(SEED, image=image, flash=[file_system(with_map(PLAIN) | boot_program(BROKEN))])
    simulation.run_until(FOUND_MS)
    table = operate(simulation)
    assert set(results(read_board_tests(table)).values()) == {"never"}
    simulation.chip.do("noise", bytes="")
    found = results(run_board_tests(table))
    good = {"interlocks": "passed", "store": "passed", "stop_input": "never"}
    assert found == dict.fromkeys(NAMES, "failed") | good
    assert table.status().fault == "self_test_failed"
    assert simulation.resets == 0
