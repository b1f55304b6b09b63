"""Reads a journal without a lock, also while another program writes it."""

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine, select

from .entry import ENTRIES, Entry
from .files import check_is_journal, connect, engine_for, named_failures

BATCH = 500


def read_journal(path: str | os.PathLike[str], after: int = 0) -> Iterator[Entry]:
    """Go through the entries with ids above `after` that are there now, in their order.

    Raises NotAJournal or JournalError at once, before the first entry is asked for.
    """
    file = Path(path)
    check_is_journal(file)
    return _read(file, after)


def read_rows(path: Path, connection: Connection, after: int) -> Iterator[Entry]:
    """Go through the entries above `after` in batches, so that no transaction stays open while the caller thinks."""
    while True:
        query = select(ENTRIES).where(ENTRIES.c.id > after).order_by(ENTRIES.c.id).limit(BATCH)
        with named_failures(path), connection.begin():
            rows = connection.execute(query).all()
        for row in rows:
            yield Entry(row.id, row.at_ms, row.unit, row.boot_id, row.seq, row.kind, json.loads(row.body))
        if len(rows) < BATCH:
            return
        after = rows[-1].id


def _read(path: Path, after: int) -> Iterator[Entry]:
    engine = _engine(path)
    try:
        with named_failures(path):
            connection = engine.connect()
        try:
            yield from read_rows(path, connection, after)
        finally:
            connection.close()
    finally:
        engine.dispose()


def _engine(path: Path) -> Engine:
    """Return an engine that only reads."""
    options = "mode=ro"
    if not path.with_name(path.name + "-wal").exists():
        # Nobody writes. SQLite would still make its two helper files, which it cannot on a disk that is read-only.
        try:
            connection = connect(path, options)
            try:
                connection.execute("SELECT 1 FROM entries")
            finally:
                connection.close()
        except sqlite3.OperationalError:
            options += "&immutable=1"
    return engine_for(path, options)
