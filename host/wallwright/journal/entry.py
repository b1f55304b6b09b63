"""One line of history: its value, the JSON text of its body, and its link in the chain of hashes.

The chain is a format of its own, which no later version changes: the hash of an entry is the SHA-256 of the hash before
it (32 zero bytes before the first) followed by the UTF-8 text of the JSON array
`[id,at_ms,unit,boot_id,seq,kind,body]` without spaces, in which `body` is the stored text as a JSON string.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import Any, NamedTuple, Self

from ..system.strict_json import read_own_object
from .kinds import Record, decode_record

HASH_SIZE = 32
GENESIS = bytes(HASH_SIZE)
"""What stands before the first entry."""


class Entry(NamedTuple):
    """One entry: `id` counts from 1 without gaps, `at_ms` is the writer's clock.

    An event of a table has its `unit`, `boot_id` and `seq`, the event's name as `kind`, and the body
    `{"fields": {...}, "time_ms": ...}`, with "lost" when events before it were lost. A record has its kind and body,
    and a `unit` if it concerns one table. `text` is the body as it is stored, and `said` what it says, as a value of
    the class of its kind.
    """

    id: int
    at_ms: int
    unit: str | None
    boot_id: int | None
    seq: int | None
    kind: str
    text: str
    said: Record

    @classmethod
    def of(
        cls,
        number: int,
        at_ms: int,
        unit: str | None,
        boot_id: int | None,
        seq: int | None,
        kind: str,
        body: Mapping[str, Any],
    ) -> Self:
        """Return the entry of these values, whose body is read as its kind has it."""
        text = to_json(body)
        return cls(number, at_ms, unit, boot_id, seq, kind, text, decode_record(kind, text))

    @property
    def body(self) -> dict[str, Any]:
        """The body as JSON has it, for who only copies or shows it; it is read anew each time."""
        return read_own_object(self.text)

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of an event as JSON has them, for who only copies or shows it; of a record there are none."""
        fields: dict[str, Any] = self.body.get("fields", {})
        return fields

    def values(self) -> dict[str, Any]:
        """Return what is stored of it, by name."""
        stored = dict(zip(self._fields, self[:6], strict=False))
        return stored | {"body": self.body}


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain: the number of its last entry, 0 when there is none, and that one's hash (32 bytes)."""

    id: int = 0
    hash: bytes = GENESIS

    def after(self, row: Sequence[Any]) -> "Head":
        """Return the end of the chain after a row of the values id, at_ms, unit, boot_id, seq, kind and body's text.

        Raises TypeError or ValueError for values that no entry has.
        """
        return self.after_text(row[0], row_text(row))

    def after_text(self, number: int, text: bytes) -> "Head":
        """Return the end of the chain after the entry `number`, of which `text` is hashed."""
        return Head(number, hashlib.sha256(self.hash + text).digest())

    def after_entry(self, entry: Entry) -> "Head":
        """Return the end of the chain after an entry, whose body's text is the one that `to_json` makes."""
        return self.after((*entry[:6], to_json(entry.body)))


def row_text(row: Sequence[Any]) -> bytes:
    """Return what is hashed of a row that begins with id, at_ms, unit, boot_id, seq, kind and the body's text.

    Raises TypeError or ValueError for values that no entry has.
    """
    return next(row_texts((row,)))


def row_texts(rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Go through the texts of rows. Whole journals go through this, so it makes the JSON of the few types that there
    are by itself: that takes a third of the time. Raises what `row_text` does.
    """
    texts: dict[str | None, str] = {None: "null"}
    for row in rows:
        number, at_ms, unit, boot_id, seq, kind, body = row[:7]
        if not (type(number) is int and type(at_ms) is int and type(kind) is str and type(body) is str):
            raise TypeError("an entry has its number, its time, its kind and its body")
        if unit not in texts:
            texts[unit] = encode_basestring(unit)
        if kind not in texts:
            texts[kind] = encode_basestring(kind)
        if boot_id is None and seq is None:
            event = "null,null"
        elif type(boot_id) is int and type(seq) is int:
            event = f"{boot_id},{seq}"
        else:
            raise TypeError("an event has a boot id and a number, a record has neither")
        yield f"[{number},{at_ms},{texts[unit]},{event},{texts[kind]},{encode_basestring(body)}]".encode()


def to_json(body: Mapping[str, Any]) -> str:
    """Return the one JSON text of `body`, whatever the order of its keys.

    Raises TypeError or ValueError for what JSON cannot carry; NaN is among that.
    """
    return _encoder.encode(body)


_encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
