"""Copies a journal, hashes and all, from anywhere to anywhere: a file to a stick, a server's journal to a file.

It may be done while others write. `cp` may not: it can take one part of the file from before a commit, and one from
after.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import JournalDamaged, JournalError
from .entry import Entry, Head
from .places import JournalPath
from .verify import find_chained, read_chain
from .writer import Journal


def copy_journal(source: JournalPath, target: JournalPath) -> Head:
    """Copy the entries that are there now into a new journal; return the last one's number and hash.

    Raises JournalDamaged at the first entry that is not what was written, JournalError when `source` cannot be read or
    is of an older version, and when `target` has entries already. What had been copied by then stays.
    """
    place = find_chained(source)
    head = Head()
    with new_journal(target) as copy:
        for rows in read_chain(place):
            with copy.batch():
                for row in rows:
                    head = copy.append_entry(
                        Entry(row.id, row.at_ms, row.unit, row.boot_id, row.seq, row.kind, json.loads(row.body))
                    )
                    if head != Head(row.id, row.hash):
                        problem = f"entry {row.id} is not what was written; see `wallwright log verify`"
                        raise JournalDamaged(str(place.path), problem)
    return head


@contextmanager
def new_journal(target: JournalPath) -> Iterator[Journal]:
    """Open a journal to be filled from another. JournalError when it has entries already."""
    with Journal(target) as journal:
        if next(journal.entries(), None) is not None:
            raise JournalError(str(journal.path), "it has entries already, and this makes a new one; choose another")
        yield journal
