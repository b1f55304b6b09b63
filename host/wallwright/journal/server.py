"""The journal as a database of PostgreSQL's: what one has to be like, and what its failures are called.

Any number of programs on any number of machines write it, one transaction after the other.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, inspect, text
from sqlalchemy.exc import DBAPIError

from ..errors import BadKey, JournalBusy, JournalError, JournalFull, JournalUnreachable, NotAJournal
from ..system.startup import STARTUP
from .keys import key_path
from .known import known_of
from .schema import APPLICATION_ID, ENTRIES, VERSION, create_schema

DRIVER = "postgresql+psycopg"
BUSY_LIMIT_MS = 2000
CONNECT_LIMIT_S = 5
SILENCE_LIMIT_MS = 10_000
"""A server that does not confirm what was sent for so long is gone."""

_DISK_FULL = "53100"
_LOCKED = {"55P03", "40P01"}
_READ_ONLY = {"25006", "42501"}
_NO_ACCESS = ("28", "3D")
_CONNECTION = ("08", "57P")


class JournalServer:
    """The place that is a database; `url` may give every option that the PostgreSQL client library has."""

    dialect = "postgresql"

    def __init__(self, url: URL) -> None:
        """JournalError when the driver is not installed."""
        self.path = url
        query = {"connect_timeout": str(CONNECT_LIMIT_S), "tcp_user_timeout": str(SILENCE_LIMIT_MS), **url.query}
        # A commit is on the server's disk when it returns, whatever the server does by default.
        options = f"{url.query.get('options', '')} -c synchronous_commit=on -c lock_timeout={BUSY_LIMIT_MS}"
        self._url = url.set(drivername=DRIVER, query=query | {"options": options, "client_encoding": "utf8"})
        try:
            self._url.get_dialect().import_dbapi()
        except ImportError as error:
            problem = "the driver is not installed; install it with `pip install 'wallwright[postgresql]'`"
            raise JournalError(str(self.path), problem) from error

    @property
    def name(self) -> str:
        """Return its URL."""
        return str(self.path)

    def reach(self) -> None:
        """Wait for a server that is still starting, if this program waits for servers. Raises JournalError."""
        STARTUP.wait_for(str(self.path), self._knock)

    @property
    def noted(self) -> Path | None:
        """Return a file in the folder of this user's key."""
        try:
            folder = key_path().parent
        except BadKey:
            return None
        return folder / f"{sha256(self.name.encode()).hexdigest()[:32]}-checked"

    def resting(self) -> tuple[int, ...] | None:
        """Return None: a server does not say what was changed in it."""
        return None

    def look(self) -> None:
        """Reach it; what a database lacks is found when it is asked."""
        self.reach()

    def open(self) -> Engine:
        """Return an engine with the connection that writes; it connects again after a failure."""
        self.reach()
        # A writer that has waited for its turn has to see what others wrote meanwhile, whatever the server's default
        # is.
        engine = create_engine(self._url, pool_size=1, max_overflow=0, isolation_level="READ COMMITTED")
        try:
            with self.failures(), engine.begin() as connection:
                self.take_turn(connection)
                encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
                if encoding != "UTF8":
                    problem = f"its encoding is {encoding}; make a database with ENCODING 'UTF8' TEMPLATE template0"
                    raise NotAJournal(str(self.path), problem)
                if not any(map(inspect(connection).has_table, (ENTRIES.name, VERSION.name))):
                    create_schema(connection)
                    known_of(self).forget()
        except BaseException:
            engine.dispose()
            raise
        return engine

    def take_turn(self, connection: Connection) -> None:
        """Take the lock that all writers of this database take; it ends with the transaction."""
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({APPLICATION_ID})")

    def release(self) -> None:
        """Do nothing: the server keeps no lock between transactions."""

    def fetch(self, query: str, values: Mapping[str, Any] | None = None) -> Sequence[Sequence[Any]]:
        """Ask in a transaction that cannot write."""
        with self.failures(), self._readers.connect() as connection:
            return connection.execute(text(query), values or {}).all()

    def engine(self) -> Engine:
        """Return an engine for what else than a journal is kept in the database; it keeps no connection."""
        return create_engine(self._url, poolclass=NullPool)

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Turn the failures of the server and the way to it into ours."""
        try:
            yield
        except DBAPIError as error:
            said = " ".join(str(error.orig).split())
            raise self._named(getattr(error.orig, "sqlstate", None) or "", said) from error

    def _knock(self) -> None:
        with self.failures(), self._readers.connect():
            pass

    @cached_property
    def _readers(self) -> Engine:
        """What reads; connections are not kept, so that nothing has to be closed."""
        return self.engine().execution_options(postgresql_readonly=True)

    def _named(self, state: str, text: str) -> JournalError:
        path: Final = str(self.path)
        if state == _DISK_FULL:
            return JournalFull(path, "the server's disk is full; make room there: what was stored before is safe")
        if state in _LOCKED:
            return JournalBusy(path, "another program keeps its tables locked; end that program")
        if state in _READ_ONLY:
            return JournalError(path, f"it cannot be written ({text}); use the main server, and a user who may write")
        if state.startswith(_NO_ACCESS) or "authentication" in text or "does not exist" in text:
            return JournalError(path, f"it cannot be opened ({text}); check user, password and the database's name")
        if not state or state.startswith(_CONNECTION):
            problem = f"the server cannot be reached ({text}); check that it runs and the network to it"
            return JournalUnreachable(path, problem)
        return JournalError(path, f"the database failed ({text}); look at the server's log")
