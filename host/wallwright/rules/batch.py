"""Many hands at once, with numpy (the `batch` extra): for statistics over millions of hands.

Hands are a uint8 array of shape (n, 27), counts by kind of the standing tiles; the answers are those of `hands`, hand
by hand. Each suit becomes one number, its counts read as digits to the base of 5, which finds it in a table of 5 ** 9
entries (2 MB, or 8 MB for waits).
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from wallwright.rules.errors import HandError
from wallwright.rules.packed import LACKS_OF_PAIRED, LACKS_OF_SETS, PAIRED, PAIRS, SETS, WAITING, suit_table

Hands = npt.NDArray[np.uint8]

_CHUNK = 1 << 14
"""Hands worked on at a time, so that what is in between stays in the processor's cache."""

# Flags of a suit in the small table.
_SETS, _PAIRED, _PAIRS = 1, 2, 4
_EMPTY_BIT = 3


def is_complete(hands: Hands) -> npt.NDArray[np.bool_]:
    """Shape (n, 27) -> (n,): which hands are complete (SBR-5.1, 5.2). HandError for another shape or a fifth copy."""
    _check(hands)
    answer = np.empty(len(hands), dtype=np.bool_)
    for start in range(0, len(hands), _CHUNK):
        chunk = hands[start : start + _CHUNK]
        keys = _suit_keys(chunk)
        a, b, c = (_complete_table().take(key) for key in keys)
        # PAIRED is one bit above SETS, so a shift brings the suit with the pair in line with the other two.
        complete = ((a & b & (c >> 1)) | (a & c & (b >> 1)) | (b & c & (a >> 1))) & _SETS
        # Few hands are all pairs, so only those are counted.
        pairs = np.flatnonzero(a & b & c & _PAIRS)
        complete[pairs] |= chunk[pairs].sum(axis=1) == 14
        complete &= (a | b | c) >> _EMPTY_BIT
        answer[start : start + _CHUNK] = complete
    return answer


def waits(hands: Hands) -> npt.NDArray[np.int32]:
    """Shape (n, 27) -> (n,): 27 bits a hand, bit k for a tile of kind k that completes it (SBR-6.6). HandError as
    above.
    """
    _check(hands)
    answer = np.empty(len(hands), dtype=np.int32)
    for start in range(0, len(hands), _CHUNK):
        chunk = hands[start : start + _CHUNK]
        answer[start : start + _CHUNK] = _chunk_waits(chunk)
    return answer


def _chunk_waits(chunk: Hands) -> npt.NDArray[np.int32]:
    keys = _suit_keys(chunk)
    suits = [_full_table().take(key) for key in keys]
    masks = np.zeros(len(chunk), dtype=np.int32)
    for suit, tiles in enumerate(suits):
        one, other = (suits[index] for index in range(3) if index != suit)
        for lacks, pair_elsewhere in ((LACKS_OF_PAIRED, False), (LACKS_OF_SETS, True)):
            if pair_elsewhere:
                rest = ((one & SETS != 0) & (other & PAIRED != 0)) | ((other & SETS != 0) & (one & PAIRED != 0))
            else:
                rest = (one & other & SETS) != 0
            ranks = np.where(rest & (tiles & lacks != 0), tiles & WAITING, 0).astype(np.int32)
            masks |= ranks << 9 * suit
    three_suits = (keys[0] != 0) & (keys[1] != 0) & (keys[2] != 0)
    odd = chunk & 1
    single = (odd.sum(axis=1) == 1) & (chunk.sum(axis=1) == 13)
    masks |= np.where(single, np.int32(1) << odd.argmax(axis=1).astype(np.int32), 0).astype(np.int32)
    masks[three_suits] = 0
    return masks


def _check(hands: Hands) -> None:
    if hands.ndim != 2 or hands.shape[1] != 27 or hands.dtype != np.uint8:
        raise HandError(f"hands are a uint8 array of shape (n, 27), not {hands.dtype} of shape {hands.shape}")
    if hands.size and hands.max() > 4:
        raise HandError(f"hand {int((hands > 4).any(axis=1).argmax())} has a fifth copy of a tile")


def _suit_keys(chunk: Hands) -> npt.NDArray[np.int32]:
    """Shape (n, 27) -> (3, n): suits as numbers to the base of 5, below 2 ** 21 and so exact in single precision."""
    return (_powers() @ chunk.T.astype(np.float32)).astype(np.int32)


@cache
def _powers() -> npt.NDArray[np.float32]:
    powers = np.zeros((3, 27), dtype=np.float32)
    for kind in range(27):
        powers[kind // 9, kind] = 5 ** (kind % 9)
    return powers


@cache
def _complete_table() -> npt.NDArray[np.uint8]:
    """Suit number -> the four flags above."""
    table = np.zeros(5**9, dtype=np.uint8)
    full = _full_table()
    table[full & SETS != 0] |= _SETS
    table[full & PAIRED != 0] |= _PAIRED
    table[full & PAIRS != 0] |= _PAIRS
    table[0] |= 1 << _EMPTY_BIT
    return table


@cache
def _full_table() -> npt.NDArray[np.int16]:
    """Suit number -> flags and completing ranks as in `packed.suit_table`."""
    table = np.zeros(5**9, dtype=np.int16)
    powers = 5 ** np.arange(9, dtype=np.int64)
    entries = suit_table()
    counts = np.frombuffer(b"".join(tiles.to_bytes(9, "little") for tiles in entries), dtype=np.uint8)
    table[counts.reshape(-1, 9) @ powers] = np.fromiter(entries.values(), dtype=np.int16, count=len(entries))
    return table
