"""Reads a journal without a lock and without leaving anything behind, also while another program writes it."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, select

from .entry import ENTRIES, Entry
from .files import check_is_journal, engine_for, named_failures

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
    rows = _batch(path, connection, after)
    while rows:
        yield from map(_entry, rows)
        rows = _batch(path, connection, rows[-1].id)


def _read(path: Path, after: int) -> Iterator[Entry]:
    rows = _open_and_read(path, after)
    while rows:
        yield from map(_entry, rows)
        rows = _open_and_read(path, rows[-1].id)


def _open_and_read(path: Path, after: int) -> Sequence[Row[Any]]:
    """Read a batch through a connection of its own.

    A journal without a write-ahead file has no writer, and is read as a file that does not change: SQLite would else
    make two files beside it, which it cannot on a disk that is read-only and leaves behind on others. If it did change
    meanwhile, a writer has come, and the batch is read again.
    """
    while True:
        before = _traces_of_a_writer(path)
        is_quiet = before[0] is None
        engine = engine_for(path, "mode=ro&immutable=1" if is_quiet else "mode=ro")
        try:
            with named_failures(path), engine.connect() as connection:
                rows = _batch(path, connection, after)
        finally:
            engine.dispose()
        if not is_quiet or before == _traces_of_a_writer(path):
            return rows


def _traces_of_a_writer(path: Path) -> tuple[int | None, int, int]:
    """Return the inode of the write-ahead file, if there is one, and time and size of the journal itself."""
    try:
        log = path.with_name(path.name + "-wal").stat().st_ino
    except FileNotFoundError:
        log = None
    with named_failures(path):
        status = path.stat()
    return log, status.st_mtime_ns, status.st_size


def _batch(path: Path, connection: Connection, after: int) -> Sequence[Row[Any]]:
    query = select(ENTRIES).where(ENTRIES.c.id > after).order_by(ENTRIES.c.id).limit(BATCH)
    with named_failures(path), connection.begin():
        return connection.execute(query).all()


def _entry(row: Row[Any]) -> Entry:
    return Entry(row.id, row.at_ms, row.unit, row.boot_id, row.seq, row.kind, json.loads(row.body))
