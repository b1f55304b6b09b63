"""What happened, kept for good: append-only, chained by hashes, in an SQLite file or a PostgreSQL database.

An entry is an event of a table (with the board's boot id and number, so that none is kept twice) or a record of the
host: a deal's result, the start of a session. `Journal` appends and signs checkpoints, `read_journal` reads, also
while others write, and `verify_journal` finds what was changed.
"""

from .checkpoint import Checkpoint, printed_key, read_key
from .copying import copy_journal
from .entry import Entry, Head
from .keys import key_path, own_key, public_bytes, signing_key
from .places import JournalPath, is_url
from .reader import read_journal
from .verify import Finding, Verdict, verify_journal
from .writer import Journal

__all__ = [
    "Checkpoint",
    "Entry",
    "Finding",
    "Head",
    "Journal",
    "JournalPath",
    "Verdict",
    "copy_journal",
    "is_url",
    "key_path",
    "own_key",
    "printed_key",
    "public_bytes",
    "read_journal",
    "read_key",
    "signing_key",
    "verify_journal",
]
