"""Which dice are thrown for what before a deal, where a game has several throws: its host tells the table one by one.

A table left alone throws for the cut, with as many dice as it is set to, whoever presses a dice key. That is all that a
game with one throw needs, and such a table is told nothing. Other games are asked for their throws (`Game.throw`): the
first once the walls are up, the next when the dice of the one before are there.
"""

from ..link.reports import Event
from ..rules.core.game import CUT, Throw, Throws
from .deal_orders import set_throw
from .next_walls import Coming
from .table import Table

SHOWN_MS = 3_000
"""For so long the dice of a throw stay on the displays before the table asks for the next one."""


class ThrowHost:
    """Tells one table, in one connection, what its dice keys throw for, whenever that has changed."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._thrown: Throws | None = () if table.state == "walls_up" else None
        """What was thrown for the deal whose walls are up; None between deals."""
        self._told: Throw | None = None
        self._shown_until_ms = 0

    def see(self, event: Event) -> None:
        """Take note of walls and dice."""
        if event.name == "walls_up":
            self._thrown = ()
        elif event.name == "dice_rolled" and self._thrown is not None:
            fields = event.fields
            if fields["purpose"] == CUT:
                self._thrown = None
            elif self._told is not None and fields["purpose"] == self._told.purpose and not self._is_shown:
                self._thrown = (*self._thrown, tuple(fields["dice"]))
                self._shown_until_ms = self._table.now_ms() + SHOWN_MS

    def tell(self, coming: Coming) -> None:
        """Have the table know the throw that is due. Raises LinkError, and Refused when it takes none now."""
        if self._is_shown:
            return
        throw = None
        if self._thrown is not None:
            dealer = self._table.last_status.dealer if coming.dealer is None else coming.dealer
            throw = coming.rules.throw(dealer, self._thrown)
            if throw is not None and throw.purpose == CUT and not self._thrown:
                throw = None
        if throw == self._told:
            return
        self._told = throw
        if throw is None:
            set_throw(self._table, CUT)
        else:
            set_throw(self._table, throw.purpose, throw.dice, throw.seat)

    @property
    def _is_shown(self) -> bool:
        """People still read the dice of the throw before; who throws once more has thrown for nothing."""
        return self._table.now_ms() < self._shown_until_ms
