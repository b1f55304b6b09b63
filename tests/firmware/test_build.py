"""Builds with lanes that are played by hand: the ends there are, what each names, and what stays after a stop."""

import itertools

import pytest

from tests.firmware.hands import DARK_MS, Hands
from wallwright_firmware.memory import plan_is_possible
from wallwright_firmware.safety import BUILD_LIMIT_MS
from wallwright_protocol import codes
from wallwright_protocol.hardware import CARRIER_STACKS, CONVEYOR, DEFAULT_PLANS, DISC, HEAD, RING, SIDES, drive_bit

PLAN = (14, 13, 14, 13)
BIGGER_MS = 130
"""A tile of a bigger set in the counting eye."""
LONGEST_MS = 300_000


@pytest.mark.parametrize("tiles", DEFAULT_PLANS)
def test_a_plan_uses_up_the_set_and_fits_the_carriers(tiles):
    half = tiles // 2
    for sides in itertools.product(range(-1, 22, 1), repeat=3):
        plan = (*sides, half - sum(sides))
        assert plan_is_possible(plan, tiles) == all(1 <= stacks <= CARRIER_STACKS for stacks in plan)
    assert plan_is_possible(DEFAULT_PLANS[tiles], tiles)
    assert not plan_is_possible((14, 13, 14, 14), 108)


@pytest.mark.parametrize("plan", [PLAN, (19, 19, 10, 6), (1, 19, 19, 15)])
def test_a_build_ends_with_its_last_side_and_tells_each_one_when_it_is_whole(plan):
    hands = Hands()
    hands.start(plan)
    assert hands.outputs.mask == DISC | RING | sum(drive_bit(side, CONVEYOR) for side in range(SIDES))
    for side in (2, 0, 3, 1):
        hands.fill(side, 2 * plan[side])
        hands.wait(1_000)
        assert not hands.outputs.mask & drive_bit(side, CONVEYOR) or hands.ends()
    assert [what[1:3] for what in hands.told if what[0] == "side"] == [(side, plan[side]) for side in (2, 0, 3, 1)]
    assert [what[0] for what in hands.ends()] == ["finished"]
    assert hands.build.stacks() == plan
    assert not hands.build.partial
    hands.wait(10_000)
    assert hands.told[-1] == ("checked",)
    assert hands.outputs.mask == 0


def test_an_impossible_plan_is_a_fault_and_nothing_moves():
    hands = Hands()
    hands.start((14, 13, 14, 12))
    assert hands.told == [("failed", codes.PLAN_IMPOSSIBLE, codes.NO_SIDE, 106, 108)]
    assert hands.outputs.mask == 0
    assert not hands.build.running


@pytest.mark.parametrize(
    ("lack", "fault", "side"),
    [
        ((0, 0, 1, 0), codes.TILE_MISSING, 2),
        ((1, 0, 0, 3), codes.TILE_MISSING, 3),
        ((0, 9, 0, 0), codes.SIDE_SHORT, 1),
        ((3, 9, 2, 8), codes.FACE_UP_STUCK, 1),
    ],
)
def test_a_build_that_starves_names_why_and_the_side_that_lacks_the_most(lack, fault, side):
    hands = Hands()
    hands.start(PLAN)
    for each in range(SIDES):
        hands.fill(each, 2 * PLAN[each] - lack[each])
    hands.wait(LONGEST_MS)
    assert hands.ends() == [("failed", fault, side, 2 * PLAN[side] - lack[side], 2 * PLAN[side])]
    assert hands.outputs.mask == 0


def test_lanes_start_one_a_poll_and_a_stop_between_them_leaves_the_others_alone():
    for polls in range(1 + SIDES + 1):
        hands = Hands()
        hands.build.start(hands.now_ms, PLAN)
        assert hands.outputs.mask == 0
        for done in range(polls):
            hands.build.poll(hands.now_ms)
            assert hands.outputs.mask == DISC | RING | sum(drive_bit(side, CONVEYOR) for side in range(done))
        hands.fail(codes.STOPPED, 0, 0, 0)
        hands.wait(1_000)
        assert hands.outputs.mask == 0
        assert all(lane.at_rest for lane in hands.build.lanes)


@pytest.mark.parametrize("polls", range(1 + SIDES + 1))
def test_a_pause_while_the_lanes_start_comes_to_rest(polls):
    hands = Hands()
    hands.build.start(hands.now_ms, PLAN)
    for _ in range(polls):
        hands.build.poll(hands.now_ms)
    hands.build.pause(hands.now_ms)
    hands.wait(0)
    hands.wait(1_000)
    assert (hands.ends(), hands.outputs.mask) == ([("paused",)], 0)
    hands.start(PLAN)
    for side in range(SIDES):
        hands.fill(side, 2 * PLAN[side])
    hands.wait(2_000)
    assert hands.ends()[-1][0] == "finished"


@pytest.mark.parametrize("slow", range(SIDES))
def test_a_build_whose_tiles_come_too_slowly_runs_out_of_time_and_names_the_side_that_lacks_the_most(slow):
    hands = Hands()
    hands.start(PLAN)
    started_ms = hands.now_ms
    for side in range(SIDES):
        hands.fill(side, 0 if side == slow else 2 * PLAN[side] - 1)
    while not hands.ends() and hands.now_ms < started_ms + LONGEST_MS:
        hands.wait(2_500)
        hands.tile(slow)
    found = hands.build.lanes[slow].tiles()
    assert 1 < found < 2 * PLAN[slow] - 1
    assert hands.ends() == [("failed", codes.SLOW_BUILD, slow, found, 2 * PLAN[slow])]
    assert BUILD_LIMIT_MS <= hands.now_ms - started_ms <= BUILD_LIMIT_MS + 2_500


def test_a_build_that_was_stopped_goes_on_by_its_own_plan_and_counts():
    hands = Hands()
    hands.start(PLAN)
    hands.fill(0, 28)
    hands.fill(1, 7)
    hands.wait(1_000)
    hands.outputs.all_off()
    hands.build.stop(hands.now_ms)
    assert (hands.build.stacks(), hands.build.lanes[1].in_head) == ((14, 3, 0, 0), 1)
    hands.wait(60_000)
    hands.start((13, 14, 13, 14))
    hands.fill(1, 26 - 7)
    hands.fill(2, 28)
    hands.fill(3, 26)
    hands.wait(1_000)
    (end,) = hands.ends()
    assert end[0] == "finished"
    assert hands.build.stacks() == PLAN
    assert isinstance(end[1], int)
    assert end[1] < hands.now_ms - 60_000, "what it stood still does not count as building"


def test_a_paused_build_comes_to_rest_with_every_head_at_home():
    hands = Hands()
    hands.start(PLAN)
    hands.tile(0)
    hands.pass_eye(0, DARK_MS)
    hands.build.pause(hands.now_ms)
    hands.wait(0)
    assert hands.outputs.mask == drive_bit(0, HEAD), "only the stroke goes on"
    assert not hands.ends()
    hands.stroke(0)
    assert [what[0] for what in hands.ends()] == ["paused"]
    assert (hands.outputs.mask, hands.build.stacks()) == (0, (1, 0, 0, 0))


def test_a_lane_with_a_fault_ends_the_build_only_when_the_others_are_whole():
    hands = Hands()
    hands.start(PLAN)
    hands.fill(1, 4)
    hands.pass_eye(1, BIGGER_MS)
    assert hands.build.lanes[1].fault == codes.FOREIGN_TILE
    assert not hands.outputs.mask & drive_bit(1, CONVEYOR)
    assert not hands.ends()
    for side in (0, 2, 3):
        hands.fill(side, 2 * PLAN[side])
    hands.wait(1_000)
    assert hands.ends() == [("failed", codes.FOREIGN_TILE, 1, 5, 26)]
    assert hands.build.stacks() == (14, 2, 14, 13)
