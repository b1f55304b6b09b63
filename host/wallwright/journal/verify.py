"""Goes through a journal's chain and says where it is not what was written.

A change, a removal, an insertion or a reordering breaks the chain at the first entry concerned. Who computes all later
hashes anew, or cuts the end off, leaves a whole chain: that is what checkpoints are for, the signed ones in the journal
and, because those can be cut off too, the printed ones.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, text

from ..errors import JournalBusy, JournalError, JournalUnreachable
from .checkpoint import Checkpoint
from .entry import Head
from .places import JournalPath, Place, find_place
from .schema import GUARD_QUERIES, GUARDS_FOUND, SCHEMA_VERSION
from .writer import CHECKPOINT

BATCH = 1000

# Raw values, not those that a column's type makes of them: somebody may have stored a number where a text belongs.
_ROWS = text(
    "SELECT id, at_ms, unit, boot_id, seq, kind, body, hash FROM entries WHERE id > :after ORDER BY id LIMIT :limit"
)
_OUTSIDE = text("SELECT count(*) FROM entries WHERE id IS NULL OR id < 1")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong: `entry` is the first number concerned, 0 when it is no entry but the database."""

    entry: int
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found. `head` is the end of the part of the chain that is whole; checkpoints are those that fit it."""

    head: Head
    findings: tuple[Finding, ...]
    checkpoints: tuple[Checkpoint, ...]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def verify_journal(path: JournalPath, printed: Sequence[Checkpoint] = ()) -> Verdict:
    """Check all entries, the checkpoints among them, and those that were printed.

    Raises JournalError when it cannot be opened, or has the schema before the chain.
    """
    place = find_chained(path)
    check = _Check(place, printed)
    check.database()
    check.entries()
    check.printed()
    return Verdict(check.head, tuple(check.findings), tuple(check.checkpoints))


def find_chained(path: JournalPath) -> Place:
    """Return a journal's place. JournalError when it cannot be opened, or has the schema before the chain."""
    place = find_place(path)
    if place.version() != SCHEMA_VERSION:
        problem = "it is of an older version, whose entries are not chained; chain them with `wallwright log migrate`"
        raise JournalError(str(place.path), problem)
    return place


def read_chain(place: Place) -> Iterator[Sequence[Row[Any]]]:
    """Go in batches through the rows: id, at_ms, unit, boot_id, seq, kind, body's text, hash. Raises JournalError."""
    after = 0
    while rows := place.fetch(_ROWS, {"after": after, "limit": BATCH}):
        yield rows
        after = rows[-1][0]


class _Check:
    def __init__(self, place: Place, printed: Sequence[Checkpoint]) -> None:
        self.head = Head()
        self.findings: list[Finding] = []
        self.checkpoints: list[Checkpoint] = []
        self._place = place
        self._printed = sorted(printed, key=lambda checkpoint: checkpoint.entry)
        self._hashes = {0: self.head.hash}
        """By number, of those entries that the printed checkpoints are about."""

    def database(self) -> None:
        """Look at what lies outside the chain: the guards, and rows whose numbers keep them out of it."""
        dialect = self._place.dialect
        guards = {row[0] for row in self._place.fetch(text(GUARD_QUERIES[dialect]))}
        if guards != GUARDS_FOUND[dialect]:
            self.findings.append(Finding(0, "the guards against changes are not as they were made"))
        if strays := self._place.fetch(_OUTSIDE)[0][0]:
            self.findings.append(Finding(0, f"rows without a proper number were put in: {strays}"))

    def entries(self) -> None:
        """Follow the chain to its end, or to the first entry that is wrong."""
        wanted = {checkpoint.entry for checkpoint in self._printed}
        try:
            for row in self._rows():
                if not self._follow(row):
                    return
                if self.head.id in wanted:
                    self._hashes[self.head.id] = self.head.hash
        except _Unreadable as error:
            self.findings.append(Finding(self.head.id + 1, f"entry {self.head.id + 1} cannot be read: {error}"))

    def printed(self) -> None:
        """Compare the printed checkpoints with the chain, as far as it is whole."""
        is_broken = any(finding.entry for finding in self.findings)
        agreed = 0
        for checkpoint in self._printed:
            found = self._hashes.get(checkpoint.entry)
            if found == checkpoint.hash:
                agreed = checkpoint.entry
                self.checkpoints.append(checkpoint)
            elif found is not None:
                problem = (
                    f"the entries up to {checkpoint.entry} are not those that were signed: one between {agreed + 1} "
                    f"and {checkpoint.entry} was changed, and the chain made anew"
                )
                self.findings.append(Finding(agreed + 1, problem))
            elif not is_broken:
                problem = (
                    f"the journal ends with entry {self.head.id} and was signed up to {checkpoint.entry}: "
                    f"{checkpoint.entry - self.head.id} entries were cut off"
                )
                self.findings.append(Finding(self.head.id + 1, problem))

    def _follow(self, row: Sequence[Any]) -> bool:
        number, kind, stored = row[0], row[5], row[7]
        wanted = self.head.id + 1
        if number != wanted:
            self.findings.append(Finding(wanted, f"entry {wanted} is missing: after {wanted - 1} comes {number}"))
            return False
        try:
            head = self.head.after(tuple(row[:7]))
        except (TypeError, ValueError):
            head = None
        if head is None or head.hash != stored:
            problem = f"entry {number} is not what was written: it, its place or its hash was changed"
            self.findings.append(Finding(number, problem))
            return False
        if kind == CHECKPOINT:
            self._compare(number, row[6])
        self.head = head
        return True

    def _compare(self, number: int, body: str) -> None:
        """Compare a checkpoint that stands in the journal with the chain before it."""
        try:
            checkpoint = Checkpoint.read(json.loads(body))
        except ValueError as error:
            self.findings.append(Finding(number, f"entry {number} is no checkpoint: {error}"))
            return
        if (checkpoint.entry, checkpoint.hash) == (self.head.id, self.head.hash):
            self.checkpoints.append(checkpoint)
            return
        before = max((one.entry for one in self.checkpoints), default=0)
        problem = (
            f"entry {number} signs other entries than stand before it: one between {before + 1} and {number} was "
            "changed, and the chain made anew"
        )
        self.findings.append(Finding(before + 1, problem))

    def _rows(self) -> Iterator[Row[Any]]:
        """Go through the rows, at last one by one, so that one that cannot be read is known by its number."""
        after, limit = 0, BATCH
        while True:
            try:
                rows = self._place.fetch(_ROWS, {"after": after, "limit": limit})
            except (JournalBusy, JournalUnreachable):
                raise
            except JournalError as error:
                if limit == 1:
                    raise _Unreadable(error.problem) from error
                limit = 1
                continue
            if not rows:
                return
            yield from rows
            after = rows[-1][0]


class _Unreadable(Exception):
    """The next entry cannot be read."""
