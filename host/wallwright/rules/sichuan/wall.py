"""Walls: stacks per side, where dice break them, and the order in which the tiles leave (SBR-2). Knows no faces.

Seats are the physical sides 0..3 counter-clockwise; the wall is taken clockwise, so after a side's wall comes that of
`side - 1`. A stack's index counts from the right end of its side as the owner sees it; layer 1 is the top tile, 0 the
bottom.
"""

from dataclasses import dataclass
from typing import NamedTuple

from wallwright.rules.core.errors import WallError

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

DEALT = 53
"""Tiles dealt before the first turn: 14 to the dealer, 13 to the others (SBR-2.3)."""


@dataclass(frozen=True, slots=True)
class Break:
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
    _check_seat(dealer)
    long, short = STACKS[tiles]
    first = dealer if long_walls == "dealer" else 0
    even, odd = (long, short) if first % 2 == 0 else (short, long)
    return (even, odd, even, odd)


def break_wall(dice: tuple[int, int], dealer: int) -> Break:
    """The break that two dice make: their sum counts seats from the dealer = 1, the smaller one is the indent
    (SBR-2.2).
    """
    _check_seat(dealer)
    if not all(1 <= die <= 6 for die in dice):
        raise WallError(f"dice {dice} are not two numbers from 1 to 6")
    return Break(seat=(dealer + sum(dice) - 1) % 4, indent=min(dice))


def take_order(plan: tuple[int, int, int, int], dealer: int, dice: tuple[int, int]) -> tuple[Position, ...]:
    """Every place of the wall in the order in which its tile leaves it (SBR-2.2 to 2.4).

    The first 53 are the tiles dealt, in the order in which they are taken (`deal_seats` says by whom); the rest are
    drawn from the head of the wall, kong replacements included.
    """
    start = break_wall(dice, dealer)
    stacks = [(side % 4, stack) for side in range(start.seat, start.seat - 4, -1) for stack in range(plan[side % 4])]
    stacks = stacks[start.indent :] + stacks[: start.indent]
    layers = [Position(seat, stack, layer) for seat, stack in stacks for layer in (1, 0)]
    if len(layers) < DEALT + 1:
        raise WallError(f"the plan {plan} has {len(layers)} tiles, which is too few for a deal")
    # Twelve tiles each are 24 whole stacks. Of the three stacks after them the dealer takes the first and third top
    # tile, then the others take bottom, top, bottom of the first two.
    top_1, bottom_1, top_2, bottom_2, top_3, bottom_3 = layers[48:54]
    return (*layers[:48], top_1, top_3, bottom_1, top_2, bottom_2, bottom_3, *layers[54:])


def deal_seats(dealer: int) -> tuple[int, ...]:
    """The 53 seats that receive the first 53 tiles of `take_order` (SBR-2.3)."""
    _check_seat(dealer)
    order = [(dealer + step) % 4 for step in range(4)]
    rounds = [seat for _ in range(3) for seat in order for _ in range(4)]
    return (*rounds, dealer, *order)


def _check_seat(seat: int) -> None:
    if seat not in range(4):
        raise WallError(f"seat {seat} does not exist: seats are 0 to 3, counter-clockwise")
