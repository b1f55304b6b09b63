"""Walls: stacks per side, where dice break them, and the order in which the tiles leave (SBR-2). Knows no faces.

Seats are the physical sides 0..3 counter-clockwise; the wall is taken clockwise, so after a side's wall comes that of
`side - 1`. A stack's index counts from the right end of its side as the owner sees it; layer 1 is the top tile, 0 the
bottom.
"""

from functools import lru_cache
from typing import NamedTuple

from wallwright.rules.core.errors import WallError
from wallwright.rules.core.walls import check_seat, counted_side, wall_order

STACKS: dict[int, tuple[int, int]] = {
    108: (14, 13),
    112: (14, 14),
    116: (15, 14),
    120: (15, 15),
    136: (17, 17),
    144: (18, 18),
    152: (19, 19),
}
"""Number of tiles -> (stacks of a long wall, stacks of a short wall); two walls facing each other are long."""

LONG_WALLS = ("dealer", "east_west")
"""Whose walls are the long ones: the dealer's and the one opposite, or always sides 0 and 2 (SBR-2.1)."""


class Break(NamedTuple):
    """Where the wall is broken: after `indent` stacks from the right end of the wall of `seat`."""

    seat: int
    indent: int


class Position(NamedTuple):
    """One tile's place in the wall."""

    seat: int
    stack: int
    layer: int


def wall_plan(tiles: int, dealer: int, long_walls: str = "dealer") -> tuple[int, int, int, int]:
    """Stacks per seat for a set of `tiles` (SBR-2.1): 108 with dealer 0 -> (14, 13, 14, 13).

    `long_walls` is "dealer" (the dealer's and the opposite side) or "east_west" (sides 0 and 2).
    WallError for a set, seat or word that is not known.
    """
    if tiles not in STACKS:
        raise WallError(f"no wall is known for {tiles} tiles: use one of {', '.join(map(str, STACKS))}")
    if long_walls not in LONG_WALLS:
        raise WallError(f"long_walls is {long_walls!r}: use one of {', '.join(LONG_WALLS)}")
    check_seat(dealer)
    long, short = STACKS[tiles]
    first = dealer if long_walls == "dealer" else 0
    even, odd = (long, short) if first % 2 == 0 else (short, long)
    return (even, odd, even, odd)


def break_wall(dice: tuple[int, ...], dealer: int) -> Break:
    """The break that two dice make: their sum counts seats from the dealer = 1, the smaller one is the indent
    (SBR-2.2).
    """
    check_seat(dealer)
    if len(dice) != 2 or not all(1 <= die <= 6 for die in dice):
        raise WallError(f"dice {dice} are not two numbers from 1 to 6")
    return Break(counted_side(dealer, sum(dice)), min(dice))


@lru_cache(maxsize=512)
def take_order(plan: tuple[int, int, int, int], dealer: int, dice: tuple[int, ...]) -> tuple[Position, ...]:
    """Every place of the wall in the order in which its tile leaves it (SBR-2.2 to 2.4).

    The first 53 are the tiles dealt, in the order in which they are taken (`deal_seats` says by whom); the rest are
    drawn from the head of the wall, kong replacements included.
    """
    start = break_wall(dice, dealer)
    return tuple(Position(side, stack - 1, layer) for side, stack, layer in wall_order(plan, *start).head)
