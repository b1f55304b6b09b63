"""Who may use the console: people with a role and a password, their sessions, and what they have already asked for.

An SQLite file beside the hall's journal, which `wallwright users` and the server may open at the same time. Passwords
are kept as argon2 hashes, tokens as SHA-256: who reads the file can sign in as nobody.
"""

import hashlib
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    delete,
    event,
    insert,
    select,
    update,
)
from sqlalchemy.exc import DatabaseError, IntegrityError

from ..errors import AccountError, BadName
from .desk import Person

ROLES = ("director", "referee", "scorer", "operator", "screen")
"""Whom an account may belong to; who is not signed in is "public"."""
NAME_LIMIT = 64
PASSWORD_MIN = 10
PASSWORD_MAX = 1000
SESSION_MS = 16 * 3_600_000
"""A long day; then one signs in again."""
INVITATION_MS = 24 * 3_600_000
RECEIPT_MS = 24 * 3_600_000

_METADATA = MetaData()
_ACCOUNTS = Table(
    "accounts",
    _METADATA,
    Column("name", String, primary_key=True),
    Column("role", String, nullable=False),
    Column("password", String, nullable=False),
)
_SESSIONS = Table(
    "sessions",
    _METADATA,
    Column("token", String, primary_key=True),
    Column("account", String, nullable=False),
    Column("ends_ms", Integer, nullable=False),
)
_INVITATIONS = Table(
    "invitations",
    _METADATA,
    Column("token", String, primary_key=True),
    Column("ends_ms", Integer, nullable=False),
)
_RECEIPTS = Table(
    "receipts",
    _METADATA,
    Column("key", String, primary_key=True),
    Column("asked", String, nullable=False),
    Column("status", Integer),
    Column("answer", String),
    Column("at_ms", Integer, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a command with an idempotency key was, and its answer; `status` is None while nobody has answered yet."""

    asked: str
    status: int | None
    answer: Any


class Accounts:
    """The accounts in the file at `path`, made if there is none. Raises AccountError when it cannot be used.

    `hasher` says how much work a password is.
    """

    def __init__(self, path: Path, hasher: PasswordHasher | None = None) -> None:
        self.path = path
        self._hasher = hasher or PasswordHasher()
        # Checked where no such account is, so that it takes as long as with one.
        self._nobody = self._hasher.hash(secrets.token_urlsafe(32))
        self._engine: Engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 10})
        event.listen(self._engine, "connect", _prepare)
        if path.parent.is_dir():
            path.touch(mode=0o600)
        with self._transaction() as connection:
            _METADATA.create_all(connection)

    def close(self) -> None:
        """Close the file."""
        self._engine.dispose()

    def people(self) -> tuple[Person, ...]:
        """Return all accounts, by name."""
        with self._transaction() as connection:
            rows = connection.execute(select(_ACCOUNTS).order_by(_ACCOUNTS.c.name))
            return tuple(Person(row.name, row.role) for row in rows)

    def add(self, name: str, role: str, password: str) -> Person:
        """Make an account. Raises AccountError when there is one of that name, or the password is too short."""
        person = Person(_checked_name(name), _checked_role(role))
        hashed = self._hasher.hash(_checked_password(password))
        try:
            with self._transaction() as connection:
                connection.execute(insert(_ACCOUNTS).values(name=person.name, role=role, password=hashed))
        except IntegrityError:
            raise AccountError(f"there is an account {person.name!r} already; choose another name") from None
        return person

    def set_role(self, name: str, role: str) -> None:
        """Give an account another role; it counts from the next request on. Raises AccountError."""
        with self._transaction() as connection:
            changed = connection.execute(
                update(_ACCOUNTS).where(_ACCOUNTS.c.name == name).values(role=_checked_role(role))
            )
            if not changed.rowcount:
                raise _unknown(name)

    def set_password(self, name: str, password: str) -> None:
        """Give an account another password, and end its sessions. Raises AccountError."""
        hashed = self._hasher.hash(_checked_password(password))
        with self._transaction() as connection:
            changed = connection.execute(update(_ACCOUNTS).where(_ACCOUNTS.c.name == name).values(password=hashed))
            if not changed.rowcount:
                raise _unknown(name)
            connection.execute(delete(_SESSIONS).where(_SESSIONS.c.account == name))

    def remove(self, name: str) -> None:
        """Take an account away, with its sessions. Raises AccountError."""
        with self._transaction() as connection:
            if not connection.execute(delete(_ACCOUNTS).where(_ACCOUNTS.c.name == name)).rowcount:
                raise _unknown(name)
            connection.execute(delete(_SESSIONS).where(_SESSIONS.c.account == name))

    def invite(self, now_ms: int) -> str:
        """Return the token of a link that makes one director's account, once, within a day; older ones end."""
        token = secrets.token_urlsafe(32)
        with self._transaction() as connection:
            connection.execute(delete(_INVITATIONS))
            connection.execute(insert(_INVITATIONS).values(token=_hashed(token), ends_ms=now_ms + INVITATION_MS))
        return token

    def is_invited(self, token: str, now_ms: int) -> bool:
        """Say whether a link is still good."""
        fits = (_INVITATIONS.c.token == _hashed(token)) & (_INVITATIONS.c.ends_ms > now_ms)
        with self._transaction() as connection:
            return connection.execute(select(_INVITATIONS).where(fits)).first() is not None

    def accept(self, token: str, name: str, password: str, now_ms: int) -> Person:
        """Make the director's account of a link, which is good no longer. Raises AccountError."""
        if not self.is_invited(token, now_ms):
            raise AccountError("this link has been used or is too old; `wallwright users invite` prints another one")
        person = self.add(name, "director", password)
        with self._transaction() as connection:
            connection.execute(delete(_INVITATIONS).where(_INVITATIONS.c.token == _hashed(token)))
        return person

    def sign_in(self, name: str, password: str, now_ms: int) -> str | None:
        """Return the token of a new session, None when name and password do not fit together."""
        with self._transaction() as connection:
            row = connection.execute(select(_ACCOUNTS).where(_ACCOUNTS.c.name == name)).one_or_none()
        try:
            self._hasher.verify(self._nobody if row is None else row.password, password[:PASSWORD_MAX])
        except (VerifyMismatchError, InvalidHashError):
            return None
        return None if row is None else self.open_session(row.name, now_ms)

    def open_session(self, name: str, now_ms: int) -> str:
        """Return the token of a new session of an account."""
        token = secrets.token_urlsafe(32)
        with self._transaction() as connection:
            connection.execute(delete(_SESSIONS).where(_SESSIONS.c.ends_ms <= now_ms))
            connection.execute(
                insert(_SESSIONS).values(token=_hashed(token), account=name, ends_ms=now_ms + SESSION_MS)
            )
        return token

    def person(self, token: str, now_ms: int) -> Person | None:
        """Return whose session this is; None when it is over, or never was."""
        joined = select(_ACCOUNTS.c.name, _ACCOUNTS.c.role).join(_SESSIONS, _SESSIONS.c.account == _ACCOUNTS.c.name)
        with self._transaction() as connection:
            row = connection.execute(
                joined.where((_SESSIONS.c.token == _hashed(token)) & (_SESSIONS.c.ends_ms > now_ms))
            ).one_or_none()
        return None if row is None else Person(row.name, row.role)

    def sign_out(self, token: str) -> None:
        """End a session."""
        with self._transaction() as connection:
            connection.execute(delete(_SESSIONS).where(_SESSIONS.c.token == _hashed(token)))

    def begin(self, key: str, asked: str, now_ms: int) -> Receipt | None:
        """Note that `asked` is begun under `key`; return what there is of it when it was begun before."""
        with self._transaction() as connection:
            connection.execute(delete(_RECEIPTS).where(_RECEIPTS.c.at_ms <= now_ms - RECEIPT_MS))
        try:
            with self._transaction() as connection:
                connection.execute(insert(_RECEIPTS).values(key=key, asked=asked, at_ms=now_ms))
            return None
        except IntegrityError:
            with self._transaction() as connection:
                row = connection.execute(select(_RECEIPTS).where(_RECEIPTS.c.key == key)).one()
        return Receipt(row.asked, row.status, None if row.answer is None else json.loads(row.answer))

    def finish(self, key: str, status: int, answer: Any) -> None:
        """Note the answer to what was begun under `key`."""
        with self._transaction() as connection:
            connection.execute(
                update(_RECEIPTS).where(_RECEIPTS.c.key == key).values(status=status, answer=json.dumps(answer))
            )

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except DatabaseError as error:
            raise AccountError(f"{self.path}: {error.orig}; check the path and the disk") from error


def _prepare(connection: Any, _: Any) -> None:
    connection.execute("PRAGMA journal_mode = WAL")


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _checked_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > NAME_LIMIT or not name.isprintable():
        raise AccountError(f"a name has 1 to {NAME_LIMIT} visible characters")
    return name


def _checked_role(role: str) -> str:
    if role not in ROLES:
        raise BadName(f"no role is called {role!r}; there are {', '.join(ROLES)}")
    return role


def _checked_password(password: str) -> str:
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        raise AccountError(f"a password has {PASSWORD_MIN} to {PASSWORD_MAX} characters; a few words are good")
    return password


def _unknown(name: str) -> AccountError:
    return AccountError(f"there is no account {name!r}; `wallwright users list` shows them")
