"""Random numbers for dice, straight from the board's hardware source, without modulo bias."""

from .hal import Hal

DIE_FACES = 6
FAIR_BELOW = 256 - 256 % DIE_FACES
"""Bytes at or above this are thrown away, so that every face has the same number of bytes."""
TRIES = 64
"""A byte is thrown away with probability 1/64, so 64 in a row mean that the source is dead."""


def roll_die(hal: Hal) -> int:
    """Return 1 to 6, or 0 when the source does not deliver."""
    for _ in range(TRIES):
        drawn = hal.random_bytes(1)
        if len(drawn) != 1:
            return 0
        if drawn[0] < FAIR_BELOW:
            return drawn[0] % DIE_FACES + 1
    return 0


def roll_dice(hal: Hal) -> tuple[int, int]:
    """Return two dice, or (0, 0) when the source does not deliver."""
    first = roll_die(hal)
    second = roll_die(hal)
    return (first, second) if first and second else (0, 0)
