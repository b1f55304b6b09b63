"""Reads a journal without a lock and without leaving anything behind, also while other programs write it."""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from .entry import Entry
from .places import JournalPath, Place, find_place
from .schema import CONTENT, ENTRIES

BATCH = 1000


def read_journal(path: JournalPath, after: int = 0, kinds: Collection[str] = ()) -> Iterator[Entry]:
    """Go through the entries with ids above `after` that are there now, in their order; of some `kinds`, or of all.

    Raises NotAJournal or JournalError at once, before the first entry is asked for.
    """
    place = find_place(path)
    place.version()
    return _read(place, after, kinds)


def read_unit(
    path: JournalPath, unit: str, boot_id: int | None = None, first: int = 0, last: int = 0
) -> tuple[Entry, ...]:
    """Return the events `first` to `last` of a table's boot and what the host has recorded of the table since then.

    In their order; the host's records alone, all of them, without `boot_id`. No other entries are looked at.
    """
    place = find_place(path)
    of_unit = select(*CONTENT).where(ENTRIES.c.unit == unit)
    numbered = of_unit.where(ENTRIES.c.boot_id == boot_id, ENTRIES.c.seq.between(first, last))
    events = [] if boot_id is None else list(map(_entry, place.fetch(numbered)))
    oldest = min((entry.id for entry in events), default=0)
    # Both have to be null for an index to be of use.
    of_host = of_unit.where(ENTRIES.c.boot_id.is_(None), ENTRIES.c.seq.is_(None), ENTRIES.c.id > oldest)
    return tuple(sorted((*events, *map(_entry, place.fetch(of_host))), key=lambda entry: entry.id))


def read_rows(place: Place, connection: Connection, after: int) -> Iterator[Entry]:
    """Go through the entries above `after` in batches, so that no transaction stays open while the caller thinks."""
    rows = _batch(place, connection, after)
    while rows:
        yield from map(_entry, rows)
        rows = _batch(place, connection, rows[-1].id)


def _read(place: Place, after: int, kinds: Collection[str]) -> Iterator[Entry]:
    rows = place.fetch(_query(after, kinds))
    while rows:
        yield from map(_entry, rows)
        rows = place.fetch(_query(rows[-1].id, kinds))


def _batch(place: Place, connection: Connection, after: int) -> Sequence[Row[Any]]:
    with place.failures(), nullcontext() if connection.in_transaction() else connection.begin():
        return connection.execute(_query(after)).all()


def _query(after: int, kinds: Collection[str] = ()) -> Select[Any]:
    query = select(*CONTENT).where(ENTRIES.c.id > after).order_by(ENTRIES.c.id).limit(BATCH)
    return query.where(ENTRIES.c.kind.in_(kinds)) if kinds else query


def _entry(row: Row[Any]) -> Entry:
    return Entry(row.id, row.at_ms, row.unit, row.boot_id, row.seq, row.kind, json.loads(row.body))
