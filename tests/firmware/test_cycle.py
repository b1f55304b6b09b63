"""The transition table itself: what leads where, what starts to move by it, and that nothing else does."""

from itertools import product

import pytest

from tests.firmware.fake_board import FakeBoard
from wallwright_firmware.app import App
from wallwright_firmware.cycle import _ACTIONS
from wallwright_protocol import codes
from wallwright_protocol.hardware import (
    CONVEYOR,
    DISC,
    LID_CLOSE,
    LID_IS_CLOSED,
    LID_IS_OPEN,
    LID_OPEN,
    LIFT_DOWN,
    LIFT_LOWER,
    LIFT_RAISE,
    LIFT_UP,
    RING,
    SIDES,
    drive_bit,
    input_number,
)
from wallwright_protocol.names import STATES
from wallwright_protocol.settings import WASH
from wallwright_protocol.transitions import RESTING, TRANSITIONS

TRIGGERS = sorted({trigger for _, trigger in TRANSITIONS})
ARRIVALS = {
    "built",
    "paused",
    "lid_opened",
    "lid_closed_whole",
    "lid_closed_empty",
    "lid_closed_partial",
    "lid_closed_unwashed",
    "mixed",
    "lifts_up",
    "lifts_back",
    "lifts_down",
}
"""Triggers that are the end of a motion; all others are acts of people or of the host."""
MOVING = {
    codes.BUILDING,
    codes.PAUSING,
    codes.LID_OPENING,
    codes.LID_CLOSING,
    codes.LIFTING,
    codes.LOWERING,
    codes.SHUFFLING,
}
"""States in which something has to move."""
FOUND = {codes.STOPPED_RAISING}
"""A state that a table finds itself in after a fault or a power loss; nothing leads there."""


def each_side(kind):
    return sum(drive_bit(side, kind) for side in range(SIDES))


def lift_levels(board, up):
    for side in range(SIDES):
        board.levels[input_number(side, LIFT_UP)] = int(up == 1)
        board.levels[input_number(side, LIFT_DOWN)] = int(up == 0)


def lid_levels(board, is_open):
    board.levels[LID_IS_OPEN] = is_open
    board.levels[LID_IS_CLOSED] = 1 - is_open


def settle(app):
    """Poll until nothing is due any more."""
    app.poll(0, b"")
    while app.due <= 0:
        app.poll(0, b"")


def app_in(state, *, lid_open=0, lifts_up=0, whole=False, wash_s=0):
    """An app whose switches and state are these."""
    board = FakeBoard()
    lid_levels(board, lid_open)
    lift_levels(board, lifts_up)
    app = App(board, b"CYCLE", 108)
    app.settings.values[WASH] = wash_s
    settle(app)
    app.cycle.state = state
    app.cycle.whole = whole
    board.driven.clear()
    return app, board


@pytest.mark.parametrize("trigger", TRIGGERS)
@pytest.mark.parametrize("state", range(len(STATES)), ids=STATES)
def test_a_trigger_without_a_row_does_nothing(state, trigger):
    if (state, trigger) in TRANSITIONS:
        return
    app, board = app_in(state)
    newest = app.events.newest()
    assert not app.cycle.trigger(trigger)
    app.outputs.flush(0)
    assert (app.cycle.state, board.driven, app.events.newest()) == (state, [], newest)


def test_every_action_of_the_table_exists():
    assert {action for _, action in TRANSITIONS.values()} == {*_ACTIONS, "rest"}


def test_no_row_leads_out_of_a_fault_or_of_the_start():
    assert not [row for row in TRANSITIONS if row[0] in (codes.FAULT, codes.STARTING)]


def test_every_state_can_be_reached_from_rest_and_left_again():
    reached = {codes.IDLE}
    while True:
        more = {to for (state, _), (to, _) in TRANSITIONS.items() if state in reached} - reached
        if not more:
            break
        reached |= more
    assert reached == set(range(len(STATES))) - {codes.FAULT, codes.STARTING} - FOUND
    left = {state for state, _ in TRANSITIONS}
    assert left >= reached - {codes.SERVICE} | FOUND


def test_a_table_comes_to_rest_where_its_switches_say():
    rests = set()
    for lid_open, lifts_up, whole, dropped, rolled in product((0, 1), (0, None, 1), *[(False, True)] * 3):
        app, _ = app_in(codes.STARTING, lid_open=lid_open, lifts_up=lifts_up, whole=whole)
        app.cycle.dropped = dropped
        app.cycle.dice = (3, 4, 0) if rolled else (0, 0, 0)
        app.cycle.come_to_rest()
        rests.add(app.cycle.state)
    assert rests - {codes.FAULT} == set(RESTING)


def test_people_and_host_cannot_report_an_arrival_and_motions_wait_for_theirs():
    acts = set(TRIGGERS) - ARRIVALS
    for (state, trigger), (_, action) in TRANSITIONS.items():
        if trigger in ARRIVALS:
            assert state in MOVING
        if state in MOVING - {codes.BUILDING, codes.SHUFFLING, codes.LOWERING}:
            assert trigger not in acts, "nobody cuts into a motion of lid or lifts but for carriers that sink full"
        if action in ("open_lid", "close_lid", "raise_lifts", "lower_lifts", "start_build", "pause_build"):
            assert TRANSITIONS[state, trigger][0] in MOVING


@pytest.mark.parametrize(
    ("state", "trigger", "next_state", "levels", "drives"),
    [
        (codes.IDLE, "lift_key", codes.BUILDING, {}, DISC | RING | each_side(CONVEYOR)),
        (codes.IDLE, "start_build", codes.BUILDING, {}, DISC | RING | each_side(CONVEYOR)),
        (codes.IDLE, "open_lid", codes.LID_OPENING, {}, LID_OPEN),
        (codes.IDLE, "two_keys", codes.LID_OPENING, {}, LID_OPEN),
        (codes.READY, "lift_key", codes.LID_OPENING, {"whole": True}, LID_OPEN),
        (codes.LID_OPEN, "lift_key", codes.LID_CLOSING, {"lid_open": 1}, LID_CLOSE),
        (codes.LID_OPEN, "raise_walls", codes.LID_CLOSING, {"lid_open": 1}, LID_CLOSE),
        (codes.LID_CLOSING, "lid_closed_whole", codes.LIFTING, {"whole": True}, each_side(LIFT_RAISE)),
        (codes.LID_CLOSING, "lid_closed_empty", codes.IDLE, {}, 0),
        (codes.LID_CLOSING, "lid_closed_unwashed", codes.SHUFFLING, {"wash_s": 60}, DISC),
        (codes.IDLE, "lift_key", codes.SHUFFLING, {"wash_s": 60}, DISC),
        (codes.IDLE, "start_build", codes.SHUFFLING, {"wash_s": 240}, DISC),
        (codes.LOWERING, "lifts_down", codes.SHUFFLING, {"wash_s": 1}, DISC),
        (codes.SHUFFLING, "lift_key", codes.BUILDING, {"wash_s": 60}, DISC | RING | each_side(CONVEYOR)),
        (codes.SHUFFLING, "hurry", codes.BUILDING, {"wash_s": 60}, DISC | RING | each_side(CONVEYOR)),
        (codes.SHUFFLING, "open_lid", codes.LID_OPENING, {"wash_s": 60}, LID_OPEN),
        (codes.LIFTING, "lifts_up", codes.WALLS_UP, {"lifts_up": 1, "whole": True}, 0),
        (codes.WALLS_UP, "dice_key", codes.LOWERING, {"lifts_up": 1}, each_side(LIFT_LOWER)),
        (codes.WALLS_UP, "lower_lifts", codes.LOWERING, {"lifts_up": 1}, each_side(LIFT_LOWER)),
        (codes.LOWERING, "lift_key", codes.LIFTING, {}, each_side(LIFT_RAISE)),
        (codes.LIFTING, "lifts_back", codes.STOPPED_LOWERING, {"lifts_up": 1}, 0),
        (codes.STOPPED_RAISING, "lift_key", codes.LIFTING, {"whole": True}, each_side(LIFT_RAISE)),
        (codes.STOPPED_LOWERING, "lift_key", codes.LOWERING, {"lifts_up": 1}, each_side(LIFT_LOWER)),
    ],
)
def test_a_row_leads_to_its_state_and_switches_on_its_own_drives_and_no_others(
    state, trigger, next_state, levels, drives
):
    app, board = app_in(state, **levels)
    assert app.cycle.trigger(trigger)
    settle(app)
    assert app.cycle.state == next_state
    assert app.outputs.mask == drives
    driven = board.driven[-1] if board.driven else 0
    assert driven & ~drives == 0, "others wait for their start"
    assert bool(driven) == bool(drives)


@pytest.mark.parametrize("dealer", range(SIDES))
@pytest.mark.parametrize("planned_for", range(SIDES))
def test_a_plan_turns_with_the_dealer_unless_it_is_fixed(dealer, planned_for):
    app, _ = app_in(codes.IDLE)
    plan = [13, 13, 13, 13]
    plan[planned_for] = plan[(planned_for + 2) % SIDES] = 14
    app.cycle.plan = tuple(plan)
    app.cycle.plan_dealer = planned_for
    app.cycle.dealer = dealer
    turned = app.cycle.next_plan()
    assert [turned[(dealer + step) % SIDES] for step in range(SIDES)] == [14, 13, 14, 13]
    app.cycle.plan_mode = codes.FIXED
    assert app.cycle.next_plan() == tuple(plan)


def test_walls_that_have_come_up_change_places_with_the_set_in_play():
    app, _ = app_in(codes.LIFTING, lifts_up=1, whole=True)
    assert (app.cycle.set_above, app.cycle.deal) == (1, 0)
    app.cycle.trigger("lifts_up")
    settle(app)
    assert (app.cycle.set_above, app.cycle.deal, app.cycle.whole) == (0, 1, False)
    assert app.build.stacks() == (0, 0, 0, 0)


def test_a_second_fault_stops_everything_but_does_not_hide_the_first():
    app, board = app_in(codes.IDLE)
    app.cycle.trigger("start_build")
    settle(app)
    app.cycle.fail(codes.LANE_JAM, 2, 5, 28)
    app.cycle.fail(codes.LIFT_STALL, 1, 0, 0)
    settle(app)
    assert (app.cycle.fault, app.cycle.fault_side, board.driven[-1]) == (codes.LANE_JAM, 2, 0)
    assert board.shown == [f"E{codes.LANE_JAM:02d} S2"] * SIDES
