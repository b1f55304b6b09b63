"""A table seen from above, as shapes: where every stack is, what is built below, what of the wall on top is left.

Sides are 0 to 3, side 0 at the bottom and the others counter-clockwise. A side's shapes have the coordinates of the
bottom; the page turns them by `angle` degrees round the middle. Lengths are of a square of 760.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from wallwright_protocol.hardware import SIDES

from ...rules.core.walls import DEALT, WallOrder
from .model import TableView

MIDDLE = 380
STACK_WIDTH = 19
"""One stack with its gap."""
TAIL, DEAD = "tail", "dead"
"""How a stack is marked: the first one of the tail, those of the dead wall."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a stack: its left end, and the tiles there, 0 to 2; `mark` has TAIL, DEAD, both or nothing."""

    x: float
    tiles: int
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One side: the wall on the table, the carrier below it (`count` of `wanted` stacks, `loose` tiles), its lift.

    One that `is_out` builds no wall.
    """

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
    is_out: bool
    break_x: float | None


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole table; `left` are the tiles of the wall on top, None where nobody counts them. `before` are the throws
    that came before `dice`.

    `has_tail`: replacements come from the other end of a wall that is broken; `dead` tiles at that end stay there.
    """

    sides: tuple[Side, ...]
    left: int | None
    has_tail: bool
    dead: int
    before: tuple[tuple[int, ...], ...]
    dice: tuple[int, ...] | None
    lid: str
    is_stopped: bool


def picture(table: TableView) -> Picture:
    """Return the picture of a table."""
    play, wall = table.play, table.wall
    order = _order(table)
    marks = _marks(table, order)
    heights = _heights(table, order)
    dealer = table.dealer if play is None else play.dealer
    is_counted = wall is not None and wall.taken is not None
    return Picture(
        sides=tuple(_side(table, side, heights, dealer, order, marks) for side in range(SIDES)),
        left=sum(map(sum, heights)) if is_counted else None,
        has_tail=bool(marks),
        dead=table.rules.dead_wall if marks else 0,
        before=() if wall is None or wall.dice is None else wall.before,
        dice=table.dice if wall is None or wall.dice is None else wall.dice,
        lid=table.lid,
        is_stopped=table.fault is not None and table.fault.side is None,
    )


def _side(
    table: TableView,
    side: int,
    heights: tuple[tuple[int, ...], ...],
    dealer: int,
    order: WallOrder | None,
    marks: Mapping[tuple[int, int], str],
) -> Side:
    wall = heights[side] if heights else ()
    count, wanted = table.stacks[side], table.plan[side]
    places = _places(max(count, wanted))
    return Side(
        side=side,
        angle=-90 * side % 360,
        wall=tuple(
            Slot(x, tiles, marks.get((side, stack), ""))
            for stack, (x, tiles) in enumerate(zip(_places(len(wall)), wall, strict=True), 1)
        ),
        carrier=tuple(Slot(x, 2 if index < count else 0) for index, x in enumerate(places)),
        count=count,
        wanted=wanted,
        loose=table.loose_tiles[side],
        lift=table.lifts[side],
        is_running=any(f"{drive}_{side}" in table.moving for drive in ("conveyor", "conveyor_reverse", "head")),
        is_dealer=dealer == side,
        has_fault=table.fault is not None and table.fault.side == side,
        is_out=side in table.sides_out,
        break_x=_break_x(order, side, heights),
    )


def _order(table: TableView) -> WallOrder | None:
    """The order in which tiles leave the wall on the table; None before it is broken."""
    up = table.wall
    if up is None or up.dice is None or up.dealer is None:
        return None
    return table.rules.broken_wall(up.dealer, (*up.before, up.dice), up.plan)


def _heights(table: TableView, order: WallOrder | None) -> tuple[tuple[int, ...], ...]:
    """How many tiles every stack of the wall on the table has, by side; empty where no wall was seen.

    Where nobody counts what leaves it, it is shown as it was built. What is counted is taken from the head.
    """
    wall = table.wall
    if wall is None:
        return ()
    if order is None or wall.taken is None:
        return tuple((2,) * stacks for stacks in wall.plan)
    standing = [[0] * stacks for stacks in wall.plan]
    for place in order.head[wall.taken :]:
        standing[place.side][place.stack - 1] += 1
    return tuple(map(tuple, standing))


def _marks(table: TableView, order: WallOrder | None) -> dict[tuple[int, int], str]:
    """How stacks are marked, by side and number; none where replacements come from the head as all tiles do."""
    if order is None or order.tail == order.head[DEALT:]:
        return {}
    marks = {(place.side, place.stack): DEAD for place in order.tail[: table.rules.dead_wall]}
    first = (order.tail[0].side, order.tail[0].stack)
    return marks | {first: f"{marks.get(first, '')} {TAIL}".strip()}


def _break_x(order: WallOrder | None, side: int, heights: tuple[tuple[int, ...], ...]) -> float | None:
    """The break is left of the stack that stands before the first one dealt, which may be the last of its side."""
    if order is None:
        return None
    first = order.head[0]
    if first.stack > 1:
        return _places(len(heights[side]))[first.stack - 2] - 1 if first.side == side else None
    before = next(one % SIDES for one in range(first.side + 1, first.side + SIDES) if heights[one % SIDES])
    return _places(len(heights[side]))[-1] - 1 if side == before else None


def _places(count: int) -> tuple[float, ...]:
    """The left ends of so many stacks; the first is at the right, as players count them."""
    right = MIDDLE + count * STACK_WIDTH / 2
    return tuple(right - STACK_WIDTH * (index + 1) for index in range(count))
