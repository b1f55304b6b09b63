"""The file in which deals wait for their session: encrypted by a password, with what everybody may know outside.

Scrypt (RFC 7914) makes a key of the password, and ChaCha20-Poly1305 (RFC 8439) encrypts with it. Whoever changes
anything, also what is outside, makes the file unreadable.
"""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from ..system.disk import read_whole, write_named_new
from ..system.strict_json import BadJson, read_json
from .deals import BadDeals, Deals
from .drawing import check_drawn, commitment
from .json_form import deals_record, read_record
from .open_deals import read_deals
from .text import LONGEST

SEALED = "wallwright_sealed_deals"
VERSION = 1
SHORTEST_PASSWORD = 8
_COST, _BLOCK, _PARALLEL = 1 << 15, 8, 1
"""Scrypt's: 32 MiB and some 0.1 s a try."""
_KEY_BYTES = 32
_SALT_BYTES = 16
_NONCE_BYTES = 12
_OUTSIDE = ("event", "ruleset", "deals", "spares", "commitment")


@dataclass(frozen=True, slots=True)
class Outside:
    """What everybody may know of sealed deals; `deals` counts the spare ones too."""

    event: str
    ruleset: str
    deals: int
    spares: int
    commitment: str


def seal(path: Path, deals: Deals, password: str) -> Outside:
    """Write a new file. BadDeals for a password that is too short, BadPath when there is such a file already."""
    if len(password) < SHORTEST_PASSWORD:
        raise BadDeals(f"the password has {len(password)} characters; take {SHORTEST_PASSWORD} at the least")
    known = Outside(deals.event, deals.ruleset, len(deals.deals), deals.spares, commitment(deals))
    salt, nonce = secrets.token_bytes(_SALT_BYTES), secrets.token_bytes(_NONCE_BYTES)
    outside = {SEALED: VERSION} | {key: getattr(known, key) for key in _OUTSIDE}
    secret = json.dumps(deals_record(deals)).encode()
    box = ChaCha20Poly1305(_key(password, salt)).encrypt(nonce, secret, _bound(outside))
    record = outside | {"salt": salt.hex(), "nonce": nonce.hex(), "box": box.hex()}
    write_named_new(path, (json.dumps(record, indent=1) + "\n").encode())
    return known


def look_at(path: Path) -> Outside:
    """Return what stands outside of a sealed file; nothing says yet that nobody changed it. BadDeals."""
    return _outside(path, _record(path))


def unseal(path: Path, password: str) -> Deals:
    """Return the deals of a sealed file. BadDeals for another password, and for a file that was changed."""
    record = _record(path)
    outside = _outside(path, record)
    parts = []
    for key in ("salt", "nonce", "box"):
        try:
            parts.append(bytes.fromhex(record[key]))
        except (KeyError, TypeError, ValueError) as error:
            raise BadDeals(f"{path}: {key} is no hexadecimal text; take another copy of the file") from error
    salt, nonce, box = parts
    if len(salt) != _SALT_BYTES or len(nonce) != _NONCE_BYTES:
        raise BadDeals(f"{path}: salt or nonce have another length; take another copy of the file")
    bound = _bound({SEALED: VERSION} | {key: getattr(outside, key) for key in _OUTSIDE})
    try:
        secret = ChaCha20Poly1305(_key(password, salt)).decrypt(nonce, box, bound)
    except InvalidTag:
        raise BadDeals(f"{path}: this is not its password, or the file was changed") from None
    try:
        deals = read_record(read_json(secret))
        check_drawn(deals, outside.commitment)
    except (BadJson, BadDeals) as error:
        raise BadDeals(f"{path}: {error}") from error
    return deals


def is_sealed(path: Path) -> bool:
    """Whether a file is of this kind, not JSON or text that shows everything. BadDeals when it cannot be read."""
    try:
        record = read_json(_read(path))
    except BadJson:
        return False
    return isinstance(record, Mapping) and SEALED in record


def read_open(path: Path) -> Deals:
    """Return the deals of a file of JSON or text. BadDeals says what is wrong."""
    data = _read(path)
    try:
        return read_deals(data)
    except BadDeals as error:
        raise BadDeals(f"{path}: {error}") from error


def _key(password: str, salt: bytes) -> bytes:
    return Scrypt(salt, _KEY_BYTES, _COST, _BLOCK, _PARALLEL).derive(password.encode())


def _bound(outside: Mapping[str, object]) -> bytes:
    return json.dumps(outside, sort_keys=True).encode()


def _read(path: Path) -> bytes:
    try:
        return read_whole(path, LONGEST)
    except OSError as error:
        raise BadDeals(f"{path}: it cannot be read ({error.strerror}); check the path") from error


def _record(path: Path) -> dict[str, Any]:
    try:
        record = read_json(_read(path))
    except BadJson as error:
        raise BadDeals(f"{path}: these are no sealed deals: {error}; `wallwright deals draw` makes some") from error
    if not isinstance(record, dict) or record.get(SEALED) != VERSION:
        raise BadDeals(f"{path}: these are no sealed deals; `wallwright deals draw` makes some")
    return record


def _outside(path: Path, record: Mapping[str, Any]) -> Outside:
    values = [record.get(key) for key in _OUTSIDE]
    wanted = (str, str, int, int, str)
    if any(type(value) is not kind for value, kind in zip(values, wanted, strict=True)):
        raise BadDeals(f"{path}: {', '.join(_OUTSIDE)} are not all there; take another copy of the file")
    return Outside(*values)  # type: ignore[arg-type]
