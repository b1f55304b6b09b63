"""What a hall signs when it asks a season's server for something, and what the server signs when it answers.

A request has the header

    Authorization: Wallwright KEY:CHALLENGE:NONCE:BODY:SIGNATURE

all in hexadecimal: the hall's public key, what the server has given out last, 16 random bytes, the SHA-256 of the body,
and the hall's signature over method, target, the season's key and all of these. The answer has the header
`Wallwright-Answer`: the season's signature over the request, the status and the answer's body. So a request holds at
one server alone, and once; and an answer is to one request.
"""

import hashlib
import re
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ...journal import public_bytes
from ...system.signatures import SIGNATURE_BYTES, has_signed, of_hex

PREFIX = "/api/v1/season"
"""Where a season's server takes reports; what is before it in a path is a proxy's affair, and is not signed."""
ANSWER = "Wallwright-Answer"
NONCE_SIZE = 16
_HEADER = re.compile(r"Wallwright ([0-9a-f]{64}):([0-9a-f]{64}):([0-9a-f]{32}):([0-9a-f]{64}):([0-9a-f]{128})")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: `target` is path and query from PREFIX on. Key, challenge and hash have 32 bytes, a nonce has 16."""

    method: str
    target: str
    key: bytes
    challenge: bytes
    nonce: bytes
    body_hash: bytes

    def message(self, season: bytes) -> bytes:
        """Return what the hall signs for the season of that public key."""
        parts = (self.key, season, self.challenge, self.nonce, self.body_hash)
        lines = (self.method, self.target, *(one.hex() for one in parts))
        return ("Wallwright report 1\n" + "\n".join(lines) + "\n").encode()


def sign_request(
    key: Ed25519PrivateKey, season: bytes, method: str, target: str, body: bytes, challenge: bytes, nonce: bytes
) -> tuple[Asked, str]:
    """Return a request, and its header `Authorization`."""
    asked = Asked(method, target, public_bytes(key), challenge, nonce, hashlib.sha256(body).digest())
    parts = (asked.key, challenge, nonce, asked.body_hash, key.sign(asked.message(season)))
    return asked, f"Wallwright {':'.join(one.hex() for one in parts)}"


def read_request(method: str, target: str, header: str) -> tuple[Asked, bytes] | None:
    """Return what a request says of itself and its signature, which nobody has looked at; None if it is none."""
    found = _HEADER.fullmatch(header)
    if found is None:
        return None
    key, challenge, nonce, body_hash, signature = map(bytes.fromhex, found.groups())
    return Asked(method, target, key, challenge, nonce, body_hash), signature


def is_signed(asked: Asked, season: bytes, signature: bytes) -> bool:
    """Say whether the hall's key has signed a request to the season of that public key."""
    return has_signed(asked.key, signature, asked.message(season))


def sign_answer(key: Ed25519PrivateKey, asked: Asked, status: int, body: bytes) -> str:
    """Return the signature of an answer, in hexadecimal."""
    return key.sign(_answer(public_bytes(key), asked, status, body)).hex()


def is_answer(season: bytes, asked: Asked, status: int, body: bytes, signature: str) -> bool:
    """Say whether the season of that public key has given this answer to this request."""
    signed = of_hex(signature, SIGNATURE_BYTES)
    return signed is not None and has_signed(season, signed, _answer(season, asked, status, body))


def _answer(season: bytes, asked: Asked, status: int, body: bytes) -> bytes:
    hashes = (hashlib.sha256(asked.message(season)), hashlib.sha256(body))
    request, answer = (one.hexdigest() for one in hashes)
    return f"Wallwright answer 1\n{request}\n{status}\n{answer}\n".encode()
