"""How standing tiles are read as sets and a pair, against every set and pair that can be taken out of them."""

from random import Random

import pytest

from wallwright.rules.core.readings import completing, is_regular, pack_tiles, readings, unpack_tiles
from wallwright.rules.core.tiles import format_tiles, parse_tiles, tile_set


def taken_apart(counts: list[int]) -> set[tuple[str, ...]]:
    """Brute force: every choice of a pair, and of sets tile by tile."""

    def sets(rest: tuple[int, ...]) -> set[tuple[str, ...]]:
        if not any(rest):
            return {()}
        first = next(kind for kind, count in enumerate(rest) if count)
        found = set()
        for shape in ((first,) * 3, (first, first + 1, first + 2)):
            if shape[0] != shape[2] and (first >= 27 or first % 9 > 6):
                continue
            left = list(rest)
            for kind in shape:
                left[kind] -= 1
            if min(left) >= 0:
                found |= {tuple(sorted((format_tiles(shape), *more))) for more in sets(tuple(left))}
        return found

    found = set()
    for pair, count in enumerate(counts):
        if count >= 2:
            left = counts[:]
            left[pair] -= 2
            found |= {(format_tiles((pair, pair)), *more) for more in sets(tuple(left))}
    return found


def read(hand: int) -> set[tuple[str, ...]]:
    return {
        (format_tiles((one.pair, one.pair)), *sorted(format_tiles(part.tiles) for part in one.sets))
        for one in readings(hand)
    }


def random_hand(rng: Random) -> list[int]:
    """Fourteen tiles, mostly of few kinds, so that many are complete."""
    kinds = rng.choice((range(9), range(27, 34), [*range(18, 27), 27, 31], range(34)))
    return rng.sample([kind for kind in tile_set(range(34)) if kind in kinds], 14)


@pytest.mark.slow
def test_readings_of_random_hands_are_those_of_brute_force():
    rng = Random(16)
    complete = 0
    for _ in range(3000):
        hand = random_hand(rng)
        counts = [hand.count(kind) for kind in range(34)]
        packed = pack_tiles(hand)
        wanted = taken_apart(counts)
        complete += bool(wanted)
        assert read(packed) == wanted
        assert is_regular(packed) == bool(wanted)
        assert unpack_tiles(packed) == tuple(sorted(hand))
    assert 50 < complete < 2950


def test_readings_with_pungs_come_first():
    first, *_ = readings(pack_tiles(parse_tiles("111222333m55566z")))
    assert [str(one) for one in first.sets] == ["pung:111m", "pung:222m", "pung:333m", "pung:555z"]


@pytest.mark.parametrize(
    ("standing", "waits"),
    [
        ("1112345678999m", "123456789m"),
        ("123m456p789s1155z", "15z"),
        ("1111m", ""),
        ("1z", "1z"),
        ("111122223333z5z", ""),
        ("23m55z", "14m"),
    ],
)
def test_what_completes_a_hand(standing, waits):
    assert format_tiles(completing(pack_tiles(parse_tiles(standing)))) == waits
