"""Codes that let somebody type a password or PIN where too many wrong ones were typed: a guesser has none.

A code opens nothing by itself. Somebody who is signed in gives one, or `wallwright users code` prints it: it is good
for one person, once, within ten minutes, and a newer one ends it. A player has another one on the slip with the PIN,
which is good as long as the slip. A code has 31^8 values: whoever tries 1,000 a second for a day finds one in 10,000
days, so tries at it need no limit.
"""

import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from .file import AccountsFile, note
from .person import Person
from .tables import CODES, SLIP_CODES
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
    code = Code(_drawn(), now_ms + CODE_MS)
    with file.transaction() as connection:
        connection.execute(delete(CODES).where((CODES.c.whose == whose.key) | (CODES.c.ends_ms <= now_ms)))
        connection.execute(insert(CODES).values(whose=whose.key, code=code.text, ends_ms=code.ends_ms))
        note(connection, by, now_ms, {"act": "give_code", **whose.fields()})
    return code


def code_of(file: AccountsFile, whose: Whose, now_ms: int) -> Code | None:
    """Return the code that was given to somebody and is good now."""
    with file.transaction() as connection:
        fits = (CODES.c.whose == whose.key) & (CODES.c.ends_ms > now_ms)
        row = connection.execute(select(CODES).where(fits)).one_or_none()
    return None if row is None else Code(row.code, row.ends_ms)


def slip_codes(file: AccountsFile, players: Iterable[Whose]) -> Mapping[Whose, str]:
    """Return the codes on the slips of players; who has none gets one."""
    with file.transaction() as connection:
        known = {row.whose: row.code for row in connection.execute(select(SLIP_CODES))}
        found = {one: known.get(one.key) or _drawn() for one in players}
        new = [{"whose": one.key, "code": code} for one, code in found.items() if one.key not in known]
        if new:
            connection.execute(insert(SLIP_CODES), new)
    return found


def matching(file: AccountsFile, whose: Whose, typed: str, now_ms: int) -> str | None:
    """Return which code of somebody was typed, given or on a slip; None where it is none of them."""
    given = code_of(file, whose, now_ms)
    with file.transaction() as connection:
        own = select(SLIP_CODES.c.code).where(SLIP_CODES.c.whose == whose.key)
        codes = [*connection.execute(own).scalars(), *([] if given is None else [given.text])]
    return next((one for one in codes if is_same(one, typed)), None)


def is_same(code: str, typed: str) -> bool:
    """Say whether somebody has typed this code; case, blanks and strokes do not count."""
    return hmac.compare_digest(_bare(code), _bare(typed))


def use_up(file: AccountsFile, code: str) -> None:
    """Let a code that was given be good no longer; one on a slip stays."""
    with file.transaction() as connection:
        connection.execute(delete(CODES).where(CODES.c.code == code))


def forget(connection: Connection, whose: Whose) -> None:
    """End all codes of somebody: their password or PIN is another one."""
    for table in (CODES, SLIP_CODES):
        connection.execute(delete(table).where(table.c.whose == whose.key))


def _drawn() -> str:
    text = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
    return f"{text[:4]}-{text[4:]}"


def _bare(text: str) -> bytes:
    return "".join(sign for sign in text.upper() if sign.isalnum()).encode()
