"""Which tables' deals stay sealed when they are over: others have still to play the same deals.

Where an event has committed to deals for all tables, the wall of a prescribed deal and what readers tell of it are
sealed until the deals are shown: a table that is first must not tell the others what is coming.
"""

from collections.abc import Callable, Iterable, Sequence

from .kinds.desk import DealsCommitted, DealsRevealed
from .kinds.tables import WallPrescribed

KINDS = (DealsCommitted.KIND, DealsRevealed.KIND, WallPrescribed.KIND)

Row = tuple[int, str | None, str]
"""Number, unit and kind of an entry."""


class Undisclosed:
    """Follows the entries of KINDS; `rows(after)` gives those with numbers above `after`, an open batch's too."""

    def __init__(self, rows: Callable[[int], Iterable[Row]]) -> None:
        self._rows = rows
        self.forget()

    def forget(self) -> None:
        """Begin anew: what was read may never have been kept."""
        self._after = 0
        self._is_committed = False
        self._units: set[str] = set()

    def units(self) -> Sequence[str]:
        """Return the boards whose deals stay sealed now."""
        for number, unit, kind in self._rows(self._after):
            self._after = number
            if kind == WallPrescribed.KIND:
                self._units.add(unit or "")
            else:
                self._is_committed = kind == DealsCommitted.KIND
        return sorted(self._units) if self._is_committed else ()
