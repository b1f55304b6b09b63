"""One line of history: its value, the JSON text of its body, and its link in the chain of hashes.

The chain is a format of its own, which no later version changes: the hash of an entry is the SHA-256 of the hash before
it (32 zero bytes before the first) followed by the UTF-8 text of the JSON array
`[id,at_ms,unit,boot_id,seq,kind,body]` without spaces, in which `body` is the stored text as a JSON string.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

HASH_SIZE = 32
GENESIS = bytes(HASH_SIZE)
"""What stands before the first entry."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: `id` counts from 1 without gaps, `at_ms` is the writer's clock.

    An event of a table has its `unit`, `boot_id` and `seq`, the event's name as `kind`, and the body
    `{"fields": {...}, "time_ms": ...}`, with "lost" when events before it were lost. A record has its kind and body,
    and a `unit` if it concerns one table.
    """

    id: int
    at_ms: int
    unit: str | None
    boot_id: int | None
    seq: int | None
    kind: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain: the number of its last entry, 0 when there is none, and that one's hash (32 bytes)."""

    id: int = 0
    hash: bytes = GENESIS

    def after(self, row: tuple[Any, ...]) -> "Head":
        """Return the end of the chain after a row of the values id, at_ms, unit, boot_id, seq, kind and body's text.

        Raises TypeError, ValueError or UnicodeError for values that no entry has.
        """
        text = json.dumps(row, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return Head(row[0], hashlib.sha256(self.hash + text.encode()).digest())

    def after_entry(self, entry: Entry) -> "Head":
        """Return the end of the chain after an entry, whose body's text is the one that `to_json` makes."""
        values = (entry.id, entry.at_ms, entry.unit, entry.boot_id, entry.seq, entry.kind)
        return self.after((*values, to_json(entry.body)))


def to_json(body: Mapping[str, Any]) -> str:
    """Return the one JSON text of `body`, whatever the order of its keys.

    Raises TypeError or ValueError for what JSON cannot carry; NaN is among that.
    """
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
