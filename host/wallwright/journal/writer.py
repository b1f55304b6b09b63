"""Appends to a journal. An append, or a batch of them, is one transaction, on the disk when it returns."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import func, insert, select

from ..values import Event
from .entry import ENTRIES, Entry, to_json
from .files import WriterLock, check_is_journal, create_journal, engine_for, named_failures
from .reader import read_rows

# FULL, not NORMAL: in WAL mode NORMAL loses the last commits when the power fails, and those were acknowledged.
_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")


class Journal:
    """The journal at `path`, made if there is none; close it, or use it in a `with`.

    Raises NotAJournal for a file that is something else (which is left alone), JournalBusy when another program writes
    it, JournalFull, and JournalError when it cannot be opened. The clock is the caller's.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if self.path.exists():
            check_is_journal(self.path)
        self._lock = WriterLock(self.path)
        try:
            if not self.path.exists():
                create_journal(self.path)
            self._engine = engine_for(self.path, "mode=rw", *_PRAGMAS)
            with named_failures(self.path):
                self._connection = self._engine.connect()
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> Self:
        """Return the journal itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the journal."""
        self.close()

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """Append a record and return its id. Raises JournalFull; TypeError or ValueError when `body` is not JSON."""
        return self._insert({"at_ms": at_ms, "unit": unit, "kind": kind, "body": to_json(body)})

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> bool:
        """Append an event of a table; False, and nothing is written, when it is here already. Raises JournalFull."""
        with self.batch():
            if self._count_events(unit, event.boot_id, event.seq, event.seq):
                return False
            # What the table no longer has may have come here before it could be told so: that is no gap.
            lost = event.lost
            if lost:
                lost -= self._count_events(unit, event.boot_id, event.seq - lost, event.seq - 1)
            key = {"unit": unit, "boot_id": event.boot_id, "seq": event.seq}
            body = {"fields": dict(event.fields), "time_ms": event.time_ms} | ({"lost": lost} if lost else {})
            self._insert({"at_ms": at_ms, **key, "kind": event.name, "body": to_json(body)})
        return True

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Make the appends inside one transaction: all are on the disk when it ends, or none is after an error."""
        with named_failures(self.path):
            if self._connection.in_transaction():
                yield
            else:
                with self._connection.begin():
                    yield

    def newest_events(self) -> Mapping[str, tuple[int, int]]:
        """Return for every unit the boot id of its last event here, and the highest number of that boot."""
        newest = select(func.max(ENTRIES.c.id)).where(ENTRIES.c.seq.is_not(None)).group_by(ENTRIES.c.unit)
        with self.batch():
            rows = self._connection.execute(select(ENTRIES).where(ENTRIES.c.id.in_(newest))).all()
        return {row.unit: (row.boot_id, row.seq) for row in rows}

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """Go through the entries with ids above `after`, in their order."""
        return read_rows(self.path, self._connection, after)

    def close(self) -> None:
        """Close the file. A second time does nothing."""
        if self._connection.closed:
            return
        with named_failures(self.path):
            self._connection.close()
            self._engine.dispose()
        self._lock.release()

    def _count_events(self, unit: str, boot_id: int, first: int, last: int) -> int:
        found = select(func.count()).select_from(ENTRIES).filter_by(unit=unit, boot_id=boot_id)
        return int(self._connection.execute(found.where(ENTRIES.c.seq.between(first, last))).scalar_one())

    def _insert(self, row: Mapping[str, Any]) -> int:
        with self.batch():
            key = self._connection.execute(insert(ENTRIES).values(row)).inserted_primary_key
        assert key is not None
        return int(key[0])
