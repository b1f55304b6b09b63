"""Numbers out of a seed, so that anybody can draw them again: SHA-256 in counter mode, and an even shuffle.

Block k of deal n is SHA-256 of the ASCII text "wallwright deals 1", a zero byte, the seed of 32 bytes, n as two bytes
and k as four, both with the high byte first. The blocks one after the other are read as numbers of four bytes, high
byte first.
"""

import hashlib
from collections.abc import Iterator, MutableSequence
from typing import Any

SEED_BYTES = 32
"""256 bits, all of them from the system's random source."""
MOST_DEALS = 999
LABEL = b"wallwright deals 1\0"
_WORD = 4
_RANGE = 1 << 8 * _WORD


class Stream:
    """The numbers of one deal."""

    def __init__(self, seed: bytes, deal: int) -> None:
        self._words = _words(seed, deal)

    def below(self, end: int) -> int:
        """Return the next number below `end`, each equally likely.

        A word is taken modulo `end`; words from the last whole multiple of `end` on are left out.
        """
        limit = _RANGE - _RANGE % end
        return next(word for word in self._words if word < limit) % end

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Mix in place: the last item changes places with one of all, then the one before it with one of the rest."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def _words(seed: bytes, deal: int) -> Iterator[int]:
    start = hashlib.sha256(LABEL + seed + deal.to_bytes(2, "big"))
    for block in range(_RANGE):
        mixed = start.copy()
        mixed.update(block.to_bytes(4, "big"))
        data = mixed.digest()
        yield from (int.from_bytes(data[at : at + _WORD], "big") for at in range(0, len(data), _WORD))
