"""Where dice break the wall of 18 stacks a side, and in which order its tiles leave. (CLA-2, CUM-2, BAL-2)

The stack that is lifted off keeps its place in what is written here: its upper tile is the first replacement.
"""

from wallwright.rules.classical.ruleset import Cumberland, Rules
from wallwright.rules.core.errors import WallError
from wallwright.rules.core.walls import WallOrder, check_dice, counted_side, wall_order

PLAN = (18, 18, 18, 18)
"""Whoever deals (CLA-2.1)."""
TILES = 2 * sum(PLAN)


def broken_wall(rules: Rules, east: int, dice: object) -> WallOrder:
    """The wall after the throws: in Cumberland two of two dice, East's and then the dealer's, in Balsall one.

    WallError names the clause when there are more throws or dice, or fewer.
    """
    if isinstance(rules, Cumberland):
        if not isinstance(dice, list | tuple) or len(dice) != 2:
            raise WallError(f"{dice!r} are not two throws: East's and the dealer's, as [[2, 3], [1, 4]] (CUM-2.1)")
        first, second = (check_dice(throw, 2, "CUM-2.1") for throw in dice)
        return wall_order(PLAN, counted_side(east, sum(first)), sum(second))
    total = sum(check_dice(dice, rules.dice, "BAL-2.1"))
    return wall_order(PLAN, counted_side(east, total), total)
