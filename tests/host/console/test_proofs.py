"""What players' pages check proofs with, run by node: by the published vectors, the real tree, and forged proofs."""

import hashlib
import json
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import wallwright.console
from tests import needs
from tests.host.journal.conftest import stored
from tests.host.journal.test_leaves import write_results
from tests.host.journal.test_merkle import CONSISTENCY, INCLUSION, LEAVES, ROOTS, grown
from wallwright.journal.entry import row_text
from wallwright.journal.leaves import leaf_of, opening_of
from wallwright.journal.merkle import leaf_hash

SCRIPT = Path(wallwright.console.__file__).parent / "static" / "proofs.js"
ASKING = Path(__file__).with_suffix(".js").with_name("proofs.js")

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    node = needs.program("node")
    command = [node, str(ASKING), str(SCRIPT)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def question(what: str, given: Any) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps([what, given]) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield question
        process.kill()


def test_the_hash_is_that_of_nodes_own_library(ask: Ask) -> None:
    assert ask("sha256", [*range(200), 1000, 4096, 100_001]) == []


def test_the_published_vectors_hold(ask: Ask) -> None:
    for index, size, path in INCLUSION:
        assert ask("includes", [index, size, leaf_hash(LEAVES[index]).hex(), path, ROOTS[size]])
    for first, second, path in CONSISTENCY:
        assert ask("extends", [first, second, ROOTS[first], ROOTS[second], path])


def test_every_proof_of_small_trees_holds_and_no_other_does(ask: Ask, seed: int) -> None:
    """Attack: hashes of a proof are changed, left out, added or put elsewhere, or it is said of other places."""
    rng = random.Random(seed)
    count = 34
    tree = grown([bytes([number]) for number in range(count)])
    roots = [tree.root(size).hex() for size in range(count + 1)]
    leaves = [tree.leaf(index).hex() for index in range(count)]
    for size in range(1, count + 1):
        for index in range(size):
            path = [node.hex() for node in tree.inclusion(index, size)]
            assert ask("includes", [index, size, leaves[index], path, roots[size]])
            if rng.random() < 0.2:
                assert not ask("includes", [index, size, leaves[index], forged(rng, path), roots[size]])
                assert not ask("includes", [index, size, leaves[index - 1], path, roots[size]]) or size == 1
                assert not ask("includes", [index ^ 1, size, leaves[index], path, roots[size]])
        for first in range(1, size + 1):
            path = [node.hex() for node in tree.consistency(first, size)]
            assert ask("extends", [first, size, roots[first], roots[size], path])
            if rng.random() < 0.2:
                other = hashlib.sha256(roots[first].encode()).hexdigest()
                assert not ask("extends", [first, size, roots[first], roots[size], forged(rng, path)])
                assert not ask("extends", [first, size, other, roots[size], path])
                assert not ask("extends", [first, size, roots[first], other, path])


def forged(rng: random.Random, path: list[str]) -> list[str]:
    """Another proof than this one."""
    other = rng.randbytes(32).hex()
    at = rng.randrange(len(path) + 1)
    ways = [[*path[:at], other, *path[at:]]]
    if path:
        at = rng.randrange(len(path))
        ways += [[*path[:at], other, *path[at + 1 :]], [*path[:at], *path[at + 1 :]], [*path, path[at]]]
        swapped = [*path[1:], path[0]]
        ways += [swapped] if swapped != path else []
    return rng.choice(ways)


@pytest.mark.parametrize(
    "given",
    [
        [0, 1, "00" * 32, [], None],
        [0, 1, 7, [], "00" * 32],
        [-1, 1, "00" * 32, [], "00" * 32],
        [0.5, 1, "00" * 32, [], "00" * 32],
        [0, 2, "00" * 32, [5], "00" * 32],
        [0, 2, "00" * 32, ["zz" * 32], "00" * 32],
        [0, 2, "00" * 32, "x", "00" * 32],
        [0, 2**60, "00" * 32, [], "00" * 32],
    ],
)
def test_what_is_no_proof_proves_nothing(ask: Ask, given: list[Any]) -> None:
    assert ask("includes", given) is False
    size, other, path, *roots = given[0], given[1], given[3], given[2], given[4]
    assert ask("extends", [size, other, *roots, path]) is False


def test_a_result_has_the_leaf_of_its_entry(ask: Ask, tmp_path: Path) -> None:
    place = str(tmp_path / "session.journal")
    write_results(place)
    rows = stored(place)
    opened = opening_of(rows[0][7], rows[1], row_text(rows[1]))
    assert opened is not None
    shown = {"commitment": opened.entry.hex(), "key": opened.key.hex(), "result": opened.result}
    leaf = leaf_of(rows[0][7], rows[1], row_text(rows[1])).hex()
    assert ask("leafOf", shown) == leaf
    assert ask("leafOf", shown | {"result": opened.result.replace("8", "9")}) != leaf
