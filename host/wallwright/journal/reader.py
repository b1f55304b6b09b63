"""Reads a journal without a lock and without leaving anything behind, also while other programs write it.

Every entry has been checked against the chain when it is handed out, and all before it have been by this process. What
the database is made of is looked at first.
"""

from array import array
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from .addresses import find_place
from .entry import Entry
from .places import JournalPath, Place
from .rows import checked, entry_of
from .shape import refuse_unsound


def read_journal(path: JournalPath, after: int = 0, kinds: Collection[str] = ()) -> Iterator[Entry]:
    """Go through the entries with ids above `after` that are there now, in their order; of some `kinds`, or of all.

    Raises NotAJournal or JournalError at once, before the first entry is asked for: JournalDamaged names what the
    database should not have. JournalDamaged behind the last entry that is as it was written, when one is not.
    """
    place = find_place(path)
    refuse_unsound(place)
    return _read(place, after, kinds)


@dataclass(slots=True)
class _OfUnit:
    """Where the events of a table are."""

    events: dict[int, tuple["array[int]", "array[int]"]] = field(default_factory=dict)
    """By boot id: the numbers of the events, and of their entries."""
    newest: tuple[int, int] = (0, 0)
    """Boot id and number of the last event, (0, 0) before the first."""


class UnitReader:
    """Finds what concerns one table in the journal at `path`, as it grows. For one thread."""

    def __init__(self, path: JournalPath) -> None:
        self._place = find_place(path)
        self._units: dict[str, _OfUnit] = {}
        self._last = 0

    def read(self, unit: str, boot_id: int | None = None, first: int = 0, last: int = 0) -> tuple[Entry, ...]:
        """Return the events `first` to `last` of a table's boot and what the host has recorded of the table since then.

        In their order; the host's records alone, all of them, without `boot_id`. Raises what `read_journal` does.
        """
        self._follow()
        of_unit = self._units.get(unit)
        numbers: set[int] = set()
        if of_unit is not None and boot_id in of_unit.events:
            numbers.update(entry for seq, entry in zip(*of_unit.events[boot_id], strict=True) if first <= seq <= last)
        oldest = min(numbers, default=0)
        return tuple(
            entry_of(self._place, row)
            for rows in checked(self._place, max(0, oldest - 1))
            for row in rows
            if row[0] in numbers or (row[2] == unit and row[3] is None and row[4] is None)
        )

    def newest(self) -> dict[str, tuple[int, int]]:
        """Return for every table the boot id and number of its last event. Raises what `read_journal` does."""
        self._follow()
        return {unit: of.newest for unit, of in self._units.items() if of.events}

    def _follow(self) -> None:
        refuse_unsound(self._place)
        for rows in checked(self._place, self._last):
            for number, _, unit, boot_id, seq, *_ in rows:
                if unit is not None and boot_id is not None and seq is not None:
                    of_unit = self._units.setdefault(unit, _OfUnit())
                    seqs, entries = of_unit.events.setdefault(boot_id, (array("q"), array("q")))
                    seqs.append(seq)
                    entries.append(number)
                    of_unit.newest = (boot_id, seq)
            self._last = rows[-1][0]


def _read(place: Place, after: int, kinds: Collection[str]) -> Iterator[Entry]:
    for rows in checked(place, after):
        for row in rows:
            if not kinds or row[5] in kinds:
                yield entry_of(place, row)
