"""The journal as a file: whose it is, who may write it, how it comes into being, what its failures are called."""

import fcntl
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import Engine, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from ..errors import JournalBusy, JournalError, JournalFull, NotAJournal
from .entry import APPLICATION_ID, GUARDS, METADATA, SCHEMA_VERSION

BUSY_LIMIT_S = 2

# SQLite's names for a disk that takes no more: ENOSPC, and other short writes, such as at a quota or a size limit.
_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DENIED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
_FOREIGN = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}


def check_is_journal(path: Path) -> None:
    """Raise NotAJournal unless `path` is a journal of a known version, or JournalError when it cannot be read.

    The file is looked at without locks and without a write of any kind.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise JournalError(str(path), f"it cannot be found ({error.strerror}); check the path") from error
    if not stat.S_ISREG(status.st_mode) or status.st_size == 0:
        raise NotAJournal(str(path), "this is no journal and was left alone; choose another path")
    # SQLite itself looks, not `open`: closing a file of one's own would drop the locks that this process has on it.
    with named_failures(path), closing(connect(path, "mode=ro&immutable=1")) as connection:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise NotAJournal(str(path), "this is another program's database and was left alone; choose another path")
    if version != SCHEMA_VERSION:
        raise NotAJournal(
            str(path), f"it has version {version}, this program knows {SCHEMA_VERSION}; update Wallwright"
        )


def create_journal(path: Path) -> None:
    """Make an empty journal at `path`; the caller holds its lock, so nobody else is about it.

    It is complete before it gets its name. Raises JournalFull or JournalError, and leaves nothing behind then.
    """
    draft = path.with_name(path.name + "-new")
    _remove(draft)
    try:
        with named_failures(path):
            engine = engine_for(draft, "mode=rwc")
            try:
                with engine.begin() as connection:
                    # One transaction, in which the driver sees no statement that it would begin one for.
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                    connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
                    connection.exec_driver_sql(f"PRAGMA user_version = {SCHEMA_VERSION}")
                    METADATA.create_all(connection)
                    for guard in GUARDS:
                        connection.exec_driver_sql(guard)
            finally:
                engine.dispose()
            draft.replace(path)
            _sync_folder(path.parent)
    finally:
        _remove(draft)


def connect(path: Path, options: str) -> sqlite3.Connection:
    """Open the database file with the options of an SQLite URI, such as `mode=rw`."""
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?{options}", uri=True, timeout=BUSY_LIMIT_S)


def engine_for(path: Path, options: str, *pragmas: str) -> Engine:
    """Return an engine with one connection, which it keeps, to the database file."""

    def creator() -> sqlite3.Connection:
        connection = connect(path, options)
        try:
            for pragma in pragmas:
                connection.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()
            raise
        return connection

    return create_engine("sqlite+pysqlite://", creator=creator, poolclass=StaticPool)


@contextmanager
def named_failures(path: Path) -> Iterator[None]:
    """Turn the failures of SQLite and the system into ours."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        original = error.orig if isinstance(error, DBAPIError) else error
        code = getattr(original, "sqlite_errorcode", None)
        raise _named(path, code, str(original)) from error
    except OSError as error:
        raise JournalError(str(path), f"it cannot be written ({error.strerror}); choose another path") from error


def _named(path: Path, code: int | None, text: str) -> JournalError:
    primary: Final = -1 if code is None else code & 0xFF
    if code in _FULL:
        return JournalFull(str(path), "the disk is full; make room and start again: what was stored before is safe")
    if primary in _BUSY:
        return JournalBusy(str(path), "another program writes it; end that program, or choose another path")
    if primary in _DENIED:
        return JournalError(str(path), f"it cannot be opened here ({text}); check the folder and its permissions")
    if primary in _FOREIGN:
        return NotAJournal(str(path), "this is no journal and was left alone; choose another path")
    return JournalError(str(path), f"the database failed ({text}); copy the file elsewhere and check the disk")


class WriterLock:
    """Held by the one program that writes a journal: a lock on a file beside it, which ends with the process."""

    def __init__(self, path: Path) -> None:
        """Take the lock; JournalBusy when another program, or this one, has it. JournalError if it cannot be made."""
        self._path = path.with_name(path.name + "-lock")
        while True:
            try:
                self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            except OSError as error:
                problem = f"nothing can be written in its folder ({error.strerror}); choose another path"
                raise JournalError(str(path), problem) from error
            try:
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(self._handle)
                raise JournalBusy(
                    str(path), "another program writes it; end that program, or choose another path"
                ) from error
            if self._is_named():
                return
            os.close(self._handle)

    def release(self) -> None:
        """Let go of the lock and remove its file."""
        self._path.unlink(missing_ok=True)
        os.close(self._handle)

    def _is_named(self) -> bool:
        # Between opening and locking, the last holder may have removed the file: then others lock a new one.
        try:
            return os.path.samestat(self._path.stat(), os.fstat(self._handle))
        except FileNotFoundError:
            return False


def _remove(draft: Path) -> None:
    for suffix in ("", "-journal"):
        draft.with_name(draft.name + suffix).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
