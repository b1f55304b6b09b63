"""What a tile on a ring that sorts is worth: scarce faces, tiles that come too late, and a better one for a place."""

import random
from collections import Counter

import pytest

from tests.firmware.prescribing import FLAP_2, Director
from wallwright_firmware.sorting.flaps import FlapSorter
from wallwright_firmware.sorting.wanted import HAND_WORK, PLACE_WORK, Wanted
from wallwright_firmware.sorting.worth import AHEAD, Worth
from wallwright_protocol import codes
from wallwright_protocol.hardware import DEFAULT_PLANS, SIDES, TILES_PER_STACK
from wallwright_protocol.prescribing import Prescription, pack
from wallwright_protocol.wall import TAG_BYTES

TILES = 108
CLASSES = range(TILES // 4)
TURN_MS = 3200
MAGNETS = 18
PLAN = DEFAULT_PLANS[TILES]
FIRST = [TILES_PER_STACK * sum(PLAN[:side]) for side in range(SIDES)]
NOW_MS = 50_000


def wall(begins: list[list[int]], groups: bytes = b"") -> Wanted:
    """A wall whose sides begin with these faces; the other places have the other tiles, the highest faces first."""
    rest = Counter(dict.fromkeys(CLASSES, 4))
    for begin in begins:
        rest.subtract(begin)
    left = sorted(rest.elements(), reverse=True)
    faces = []
    for side, begin in enumerate(begins):
        more = TILES_PER_STACK * PLAN[side] - len(begin)
        faces += begin + left[:more]
        left = left[more:]
    return wanted(bytes(faces), groups)


def wanted(faces: bytes, groups: bytes = b"") -> Wanted:
    """What a prescription wants whose tile number n has face n // 4."""
    one = Wanted(
        bytearray(
            pack(
                Prescription(
                    mode=codes.HANDS_WALL if groups else codes.STRICT_WALL,
                    tiles=TILES,
                    tile_set=0,
                    dealer=0,
                    dice=(1, 0, 0),
                    plan=PLAN,
                    deal=1,
                    build=1,
                    event=b"e",
                    unit=b"u",
                    enrolment=bytes(32),
                    faces=faces,
                    groups=groups,
                    tags=tuple((tile + 1).to_bytes(TAG_BYTES, "big") for tile in range(TILES)),
                    tag_faces=bytes(tile // 4 for tile in range(TILES)),
                )
            )
        )
    )
    for _ in one.count():
        pass
    return one


def is_worth(wall: Wanted, tile: int, at: int, held: dict[int, int] | None = None) -> bool:
    """Whether a tile that is read now at a mouth is held. `held` has the mouths that others were read at an eighth of a
    turn ago, by tile."""
    seen_ms = {other: (NOW_MS - TURN_MS // 8) * SIDES + side for other, side in (held or {}).items()}
    seen_ms[tile] = NOW_MS * SIDES + at
    faces = {other: other // 4 for other in held or {}}
    worth = Worth(wall, seen_ms)
    for _ in worth.judge(tile, faces, MAGNETS - len(faces), AHEAD, TURN_MS, NOW_MS):
        pass
    return worth.is_worth


def is_taken_up(wall: Wanted, tile: int) -> bool:
    """Whether a tile that comes to the flap of side 0 goes into one of its two holding places, which are empty."""
    sorting = Director(1, FLAP_2).app.sorting
    assert sorting is not None
    sorter = sorting.sorter
    assert isinstance(sorter, FlapSorter)
    sorter.wanted = wall
    sorter.use(0, tile, tile // 4, NOW_MS, NOW_MS)
    return any(place.tile == tile for place in sorter._places[0])


def test_a_tile_that_a_lane_wants_next_is_held_and_one_that_none_wants_soon_is_not():
    begun = wall([[0, 1, 2, 3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14]])
    assert is_worth(begun, 4 * 6, at=0)
    assert not is_worth(begun, 4 * 5, at=3)
    assert not is_worth(begun, 4 * 20, at=3)


@pytest.mark.parametrize("ahead", [2, 3, AHEAD])
def test_the_last_tile_of_a_face_is_held_for_a_place_for_which_one_of_four_is_not(ahead: int):
    begin = [*range(ahead), 5]
    four = wall([begin, [6, 7], [8, 9], [10, 11]])
    last = wall([begin, [5, 7], [5, 9], [5, 11]])
    for side in (1, 2, 3):
        last.take(side, 4 * 5 + side)
    for at in range(SIDES):
        assert not is_worth(four, 4 * 5, at)
        assert is_worth(last, 4 * 5, at)


def test_a_holding_place_takes_the_last_tile_of_a_face_for_a_place_for_which_it_leaves_one_of_four():
    begin = [0, 1, 2, 3, 5]
    assert not is_taken_up(wall([begin, [6, 7], [8, 9], [10, 11]]), 4 * 5)
    last = wall([begin, [5, 7], [5, 9], [5, 11]])
    for side in (1, 2, 3):
        last.take(side, 4 * 5 + side)
    assert is_taken_up(last, 4 * 5)


def test_a_second_tile_for_a_place_is_held_when_it_comes_earlier_than_the_first():
    begun = wall([[0, 1], [2, 3], [4, 5], [6, 7]])
    assert is_worth(begun, 4 * 2, at=0, held={4 * 2 + 1: 1})
    assert not is_worth(begun, 4 * 2, at=2, held={4 * 2 + 1: 3})


def test_a_tile_that_has_just_passed_its_lane_is_given_back_when_the_drum_offers_it_anew_at_once():
    faces = [face for face in CLASSES for _ in range(4)]
    faces[FIRST[1] - 1], faces[-1] = faces[-1], faces[FIRST[1] - 1]
    begun = wanted(bytes(faces))
    spare = {face: [4 * face + copy for copy in range(4)] for face in CLASSES}
    for place in range(TILES):
        if place != FIRST[1] - 1:
            begun.take(side_of(place), spare[faces[place]].pop())
    (last,) = [tile for tiles in spare.values() for tile in tiles]
    assert begun.loose[last // 4] == 1
    assert not is_worth(begun, last, at=0)
    assert is_worth(begun, last, at=3)


@pytest.mark.parametrize("seed", range(5))
def test_what_is_counted_is_what_is_not_taken_however_often_lanes_give_back(seed: int):
    chance = random.Random(seed)
    faces = [face for face in CLASSES for _ in range(4)]
    chance.shuffle(faces)
    groups = bytes(1 + place % SIDES if place < 53 else 0 for place in range(TILES))
    one = wanted(bytes(faces), groups)
    given: list[list[int]] = [[] for _ in range(SIDES)]
    for _ in range(300):
        side = chance.randrange(SIDES)
        if chance.random() < 0.1:
            keep = chance.randrange(len(given[side]) + 1)
            one.give_back(side, keep)
            del given[side][keep:]
        fit = [tile for tile in range(TILES) if one.place_of(tile) < 0 and one.fits(side, tile // 4)]
        if fit:
            tile = chance.choice(fit)
            one.take(side, tile)
            given[side].append(tile)
        loose = Counter(tile // 4 for tile in range(TILES)) - Counter(tile // 4 for tiles in given for tile in tiles)
        assert list(one.loose[: len(CLASSES)]) == [loose[face] for face in CLASSES]
        open_places = [
            FIRST[each] + at for each in range(SIDES) for at in range(len(given[each]), TILES_PER_STACK * PLAN[each])
        ]
        assert Counter(groups[place] for place in open_places) == Counter(
            {hand: count for hand, count in enumerate(one.hands) if count}
        )
        work = [
            sum(HAND_WORK if groups[place] else PLACE_WORK for place in open_places if side_of(place) == each)
            for each in range(SIDES)
        ]
        assert one.work == work


def side_of(place: int) -> int:
    """The side that a place belongs to."""
    return sum(place >= first for first in FIRST[1:])
