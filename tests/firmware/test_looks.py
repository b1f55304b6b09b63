"""A look for what may be wrong is finished, made again, or told as not made: how each may end, by the machines' tables.

An end that comes to a table of the firmware fails here until a line says who holds what follows from it.
"""

import re
from pathlib import Path

import pytest

from wallwright_firmware import build, dice, wash
from wallwright_firmware.drivers import belt
from wallwright_firmware.sorting import prescribed

TESTS = Path(__file__).parents[1]
AGAIN = "scenarios/test_drum_check.py: no_walls_rise_over_a_tile_left_over_whatever_is_done"
IN_THE_EYE = "firmware/test_build_ends.py: stopped_is_made_again_and_finds_the_tile_that_stood_in_the_eye"
COUNTED = "firmware/test_wrong_set.py: one_tile_left_over_may_be_any_and_several_are_a_larger_set"
ENDS = "firmware/test_build_ends.py: check_is_made_once_however_often_it_is_asked_for_and_is_told_when_it_is_over"
LOOKS = {
    "a tile left over": (build.BUILD, build.CHECKS),
    "more tiles left over": (build.BUILD, build.COUNTS),
    "what is on the belts": (build.BUILD, build.EMPTIES),
    "a tile on one belt": (belt.BELT, belt.CHECKS),
    "a set that is washed": (wash.WASH, wash.WASHES),
    "whether a prescription is good": (prescribed.PRESCRIBED, prescribed.CHECKS),
    "whether the random source is good": (dice.DICE, dice.GATHERS),
}
"""What is looked for -> the table of its machine, and the state in which it is."""
HELD = {
    ("a tile left over", "surplus"): COUNTED,
    ("a tile left over", "end_check"): ENDS,
    ("a tile left over", "lanes_rest"): "firmware/test_build_ends.py: check_in_which_every_lane_blocks_itself_is_over",
    ("a tile left over", "stop"): AGAIN,
    ("more tiles left over", "end_check"): COUNTED,
    ("more tiles left over", "lanes_rest"): COUNTED,
    ("more tiles left over", "stop"): AGAIN,
    ("what is on the belts", "lanes_rest"): ENDS,
    (
        "what is on the belts",
        "stop",
    ): "firmware/test_build_ends.py: fault_while_belts_run_empty_leaves_the_check_to_be_made",
    ("a tile on one belt", "tile"): COUNTED,
    ("a tile on one belt", "end_check"): ENDS,
    ("a tile on one belt", "stop"): IN_THE_EYE,
    ("a set that is washed", "done"): "scenarios/test_wash.py: the_disc_turns_alone_for_as_long_as_it_is_set_to",
    ("a set that is washed", "cut"): "scenarios/test_wash.py: cuts_it_short_and_that_is_told",
    ("a set that is washed", "stop"): "scenarios/test_wash.py: what_stops_the_table_loses_the_wash",
    ("whether a prescription is good", "good"): "firmware/test_prescribed.py: the_wall_that_was_drawn_stands_there",
    (
        "whether a prescription is good",
        "refused",
    ): "firmware/test_prescribed.py: what_cannot_be_built_is_refused_by_name",
    ("whether a prescription is good", "forget"): "firmware/test_prescribed_wash.py: unless_it_is_taken_back_at_once",
    ("whether the random source is good", "seed"): "firmware/test_dice.py: a_commitment_comes_before_every_roll",
    (
        "whether the random source is good",
        "refused",
    ): "firmware/test_dice.py: source_that_fails_at_the_start_is_told_once",
}
"""(look, event that ends it) -> file and part of the name of the test that holds what follows."""


@pytest.mark.parametrize("look", LOOKS)
def test_every_end_of_a_look_is_one_that_a_test_holds(look: str) -> None:
    table, state = LOOKS[look]
    ends = {event for event, (following, _) in table[state].items() if following != state}
    assert ends == {event for each, event in HELD if each == look}
    for event in ends:
        file, _, name = HELD[look, event].partition(": ")
        assert re.search(rf"def test_\w*{name}", (TESTS / file).read_text()), f"{file} has no test {name}"
