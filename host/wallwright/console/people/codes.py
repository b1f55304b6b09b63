"""Codes that let somebody type a password or PIN where too many wrong ones were typed: a guesser has none.

A code opens nothing by itself. It is good for one person, once, within ten minutes; a newer one ends it. Somebody who
is signed in gives it, or `wallwright users code` prints it. It has 31^8 values, so that tries at it need no limit.
"""

import hmac
import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from .file import AccountsFile, note
from .person import Person
from .tables import CODES
from .whose import Whose

CODE_MS = 600_000
LENGTH = 8
SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without those that look like others."""


@dataclass(frozen=True, slots=True)
class Code:
    """A code, as it is shown, and until when it is good, ms since 1970."""

    text: str
    ends_ms: int


def give_code(file: AccountsFile, whose: Whose, by: Person, now_ms: int) -> Code:
    """Make a code for somebody; the one before ends."""
    text = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
    code = Code(f"{text[:4]}-{text[4:]}", now_ms + CODE_MS)
    with file.transaction() as connection:
        connection.execute(delete(CODES).where((CODES.c.whose == whose.key) | (CODES.c.ends_ms <= now_ms)))
        connection.execute(insert(CODES).values(whose=whose.key, code=code.text, ends_ms=code.ends_ms))
        note(connection, by, now_ms, {"act": "give_code", **whose.fields()})
    return code


def code_of(file: AccountsFile, whose: Whose, now_ms: int) -> Code | None:
    """Return the code that is good for somebody now."""
    with file.transaction() as connection:
        fits = (CODES.c.whose == whose.key) & (CODES.c.ends_ms > now_ms)
        row = connection.execute(select(CODES).where(fits)).one_or_none()
    return None if row is None else Code(row.code, row.ends_ms)


def is_same(code: Code, typed: str) -> bool:
    """Say whether somebody has typed this code; case, blanks and strokes do not count."""
    return hmac.compare_digest(_bare(code.text), _bare(typed))


def end_code(file: AccountsFile, whose: Whose) -> None:
    """Let a code be good no longer: it was used."""
    with file.transaction() as connection:
        forget(connection, whose)


def forget(connection: Connection, whose: Whose) -> None:
    """Likewise, as a part of something else."""
    connection.execute(delete(CODES).where(CODES.c.whose == whose.key))


def _bare(text: str) -> bytes:
    return "".join(sign for sign in text.upper() if sign.isalnum()).encode()
