"""What a build tries when tiles do not come, and what it names when people have done what it said and none comes."""

import pytest

from tests.firmware.hands import DARK_MS, STROKE_MS, Hands
from tests.usual import LEAST_STROKE_MS
from wallwright_firmware.drivers.lane_times import JOGS
from wallwright_firmware.safety import BUILD_LIMIT_MS
from wallwright_protocol import codes
from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    COUNT_EYE,
    HEAD,
    HEAD_HOME,
    SIDES,
    drive_bit,
    input_number,
)

PLAN = (14, 13, 14, 13)
LONGEST_MS = 300_000
SHAKEN_MS = 8_300
"""So long after the last tile the drum is being shaken."""


def lacking(*lack: int) -> Hands:
    """A build that gets everything but so many tiles a side."""
    hands = Hands()
    hands.start(PLAN)
    for side in range(SIDES):
        hands.fill(side, 2 * PLAN[side] - lack[side])
    hands.wait(1_000)
    return hands


def next_fault(hands: Hands) -> tuple[int, int]:
    """Wait until the build fails; people then do what the words say, and start it again. Return fault and side."""
    hands.wait(LONGEST_MS)
    _, fault, side, _, _ = hands.ends()[-1]
    assert isinstance(fault, int)
    assert isinstance(side, int)
    hands.told.clear()
    hands.build.mend(fault, side)
    hands.start(PLAN)
    return fault, side


def home_is(hands: Hands, side: int, level: int) -> None:
    hands.board.levels[input_number(side, HEAD_HOME)] = level
    hands.build.lanes[side].head_home(level, hands.now_ms, hands.now_ms)


def test_what_lanes_that_lack_tiles_have_on_their_belts_goes_back_when_the_drum_is_shaken():
    hands = lacking(0, 1, 0, 2)
    counted_ms = hands.now_ms - 1_000 - STROKE_MS
    hands.wait(SHAKEN_MS - hands.now_ms + counted_ms)
    backwards = sum(drive_bit(side, CONVEYOR_REVERSE) for side in (1, 3))
    belts = sum(drive_bit(side, kind) for side in range(SIDES) for kind in (CONVEYOR, CONVEYOR_REVERSE))
    assert hands.outputs.mask & belts == backwards
    hands.wait(1_000)
    assert hands.outputs.mask & belts == sum(drive_bit(side, CONVEYOR) for side in (1, 3))
    hands.fill(1, 1)
    hands.fill(3, 2)
    hands.wait(1_000)
    assert [what[0] for what in hands.ends()] == ["finished"]
    assert [what for what in hands.told if what[0] == "notice"] == [("notice", codes.FACE_UP_STUCK, codes.NO_SIDE, 1)]


@pytest.mark.parametrize(
    ("lack", "first"),
    [
        ((1, 0, 0, 0), (codes.TILE_MISSING, 0)),
        ((0, 0, 6, 0), (codes.SIDE_SHORT, 2)),
        ((3, 0, 5, 1), (codes.FACE_UP_STUCK, 2)),
    ],
)
def test_tiles_that_nobody_finds_are_looked_for_in_one_head_after_the_other(lack, first):
    hands = lacking(*lack)
    sides = sorted((side for side in range(SIDES) if lack[side]), key=lambda side: -lack[side])
    assert next_fault(hands) == first
    for side in sides:
        in_head = hands.build.lanes[side].in_head
        assert in_head == lack[side] % 2
        assert next_fault(hands) == (codes.EYE_DEAD, side)
        assert hands.build.lanes[side].in_head == 0, "the words have the head emptied"
    assert next_fault(hands)[0] == first[0], "and so on, as long as people try"


def test_a_tile_that_comes_makes_the_search_begin_anew():
    hands = lacking(2, 0, 0, 1)
    assert next_fault(hands) == (codes.TILE_MISSING, 0)
    hands.fill(0, 1)
    assert next_fault(hands) == (codes.TILE_MISSING, 0)
    assert next_fault(hands) == (codes.EYE_DEAD, 0)


def test_a_build_has_time_for_the_last_stroke():
    hands = Hands()
    hands.start(PLAN)
    for side in range(SIDES):
        hands.fill(side, 2 * PLAN[side] - (side == 2))
    while hands.now_ms < 1_000 + BUILD_LIMIT_MS - DARK_MS - 10:
        hands.wait(10)
        hands.build.counted(hands.now_ms)
    hands.pass_eye(2, DARK_MS)
    hands.wait(20)
    hands.stroke(2)
    hands.wait(1_000)
    assert hands.now_ms > 1_000 + BUILD_LIMIT_MS
    assert [what[0] for what in hands.ends()] == ["finished"]


def test_two_lanes_that_block_are_shown_and_mended_one_after_the_other():
    hands = Hands()
    hands.start(PLAN)
    for side, dark_ms in ((1, 130), (3, 45)):
        hands.tile(side)
        hands.pass_eye(side, dark_ms)
    for side in (0, 2):
        hands.fill(side, 2 * PLAN[side])
    hands.wait(1_000)
    assert hands.ends() == [("failed", codes.FOREIGN_TILE, 1, 2, 26)]
    hands.build.mend(codes.EMERGENCY_STOP, codes.NO_SIDE)
    assert [lane.fault for lane in hands.build.lanes] == [0, codes.FOREIGN_TILE, 0, codes.FOREIGN_TILE]
    hands.build.mend(codes.FOREIGN_TILE, 1)
    assert [(lane.fault, lane.in_head) for lane in hands.build.lanes] == [
        (0, 0),
        (0, 0),
        (0, 0),
        (codes.FOREIGN_TILE, 2),
    ]
    assert hands.build.fail_blocked()
    assert hands.ends()[-1] == ("failed", codes.FOREIGN_TILE, 3, 2, 26)
    hands.build.mend(codes.FOREIGN_TILE, 3)
    assert not hands.build.fail_blocked()


def darken_and_jog(hands: Hands, side: int) -> None:
    """Dirt darkens the eye for two seconds, so that the belt is jogged; it falls off while the belt runs back."""
    eye = input_number(side, COUNT_EYE)
    lane = hands.build.lanes[side]
    hands.board.levels[eye] = 1
    lane.count_eye(1, hands.now_ms, hands.now_ms)
    while not hands.outputs.mask & drive_bit(side, CONVEYOR_REVERSE):
        hands.wait(10)
    hands.board.levels[eye] = 0
    lane.count_eye(0, hands.now_ms, hands.now_ms)


def test_an_eye_that_was_dark_for_long_is_what_is_named_when_a_tile_is_lacking_afterwards():
    hands = lacking(0, 1, 1, 0)
    darken_and_jog(hands, 2)
    hands.wait(LONGEST_MS)
    assert hands.ends() == [("failed", codes.EYE_BLOCKED, 2, 27, 28)]
    assert [lane.fault for lane in hands.build.lanes] == [0, 0, codes.EYE_BLOCKED, 0]


def test_of_two_doubted_eyes_that_of_the_side_which_lacks_more_is_named_first():
    hands = lacking(0, 1, 2, 0)
    for side in (1, 2):
        darken_and_jog(hands, side)
    hands.wait(LONGEST_MS)
    assert hands.ends() == [("failed", codes.EYE_BLOCKED, 2, 26, 28)]
    assert [lane.fault for lane in hands.build.lanes] == [0, 0, codes.EYE_BLOCKED, 0]
    assert next_fault(hands) == (codes.EYE_BLOCKED, 2)
    assert next_fault(hands) == (codes.EYE_BLOCKED, 1)


@pytest.mark.parametrize("side", range(SIDES))
def test_a_jam_that_a_jog_has_freed_is_told_with_its_side_and_how_many_it_took(side):
    hands = Hands()
    hands.start(PLAN)
    lane = hands.build.lanes[side]
    for jogs in (1, 2):
        for _ in range(jogs):
            lane.belt_full(1, hands.now_ms)
            while not hands.outputs.mask & drive_bit(side, CONVEYOR_REVERSE):
                hands.wait(50)
            lane.belt_full(0, hands.now_ms)
            while hands.outputs.mask & drive_bit(side, CONVEYOR_REVERSE):
                hands.wait(50)
        hands.tile(side)
        assert hands.told == [("notice", codes.LANE_JAM, side, jogs)]
        hands.told.clear()


@pytest.mark.parametrize("side", range(SIDES))
def test_a_stroke_that_came_round_at_the_second_try_is_told_with_its_side(side):
    hands = Hands()
    hands.start(PLAN)
    hands.tile(side)
    hands.pass_eye(side, DARK_MS)
    head = drive_bit(side, HEAD)
    while hands.outputs.mask & head:
        hands.wait(10)
    while not hands.outputs.mask & head:
        hands.wait(10)
    hands.stroke(side)
    assert hands.told == [("notice", codes.HEAD_JAM, side, 1)]
    assert hands.build.lanes[side].stacks == 1


def test_a_stroke_with_two_counted_tiles_ends_the_doubt_about_what_the_dark_eye_has_missed():
    hands = Hands()
    hands.start(PLAN)
    darken_and_jog(hands, 0)
    hands.wait(1_000)
    for side in range(SIDES):
        hands.fill(side, 2 * PLAN[side] - (side == 0))
    hands.wait(LONGEST_MS)
    assert hands.ends()[-1][1:3] == (codes.TILE_MISSING, 0)


@pytest.mark.parametrize(("seen", "names"), [(True, (codes.LANE_JAM, codes.EYE_DEAD)), (False, (codes.EYE_DEAD,) * 2)])
def test_tiles_that_stand_are_a_jam_first_and_a_dead_eye_when_none_was_seen_since(seen, names):
    hands = Hands()
    hands.start(PLAN)
    lane = hands.build.lanes[0]
    if seen:
        hands.tile(0)
    for name in names:
        jogs = 0
        queues = True
        lane.belt_full(1, hands.now_ms)
        while not lane.fault:
            hands.wait(50)
            if bool(hands.outputs.mask & drive_bit(0, CONVEYOR_REVERSE)) == queues:
                queues = not queues
                jogs += not queues
                lane.belt_full(int(queues), hands.now_ms)
        assert lane.fault == name
        assert jogs >= JOGS
        hands.build.stop(hands.now_ms)
        hands.build.mend(name, 0)
        hands.start(PLAN)


def test_a_tile_left_in_the_gate_by_people_goes_back_and_comes_again():
    hands = Hands()
    hands.start(PLAN)
    lane = hands.build.lanes[3]
    eye = input_number(3, COUNT_EYE)
    hands.board.levels[eye] = 1
    lane.count_eye(1, hands.now_ms, hands.now_ms)
    hands.wait(LONGEST_MS // 10)
    assert lane.fault == codes.EYE_BLOCKED
    hands.build.stop(hands.now_ms)
    hands.build.mend(codes.EYE_BLOCKED, 3)
    hands.board.driven.clear()
    hands.start(PLAN)
    assert hands.outputs.mask & drive_bit(3, CONVEYOR_REVERSE)
    assert not hands.outputs.mask & drive_bit(3, CONVEYOR)
    hands.board.levels[eye] = 0
    lane.count_eye(0, hands.now_ms, hands.now_ms)
    assert lane.in_head == 0
    hands.wait(1_000)
    hands.tile(3)
    assert (lane.in_head, lane.fault) == (1, codes.NO_FAULT)


@pytest.mark.parametrize(
    ("pushed", "fault", "stacks"), [(False, codes.COUNT_WITHOUT_PUSH, 0), (True, codes.HEAD_JAM, 1)]
)
def test_a_head_that_seems_to_be_home_too_soon_has_a_bad_vane(pushed, fault, stacks):
    hands = Hands()
    hands.start(PLAN)
    hands.tile(1)
    hands.pass_eye(1, DARK_MS)
    hands.wait(50)
    home_is(hands, 1, 0)
    hands.wait(LEAST_STROKE_MS - 150)
    if pushed:
        hands.build.lanes[1].head_pushed(1, hands.now_ms, hands.now_ms)
    hands.wait(50)
    home_is(hands, 1, 1)
    assert (hands.build.lanes[1].fault, hands.build.lanes[1].stacks) == (fault, stacks)
    assert not hands.outputs.mask & drive_bit(1, HEAD)


def test_a_tile_that_comes_through_the_gate_tells_that_the_head_is_home_though_its_vane_does_not():
    hands = Hands()
    hands.start(PLAN)
    hands.tile(1)
    hands.pass_eye(1, DARK_MS)
    home_is(hands, 1, 0)
    hands.wait(STROKE_MS // 2)
    hands.build.lanes[1].head_pushed(1, hands.now_ms, hands.now_ms)
    hands.wait(STROKE_MS // 2)
    hands.pass_eye(1, DARK_MS)
    assert (hands.build.lanes[1].fault, hands.build.lanes[1].stacks) == (codes.HEAD_JAM, 1)
    hands.build.mend(codes.HEAD_JAM, 1)
    assert (hands.build.lanes[1].in_head, hands.build.lanes[1].stacks) == (0, 1)


def test_a_push_that_is_seen_again_at_once_is_none():
    hands = Hands()
    hands.start(PLAN)
    hands.tile(1)
    hands.pass_eye(1, DARK_MS)
    home_is(hands, 1, 0)
    for _ in range(2):
        hands.wait(STROKE_MS // 3)
        hands.build.lanes[1].head_pushed(1, hands.now_ms, hands.now_ms)
    assert hands.build.lanes[1].fault == codes.PUSH_WITHOUT_COUNT


@pytest.mark.parametrize(("in_head", "fault"), [(0, codes.HEAD_JAM), (1, codes.PUSH_WITHOUT_COUNT)])
def test_a_head_that_goes_round_and_round_names_its_home_vane_unless_it_has_pushed_a_tile(in_head, fault):
    hands = Hands()
    if in_head:
        hands.build.lanes[1].in_head = 1
        hands.build.partial = True
        hands.build.plan = PLAN
        hands.build.lanes[1].wanted = PLAN[1]
    hands.board.levels[input_number(1, HEAD_HOME)] = 0
    hands.start(PLAN)
    lane = hands.build.lanes[1]
    assert hands.outputs.mask & drive_bit(1, HEAD)
    for _ in range(2):
        hands.wait(STROKE_MS)
        lane.head_pushed(1, hands.now_ms, hands.now_ms)
    assert (lane.fault, lane.stacks) == (fault, 0)
