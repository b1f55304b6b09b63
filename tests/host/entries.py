"""Entries of a journal, changed as somebody might have changed them."""

from typing import Any

from wallwright.journal import Entry


def altered(entry: Entry, **changes: Any) -> Entry:
    """The entry with other values, its body read anew."""
    values = {**entry._asdict(), "body": entry.body, **changes}
    return Entry.of(*(values[name] for name in (*Entry._fields[:6], "body")))
