"""Wall, break and deal on a model of the table with coordinates. (SBR-2)

Seats 0-3 sit counter-clockwise round a square seen from above, x to the right and y upwards; seat 0 sits at the bottom.
A stack is a point; the walk clockwise is a sort by angle. Nothing here knows in which order walls follow each other.
"""

import math
from dataclasses import dataclass

TOP, BOTTOM = 1, 0


@dataclass
class Stack:
    """Two tiles on one another at a point of the table. `tiles` lists the layers that are still there."""

    seat: int
    index: int
    x: float
    y: float
    tiles: list[int]

    @property
    def angle(self) -> float:
        """Counter-clockwise from the x axis, in radians."""
        return math.atan2(self.y, self.x)


def build(plan: tuple[int, int, int, int]) -> list[Stack]:
    """All stacks of a wall. Stack 0 of a side is at the right hand of the player who looks at the centre."""
    stacks = []
    for seat, length in enumerate(plan):
        towards_seat = -math.pi / 2 + seat * math.pi / 2
        out_x, out_y = math.cos(towards_seat), math.sin(towards_seat)
        look_x, look_y = -out_x, -out_y
        right_x, right_y = look_y, -look_x
        for index in range(length):
            to_the_right = (length - 1) / 2 - index
            x, y = 12 * out_x + to_the_right * right_x, 12 * out_y + to_the_right * right_y
            stacks.append(Stack(seat, index, x, y, [TOP, BOTTOM]))
    return stacks


def player_counted(total: int, dealer: int) -> int:
    """The seat found by counting players counter-clockwise, the dealer being one. (SBR-2.2)"""
    seat = dealer
    for _ in range(total - 1):
        seat = (seat + 1) % 4
    return seat


def stacks_from_break(plan: tuple[int, int, int, int], dealer: int, dice: tuple[int, int]) -> list[Stack]:
    """All stacks, clockwise from the break: the indent is counted off the right end of the broken wall. (SBR-2.2)"""
    broken = player_counted(sum(dice), dealer)
    ring = sorted(build(plan), key=lambda stack: -stack.angle)
    start = next(at for at, stack in enumerate(ring) if (stack.seat, stack.index) == (broken, 0))
    ring = ring[start:] + ring[:start]
    for _ in range(min(dice)):
        ring.append(ring.pop(0))
    return ring


def deal_and_draw(
    plan: tuple[int, int, int, int], dealer: int, dice: tuple[int, int]
) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Every tile as (seat, stack, layer) in the order of leaving the wall, and the seats receiving the first 53."""
    ring = stacks_from_break(plan, dealer, dice)
    players = [(dealer + step) % 4 for step in range(4)]
    east, south, west, north = players
    order: list[tuple[int, int, int]] = []
    receivers: list[int] = []

    def take(stack: Stack, layer: int, seat: int) -> None:
        stack.tiles.remove(layer)
        order.append((stack.seat, stack.index, layer))
        receivers.append(seat)

    for _ in range(3):
        for seat in players:
            for stack in (ring.pop(0), ring.pop(0)):
                take(stack, TOP, seat)
                take(stack, BOTTOM, seat)
    take(ring[0], TOP, east)
    take(ring[2], TOP, east)
    take(ring[0], BOTTOM, south)
    take(ring[1], TOP, west)
    take(ring[1], BOTTOM, north)
    for stack in ring:
        for layer in list(stack.tiles):
            take(stack, layer, -1)
    return order, receivers[:53]
