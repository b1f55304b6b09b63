"""What happened, kept for good: append-only, chained by hashes, in an SQLite file or a PostgreSQL database.

An entry is an event of a table (with the board's boot id and number, so that none is kept twice) or a record of the
host: a deal's result, the start of a session. `Journal` appends and signs checkpoints, `read_journal` reads, also
while others write, and `verify_journal` finds what was changed.

What is named here is imported when it is first used: a command that only knows records loads no database.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_HOME = {
    "Checkpoint": "checkpoint",
    "Entry": "entry",
    "Finding": "verify",
    "Head": "entry",
    "Journal": "writer",
    "JournalPath": "places",
    "Verdict": "verify",
    "copy_journal": "copying",
    "is_url": "places",
    "key_path": "keys",
    "own_key": "keys",
    "printed_key": "checkpoint",
    "public_bytes": "keys",
    "read_journal": "reader",
    "read_key": "checkpoint",
    "signing_key": "keys",
    "verify_journal": "verify",
}


def __getattr__(name: str) -> Any:
    """Import what `__all__` promises."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
