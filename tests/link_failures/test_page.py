"""docs/link-failures.md names a test for every failure, and every test that it names exists."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "link-failures.md"
ROWS = 23
HERE = "tests/link_failures/"


def rows() -> dict[int, list[str]]:
    """Number of each row -> the tests that it names."""
    found: dict[int, list[str]] = {}
    for line in PAGE.read_text().splitlines():
        row = re.match(r"\| (\d+) \|", line)
        if row:
            assert int(row[1]) not in found, f"two rows {row[1]}"
            found[int(row[1])] = re.findall(r"`(tests/[^`]+)`", line)
    return found


@cache
def functions_of(path: str) -> set[str]:
    """The test functions of a file."""
    tree = ast.parse((ROOT / path).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_all_failures_are_there() -> None:
    assert list(rows()) == list(range(1, ROWS + 1))


@pytest.mark.parametrize("number", range(1, ROWS + 1), ids=lambda number: f"row_{number:02d}")
def test_a_row_names_tests_that_exist(number: int) -> None:
    names = rows()[number]
    assert names
    for name in names:
        path, _, function = name.partition("::")
        assert function in functions_of(path), f"there is no {name}"


def test_every_test_with_a_number_is_named_in_its_row() -> None:
    named = rows()
    numbered = [
        (int(found[1]), f"{HERE}{path.name}::{function}")
        for path in sorted((ROOT / HERE).glob("test_*.py"))
        for function in sorted(functions_of(f"{HERE}{path.name}"))
        if (found := re.match(r"test_row_(\d\d)_", function))
    ]
    assert len(numbered) >= 10
    assert [name for number, name in numbered if name not in named[number]] == []
