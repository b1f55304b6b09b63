"""Where a journal can be, and what every such place has to offer; the rest of the package does not know which it is.

`files` is the place by default, a file of SQLite's; `server` a database of PostgreSQL's, named by its URL.
"""

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import URL, Connection, Engine, Executable, Row, make_url
from sqlalchemy.exc import ArgumentError

from ..errors import JournalError

JournalPath = str | os.PathLike[str] | URL
"""A file's path, or the URL `postgresql://USER@HOST/DATABASE`."""


class Place(Protocol):
    """One journal's place. `path` names it in messages; a URL hides its password there."""

    dialect: str
    """SQLAlchemy's name of the database: sqlite, postgresql."""

    @property
    def path(self) -> Path | URL:
        """Return what it is called."""

    def failures(self) -> AbstractContextManager[None]:
        """Turn the failures of the database and the system into JournalErrors."""

    def version(self) -> int:
        """Return the schema's version. NotAJournal when it is something else or too new, JournalError when absent."""

    def fetch(self, query: Executable, values: dict[str, Any] | None = None) -> Sequence[Row[Any]]:
        """Return all rows of a query, asked without a lock and without leaving anything behind."""

    def open(self) -> Engine:
        """Return an engine to write with, the journal made if there is none. Raises JournalError, JournalBusy."""

    def take_turn(self, connection: Connection) -> None:
        """Wait for the right to append in the transaction of `connection`; no other writer has it meanwhile."""

    def release(self) -> None:
        """Let others write after the engine is disposed of."""


def find_place(path: JournalPath) -> Place:
    """Return the place that a path or URL names. JournalError for a URL that cannot be read."""
    # Each of the two is imported for those who use it; the server's needs a driver besides.
    if isinstance(path, URL) or is_url(str(path)):
        from .server import JournalServer

        try:
            return JournalServer(make_url(path if isinstance(path, URL) else str(path)))
        except (ArgumentError, ValueError) as error:
            problem = "this is no URL; write postgresql://USER@HOST/DATABASE"
            raise JournalError(str(path).partition("@")[2] or "postgresql:", problem) from error
    from .files import JournalFile

    return JournalFile(Path(path))


def is_url(path: str) -> bool:
    """Whether `path` names a server's database, not a file."""
    return path.startswith(("postgresql:", "postgresql+"))


def is_same(one: JournalPath, other: JournalPath) -> bool:
    """Whether two paths or URLs name one journal."""
    first, second = find_place(one).path, find_place(other).path
    if isinstance(first, Path) and isinstance(second, Path):
        return first.resolve() == second.resolve()
    return first == second
