"""The one way to the rows of a journal: whoever reads them has them checked against the chain at once.

Readers and verification ask with the same statement, for the whole row, of the table itself: an index, whose pages
somebody has changed, is never what answers, nor is a table that inherits. A process keeps the hashes of what it has
checked, 32 bytes an entry, so that it checks each entry once, and notices when one from before is another later.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Self

from ..errors import BadCheckpoint, JournalDamaged
from ..system.strict_json import read_own_object
from .checkpoint import Checkpoint
from .entry import Entry, Head, row_texts
from .kinds import decode_record
from .known import WRITTEN, Known, Row, known_of
from .leaves import leaf_of
from .noted import forget_note, note, recall
from .places import Place

BATCH = 1000
CHECKPOINT = "checkpoint"
"""The kind of the entries that are signed checkpoints."""

Fetch = Callable[[str, dict[str, Any]], Sequence[Row]]

TABLE = {"sqlite": "main.entries NOT INDEXED", "postgresql": "ONLY entries"}
"""By dialect: the table itself."""
ROWS = {
    dialect: f"SELECT id, at_ms, unit, boot_id, seq, kind, body, hash FROM {table} "
    "WHERE id > :after ORDER BY id LIMIT :limit"
    for dialect, table in TABLE.items()
}
"""By dialect: the statement."""
THESE = {
    dialect: f"SELECT id, at_ms, unit, boot_id, seq, kind, body, hash FROM {table} WHERE id IN"
    for dialect, table in TABLE.items()
}
"""By dialect: the same for some entries, whose numbers follow."""

SAVE = "`wallwright log verify` says more, and `wallwright log copy` saves the entries before it"


def recalled(place: Place) -> Known:
    """Return what is known of a place's journal: by this process, or by an earlier one if that is there now.

    Raises JournalError.
    """
    known = known_of(place)
    with known.lock:
        if not known.is_recalled and not known.end:
            try:
                recall(place, known)
                if known.end and not _is_there(place, known):
                    known.forget()
            except BaseException:
                known.forget()
                raise
        known.is_recalled = True
    return known


def _is_there(place: Place, known: Known) -> bool:
    """Say whether what an earlier program has noted is in the journal, as far as that can be said without reading it.

    A file that nobody writes has to be as that program left it.
    """
    known.whole_at = place.resting()
    if known.whole_at is not None and known.whole_at != known.noted_at:
        return False
    rows = place.fetch(ROWS[place.dialect], {"after": known.end - 1, "limit": 1})
    return follow(known.head(known.end - 1), rows)[0] == [known.hash(known.end)]


def checked(place: Place, after: int = 0) -> Iterator[Sequence[Row]]:
    """Go in batches through the rows above `after` that are there now, those before the first wrong one too.

    Then JournalDamaged is raised; so it is when entries that this process has seen are others, or are gone.
    """
    known = recalled(place)
    end, resting = known.end, place.resting()
    # The last entry that is known is read again: when it is gone, the journal has been cut.
    head = known.head(max(0, min(after, end - 1)))
    is_all = not head.id
    for rows, hashes, _ in _follow(place, place.fetch, head):
        same = known.add(head.id, rows, hashes)
        before, head = head, Head(head.id + same, hashes[same - 1]) if same else head
        if head.id > after:
            yield rows[max(0, after - before.id) : same]
        if same < len(rows):
            forget_note(place)
            raise _damaged(place, f"entry {head.id + 1} is not what this program read before: it was changed since")
    if head.id < end:
        raise _damaged(place, f"it ends with entry {head.id}, and had {end} before: {end - head.id} were cut off")
    if resting == place.resting():
        if is_all:
            known.whole_at = WRITTEN if resting is None else resting
        note(place, known, resting)


def of_kinds(place: Place, after: int, kinds: Collection[str]) -> Iterator[Sequence[Row]]:
    """Go likewise through the rows of some kinds alone.

    Of a long journal those that are known are the only ones that are read: each is compared with what is known of it.
    """
    known = recalled(place)
    end = known.end
    if known.is_long:
        yield from at(place, _numbers(known, after, end, kinds))
        after = max(after, end)
    for rows in checked(place, after):
        yield [row for row in rows if row[5] in kinds]


def at(place: Place, numbers: Sequence[int]) -> Iterator[Sequence[Row]]:
    """Go in batches through the rows of these entries, which are known and in order. Raises what `checked` does."""
    known = known_of(place)
    if numbers and not known.is_long:
        wanted = set(numbers)
        for rows in checked(place, numbers[0] - 1):
            yield [row for row in rows if row[0] in wanted]
        return
    for rows, is_whole in _known_rows(place, place.fetch, known, numbers):
        yield rows
        if not is_whole:
            # All is read, which says what is wrong. What an earlier program has noted is not believed more than that.
            forget_note(place)
            for _ in checked(place):
                pass
            raise _damaged(place, "an entry was changed, and changed back, while it was read")


def _numbers(known: Known, after: int, end: int, kinds: Collection[str]) -> Sequence[int]:
    with known.lock:
        found = [number for kind in set(kinds) for number in known.kinds.get(kind, ())]
    return sorted(number for number in found if after < number <= end)


def _known_rows(
    place: Place, fetch: Fetch, known: Known, numbers: Sequence[int]
) -> Iterator[tuple[Sequence[Row], bool]]:
    """Go in batches through the rows of known entries up to the first wrong one; say with each whether it is whole."""
    begin = 0
    while wanted := numbers[begin : begin + BATCH]:
        rows = fetch(f"{THESE[place.dialect]} ({', '.join(map(str, wanted))}) ORDER BY id", {})
        same = 0
        with suppress(TypeError, ValueError):
            for number, row, told in zip(wanted, rows, row_texts(rows), strict=False):
                hash_ = sha256(known.hash(number - 1) + told).digest()
                if row[0] != number or not row[7] == hash_ == known.hash(number):
                    break
                same += 1
        # Of long rows only the first ones come.
        is_whole = 0 < same == len(rows)
        yield rows[:same], is_whole
        if not is_whole:
            return
        begin += same


def checked_within(place: Place, fetch: Fetch, after: int = 0) -> Iterator[Sequence[Row]]:
    """Do the same by `fetch`, in a transaction that may yet be undone: nothing of it is kept as known."""
    chain = recalled(place)
    for rows, _, _ in _follow(place, fetch, chain.head(min(after, chain.end))):
        yield [row for row in rows if row[0] > after]


def of_kinds_behind(
    place: Place, fetch: Fetch, head: Head, kinds: Collection[str]
) -> Iterator[tuple[Sequence[Row], Head]]:
    """Go by `fetch` in batches through the rows of some kinds behind `head`, each batch with an end of the chain that
    is behind it. Of a long journal those that are known are the only ones that are read, as in `of_kinds`.
    """
    known = recalled(place)
    end = known.end
    if known.is_long and head.id < end:
        for rows, is_whole in _known_rows(place, fetch, known, _numbers(known, head.id, end, kinds)):
            if not is_whole:
                raise _damaged(place, "an entry that was read before was changed since")
            yield rows, known.head(rows[-1][0])
        head = known.head(end)
    for rows, hashes, _ in _follow(place, fetch, head):
        head = Head(rows[-1][0], hashes[-1])
        yield [row for row in rows if row[5] in kinds], head


def with_leaves(place: Place, after: int = 0) -> Iterator[tuple[Row, bytes]]:
    """Go through the rows above `after`, as `checked` reads them, each with its leaf."""
    for rows in checked(place, after):
        before = known_of(place).head(rows[0][0] - 1).hash
        for row, told in zip(rows, row_texts(rows), strict=True):
            yield row, leaf_of(before, row, told)
            before = row[7]


def leaves_within(place: Place, fetch: Fetch, after: int = 0) -> Iterator[bytes]:
    """Go through the leaves of the entries above `after`, as `checked_within` reads them."""
    chain = recalled(place)
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
