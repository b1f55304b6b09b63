"""An act is done a step a poll, and nobody finds a table half-way through one."""

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.usual import DEBOUNCE_MS
from wallwright_firmware.app import App
from wallwright_firmware.steps import Steps
from wallwright_protocol import codes
from wallwright_protocol.codec import EVENTS, NUMBER_OF
from wallwright_protocol.hardware import EMERGENCY_STOP, LIFT_KEY, input_number

PRESSED_MS = 1_000
STEPS_OF_A_BUILD = 5
"""A lift key's meaning, the state that follows from it, what the panels show of that, the plan, the build."""


def settled(app, now_ms):
    app.poll(now_ms, b"")
    while app.due <= now_ms:
        app.poll(now_ms, b"")


def at_a_key(wash_s=0):
    """A table at rest in the poll in which its lift key settles."""
    board = FakeBoard(wash_s=wash_s)
    app = App(board, b"unit", 108)
    settled(app, 0)
    board.edge(PRESSED_MS - DEBOUNCE_MS, input_number(0, LIFT_KEY), 1)
    app.poll(PRESSED_MS - 1, b"")
    while not app.cycle.steps.waiting:
        assert app.due <= PRESSED_MS
        app.poll(PRESSED_MS, b"")
    return app, board


def names(app, seq):
    """The names of the events above `seq`."""
    found = []
    while (event := app.events.after(seq)) is not None:
        seq = event[0]
        found.append(next(name for name, number in NUMBER_OF.items() if number == event[3] and number in EVENTS))
    return found


def test_what_a_step_adds_comes_before_the_steps_that_waited_for_it():
    steps = Steps()
    done = []

    def first():
        done.append("first")
        steps.add(done.append, "its first")
        steps.add(done.append, "its second")

    steps.add(first)
    steps.add(done.append, "second")
    waiting = steps.waiting
    while waiting:
        steps.do_one()
    assert done == ["first", "its first", "its second", "second"]
    assert steps.waiting is waiting


@pytest.mark.parametrize("wash_s", [0, 30])
def test_nothing_is_switched_stored_or_told_of_before_the_last_step(wash_s):
    app, board = at_a_key(wash_s)
    driven, saved = len(board.driven), len(board.saved)
    polls = 0
    while app.cycle.steps.waiting:
        assert app.poll(PRESSED_MS, b"") == b""
        polls += 1
    assert polls == STEPS_OF_A_BUILD
    assert (len(board.driven), len(board.saved)) == (driven, saved)
    settled(app, PRESSED_MS)
    assert len(board.saved) == saved + (not wash_s), "an act is stored once; a wash is none that lasts"
    assert board.saved[-1][2] == 0
    assert board.driven[-1]


@pytest.mark.parametrize("wash_s", [0, 30])
@pytest.mark.parametrize("polls", range(STEPS_OF_A_BUILD + 1))
def test_an_emergency_stop_between_two_steps_leaves_nothing_on_and_a_table_that_starts(polls, wash_s):
    app, board = at_a_key(wash_s)
    newest = app.events.newest()
    for _ in range(polls):
        app.poll(PRESSED_MS, b"")
    driven = len(board.driven)
    board.edge(PRESSED_MS, EMERGENCY_STOP, 1)
    for now_ms in range(PRESSED_MS + 1, PRESSED_MS + DEBOUNCE_MS):
        settled(app, now_ms)
    settled(app, PRESSED_MS + DEBOUNCE_MS)
    assert not any(board.driven[driven:])
    assert (app.cycle.state, app.cycle.fault) == (codes.FAULT, codes.EMERGENCY_STOP)
    assert names(app, newest).count("fault") == 1
    board.edge(PRESSED_MS + 1_000, EMERGENCY_STOP, 0)
    settled(app, PRESSED_MS + 1_001)
    settled(app, PRESSED_MS + 1_100)
    assert app.cycle.clear(codes.FROM_HOST)
    settled(app, PRESSED_MS + 1_100)
    assert app.cycle.state == codes.IDLE
    assert app.cycle.trigger("start_build")
    settled(app, PRESSED_MS + 1_200)
    assert app.outputs.mask


@pytest.mark.parametrize("polls", range(STEPS_OF_A_BUILD))
def test_the_emergency_stop_settles_before_the_next_step(polls):
    """Its edge has come before, and it becomes steady while the steps of a key wait."""
    app, board = at_a_key()
    board.edge(PRESSED_MS, EMERGENCY_STOP, 1)
    for _ in range(polls):
        app.poll(PRESSED_MS, b"")
    assert app.cycle.steps.waiting
    app.poll(PRESSED_MS + DEBOUNCE_MS, b"")
    if app.cycle.fault == codes.NO_FAULT:
        app.poll(PRESSED_MS + DEBOUNCE_MS, b"")  # that one took the edge
    assert app.cycle.fault == codes.EMERGENCY_STOP
    settled(app, PRESSED_MS + DEBOUNCE_MS)
    assert not app.outputs.mask
    assert app.cycle.state == codes.FAULT
    assert not app.build.running


def test_a_drive_that_an_act_has_switched_off_is_off_before_its_next_step():
    app, board = at_a_key(wash_s=30)
    settled(app, PRESSED_MS)
    assert board.driven[-1]
    app.outputs.off(app.outputs.mask)
    app.cycle.steps.add(app.status.payload)
    app.cycle.steps.add(app.status.payload)
    app.poll(PRESSED_MS + 1, b"")
    assert app.cycle.steps.waiting
    assert board.driven[-1] == 0
