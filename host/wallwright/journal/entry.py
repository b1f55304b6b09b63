"""One line of history, and its form in the database: the table, what guards it, the JSON of a body."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Integer, MetaData, String, Table, UniqueConstraint

APPLICATION_ID = 0x57574A31
"""Marks an SQLite file as a journal of ours."""
SCHEMA_VERSION = 1

METADATA = MetaData()
ENTRIES = Table(
    "entries",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at_ms", Integer, nullable=False),
    Column("unit", String),
    Column("boot_id", Integer),
    Column("seq", Integer),
    Column("kind", String, nullable=False),
    Column("body", String, nullable=False),
    UniqueConstraint("unit", "boot_id", "seq"),
)

GUARDS = (
    "CREATE TRIGGER entries_are_not_updated BEFORE UPDATE ON entries "
    "BEGIN SELECT RAISE(ABORT, 'a journal is append-only'); END",
    "CREATE TRIGGER entries_are_not_deleted BEFORE DELETE ON entries "
    "BEGIN SELECT RAISE(ABORT, 'a journal is append-only'); END",
    # INSERT OR REPLACE would delete without waking the trigger above.
    "CREATE TRIGGER entries_are_not_replaced BEFORE INSERT ON entries WHEN EXISTS (SELECT 1 FROM entries "
    "WHERE id = NEW.id OR (unit = NEW.unit AND boot_id = NEW.boot_id AND seq = NEW.seq)) "
    "BEGIN SELECT RAISE(ABORT, 'a journal is append-only'); END",
)


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


def to_json(body: Mapping[str, Any]) -> str:
    """Return the one JSON text of `body`, whatever the order of its keys.

    Raises TypeError or ValueError for what JSON cannot carry; NaN is among that.
    """
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
