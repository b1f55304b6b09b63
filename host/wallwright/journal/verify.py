"""Goes through a journal's chain and says where it is not what was written.

A change, a removal, an insertion or a reordering breaks the chain at the first entry concerned. A forger who computes
all later hashes anew, or cuts the end off, leaves a whole chain. Checkpoints find that: the signed ones in the journal
and, because a forger can cut those off too, the printed ones.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from ..errors import BadCheckpoint, JournalBusy, JournalError, JournalUnreachable
from ..text_files import lines_in
from .addresses import find_place
from .checkpoint import Checkpoint, printed_key
from .entry import Head
from .kinds import decode_record
from .kinds.desk import EventCreated
from .kinds.season import SeasonCreated
from .known import Row
from .leaves import leaf_of
from .merkle import Frontier
from .places import JournalPath, Place
from .rows import BATCH, CHECKPOINT, ROWS, TABLE, SignsOthers, follow, read_checkpoint
from .shape import problems_of

_OUTSIDE = {dialect: f"SELECT count(*) FROM {table} WHERE id IS NULL OR id < 1" for dialect, table in TABLE.items()}
_STRUCTURE = "PRAGMA integrity_check(10)"
_TITLES = {EventCreated.KIND: "event", SeasonCreated.KIND: "season"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong: `entry` is the first number concerned, 0 when it is no entry but the database."""

    entry: int
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found. `head` is the end of the part of the chain that is whole; checkpoints are those that fit it.

    `title` is what the journal is of, empty when its entries do not say; `first_ms` and `last_ms` are the times of its
    first and last entry. `values` has, by number and version, what the entries come to that were asked for.
    """

    head: Head
    findings: tuple[Finding, ...]
    checkpoints: tuple[Checkpoint, ...]
    title: str = ""
    first_ms: int = 0
    last_ms: int = 0
    values: Mapping[int, Mapping[int, bytes]] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def verify_journal(
    path: JournalPath, printed: Sequence[Checkpoint] = (), key: bytes | None = None, asked: Collection[int] = ()
) -> Verdict:
    """Check all entries, the checkpoints among them, and those that were printed; `key` has to have signed them all.

    `asked` are numbers of entries up to which others know what the entries come to. Raises JournalError when it cannot
    be opened, or has the schema before the chain.
    """
    check = _Check(find_place(path), printed, asked)
    check.database()
    check.entries()
    check.printed()
    if key is not None:
        check.signed_by(key)
    return Verdict(
        check.head,
        tuple(check.findings),
        tuple(check.checkpoints),
        check.title,
        check.first_ms,
        check.last_ms,
        check.values,
    )


class _Check:
    def __init__(self, place: Place, printed: Sequence[Checkpoint], asked: Collection[int]) -> None:
        self.head = Head()
        self.title = ""
        self.first_ms = self.last_ms = 0
        self.findings: list[Finding] = []
        self.checkpoints: list[Checkpoint] = []
        self._place = place
        self._printed = sorted(printed, key=lambda checkpoint: checkpoint.entry)
        self._tree = Frontier()
        self._asked = {1, *asked, *(checkpoint.entry for checkpoint in printed)}
        self.values = {0: self._value()}
        """By number and version, what those entries come to that somebody says something of."""

    def database(self) -> None:
        """Look at what lies outside the chain: what the database is made of, and rows that nobody reads."""
        for problem in problems_of(self._place):
            self.findings.append(Finding(0, f"{problem}; that is not as Wallwright makes a journal"))
        try:
            if self._place.dialect == "sqlite":
                found = [str(row[0]) for row in self._place.fetch(_STRUCTURE)]
                told = [" ".join(line.split()) for text in found for line in lines_in(text) if text != "ok"]
                self.findings += [Finding(0, f"the file's structure is not sound: {line}") for line in told]
            if strays := self._place.fetch(_OUTSIDE[self._place.dialect])[0][0]:
                self.findings.append(Finding(0, f"rows without a proper number were put in: {strays}"))
        except (JournalBusy, JournalUnreachable):
            raise
        except JournalError as error:
            self.findings.append(Finding(0, f"the database cannot be examined: {error.problem}"))

    def entries(self) -> None:
        """Follow the chain to its end, or to the first entry that is wrong."""
        try:
            for rows in self._rows():
                hashes, texts, problem = follow(self.head, rows)
                for row, hash_, text in zip(rows, hashes, texts, strict=False):
                    if row[5] == CHECKPOINT:
                        self._compare(row)
                    self._tree = self._tree.after(leaf_of(self.head.hash, row, text))
                    self.head = Head(row[0], hash_)
                    self._note(row)
                    if self.head.id in self._asked:
                        self.values[self.head.id] = self._value()
                if problem:
                    self.findings.append(Finding(self.head.id + 1, problem))
                    return
        except _Unreadable as error:
            self.findings.append(Finding(self.head.id + 1, f"entry {self.head.id + 1} cannot be read: {error}"))

    def printed(self) -> None:
        """Compare the printed checkpoints with the chain, as far as it is whole."""
        is_broken = any(finding.entry for finding in self.findings)
        agreed = 0
        for checkpoint in self._printed:
            found = self.values.get(checkpoint.entry)
            if found is not None and found[checkpoint.version] == checkpoint.hash:
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

    def signed_by(self, key: bytes) -> None:
        """Compare who signed with who should have."""
        for one in self.checkpoints:
            if one.key != key:
                text = f"the entries up to {one.entry} were signed by another key: {printed_key(one.key)}"
                self.findings.append(Finding(one.entry + 1, text))

    def _note(self, row: Row) -> None:
        """Note what the journal is of, and its times."""
        self.last_ms = row[1]
        if row[0] == 1:
            self.first_ms = row[1]
        if not self.title and row[5] in _TITLES:
            with suppress(ValueError):
                said = decode_record(row[5], row[6])
                if isinstance(said, EventCreated | SeasonCreated) and isinstance(said.format.get("name"), str):
                    self.title = f"{_TITLES[row[5]]} {said.format['name']}"

    def _compare(self, row: Row) -> None:
        """Compare a checkpoint that stands in the journal with the entries before it."""
        before = max((one.entry for one in self.checkpoints), default=0)
        try:
            checkpoint = read_checkpoint(row, self.head)
            if checkpoint.hash != self._value()[checkpoint.version]:
                raise SignsOthers.at(row)
        except SignsOthers as error:
            problem = f"{error}: one between {before + 1} and {row[0]} was changed, and the chain made anew"
            self.findings.append(Finding(before + 1, problem))
        except BadCheckpoint as error:
            self.findings.append(Finding(row[0], str(error)))
        else:
            self.checkpoints.append(checkpoint)

    def _value(self) -> dict[int, bytes]:
        """Return what a checkpoint of each version says of the entries up to here."""
        return {1: self.head.hash, 2: self._tree.root}

    def _rows(self) -> Iterator[Sequence[Row]]:
        """Go through the rows, at last one by one, so that one that cannot be read is known by its number."""
        after, limit = 0, BATCH
        while True:
            try:
                rows = self._place.fetch(ROWS[self._place.dialect], {"after": after, "limit": limit})
            except (JournalBusy, JournalUnreachable):
                raise
            except JournalError as error:
                if limit == 1:
                    raise _Unreadable(error.problem) from error
                limit = 1
                continue
            if not rows:
                return
            yield rows
            after = rows[-1][0]


class _Unreadable(Exception):
    """The next entry cannot be read."""
