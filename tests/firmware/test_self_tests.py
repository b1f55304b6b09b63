"""The self-tests of a board at rest: rounds and their order, what fails them, what they wait for, what is told."""

from collections.abc import Iterator

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.firmware.test_app import Bench
from wallwright_firmware import self_tests
from wallwright_firmware.hal import SELF_TEST_SLOT
from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import EMERGENCY_STOP
from wallwright_protocol.settings import STOP_TEST

HEALTHY = [codes.TEST_PASSED] * 3 + [codes.CANNOT_TEST] * 3 + [codes.NEVER_TESTED]
ROUND_S = 15


class Forgetful(FakeBoard):
    """Its memory does not keep what the self-test writes."""

    def save(self, slot: int, data: bytes) -> bool:
        return True if slot == SELF_TEST_SLOT else super().save(slot, data)


class Stuck(FakeBoard):
    """Its random source can stick."""

    is_stuck = False

    def noise(self, count: int) -> bytes:
        return bytes(count) if self.is_stuck else super().noise(count)


class Complete(FakeBoard):
    """A board that tests its hardware, in three steps a test; the one of `broken` fails."""

    def __init__(self, broken: int = codes.NO_TEST) -> None:
        super().__init__()
        self.broken = broken
        self.tested: list[int] = []

    def self_test(self, test: int) -> Iterator[int]:
        self.tested.append(test)
        yield codes.NEVER_TESTED
        yield codes.NEVER_TESTED
        yield codes.TEST_FAILED if test == self.broken else codes.TEST_PASSED


def run(bench: Bench, seconds: int) -> None:
    for _ in range(seconds * 40):
        bench.poll(ms=25)


def told(bench: Bench) -> tuple[int, list[int], list[int]]:
    bench.hello()
    code, payload = bench.request("get_self_tests")
    assert code == codes.OK
    size, testing, *rest = REPLIES[NUMBER_OF["get_self_tests"]].unpack(payload)
    assert size == codes.SELF_TESTS
    return testing, rest[:size], rest[16 : 16 + size]


def made(board: FakeBoard | None = None) -> Bench:
    bench = Bench(board)
    bench.hello()
    return bench


def test_a_healthy_board_passes_its_first_round_and_tells_how_old_that_is():
    bench = made()
    assert told(bench) == (codes.NO_TEST, [codes.NEVER_TESTED] * codes.SELF_TESTS, [0] * codes.SELF_TESTS)
    run(bench, self_tests.FIRST_MS // 1000 + ROUND_S)
    testing, results, ages = told(bench)
    assert (testing, results) == (codes.NO_TEST, HEALTHY)
    assert ages[0] >= ages[1] >= ages[2] > 0
    run(bench, 60)
    assert told(bench)[2][:3] == [age + 60 for age in ages[:3]]
    assert bench.board.driven == [0]


def test_the_next_round_comes_by_itself_and_stores_nothing_again():
    bench = made()
    run(bench, self_tests.FIRST_MS // 1000 + ROUND_S + self_tests.ROUND_MS // 1000)
    ages = told(bench)[2]
    assert ages[0] < self_tests.ROUND_MS // 1000 < ages[codes.TEST_STORE]


def test_a_host_begins_a_round_but_not_a_second_one_and_none_while_the_table_works():
    bench = made()
    assert bench.request("run_self_tests")[0] == codes.OK
    assert bench.request("run_self_tests")[0] == codes.WRONG_STATE
    run(bench, ROUND_S)
    assert told(bench)[1] == HEALTHY
    bench.app.cycle.state = codes.BUILDING
    assert bench.request("run_self_tests")[0] == codes.WRONG_STATE


def test_a_memory_that_does_not_keep_stops_the_table_by_the_tests_number():
    bench = made(Forgetful())
    run(bench, self_tests.FIRST_MS // 1000 + ROUND_S)
    assert told(bench)[1][codes.TEST_STORE] == codes.TEST_FAILED
    (fault,) = bench.log("fault")
    assert (fault["fault"], fault["found"]) == (codes.SELF_TEST_FAILED, codes.TEST_STORE)


HARDWARE = [codes.TEST_IMAGE, codes.TEST_MEMORY, codes.TEST_CLOCKS]


def test_a_board_that_can_tests_its_hardware_once_a_round():
    board = Complete()
    bench = made(board)
    run(bench, self_tests.FIRST_MS // 1000 + ROUND_S)
    assert told(bench)[1] == [codes.TEST_PASSED] * 6 + [codes.NEVER_TESTED]
    run(bench, self_tests.ROUND_MS // 1000)
    assert board.tested == HARDWARE * 2
    assert told(bench)[2][codes.TEST_CLOCKS] < ROUND_S


@pytest.mark.parametrize("broken", HARDWARE)
def test_hardware_that_fails_stops_the_table_and_goes_on_doing_so(broken: int):
    bench = made(Complete(broken))
    run(bench, self_tests.FIRST_MS // 1000 + ROUND_S)
    assert told(bench)[1][broken] == codes.TEST_FAILED
    assert [(one["fault"], one["found"]) for one in bench.log("fault")] == [(codes.SELF_TEST_FAILED, broken)]
    assert bench.request("clear_fault")[0] == codes.OK
    run(bench, ROUND_S)
    assert len(bench.log("fault")) == 2


def test_a_row_of_the_interlocks_that_permits_stops_the_table(monkeypatch: pytest.MonkeyPatch):
    bench = made()
    monkeypatch.setattr(bench.app.outputs, "forbidden_by", lambda _bit, _steady: None)
    run(bench, self_tests.FIRST_MS // 1000 + ROUND_S)
    (fault,) = bench.log("fault")
    assert (fault["fault"], fault["found"]) == (codes.SELF_TEST_FAILED, codes.TEST_INTERLOCKS)


def test_a_source_that_sticks_after_the_seed_is_refused_and_the_table_plays_on():
    board = Stuck()
    bench = made(board)
    run(bench, 5)
    board.is_stuck = True
    run(bench, self_tests.FIRST_MS // 1000 + ROUND_S)
    assert told(bench)[1][codes.TEST_NOISE] == codes.TEST_FAILED
    assert bench.app.dice.failed()
    assert bench.app.cycle.state == codes.IDLE


def test_a_build_waits_for_the_emergency_stop_only_when_the_setting_asks():
    bench = made()
    assert not bench.app.self_tests.wants_stop()
    bench.app.settings.values[STOP_TEST] = 24
    assert bench.request("start_build")[0] == codes.STOP_UNTESTED
    bench.edge(EMERGENCY_STOP, 1)
    bench.edge(EMERGENCY_STOP, 0)
    assert told(bench)[1][codes.TEST_STOP_INPUT] == codes.TEST_PASSED
    bench.app.cycle.state = codes.IDLE
    assert not bench.app.self_tests.wants_stop()
    bench.app.self_tests.turn_back(24 * self_tests.HOUR_MS)
    assert bench.app.self_tests.wants_stop()
