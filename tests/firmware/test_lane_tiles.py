"""What the counting eye of one lane makes of darkness: a tile, a strange one, dirt, nothing. Times in ms."""

import pytest

from tests.firmware.one_lane import OneLane
from wallwright_protocol import codes

EMPTY_HEAD = (
    *(codes.SIDE_OVER, codes.FOREIGN_TILE, codes.LANE_JAM, codes.HEAD_JAM, codes.EYE_BLOCKED, codes.EYE_DEAD),
    *(codes.PUSH_WITHOUT_COUNT, codes.COUNT_WITHOUT_PUSH),
)
EMPTY_CARRIER = (codes.PUSH_WITHOUT_COUNT, codes.COUNT_WITHOUT_PUSH)
"""What the words of these faults in docs/faults.md tell people to empty."""


@pytest.mark.parametrize(
    ("dark_ms", "fault", "in_head"),
    [
        (54, codes.FOREIGN_TILE, 1),
        (55, codes.NO_FAULT, 1),
        (80, codes.NO_FAULT, 1),
        (110, codes.NO_FAULT, 1),
        (111, codes.FOREIGN_TILE, 1),
        (200, codes.FOREIGN_TILE, 1),
        (201, codes.EYE_BLOCKED, 0),
    ],
)
def test_a_tile_is_judged_by_its_time_in_the_eye_and_what_no_tile_needs_is_not_counted(dark_ms, fault, in_head):
    one = OneLane().start().tile(1_000, dark_ms)
    assert (one.lane.fault, one.lane.in_head) == (fault, in_head)
    assert one.lane.at_rest == bool(fault)
    assert one.drives == ("" if fault else "forward")


def test_the_times_of_the_edges_count_and_not_when_they_are_told():
    one = OneLane().start().at(1_075).eye(1, seen_ms=1_000)
    one.at(1_085).eye(0, seen_ms=1_080)
    assert (one.lane.fault, one.lane.in_head) == (codes.NO_FAULT, 1)


def test_a_tile_that_waits_at_the_closed_gate_may_take_its_time():
    one = OneLane().start().tile(1_000).tile(1_110)
    one.at(1_250).eye(1)
    one.at(1_290).home(0)
    one.at(1_440).push()
    one.at(1_690).home(1)
    one.at(1_700).eye(0)
    assert (one.lane.fault, one.counts) == (codes.NO_FAULT, (1, 1))


def test_a_tile_under_which_a_full_belt_has_stood_may_take_its_time():
    """It came while the head was at home; then a stroke that a stop had cut off begins again, and the belt waits."""
    one = OneLane().start().at(1_110).eye(1)
    one.full(1)
    one.home(0)
    one.at(1_150)
    one.stop()
    one.start()
    assert one.drives == "head"
    one.at(1_400).home(1)
    one.at(1_700).eye(0)
    assert (one.lane.fault, one.counts) == (codes.NO_FAULT, (0, 1))


@pytest.mark.parametrize("dark_ms", [20, 700])
def test_a_tile_in_the_eye_when_the_lane_was_stopped_goes_on_and_may_take_its_time(dark_ms):
    one = OneLane().start().at(1_000).eye(1).at(1_010)
    one.stop()
    one.at(5_000).start()
    assert one.drives == "forward", "it is not sent back: it came with the belt"
    one.at(5_000 + dark_ms).eye(0)
    assert (one.lane.fault, one.lane.in_head) == (codes.NO_FAULT, 1)


def test_what_darkened_the_eye_while_the_lane_stood_goes_back_first():
    one = OneLane().eye(1)
    one.at(100).start()
    assert one.drives == "back"
    one.at(150).eye(0)
    assert one.at(399).drives == "back"
    assert one.at(400).drives == "forward"
    assert (one.counts, one.lane.fault) == ((0, 0), codes.NO_FAULT)


def test_what_darkened_the_eye_while_the_lane_stood_and_leaves_it_forwards_is_no_counted_tile():
    one = OneLane().eye(1)
    one.start().at(300)
    assert one.drives == "forward"
    one.at(400).eye(0)
    assert (one.lane.fault, one.counts) == (codes.EYE_BLOCKED, (0, 0))


def test_what_a_jog_has_moved_in_the_eye_and_leaves_it_forwards_is_no_counted_tile():
    one = OneLane().start().at(1_000).eye(1).at(2_150)
    assert one.drives == "forward"
    one.eye(0)
    assert (one.lane.fault, one.counts) == (codes.EYE_BLOCKED, (0, 0))


def test_a_tile_that_leaves_the_eye_backwards_is_not_counted():
    one = OneLane(wanted=0).start().at(100).eye(1).at(180).eye(0)
    assert (one.lane.fault, one.counts) == (codes.NO_FAULT, (0, 0))


@pytest.mark.parametrize(("after_ms", "in_head"), [(99, 1), (100, 0)])
@pytest.mark.parametrize("how", ["stop", "pause"])
def test_a_tile_that_coasts_into_the_head_after_a_stop_is_counted_and_a_later_one_was_taken_out(how, after_ms, in_head):
    one = OneLane().start().at(1_000).eye(1).at(1_050)
    (one.stop if how == "stop" else one.pause)()
    one.at(1_050 + after_ms).eye(0)
    assert (one.lane.in_head, one.lane.fault) == (in_head, codes.NO_FAULT)


def test_a_tile_that_coasts_counts_by_when_it_left_the_eye_not_by_when_the_board_has_heard_of_it():
    """The steps of a fault take a dozen polls, and no input settles before them."""
    one = OneLane().start().at(1_000).eye(1).at(1_050)
    one.stop()
    one.at(1_200).eye(0, seen_ms=1_149)
    assert (one.lane.in_head, one.lane.fault) == (1, codes.NO_FAULT)


def test_nothing_coasts_from_a_belt_that_did_not_feed():
    one = OneLane(wanted=0).start().at(100).eye(1).at(150)
    one.stop()
    one.at(160).eye(0)
    assert one.counts == (0, 0)


def test_no_third_tile_coasts_into_a_head_that_holds_two():
    one = OneLane().start().tile(1_000).tile(1_110).at(1_200).eye(1)
    one.stop()
    one.at(1_250).eye(0)
    assert one.counts == (0, 2)


@pytest.mark.parametrize("fault", [*EMPTY_HEAD, codes.RUN_LIMIT])
def test_a_freed_lane_forgets_what_the_words_of_its_fault_have_people_empty(fault):
    one = OneLane()
    one.lane.stacks, one.lane.in_head, one.lane.eye_doubted, one.lane.fault = 5, 1, True, fault
    one.lane.mend()
    empties = fault in EMPTY_HEAD
    assert one.lane.fault == codes.NO_FAULT
    assert one.counts == (0 if fault in EMPTY_CARRIER else 5, 0 if empties else 1)
    assert one.lane.eye_doubted == (not empties)


def test_what_was_in_the_eye_when_people_freed_the_lane_goes_back_first():
    one = OneLane().start().at(1_000).eye(1).at(1_010)
    one.stop()
    one.lane.fault = codes.HEAD_JAM
    one.lane.mend()
    one.at(5_000).start()
    assert one.drives == "back"


@pytest.mark.parametrize("how", ["stroke", "emptied", "mended"])
def test_an_eye_is_doubted_from_a_jog_in_the_dark_until_the_head_is_known(how):
    one = OneLane().start().at(1_000).eye(1)
    assert not one.at(1_799).lane.eye_doubted
    assert one.at(1_800).lane.eye_doubted
    one.at(1_900).eye(0)
    if how == "emptied":
        one.lane.clear()
    elif how == "mended":
        one.stop()
        one.lane.fault = codes.EYE_BLOCKED
        one.lane.mend()
    else:
        assert one.tile(3_000).lane.eye_doubted
        one.tile(3_110)
    assert not one.lane.eye_doubted


def test_a_doubted_eye_is_what_blocks_a_lane_whose_tiles_stand_though_it_is_light():
    one = OneLane().start().at(1_000).eye(1).at(1_900).eye(0)
    for at_ms in (2_100, 4_900, 7_700):
        one.at(at_ms).full(1).at(at_ms + 2_510).full(0)
    one.at(11_100).full(1).at(13_600)
    assert one.lane.fault == codes.EYE_BLOCKED


def test_an_emptied_carrier_counts_nothing():
    one = OneLane().start().stack(1_000).tile(2_000)
    assert (one.counts, one.lane.tiles(), one.lane.missing()) == ((1, 1), 3, 23)
    one.lane.clear()
    assert (one.counts, one.lane.tiles(), one.lane.missing()) == ((0, 0), 0, 26)
