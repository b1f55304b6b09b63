"""Distance from a complete hand: against a search that only knows complete hands, and against another engine."""

import random

import pytest
from mahjong.shanten import Shanten

from tests.host.rules.sichuan.support import counts
from wallwright.rules.sichuan.hands import is_complete, waits
from wallwright.rules.sichuan.shanten import shanten
from wallwright.rules.sichuan.tiles import full_set


@pytest.mark.parametrize(
    ("text", "void", "distance"),
    [
        ("123456789s11p234p", None, -1),
        ("123456789s11p23p", None, 0),
        ("11223344556677s", None, -1),
        ("1122334455667s", None, 0),
        ("1111s", None, 1),
        ("123456789s11m23p", 0, 2),
        ("11m", 0, 1),
        ("147m258p369s1478m", 0, 7),
    ],
)
def test_examples(text, void, distance):
    assert shanten(counts(text), void) == distance


def nearest(hand, limit):
    """The least number of exchanges to a complete hand, by trying them all; more than `limit` is not looked for."""
    found = {tuple(hand)}
    for distance in range(limit + 1):
        if any(waits(one) for one in found):
            return distance
        following = set()
        for one in found:
            held = [kind for kind in range(27) if one[kind]]
            for out in held:
                for drawn in range(27):
                    if one[drawn] < 4 and drawn != out:
                        swapped = list(one)
                        swapped[out] -= 1
                        swapped[drawn] += 1
                        following.add(tuple(swapped))
        found = following
    return limit + 1


@pytest.mark.slow
def test_small_hands_agree_with_a_search():
    seed = 7
    print("seed", seed)
    rng = random.Random(seed)
    seen = set()
    for _ in range(60):
        size = rng.choice((4, 4, 7))
        suits = rng.sample("mps", 2)
        pool = [kind for kind in full_set() if "mps"[kind // 9] in suits]
        hand = [0] * 27
        for kind in rng.sample(pool, size):
            hand[kind] += 1
        distance = nearest(hand, 1)
        seen.add(distance)
        assert min(shanten(hand), 2) == distance, hand
    assert seen == {0, 1, 2}


def test_hands_of_thirteen_agree_with_another_engine():
    seed = 20_261_121
    print("seed", seed)
    rng = random.Random(seed)
    other = Shanten()
    compared = 0
    while compared < 400:
        suits = rng.sample((0, 1, 2), 2)
        pool = [kind for kind in full_set() if kind // 9 in suits]
        hand = [0] * 27
        for kind in rng.sample(pool, 13):
            hand[kind] += 1
        if 4 in hand:
            # The other engine counts on a fifth copy, and does not take four equal tiles for two pairs.
            continue
        compared += 1
        assert shanten(hand) == other.calculate_shanten([*hand, *[0] * 7], use_kokushi=False), hand


@pytest.mark.slow
def test_complete_hands_are_at_minus_one_and_ready_ones_at_zero():
    seed = 3
    print("seed", seed)
    rng = random.Random(seed)
    ready = 0
    for _ in range(2000):
        first = rng.choice((0, 9, 18))
        hand = [0] * 27
        for kind in rng.sample([kind for kind in full_set() if first <= kind < first + 9], 13):
            hand[kind] += 1
        assert (shanten(hand) == 0) == bool(waits(hand)), hand
        ready += bool(waits(hand))
        drawn = rng.randrange(first, first + 9)
        if hand[drawn] < 4:
            hand[drawn] += 1
            assert (shanten(hand) == -1) == is_complete(hand)
    assert ready > 200
