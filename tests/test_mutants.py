"""`make mutants` on a checkout of one module tries each change with the tests that reach it, and names survivors."""

import builtins
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofs import all_cases
from tools.mutants import javascript, proofs
from tools.mutants.draw import Mutant, changed, mutants_of
from tools.mutants.probe import probed

ROOT = Path(__file__).parents[1]
MODULE = '''"""A module."""

LIMIT = 4


def is_high(value: int) -> bool:
    """Say whether a value is above the limit."""
    return value > LIMIT


def is_lucky(value: int) -> bool:
    return value in {8, 88}
'''
BRANCHES = """
def is_lucky(value: int) -> bool:
    if value == 0:
        return False
    elif value in {8}:
        return True
    return bool(value & 1)
"""
TESTS = """from wallwright_protocol.values import is_high

def test_high():
    assert is_high(5) and not is_high(4)
"""
MORE = """from wallwright_protocol.values import is_lucky

def test_lucky():
    assert is_lucky(8) and not is_lucky(2)
"""


def draw(root: Path) -> set[str]:
    """What a run with every mutant of the checkout says in the end, a mutant without its number."""
    command = [sys.executable, "-m", "tools.mutants", "100", "1", "1"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True, timeout=250)
    verdicts = {line.split(maxsplit=1)[1] for line in done.stdout.splitlines() if " protocol/" in line}
    return {line for line in verdicts if not line.startswith("left ")}


@pytest.mark.slow
def test_a_draw_names_what_no_test_notices_and_goes_on_when_there_is_a_test(tmp_path: Path) -> None:
    where = "protocol/wallwright_protocol/values.py"
    for path, text in {
        "pyproject.toml": '[tool.pytest.ini_options]\naddopts = ["-p", "no:schemathesis"]\n',
        where: MODULE,
        "protocol/wallwright_protocol/__init__.py": "",
        "tests/protocol/test_values.py": TESTS,
        "tests/test_generated_docs.py": "",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "tools/mutants", tmp_path / "tools/mutants")
    assert draw(tmp_path) == {
        f"killed   {where}:3: LIMIT = [4 => 5]",
        f"killed   {where}:8: return value[ >  =>  >= ]LIMIT",
        f"SURVIVED {where}:12: return value[ in  =>  not in ]{{8, 88}}",
        f"SURVIVED {where}:12: return value in {{[8 => 9], 88}}",
        f"SURVIVED {where}:12: return value in {{8, [88 => 89]}}",
    }
    (tmp_path / "tests/protocol/test_more.py").write_text(MORE, encoding="utf-8")
    assert draw(tmp_path) == {
        f"killed   {where}:12: return value[ in  =>  not in ]{{8, 88}}",
        f"killed   {where}:12: return value in {{[8 => 9], 88}}",
        f"SURVIVED {where}:12: return value in {{8, [88 => 89]}}",
    }


@pytest.mark.parametrize(
    ("module", "call", "lines"),
    [
        (MODULE, "is_high(1)", {3, 8}),
        (MODULE, "is_lucky(1)", {3, 12}),
        (BRANCHES, "is_lucky(0)", {3, 4, 5}),
        (BRANCHES, "is_lucky(8)", {3, 5, 6}),
        (BRANCHES, "is_lucky(4)", {3, 5, 7}),
    ],
)
def test_a_probe_stands_where_a_mutant_is_reached(
    module: str, call: str, lines: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    mutants = dict(enumerate(mutants_of("values.py", module)))
    reached: set[int] = set()
    monkeypatch.setattr(builtins, "_reached", reached.add, raising=False)
    names: dict[str, object] = {}
    exec(probed(module, mutants), names)
    reached.clear()
    eval(call, names)
    assert {mutants[number].line for number in reached} == lines


def test_a_change_is_within_its_line_whatever_letters_stand_there() -> None:
    text = 'def name(n):\n    return "牌" * n, n > 1\n'
    assert {changed(one, text).splitlines()[1].strip() for one in mutants_of("name.py", text)} == {
        'return "牌" // n, n > 1',
        'return "牌" * n, n >= 1',
        'return "牌" * n, n > 2',
    }
    assert changed(Mutant("name.py", 1, 4, 8, "word"), text).startswith("def word(n):")


SCRIPT = """// Not code: a < 1 && "b".
function isHigh(value) {
  need(value > 4n, "low && odd");
  if (!value || /^a<b$/.test(value)) return true;
}
"""


def test_a_script_is_changed_in_its_code_alone() -> None:
    found = []
    for mutant in javascript.mutants_of("values.js", SCRIPT):
        rows = zip(SCRIPT.splitlines(), changed(mutant, SCRIPT).splitlines(), strict=True)
        found += [(number, now.strip()) for number, (was, now) in enumerate(rows) if was != now]
    assert sorted(found) == sorted(
        [
            (2, "undefined;"),
            (2, 'need(value >= 4n, "low && odd");'),
            (2, 'need(value <= 4n, "low && odd");'),
            (2, 'need(value > 5n, "low && odd");'),
            (3, "if (true) return true;"),
            (3, "if (false) return true;"),
            (3, "if (value || /^a<b$/.test(value)) return true;"),
            (3, "if (!value && /^a<b$/.test(value)) return true;"),
            (3, "if (!value & false || /^a<b$/.test(value)) return true;"),
            (3, "if (!value || false & /^a<b$/.test(value)) return true;"),
            (3, "if (!value || /^a<b$/.test(value)) return false;"),
        ]
    )


@pytest.mark.parametrize("language", ["javascript", "python"])
def test_a_verifier_that_takes_a_false_case_is_noticed(language: str) -> None:
    """One case is of another table; none is of a player who has seen a later result."""
    names = ("page: a page with three results", "page: the same session and deal at another table")
    cases = [one["case"] for one in all_cases() if one["name"] in names]
    drawn = proofs.in_javascript() if language == "javascript" else proofs.in_python(cases)

    def checks(word: str) -> list[Mutant]:
        ends = f'"{word}")'
        return [one for one in drawn if one.new in ("undefined", "pass") and line(one)[: one.end].endswith(ends)]

    left = proofs.left_in_javascript if language == "javascript" else proofs.left_in_python
    assert len(cases) == 2
    assert len(checks("place")) >= len(checks("older")) == 1
    assert list(left([checks("place")[0], *checks("older")], cases)) == checks("older")


def line(mutant: Mutant) -> str:
    return (ROOT / mutant.path).read_text(encoding="utf-8").splitlines()[mutant.line - 1]
