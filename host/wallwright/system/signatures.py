"""Ed25519 signatures of others (RFC 8032): the one place that verifies them, and says whether a key can be trusted.

A library accepts more than RFC 8032 means: with a key of small order, one signature fits many messages, and whoever has
no private key can make it. So refused are keys and nonce points of small order, points that are not in their one form,
and scalars that are not below the order of the group. "Taming the many EdDSAs" (Chalkias, Garillot, Nikolaenko, 2020)
calls that strong binding. Verification is without the cofactor, as on the board.
"""

import re
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
_HEX: Final = re.compile(r"[0-9a-f]*")
_P: Final = 2**255 - 19
_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, -1, _P) % _P
_EIGHTH: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
"""y of a point of order 8."""
_SMALL: Final = frozenset((0, 1, _P - 1, _EIGHTH, _P - _EIGHTH))
"""y of all 8 points whose order divides 8; two points with the same y are each other's negatives."""


def has_signed(key: bytes, signature: bytes, message: bytes) -> bool:
    """Say whether the owner of a public key has signed a message; False for bytes that are no key or no signature."""
    if len(key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    point, scalar = signature[:KEY_BYTES], int.from_bytes(signature[KEY_BYTES:], "little")
    if _flaw_of_form(key) or _flaw_of_form(point) or scalar >= _ORDER:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def flaw(key: bytes) -> str:
    """Return why nobody can be known by a public key, as the end of a sentence about it; nothing when one can."""
    if len(key) != KEY_BYTES:
        return f"has {len(key)} bytes, and one has {KEY_BYTES}; copy all of it"
    y = _y(key)
    # x^2 = (y^2 - 1) / (d * y^2 + 1) has a root: RFC 8032, 5.1.3. Euler's criterion needs no division.
    if not (problem := _flaw_of_form(key)) and pow((y * y - 1) * (_D * y * y + 1), (_P - 1) // 2, _P) != 1:
        return "is no point of the curve, so nobody can sign for it; ask its owner for the right key"
    return problem


def of_hex(text: object, size: int) -> bytes | None:
    """Return the bytes that a text has in their one form, small hexadecimal digits; None for anything else.

    `bytes.fromhex` takes blanks and capitals as well, so that one signature would have many texts.
    """
    if not isinstance(text, str) or len(text) != 2 * size or not _HEX.fullmatch(text):
        return None
    return bytes.fromhex(text)


def is_small(key: bytes) -> bool:
    """Say whether a key is one of the 8 points of small order, for which anybody can sign."""
    return _y(key) % _P in _SMALL


def _y(point: bytes) -> int:
    return int.from_bytes(point, "little") & ((1 << 255) - 1)


def _flaw_of_form(point: bytes) -> str:
    if is_small(point):
        return "is one of the 8 points of small order, for which anybody can sign; ask its owner for the right key"
    if _y(point) >= _P:
        return "is not in the one form that a key has; ask its owner for the right key"
    return ""
