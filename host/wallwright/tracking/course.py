"""What happens in a deal as readers can tell it: moves, what is offered, and how tiles are numbered.

A tile is an int: below 1000 the number of an enrolled tag; above, a place for one not known yet: DRAWN + n is the n-th
tile drawn, DEALT + 20 seat + i one that the seat was dealt, OPEN + 4 n + seat a discard, move n, that nobody saw.
"""

from typing import Final, NamedTuple, TypeAlias

from ..rules.core.followed import CHOW, DRAW, GIVE, Move
from ..rules.core.tiles import KINDS

DRAWN: Final = 1000
DEALT: Final = 2000
OPEN: Final = 3000
UNKNOWN: Final = -1
NEVER: Final = 1 << 60
ANY: Final = -2
"""In an offer: any tile of its kind, of a concealed kong that may be robbed."""

MUST_DRAW: Final = 0
TURN: Final = 1
OVER: Final = 2
START: Final = 3
"""Phases. At the start everybody lays out flowers that were dealt."""

ONE: Final = tuple(1 << 8 * kind for kind in range(KINDS))
"""A packed hand of a single tile, by kind, flowers among them."""

Log: TypeAlias = "tuple[Log, Move] | None"
"""Moves, the last one outermost."""


class Offer(NamedTuple):
    """The tile that may be claimed: a discard, or (`added`) one laid onto a pung. `kind` may be UNKNOWN."""

    tile: int
    kind: int
    seat: int
    at_ms: int
    added: bool


def last_move(log: Log) -> Move | None:
    """The latest move."""
    return None if log is None else log[1]


def moves_in(log: Log) -> list[Move]:
    """All moves in their order."""
    moves = []
    while log is not None:
        log, move = log
        moves.append(move)
    return moves[::-1]


def mark(number: int, move: Move) -> int:
    """What a move adds to the key of a course of play; the tile of a draw adds its own part, once it is known."""
    if move.what == DRAW:
        return hash((number, DRAW, move.seat))
    if move.what == GIVE:
        return hash((number, GIVE, move.seat, move.tile, move.to))
    if move.what == CHOW:
        return hash((number, CHOW, move.seat, move.tile, move.low))
    return hash((number, move.what, move.seat, move.tile, move.winners))
