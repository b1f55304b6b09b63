"""The board's tests of itself, asked over the wire of a simulated table."""

from itertools import count

import pytest

from wallwright.doctor.board_tests import BoardTest, read_board_tests, run_board_tests
from wallwright.errors import Refused
from wallwright.table.table import open_table
from wallwright_simulator.simulation import Simulation, attach

NAMES = count()


def test_a_round_that_is_asked_for_passes_and_is_told_with_its_age() -> None:
    with open_table(attach(f"board-tests-{next(NAMES)}", Simulation(11))) as table:
        assert set(read_board_tests(table)) == {
            BoardTest(name, "never", None)
            for name in ("interlocks", "noise", "store", "image", "memory", "clocks", "stop_input")
        }
        tests = run_board_tests(table)
        assert [test.result for test in tests] == ["passed"] * 3 + ["cannot"] * 3 + ["never"]
        ages = [test.age_s for test in tests[:3]]
        table.pump(20_000)
        assert all(
            now.age_s is not None and was is not None and now.age_s - was in (20, 21)
            for was, now in zip(ages, read_board_tests(table), strict=False)
        )


def test_no_round_begins_while_the_table_builds() -> None:
    with open_table(attach(f"board-tests-{next(NAMES)}", Simulation(11))) as table:
        table.start_build()
        with pytest.raises(Refused, match="run_self_tests"):
            run_board_tests(table)
