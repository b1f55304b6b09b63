"""What a game has to say about its turns, so that one loop plays them all."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from wallwright.rules.core.sets import TileSet

NO_FLOWERS, ROUNDS, AT_ONCE, FIRST_TURN = "none", "rounds", "at_once", "first_turn"
"""When dealt flowers are replaced: there are none; by everybody once and then again; each player's to the end; all are
laid out and each player's are replaced in the first own turn."""
SELF_DRAWN, FROM_TAIL, BY_DISCARD, ROBBED_KONG = "self_drawn", "loose", "discard", "robbed_kong"
AFTER_KONG, KONG_ON_KONG, LAST_TILE, LAST_DISCARD = "after_kong", "kong_on_kong", "last_tile", "last_discard"
HEAVENLY, EARTHLY = "heavenly", "earthly"


class Winning(NamedTuple):
    """A hand that could be declared won: `hand` is packed and without `tile`. `from_` gave the tile, if anybody did."""

    seat: int
    hand: int
    sets: tuple[TileSet, ...]
    tile: int
    by: str
    from_: int | None
    flowers: tuple[int, ...]
    conditions: frozenset[str]


class Exchange(NamedTuple):
    """All four give `tiles` at once, unseen. Seats are counted from East; `partner` is exclusive-or-ed to a seat: 2 is
    across, 1 joins East with South, 3 East with North.
    """

    tiles: int
    partner: int


class PlayRules(Protocol):
    """A game's turns as data, and what a hand is worth."""

    @property
    def flowers(self) -> str:
        """When dealt flowers are replaced."""
        ...

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Before the first turn, in order."""
        ...

    @property
    def reserve(self) -> int:
        """Tiles that are never drawn."""
        ...

    @property
    def last_discard(self) -> bool:
        """Whether who draws the last tile discards, and others may win on that; else the deal ends."""
        ...

    def completing(self, hand: int, sets: tuple[TileSet, ...]) -> Sequence[int]:
        """The kinds that complete a packed hand that lacks one."""
        ...

    def worth(self, winning: Winning) -> int | None:
        """What it is worth, None when it may not be declared."""
        ...

    def winners(self, declared: Sequence[Winning]) -> Sequence[Winning]:
        """Who of those that declare on one tile wins it; they come in the order of their turns."""
        ...

    def may_rob(self, winning: Winning, kong: TileSet) -> bool:
        """Whether that hand may take the fourth tile of a kong."""
        ...
