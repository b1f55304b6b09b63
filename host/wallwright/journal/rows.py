"""The one way to the rows of a journal: whoever reads them has them checked against the chain at once.

Readers and verification ask with the same statement, for the whole row, of the table itself: an index, whose pages
somebody has changed, is never what answers, nor is a table that inherits. A process keeps the hashes of what it has
checked, 32 bytes an entry, so that it checks each entry once, and notices when one from before is another later.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any, Self

from ..errors import BadCheckpoint, JournalDamaged
from ..system.strict_json import read_own_object
from .checkpoint import Checkpoint
from .entry import GENESIS, HASH_SIZE, Entry, Head, row_texts
from .kinds import decode_record
from .leaves import leaf_of
from .places import Place

BATCH = 1000
CHECKPOINT = "checkpoint"
"""The kind of the entries that are signed checkpoints."""

Row = Sequence[Any]
"""id, at_ms, unit, boot_id, seq, kind, body's text, hash."""
Fetch = Callable[[str, dict[str, Any]], Sequence[Row]]

TABLE = {"sqlite": "main.entries NOT INDEXED", "postgresql": "ONLY entries"}
"""By dialect: the table itself."""
ROWS = {
    dialect: f"SELECT id, at_ms, unit, boot_id, seq, kind, body, hash FROM {table} "
    "WHERE id > :after ORDER BY id LIMIT :limit"
    for dialect, table in TABLE.items()
}
"""By dialect: the statement."""

SAVE = "`wallwright log verify` says more, and `wallwright log copy` saves the entries before it"


class Known:
    """The hashes of the first entries of a journal, as this process has checked them. Any thread may use it."""

    def __init__(self) -> None:
        self._hashes = bytearray(GENESIS)
        self._lock = threading.Lock()

    @property
    def end(self) -> int:
        """Return the number of the last entry that is known."""
        return len(self._hashes) // HASH_SIZE - 1

    def head(self, number: int) -> Head:
        """Return the end of the chain at a known entry, or at 0."""
        return Head(number, bytes(self._hashes[number * HASH_SIZE : (number + 1) * HASH_SIZE]))

    def add(self, before: int, hashes: Sequence[bytes]) -> int:
        """Take the hashes of the entries after `before`; return how many are those that were known, or are new."""
        with self._lock:
            first = (before + 1) * HASH_SIZE
            found = b"".join(hashes)
            known = self._hashes[first : first + len(found)]
            if found.startswith(known):
                self._hashes[first : first + len(found)] = found
                return len(hashes)
        return next(n for n in range(len(hashes)) if known[n * HASH_SIZE :][:HASH_SIZE] != hashes[n])

    def forget(self) -> None:
        """Begin anew: a new journal has been made in the same place."""
        with self._lock:
            self._hashes = bytearray(GENESIS)


_KNOWN: dict[str, Known] = {}


def known_of(place: Place) -> Known:
    """Return what this process knows of a place's journal."""
    return _KNOWN.setdefault(place.name, Known())


def checked(place: Place, after: int = 0) -> Iterator[Sequence[Row]]:
    """Go in batches through the rows above `after` that are there now, those before the first wrong one too.

    Then JournalDamaged is raised; so it is when entries that this process has seen are others, or are gone.
    """
    chain = known_of(place)
    end = chain.end
    # The last entry that is known is read again: when it is gone, the journal has been cut.
    head = chain.head(max(0, min(after, end - 1)))
    for rows, hashes, _ in _follow(place, place.fetch, head):
        same = chain.add(head.id, hashes)
        before, head = head, Head(head.id + same, hashes[same - 1]) if same else head
        if head.id > after:
            yield rows[max(0, after - before.id) : same]
        if same < len(rows):
            raise _damaged(place, f"entry {head.id + 1} is not what this program read before: it was changed since")
    if head.id < end:
        raise _damaged(place, f"it ends with entry {head.id}, and had {end} before: {end - head.id} were cut off")


def checked_within(place: Place, fetch: Fetch, after: int = 0) -> Iterator[Sequence[Row]]:
    """Do the same by `fetch`, in a transaction that may yet be undone: nothing of it is kept as known."""
    chain = known_of(place)
    for rows, _, _ in _follow(place, fetch, chain.head(min(after, chain.end))):
        yield [row for row in rows if row[0] > after]


def checked_behind(place: Place, fetch: Fetch, head: Head) -> Iterator[tuple[Sequence[Row], Head]]:
    """Go likewise through the rows behind `head`, each batch with the end of the chain behind it."""
    for rows, hashes, _ in _follow(place, fetch, head):
        yield rows, Head(rows[-1][0], hashes[-1])


def with_leaves(place: Place, after: int = 0) -> Iterator[tuple[Row, bytes]]:
    """Go through the rows above `after`, as `checked` reads them, each with its leaf."""
    for rows in checked(place, after):
        before = known_of(place).head(rows[0][0] - 1).hash
        for row, told in zip(rows, row_texts(rows), strict=True):
            yield row, leaf_of(before, row, told)
            before = row[7]


def leaves_within(place: Place, fetch: Fetch, after: int = 0) -> Iterator[bytes]:
    """Go through the leaves of the entries above `after`, as `checked_within` reads them."""
    chain = known_of(place)
    head = chain.head(min(after, chain.end))
    for rows, hashes, texts in _follow(place, fetch, head):
        for row, hash_, told in zip(rows, hashes, texts, strict=True):
            if row[0] > after:
                yield leaf_of(head.hash, row, told)
            head = Head(row[0], hash_)


def follow(head: Head, rows: Sequence[Row]) -> tuple[list[bytes], list[bytes], str]:
    """Return the hashes of those rows that follow `head` as they were written, their texts, and what is wrong with the
    next row.
    """
    hashes: list[bytes] = []
    texts: list[bytes] = []
    number, before = head.id, head.hash
    try:
        for row, told in zip(rows, row_texts(rows), strict=True):
            if row[0] != number + 1:
                return hashes, texts, f"entry {number + 1} is missing: after {number} comes {row[0]}"
            before = sha256(before + told).digest()
            if row[7] != before:
                break
            number += 1
            hashes.append(before)
            texts.append(told)
        else:
            return hashes, texts, ""
    except (TypeError, ValueError):
        pass
    return hashes, texts, f"entry {number + 1} is not what was written: it, its place or its hash was changed"


class SignsOthers(BadCheckpoint):
    """A checkpoint in a journal is not about the entries before it: they were changed, and the chain was made anew."""

    @classmethod
    def at(cls, row: Row) -> Self:
        """Return the error of the checkpoint in a row."""
        return cls(f"entry {row[0]} signs other entries than stand before it")


def read_checkpoint(row: Row, before: Head) -> Checkpoint:
    """Return the checkpoint that stands in a row, behind `before`. BadCheckpoint when it is none; SignsOthers.

    Whether the root of one of version 2 is that of the tree is not looked at.
    """
    try:
        checkpoint = Checkpoint.read(read_own_object(row[6]))
    except ValueError as error:
        raise BadCheckpoint(f"entry {row[0]} is no checkpoint: {error}") from error
    if checkpoint.entry != before.id or (checkpoint.version == 1 and checkpoint.hash != before.hash):
        raise SignsOthers.at(row)
    return checkpoint


def entry_of(place: Place, row: Row) -> Entry:
    """Return the entry of a row. JournalDamaged when its body is nothing that this program writes."""
    try:
        said = decode_record(row[5], row[6])
    except ValueError as error:
        problem = f"the body of entry {row[0]} is none that this program writes ({error}); {SAVE}"
        raise JournalDamaged(str(place.path), problem) from error
    return Entry(row[0], row[1], row[2], row[3], row[4], row[5], row[6], said)


def _follow(place: Place, fetch: Fetch, head: Head) -> Iterator[tuple[Sequence[Row], list[bytes], list[bytes]]]:
    """Go in batches through the rows behind `head` with their hashes and texts, up to the first that is wrong."""
    while rows := fetch(ROWS[place.dialect], {"after": head.id, "limit": BATCH}):
        hashes, texts, problem = follow(head, rows)
        for n in [n for n, row in enumerate(rows[: len(hashes)]) if row[5] == CHECKPOINT]:
            try:
                read_checkpoint(rows[n], Head(head.id + n, hashes[n - 1] if n else head.hash))
            except BadCheckpoint as error:
                yield rows[:n], hashes[:n], texts[:n]
                raise _damaged(place, str(error)) from error
        if hashes:
            yield rows[: len(hashes)], hashes, texts
            head = Head(head.id + len(hashes), hashes[-1])
        if problem:
            raise _damaged(place, problem)


def _damaged(place: Place, problem: str) -> JournalDamaged:
    return JournalDamaged(str(place.path), f"{problem}; {SAVE}")
