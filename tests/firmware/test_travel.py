"""Lids and lifts by hand: which switch is believed, how far it goes, and what ends it."""

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.usual import DOWN_LEAST_MS, LID_LEAST_MS, LID_LIMIT_MS, LIFT_LIMIT_MS, UP_LEAST_MS
from wallwright_firmware.drivers.travel import BACK_MS, PRESS_MS, End, Travel
from wallwright_firmware.safety import Outputs
from wallwright_firmware.settings import defaults
from wallwright_protocol.codes import LID_LIMITS, LID_OBSTRUCTED, NO_SIDE
from wallwright_protocol.hardware import LID_CLOSE, LID_IS_CLOSED, LID_IS_OPEN, LID_OPEN
from wallwright_protocol.link import NEVER
from wallwright_protocol.settings import DEFAULTS, HAND_WAIT, HIGHEST, LEAST_LID, LID_LIMIT, LOWEST
from wallwright_simulator.mechanics import LID_MS, LIFT_DOWN_MS, LIFT_UP_MS, VARIATION_PERCENT

WAIT_MS = DEFAULTS[HAND_WAIT]


class Lid:
    """A lid that is moved by hand. `told` is what it has told its owner, with the time."""

    def __init__(self) -> None:
        self.board = FakeBoard()
        self.levels = self.board.levels
        self.now_ms = 1_000
        self.told: list[tuple[int, str]] = []
        self.settings = defaults()
        self.outputs = Outputs(self.board, self.levels, lambda fault, side: self.tell(f"trip {fault}"), self.settings)
        self.travel = Travel(
            NO_SIDE,
            (LID_OBSTRUCTED, LID_LIMITS),
            self.outputs,
            self.levels,
            self.settings,
            LID_LIMIT,
            End(LID_OPEN, LID_IS_OPEN, LEAST_LID),
            End(LID_CLOSE, LID_IS_CLOSED, LEAST_LID),
            self,
        )

    # What it tells its owner.

    def arrived(self, travel: Travel) -> None:
        assert travel is self.travel
        self.tell("arrived")

    def notice(self, fault: int, side: int, tries: int) -> None:
        assert (fault, side, tries) == (LID_OBSTRUCTED, NO_SIDE, 1)
        self.tell("retried")

    def fail(self, fault: int, side: int, found: int, wanted: int) -> None:
        assert (side, found, wanted) == (NO_SIDE, 0, 0)
        self.tell({LID_OBSTRUCTED: "stalled", LID_LIMITS: "too soon"}[fault])

    def tell(self, what: str) -> None:
        self.told.append((self.now_ms, what))

    def wait(self, ms: int) -> None:
        until_ms = self.now_ms + ms
        while self.travel.due <= until_ms:
            self.now_ms = max(self.now_ms, self.travel.due)
            self.travel.poll(self.now_ms)
        self.now_ms = until_ms

    def switch(self, number: int, level: int) -> None:
        self.levels[number] = level
        self.travel.input_changed(self.now_ms, number, level)

    def opens(self) -> None:
        """It sets out, and has left its closed switch."""
        self.travel.go(self.now_ms, self.travel.first)
        self.wait(40)
        self.switch(LID_IS_CLOSED, 0)


@pytest.mark.parametrize("ms", [LID_LEAST_MS, LID_MS, LID_LIMIT_MS - PRESS_MS])
def test_it_goes_a_little_beyond_its_switch_and_has_then_arrived(ms):
    lid = Lid()
    lid.opens()
    lid.wait(ms - 40)
    lid.switch(LID_IS_OPEN, 1)
    lid.wait(PRESS_MS - 1)
    assert (lid.told, lid.outputs.mask) == ([], LID_OPEN)
    lid.wait(1)
    assert (lid.told, lid.outputs.mask) == ([(1_000 + ms + PRESS_MS, "arrived")], 0)
    assert (lid.travel.due, lid.travel.is_moving()) == (NEVER, False)


@pytest.mark.parametrize("ms", [50, LID_LEAST_MS - 1])
def test_a_switch_that_comes_too_soon_stops_it(ms):
    lid = Lid()
    lid.opens()
    lid.wait(ms - 40)
    lid.switch(LID_IS_OPEN, 1)
    assert (lid.told, lid.outputs.mask) == ([(1_000 + ms, "too soon")], 0)
    lid.wait(60_000)
    assert len(lid.told) == 1


@pytest.mark.parametrize(
    ("least_ms", "way_ms"), [(LID_LEAST_MS, LID_MS), (UP_LEAST_MS, LIFT_UP_MS), (DOWN_LEAST_MS, LIFT_DOWN_MS)]
)
def test_no_machine_is_refused_for_being_quick_and_each_goes_its_whole_way_whenever_the_switch_is_believed(
    least_ms, way_ms
):
    assert least_ms < way_ms * (100 - VARIATION_PERCENT) / 100
    assert least_ms + PRESS_MS > way_ms * (100 + VARIATION_PERCENT) / 100
    assert way_ms * (100 + VARIATION_PERCENT) / 100 + PRESS_MS < min(LID_LIMIT_MS, LIFT_LIMIT_MS)


def test_from_the_middle_of_the_way_the_switch_may_come_at_any_time():
    lid = Lid()
    lid.levels[LID_IS_CLOSED] = 0
    lid.travel.go(lid.now_ms, lid.travel.second)
    lid.wait(30)
    lid.switch(LID_IS_CLOSED, 1)
    lid.wait(PRESS_MS)
    assert lid.told == [(1_030 + PRESS_MS, "arrived")]


def test_at_its_end_already_it_arrives_without_moving():
    lid = Lid()
    lid.travel.go(lid.now_ms, lid.travel.second)
    assert (lid.told, lid.outputs.mask) == ([(1_000, "arrived")], 0)


def test_a_switch_that_comes_late_is_not_pressed_beyond_the_limit():
    lid = Lid()
    lid.opens()
    lid.wait(LID_LIMIT_MS - 60)
    lid.switch(LID_IS_OPEN, 1)
    lid.wait(PRESS_MS)
    assert lid.told == [(1_000 + LID_LIMIT_MS, "arrived")]


def test_a_switch_that_opens_again_is_waited_for_and_after_a_second_try_it_has_stalled():
    lid = Lid()
    lid.opens()
    lid.wait(LID_MS - 40)
    lid.switch(LID_IS_OPEN, 1)
    lid.wait(PRESS_MS // 2)
    lid.switch(LID_IS_OPEN, 0)
    lid.wait(1_000 + LID_LIMIT_MS - lid.now_ms)
    assert (lid.told, lid.outputs.mask) == ([], LID_CLOSE)
    lid.wait(BACK_MS)
    assert lid.outputs.mask == 0
    lid.wait(WAIT_MS)
    assert lid.outputs.mask == LID_OPEN
    lid.wait(60_000)
    stalled_ms = 1_000 + 2 * LID_LIMIT_MS + BACK_MS + WAIT_MS
    assert (lid.told, lid.outputs.mask) == ([(stalled_ms, "stalled")], 0)


@pytest.mark.parametrize("wait_ms", [LOWEST[HAND_WAIT], HIGHEST[HAND_WAIT]])
def test_a_hand_has_as_long_as_the_table_is_set_to(wait_ms: int) -> None:
    lid = Lid()
    lid.settings[HAND_WAIT] = wait_ms
    lid.opens()
    lid.wait(LID_LIMIT_MS - 40 + BACK_MS + wait_ms - 1)
    assert lid.outputs.mask == 0
    lid.wait(1)
    assert lid.outputs.mask == LID_OPEN


def test_a_second_try_that_succeeds_is_told():
    lid = Lid()
    lid.opens()
    lid.wait(LID_LIMIT_MS + BACK_MS + WAIT_MS)
    lid.switch(LID_IS_OPEN, 1)
    lid.wait(PRESS_MS)
    assert [what for _, what in lid.told] == ["retried", "arrived"]


@pytest.mark.parametrize("doing", ["going", "pressing", "going back", "waiting"])
def test_it_stands_when_it_is_stopped_whatever_it_was_doing(doing):
    lid = Lid()
    lid.opens()
    if doing == "pressing":
        lid.wait(LID_LEAST_MS)
        lid.switch(LID_IS_OPEN, 1)
    elif doing != "going":
        lid.wait(LID_LIMIT_MS - 40 + (BACK_MS if doing == "waiting" else 0))
    assert lid.outputs.mask == {"going": LID_OPEN, "pressing": LID_OPEN, "going back": LID_CLOSE, "waiting": 0}[doing]
    lid.wait(10)
    lid.travel.stop(lid.now_ms)
    assert (lid.outputs.mask, lid.travel.due, lid.travel.is_moving()) == (0, NEVER, False)
    lid.wait(20_000)
    assert (lid.outputs.mask, lid.told) == (0, [])
