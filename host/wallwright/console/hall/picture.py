"""A table seen from above, as shapes: where every stack is, what is built below, what of the wall on top is left.

Sides are 0 to 3, side 0 at the bottom and the others counter-clockwise. A side's shapes have the coordinates of the
bottom; the page turns them by `angle` degrees round the middle. Lengths are of a square of 760.
"""

from dataclasses import dataclass

from wallwright_protocol.hardware import SIDES

from ...fleet.wall_up import WallUp
from ...rules.sichuan.wall import break_wall, take_order
from .model import TableView

MIDDLE = 380
STACK_WIDTH = 19
"""One stack with its gap."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a stack: its left end, and the tiles there, 0 to 2."""

    x: float
    tiles: int


@dataclass(frozen=True, slots=True)
class Side:
    """One side: the wall on the table, the carrier below it (`count` of `wanted` stacks, `loose` tiles), its lift."""

    side: int
    angle: int
    wall: tuple[Slot, ...]
    carrier: tuple[Slot, ...]
    count: int
    wanted: int
    loose: int
    lift: str
    is_running: bool
    is_dealer: bool
    has_fault: bool
    break_x: float | None


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole table; `left` are the tiles of the wall on top, None where nobody counts them."""

    sides: tuple[Side, ...]
    left: int | None
    dice: tuple[int, ...] | None
    lid: str
    is_stopped: bool


def picture(table: TableView) -> Picture:
    """Return the picture of a table."""
    play, wall = table.play, table.wall
    heights = _heights(wall)
    dealer = table.dealer if play is None else play.dealer
    is_counted = wall is not None and wall.taken is not None
    return Picture(
        sides=tuple(_side(table, side, heights, dealer) for side in range(SIDES)),
        left=sum(map(sum, heights)) if is_counted else None,
        dice=table.dice if wall is None or wall.dice is None else wall.dice,
        lid=table.lid,
        is_stopped=table.fault is not None and table.fault.side is None,
    )


def _side(table: TableView, side: int, heights: tuple[tuple[int, ...], ...], dealer: int) -> Side:
    wall = heights[side] if heights else ()
    count, wanted = table.stacks[side], table.plan[side]
    places = _places(max(count, wanted))
    return Side(
        side=side,
        angle=-90 * side % 360,
        wall=tuple(Slot(x, tiles) for x, tiles in zip(_places(len(wall)), wall, strict=True)),
        carrier=tuple(Slot(x, 2 if index < count else 0) for index, x in enumerate(places)),
        count=count,
        wanted=wanted,
        loose=table.loose_tiles[side],
        lift=table.lifts[side],
        is_running=any(f"{drive}_{side}" in table.moving for drive in ("conveyor", "conveyor_reverse", "head")),
        is_dealer=dealer == side,
        has_fault=table.fault is not None and table.fault.side == side,
        break_x=_break_x(table.wall, side, wall),
    )


def _heights(wall: WallUp | None) -> tuple[tuple[int, ...], ...]:
    """How many tiles every stack of the wall on the table has, by side; empty where no wall was seen.

    Where nobody counts what leaves it, it is shown as it was built.
    """
    if wall is None:
        return ()
    if wall.dice is None or wall.dealer is None or wall.taken is None:
        return tuple((2,) * stacks for stacks in wall.plan)
    left = take_order(wall.plan, wall.dealer, wall.dice)[wall.taken :]
    standing = [[0] * stacks for stacks in wall.plan]
    for place in left:
        standing[place.seat][place.stack] += 1
    return tuple(map(tuple, standing))


def _break_x(up: WallUp | None, side: int, wall: tuple[int, ...]) -> float | None:
    if up is None or up.dice is None or up.dealer is None:
        return None
    where = break_wall(up.dice, up.dealer)
    if where.seat != side:
        return None
    return _places(len(wall))[where.indent - 1] - 1


def _places(count: int) -> tuple[float, ...]:
    """The left ends of so many stacks; the first is at the right, as players count them."""
    right = MIDDLE + count * STACK_WIDTH / 2
    return tuple(right - STACK_WIDTH * (index + 1) for index in range(count))
