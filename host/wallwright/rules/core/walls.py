"""Walls of any plan as data: where they are broken, and in which order their tiles leave from either end.

Sides are the seats 0..3, counter-clockwise. Tiles leave clockwise: along a wall from its owner's right to left, then
along that of side - 1. A stack counts from 1 at the right end of its side; layer 1 is the upper tile, 0 the lower.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from wallwright.rules.core.errors import WallError

DEALT = 53
"""Tiles dealt before the first turn: 14 to the dealer, 13 to each of the others."""
_OF_THREE_STACKS = (0, 4, 1, 2, 3, 5)
"""The last tiles dealt, as places among three stacks, upper before lower: the dealer takes the upper ones of the first
and third stack, then the others the lower of the first, the upper and the lower of the second."""


class Place(NamedTuple):
    """One tile's place."""

    side: int
    stack: int
    layer: int


class WallOrder(NamedTuple):
    """The tiles of a wall in the order in which they leave it.

    `head` begins with the tiles dealt (`deal_seats` says to whom) and goes on clockwise. `tail` has the places that are
    left after the deal in the order of replacements, counter-clockwise from the break, upper before lower. Whoever
    draws takes the first one of an end that the other end has not had.

    Where each player draws from the own wall, `own` has how many tiles each of them has left after the deal, by seat;
    `head` has these behind the tiles dealt, wall by wall.
    """

    side: int
    head: tuple[Place, ...]
    tail: tuple[Place, ...]
    own: tuple[int, ...] = ()


@lru_cache(maxsize=1024)
def own_walls(plan: Sequence[int]) -> tuple[tuple[Place, ...], ...]:
    """Return the places of each side's wall as its own player takes them: from the right end, upper before lower."""
    return tuple(
        tuple(Place(side, stack, layer) for stack in range(1, stacks + 1) for layer in (1, 0))
        for side, stacks in enumerate(plan)
    )


def own_order(plan: Sequence[int], dealer: int) -> WallOrder:
    """The order of walls from which each player is dealt, and draws on, from the own one (SBR-11.9).

    WallError when a wall has too few tiles to deal.
    """
    check_seat(dealer)
    seats = deal_seats(dealer)
    counts = [seats.count(seat) for seat in range(4)]
    walls = own_walls(plan)
    if any(len(wall) < count for wall, count in zip(walls, counts, strict=True)):
        raise WallError(f"the plan {tuple(plan)} has a wall with too few tiles for its player's hand")
    mine = [iter(wall) for wall in walls]
    dealt = tuple(next(mine[seat]) for seat in seats)
    left = [tuple(wall) for wall in mine]
    rest = tuple(place for wall in left for place in wall)
    return WallOrder(dealer, (*dealt, *rest), rest, tuple(map(len, left)))


def wall_order(plan: tuple[int, int, int, int], side: int, count: int) -> WallOrder:
    """The order of a wall that is broken `count` stacks clockwise from the right end of `side`, past corners too.

    `plan` has the stacks of each side. One without stacks has no wall: it is counted as a side, and where it is to be
    broken, the next one counter-clockwise is. A game that lifts the last stack counted uses its tiles as the first of
    `tail`.
    WallError when there are too few tiles to deal, or no such side.
    """
    check_seat(side)
    side = next(one % 4 for one in range(side, side + 5) if plan[one % 4] or one == side + 4)
    stacks = [(one % 4, stack) for one in range(side, side - 4, -1) for stack in range(1, plan[one % 4] + 1)]
    if len(stacks) * 2 <= DEALT:
        raise WallError(f"the plan {plan} has {len(stacks) * 2} tiles, which is too few for a deal")
    stacks = stacks[count:] + stacks[:count]
    places = [Place(*stack, layer) for stack in stacks for layer in (1, 0)]
    head = (*places[:48], *(places[48 + step] for step in _OF_THREE_STACKS), *places[54:])
    left = set(head[DEALT:])
    tail = tuple(Place(*stack, layer) for stack in reversed(stacks) for layer in (1, 0))
    return WallOrder(side, head, tuple(place for place in tail if place in left))


def deal_seats(dealer: int) -> tuple[int, ...]:
    """The 53 seats that receive the first 53 tiles of `head`: three rounds of four, then one more, the dealer two."""
    check_seat(dealer)
    order = [(dealer + step) % 4 for step in range(4)]
    return (*(seat for _ in range(3) for seat in order for _ in range(4)), dealer, *order)


def counted_side(dealer: int, total: int) -> int:
    """The side that `total` names when sides are counted counter-clockwise from the dealer's = 1."""
    return (dealer + total - 1) % 4


def check_seat(seat: int) -> None:
    """WallError when there is no such seat."""
    if seat not in range(4):
        raise WallError(f"seat {seat} does not exist: seats are 0 to 3, counter-clockwise")


def check_dice(dice: object, wanted: int, clause: str) -> tuple[int, ...]:
    """The dice of a throw of `wanted` dice. WallError names the clause when there are more, fewer, or other numbers."""
    if not isinstance(dice, list | tuple) or not all(type(die) is int and 1 <= die <= 6 for die in dice):
        raise WallError(f"dice {dice!r} are not numbers from 1 to 6 ({clause})")
    if len(dice) != wanted:
        raise WallError(f"{len(dice)} dice where {wanted} are thrown ({clause})")
    return tuple(dice)


def break_record(order: WallOrder) -> dict[str, object]:
    """A broken wall as `rules break` writes it."""
    return {
        "side": order.side,
        "first": list(order.head[0]),
        "replacements": [list(place) for place in order.tail[:3]],
        "head_after_deal": list(order.head[DEALT]),
        "left": len(order.head) - DEALT,
    }
