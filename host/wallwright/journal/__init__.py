"""What happened, kept for good: append-only, chained by hashes, in an SQLite file or a PostgreSQL database.

An entry is an event of a table (with the board's boot id and number, so that none is kept twice) or a record of the
host: a deal's result, the start of a session. `Journal` appends and signs checkpoints, `read_journal` reads, also
while others write, and `verify_journal` finds what was changed.
"""

from .checkpoint import Checkpoint
from .entry import Entry
from .reader import read_journal
from .writer import Journal

__all__ = ["Checkpoint", "Entry", "Journal", "read_journal"]
