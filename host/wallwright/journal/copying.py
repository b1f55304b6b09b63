"""Copies a journal, hashes and all, from anywhere to anywhere: a file to a stick, a server's journal to a file.

It may be done while others write. `cp` may not: it can take one part of the file from before a commit, and one from
after.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import JournalDamaged, JournalError
from .addresses import find_place
from .entry import Head
from .places import JournalPath
from .rows import checked, entry_of
from .shape import problems_of
from .writer import Journal


def copy_journal(source: JournalPath, target: JournalPath) -> Head:
    """Copy the entries that are there now into a new journal; return the last one's number and hash.

    Raises JournalDamaged at the first entry that is not what was written, JournalError when `source` cannot be read or
    is of an older version, and when `target` has entries already. What had been copied by then stays.
    """
    place = find_place(source)
    # What the database has besides entries is left behind: a copy is how one is mended.
    problems_of(place)
    head = Head()
    with new_journal(target) as copy:
        for rows in checked(place):
            with copy.batch():
                for row in rows:
                    head = copy.append_entry(entry_of(place, row))
                    if head != Head(row[0], row[7]):
                        problem = f"the body of entry {row[0]} is not written as this program writes it"
                        raise JournalDamaged(str(place.path), problem)
    return head


@contextmanager
def new_journal(target: JournalPath) -> Iterator[Journal]:
    """Open a journal to be filled from another. JournalError when it has entries already."""
    with Journal(target) as journal:
        if not journal.is_empty:
            raise JournalError(str(journal.path), "it has entries already, and this makes a new one; choose another")
        yield journal
