"""PINs with which players sign their tables' results: six digits each, in the accounts' file, on slips of paper.

A thief of that file can sign as a player; `limits` stops those who guess. A PIN is made when it is first printed.
"""

import hmac
import secrets
from collections.abc import Collection, Mapping

from sqlalchemy import delete, insert, select

from . import codes, devices
from .file import AccountsFile, note
from .person import Person
from .tables import PINS
from .whose import Whose

DIGITS = 6


def pins_of(file: AccountsFile, event: str, players: Collection[int]) -> Mapping[int, str]:
    """Return the PINs of players of an event; who has none gets one."""
    with file.transaction() as connection:
        rows = connection.execute(select(PINS.c.player, PINS.c.pin).where(PINS.c.event == event))
        known = {row.player: row.pin for row in rows}
        new = {one: f"{secrets.randbelow(10**DIGITS):0{DIGITS}}" for one in players if one not in known}
        if new:
            values = [{"event": event, "player": player, "pin": pin} for player, pin in new.items()]
            connection.execute(insert(PINS), values)
    return {player: (known | new)[player] for player in players}


def end_pin(file: AccountsFile, event: str, player: int, by: Person, now_ms: int) -> None:
    """Let a PIN be good no longer; another one is made when it is printed."""
    with file.transaction() as connection:
        connection.execute(delete(PINS).where((PINS.c.event == event) & (PINS.c.player == player)))
        devices.forget(connection, Whose(event=event, player=player))
        codes.forget(connection, Whose(event=event, player=player))
        note(connection, by, now_ms, {"act": "end_pin", "player": player})


def fits(file: AccountsFile, event: str, player: int, pin: str) -> bool:
    """Say whether this is a player's PIN; nothing is before it was printed."""
    with file.transaction() as connection:
        wanted = (PINS.c.event == event) & (PINS.c.player == player)
        found = connection.execute(select(PINS.c.pin).where(wanted)).scalar_one_or_none()
    return found is not None and hmac.compare_digest(found.encode(), pin.encode())
