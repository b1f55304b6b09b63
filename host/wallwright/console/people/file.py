"""The file of accounts, which several programs may open at the same time: what is done in it, asked of it and noted.

What was asked for is kept with its answer, so that it is done once. What was done with accounts is noted in the same
transaction, as an act that `outbox` takes into the journal.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, delete, event, insert, select, update
from sqlalchemy.exc import DatabaseError, IntegrityError

from ...errors import AccountError, AccountsFailed
from ...journal.files import BUSY, FULL
from ...system.disk import close_to_others
from ...system.private import FILE
from ...system.trusted import problem_with
from ...words import words
from .person import Person
from .tables import ACCOUNTS, ACTS, METADATA, RECEIPTS

BUSY_LIMIT_S = 10
RECEIPT_MS = 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a command with an idempotency key was, and its answer; `status` is None while nobody has answered yet."""

    asked: str
    status: int | None
    answer: Any


@dataclass(frozen=True, slots=True)
class Act:
    """Something that was done with an account, as the journal is to have it: `id` is in the body too."""

    number: int
    id: str
    at_ms: int
    body: Mapping[str, Any]


class AccountsFile:
    """The file at `path`, made if there is none. Raises what `transaction` does."""

    def __init__(self, path: Path) -> None:
        self.path = path
        _refuse_others(path)
        self._engine: Engine = create_engine(
            URL.create("sqlite", database=str(path)), connect_args={"timeout": BUSY_LIMIT_S}
        )
        event.listen(self._engine, "connect", _prepare)
        path.touch(FILE)
        close_to_others(path)
        with self.transaction() as connection:
            METADATA.create_all(connection)

    def close(self) -> None:
        """Close the file."""
        self._engine.dispose()

    def acts(self, limit: int) -> tuple[Act, ...]:
        """Return the oldest acts that are not in the journal yet."""
        with self.transaction() as connection:
            rows = connection.execute(select(ACTS).order_by(ACTS.c.number).limit(limit))
            return tuple(Act(row.number, row.id, row.at_ms, json.loads(row.body)) for row in rows)

    def forget(self, acts: Sequence[Act]) -> None:
        """Let go of acts that are in the journal."""
        with self.transaction() as connection:
            connection.execute(delete(ACTS).where(ACTS.c.number.in_([act.number for act in acts])))

    def begin(self, key: str, asked: str, now_ms: int) -> Receipt | None:
        """Note that `asked` is begun under `key`; return what there is of it when it was begun before."""
        with self.transaction() as connection:
            connection.execute(delete(RECEIPTS).where(RECEIPTS.c.at_ms <= now_ms - RECEIPT_MS))
        try:
            with self.transaction() as connection:
                connection.execute(insert(RECEIPTS).values(key=key, asked=asked, at_ms=now_ms))
            return None
        except IntegrityError:
            with self.transaction() as connection:
                row = connection.execute(select(RECEIPTS).where(RECEIPTS.c.key == key)).one()
        return Receipt(row.asked, row.status, None if row.answer is None else json.loads(row.answer))

    def finish(self, key: str, status: int, answer: Any) -> None:
        """Note the answer to what was begun under `key`."""
        with self.transaction() as connection:
            connection.execute(
                update(RECEIPTS).where(RECEIPTS.c.key == key).values(status=status, answer=json.dumps(answer))
            )

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Give a connection whose changes are all kept, or none after an error.

        Raises AccountsFailed for what passes by itself or when there is room on the disk, AccountError for the rest.
        """
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except DatabaseError as error:
            code = getattr(error.orig, "sqlite_errorcode", 0)
            path, problem = str(self.path), str(error.orig)
            if code in FULL:
                full = words("{path}: the disk is full; make room: what was stored before is safe", path=path)
                raise AccountsFailed(full) from error
            if code & 0xFF in BUSY:
                busy = words(
                    "{path}: another program keeps it ({problem}); end that program", path=path, problem=problem
                )
                raise AccountsFailed(busy) from error
            raise _unusable(self.path, problem) from error


def note(connection: Connection, by: Person, at_ms: int, act: Mapping[str, Any]) -> None:
    """Leave an act for the journal, in the transaction of what it is about."""
    identity = secrets.token_hex(8)
    body = json.dumps({"person": by.name, "role": by.role, **act, "id": identity})
    connection.execute(insert(ACTS).values(id=identity, at_ms=at_ms, body=body))


def _refuse_others(path: Path) -> None:
    """Raise AccountError for what is another program's, a journal for example: neither it nor its mode is changed."""
    if not path.parent.is_dir():
        raise _unusable(path, "there is no such folder")
    if not path.exists():
        return
    if not path.is_file():
        raise _unusable(path, "it is no file")
    if (is_open := problem_with(path)) is not None:
        raise AccountError(words("{path}: {problem}", path=str(path), problem=is_open))
    try:
        with closing(
            sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1", uri=True)
        ) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as error:
        raise _unusable(path, str(error)) from error
    if tables and ACCOUNTS.name not in tables:
        problem = "{path}: this is another program's database and was left alone; choose another path"
        raise AccountError(words(problem, path=str(path)))


def _unusable(path: Path, problem: str) -> AccountError:
    return AccountError(words("{path}: {problem}; check the path and the disk", path=str(path), problem=problem))


def _prepare(connection: Any, _: Any) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
