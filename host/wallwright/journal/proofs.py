"""Checks what `merkle` proves, for whoever has a root and a proof but no tree."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from .merkle import node_hash, split_at


def multiproof_root(leaves: Mapping[int, bytes], size: int, proof: Sequence[bytes]) -> bytes:
    """Return the root of the tree of `size` leaves in which `leaves` stand, by index from 0, with the rest as proved.

    ValueError when the proof has not exactly the hashes that are wanted.
    """
    if not leaves or min(leaves) < 0 or max(leaves) >= size:
        raise ValueError("a leaf is not in the tree")
    wanted = sorted(leaves)
    rest = iter(proof)
    root = _root(wanted, 0, len(wanted), 0, size, leaves, rest)
    if next(rest, None) is not None:
        raise ValueError("the proof has hashes that nobody wants")
    return root


def includes(index: int, size: int, leaf: bytes, path: Sequence[bytes], root: bytes) -> bool:
    """Say whether the leaf at `index`, from 0, is under the root of `size` leaves (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    node, last, found = index, size - 1, leaf
    for one in path:
        if last == 0:
            return False
        if node & 1 or node == last:
            found = node_hash(one, found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = node_hash(found, one)
        node, last = node >> 1, last >> 1
    return last == 0 and found == root


def extends(first: int, first_root: bytes, second: int, second_root: bytes, proof: Sequence[bytes]) -> bool:
    """Say whether a consistency proof shows that a tree of `second` leaves begins with one of `first` (RFC 9162,
    2.1.4.2).
    """
    if not 0 < first <= second:
        return False
    if first == second:
        return not proof and first_root == second_root
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    if not path:
        return False
    node, last = first - 1, second - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    old = new = path[0]
    for one in path[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            old, new = node_hash(one, old), node_hash(one, new)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            new = node_hash(new, one)
        node, last = node >> 1, last >> 1
    return last == 0 and old == first_root and new == second_root


def _root(
    wanted: Sequence[int],
    low: int,
    high: int,
    start: int,
    end: int,
    leaves: Mapping[int, bytes],
    rest: Iterator[bytes],
) -> bytes:
    """Return the root of the leaves from `start` to before `end`, of which wanted[low:high] are known."""
    if low == high:
        found = next(rest, None)
        if found is None:
            raise ValueError("the proof lacks a hash")
        return found
    if end - start == 1:
        return leaves[start]
    middle = start + split_at(end - start)
    cut = bisect_left(wanted, middle, low, high)
    left = _root(wanted, low, cut, start, middle, leaves, rest)
    return node_hash(left, _root(wanted, cut, high, middle, end, leaves, rest))
