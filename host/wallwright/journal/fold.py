"""Goes through entries once, for any number of those who follow what is said in them.

    fold = Fold()
    fold.on(PlayerAdded, roster.added)
    fold.on(WallsUp, hall.walls_up)
    fold.take_all(read_journal(path, kinds=fold.kinds))

A subscriber to a class of records gets the entry and its record, in the order of the entries; several subscribers to
one class are called in the order in which they subscribed. Nobody is called for an entry of an unknown kind.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from .entry import Entry
from .kinds import Record

R = TypeVar("R", bound=Record)
Take = Callable[[Entry, R], None]


class Fold:
    """The subscribers, by the classes of records that they follow."""

    def __init__(self) -> None:
        self._takes: dict[type[Record], list[Take[Any]]] = {}

    def on(self, cls: type[R], take: Take[R]) -> None:
        """Have `take(entry, said)` called with every record of a class."""
        self._takes.setdefault(cls, []).append(take)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that somebody follows, for `read_journal`."""
        return frozenset(cls.KIND for cls in self._takes)

    def take(self, entry: Entry) -> bool:
        """Give an entry to those who follow its kind; say whether there was anybody."""
        takes = self._takes.get(type(entry.said), ())
        for take in takes:
            take(entry, entry.said)
        return bool(takes)

    def take_all(self, entries: Iterable[Entry]) -> None:
        """Give all entries in their order."""
        for entry in entries:
            self.take(entry)
