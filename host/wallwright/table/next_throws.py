"""Which dice are thrown for what before a deal, where a game has several throws: its host tells the table one by one.

A table left alone throws for the cut, with as many dice as it is set to, whoever presses a dice key. That is all that a
game with one throw needs, and such a table is told nothing. Other games are asked for their throws (`Game.throw`): the
first once the walls are up, the next when the dice of the one before are there.
"""

from collections.abc import Iterator

from ..journal.kinds import Record
from ..journal.kinds.tables import DiceRolled, WallsUp
from ..rules.core.game import CUT, Throw, Throws
from .deal_orders import set_throw
from .next_walls import Coming
from .table import Table

SHOWN_MS = 3_000
"""For so long the dice of a throw stay on the displays before the table asks for the next one."""


class Thrown:
    """What was thrown at a table since its walls went up, by the events that it tells: the first throw of each purpose.

    `deal` is that of the last walls that went up, by the board's own count; None while nobody knows.
    """

    def __init__(self, deal: int | None = None) -> None:
        self.deal = deal
        self._dice: dict[str, tuple[int, ...]] = {}

    def note(self, said: Record) -> None:
        """Take what an event says; those other than walls and dice say nothing here."""
        if isinstance(said, WallsUp):
            self.deal = said.deal
            self._dice.clear()
        elif isinstance(said, DiceRolled) and said.deal == self.deal and CUT not in self._dice:
            self._dice.setdefault(said.purpose or CUT, said.dice)

    def copy(self) -> "Thrown":
        """Return another one that goes on by itself."""
        other = Thrown(self.deal)
        other._dice |= self._dice
        return other

    @property
    def is_due(self) -> bool:
        """Whether walls are up that nobody has cut."""
        return self.deal is not None and CUT not in self._dice

    def made(self, coming: Coming, dealer: int) -> Iterator[tuple[Throw, tuple[int, ...]]]:
        """Yield the throws of the deal in play that were made, in their order."""
        thrown: Throws = ()
        while (throw := coming.rules.throw(dealer, thrown)) is not None and throw.purpose in self._dice:
            thrown = (*thrown, self._dice[throw.purpose])
            yield throw, thrown[-1]


class ThrowHost:
    """Tells one table, in one connection, what its dice keys throw for, whenever that has changed."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._told: Throw | None = None
        self._made = 0
        self._shown_until_ms = 0

    def tell(self, coming: Coming, thrown: Thrown) -> None:
        """Have the table know the throw that is due. Raises LinkError, and Refused when it takes none now."""
        table = self._table
        throw = None
        if thrown.is_due:
            dealer = table.last_status.dealer if coming.dealer is None else coming.dealer
            made = tuple(dice for _, dice in thrown.made(coming, dealer))
            if self._told is not None and len(made) > self._made:
                # People read these dice; who throws once more has thrown for nothing.
                self._shown_until_ms = table.now_ms() + SHOWN_MS
            self._made = len(made)
            throw = coming.rules.throw(dealer, made)
            if throw is not None and throw.purpose == CUT and not made:
                throw = None
        if throw == self._told or table.now_ms() < self._shown_until_ms:
            return
        self._told = throw
        if throw is None:
            set_throw(table, CUT)
        else:
            set_throw(table, throw.purpose, throw.dice, throw.seat)
