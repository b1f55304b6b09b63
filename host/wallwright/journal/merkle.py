"""A Merkle tree over leaves that are only ever appended, and the proofs about it, as in RFC 9162, section 2.1.

- A root says all leaves there are. It is SHA-256 throughout: a leaf is hashed behind the byte 0, two nodes behind 1.
- An inclusion proof shows with some log2(size) hashes that a leaf is under a root.
- A consistency proof shows with as many that the leaves of a smaller tree are the first ones of a larger one.
- A multiproof shows that any number of leaves are under a root, with each hash of the way once.

`MerkleTree` keeps every node and proves; `Frontier` keeps what an append needs and nothing else. Neither knows what the
leaves are. `proofs` checks proofs, and where nobody trusts this program the players' pages do, in `static/proofs.js`.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

SIZE = 32
"""Bytes of a hash."""
EMPTY_ROOT = hashlib.sha256().digest()


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf (RFC 9162, 2.1.1)."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two nodes' parent (RFC 9162, 2.1.1)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Frontier:
    """A tree of `size` leaves as far as appends and its root need it: `peaks` are its whole subtrees, largest first."""

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    def after(self, leaf: bytes) -> "Frontier":
        """Return the tree with another leaf, whose hash is given; O(log size)."""
        peaks, before = self.peaks, self.size
        while before & 1:
            leaf = node_hash(peaks[-1], leaf)
            peaks, before = peaks[:-1], before >> 1
        return Frontier(self.size + 1, (*peaks, leaf))

    @property
    def root(self) -> bytes:
        """The root."""
        return _joined(self.peaks)


class MerkleTree:
    """A tree that grows leaf by leaf, and proves: 64 bytes of memory a leaf, O(log size) for an append and a root."""

    def __init__(self) -> None:
        self._levels: list[bytearray] = [bytearray()]
        """The whole subtrees of 1, 2, 4, ... leaves, one behind the other."""

    @property
    def size(self) -> int:
        """How many leaves there are."""
        return len(self._levels[0]) // SIZE

    def append(self, leaf: bytes) -> None:
        """Append a leaf, whose hash is given."""
        level, node = 0, leaf
        while True:
            nodes = self._levels[level]
            nodes += node
            if len(nodes) % (2 * SIZE):
                return
            node = node_hash(bytes(nodes[-2 * SIZE : -SIZE]), bytes(nodes[-SIZE:]))
            level += 1
            if level == len(self._levels):
                self._levels.append(bytearray())

    def leaf(self, index: int) -> bytes:
        """Return the hash of a leaf; `index` counts from 0."""
        return self._whole(0, index)

    def frontier(self, size: int) -> Frontier:
        """Return the tree as it was with its first `size` leaves."""
        bits = [level for level in reversed(range(size.bit_length())) if size >> level & 1]
        peaks, start = [], 0
        for level in bits:
            peaks.append(self._whole(level, start >> level))
            start += 1 << level
        return Frontier(size, tuple(peaks))

    def root(self, size: int) -> bytes:
        """Return the root of the first `size` leaves, at most all."""
        return self.frontier(size).root

    def inclusion(self, index: int, size: int) -> tuple[bytes, ...]:
        """Return the path from the leaf at `index`, from 0, to the root of the first `size` (RFC 9162, 2.1.3.1)."""
        if not 0 <= index < size <= self.size:
            raise ValueError(f"there is no leaf {index} among {size} of {self.size}")
        path, start, end = [], 0, size
        while end - start > 1:
            middle = start + split_at(end - start)
            if index < middle:
                path.append(self._part(middle, end))
                end = middle
            else:
                path.append(self._part(start, middle))
                start = middle
        return tuple(reversed(path))

    def consistency(self, first: int, second: int) -> tuple[bytes, ...]:
        """Return the proof that the first `second` leaves begin with the first `first` (RFC 9162, 2.1.4.1)."""
        if not 0 < first <= second <= self.size:
            raise ValueError(f"{second} leaves of {self.size} do not extend {first}")
        if first == second:
            return ()
        path, start, end = [], 0, second
        while end != first:
            middle = start + split_at(end - start)
            if first <= middle:
                path.append(self._part(middle, end))
                end = middle
            else:
                path.append(self._part(start, middle))
                start = middle
        if start:
            # Where it is 0 the last node is the first tree's root, which who checks the proof knows.
            path.append(self._part(start, end))
        return tuple(reversed(path))

    def multiproof(self, indices: Sequence[int], size: int) -> tuple[bytes, ...]:
        """Return what shows with the leaves at `indices`, from 0, the root of the first `size`, from left to right.

        These are the roots of the largest parts of the tree that have none of those leaves in them. ValueError when a
        leaf is not there.
        """
        wanted = sorted(set(indices))
        if not wanted or wanted[0] < 0 or not wanted[-1] < size <= self.size:
            raise ValueError(f"there are no such leaves among {size} of {self.size}")
        return tuple(self._part(start, end) for start, end in parts_without(wanted, size))

    def _part(self, start: int, end: int) -> bytes:
        """Return the root of the leaves from `start` to before `end`; the tree has a node or a right edge there."""
        peaks = []
        while start < end:
            level = (end - start).bit_length() - 1
            peaks.append(self._whole(level, start >> level))
            start += 1 << level
        return _joined(tuple(peaks))

    def _whole(self, level: int, number: int) -> bytes:
        nodes = self._levels[level]
        return bytes(nodes[number * SIZE : (number + 1) * SIZE])


def parts_without(wanted: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    """Go from left to right through the largest parts of a tree of `size` leaves that have none of those `wanted`,
    which are in order: each part by its first leaf and the one behind its last.
    """
    waiting = [(0, size)]
    while waiting:
        start, end = waiting.pop()
        first = bisect_left(wanted, start)
        if first == len(wanted) or wanted[first] >= end:
            yield start, end
        elif end - start > 1:
            middle = start + split_at(end - start)
            waiting += [(middle, end), (start, middle)]


def split_at(size: int) -> int:
    """Return the largest power of two that is smaller than `size`, which is above 1."""
    return 1 << ((size - 1).bit_length() - 1)


def _joined(peaks: tuple[bytes, ...]) -> bytes:
    """Return the root above whole subtrees, the largest first."""
    return reduce(lambda right, left: node_hash(left, right), reversed(peaks)) if peaks else EMPTY_ROOT
