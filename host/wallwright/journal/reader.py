"""Reads a journal without a lock and without leaving anything behind, also while other programs write it.

Every entry has been checked against the chain when it is handed out, and all before it have been by this process. What
the database is made of is looked at first.
"""

from collections.abc import Collection, Iterator

from .addresses import find_place
from .entry import Entry
from .known import Known
from .places import JournalPath, Place
from .rows import at, checked, entry_of, of_kinds, recalled
from .shape import refuse_unsound


def read_journal(path: JournalPath, after: int = 0, kinds: Collection[str] = ()) -> Iterator[Entry]:
    """Go through the entries with ids above `after` that are there now, in their order; of some `kinds`, or of all.

    Raises NotAJournal or JournalError at once, before the first entry is asked for: JournalDamaged names what the
    database should not have. JournalDamaged behind the last entry that is as it was written, when one is not.
    """
    place = find_place(path)
    refuse_unsound(place)
    return _read(place, after, kinds)


class UnitReader:
    """Finds what concerns one table in the journal at `path`, as it grows. For one thread."""

    def __init__(self, path: JournalPath) -> None:
        self._place = find_place(path)

    def read(self, unit: str, boot_id: int | None = None, first: int = 0, last: int = 0) -> tuple[Entry, ...]:
        """Return the events `first` to `last` of a table's boot and what the host has recorded of the table since then.

        In their order; the host's records alone, all of them, without `boot_id`. Raises what `read_journal` does.
        """
        numbers = self._follow().of_unit(unit, boot_id, first, last)
        return tuple(entry_of(self._place, row) for rows in at(self._place, numbers) for row in rows)

    def newest(self) -> dict[str, tuple[int, int]]:
        """Return for every table the boot id and number of its last event. Raises what `read_journal` does."""
        return {unit: (boot_id, seq) for unit, boot_id, seq in self._follow().newest()}

    def _follow(self) -> Known:
        refuse_unsound(self._place)
        known = recalled(self._place)
        for _ in checked(self._place, known.end):
            pass
        return known


def _read(place: Place, after: int, kinds: Collection[str]) -> Iterator[Entry]:
    for rows in of_kinds(place, after, kinds) if kinds else checked(place, after):
        for row in rows:
            yield entry_of(place, row)
