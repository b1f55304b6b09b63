"""What happened, kept for good: an append-only SQLite file, one entry a line of history.

An entry is an event of a table (with the board's boot id and number, so that none is kept twice) or a record of the
host: a deal's result, the start of a session. `Journal` writes, one program at a time; `read_journal` reads, also while
another program writes.
"""

from .entry import Entry
from .reader import read_journal
from .writer import Journal

__all__ = ["Entry", "Journal", "read_journal"]
