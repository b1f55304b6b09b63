"""A signed statement of how far a journal goes and what its entries come to: printed, shown on a screen, or kept in it.

The printed form is `WALLWRIGHT2:ENTRY:ROOT:KEY:SIGNATURE`, the last three in base32 without `=`. It has only characters
of a QR code's alphanumeric mode, and may be typed in small letters and with spaces. ROOT is that of the Merkle tree
over the entries (`merkle`, `leaves`). Checkpoints of version 1 have the hash of the last entry there; they hold as
before, and none is made any more.
"""

import base64
from dataclasses import dataclass
from typing import Any, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ..errors import BadCheckpoint
from ..system.signatures import flaw, has_signed, is_small, of_hex
from .keys import public_bytes
from .merkle import Frontier

MARK = "WALLWRIGHT"
VERSION = 2
_NAMES = {1: "hash", 2: "root"}
"""By version: what the statement says of the entries, as it is called in a record."""
_LONGEST = 18
"""Digits of an entry's number, far more than any journal has."""
_SIZES = {"hash": 32, "key": 32, "signature": 64}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """`key` says that the entries up to number `entry` come to `hash`. Hash and key have 32 bytes, a signature 64.

    The hash is the root of their tree; with `version` 1, that of the last of them.
    """

    entry: int
    hash: bytes
    key: bytes
    signature: bytes
    version: int = VERSION

    @classmethod
    def sign(cls, tree: Frontier, key: Ed25519PrivateKey) -> Self:
        """Return the statement of `key` about all entries of a tree."""
        root = tree.root
        return cls(tree.size, root, public_bytes(key), key.sign(_message(VERSION, tree.size, root)))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the printed form. BadCheckpoint when it is not whole, or was not signed by the key in it."""
        parts = "".join(text.split()).upper().split(":")
        version = next((one for one in _NAMES if parts[0] == f"{MARK}{one}"), None)
        if len(parts) != 5 or version is None:
            raise BadCheckpoint(f"a checkpoint is {MARK}{VERSION}:ENTRY:ROOT:KEY:SIGNATURE; copy all of it")
        if not (parts[1].isascii() and parts[1].isdigit() and len(parts[1]) <= _LONGEST):
            raise BadCheckpoint(
                f"the checkpoint's entry is {parts[1][:40]!r}, which is no number of one; compare it with the print"
            )
        hash_, key, signature = (_bytes(name, part) for name, part in zip(_SIZES, parts[2:], strict=True))
        return cls(int(parts[1]), hash_, key, signature, version).checked()

    @classmethod
    def read(cls, record: Any) -> Self:
        """Read the record of one in a journal. BadCheckpoint when it is none, or was not signed by the key in it."""
        try:
            version = next(one for one in reversed(_NAMES) if _NAMES[one] in record or one == 1)
            names = (_NAMES[version], "key", "signature")
            hash_, key, signature = (
                of_hex(record[name], _SIZES[size]) for name, size in zip(names, _SIZES, strict=True)
            )
            entry = record["entry"]
        except (KeyError, TypeError) as error:
            raise BadCheckpoint("the checkpoint's record is not one that this program writes") from error
        if type(entry) is not int or entry < 0 or hash_ is None or key is None or signature is None:
            raise BadCheckpoint("the checkpoint's record is not one that this program writes")
        return cls(entry, hash_, key, signature, version).checked()

    def checked(self) -> Self:
        """Return itself. BadCheckpoint when the signature is not by the key, or could be anybody's."""
        if not has_signed(self.key, self.signature, _message(self.version, self.entry, self.hash)):
            if is_small(self.key):
                raise BadCheckpoint(f"the checkpoint's key {printed_key(self.key)} {flaw(self.key)}")
            raise BadCheckpoint("the signature does not fit the checkpoint; compare it with the print")
        return self

    def record(self) -> dict[str, Any]:
        """Return it as the body of an entry, bytes in hexadecimal."""
        values = {_NAMES[self.version]: self.hash, "key": self.key, "signature": self.signature}
        return {"entry": self.entry, **{name: value.hex() for name, value in values.items()}}

    def __str__(self) -> str:
        """Return the printed form."""
        return ":".join([f"{MARK}{self.version}", str(self.entry), *(_base32(getattr(self, name)) for name in _SIZES)])


def printed_key(key: bytes) -> str:
    """Return a public key as it stands in a printed checkpoint."""
    return _base32(key)


def read_key(text: str) -> bytes:
    """Return a public key of its printed form. BadCheckpoint when it is not whole, or none that can be trusted."""
    key = _bytes("key", "".join(text.split()).upper(), "the key")
    if problem := flaw(key):
        raise BadCheckpoint(f"the key {printed_key(key)} {problem}")
    return key


def _message(version: int, entry: int, hash_: bytes) -> bytes:
    return f"Wallwright checkpoint {version}\n{entry}\n{hash_.hex()}\n".encode()


def _base32(value: bytes) -> str:
    return base64.b32encode(value).decode().rstrip("=")


def _bytes(name: str, text: str, called: str = "") -> bytes:
    called = called or f"the checkpoint's {name}"
    try:
        value = base64.b32decode(text + "=" * (-len(text) % 8))
    except ValueError as error:
        raise BadCheckpoint(f"{called} has a wrong character or length; compare it with the print") from error
    if len(value) != _SIZES[name]:
        raise BadCheckpoint(f"{called} is cut; compare it with the print")
    # The last character has bits to spare; with others than zeros there the same bytes would have many texts.
    if _base32(value) != text:
        raise BadCheckpoint(f"{called} has a wrong character at its end; compare it with the print")
    return value
