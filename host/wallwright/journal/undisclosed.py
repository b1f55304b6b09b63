"""Which tables' deals stay sealed when they are over: others have still to play the same deals.

Where an event has committed to deals for all tables, the wall of a prescribed deal and what readers tell of it are
sealed until the deals are shown: a table that is first must not tell the others what is coming.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from .entry import Head
from .kinds.desk import DealsCommitted, DealsRevealed
from .kinds.tables import WallPrescribed
from .known import Row

Rows = Callable[[Head, Collection[str]], Iterable[tuple[Sequence[Row], Head]]]
"""Gives the rows of some kinds behind an end of the chain in batches, each with an end of the chain behind it; those of
an open transaction too.
"""
KINDS = (WallPrescribed.KIND, DealsCommitted.KIND, DealsRevealed.KIND)


class Undisclosed:
    """Follows the entries that say which deals are shared and which tables have built one; each is read once."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.forget()

    def forget(self) -> None:
        """Begin anew: what was read may never have been kept."""
        self._head = Head()
        self._is_committed = False
        self._units: set[str] = set()

    def units(self) -> Sequence[str]:
        """Return the boards whose deals stay sealed now."""
        for rows, head in self._rows(self._head, KINDS):
            for row in rows:
                self._take(row[2], row[5])
            self._head = head
        return sorted(self._units) if self._is_committed else ()

    def _take(self, unit: str | None, kind: str) -> None:
        if kind == WallPrescribed.KIND:
            self._units.add(unit or "")
        elif kind in (DealsCommitted.KIND, DealsRevealed.KIND):
            self._is_committed = kind == DealsCommitted.KIND
