"""What a game of `turns` can be asked so that its deals are played at a table, and told move by move."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol, runtime_checkable

from wallwright.rules.core.acts import Act
from wallwright.rules.core.game import PlayedGame, Record
from wallwright.rules.core.turns import Turns

Choose = Callable[[Sequence[Act], Random], Act]
"""Somebody at a seat: takes one of the legal acts."""


@runtime_checkable
class TurnsGame(PlayedGame, Protocol):
    """A game whose deals are `Turns`."""

    def start(self, record: Record, hands: Sequence[Sequence[int]], left: int, /) -> Turns:
        """The deal of a record's begin with the kinds dealt by seat, and so many tiles left in a wall nobody knows."""
        ...

    def player(self, deal: Turns, seat: int, bots: str, /) -> Choose:
        """A bot at a seat of the deal, "random" or "smart"; it looks at what that seat may know."""
        ...

    def declare(self, record: Record, deal: Turns, standing: Sequence[Sequence[int]], /) -> dict[str, object]:
        """A deal that is over as `settle` takes it, by the begin of its record; `standing` are the kinds that stand
        in each hand, a drawn winning tile among them, a claimed one not.
        """
        ...
