"""Who may use the console: people with a role and a password, their sign-ins, and what they have already asked for.

An SQLite file beside the hall's journal, which `wallwright users` and the server may open at the same time. Passwords
are kept as argon2 hashes, tokens as SHA-256: nobody can sign in with what the file holds.

Each change of an account is noted in the same transaction (`file`).
"""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from ...clocks import wall_ms
from ...errors import AccountError, BadName
from ...person_text import folded, refusal, same_key
from ...words import words
from . import codes, devices
from .access import PUBLIC
from .devices import hashed as _hashed
from .file import AccountsFile, note
from .passwords import Passwords
from .person import Person
from .tables import ACCOUNTS, HANDOVERS, INVITATIONS, KNOWN_DEVICES, SIGN_INS
from .whose import OF_ACCOUNT, Whose

ROLES = ("director", "referee", "scorer", "operator", "screen")
"""Whom an account may belong to; who is not signed in is "public"."""
NAME_LIMIT = 64
PASSWORD_MIN = 10
PASSWORD_MAX = 1000
SIGN_IN_MS = 16 * 3_600_000
"""A long day; then one signs in again."""
INVITATION_MS = 24 * 3_600_000
NO_PASSWORD = ""
"""Stands in the place of a hash until the person of an account has set a password; nothing fits it."""
THE_SERVER = "the server"
COMMAND_LINE = "command line"
"""Stands where an act has its person's role."""


class Accounts(AccountsFile):
    """The accounts in the file at `path`, made if there is none. Raises AccountError when it cannot be used.

    `hasher` says how much work a password is. `by` is who changes accounts with it, at a command line; else the server
    does, for whoever has started it.
    """

    def __init__(self, path: Path, hasher: PasswordHasher | None = None, by: str = "") -> None:
        super().__init__(path)
        self._by = Person(by or THE_SERVER, COMMAND_LINE)
        self._passwords = Passwords(hasher)
        with self.transaction() as connection:
            devices.take_over_old(connection)
            # Players' devices do not go before others: their PINs take no work.
            known = select(KNOWN_DEVICES.c.token).where(KNOWN_DEVICES.c.whose.startswith(OF_ACCOUNT))
            tokens = (*connection.execute(select(SIGN_INS.c.token)), *connection.execute(known))
            self._remembered = {row.token for row in tokens}

    def people(self) -> tuple[Person, ...]:
        """Return all accounts, by name."""
        with self.transaction() as connection:
            rows = connection.execute(select(ACCOUNTS).order_by(ACCOUNTS.c.name))
            return tuple(Person(row.name, row.role) for row in rows)

    def without_password(self) -> frozenset[str]:
        """Return the names of accounts whose persons have not taken them over yet."""
        with self.transaction() as connection:
            rows = connection.execute(select(ACCOUNTS.c.name).where(ACCOUNTS.c.password == NO_PASSWORD))
            return frozenset(row.name for row in rows)

    def called(self, name: str) -> str:
        """Return the name of the account that somebody means: blanks, width and case do not count."""
        with self.transaction() as connection:
            return _named(connection, name)

    def open(self, name: str, role: str, now_ms: int, by: Person | None = None) -> str:
        """Make an account without a password; return the token of the link by which its person sets one.

        Raises AccountError when there is one of that name, BadName when there is no such role.
        """
        person = Person(_checked_name(name), _checked_role(role))
        body = {"act": "add_account", "account": person.name, "account_role": role}
        self._insert(person, NO_PASSWORD, by or self._by, body, now_ms)
        return self._hand_over(person.name, now_ms)

    def hand_over(self, name: str, now_ms: int, by: Person | None = None) -> str:
        """End an account's password and sign-ins; return the token of a link by which its person sets another one.

        It is good once, within a day; older links of the account end. Raises AccountError; see `set_role` for `by`.
        """
        with self.transaction() as connection:
            name = _named(connection, name)
            if by is not None:
                _keep_a_director(connection, name)
            self._set_password(connection, name, NO_PASSWORD)
            self._note_change(connection, "reset_account", name, by)
        return self._hand_over(name, now_ms)

    def taken_over_by(self, token: str, now_ms: int) -> Person | None:
        """Return whose account a link hands over; None when it is over, or never was."""
        joined = select(ACCOUNTS.c.name, ACCOUNTS.c.role).join(HANDOVERS, HANDOVERS.c.account == ACCOUNTS.c.name)
        with self.transaction() as connection:
            fits = (HANDOVERS.c.token == _hashed(token)) & (HANDOVERS.c.ends_ms > now_ms)
            row = connection.execute(joined.where(fits)).one_or_none()
        return None if row is None else Person(row.name, row.role)

    def take_over(self, token: str, password: str, now_ms: int, address: str = "") -> str:
        """Set the password of the account that a link hands over, and return the token of a sign-in.

        The link is good no longer. Raises AccountError.
        """
        person = self.taken_over_by(token, now_ms)
        # Looked at first, so that only who has a link can have anything hashed.
        hashed = "" if person is None else self._passwords.hashed(_checked_password(password))
        with self.transaction() as connection:
            used = connection.execute(delete(HANDOVERS).where(HANDOVERS.c.token == _hashed(token))).rowcount
            if person is None or not used:
                raise AccountError(words("this link has been used or is too old; ask the director for another one"))
            self._set_password(connection, person.name, hashed)
            note(connection, person, now_ms, {"act": "take_over_account", "address": address})
            return _begin_sign_in(connection, person, now_ms, address)

    def change_password(self, person: Person, old: str, new: str, now_ms: int, address: str = "") -> str | None:
        """Let somebody who knows their password have another one; other sign-ins end, and the token of a new one is
        returned. None when the old one is wrong. Raises AccountError.
        """
        new = _checked_password(new)
        if not self._fits(person.name, old):
            with self.transaction() as connection:
                note(connection, person, now_ms, {"act": "failed_password", "address": address})
            return None
        hashed = self._passwords.hashed(new)
        with self.transaction() as connection:
            self._set_password(connection, person.name, hashed)
            note(connection, person, now_ms, {"act": "change_password", "account": person.name})
            return _begin_sign_in(connection, person, now_ms, address)

    def add(self, name: str, role: str, password: str) -> Person:
        """Make an account. Raises AccountError when there is one of that name, or the password is too short."""
        person = Person(_checked_name(name), _checked_role(role))
        body = {"act": "add_account", "account": person.name, "account_role": role}
        return self._insert(person, self._passwords.hashed(_checked_password(password)), self._by, body, wall_ms())

    def _insert(self, person: Person, hashed: str, by: Person, act: Mapping[str, Any], now_ms: int) -> Person:
        problem = words("there is an account {name} already; choose another name", name=repr(person.name))
        try:
            with self.transaction() as connection:
                if _named(connection, person.name) != person.name:
                    raise AccountError(problem)
                connection.execute(insert(ACCOUNTS).values(name=person.name, role=person.role, password=hashed))
                note(connection, by, now_ms, act)
        except IntegrityError:
            raise AccountError(problem) from None
        return person

    def set_role(self, name: str, role: str, by: Person | None = None) -> None:
        """Give an account another role; it counts from the next request on. Raises AccountError.

        `by`, a person at the console, cannot take the last director away.
        """
        with self.transaction() as connection:
            name = _named(connection, name)
            if by is not None and _checked_role(role) != "director":
                _keep_a_director(connection, name)
            changed = connection.execute(
                update(ACCOUNTS).where(ACCOUNTS.c.name == name).values(role=_checked_role(role))
            )
            if not changed.rowcount:
                raise _unknown(name)
            self._note_change(connection, "change_role", name, by, account_role=role)

    def set_password(self, name: str, password: str) -> None:
        """Give an account another password, and end its sign-ins. Raises AccountError."""
        hashed = self._passwords.hashed(_checked_password(password))
        with self.transaction() as connection:
            name = _named(connection, name)
            self._set_password(connection, name, hashed)
            self._note_change(connection, "change_password", name)

    def remove(self, name: str, by: Person | None = None) -> None:
        """Take an account away, with its sign-ins. Raises AccountError; see `set_role` for `by`."""
        with self.transaction() as connection:
            name = _named(connection, name)
            if by is not None:
                _keep_a_director(connection, name)
            connection.execute(delete(HANDOVERS).where(HANDOVERS.c.account == name))
            if not connection.execute(delete(ACCOUNTS).where(ACCOUNTS.c.name == name)).rowcount:
                raise _unknown(name)
            connection.execute(delete(SIGN_INS).where(SIGN_INS.c.account == name))
            devices.forget(connection, Whose(name))
            codes.forget(connection, Whose(name))
            self._note_change(connection, "remove_account", name, by)

    def invite(self, now_ms: int) -> str:
        """Return the token of a link that makes one director's account, once, within a day; older ones end."""
        token = secrets.token_urlsafe(32)
        with self.transaction() as connection:
            connection.execute(delete(INVITATIONS))
            connection.execute(insert(INVITATIONS).values(token=_hashed(token), ends_ms=now_ms + INVITATION_MS))
            note(connection, self._by, now_ms, {"act": "invite"})
        return token

    def give_code(self, name: str, now_ms: int, by: Person | None = None) -> codes.Code:
        """Give the person of an account a code, by which others who guess hold them up no longer. Raises AccountError.

        It is of use with the password alone.
        """
        name = self.called(name)
        if all(one.name != name for one in self.people()):
            raise _unknown(name)
        return codes.give_code(self, Whose(name), by or self._by, now_ms)

    def is_invited(self, token: str, now_ms: int) -> bool:
        """Say whether a link is still good."""
        fits = (INVITATIONS.c.token == _hashed(token)) & (INVITATIONS.c.ends_ms > now_ms)
        with self.transaction() as connection:
            return connection.execute(select(INVITATIONS).where(fits)).first() is not None

    def accept(self, token: str, name: str, password: str, now_ms: int, address: str = "") -> str:
        """Make the director's account of a link, which is good no longer; return the token of a sign-in of it.

        Raises AccountError.
        """
        if not self.is_invited(token, now_ms):
            raise AccountError(
                words("this link has been used or is too old; `wallwright users invite` prints another one")
            )
        person = Person(_checked_name(name), "director")
        body = {"act": "first_account", "account": person.name, "address": address}
        self._insert(person, self._passwords.hashed(_checked_password(password)), person, body, now_ms)
        with self.transaction() as connection:
            connection.execute(delete(INVITATIONS).where(INVITATIONS.c.token == _hashed(token)))
            return _begin_sign_in(connection, person, now_ms, address)

    def sign_in(self, name: str, password: str, now_ms: int, address: str = "") -> str | None:
        """Return the token of a new sign-in, None when name and password do not fit together.

        `address` is where that comes from. Of a try that fails the name is kept if there is such an account: people
        type passwords where the name belongs.
        """
        with self.transaction() as connection:
            row = connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.name == name)).one_or_none()
        if not self._fits(name, password):
            row_name = "" if row is None else row.name
            with self.transaction() as connection:
                note(connection, Person(row_name, PUBLIC), now_ms, {"act": "failed_sign_in", "address": address})
            return None
        if row is None:
            return None
        with self.transaction() as connection:
            return _begin_sign_in(connection, Person(row.name, row.role), now_ms, address)

    def person(self, token: str, now_ms: int) -> Person | None:
        """Return whose sign-in this is; None when it is over, or never was."""
        joined = select(ACCOUNTS.c.name, ACCOUNTS.c.role).join(SIGN_INS, SIGN_INS.c.account == ACCOUNTS.c.name)
        with self.transaction() as connection:
            row = connection.execute(
                joined.where((SIGN_INS.c.token == _hashed(token)) & (SIGN_INS.c.ends_ms > now_ms))
            ).one_or_none()
        if row is None:
            self._remembered.discard(_hashed(token))
            return None
        return Person(row.name, row.role)

    def remembers(self, token: str) -> bool:
        """Say, without a look into the file, whether this server has known this sign-in or device.

        It is a hint about who goes first; whether a sign-in is good `person` says.
        """
        return bool(token) and _hashed(token) in self._remembered

    def trust_device(self, sign_in: str, device: str, now_ms: int) -> str:
        """Return the token by which the device that has signed in is known again, `device` if it is already."""
        person = self.person(sign_in, now_ms)
        assert person is not None
        kept = devices.trust(self, Whose(person.name), device, now_ms)
        self._remembered |= {_hashed(sign_in), _hashed(kept)}
        return kept

    def sign_out(self, token: str, now_ms: int, address: str = "") -> None:
        """End a sign-in."""
        person = self.person(token, now_ms)
        with self.transaction() as connection:
            ended = connection.execute(delete(SIGN_INS).where(SIGN_INS.c.token == _hashed(token)))
            if ended.rowcount and person is not None:
                note(connection, person, now_ms, {"act": "sign_out", "address": address})

    def _fits(self, name: str, password: str) -> bool:
        """Say whether an account has this password; it takes as long where there is no such account."""
        with self.transaction() as connection:
            found = connection.execute(select(ACCOUNTS.c.password).where(ACCOUNTS.c.name == name)).scalar_one_or_none()
        return self._passwords.fits(found or NO_PASSWORD, password[:PASSWORD_MAX])

    def _set_password(self, connection: Connection, name: str, hashed: str) -> None:
        """Give an account another password and end its sign-ins and links. Raises AccountError."""
        changed = connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.name == name).values(password=hashed))
        if not changed.rowcount:
            raise _unknown(name)
        connection.execute(delete(SIGN_INS).where(SIGN_INS.c.account == name))
        connection.execute(delete(HANDOVERS).where(HANDOVERS.c.account == name))
        devices.forget(connection, Whose(name))
        codes.forget(connection, Whose(name))

    def _hand_over(self, name: str, now_ms: int) -> str:
        token = secrets.token_urlsafe(32)
        with self.transaction() as connection:
            connection.execute(delete(HANDOVERS).where(HANDOVERS.c.ends_ms <= now_ms))
            values = {"token": _hashed(token), "account": name, "ends_ms": now_ms + INVITATION_MS}
            connection.execute(insert(HANDOVERS).values(**values))
        return token

    def _note_change(
        self, connection: Connection, act: str, account: str, by: Person | None = None, **values: str
    ) -> None:
        note(connection, by or self._by, wall_ms(), {"act": act, "account": account, **values})


def _begin_sign_in(connection: Connection, person: Person, now_ms: int, address: str) -> str:
    token = secrets.token_urlsafe(32)
    connection.execute(delete(SIGN_INS).where(SIGN_INS.c.ends_ms <= now_ms))
    connection.execute(insert(SIGN_INS).values(token=_hashed(token), account=person.name, ends_ms=now_ms + SIGN_IN_MS))
    note(connection, person, now_ms, {"act": "sign_in", "address": address})
    return token


def _keep_a_director(connection: Connection, name: str) -> None:
    """Raise AccountError when nobody but `name` could sign in as a director."""
    can = (ACCOUNTS.c.role == "director") & (ACCOUNTS.c.password != NO_PASSWORD)
    rows = [row.name for row in connection.execute(select(ACCOUNTS.c.name).where(can))]
    if rows == [name]:
        problem = "{name} is the only director who can sign in; hand another director's account over first"
        raise AccountError(words(problem, name=repr(name)))


def _checked_name(name: str) -> str:
    name = folded(name)
    why = refusal(name)
    if why is not None:
        raise AccountError(words("{what}: {why}", what=words("the name"), why=why))
    if not 0 < len(name) <= NAME_LIMIT:
        raise AccountError(words("a name has 1 to {limit} visible characters", limit=NAME_LIMIT))
    return name


def _named(connection: Connection, name: str) -> str:
    """Return what an account is called that is meant by `name`; the same where there is none."""
    names = [row.name for row in connection.execute(select(ACCOUNTS.c.name))]
    if name in names:
        return name
    return next((one for one in names if same_key(one) == same_key(name)), name)


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
