"""The compiler's copy says the same as the sources, and nothing compiled is older than they are."""

import subprocess
import sys

import pytest

from tools import compiled

WRITTEN = '''"""A module."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from .setup import Setup

    class Owner(Protocol):
        due: int

ONE = const(1)
FEW = (1, 2)
MANY = (1, 2, 3, 4, 5)
PAIRS = ((1, 2),)
SET = 0
SET = 1


class Part:
    table: "Table" = {}
    node = Node
    due = 0


class Machine:
    """One machine."""
'''
GIVEN = '''"""A module."""

import typing as _typing; TYPE_CHECKING = False

from typing import Protocol

if TYPE_CHECKING: from .setup import Setup

class Owner(Protocol):
    due: int

ONE: _typing.Final = (1)
FEW: _typing.Final = (1, 2)
MANY: _typing.Final[tuple[_typing.Any, ...]] = (1, 2, 3, 4, 5)
PAIRS: _typing.Final[tuple[_typing.Any, ...]] = ((1, 2),)
SET = 0
SET = 1


class Part:
    table: _typing.ClassVar['Table'] = {}
    node: _typing.ClassVar = Node
    due = 0
if TYPE_CHECKING: from mypy_extensions import mypyc_attr
@mypyc_attr(allow_interpreted_subclasses=True)
class Machine:
    """One machine."""
'''


def test_the_compiler_is_told_what_is_constant_and_each_line_stays_where_it_is():
    assert compiled.declared(WRITTEN, frozenset({"due"})) == GIVEN


def test_any_change_of_a_source_asks_for_other_modules(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "ROOT", tmp_path)
    monkeypatch.setattr(compiled, "__file__", str(tmp_path / "compiled.py"))
    monkeypatch.setattr(compiled, "PACKAGES", ("package",))
    (tmp_path / "compiled.py").write_text("1")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "one.py").write_text("1")
    first = compiled.folder()
    assert compiled.folder() == first
    (tmp_path / "package" / "one.py").write_text("2")
    second = compiled.folder()
    (tmp_path / "package" / "one.py").rename(tmp_path / "package" / "two.py")
    assert len({first, second, compiled.folder()}) == 3


@pytest.mark.parametrize("lack", compiled.NEEDED)
def test_a_machine_that_cannot_compile_runs_the_sources_and_says_so(tmp_path, lack):
    script = "import sys; from tools import compiled; from pathlib import Path; compiled.FOLDER = Path(sys.argv[1])\n"
    script += "compiled.folder = lambda: compiled.FOLDER / 'none'\n"
    script += "from tools.programs import PROGRAMS, Program\n"
    script += f"PROGRAMS['{lack}'] = Program('no-such-file', 'no-such-folder/*', ('its-package',), 0)\n"
    script += "compiled.main([sys.executable, '-c', 'import wallwright_simulator.world as w; print(w.__file__)'])\n"
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, cwd=compiled.ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("/simulator/wallwright_simulator/world.py\n")
    assert done.stderr == "Nothing is compiled, everything runs as it is written. Try: apt install its-package\n"
