"""The table's top and the tiles that people hold: walls, hands, melds, discards, what lies about and what is lost.

Only what hands can do, no rules: a tile is taken when it is there and nothing lies on it, played by whoever holds it.
Seats and sides are 0 to 3; a stack's index counts from the right end of its wall as its owner sees it.
"""

from collections.abc import Callable, Iterable, Iterator

from wallwright_protocol.hardware import SIDES


class PhysicalError(Exception):
    """What was asked for is physically impossible. The text says why."""


def nobody_looks() -> None:
    """There are no readers."""


class Surface:
    """Every tile that is not inside the machine.

    `walls[side][stack]` is [lower, upper], [lower] or [] as tiles leave; `hands[seat]` and `discards[seat]` are tiles
    in the order in which they came, `melds[seat]` groups of tiles; `pile` lies anywhere on the table, `loose` is off
    it, on the floor or between somebody's fingers. `moved` is called when tiles at a seat have changed.
    """

    def __init__(self) -> None:
        self.walls: list[list[list[int]]] = [[] for _ in range(SIDES)]
        self.hands: list[list[int]] = [[] for _ in range(SIDES)]
        self.melds: list[list[list[int]]] = [[] for _ in range(SIDES)]
        self.discards: list[list[int]] = [[] for _ in range(SIDES)]
        self.pile: list[int] = []
        self.loose: list[int] = []
        self.moved: Callable[[], None] = nobody_looks

    def take(self, side: int, stack: int, layer: int, seat: int) -> int:
        """Take the tile of `layer` (1 upper, 0 lower) of a stack into the hand of `seat`; return it.

        PhysicalError when it is not there or another one lies on it.
        """
        wall = self.walls[side]
        if not 0 <= stack < len(wall):
            raise PhysicalError(f"the wall of side {side} has {len(wall)} stacks and no stack {stack}")
        tiles = wall[stack]
        if layer == 0 and len(tiles) > 1:
            raise PhysicalError(f"the lower tile of stack {stack} of side {side} still has the upper one on it")
        if layer != len(tiles) - 1:
            raise PhysicalError(f"stack {stack} of side {side} has no tile in layer {layer} any more")
        tile = tiles.pop()
        self.hands[seat].append(tile)
        self.moved()
        return tile

    def discard(self, seat: int, tile: int) -> None:
        """Lay a tile of the hand open on the table."""
        self._from_hand(seat, [tile])
        self.discards[seat].append(tile)
        self.moved()

    def claim(self, seat: int, tile: int) -> None:
        """Take an open tile, which anybody has discarded or laid down in a meld, into the hand of `seat`."""
        for place in self._open_places():
            if tile in place:
                place.remove(tile)
                self.hands[seat].append(tile)
                self.moved()
                return
        raise PhysicalError(f"tile {tile} does not lie open on the table, so seat {seat} cannot claim it")

    def hand_over(self, seat: int, tile: int, to: int) -> None:
        """Give a tile of the hand of `seat` to the hand of `to`, unseen."""
        self._from_hand(seat, [tile])
        self.hands[to].append(tile)
        self.moved()

    def meld(self, seat: int, tiles: Iterable[int], onto: int | None = None) -> None:
        """Lay tiles of the hand down as a new meld, or `onto` the meld of that index of the same seat."""
        laid = list(tiles)
        if onto is not None and not 0 <= onto < len(self.melds[seat]):
            raise PhysicalError(f"seat {seat} has {len(self.melds[seat])} melds and no meld {onto}")
        self._from_hand(seat, laid)
        if onto is None:
            self.melds[seat].append(laid)
        else:
            self.melds[seat][onto].extend(laid)
        self.moved()

    def lose(self, tile: int) -> None:
        """A tile that lies on the table or is held gets loose. PhysicalError when it is somewhere else."""
        for _, place in self.places():
            if tile in place:
                place.remove(tile)
                self.loose.append(tile)
                self.moved()
                return
        raise PhysicalError(f"tile {tile} is not on the table")

    def sweep(self) -> None:
        """Clear the table and the hands of all tiles but the loose ones."""
        self.pile.clear()
        for side in range(SIDES):
            self.walls[side].clear()
            self.hands[side].clear()
            self.melds[side].clear()
            self.discards[side].clear()
        self.moved()

    def sweeping(self) -> list[tuple[int, int]]:
        """Every tile that `sweep` would clear, with the side that pushes it, in the order in which people push.

        What lies in the middle goes first, then the walls, then hands and melds, at all sides at once. Source: what
        players of such tables describe; nobody has counted. A pile has no owner: its tiles go to the sides in turn.
        """
        stages: tuple[list[list[int]], ...] = (
            [[*self.discards[side], *self.pile[side::SIDES]] for side in range(SIDES)],
            [[tile for stack in self.walls[side] for tile in stack] for side in range(SIDES)],
            [[*self.hands[side], *(tile for meld in self.melds[side] for tile in meld)] for side in range(SIDES)],
        )
        order: list[tuple[int, int]] = []
        for by_side in stages:
            keyed = [
                ((at + 0.5) / len(tiles), side, tile)
                for side, tiles in enumerate(by_side)
                for at, tile in enumerate(tiles)
            ]
            order.extend((tile, side) for _, side, tile in sorted(keyed))
        return order

    def places(self) -> Iterator[tuple[str, list[int]]]:
        """Every place outside the machine, by name, with the very list of its tiles."""
        yield "pile", self.pile
        for side in range(SIDES):
            for stack in self.walls[side]:
                yield f"wall {side}", stack
            yield f"hand {side}", self.hands[side]
            for tiles in self.melds[side]:
                yield f"meld {side}", tiles
            yield f"discards {side}", self.discards[side]
        yield "loose", self.loose

    def _open_places(self) -> Iterator[list[int]]:
        for seat in range(SIDES):
            yield self.discards[seat]
            yield from self.melds[seat]

    def _from_hand(self, seat: int, tiles: list[int]) -> None:
        hand = self.hands[seat]
        if len(set(tiles)) != len(tiles) or not set(tiles) <= set(hand):
            raise PhysicalError(f"seat {seat} does not hold all of the tiles {tiles}")
        for tile in tiles:
            hand.remove(tile)
