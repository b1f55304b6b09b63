"""Settings that are tried: in force at once, stored by nothing, gone with the session that tried them."""

import pytest

from tests.firmware.test_app import SESSION, Bench
from wallwright_firmware.settings import defaults
from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.link import SILENCE_MS
from wallwright_protocol.settings import HIGHEST, KINDS, LEAST_STROKE, LID_LIMIT, LOWEST, SETTINGS, SIZE


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    made.hello()
    return made


def in_force(bench: Bench, number: int) -> int:
    page = REPLIES[NUMBER_OF["get_settings"]].unpack_named(bench.request("get_settings", number)[1])
    value: int = page["value"][0]
    return value


def test_what_is_tried_is_in_force_and_not_stored(bench: Bench) -> None:
    written = len(bench.board.saved)
    assert bench.request("try_setting", LEAST_STROKE, 300) == (codes.OK, b"")
    assert in_force(bench, LEAST_STROKE) == 300
    assert len(bench.board.saved) == written
    # What is set meanwhile is stored, and takes nothing with it that is only tried.
    assert bench.request("set_setting", LID_LIMIT, 3000) == (codes.OK, b"")
    assert in_force(bench, LEAST_STROKE) == 300
    again = Bench(bench.board)
    wanted = defaults()
    wanted[LID_LIMIT] = 3000
    assert again.app.settings.values == wanted
    assert bench.request("end_trial") == (codes.OK, b"")
    assert bench.app.settings.values == wanted


def test_a_trial_ends_with_its_session(bench: Bench) -> None:
    bench.request("try_setting", LEAST_STROKE, 300)
    bench.hello(SESSION + 1)
    assert bench.app.settings.values == defaults()


def test_a_trial_ends_when_the_host_falls_silent(bench: Bench) -> None:
    bench.request("try_setting", LEAST_STROKE, 300)
    bench.poll(ms=SILENCE_MS - 1)
    assert bench.app.settings.values[LEAST_STROKE] == 300
    bench.poll(ms=1)
    bench.poll(ms=1)
    assert bench.app.settings.values == defaults()


@pytest.mark.parametrize("number", range(SETTINGS))
def test_what_may_not_be_set_may_not_be_tried_nor_the_game(bench: Bench, number: int) -> None:
    for value in {LOWEST[number] - 1, HIGHEST[number] + 1} - {-1}:
        assert bench.request("try_setting", number, value) == (codes.BAD_ARGUMENT, b"")
    assert bench.request("try_setting", SETTINGS, 100) == (codes.BAD_ARGUMENT, b"")
    bench.request("start_build")
    refused = codes.BAD_ARGUMENT if KINDS[number] == SIZE else codes.WRONG_STATE
    assert bench.request("try_setting", number, LOWEST[number]) == (refused, b"")
    assert bench.app.settings.values == defaults()
