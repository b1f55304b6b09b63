"""How a roll follows from the board's seed and the host's part: commit, contribute, reveal.

The board commits to a seed, the host adds its part, then the dice follow from both. This is the one definition for
board and host, and for anyone who checks a roll later; `docs/dice.md` gives the bytes and a worked example.
"""

import hashlib
import struct

SEED_SIZE = 32
"""Bytes of a seed, and of a commitment."""
CONTRIBUTION_SIZE = 16
"""Bytes of the host's part; none at all (b"") stands for a roll of the board alone."""

_COMMITMENT = b"wallwright seed 1"
_DICE = b"wallwright dice 1"
_FACES = 6
_FAIR_BELOW = 256 - 256 % _FACES
"""Bytes from 252 on are thrown away, so that every face comes from 42 bytes."""


def commitment(roll: int, seed: bytes) -> bytes:
    """Return what the board publishes before roll number `roll` instead of its seed: 32 bytes."""
    return hashlib.sha256(_COMMITMENT + struct.pack("<I", roll) + seed).digest()


def dice_of(roll: int, seed: bytes, contribution: bytes, count: int = 2) -> "tuple[int, ...]":
    """Return the `count` dice, 1 to 6 each, of roll number `roll`; `contribution` is 16 bytes, or b"" for none."""
    return tuple(faces(hashlib.sha256(_DICE + struct.pack("<I", roll) + seed + contribution).digest(), count))


def faces(digest: bytes, count: int) -> list[int]:
    """Return `count` faces from the bytes of `digest` and of as many further blocks as it takes."""
    found: list[int] = []
    block = digest
    number = 0
    while True:
        for byte in block:
            if byte < _FAIR_BELOW:
                found.append(byte % _FACES + 1)
                if len(found) == count:
                    return found
        number += 1
        block = hashlib.sha256(digest + struct.pack("<I", number)).digest()
