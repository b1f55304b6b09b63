"""Devices on which somebody has typed the right password or PIN before: others who guess do not hold them up.

A device is known by a random token, a cookie of its browser. One token is known for everybody who uses the device.
"""

import hashlib
import secrets

from sqlalchemy import Connection, delete, insert, select

from .file import AccountsFile
from .tables import DEVICES, KNOWN_DEVICES
from .whose import Whose

DEVICE_MS = 180 * 24 * 3_600_000
DEVICES_OF_ONE = 20
"""On so many somebody is known at once; the newest are kept."""


def hashed(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def is_known(file: AccountsFile, whose: Whose, device: str, now_ms: int) -> bool:
    """Say whether somebody has typed the right secret on the device that has this token."""
    known = KNOWN_DEVICES.c
    fits = (known.token == hashed(device)) & (known.whose == whose.key) & (known.ends_ms > now_ms)
    if not device:
        return False
    with file.transaction() as connection:
        return connection.execute(select(KNOWN_DEVICES).where(fits)).first() is not None


def trust(file: AccountsFile, whose: Whose, device: str, now_ms: int) -> str:
    """Let a device be known for somebody; return its token, which is `device` if that is known for anybody."""
    known = KNOWN_DEVICES.c
    with file.transaction() as connection:
        connection.execute(delete(KNOWN_DEVICES).where(known.ends_ms <= now_ms))
        # A token that the server has not given may be somebody else's choice.
        given = connection.execute(select(KNOWN_DEVICES).where(known.token == hashed(device))).first()
        token = device if given is not None else secrets.token_urlsafe(32)
        connection.execute(delete(KNOWN_DEVICES).where((known.token == hashed(token)) & (known.whose == whose.key)))
        values = {"token": hashed(token), "whose": whose.key, "ends_ms": now_ms + DEVICE_MS}
        connection.execute(insert(KNOWN_DEVICES).values(**values))
        own = select(known.token).where(known.whose == whose.key)
        old = own.order_by(known.ends_ms.desc()).offset(DEVICES_OF_ONE)
        connection.execute(delete(KNOWN_DEVICES).where((known.whose == whose.key) & known.token.in_(old)))
    return token


def forget(connection: Connection, whose: Whose) -> None:
    """Let no device be known for somebody any more: their secret is another one."""
    connection.execute(delete(KNOWN_DEVICES).where(KNOWN_DEVICES.c.whose == whose.key))


def take_over_old(connection: Connection) -> None:
    """Move what an older file says of devices to where it is now."""
    for row in connection.execute(select(DEVICES)).all():
        values = {"token": row.token, "whose": Whose(row.account).key, "ends_ms": row.ends_ms}
        connection.execute(insert(KNOWN_DEVICES).prefix_with("OR IGNORE").values(**values))
    connection.execute(delete(DEVICES))
