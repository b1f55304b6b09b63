"""Every clause is restated in docs/rules.md and has a test that names it."""

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOMS = (HERE, HERE.parents[1] / "event", HERE.parents[1] / "tracking")
"""Where the tests of what the clauses say are: hands and deals, tournaments, tables that watch the play."""
CLAUSES = {1: 3, 2: 4, 3: 5, 4: 9, 5: 6, 6: 7, 7: 4, 8: 1, 9: 2, 10: 5, 11: 9}
"""Section -> its last clause."""

EVERY_CLAUSE = {(section, clause) for section, last in CLAUSES.items() for clause in range(1, last + 1)}


def test_every_clause_has_a_test_that_names_it():
    named = set()
    for path in (path for room in ROOMS for path in room.glob("test_*.py")):
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            if name.startswith("test_sbr_"):
                # A second clause of the same name follows as `_and_7_2`.
                named |= {(int(a), int(b)) for a, b in re.findall(r"(?:sbr|and)_(\d+)_(\d+)", name)}
    assert named == EVERY_CLAUSE


def test_every_clause_is_restated():
    text = (HERE.parents[3] / "docs" / "rules.md").read_text(encoding="utf-8")
    restated = {(int(a), int(b)) for a, b in re.findall(r"^- \*\*(\d+)\.(\d+)\*\*", text, re.MULTILINE)}
    assert restated == EVERY_CLAUSE


def test_every_clause_that_the_code_names_exists():
    rules = HERE.parents[3] / "host" / "wallwright" / "rules"
    for path in [*rules.rglob("*.py"), *rules.rglob("*.toml")]:
        for section, clause in re.findall(r"SBR-(\d+)\.(\d+)", path.read_text(encoding="utf-8")):
            assert (int(section), int(clause)) in EVERY_CLAUSE, (path.name, section, clause)
