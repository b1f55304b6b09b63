"""The belt of one lane: when it runs which way, and what it does about tiles that stand. Times in ms from the start."""

import pytest

from tests.firmware.one_lane import OneLane
from wallwright_protocol import codes
from wallwright_protocol.hardware import LID_IS_CLOSED
from wallwright_protocol.link import NEVER
from wallwright_protocol.settings import BELT_RETURN


def test_a_lane_that_lacks_tiles_runs_its_belt_and_waits_for_nothing_by_itself():
    one = OneLane().start()
    assert one.drives == "forward"
    assert (one.lane.at_rest, one.lane.due, one.lane.missing()) == (False, NEVER, 26)
    assert one.at(60_000).drives == "forward"
    assert one.told == []


def test_a_lane_that_lacks_nothing_empties_its_belt_into_the_drum_and_rests():
    one = OneLane(wanted=0).start()
    assert one.drives == "back"
    assert one.at(799).drives == "back"
    assert one.at(800).drives == ""
    assert one.told == [(800, "rests")]
    assert one.lane.at_rest


def test_with_the_last_tile_the_belt_turns_back_at_once_and_the_stroke_goes_on():
    one = OneLane(wanted=1).start().tile(1_000).tile(1_110)
    assert one.drives == "back head"
    one.turn(1_190)
    assert (one.drives, one.counts) == ("back", (1, 0))
    assert one.told == []
    assert one.at(1_990).drives == ""
    assert one.told == [(1_990, "rests")]


def test_a_lane_whose_belt_is_empty_before_its_stroke_ends_rests_after_the_stroke():
    one = OneLane(wanted=1)
    one.settings[BELT_RETURN] = 300
    one.start().tile(1_000).tile(1_110)
    assert one.at(1_490).drives == "head"
    one.at(1_500).home(0).push()
    assert one.told == []
    one.at(1_690).home(1)
    assert one.told == [(1_690, "rests")]


def test_a_belt_that_is_not_full_feeds_on_during_a_stroke():
    one = OneLane().start().tile(1_000).tile(1_110)
    assert one.drives == "forward head"


@pytest.mark.parametrize("full_ms", [1_000, 1_250])
def test_a_full_belt_stands_while_the_head_is_in_its_stroke(full_ms):
    one = OneLane().start()
    if full_ms < 1_100:
        one.at(full_ms).full(1)
        assert one.drives == "forward"
    one.tile(1_010).tile(1_120)
    if full_ms > 1_200:
        assert one.drives == "forward head"
        one.at(full_ms).full(1)
    assert one.drives == "head"
    one.turn(1_200)
    assert one.drives == "forward"


def test_a_belt_that_is_full_no_more_feeds_again_though_the_stroke_goes_on():
    one = OneLane().start().at(900).full(1).tile(1_000).tile(1_110)
    assert one.drives == "head"
    one.at(1_300).full(0)
    assert one.drives == "forward head"


def test_tiles_that_stand_before_the_open_gate_are_jogged_four_times_and_the_last_empties_the_belt():
    one = OneLane().start().tile(500).at(1_000).full(1)
    seen: list[tuple[int, str]] = []
    for ms in range(1_000, 15_001, 10):
        if one.at(ms).drives != (seen[-1][1] if seen else None):
            seen.append((ms, one.drives))
        if len(seen) == 8:
            one.full(0)
            break
    jog, rest = 300, 2_500
    expected = [(1_000, "forward")]
    for _ in range(3):
        expected.append((expected[-1][0] + rest, "back"))
        expected.append((expected[-1][0] + jog, "forward"))
    expected.append((expected[-1][0] + rest, "back"))
    assert seen == expected
    assert one.at(seen[-1][0] + 799).drives == "back"
    assert one.at(seen[-1][0] + 800).drives == "forward"
    assert one.lane.fault == codes.NO_FAULT


@pytest.mark.parametrize(("seen", "fault"), [(True, codes.LANE_JAM), (False, codes.EYE_DEAD)])
def test_tiles_that_stand_after_four_jogs_are_a_jam_or_a_dead_eye_if_it_has_not_changed(seen, fault):
    one = OneLane().start()
    if seen:
        one.tile(500)
    one.at(1_000)
    for at_ms in (1_000, 3_800, 6_600, 9_400):
        # The queue stands; while the belt runs back it leaves the eye, and comes again.
        one.at(at_ms).full(1)
        assert one.at(at_ms + 2_501).drives == "back"
        one.full(0)
    one.at(13_000).full(1)
    assert one.at(15_499).lane.fault == codes.NO_FAULT
    assert one.at(15_500).lane.fault == fault
    assert (one.drives, one.lane.at_rest) == ("", True)
    assert one.told == [(15_500, "rests")]


def test_a_tile_that_comes_after_jogs_is_told_with_how_many_and_they_are_counted_anew():
    one = OneLane().start()
    for at_ms, jogs in ((1_000, 2), (8_000, 1)):
        for jog in range(jogs):
            one.at(at_ms + jog * 2_800).full(1).at(at_ms + jog * 2_800 + 2_510).full(0)
        one.tile(at_ms + jogs * 2_800 + 100)
    assert one.told == [
        (6_780, "notice", codes.LANE_JAM, 2),
        (10_980, "notice", codes.LANE_JAM, 1),
    ]


def test_a_belt_full_eye_that_stays_dark_though_the_belt_is_empty_is_told_once_and_believed_no_more():
    one = OneLane().start().at(1_000).full(1).at(30_000)
    # Stood 2,500 before each of four jogs of 300, 300, 300 and 800.
    assert one.told == [(12_700, "notice", codes.BELT_FULL_STUCK, 0)]
    one.tile(30_100).tile(30_210)
    assert one.drives == "forward head", "the belt does not wait for the head any more"
    one.turn(30_290).at(60_000)
    assert one.told == [(12_700, "notice", codes.BELT_FULL_STUCK, 0)], "and nothing is jogged"


def test_the_belt_full_eye_is_believed_again_after_the_next_start():
    one = OneLane().start().at(1_000).full(1).at(13_000)
    one.stop()
    one.start().tile(14_000).tile(14_110)
    assert one.drives == "head"


def test_a_belt_full_eye_that_is_dark_after_the_last_return_is_told_once():
    one = OneLane(wanted=0)
    one.full(1)
    one.start().at(5_000)
    assert one.told == [(800, "notice", codes.BELT_FULL_STUCK, 0), (800, "rests")]


def test_a_tile_that_stands_in_the_eye_is_jogged_back_after_800_ms():
    one = OneLane().start().at(1_000).eye(1)
    assert one.at(1_799).drives == "forward"
    assert one.at(1_800).drives == "back"
    one.at(1_900).eye(0)
    assert one.at(2_099).drives == "back"
    assert one.at(2_100).drives == "forward"
    assert (one.counts, one.lane.fault) == ((0, 0), codes.NO_FAULT)


def test_an_eye_that_four_jogs_do_not_lighten_is_blocked():
    one = OneLane().start().at(1_000).eye(1)
    # 800 of darkness before each of four jogs of 300, 300, 300 and 800, and 800 more.
    assert one.at(6_699).lane.fault == codes.NO_FAULT
    assert one.at(6_700).lane.fault == codes.EYE_BLOCKED
    assert one.lane.eye_doubted
    assert one.told == [(6_700, "rests")]


def test_a_shaken_lane_empties_its_belt_and_feeds_again():
    one = OneLane().start().at(1_000)
    one.shake()
    assert one.drives == "back"
    assert one.at(1_799).drives == "back"
    assert one.at(1_800).drives == "forward"
    assert one.tile(2_000).told == [], "a shake is no jog of this lane"


@pytest.mark.parametrize("busy", ["stroke", "dark eye", "returning", "at rest"])
def test_a_lane_with_something_else_to_do_is_not_shaken(busy):
    one = OneLane(wanted=0 if busy == "returning" else 13)
    if busy != "at rest":
        one.start().at(100)
    if busy == "stroke":
        one.tile(100).tile(210)
    elif busy == "dark eye":
        one.eye(1)
    before = one.drives
    one.shake()
    assert one.drives == before


def test_a_paused_lane_stands_at_once_and_rests():
    one = OneLane().start().at(1_000)
    one.pause()
    assert one.drives == ""
    assert one.told == [(1_000, "rests")]
    assert one.lane.due == NEVER


def test_a_lane_that_is_paused_in_a_stroke_stops_its_belt_and_ends_the_stroke():
    one = OneLane().start().tile(1_000).tile(1_110).at(1_200)
    one.pause()
    assert (one.drives, one.told) == ("head", [])
    one.turn(1_190)
    assert (one.drives, one.counts, one.told) == ("", (1, 0), [(1_690, "rests")])


def test_a_lane_that_is_paused_while_its_belt_runs_back_stands_at_once():
    one = OneLane(wanted=0).start().at(100)
    one.pause()
    assert one.drives == ""
    assert one.told == [(100, "rests")]


def test_a_lane_that_is_paused_while_its_full_belt_waits_ends_the_stroke():
    one = OneLane().start().at(900).full(1).tile(1_000).tile(1_110).at(1_200)
    assert one.drives == "head"
    one.pause()
    one.turn(1_190)
    assert (one.drives, one.counts, one.told) == ("", (1, 0), [(1_690, "rests")])


def test_a_lane_that_is_paused_while_it_jogs_stands_at_once():
    one = OneLane().start().at(1_000).eye(1).at(1_850)
    assert one.drives == "back"
    one.pause()
    assert (one.drives, one.told) == ("", [(1_850, "rests")])


def test_a_lane_that_is_stopped_in_the_last_stroke_of_a_pause_tells_nothing():
    one = OneLane().start().tile(1_000).tile(1_110).at(1_200)
    one.pause()
    one.at(1_300)
    one.stop()
    assert (one.drives, one.told, one.lane.at_rest) == ("", [], True)
    assert one.at(5_000).told == []


def test_a_lane_that_gets_whole_in_a_stroke_begun_before_empties_the_belt_that_waited():
    """A stroke was stopped half-way with one tile in the head; the next one slips in while it ends."""
    one = OneLane(wanted=1)
    one.lane.in_head = 1
    one.home(0)
    one.full(1)
    one.start()
    assert one.drives == "head"
    one.tile(100)
    assert (one.drives, one.counts) == ("back head", (0, 2))
    one.at(200).home(0).full(0)
    one.at(400).push()
    one.at(700).home(1)
    assert one.at(980).told == [(980, "rests")]


def test_a_lane_at_rest_has_nothing_to_pause():
    one = OneLane()
    one.pause()
    assert (one.told, one.lane.at_rest) == ([], True)


@pytest.mark.parametrize("doing", ["feeding", "waiting", "jogging", "returning", "checking", "stroke"])
def test_a_stopped_lane_does_nothing_more_and_tells_nothing(doing):
    one = OneLane(wanted=0 if doing == "returning" else 13)
    if doing == "checking":
        one.check()
    else:
        one.start().at(10)
    if doing == "jogging":
        one.eye(1).at(850)
        assert one.drives == "back"
    elif doing in ("stroke", "waiting"):
        one.full(int(doing == "waiting"))
        one.tile(100).tile(210)
        assert one.drives == ("head" if doing == "waiting" else "forward head")
    one.stop()
    told = list(one.told)
    assert (one.lane.at_rest, one.lane.due) == (True, NEVER)
    one.at(20_000)
    assert (one.drives, one.told) == ("", told)


def test_a_check_runs_the_belt_until_its_end_and_sends_back_what_it_brought():
    one = OneLane(wanted=0)
    one.check()
    assert one.at(4_000).drives == "forward"
    one.end_check()
    assert one.drives == "back"
    assert one.at(4_800).told == [(4_800, "rests")]


def test_a_tile_that_comes_in_a_check_is_sent_back_at_once_and_told_when_it_has_left_the_eye():
    one = OneLane(wanted=0)
    one.check()
    one.at(1_000).eye(1)
    assert (one.drives, one.told) == ("back", [])
    one.at(1_100).eye(0)
    assert one.told == [(1_100, "surplus")]
    assert one.counts == (0, 0)


def test_an_eye_that_stays_dark_in_a_check_is_dirt_and_no_tile():
    one = OneLane(wanted=0)
    one.check()
    one.at(1_000).eye(1).at(5_000)
    assert one.told == [(1_800, "rests")]
    one.eye(0)
    assert one.told == [(1_800, "rests")]


def test_a_lane_that_is_not_checked_has_no_check_to_end():
    one = OneLane().start()
    one.end_check()
    assert one.drives == "forward"


def test_a_drive_that_may_not_run_stops_the_lane_by_its_owner():
    one = OneLane()
    one.board.levels[LID_IS_CLOSED] = 0
    one.start()
    assert one.told == [(0, "trip", codes.INTERLOCK, 2)]
    assert (one.drives, one.lane.at_rest) == ("", True)
