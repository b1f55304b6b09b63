"""docs/security.md names tests: each of them is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "security.md"
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", DOCUMENT.read_text())
ROWS = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ") and "---" not in line]


@pytest.mark.parametrize(("file", "name"), sorted(set(NAMED)))
def test_a_test_that_the_document_names_is_there(file: str, name: str) -> None:
    assert re.search(rf"^ *(async )?def {name}\(", (ROOT / file).read_text(), re.MULTILINE), f"{file} has no {name}"


def test_every_promise_has_a_test() -> None:
    rows = [row for row in ROWS if not row.startswith("| Promise ")]
    assert len(rows) > 20
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert len(cells) == 4, row
        assert all(cells), row
        assert re.search(r"`tests/[\w/]+\.py::\w+`", cells[2]), row
