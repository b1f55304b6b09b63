"""A set of another size is found by the count, and named; any other number of tiles is not guessed at."""

import pytest

from tests.firmware.hands import Hands
from tests.firmware.test_build_ends import DRUM, PLAN, whole
from wallwright_protocol import codes
from wallwright_protocol.hardware import DEFAULT_PLANS, SET_SIZES, SIDES

TIRED_MS = 60_000
"""By then the drum was shaken as often as it is."""
SETTLED_MS = 10_000


def starved(tiles: int, come: int) -> Hands:
    """Of a set of `tiles` only so many come."""
    hands = Hands(tiles)
    plan = DEFAULT_PLANS[tiles]
    hands.start(plan)
    spare = tiles - come
    for side in range(SIDES):
        # Each side lacks half of what is lacking, the last one the rest.
        lacks = spare if side == SIDES - 1 else (spare + 1) // 2
        spare -= lacks
        hands.fill(side, 2 * plan[side] - lacks)
    hands.wait(TIRED_MS)
    return hands


@pytest.mark.parametrize("tiles", SET_SIZES[1:])
def test_a_set_that_has_given_as_many_tiles_as_a_smaller_one_is_named(tiles: int) -> None:
    for size in SET_SIZES[: SET_SIZES.index(tiles)]:
        assert starved(tiles, size).told[-1] == ("failed", codes.WRONG_SET, codes.NO_SIDE, size, tiles)


def test_one_lane_alone_that_gets_nothing_is_looked_at_before_its_number_is_taken_for_a_size() -> None:
    """A belt that stands: 108 of 144 tiles come."""
    hands = Hands(144)
    hands.start(DEFAULT_PLANS[144])
    for side in range(1, SIDES):
        hands.fill(side, 36)
    hands.wait(TIRED_MS)
    assert hands.told[-1] == ("failed", codes.LANE_UNPLUGGED, 0, 0, 36)
    hands.build.mend(codes.LANE_UNPLUGGED, 0)
    hands.start(DEFAULT_PLANS[144])
    hands.wait(TIRED_MS)
    assert hands.told[-1] == ("failed", codes.WRONG_SET, codes.NO_SIDE, 108, 144)


@pytest.mark.parametrize("come", [100, 107, 109, 132, 135])
def test_any_other_number_is_tiles_that_are_missing(come: int) -> None:
    kind, fault, *_ = starved(136, come).told[-1]
    assert kind == "failed"
    assert fault in (codes.TILE_MISSING, codes.SIDE_SHORT, codes.FACE_UP_STUCK)


def test_a_lane_whose_eye_was_doubted_has_counted_nothing_for_certain() -> None:
    hands = Hands(136)
    hands.start(DEFAULT_PLANS[136])
    for side in range(SIDES):
        hands.fill(side, 34 - 28 * (side == 3))
    hands.build.lanes[3].eye_doubted = True
    hands.wait(TIRED_MS)
    assert hands.told[-1][1] == codes.EYE_BLOCKED


@pytest.mark.parametrize("sides", [(0,), (3,), (0, 1), (2, 0, 3), (3, 2, 1, 0)])
def test_one_tile_left_over_may_be_any_and_several_are_a_larger_set(sides: tuple[int, ...]) -> None:
    hands = whole()
    for side in sides:
        hands.pass_eye(side, 80)
        assert not hands.outputs.mask & DRUM, "the drum rests, so that no tile comes a second time"
    assert hands.told == [], "the others are counted first"
    hands.wait(SETTLED_MS)
    one = ("failed", codes.TILE_TOO_MANY, sides[0], 2 * PLAN[sides[0]] + 1, 2 * PLAN[sides[0]])
    several = ("failed", codes.WRONG_SET, codes.NO_SIDE, 108 + len(sides), 108)
    assert hands.told == [one if len(sides) == 1 else several]
    assert hands.outputs.mask == 0


def test_what_one_check_has_found_is_forgotten_with_it() -> None:
    hands = whole()
    hands.pass_eye(1, 80)
    hands.wait(SETTLED_MS)
    hands.told.clear()
    hands.build.carriers_emptied()
    hands.start(PLAN)
    for side in range(SIDES):
        hands.fill(side, 2 * PLAN[side])
    hands.wait(SETTLED_MS)
    assert hands.told[-1] == ("checked",)
