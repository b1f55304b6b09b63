"""The people at a simulated table: they press keys and move the tiles that are there. They know no rules."""

from collections.abc import Iterable

from wallwright_protocol.hardware import (
    BELT_FULL,
    CLAIM_KEY_0,
    COUNT_EYE,
    DICE_KEY,
    LIFT_KEY,
    REFEREE_KEY,
    SIDES,
    input_number,
)

from .surface import PhysicalError
from .world import World


class Players:
    """Four people, one at each side, who do at once what they are told; PhysicalError when it cannot be done."""

    def __init__(self, world: World) -> None:
        self._world = world

    def push_in(self) -> None:
        """Push everything on the table into the drum."""
        self._world.push_in()

    def push_in_loose(self) -> None:
        """Push what stands in no wall into the drum, and what lies on the floor, too."""
        if not self._world.lid.at_end:
            raise PhysicalError("tiles can only be pushed in while the lid is open")
        for tile in [tile for name, place in self._world.places() if not name.startswith("wall") for tile in place]:
            self._world.put_in_drum(tile)

    def stand_walls(self) -> None:
        """Take walls that went down undrawn out of the carriers, by the service door, and stand them on the table.

        Stacks of the other set, which were pushed in behind them, stay.
        """
        world = self._world
        if any(any(wall) for wall in world.walls):
            raise PhysicalError("no walls can be stood there: old ones stand in the way")
        if not all(head.carrier for head in world.heads):
            raise PhysicalError("the carriers hold no walls")
        for side, head in enumerate(world.heads):
            undrawn = world.set_of(head.carrier[0][0])
            world.walls[side] = [stack for stack in head.carrier if world.set_of(stack[0]) == undrawn]
            head.carrier[:] = [stack for stack in head.carrier if world.set_of(stack[0]) != undrawn]

    def empty_head(self, side: int) -> None:
        """Open the stacking head of `side`, turn it home, and drop its tiles into the drum."""
        for tile in self._world.free_head(side):
            self._world.put_in_drum(tile)

    def part_sets(self) -> None:
        """Take all tiles out of carriers, heads and drum, and part them: set 0 into the drum, set 1 onto the table."""
        world = self._world
        for side in range(SIDES):
            world.free_carrier(side)
            world.free_head(side)
        for tile in list(world.drum.tiles):
            world.remove_tile(tile)
        for tile in list(world.loose):
            if world.set_of(tile):
                world.lay_down(tile)
            else:
                world.put_in_drum(tile)

    def empty_side(self, side: int) -> list[int]:
        """Take the tiles of `side` off its belt and out of its head and carrier, by the service door, and drop them
        into the drum; return them."""
        world = self._world
        off = world.belts[side].take_off()
        world.loose.extend(off)
        tiles = [*off, *world.free_head(side), *world.free_carrier(side)]
        for tile in tiles:
            world.put_in_drum(tile)
        return tiles

    def draw_in(self) -> None:
        """Draw the four raised walls in from the lifts."""
        self._world.draw_in_walls()

    def press_lift(self, side: int) -> None:
        """Press the lift key of `side`."""
        self._world.press(input_number(side, LIFT_KEY))

    def press_dice(self, side: int) -> None:
        """Press the dice key of `side`."""
        self._world.press(input_number(side, DICE_KEY))

    def press_referee(self, side: int) -> None:
        """Press the key of `side` that calls a referee."""
        self._world.press(input_number(side, REFEREE_KEY))

    def press_claim(self, seat: int) -> None:
        """Press the claim key of `seat`."""
        self._world.press(CLAIM_KEY_0 + seat)

    def cover_count_eye(self, side: int) -> None:
        """Hold a hand before the counting eye of `side` for a moment."""
        self._world.cover(side, COUNT_EYE)

    def cover_belt_eye(self, side: int) -> None:
        """Hold a hand before the belt-full eye of `side` for a moment."""
        self._world.cover(side, BELT_FULL)

    def clear_sorter(self) -> list[int]:
        """Open what sorts and take its tiles, off magnets or out of holding places; return them, loose from then on."""
        sorter = self._world.sorter
        tiles = sorter.clear() if sorter else []
        self._world.loose.extend(tiles)
        return tiles

    def hold(self, reader: int, tile: int | None) -> None:
        """Hold a tile to a reader, or take away (None) what is held there."""
        self._world.hold(reader, tile)

    def take(self, seat: int, positions: Iterable[tuple[int, int, int]]) -> list[int]:
        """Take the tiles at (side, stack, layer), in this order, into the hand of `seat`; return them."""
        return [self._world.take(side, stack, layer, seat) for side, stack, layer in positions]

    def discard(self, seat: int, tile: int) -> None:
        """Lay a tile of the hand open on the table."""
        self._world.discard(seat, tile)

    def claim(self, seat: int, tile: int) -> None:
        """Take an open tile of the table into the hand."""
        self._world.claim(seat, tile)

    def hand_over(self, seat: int, tile: int, to: int) -> None:
        """Give a tile of the hand of `seat` to another player, face down."""
        self._world.hand_over(seat, tile, to)

    def meld(self, seat: int, tiles: Iterable[int], onto: int | None = None) -> None:
        """Lay tiles of the hand down as a new meld, or `onto` an own one by its index. A flower is laid out alone."""
        self._world.meld(seat, tiles, onto)

    def show_hand(self, seat: int) -> list[str]:
        """The faces of the tiles in the hand of `seat`, in the order in which they came."""
        return [self._world.face(tile) for tile in self._world.hands[seat]]
