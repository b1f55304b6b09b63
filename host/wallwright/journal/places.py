"""Where a journal can be, and what every such place has to offer; the rest of the package does not know which it is.

`files` is the place by default, a file of SQLite's; `server` a database of PostgreSQL's, named by its URL.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from sys import getsizeof
from typing import Any, Final, Protocol

from sqlalchemy import URL, Connection, Engine

JournalPath = str | os.PathLike[str] | URL
"""A file's path, or the URL `postgresql://USER@HOST/DATABASE`."""
BATCH_BYTES: Final = 8 << 20
"""Memory of rows after which no more are read together."""


class Place(Protocol):
    """One journal's place. `path` names it in messages; a URL hides its password there."""

    dialect: str
    """SQLAlchemy's name of the database: sqlite, postgresql."""

    @property
    def path(self) -> Path | URL:
        """Return what it is called."""

    def failures(self) -> AbstractContextManager[None]:
        """Turn the failures of the database and the system into JournalErrors."""

    def reach(self) -> None:
        """Return when whatever serves the place answers, as far as the program waits for it. Raises JournalError."""

    @property
    def name(self) -> str:
        """Return what tells this journal from others; no password is in it."""

    @property
    def noted(self) -> Path | None:
        """Return where this user's programs keep what they have checked of it; None when there is no such place."""

    def resting(self) -> tuple[int, ...] | None:
        """Return what changes in it whenever somebody writes it, None while a program does, or nothing shows it."""

    def look(self) -> None:
        """Raise JournalError when there is nothing, NotAJournal when there is something that is no database."""

    def fetch(self, query: str, values: Mapping[str, Any] | None = None) -> Sequence[Sequence[Any]]:
        """Return the rows of a query, its values named `:value`, asked without a lock and without a trace; of long rows
        the first ones, as `first_of` does.
        """

    def open(self) -> Engine:
        """Return an engine to write with, the journal made if there is none. Raises JournalError, JournalBusy."""

    def take_turn(self, connection: Connection) -> None:
        """Wait for the right to append in the transaction of `connection`; no other writer has it meanwhile."""

    def release(self) -> None:
        """Let others write after the engine is disposed of."""


def first_of(rows: Iterable[Sequence[Any]]) -> list[Sequence[Any]]:
    """Return the first of some rows, one at least if there is one, that come to BATCH_BYTES; ask on behind them."""
    found: list[Sequence[Any]] = []
    left = BATCH_BYTES
    for row in rows:
        found.append(row)
        left -= sum(map(getsizeof, row))
        if left < 0:
            break
    return found


def is_url(path: str) -> bool:
    """Whether `path` names a server's database, not a file."""
    return path.startswith(("postgresql:", "postgresql+"))
