"""The tree: by the vectors that all implementations share, and by RFC 9162's recursive definitions, slow and apart."""

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright.journal.merkle import EMPTY_ROOT, Frontier, MerkleTree, leaf_hash

# The eight leaves, roots and proofs of Certificate Transparency's reference tests, which its implementations share.
LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUSION = [
    (0, 1, []),
    (
        0,
        8,
        [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        5,
        8,
        [
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
    (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    (
        1,
        5,
        [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
]
CONSISTENCY = [
    (1, 1, []),
    (
        1,
        8,
        [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        6,
        8,
        [
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
    (
        2,
        5,
        [
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
]


def grown(leaves: list[bytes]) -> MerkleTree:
    tree = MerkleTree()
    for leaf in leaves:
        tree.append(leaf_hash(leaf))
    return tree


def half(count: int) -> int:
    """The largest power of two below."""
    k = 1
    while 2 * k < count:
        k *= 2
    return k


def mth(leaves: list[bytes]) -> bytes:
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = half(len(leaves))
    return hashlib.sha256(b"\1" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def path(m: int, leaves: list[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = half(len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), mth(leaves[k:])]
    return [*path(m - k, leaves[k:]), mth(leaves[:k])]


def subproof(m: int, leaves: list[bytes], is_known: bool) -> list[bytes]:
    if m == len(leaves):
        return [] if is_known else [mth(leaves)]
    k = half(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], is_known), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), mth(leaves[:k])]


def test_roots_are_those_of_the_published_vectors() -> None:
    tree = grown(LEAVES)
    assert [tree.root(size).hex() for size in range(9)] == ROOTS
    assert ROOTS[0] == EMPTY_ROOT.hex()


@pytest.mark.parametrize(("index", "size", "proof"), INCLUSION)
def test_inclusion_proofs_are_those_of_the_published_vectors(index: int, size: int, proof: list[str]) -> None:
    assert [node.hex() for node in grown(LEAVES).inclusion(index, size)] == proof


@pytest.mark.parametrize(("first", "second", "proof"), CONSISTENCY)
def test_consistency_proofs_are_those_of_the_published_vectors(first: int, second: int, proof: list[str]) -> None:
    assert [node.hex() for node in grown(LEAVES).consistency(first, second)] == proof


@given(leaves=st.lists(st.binary(max_size=3), max_size=70), data=st.data())
def test_the_tree_is_the_one_of_the_recursive_definition(leaves: list[bytes], data: st.DataObject) -> None:
    tree, frontier = grown(leaves), Frontier()
    for leaf in leaves:
        frontier = frontier.after(leaf_hash(leaf))
    assert frontier == tree.frontier(len(leaves))
    assert frontier.root == tree.root(len(leaves)) == mth(leaves)
    size = data.draw(st.integers(0, len(leaves)))
    assert tree.root(size) == mth(leaves[:size])
    if size:
        index = data.draw(st.integers(0, size - 1))
        assert list(tree.inclusion(index, size)) == path(index, leaves[:size])
        first = data.draw(st.integers(1, size))
        assert list(tree.consistency(first, size)) == subproof(first, leaves[:size], True)


def test_what_is_not_in_the_tree_has_no_proof() -> None:
    tree = grown(LEAVES)
    for index, size in ((-1, 4), (4, 4), (0, 9), (8, 9), (0, 0)):
        with pytest.raises(ValueError, match="there is no leaf"):
            tree.inclusion(index, size)
    for first, second in ((0, 4), (5, 4), (3, 9)):
        with pytest.raises(ValueError, match="do not extend"):
            tree.consistency(first, second)


def test_proofs_about_300_000_entries_are_small(seed: int) -> None:
    """A hall's year: each proof has at most 19 and 20 hashes of 32 bytes."""
    rng, tree = random.Random(seed), MerkleTree()
    for _ in range(300_000):
        tree.append(b"\0" * 32)
    for _ in range(200):
        first = rng.randint(1, tree.size)
        assert len(tree.inclusion(first - 1, tree.size)) <= 19
        assert len(tree.consistency(first, tree.size)) <= 20
