"""What must not wait for an input to settle does not: drives are held back from the first edge on."""

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.scenarios.table import Table
from tests.usual import DEBOUNCE_MS
from wallwright_firmware.app import App
from wallwright_firmware.build import RUNS
from wallwright_firmware.safety import HELD_BY, LEVEL, interlocks
from wallwright_protocol.codes import EMERGENCY_STOP as STOP_FAULT
from wallwright_protocol.codes import LID_LIMITS
from wallwright_protocol.hardware import (
    COUNT_EYE,
    DRIVES,
    EMERGENCY_STOP,
    HEAD,
    HEAD_HOME,
    LID_IS_CLOSED,
    SIDES,
    drive_bit,
    input_number,
)
from wallwright_simulator.sensors import Sensors


def poll_until_done(app, now_ms):
    """The state is stored, in polls of its own, before a drive is switched."""
    app.poll(now_ms, b"")
    while app.due <= now_ms:
        app.poll(now_ms, b"")


@pytest.mark.parametrize(
    ("number", "level", "fault"), [(EMERGENCY_STOP, 1, STOP_FAULT), (LID_IS_CLOSED, 0, LID_LIMITS)]
)
def test_outputs_go_off_with_the_first_sample_of_an_emergency_input(seed, number, level, fault):
    board = FakeBoard()
    app = App(board, b"unit", 108)
    poll_until_done(app, 0)
    app.outputs.on(drive_bit(0, 0), 0)
    app.cycle.state = 2
    poll_until_done(app, 1_000)
    assert board.driven[-1]
    board.edge(1_003, number, level)
    app.poll(1_004, b"")
    assert board.driven[-1] == 0
    assert app.cycle.fault == 0, "it has not settled yet"
    poll_until_done(app, 1_003 + DEBOUNCE_MS)
    assert app.cycle.fault == fault


def test_a_glitch_is_a_pause_and_no_fault():
    board = FakeBoard()
    app = App(board, b"unit", 108)
    poll_until_done(app, 0)
    app.outputs.on(drive_bit(0, 0), 0)
    app.cycle.state = 2
    poll_until_done(app, 1_000)
    on = board.driven[-1]
    board.edge(1_003, EMERGENCY_STOP, 1)
    board.edge(1_004, EMERGENCY_STOP, 0)
    app.poll(1_005, b"")
    assert board.driven[-1] == 0
    app.poll(1_008, b"")
    assert board.driven[-1] == 0, "it has not settled yet"
    for now_ms in range(1_009, 1_012):
        app.poll(now_ms, b"")
    assert board.driven[-1] == on
    assert app.cycle.fault == 0


def test_a_head_s_motor_is_off_when_its_home_vane_is_seen(seed, monkeypatch):
    table = Table(seed)
    seen: dict[int, list[int]] = {side: [] for side in range(SIDES)}
    show = Sensors._show

    def watch(sensors: Sensors, number: int, level: int) -> None:
        for side in range(SIDES):
            if level and number == input_number(side, HEAD_HOME) and not sensors.levels[number]:
                seen[side].append(table.now_ms)
        show(sensors, number, level)

    monkeypatch.setattr(Sensors, "_show", watch)
    table.build()
    for side, homes_ms in seen.items():
        bit = drive_bit(side, HEAD)
        log = table.world.drive_log
        offs_ms = [log[at][0] for at in range(1, len(log)) if log[at - 1][1] & bit and not log[at][1] & bit]
        assert len(homes_ms) >= 13
        assert set(homes_ms) <= set(offs_ms), "virtual time: within the same ms"


def test_a_tile_s_dark_time_is_that_between_its_edges_however_late_the_polls_are():
    board = FakeBoard()
    app = App(board, b"unit", 108)
    poll_until_done(app, 0)
    lane = app.build.lanes[0]
    app.cycle.state = 2
    app.build.state = RUNS
    app.build.partial = True
    app.build.plan = (14, 13, 14, 13)
    lane.wanted = 14
    lane.start(10)
    poll_until_done(app, 10)
    eye = input_number(0, COUNT_EYE)
    for begins_ms in (1_000, 1_200):
        board.edge(begins_ms, eye, 1)
        board.edge(begins_ms + 80, eye, 0)
        # The poll that sees the tile come is 75 ms late, and the one that sees it go is in time.
        for now_ms in (begins_ms + 75, begins_ms + 85, begins_ms + 86):
            app.poll(now_ms, b"")
    assert lane.fault == 0
    assert lane.in_head == 2


def test_every_row_of_the_interlocks_holds_its_drive_back():
    for bit, number, level in interlocks():
        assert HELD_BY[number if level else number + LEVEL] & bit
    assert HELD_BY[EMERGENCY_STOP + LEVEL] == (1 << DRIVES) - 1
