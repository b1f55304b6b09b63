"""Where a table stands by its switches: the state that it comes to rest in, and switches that contradict each other."""

from wallwright_protocol.codes import (
    IDLE,
    LID_LIMITS,
    LID_OPEN,
    LIFT_LIMITS,
    NO_FAULT,
    NO_SIDE,
    READY,
    STOPPED_LOWERING,
    STOPPED_RAISING,
    STORE_CORRUPT,
    WALL_DIFFERS,
    WALLS_UNKNOWN,
    WALLS_UP,
    WRONG_SET,
)
from wallwright_protocol.hardware import INPUTS_PER_SIDE, LID_IS_CLOSED, LID_IS_OPEN, LIFT_DOWN, LIFT_UP, SIDES

WALLS_EMPTIED = (STORE_CORRUPT, WALLS_UNKNOWN, WRONG_SET, WALL_DIFFERS)
"""Faults whose words tell people to empty all carriers."""


def lifts_at(steady: bytearray, switch: int) -> int:
    """Return how many lifts are at their LIFT_UP, or LIFT_DOWN."""
    return sum([steady[at] for at in range(switch, SIDES * INPUTS_PER_SIDE, INPUTS_PER_SIDE)])


def resting_state(steady: bytearray, whole: bool, dropped: bool, rolled: int) -> int:
    """Return the state that the switches show, with walls that are `whole` and those above them `dropped` or not, and
    the first of the dice that had the lifts lowered, 0 before."""
    if lifts_at(steady, LIFT_DOWN) < SIDES:
        if whole:
            # Never down again: people may have drawn tiles from a side that was up, and the walls be whole no more.
            return STOPPED_RAISING if dropped else READY
        return STOPPED_LOWERING if rolled else WALLS_UP
    if not steady[LID_IS_CLOSED]:
        # Half open with walls below, it first has to open, so that people can push in what lies on the table.
        return READY if whole and not steady[LID_IS_OPEN] else LID_OPEN
    return READY if whole else IDLE


def contradiction(steady: bytearray) -> "tuple[int, int]":
    """Return the fault of two ends that cannot both be reached, and its side; NO_FAULT when there are none."""
    for at in range(0, SIDES * INPUTS_PER_SIDE, INPUTS_PER_SIDE):
        if steady[at + LIFT_UP] and steady[at + LIFT_DOWN]:
            return LIFT_LIMITS, at // INPUTS_PER_SIDE
    if steady[LID_IS_OPEN] and steady[LID_IS_CLOSED]:
        return LID_LIMITS, NO_SIDE
    return NO_FAULT, NO_SIDE


def is_shut(steady: bytearray) -> bool:
    """Say whether nobody can push in a tile or draw a wall: the lid is closed, and all lifts are down."""
    return steady[LID_IS_CLOSED] != 0 and lifts_at(steady, LIFT_DOWN) == SIDES
