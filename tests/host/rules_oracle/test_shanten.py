"""Shanten pinned down by what it means: 0 is ready by the reference, and each step is one tile better. (SBR-5.1, 6.6)

A hand at distance n > 0 has an exchange of one tile that brings it to n - 1, and none that brings it further. With 0
fixed by the reference, that leaves no other numbers.
"""

import random
from collections import Counter

from tests.host.rules_oracle.bridge import counts
from tests.reference.hands import Meld, waits
from tests.reference.notation import ALL_TILES, SUITS, suit_of
from wallwright.rules.sichuan.shanten import shanten

HANDS = 500


def some_hand(rng: random.Random) -> tuple[list[int], int, str]:
    """Standing tiles, how many sets are declared besides, and a forbidden suit of which there are few."""
    void = rng.choice(SUITS)
    declared = rng.choice((0, 0, 1, 2, 3, 4))
    tiles = [tile for tile in ALL_TILES * 4 if suit_of(tile) != void or rng.random() < 0.1]
    near = rng.choice(ALL_TILES)
    rng.shuffle(tiles)
    if rng.random() < 0.6:
        # Tiles of similar rank stand closer to sets.
        tiles.sort(key=lambda tile: abs(tile % 10 - near % 10) + 4 * rng.random())
    return tiles[: 13 - 3 * declared], declared, void


def exchanges(standing: list[int]) -> list[list[int]]:
    """Every hand that differs by one tile, without a fifth copy."""
    return [
        [*standing[:at], *standing[at + 1 :], tile]
        for at in range(len(standing))
        if standing[at] not in standing[:at]
        for tile in ALL_TILES
        if tile != standing[at] and standing.count(tile) < 4
    ]


def test_each_step_of_shanten_is_one_tile(seed):
    rng = random.Random(seed)
    seen: Counter[int] = Counter()
    for _ in range(HANDS):
        standing, declared, void = some_hand(rng)
        number = SUITS.index(void)
        distance = shanten(counts(standing), number)
        seen[distance] += 1
        other = next(tile for tile in ALL_TILES if suit_of(tile) != void)
        is_ready = bool(waits(standing, [Meld("pung", other)] * declared, void))
        assert (distance == 0) == is_ready, (standing, void)
        if distance:
            best = min(shanten(counts(hand), number) for hand in exchanges(standing))
            assert best == distance - 1, (standing, void)
    assert {0, 1, 2, 3} <= set(seen)


def test_a_complete_hand_is_at_minus_one(seed):
    rng = random.Random(seed)
    ready = 0
    while ready < 30:
        standing, declared, void = some_hand(rng)
        other = next(tile for tile in ALL_TILES if suit_of(tile) != void)
        for tile in waits(standing, [Meld("pung", other)] * declared, void):
            ready += 1
            assert shanten(counts([*standing, tile]), SUITS.index(void)) == -1
