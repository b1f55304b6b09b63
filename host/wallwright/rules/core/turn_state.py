"""What a deal of `turns` consists of between two acts."""

from collections.abc import Sequence
from typing import NamedTuple, Self, TypeVar

from wallwright.rules.core.acts import Act
from wallwright.rules.core.readings import pack_tiles
from wallwright.rules.core.sets import TileSet
from wallwright.rules.core.tiles import STANDING

T = TypeVar("T")

SELF_DRAWN, LOOSE, ON_DISCARD, ROBBED_KONG = "self_drawn", "loose", "discard", "robbed_kong"
WON, WALL_ENDED = "win", "wall"
LAY, REPLACING, DRAWING, TURN, CLAIM, ROB, OVER = range(7)
"""Phases: who decides what. LAY is a flower that has to be laid out."""
PROMOTED_KONG = "promoted"


class Won(NamedTuple):
    """How a deal was won. `winners` hold `tile`, None for the dealt hand; `robbed` is what kong it was taken from.

    `kongs`: declared in a row before the tile was drawn. `last`: it was the last one, or the discard after it. `first`:
    with the dealt hand, or on the dealer's very first discard, before any set was laid down.
    """

    by: str
    winners: tuple[int, ...]
    tile: int | None
    from_: int | None
    kongs: int
    last: bool
    first: bool
    robbed: str | None


class State:
    """Everything that an act can change; all values are frozen, so that a copy is cheap."""

    def __init__(self, dealer: int, hands: Sequence[Sequence[int]], size: int) -> None:
        # By seat: packed standing tiles, flowers still to be laid out, those laid out, sets laid down, all discards.
        self.hands = tuple(pack_tiles(kind for kind in hand if kind < STANDING) for hand in hands)
        self.waiting = tuple(tuple(sorted(kind for kind in hand if kind >= STANDING)) for hand in hands)
        self.flowers: tuple[tuple[int, ...], ...] = ((), (), (), ())
        self.sets: tuple[tuple[TileSet, ...], ...] = ((), (), (), ())
        self.rivers: tuple[tuple[int, ...], ...] = ((), (), (), ())
        # Of the tiles in rivers, those that nobody has claimed.
        self.unclaimed: tuple[int, ...] = ()
        self.phase = LAY
        self.seat = dealer
        # Flowers of the dealt hands are being laid out.
        self.starting = True
        self.left = size
        # Places of the order of the head, and of the tail, from which on nothing was taken; the former before a draw.
        self.head = 0
        self.tail = 0
        self.head_before = 0
        self.drawn: int | None = None
        # This turn's tile came from the wall or the deal, not from a claim; and from the tail, after so many kongs.
        self.by_wall = True
        self.loose = False
        self.kongs = 0
        self.offered = -1
        self.face: str | None = None
        self.source = dealer
        # Nobody has done anything but draw since the latest discard.
        self.late = False
        # Seats still to answer, each as its list of acts, and the claims made so far.
        self.queue: tuple[tuple[Act, ...], ...] = ()
        self.answers: tuple[Act, ...] = ()
        # What the game notes beside it, such as calls.
        self.notes: tuple[object, ...] = ()
        self.won: Won | None = None
        self.end: str | None = None

    def copy(self) -> Self:
        """The same, to be changed apart."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new


def changed(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The tuple with one value changed."""
    row = list(values)
    row[at] = value
    return tuple(row)
