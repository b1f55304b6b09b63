"""What a board keeps of the deal at hand over a power loss, in games that keep more from deal to deal than who deals.

Its host tells it anew before each deal, once the deal before is settled, and when the throws of a deal have said more.
"""

from collections.abc import Mapping
from typing import Any

from ..rules.core.game import CUT, GOULASH, POT, Throw, WindGame
from .deal_check import DealKind
from .deal_orders import set_deal
from .next_throws import Thrown
from .next_walls import Coming
from .table import Table

WINDS = "ESWN"
"""As records write them and boards count them."""


class KeptDealHost:
    """Tells one table, in one connection, what to keep of its deal, whenever something new is known of it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._told: tuple[object, ...] = ()

    def tell(self, coming: Coming, thrown: Thrown) -> None:
        """Have the table know, after it was told its walls: with them it takes another dealer.

        Raises LinkError, and Refused, once, when the board cannot store it.
        """
        begin, east = coming.begin, coming.dealer
        if begin is None or east is None:
            return
        # The throws before the deal in play say nothing of the one that comes.
        made = () if coming.is_certain else tuple(thrown.made(coming, east))
        if (coming, made) == self._told:
            return
        self._told = coming, made
        dice = tuple(one for _, one in made)
        kind: DealKind = "goulash" if begin.get(GOULASH) else "usual"
        due = coming.rules.throw(east, dice)
        set_deal(self._table, east, _cutter(made, due, east), _wind(coming, begin, dice), kind, int(begin.get(POT, 0)))


def _cutter(made: tuple[tuple[Throw, tuple[int, ...]], ...], due: Throw | None, east: int) -> int:
    """Who cuts the wall and so is the dealer, East until the throws have said who."""
    throws = [throw for throw, _ in made] + ([] if due is None else [due])
    return next((throw.seat for throw in throws if throw.purpose == CUT), east)


def _wind(coming: Coming, begin: Mapping[str, Any], dice: tuple[tuple[int, ...], ...]) -> int:
    """The wind of the round, East while nobody has thrown for it."""
    rules = coming.rules
    letter = begin.get("round_wind")
    if letter is None and isinstance(rules.game, WindGame):
        letter = rules.game.thrown_wind(rules.asked(begin), dice)
    return WINDS.index(letter or "E")
