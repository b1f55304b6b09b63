"""Numbers that follow from a key and from nothing else: the same key gives the same lots on any machine, for ever."""

import hashlib
import struct
from collections.abc import Iterator, MutableSequence
from typing import Any

_WORDS = struct.Struct("<8I")
_RANGE = 1 << 32


class Lots:
    """Even random numbers: u32 words from SHA-256(key + u32(0)), SHA-256(key + u32(1)) and so on, lowest byte first."""

    def __init__(self, key: bytes) -> None:
        self._words = _words(key)

    def below(self, limit: int) -> int:
        """Return 0 to `limit` - 1, each with the same chance: words beyond the last whole multiple are passed over."""
        end = _RANGE - _RANGE % limit
        while True:
            word = next(self._words)
            if word < end:
                return word % limit

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Put `items` into a random order: from the last place down, each is swapped with one at or before it."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def _words(key: bytes) -> Iterator[int]:
    number = 0
    while True:
        yield from _WORDS.unpack(hashlib.sha256(key + struct.pack("<I", number)).digest())
        number += 1
