"""The journal as an SQLite file: whose it is, who may write it, how it comes into being, what its failures are called.

One connection writes, and is the one that moves the write-ahead file's pages into the journal: SQLite 3.40 can spoil a
journal in which two connections do so. All others only read.
"""

import sqlite3
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from ..budgets import FILE as FILE_BUDGET
from ..errors import JournalBusy, JournalDamaged, JournalError, JournalFull, NotAJournal
from ..system.disk import close_to_others, sync_folder
from ..system.private import FILE
from .known import known_of
from .lock import WriterLock
from .places import first_of
from .schema import create_schema
from .shape import version_of
from .write_ahead import WriteAhead, log_path, put_together, read_pair, trace

BUSY_LIMIT_S = 2
LONGEST_ROW: Final = FILE_BUDGET.size
"""Bytes of an entry; an export has no longer line."""
_SHORT_ROW: Final = 16 << 10
"""Bytes of rows of which a whole batch may be in memory; nearly all are that short."""

# FULL, not NORMAL: in WAL mode NORMAL loses the last commits when the power fails, and those were acknowledged.
_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")

# SQLite's names for a disk that takes no more: ENOSPC, and other short writes, such as at a quota or a size limit.
FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}
BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DENIED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}


class JournalFile:
    """The place that is a file."""

    dialect = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: WriterLock | None = None
        self._image: tuple[Any, bytes | bytearray] = (None, b"")
        """What was read where SQLite could not, and of which state of the files."""

    def reach(self) -> None:
        """Do nothing: a disk that is not there yet is a folder that is not there."""

    @property
    def name(self) -> str:
        """Return where it is, in full."""
        return str(self.path.absolute())

    @property
    def noted(self) -> Path | None:
        """Return the file beside it."""
        return self.path.with_name(self.path.name + "-checked")

    def resting(self) -> tuple[int, ...] | None:
        """Return what the system has noted of the file; None while a write-ahead file is beside it."""
        traces = self._traces()
        return traces[0] if traces[1] is None else None

    def look(self) -> None:
        """Raise JournalError when there is nothing, NotAJournal when it is no file or an empty one."""
        try:
            status = self.path.stat()
        except OSError as error:
            raise JournalError(str(self.path), f"it cannot be found ({error.strerror}); check the path") from error
        if not stat.S_ISREG(status.st_mode) or status.st_size == 0:
            raise NotAJournal(str(self.path), "this is no journal and was left alone; choose another path")

    def open(self) -> Engine:
        """Return an engine with the one connection that writes; the file is locked until `release`."""
        if self.path.exists():
            version_of(self)
        self._lock = WriterLock(self.path)
        try:
            if not self.path.exists():
                self._create()
            for suffix in ("", "-wal", "-shm"):
                close_to_others(self.path.with_name(self.path.name + suffix))
            return self._engine(self.path, "mode=rw", *_PRAGMAS)
        except BaseException:
            self.release()
            raise

    def take_turn(self, connection: Connection) -> None:
        """Begin the transaction as a writer's; whoever has the lock is alone but for other programs of SQLite's."""
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    def release(self) -> None:
        """Unlock the file."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def fetch(self, query: str, values: Mapping[str, Any] | None = None) -> Sequence[Sequence[Any]]:
        """Ask through a connection of its own.

        A journal without a write-ahead file has no writer, and is read as a file that does not change: SQLite would
        else make two files beside it, which it cannot on a disk that is read-only and leaves behind on others. If it
        did change meanwhile, a writer has come, and the query is asked again. With a write-ahead file SQLite needs to
        write; where it cannot, the files are put together in memory.
        """
        while True:
            before = self._traces()
            is_quiet = before[1] is None
            options = "mode=ro&immutable=1" if is_quiet else "mode=ro"
            with self.failures():
                try:
                    with closing(self._connect(options)) as connection:
                        rows = _rows(connection, query, values or {})
                except sqlite3.Error as error:
                    if is_quiet or not _needs_to_write(error):
                        raise
                    return self._fetch_in_memory(query, values or {})
            if not is_quiet or before == self._traces():
                return rows

    def _fetch_in_memory(self, query: str, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """Ask an image of the journal and its write-ahead file, which nothing is written for."""
        traces = self._traces()
        if self._image[0] != traces:
            try:
                pair = read_pair(self.path)
            except OSError as error:
                problem = (
                    f"it cannot be read with its write-ahead file, {log_path(self.path).name}, which has the newest "
                    f"entries ({error.strerror}); let this user read both"
                )
                raise JournalError(str(self.path), problem) from error
            if pair is None:
                problem = (
                    f"with its write-ahead file, {log_path(self.path).name}, it is too long to be read where this "
                    "program cannot write; copy both files to a folder of your own, and read them there"
                )
                raise JournalError(str(self.path), problem)
            self._image = traces, put_together(pair[0], WriteAhead(pair[1]).frames)
        return _asked(self._image[1], query, values)

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Turn the failures of SQLite and the system into ours."""
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            original = error.orig if isinstance(error, DBAPIError) else error
            code = getattr(original, "sqlite_errorcode", None)
            raise _named(self.path, code, str(original)) from error
        except UnicodeDecodeError as error:
            raise _named(self.path, sqlite3.SQLITE_CORRUPT, f"a text is no UTF-8, byte {error.start + 1}") from error
        except OSError as error:
            problem = f"it cannot be written ({error.strerror}); choose another path"
            raise JournalError(str(self.path), problem) from error

    def _create(self) -> None:
        """Make an empty journal, which is complete before it gets its name; nothing is left behind by a failure."""
        draft = self.path.with_name(self.path.name + "-new")
        _remove(draft)
        try:
            with self.failures():
                # SQLite gives the files beside a database the database's own mode.
                draft.touch(FILE)
                engine = self._engine(draft, "mode=rw")
                try:
                    with engine.begin() as connection:
                        # One transaction, in which the driver sees no statement that it would begin one for.
                        connection.exec_driver_sql("BEGIN IMMEDIATE")
                        create_schema(connection)
                finally:
                    engine.dispose()
                draft.replace(self.path)
                known_of(self).forget()
                sync_folder(self.path.parent)
        finally:
            _remove(draft)

    def _connect(self, options: str, path: Path | None = None) -> sqlite3.Connection:
        """Open the file with the options of an SQLite URI, such as `mode=rw`."""
        name = quote(str((path or self.path).absolute()))
        connection = sqlite3.connect(f"file:{name}?{options}", uri=True, timeout=BUSY_LIMIT_S)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
        return connection

    def _engine(self, path: Path, options: str, *pragmas: str) -> Engine:
        """Return an engine with one connection, which it keeps."""

        def creator() -> sqlite3.Connection:
            connection = self._connect(options, path)
            try:
                for pragma in pragmas:
                    connection.execute(f"PRAGMA {pragma}")
            except BaseException:
                connection.close()
                raise
            return connection

        return create_engine("sqlite+pysqlite://", creator=creator, poolclass=StaticPool)

    def _traces(self) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
        """Return what changes in the journal, and in its write-ahead file, when they are written."""
        with self.failures():
            return trace(self.path), trace(log_path(self.path))


def ask_image(image: bytes | bytearray, query: str, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
    """Return all rows of a query to the bytes of a database that needs no write-ahead file. Raises JournalDamaged."""
    try:
        return _asked(image, query, values)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise JournalDamaged("a copy of it", f"it cannot be read ({error})") from error


def _asked(image: bytes | bytearray, query: str, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(image)
        return _rows(connection, query, values)


def _rows(connection: sqlite3.Connection, query: str, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
    """Return all rows of a query, of long ones those of `first_of`."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _SHORT_ROW)
    try:
        return connection.execute(query, values).fetchall()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_TOOBIG:
            raise
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
    return first_of(connection.execute(query, values))


def _needs_to_write(error: sqlite3.Error) -> bool:
    """Say whether SQLite has failed to read for want of a file that it would have to make or to lengthen."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and (code in FULL or code & 0xFF in _DENIED | {sqlite3.SQLITE_IOERR})


def _named(path: Path, code: int | None, text: str) -> JournalError:
    primary: Final = -1 if code is None else code & 0xFF
    if code in FULL:
        return JournalFull(str(path), "the disk is full; make room and start again: what was stored before is safe")
    if primary in BUSY:
        return JournalBusy(str(path), "another program writes it; end that program, or choose another path")
    if primary in _DENIED:
        return JournalError(str(path), f"it cannot be opened here ({text}); check the folder and its permissions")
    if primary == sqlite3.SQLITE_TOOBIG:
        problem = f"an entry of it, or another row, has more than {LONGEST_ROW:,} bytes, which no entry has"
        return JournalDamaged(str(path), problem)
    if primary == sqlite3.SQLITE_NOTADB:
        return NotAJournal(str(path), "this is no journal and was left alone; choose another path")
    if primary == sqlite3.SQLITE_CORRUPT:
        problem = (
            f"the file is damaged ({text}): it was copied while it was written, or the disk fails; take another copy "
            "with `wallwright log copy`, which may be done at any time"
        )
        return JournalDamaged(str(path), problem)
    return JournalError(str(path), f"the database failed ({text}); copy the file elsewhere and check the disk")


def _remove(draft: Path) -> None:
    for suffix in ("", "-journal"):
        draft.with_name(draft.name + suffix).unlink(missing_ok=True)
