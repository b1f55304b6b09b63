"""What else can end a build, its pause or its check, and a drum whose vanes are late; lanes are played by hand."""

import pytest

from tests.firmware.hands import Hands
from wallwright_protocol import codes
from wallwright_protocol.hardware import DISC, RING, SIDES

PLAN = (14, 13, 14, 13)
DRUM = DISC | RING
VANE_LIMIT_MS = 6_000
START_AGAIN_MS = 1_000
CHECK_MS = 4_000
RETURN_MS = 800


def whole() -> Hands:
    """All walls are whole, the last belt runs back, and the check begins when it is empty."""
    hands = Hands()
    hands.start(PLAN)
    for side in range(SIDES):
        hands.fill(side, 2 * PLAN[side])
    while not hands.ends():
        hands.wait(1)
    hands.wait(0)
    hands.told.clear()
    return hands


def late(hands: Hands) -> None:
    """No vane comes until the disc is started again."""
    hands.vane_ms = hands.now_ms + VANE_LIMIT_MS + START_AGAIN_MS + 100
    hands.wait(VANE_LIMIT_MS + START_AGAIN_MS + 50)


def test_a_held_build_ends_with_the_stacks_that_all_sides_have_and_goes_on_by_its_plan():
    hands = Hands()
    hands.build.start(hands.now_ms, PLAN, True)
    hands.wait(0)
    for side in range(SIDES):
        hands.fill(side, 2 * 13)
    hands.wait(1_000)
    assert hands.told == [("common_built",)]
    assert (hands.outputs.mask, hands.build.stacks(), hands.build.held) == (0, (13, 13, 13, 13), True)
    hands.start((13, 14, 13, 14))
    for side in (1, 3):
        hands.fill(side, 2)
    hands.wait(1_000)
    assert [what[0] for what in hands.ends()] == ["finished"]
    assert hands.build.stacks() == (13, 14, 13, 14)


def test_a_pause_that_is_cut_off_by_a_fault_tells_of_no_pause():
    hands = Hands()
    hands.start(PLAN)
    hands.tile(0)
    hands.pass_eye(0, 80)
    hands.build.pause(hands.now_ms)
    hands.wait(0)
    hands.fail(codes.STOPPED, codes.NO_SIDE, 0, 0)
    hands.wait(10_000)
    assert [what[0] for what in hands.ends()] == ["failed"]
    assert hands.outputs.mask == 0


def test_a_check_is_made_once_however_often_it_is_asked_for_and_is_told_when_it_is_over():
    hands = whole()
    assert not hands.build.happens("check", hands.now_ms)
    hands.wait(CHECK_MS + RETURN_MS // 2)
    assert not hands.outputs.mask & DRUM
    assert hands.build.unchecked
    assert not hands.build.happens("check", hands.now_ms)
    hands.wait(CHECK_MS)
    assert hands.told == [("checked",)]
    assert not hands.build.unchecked


def test_a_check_that_was_stopped_is_made_again_and_finds_the_tile_that_stood_in_the_eye():
    hands = whole()
    hands.wait(CHECK_MS // 2)
    hands.build.stop(hands.now_ms)
    hands.eye(2, 1)
    hands.wait(10_000)
    assert (hands.told, hands.outputs.mask, hands.build.unchecked) == ([], 0, True)
    assert hands.build.happens("check", hands.now_ms)
    hands.wait(200)
    hands.eye(2, 0)
    hands.wait(CHECK_MS * 2)
    assert hands.told == [("failed", codes.TILE_TOO_MANY, 2, 2 * PLAN[2] + 1, 2 * PLAN[2])]
    assert hands.build.unchecked, "until people have seen to it"


def test_a_tile_that_coasts_into_a_head_after_a_stop_is_found_by_the_next_check():
    hands = whole()
    hands.wait(CHECK_MS // 2)
    hands.build.stop(hands.now_ms)
    hands.pass_eye(3, 80)
    hands.build.happens("check", hands.now_ms)
    hands.wait(CHECK_MS * 2)
    assert hands.told == [("failed", codes.TILE_TOO_MANY, 3, 2 * PLAN[3] + 1, 2 * PLAN[3])]


def test_a_fault_while_belts_run_empty_leaves_the_check_to_be_made_again():
    hands = whole()
    hands.wait(CHECK_MS + RETURN_MS // 2)
    assert hands.outputs.mask, "belts run back"
    hands.fail(codes.STOPPED, codes.NO_SIDE, 0, 0)
    hands.wait(10_000)
    assert (hands.told, hands.outputs.mask) == ([("failed", codes.STOPPED, codes.NO_SIDE, 0, 0)], 0)
    assert hands.build.unchecked


def test_a_check_in_which_every_lane_blocks_itself_is_over():
    hands = whole()
    for lane in hands.build.lanes:
        lane.head_pushed(1, hands.now_ms, hands.now_ms)
    assert [lane.fault for lane in hands.build.lanes] == [codes.PUSH_WITHOUT_COUNT] * SIDES
    assert (hands.told, hands.outputs.mask) == ([("checked",)], 0)


def test_a_rotor_that_comes_round_again_is_told_and_the_fourth_time_in_a_build_it_has_failed():
    hands = Hands()
    hands.start(PLAN)
    for again in (1, 2, 3):
        late(hands)
        assert hands.outputs.mask & DRUM == DRUM
        hands.wait(60)
        assert hands.told == [("notice", codes.DISC_STALLED, codes.NO_SIDE, again)]
        hands.told.clear()
        hands.build.counted(hands.now_ms)
    late(hands)
    assert hands.told == [("failed", codes.DISC_STALLED, codes.NO_SIDE, 0, 0)]


@pytest.mark.parametrize("wait_ms", [0, START_AGAIN_MS + 10])
def test_a_late_vane_is_forgotten_with_the_build_that_it_was_late_in(wait_ms):
    hands = Hands()
    hands.start(PLAN)
    hands.vane_ms = hands.now_ms + VANE_LIMIT_MS + START_AGAIN_MS + 100
    hands.wait(VANE_LIMIT_MS + wait_ms)
    assert bool(hands.outputs.mask & DRUM) == bool(wait_ms)
    hands.fail(codes.STOPPED, codes.NO_SIDE, 0, 0)
    hands.told.clear()
    hands.start(PLAN)
    hands.wait(5_000)
    assert hands.told == []


def test_a_rotor_that_is_late_when_the_walls_get_whole_is_told_when_it_has_come_round():
    hands = Hands()
    hands.start(PLAN)
    for side in range(SIDES):
        hands.fill(side, 2 * PLAN[side] - (side == 0))
    late(hands)
    hands.vane_ms = hands.now_ms + 3_000
    hands.told.clear()
    hands.fill(0, 1)
    hands.wait(1_000)
    assert [what[0] for what in hands.ends()] == ["finished"]
    hands.wait(2_000)
    assert hands.told[-1] == ("notice", codes.DISC_STALLED, codes.NO_SIDE, 1)
