"""What can be asked of a table: plans that its tiles can build, seats that it has."""

from collections.abc import Sequence
from typing import Literal

from wallwright_protocol.codes import AS_SET, MOST_WASH_S
from wallwright_protocol.hardware import CARRIER_STACKS, SIDES, TILES_PER_STACK, plan_without

from ..errors import BadPlan, BadSeat, BadSetting

PlanMode = Literal["fixed", "held", "turned"]
"""See PLAN_MODES."""
Wash = int | None
"""Seconds for which the disc washes a set before it is built, 0 to 240; None: as the table is set."""


def checked_plan(plan: Sequence[int], tiles: int, sides_out: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the stacks of sides 0 to 3 when a set of `tiles` can be built so, with none at `sides_out`; else raise
    BadPlan."""
    text = ",".join(str(stacks) for stacks in plan)
    if len(plan) != SIDES:
        raise BadPlan(f"the plan {text} has {len(plan)} sides; give four numbers, as in 14,13,14,13")
    for side in sides_out:
        if plan[side]:
            usual = ",".join(map(str, plan_without(tiles, side)))
            raise BadPlan(f"the plan {text} has stacks at side {side}, which is out; this table builds {usual}")
    if not all(1 <= plan[side] <= CARRIER_STACKS for side in range(SIDES) if side not in sides_out):
        raise BadPlan(f"the plan {text} has a side outside 1 to {CARRIER_STACKS}, which is what a carrier holds")
    if sum(plan) * TILES_PER_STACK != tiles:
        raise BadPlan(
            f"the plan {text} has {sum(plan)} stacks; this table's {tiles} tiles make {tiles // TILES_PER_STACK}"
        )
    return tuple(plan)


def checked_wash(wash_s: Wash) -> int:
    """Return them as the wire has them when they are 0 to 240 s; else raise BadSetting."""
    if wash_s is None:
        return AS_SET
    if not 0 <= wash_s <= MOST_WASH_S:
        raise BadSetting(f"a set cannot be washed for {wash_s} s; a table washes it for 0 to {MOST_WASH_S} s")
    return wash_s


def checked_seat(seat: int) -> int:
    """Return `seat` when it is 0 to 3; else raise BadSeat."""
    if seat not in range(SIDES):
        raise BadSeat(f"there is no seat {seat}; seats are 0 to 3, counter-clockwise")
    return seat
