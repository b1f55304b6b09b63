"""Appends to a journal. An append, or a batch of them, is one transaction, on the disk when it returns."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import URL, bindparam, func, insert, select

from ..errors import JournalError
from ..values import Event
from .checkpoint import Checkpoint
from .entry import Entry, Head, to_json
from .keys import signing_key
from .places import JournalPath, find_place
from .reader import read_rows
from .schema import CONTENT, ENTRIES, SCHEMA_VERSION
from .sealing import DEAL_ENDS, DEAL_KEY, DealKey, DealKeys

_LOG = logging.getLogger(__name__)

CHECKPOINT = "checkpoint"
MIGRATED = "journal_migrated"


class Journal:
    """The journal at `path`, a file or a PostgreSQL URL, made if there is none; close it, or use it in a `with`.

    Raises NotAJournal for something else (which is left alone), JournalBusy when another program writes the file,
    JournalFull, and JournalError when it cannot be opened. A journal of an older schema is brought to this one;
    `notice` and a logged warning say so, otherwise `notice` is empty. The clock is the caller's.
    """

    def __init__(self, path: JournalPath) -> None:
        self._place = find_place(path)
        self.path = self._place.path
        self.notice = ""
        self._head = Head()
        self._deal_keys = DealKeys(_identity(self._place.path))
        self._engine = self._place.open()
        try:
            with self._place.failures():
                self._connection = self._engine.connect()
                self._migrate()
        except BaseException:
            self._engine.dispose()
            self._place.release()
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
        return self._insert(at_ms, unit, None, None, kind, to_json(body))

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> bool:
        """Append an event of a table; False, and nothing is written, when it is here already. Raises JournalFull.

        What tells of tags is sealed, with a key that is disclosed here when the deal has ended; else BadKey.
        """
        with self.batch():
            newest = self._newest_up_to(unit, event)
            if newest == event.seq:
                return False
            # The table counts from what it was told to be stored. What has come here since then is no gap, and a gap
            # before that has been written down.
            lost = min(event.lost, event.seq - 1 - newest)
            if event.name == DEAL_ENDS:
                self.end_deal(unit, at_ms=at_ms)
            event = self._deal_keys.seal(unit, event)
            body = {"fields": dict(event.fields), "time_ms": event.time_ms} | ({"lost": lost} if lost else {})
            self._insert(at_ms, unit, event.boot_id, event.seq, event.name, to_json(body))
        return True

    def end_deal(self, unit: str, *, at_ms: int) -> None:
        """Disclose the key of a table's deal, if it has one: the deal is over, and everybody may read it."""
        with self.batch():
            for key in self._deal_keys.end_deal(unit):
                self.append(DEAL_KEY, key.record(), at_ms=at_ms, unit=unit)

    def running_keys(self, unit: str) -> Mapping[str, DealKey]:
        """Return the keys of a table's running deal, by name: for a host that was started again and goes on with it."""
        return self._deal_keys.own(unit)

    def append_entry(self, entry: Entry) -> Head:
        """Append an entry of another journal as it is, and return the end of the chain.

        Raises JournalError when its number is not the next one here, besides what `append` raises.
        """
        values = (entry.at_ms, entry.unit, entry.boot_id, entry.seq, entry.kind, to_json(entry.body))
        with self.batch():
            if entry.id != self._head.id + 1:
                problem = f"entry {entry.id} cannot follow entry {self._head.id}; copy into a new journal"
                raise JournalError(str(self.path), problem)
            self._insert(*values)
            return self._head

    def checkpoint(self, *, at_ms: int) -> Checkpoint:
        """Sign what is here with this machine's key, append that as a record, and return it to be printed or shown.

        Raises BadKey when the key cannot be read or made.
        """
        key = signing_key()
        with self.batch():
            signed = Checkpoint.sign(self._head, key)
            self.append(CHECKPOINT, signed.record(), at_ms=at_ms)
        return signed

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Make the appends inside one transaction: all are on the disk when it ends, or none is after an error."""
        with self._place.failures():
            if self._connection.in_transaction():
                yield
            else:
                try:
                    with self._connection.begin():
                        self._place.take_turn(self._connection)
                        self._head = self._stored_head()
                        yield
                except BaseException:
                    self._deal_keys.rolled_back()
                    raise
                self._deal_keys.committed()

    def newest_events(self) -> Mapping[str, tuple[int, int]]:
        """Return for every unit the boot id of its last event here, and the highest number of that boot."""
        newest = select(func.max(ENTRIES.c.id)).where(ENTRIES.c.seq.is_not(None)).group_by(ENTRIES.c.unit)
        with self.batch():
            rows = self._connection.execute(select(*CONTENT).where(ENTRIES.c.id.in_(newest))).all()
        return {row.unit: (row.boot_id, row.seq) for row in rows}

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """Go through the entries with ids above `after`, in their order."""
        return read_rows(self._place, self._connection, after)

    def close(self) -> None:
        """Close it. A second time does nothing."""
        if self._connection.closed:
            return
        with self._place.failures():
            self._connection.close()
            self._engine.dispose()
        self._place.release()

    def _migrate(self) -> None:
        version = self._place.version()
        if version == SCHEMA_VERSION:
            return
        from .migration import migrate

        # The entry of it is of the same transaction: no journal has been migrated without saying so.
        with self._connection.begin():
            self._place.take_turn(self._connection)
            migrate(self._connection, version)
            self._head = self._stored_head()
            count = self._head.id
            self.notice = (
                f"journal {self.path}: its {count} entries were of version {version}, which had no hashes; they have "
                "been chained as they are, and whatever is changed from now on is found"
            )
            at_ms = self._connection.execute(select(func.max(ENTRIES.c.at_ms))).scalar_one() or 0
            self._insert(at_ms, None, None, None, MIGRATED, to_json({"from": version, "to": SCHEMA_VERSION}))
        _LOG.warning(self.notice)

    def _stored_head(self) -> Head:
        row = self._connection.execute(_LAST).one_or_none()
        return Head() if row is None else Head(row.id, row.hash)

    def _newest_up_to(self, unit: str, event: Event) -> int:
        """Return the highest number of this boot's events here that is not above that of `event`, 0 for none."""
        values = {"unit": unit, "boot_id": event.boot_id, "seq": event.seq}
        return int(self._connection.execute(_NEWEST_UP_TO, values).scalar_one() or 0)

    def _insert(self, *values: Any) -> int:
        with self.batch():
            row = (self._head.id + 1, *values)
            head = self._head.after(row)
            self._connection.execute(_INSERT, dict(zip(_COLUMNS, (*row, head.hash), strict=True)))
            self._head = head
        return head.id


def _identity(path: Path | URL) -> str:
    """Return what tells one journal of this machine from others; no password is in it."""
    return str(path.absolute() if isinstance(path, Path) else path)


_COLUMNS = tuple(column.name for column in ENTRIES.columns)
# Made once: putting a statement together takes longer than running it.
_INSERT = insert(ENTRIES)
_LAST = select(ENTRIES.c.id, ENTRIES.c.hash).order_by(ENTRIES.c.id.desc()).limit(1)
_NEWEST_UP_TO = (
    select(func.max(ENTRIES.c.seq))
    .where(ENTRIES.c.unit == bindparam("unit"), ENTRIES.c.boot_id == bindparam("boot_id"))
    .where(ENTRIES.c.seq <= bindparam("seq"))
)
