"""Where a table stands by its switches: the state that it comes to rest in, and switches that contradict each other."""

from wallwright_protocol import codes, hardware

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .drivers.lift import Lift

WALLS_EMPTIED = (codes.STORE_CORRUPT, codes.WALLS_UNKNOWN, codes.WRONG_SET, codes.WALL_DIFFERS, codes.TWO_SETS)
"""Faults whose words tell people to empty all carriers."""
CARRIER_EMPTIED = (codes.PUSH_WITHOUT_COUNT, codes.COUNT_WITHOUT_PUSH)
"""Those whose words tell them to empty the stacking head, and the carrier of the side as well."""
_MISFED = (codes.SIDE_OVER, codes.FOREIGN_TILE, codes.LANE_JAM, codes.HEAD_JAM, codes.EYE_BLOCKED, codes.EYE_DEAD)
HEAD_EMPTIED = CARRIER_EMPTIED + _MISFED + (codes.WALLS_UNDRAWN,)
"""All whose words tell them to empty the head."""


def lifts_at(steady: bytearray, switch: int) -> int:
    """Return how many lifts are at their LIFT_UP, or LIFT_DOWN."""
    return sum(
        [steady[at] for at in range(switch, hardware.SIDES * hardware.INPUTS_PER_SIDE, hardware.INPUTS_PER_SIDE)]
    )


def are_up(steady: bytearray, lifts: "list[Lift]", out: int) -> bool:
    """Say whether all lifts but that of a side that is `out` are up by both switches."""
    return all([steady[lift.first.number] > steady[lift.second.number] or lift.side == out for lift in lifts])


def resting_state(steady: bytearray, whole: bool, dropped: bool, rolled: int) -> int:
    """Return the state that the switches show, with walls that are `whole` and those above them `dropped` or not, and
    the first of the dice that had the lifts lowered, 0 before."""
    if lifts_at(steady, hardware.LIFT_DOWN) < hardware.SIDES:
        if whole:
            # Never down again: people may have drawn tiles from a side that was up, and the walls be whole no more.
            return codes.STOPPED_RAISING if dropped else codes.READY
        return codes.STOPPED_LOWERING if rolled else codes.WALLS_UP
    if not steady[hardware.LID_IS_CLOSED]:
        # Half open with walls below, it first has to open, so that people can push in what lies on the table.
        return codes.READY if whole and not steady[hardware.LID_IS_OPEN] else codes.LID_OPEN
    return codes.READY if whole else codes.IDLE


def contradiction(steady: bytearray) -> "tuple[int, int]":
    """Return the fault of two ends that cannot both be reached, and its side; NO_FAULT when there are none."""
    for at in range(0, hardware.SIDES * hardware.INPUTS_PER_SIDE, hardware.INPUTS_PER_SIDE):
        if steady[at + hardware.LIFT_UP] and steady[at + hardware.LIFT_DOWN]:
            return codes.LIFT_LIMITS, at // hardware.INPUTS_PER_SIDE
    if steady[hardware.LID_IS_OPEN] and steady[hardware.LID_IS_CLOSED]:
        return codes.LID_LIMITS, codes.NO_SIDE
    return codes.NO_FAULT, codes.NO_SIDE


def is_shut(steady: bytearray) -> bool:
    """Say whether nobody can push in a tile or draw a wall: the lid is closed, and all lifts are down."""
    return steady[hardware.LID_IS_CLOSED] != 0 and lifts_at(steady, hardware.LIFT_DOWN) == hardware.SIDES
