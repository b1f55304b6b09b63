"""Every clause of both games is restated in docs/classical.md and has a test that names it."""

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
LAST = {
    "CLA": {1: 4, 2: 6, 3: 9},
    "CUM": {1: 1, 2: 4, 3: 3, 4: 1, 5: 9, 6: 3, 7: 2, 8: 2},
    "BAL": {2: 3, 3: 1, 4: 4, 5: 5, 6: 9, 7: 4, 8: 7, 9: 2, 10: 2},
}
"""Page -> section -> its last clause."""
CLAUSES = {
    (page, section, clause)
    for page, sections in LAST.items()
    for section, last in sections.items()
    for clause in range(1, last + 1)
}


def test_every_clause_has_a_test_that_names_it():
    named = set()
    for path in HERE.glob("test_*.py"):
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            page = ""
            # A second clause of the same page follows as `_and_8_6` or `_to_2_5`.
            for found, section, clause in re.findall(r"(cla|cum|bal|and|to)_(\d+)_(\d+)", name):
                page = found.upper() if found in ("cla", "cum", "bal") else page
                named.add((page, int(section), int(clause)))
    assert named == CLAUSES


def test_every_clause_is_restated():
    text = (ROOT / "docs" / "classical.md").read_text(encoding="utf-8")
    restated = set()
    for title, body in re.findall(r"^### (\w+-\d+)\.(.*?)(?=^### )", text, re.MULTILINE | re.DOTALL):
        page, section = title.split("-")
        for number, clause in re.findall(r"^- \*\*(\d+)\.(\d+)\*\*", body, re.MULTILINE):
            assert number == section
            restated.add((page, int(section), int(clause)))
    assert restated == CLAUSES


def test_every_clause_that_the_code_names_exists():
    folder = ROOT / "host" / "wallwright" / "rules" / "classical"
    for path in [*folder.rglob("*.py"), *folder.rglob("*.toml")]:
        for page, section, clause in re.findall(r"(CLA|CUM|BAL)-(\d+)\.(\d+)", path.read_text(encoding="utf-8")):
            assert (page, int(section), int(clause)) in CLAUSES, (path.name, page, section, clause)
