"""The board's tests of itself on an emulated RP2350: a good one passes all of them."""

from wallwright.doctor.board_tests import run_board_tests
from wallwright_protocol.names import SELF_TESTS

SETTLED_MS = 2500


def test_a_good_board_passes(pico2, operate):
    simulation = pico2(1)
    simulation.run_until(SETTLED_MS)
    table = operate(simulation)
    found = {test.name: test.result for test in run_board_tests(table)}
    assert found == dict.fromkeys(SELF_TESTS, "passed") | {"stop_input": "never"}
    assert table.status().fault is None
