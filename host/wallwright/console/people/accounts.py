"""Who may use the console: people with a role and a password, their sessions, and what they have already asked for.

An SQLite file beside the hall's journal, which `wallwright users` and the server may open at the same time. Passwords
are kept as argon2 hashes, tokens as SHA-256: who reads the file can sign in as nobody.

Whatever is done with an account is noted in the same transaction, as an act that `outbox` takes into the journal.
"""

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from sqlalchemy import Connection, Engine, create_engine, delete, event, insert, select, update
from sqlalchemy.exc import DatabaseError, IntegrityError

from ...errors import AccountError, BadName
from ...rules.words import words
from ...wall_clock import wall_ms
from ..hall.desk import Person
from .access import PUBLIC
from .tables import ACCOUNTS, ACTS, INVITATIONS, METADATA, RECEIPTS, SESSIONS

ROLES = ("director", "referee", "scorer", "operator", "screen")
"""Whom an account may belong to; who is not signed in is "public"."""
NAME_LIMIT = 64
PASSWORD_MIN = 10
PASSWORD_MAX = 1000
SESSION_MS = 16 * 3_600_000
"""A long day; then one signs in again."""
INVITATION_MS = 24 * 3_600_000
RECEIPT_MS = 24 * 3_600_000
THE_SERVER = "the server"
COMMAND_LINE = "command line"
"""Stands where an act has its person's role."""


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


class Accounts:
    """The accounts in the file at `path`, made if there is none. Raises AccountError when it cannot be used.

    `hasher` says how much work a password is. `by` is who changes accounts with it, at a command line; else the server
    does, for whoever has started it.
    """

    def __init__(self, path: Path, hasher: PasswordHasher | None = None, by: str = "") -> None:
        self.path = path
        self._by = Person(by or THE_SERVER, COMMAND_LINE)
        self._hasher = hasher or PasswordHasher()
        # Checked where no such account is, so that it takes as long as with one.
        self._nobody = self._hasher.hash(secrets.token_urlsafe(32))
        self._engine: Engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 10})
        event.listen(self._engine, "connect", _prepare)
        if path.parent.is_dir():
            path.touch(mode=0o600)
        with self._transaction() as connection:
            METADATA.create_all(connection)

    def close(self) -> None:
        """Close the file."""
        self._engine.dispose()

    def people(self) -> tuple[Person, ...]:
        """Return all accounts, by name."""
        with self._transaction() as connection:
            rows = connection.execute(select(ACCOUNTS).order_by(ACCOUNTS.c.name))
            return tuple(Person(row.name, row.role) for row in rows)

    def add(self, name: str, role: str, password: str) -> Person:
        """Make an account. Raises AccountError when there is one of that name, or the password is too short."""
        person = Person(_checked_name(name), _checked_role(role))
        body = {"act": "add_account", "account": person.name, "account_role": role}
        return self._add(person, password, self._by, body, wall_ms())

    def _add(self, person: Person, password: str, by: Person, act: Mapping[str, Any], now_ms: int) -> Person:
        hashed = self._hasher.hash(_checked_password(password))
        try:
            with self._transaction() as connection:
                connection.execute(insert(ACCOUNTS).values(name=person.name, role=person.role, password=hashed))
                _note(connection, by, now_ms, act)
        except IntegrityError:
            problem = words("there is an account {name} already; choose another name", name=repr(person.name))
            raise AccountError(problem) from None
        return person

    def set_role(self, name: str, role: str) -> None:
        """Give an account another role; it counts from the next request on. Raises AccountError."""
        with self._transaction() as connection:
            changed = connection.execute(
                update(ACCOUNTS).where(ACCOUNTS.c.name == name).values(role=_checked_role(role))
            )
            if not changed.rowcount:
                raise _unknown(name)
            self._note_change(connection, "change_role", name, account_role=role)

    def set_password(self, name: str, password: str) -> None:
        """Give an account another password, and end its sessions. Raises AccountError."""
        hashed = self._hasher.hash(_checked_password(password))
        with self._transaction() as connection:
            changed = connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.name == name).values(password=hashed))
            if not changed.rowcount:
                raise _unknown(name)
            connection.execute(delete(SESSIONS).where(SESSIONS.c.account == name))
            self._note_change(connection, "change_password", name)

    def remove(self, name: str) -> None:
        """Take an account away, with its sessions. Raises AccountError."""
        with self._transaction() as connection:
            if not connection.execute(delete(ACCOUNTS).where(ACCOUNTS.c.name == name)).rowcount:
                raise _unknown(name)
            connection.execute(delete(SESSIONS).where(SESSIONS.c.account == name))
            self._note_change(connection, "remove_account", name)

    def invite(self, now_ms: int) -> str:
        """Return the token of a link that makes one director's account, once, within a day; older ones end."""
        token = secrets.token_urlsafe(32)
        with self._transaction() as connection:
            connection.execute(delete(INVITATIONS))
            connection.execute(insert(INVITATIONS).values(token=_hashed(token), ends_ms=now_ms + INVITATION_MS))
            _note(connection, self._by, now_ms, {"act": "invite"})
        return token

    def is_invited(self, token: str, now_ms: int) -> bool:
        """Say whether a link is still good."""
        fits = (INVITATIONS.c.token == _hashed(token)) & (INVITATIONS.c.ends_ms > now_ms)
        with self._transaction() as connection:
            return connection.execute(select(INVITATIONS).where(fits)).first() is not None

    def accept(self, token: str, name: str, password: str, now_ms: int, address: str = "") -> str:
        """Make the director's account of a link, which is good no longer; return the token of a session of it.

        Raises AccountError.
        """
        if not self.is_invited(token, now_ms):
            raise AccountError(
                words("this link has been used or is too old; `wallwright users invite` prints another one")
            )
        person = Person(_checked_name(name), "director")
        self._add(
            person, password, person, {"act": "first_account", "account": person.name, "address": address}, now_ms
        )
        with self._transaction() as connection:
            connection.execute(delete(INVITATIONS).where(INVITATIONS.c.token == _hashed(token)))
            return _open_session(connection, person, now_ms, address)

    def sign_in(self, name: str, password: str, now_ms: int, address: str = "") -> str | None:
        """Return the token of a new session, None when name and password do not fit together.

        `address` is where that comes from. Of a try that fails the name is kept if there is such an account: people
        type passwords where the name belongs.
        """
        with self._transaction() as connection:
            row = connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.name == name)).one_or_none()
        try:
            self._hasher.verify(self._nobody if row is None else row.password, password[:PASSWORD_MAX])
        except (VerifyMismatchError, InvalidHashError):
            row_name = "" if row is None else row.name
            with self._transaction() as connection:
                _note(connection, Person(row_name, PUBLIC), now_ms, {"act": "failed_sign_in", "address": address})
            return None
        if row is None:
            return None
        with self._transaction() as connection:
            return _open_session(connection, Person(row.name, row.role), now_ms, address)

    def person(self, token: str, now_ms: int) -> Person | None:
        """Return whose session this is; None when it is over, or never was."""
        joined = select(ACCOUNTS.c.name, ACCOUNTS.c.role).join(SESSIONS, SESSIONS.c.account == ACCOUNTS.c.name)
        with self._transaction() as connection:
            row = connection.execute(
                joined.where((SESSIONS.c.token == _hashed(token)) & (SESSIONS.c.ends_ms > now_ms))
            ).one_or_none()
        return None if row is None else Person(row.name, row.role)

    def sign_out(self, token: str, now_ms: int, address: str = "") -> None:
        """End a session."""
        person = self.person(token, now_ms)
        with self._transaction() as connection:
            ended = connection.execute(delete(SESSIONS).where(SESSIONS.c.token == _hashed(token)))
            if ended.rowcount and person is not None:
                _note(connection, person, now_ms, {"act": "sign_out", "address": address})

    def acts(self, limit: int) -> tuple[Act, ...]:
        """Return the oldest acts that are not in the journal yet."""
        with self._transaction() as connection:
            rows = connection.execute(select(ACTS).order_by(ACTS.c.number).limit(limit))
            return tuple(Act(row.number, row.id, row.at_ms, json.loads(row.body)) for row in rows)

    def forget(self, acts: Sequence[Act]) -> None:
        """Let go of acts that are in the journal."""
        with self._transaction() as connection:
            connection.execute(delete(ACTS).where(ACTS.c.number.in_([act.number for act in acts])))

    def begin(self, key: str, asked: str, now_ms: int) -> Receipt | None:
        """Note that `asked` is begun under `key`; return what there is of it when it was begun before."""
        with self._transaction() as connection:
            connection.execute(delete(RECEIPTS).where(RECEIPTS.c.at_ms <= now_ms - RECEIPT_MS))
        try:
            with self._transaction() as connection:
                connection.execute(insert(RECEIPTS).values(key=key, asked=asked, at_ms=now_ms))
            return None
        except IntegrityError:
            with self._transaction() as connection:
                row = connection.execute(select(RECEIPTS).where(RECEIPTS.c.key == key)).one()
        return Receipt(row.asked, row.status, None if row.answer is None else json.loads(row.answer))

    def finish(self, key: str, status: int, answer: Any) -> None:
        """Note the answer to what was begun under `key`."""
        with self._transaction() as connection:
            connection.execute(
                update(RECEIPTS).where(RECEIPTS.c.key == key).values(status=status, answer=json.dumps(answer))
            )

    def _note_change(self, connection: Connection, act: str, account: str, **values: str) -> None:
        _note(connection, self._by, wall_ms(), {"act": act, "account": account, **values})

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except DatabaseError as error:
            problem = words(
                "{path}: {problem}; check the path and the disk", path=str(self.path), problem=str(error.orig)
            )
            raise AccountError(problem) from error


def _prepare(connection: Any, _: Any) -> None:
    connection.execute("PRAGMA journal_mode = WAL")


def _note(connection: Connection, by: Person, at_ms: int, act: Mapping[str, Any]) -> None:
    """Leave an act for the journal, in the transaction of what it is about."""
    identity = secrets.token_hex(8)
    body = json.dumps({"person": by.name, "role": by.role, **act, "id": identity})
    connection.execute(insert(ACTS).values(id=identity, at_ms=at_ms, body=body))


def _open_session(connection: Connection, person: Person, now_ms: int, address: str) -> str:
    token = secrets.token_urlsafe(32)
    connection.execute(delete(SESSIONS).where(SESSIONS.c.ends_ms <= now_ms))
    connection.execute(insert(SESSIONS).values(token=_hashed(token), account=person.name, ends_ms=now_ms + SESSION_MS))
    _note(connection, person, now_ms, {"act": "sign_in", "address": address})
    return token


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _checked_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > NAME_LIMIT or not name.isprintable():
        raise AccountError(words("a name has 1 to {limit} visible characters", limit=NAME_LIMIT))
    return name


def _checked_role(role: str) -> str:
    if role not in ROLES:
        raise BadName(words("no role is called {role}; there are {roles}", role=repr(role), roles=", ".join(ROLES)))
    return role


def _checked_password(password: str) -> str:
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        problem = "a password has {least} to {most} characters; a few words are good"
        raise AccountError(words(problem, least=PASSWORD_MIN, most=PASSWORD_MAX))
    return password


def _unknown(name: str) -> AccountError:
    return AccountError(words("there is no account {name}; `wallwright users list` shows them", name=repr(name)))
