"""What this program has checked of a journal: the hash of each entry, and where the entries of a kind and a table are.

Some 50 bytes an entry. `noted` keeps it for the next program, `rows` asks it which entries to read.
"""

import threading
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .entry import GENESIS, HASH_SIZE, Head
from .merkle import Frontier
from .places import Place

LONG = 20_000
"""Entries of a journal that is long: less are checked in the time that a program takes to start."""
Row = Sequence[Any]
"""id, at_ms, unit, boot_id, seq, kind, body's text, hash."""
Source = tuple[str, int | None]
"""A table's unit, and the boot of its board; None for what the host has recorded of the table."""
Resting = tuple[int, ...]
"""What the system has noted of a file that nobody writes; it changes whenever somebody does."""
WRITTEN: Resting = ()


@dataclass(slots=True)
class OfSource:
    """The entries of a source: their numbers, and the numbers that the board gave them; 0 for records of the host."""

    entries: "array[int]" = field(default_factory=lambda: array("I"))
    seqs: "array[int]" = field(default_factory=lambda: array("q"))


class Known:
    """The first entries of a journal, as they have been checked. Any thread may use it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.forget()

    def forget(self) -> None:
        """Begin anew: another journal is in the same place."""
        with self.lock:
            self._hashes = bytearray(GENESIS)
            self.kinds: dict[str, array[int]] = {}
            """By kind: the numbers of its entries."""
            self.sources: dict[Source, OfSource] = {}
            self.tree = Frontier()
            """Of the first entries; of as many as somebody has needed it for."""
            self.is_recalled = False
            """Whether what an earlier program has noted has been looked for."""
            self.whole_at: Resting | None = None
            """How the journal's file rested when all these entries were in it; `WRITTEN` when it was being written."""
            self.noted = 0
            """How many entries are noted for the next program."""
            self.noted_tree = 0
            """How many of them the tree is of that is noted."""
            self.noted_at: Resting | None = None
            """How the journal's file rested when they were."""
            self.noted_bytes = 0
            self.noted_mac = b""
            """Where the note ends, and the HMAC there."""

    @property
    def is_long(self) -> bool:
        """Whether so much is known that entries are read one by one, and not all of them each time."""
        return self.end >= LONG

    @property
    def end(self) -> int:
        """Return the number of the last entry that is known."""
        return len(self._hashes) // HASH_SIZE - 1

    def hash(self, number: int) -> bytes:
        """Return the hash of a known entry; of 0 what stands before the first."""
        return bytes(self._hashes[number * HASH_SIZE : (number + 1) * HASH_SIZE])

    def hashes(self, after: int, end: int) -> bytes:
        """Return the hashes of the entries above `after` up to `end`, one behind the other."""
        return bytes(self._hashes[(after + 1) * HASH_SIZE : (end + 1) * HASH_SIZE])

    def head(self, number: int) -> Head:
        """Return the end of the chain at a known entry, or at 0."""
        return Head(number, self.hash(number))

    def add(self, before: int, rows: Sequence[Row], hashes: Sequence[bytes]) -> int:
        """Take the rows after `before` with their hashes; return how many are those that were known, or are new."""
        with self.lock:
            first = (before + 1) * HASH_SIZE
            found = b"".join(hashes)
            known = self._hashes[first : first + len(found)]
            if found.startswith(known):
                self._hashes[first : first + len(found)] = found
                for row in rows[len(known) // HASH_SIZE : len(hashes)]:
                    self._place(row)
                return len(hashes)
        return next(n for n in range(len(hashes)) if known[n * HASH_SIZE :][:HASH_SIZE] != hashes[n])

    def take(
        self, hashes: bytes, kinds: Mapping[str, "array[int]"], sources: Mapping[Source, OfSource], tree: Frontier
    ) -> None:
        """Take the next entries from somebody who has checked them."""
        with self.lock:
            self._hashes += hashes
            for kind, numbers in kinds.items():
                self.kinds.setdefault(kind, array("I")).extend(numbers)
            for source, told in sources.items():
                of_source = self.sources.setdefault(source, OfSource())
                of_source.entries.extend(told.entries)
                of_source.seqs.extend(told.seqs)
            self.tree = tree

    def grow_tree(self, tree: Frontier) -> None:
        """Take the tree of the first entries, if it is of more of them than the one that is here."""
        with self.lock:
            if self.tree.size < tree.size <= self.end:
                self.tree = tree

    def newest(self) -> Iterator[tuple[str, int, int]]:
        """Go through the tables: unit, boot id and number of the last event of each."""
        with self.lock:
            last: dict[str, tuple[int, int, int]] = {}
            for (unit, boot_id), told in self.sources.items():
                if boot_id is not None and told.entries[-1] > last.get(unit, (0,))[0]:
                    last[unit] = (told.entries[-1], boot_id, told.seqs[-1])
        yield from ((unit, boot_id, seq) for unit, (_, boot_id, seq) in last.items())

    def of_unit(self, unit: str, boot_id: int | None, first: int, last: int) -> Sequence[int]:
        """Return the entries of the events `first` to `last` of a boot, and of the host's records of that table since
        then; of all its records without a `boot_id`.
        """
        with self.lock:
            found: set[int] = set()
            if boot_id is not None and (told := self.sources.get((unit, boot_id))) is not None:
                found.update(entry for seq, entry in zip(told.seqs, told.entries, strict=True) if first <= seq <= last)
            oldest = min(found, default=0)
            if (records := self.sources.get((unit, None))) is not None:
                found.update(entry for entry in records.entries if entry >= oldest)
        return sorted(found)

    def _place(self, row: Row) -> None:
        number, _, unit, boot_id, seq, kind = row[:6]
        numbers = self.kinds.get(kind)
        if numbers is None:
            numbers = self.kinds[kind] = array("I")
        numbers.append(number)
        if unit is not None:
            source = self.sources.get((unit, boot_id))
            if source is None:
                source = self.sources[unit, boot_id] = OfSource()
            source.entries.append(number)
            source.seqs.append(seq or 0)


_KNOWN: dict[str, Known] = {}


def known_of(place: Place) -> Known:
    """Return what this process knows of a place's journal."""
    return _KNOWN.setdefault(place.name, Known())
