"""The stacking head of one lane, and what its two vanes may tell. Times in ms from the start."""

import pytest

from tests.firmware.one_lane import OneLane
from wallwright_protocol import codes


def in_stroke(wanted: int = 13) -> OneLane:
    """Two tiles are in; the head is driven from 1,190 ms on."""
    one = OneLane(wanted).start().tile(1_000).tile(1_110)
    assert one.now_ms == 1_190
    assert "head" in one.drives
    return one


def test_two_tiles_start_a_stroke_which_makes_a_stack_at_the_push_and_ends_at_home():
    one = OneLane().start().tile(1_000)
    assert (one.drives, one.counts) == ("forward", (0, 1))
    one.tile(1_110)
    assert (one.drives, one.counts) == ("forward head", (0, 2))
    one.at(1_290).home(0)
    one.at(1_440).push()
    assert (one.drives, one.counts) == ("forward head", (1, 0))
    one.at(1_690).home(1)
    assert (one.drives, one.counts) == ("forward", (1, 0))
    assert one.told == []


def test_stacks_follow_each_other_until_the_side_is_whole():
    one = OneLane(wanted=3).start()
    for stack in range(3):
        one.stack(1_000 + 700 * stack)
    assert one.counts == (3, 0)
    assert one.at(4_000).told == [(2_400 + 190 + 800, "rests")]


def test_a_stroke_that_gets_stuck_is_rested_and_driven_on_twice_and_is_then_a_jam():
    one = in_stroke()
    begin = 1_190
    for on_ms, off_ms in ((0, 1_500), (1_800, 3_300), (3_600, 5_100)):
        assert "head" in one.at(begin + on_ms).drives
        assert "head" in one.at(begin + off_ms - 1).drives
        assert "head" not in one.at(begin + off_ms).drives
    assert one.lane.fault == codes.HEAD_JAM
    assert (one.drives, one.told) == ("", [(begin + 5_100, "rests")])
    assert one.counts == (0, 2)


@pytest.mark.parametrize(("tries", "from_ms"), [(2, 1_800), (3, 3_600)])
def test_a_stroke_that_comes_round_at_a_later_try_is_told_with_how_many_it_took_more(tries, from_ms):
    one = in_stroke().at(1_190 + from_ms)
    one.turn(1_190 + from_ms)
    assert one.told == [(1_190 + from_ms + 500, "notice", codes.HEAD_JAM, tries - 1)]
    assert (one.counts, one.lane.fault) == ((1, 0), codes.NO_FAULT)


def test_a_head_that_is_stopped_while_it_is_rested_is_driven_home_by_the_next_start():
    one = in_stroke()
    one.at(1_290).home(0)
    one.at(2_700)
    assert one.drives == "forward", "it is rested"
    one.stop()
    one.at(9_000).start()
    assert one.drives == "forward head"
    one.at(9_150).push()
    one.at(9_300).home(1)
    assert (one.counts, one.told) == ((1, 0), []), "its tries are counted anew"


def test_a_head_that_was_stuck_on_its_way_begins_a_stroke_when_its_second_tile_has_come():
    one = OneLane()
    one.lane.in_head = 1
    one.home(0)
    one.start().at(1_600)
    assert one.drives == "forward", "it is rested"
    one.tile(1_610)
    assert (one.drives, one.counts) == ("forward head", (0, 2))
    one.turn(1_690)
    assert (one.counts, one.lane.fault, one.told) == ((1, 0), codes.NO_FAULT, [])


def test_a_head_that_comes_home_while_it_is_rested_has_ended_its_stroke():
    one = in_stroke()
    one.at(1_300).home(0)
    one.at(1_400).push()
    one.at(1_190 + 1_600).home(1)
    assert (one.counts, one.drives) == ((1, 0), "forward")
    assert one.at(10_000).drives == "forward"


def test_a_head_that_is_home_again_without_a_push_has_lost_its_push_vane():
    one = in_stroke().at(1_290).home(0).at(1_690).home(1)
    assert (one.lane.fault, one.counts, one.drives) == (codes.COUNT_WITHOUT_PUSH, (0, 2), "")
    assert one.told == [(1_690, "rests")]


@pytest.mark.parametrize(("home_ms", "fault"), [(449, codes.HEAD_JAM), (450, codes.NO_FAULT)])
def test_a_head_that_seems_to_be_home_sooner_than_it_can_has_a_bad_vane(home_ms, fault):
    one = in_stroke().at(1_290).home(0).at(1_400).push().at(1_190 + home_ms).home(1)
    assert (one.lane.fault, one.counts) == (fault, (1, 0))


def test_a_home_vane_that_has_not_left_home_ends_no_stroke():
    one = in_stroke().at(1_250).home(1)
    assert "head" in one.drives
    one.turn(1_250)
    assert (one.counts, one.drives) == ((1, 0), "forward")


@pytest.mark.parametrize("tiles", [0, 1])
def test_a_push_without_a_stroke_blocks_the_lane(tiles):
    one = OneLane().start()
    for tile in range(tiles):
        one.tile(1_000 + 110 * tile)
    one.at(2_000).push()
    assert (one.lane.fault, one.counts) == (codes.PUSH_WITHOUT_COUNT, (0, tiles))
    assert one.drives == ""


@pytest.mark.parametrize(
    ("again_ms", "fault"), [(100, codes.PUSH_WITHOUT_COUNT), (449, codes.PUSH_WITHOUT_COUNT), (450, codes.HEAD_JAM)]
)
def test_a_second_push_in_a_stroke_is_of_a_bad_vane_that_of_home_if_there_was_time_for_a_turn(again_ms, fault):
    one = in_stroke().at(1_290).home(0).at(1_440).push()
    one.at(1_440 + again_ms).push()
    assert (one.lane.fault, one.counts) == (fault, (1, 0))


def test_a_stroke_that_was_stopped_half_way_ends_first_after_the_next_start():
    one = in_stroke().at(1_290).home(0).at(1_350)
    one.stop()
    assert (one.drives, one.counts) == ("", (0, 2))
    one.at(5_000).start()
    assert one.drives == "forward head"
    one.at(5_150).push()
    one.at(5_400).home(1)
    assert (one.drives, one.counts, one.told) == ("forward", (1, 0), [])


def test_a_head_with_two_tiles_at_home_strokes_at_the_start():
    one = OneLane()
    one.lane.in_head = 2
    one.start()
    assert one.drives == "forward head"
    one.turn(0)
    assert one.counts == (1, 0)


def test_a_head_that_people_have_turned_goes_home_without_a_push_as_it_holds_nothing():
    one = OneLane()
    one.home(0)
    one.start()
    assert one.drives == "forward head"
    one.at(300).home(1)
    assert (one.drives, one.lane.fault) == ("forward", codes.NO_FAULT)


def test_a_head_that_people_have_turned_with_one_tile_in_it_must_not_push():
    one = OneLane()
    one.lane.in_head = 1
    one.home(0)
    one.start().at(100).push()
    assert (one.lane.fault, one.counts) == (codes.PUSH_WITHOUT_COUNT, (0, 1))


@pytest.mark.parametrize(("after_ms", "counts"), [(99, (1, 0)), (100, (0, 2))])
def test_a_push_that_coasts_after_a_stop_makes_a_stack_and_a_later_one_does_not(after_ms, counts):
    one = in_stroke().at(1_290).home(0).at(1_400)
    one.stop()
    one.at(1_400 + after_ms).push()
    assert (one.counts, one.lane.fault) == (counts, codes.NO_FAULT)


def test_a_push_that_coasts_counts_by_when_it_came_not_by_when_the_board_has_heard_of_it():
    one = in_stroke().at(1_290).home(0).at(1_400)
    one.stop()
    one.at(1_550).push(seen_ms=1_499)
    assert (one.counts, one.lane.fault) == ((1, 0), codes.NO_FAULT)


def test_a_push_after_a_stop_in_which_the_head_stood_is_of_hands():
    one = OneLane().start().tile(1_000).at(1_500)
    one.stop()
    one.at(1_510).push()
    assert (one.counts, one.lane.fault) == ((0, 1), codes.NO_FAULT)


def test_a_tile_that_is_through_the_gate_tells_that_a_head_which_has_pushed_is_home():
    one = in_stroke().at(1_290).home(0).at(1_440).push()
    one.tile(1_700)
    assert (one.lane.fault, one.counts) == (codes.HEAD_JAM, (1, 1))


def test_a_third_tile_before_the_push_is_one_too_many():
    one = in_stroke().tile(1_200)
    assert (one.lane.fault, one.counts) == (codes.SIDE_OVER, (0, 3))
    assert (one.drives, one.told) == ("", [(1_280, "rests")])
