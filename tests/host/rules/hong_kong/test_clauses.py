"""Every clause is restated in docs/hong-kong.md and has a test that names it."""

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
CLAUSES = {1: 3, 2: 6, 3: 1, 4: 10, 5: 9, 6: 9, 7: 3, 8: 3, 9: 2, 10: 3}
"""Section -> its last clause; section 11 compares games, and 12 are the worked examples."""
EVERY_CLAUSE = {(section, clause) for section, last in CLAUSES.items() for clause in range(1, last + 1)}


def test_every_clause_has_a_test_that_names_it():
    named = set()
    for path in HERE.glob("test_*.py"):
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            if name.startswith("test_hko_"):
                named |= {(int(a), int(b)) for a, b in re.findall(r"(?:hko|and)_(\d+)_(\d+)", name)}
    assert sorted(EVERY_CLAUSE - named) == []
    assert sorted(named - EVERY_CLAUSE) == []


def test_every_clause_is_restated():
    text = (ROOT / "docs" / "hong-kong.md").read_text(encoding="utf-8")
    restated = {(int(a), int(b)) for a, b in re.findall(r"^- \*\*(\d+)\.(\d+)\*\*", text, re.MULTILINE)}
    assert restated == EVERY_CLAUSE


def test_every_clause_that_the_code_names_exists():
    for path in [*(ROOT / "host/wallwright/rules/hong_kong").rglob("*.py")]:
        for section, clause in re.findall(r"HKO-(\d+)\.(\d+)", path.read_text(encoding="utf-8")):
            assert (int(section), int(clause)) in EVERY_CLAUSE, (path.name, section, clause)
