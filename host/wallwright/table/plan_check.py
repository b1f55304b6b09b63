"""What can be asked of a table: plans that its tiles can build, seats that it has."""

from collections.abc import Sequence
from typing import Literal

from wallwright_protocol.hardware import CARRIER_STACKS, SIDES, TILES_PER_STACK

from ..errors import BadPlan, BadSeat

PlanMode = Literal["fixed", "held", "turned"]
"""See PLAN_MODES."""


def checked_plan(plan: Sequence[int], tiles: int) -> tuple[int, ...]:
    """Return the stacks of sides 0 to 3 when a set of `tiles` can be built so; else raise BadPlan."""
    text = ",".join(str(stacks) for stacks in plan)
    if len(plan) != SIDES:
        raise BadPlan(f"the plan {text} has {len(plan)} sides; give four numbers, as in 14,13,14,13")
    if not all(1 <= stacks <= CARRIER_STACKS for stacks in plan):
        raise BadPlan(f"the plan {text} has a side outside 1 to {CARRIER_STACKS}, which is what a carrier holds")
    if sum(plan) * TILES_PER_STACK != tiles:
        raise BadPlan(
            f"the plan {text} has {sum(plan)} stacks; this table's {tiles} tiles make {tiles // TILES_PER_STACK}"
        )
    return tuple(plan)


def checked_seat(seat: int) -> int:
    """Return `seat` when it is 0 to 3; else raise BadSeat."""
    if seat not in range(SIDES):
        raise BadSeat(f"there is no seat {seat}; seats are 0 to 3, counter-clockwise")
    return seat
