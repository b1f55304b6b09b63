"""A signed statement of how far a journal goes and what its last hash is: printed, shown on a screen, or kept in it.

The printed form is `WALLWRIGHT1:ENTRY:HASH:KEY:SIGNATURE`, the last three in base32 without `=`. It has only characters
of a QR code's alphanumeric mode, and may be typed in small letters and with spaces.
"""

import base64
import binascii
from dataclasses import dataclass
from typing import Any, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ..errors import BadCheckpoint
from .entry import Head
from .keys import public_bytes

MARK = "WALLWRIGHT1"
_SIZES = {"hash": 32, "key": 32, "signature": 64}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """`key` says that the entries up to number `entry` end with `hash`. Hash and key have 32 bytes, a signature 64."""

    entry: int
    hash: bytes
    key: bytes
    signature: bytes

    @classmethod
    def sign(cls, head: Head, key: Ed25519PrivateKey) -> Self:
        """Return the statement of `key` about the end of a chain."""
        return cls(head.id, head.hash, public_bytes(key), key.sign(_message(head.id, head.hash)))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the printed form. BadCheckpoint when it is not whole, or was not signed by the key in it."""
        parts = "".join(text.split()).upper().split(":")
        if len(parts) != 5 or parts[0] != MARK:
            raise BadCheckpoint(f"a checkpoint is {MARK}:ENTRY:HASH:KEY:SIGNATURE; copy all of it")
        if not (parts[1].isascii() and parts[1].isdigit()):
            raise BadCheckpoint(
                f"the checkpoint's entry is {parts[1]!r}, which is no number; compare it with the print"
            )
        values = [_bytes(name, part) for name, part in zip(_SIZES, parts[2:], strict=True)]
        return cls(int(parts[1]), *values).checked()

    @classmethod
    def read(cls, record: Any) -> Self:
        """Read the record of one in a journal. BadCheckpoint when it is none, or was not signed by the key in it."""
        try:
            values = [bytes.fromhex(record[name]) for name in _SIZES]
            found = cls(int(record["entry"]), *values)
        except (KeyError, TypeError, ValueError) as error:
            raise BadCheckpoint("the checkpoint's record is not one that this program writes") from error
        return found.checked()

    def checked(self) -> Self:
        """Return itself. BadCheckpoint when the signature is not by the key."""
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(self.signature, _message(self.entry, self.hash))
        except (InvalidSignature, ValueError) as error:
            raise BadCheckpoint("the signature does not fit the checkpoint; compare it with the print") from error
        return self

    def record(self) -> dict[str, Any]:
        """Return it as the body of an entry, bytes in hexadecimal."""
        return {"entry": self.entry, **{name: getattr(self, name).hex() for name in _SIZES}}

    def __str__(self) -> str:
        """Return the printed form."""
        return ":".join([MARK, str(self.entry), *(_base32(getattr(self, name)) for name in _SIZES)])


def printed_key(key: bytes) -> str:
    """Return a public key as it stands in a printed checkpoint."""
    return _base32(key)


def _message(entry: int, hash_: bytes) -> bytes:
    return f"Wallwright checkpoint 1\n{entry}\n{hash_.hex()}\n".encode()


def _base32(value: bytes) -> str:
    return base64.b32encode(value).decode().rstrip("=")


def _bytes(name: str, text: str) -> bytes:
    try:
        value = base64.b32decode(text + "=" * (-len(text) % 8))
    except binascii.Error as error:
        raise BadCheckpoint(f"the checkpoint's {name} has a wrong character or length; compare the print") from error
    if len(value) != _SIZES[name]:
        raise BadCheckpoint(f"the checkpoint's {name} is cut; compare it with the print")
    return value
