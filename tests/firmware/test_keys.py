"""Keys that stay pressed: each is told once, and again only after it had been released."""

import pytest

from tests.firmware.test_store import Bench
from wallwright_firmware.drivers.keys import STUCK_MS
from wallwright_protocol import codes
from wallwright_protocol.hardware import CLAIM_KEY_0, DICE_KEY, LIFT_KEY, REFEREE_KEY, input_number


def stuck(bench: Bench) -> list[object]:
    """The sides of the notices."""
    notices = bench.events("notice")
    assert all(notice["fault"] == codes.KEY_STUCK and not notice["tries"] for notice in notices)
    return [notice["side"] for notice in notices]


@pytest.mark.parametrize(
    "number", [*(input_number(2, kind) for kind in (LIFT_KEY, DICE_KEY, REFEREE_KEY)), CLAIM_KEY_0 + 2]
)
def test_a_key_that_stays_pressed_is_told_once(number: int) -> None:
    bench = Bench()
    bench.wait(50_000)
    bench.set(number, 1)
    bench.wait(STUCK_MS - 20)
    assert stuck(bench) == []
    bench.wait(20)
    assert stuck(bench) == [2]
    bench.wait(5 * STUCK_MS)
    assert stuck(bench) == [2]
    for level in (0, 1):
        bench.set(number, level)
    bench.wait(STUCK_MS)
    assert stuck(bench) == [2, 2]


def test_a_key_that_is_pressed_when_power_comes_is_told_too() -> None:
    bench = Bench()
    bench.board.levels[input_number(3, DICE_KEY)] = 1
    bench.start()
    bench.wait(STUCK_MS)
    assert stuck(bench) == [3]


def test_keys_that_are_pressed_one_after_the_other_are_told_in_their_time() -> None:
    bench = Bench()
    bench.set(input_number(0, REFEREE_KEY), 1)
    bench.wait(STUCK_MS // 2)
    bench.set(input_number(1, REFEREE_KEY), 1)
    bench.wait(STUCK_MS // 2)
    assert stuck(bench) == [0]
    bench.wait(STUCK_MS // 2)
    assert stuck(bench) == [0, 1]


def test_keys_that_are_released_in_time_are_no_trouble() -> None:
    bench = Bench()
    for _ in range(40):
        bench.press(1, REFEREE_KEY)
        bench.wait(3_000)
    assert stuck(bench) == []
