"""The results of a board's self-tests, and their ages."""

from dataclasses import dataclass

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.names import TEST_RESULTS

from ..link.numbers import name_of
from ..table.table import Table

ROUND_MS = 120000
"""A round takes some 27 s while the table rests."""
STEP_MS = 500
FAILED = TEST_RESULTS[codes.TEST_FAILED]


@dataclass(frozen=True, slots=True)
class BoardTest:
    """A test, its last result, and the seconds since then; None when it was not made."""

    name: str
    result: str
    age_s: int | None


def read_board_tests(table: Table) -> list[BoardTest]:
    """Ask the board what it has tested of itself."""
    return _read(table)[1]


def run_board_tests(table: Table) -> list[BoardTest]:
    """Have the board begin a round of its tests, which it refuses while the table works; return the results at its end,
    or those of ROUND_MS later: a table that has begun to work meanwhile lets the tests wait."""
    table.request("run_self_tests")
    until = table.now_ms() + ROUND_MS
    testing, tests = _read(table)
    while testing != codes.NO_TEST and table.now_ms() < until:
        table.pump(STEP_MS)
        testing, tests = _read(table)
    return tests


def _read(table: Table) -> tuple[int, list[BoardTest]]:
    reply = REPLIES[NUMBER_OF["get_self_tests"]].unpack_named(table.request("get_self_tests"))
    tests = []
    for test in range(reply["size"]):
        result = reply["test_result"][test]
        age_s = None if result in (codes.NEVER_TESTED, codes.CANNOT_TEST) else reply["ages_s"][test]
        tests.append(BoardTest(name_of("self_test", test), name_of("test_result", result), age_s))
    return reply["testing"], tests
