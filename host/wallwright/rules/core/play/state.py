"""Where a deal is: hands, sets, flowers, the wall with its two ends, and who decides what.

All values in it are immutable, so a copy of the state is a whole one. Nothing here knows what is legal.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import TypeVar

from wallwright.rules.core.play.actions import Action
from wallwright.rules.core.play.rules import Winning
from wallwright.rules.core.readings import ONE, pack_tiles
from wallwright.rules.core.sets import TileSet
from wallwright.rules.core.tiles import KINDS, STANDING, copies_of

LAY, REPLACE, GIVE, MUST_DRAW, TURN, CLAIM, ROB, OVER = range(8)
"""A seat lays out a flower, draws from the tail, gives tiles, draws from the head, acts, answers a discard, a kong."""
WIN_END, WALL_END = "win", "wall"

T = TypeVar("T")
Tuples = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
EMPTY: Tuples = ((), (), (), ())


@dataclass
class PlayState:
    """`hands` are packed and hold no flower; `held` are flowers in the hand, `flowers` those laid out, and `owed` how
    many tiles a seat has still to draw for flowers and kongs. `gone` has bit n when tile n of the wall has left it.
    """

    east: int
    hands: tuple[int, ...]
    held: tuple[tuple[int, ...], ...]
    wall: tuple[int, ...] | None
    tail: tuple[int, ...]
    left: int
    phase: int = LAY
    seat: int = 0
    setup: int = 0
    """Which seat from East on is at its dealt flowers; 4 when all are done."""
    laying: bool = True
    exchange: int = 0
    given: tuple[tuple[int, ...], ...] = ()
    sets: tuple[tuple[TileSet, ...], ...] = ((), (), (), ())
    flowers: tuple[tuple[int, ...], ...] = EMPTY
    owed: tuple[int, ...] = (0, 0, 0, 0)
    rivers: tuple[tuple[int, ...], ...] = EMPTY
    gone: int = 0
    head_at: int = 0
    tail_at: int = 0
    drawn: int | None = None
    """The tile that the seat in turn has drawn last; None after a claim and on the dealt hand."""
    from_tail: bool = False
    by_wall: bool = True
    """The turn began with a draw or with the dealt hand."""
    kongs_in_turn: int = 0
    discards: int = 0
    kongs: tuple[tuple[int, TileSet, int | None, bool], ...] = ()
    """Seat, set, discarder of a claimed one, robbed: in the order of declaration."""
    offered: int | None = None
    shown: TileSet | None = None
    """The kong whose fourth tile is offered."""
    queue: tuple[tuple[Action, ...], ...] = ()
    answers: tuple[Action, ...] = ()
    end: str | None = None
    winners: tuple[Winning, ...] = ()
    unseen: tuple[int, ...] = ()
    """How many tiles of each of the 42 kinds were not dealt nor drawn, where the wall is not known."""

    def copy(self) -> "PlayState":
        """A state that changes on its own."""
        return copy(self)

    def take(self, seat: int, kind: int) -> None:
        """Put a tile from the wall into a hand."""
        self.left -= 1
        if self.unseen:
            self.unseen = replaced(self.unseen, kind, self.unseen[kind] - 1)
        if kind >= STANDING:
            self.held = replaced(self.held, seat, (*self.held[seat], kind))
        else:
            self.hands = replaced(self.hands, seat, self.hands[seat] + ONE[kind])

    def next_at(self, from_tail: bool) -> int:
        """The place in the wall of the tile that leaves next at one end."""
        if from_tail:
            return next(
                self.tail[at] for at in range(self.tail_at, len(self.tail)) if not self.gone >> self.tail[at] & 1
            )
        at = self.head_at
        while self.gone >> at & 1:
            at += 1
        return at

    def leave(self, from_tail: bool) -> None:
        """Note that the next tile at one end has left the wall."""
        at = self.next_at(from_tail)
        self.gone |= 1 << at
        if from_tail:
            self.tail_at = self.tail.index(at, self.tail_at) + 1
        else:
            self.head_at = at + 1


def replaced(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The values with one of them changed."""
    return (*values[:at], value, *values[at + 1 :])


def dealt_state(
    east: int, hands: Sequence[Sequence[int]], wall: Sequence[int] | None, tail: Sequence[int], size: int, reserve: int
) -> PlayState:
    """The state before anything happens. `tail` are places in the wall; `size` is how many tiles it has."""
    packed = tuple(pack_tiles(kind for kind in hand if kind < STANDING) for hand in hands)
    held = tuple(tuple(sorted(kind for kind in hand if kind >= STANDING)) for hand in hands)
    unseen: list[int] = []
    if wall is None:
        unseen = [copies_of(kind) for kind in range(KINDS)]
        for hand in hands:
            for kind in hand:
                unseen[kind] -= 1
    known = None if wall is None else tuple(wall)
    return PlayState(east, packed, held, known, tuple(tail), size - reserve, seat=east, unseen=tuple(unseen))
