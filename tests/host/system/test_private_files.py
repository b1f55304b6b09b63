"""Files and folders are made for their user alone, by one module; a walk through the source finds whoever does not."""

import ast
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import wallwright
from wallwright.fleet.reports import Reports
from wallwright.journal.witness_places import WitnessFile
from wallwright.link.trace_file import Recorder
from wallwright.system.disk import write_named, write_named_new, write_new, write_whole
from wallwright.system.private import make_folder, open_private

HOST = Path(wallwright.__file__).parent
ALLOWED = {
    "system/private.py": {"mkdir", "open"},
    # The disk of a board in its loader: what is there is the board's.
    "board/loader.py": {"open"},
    # Into a private temporary folder, or a private draft.
    "backup/archive.py": {"copyfile"},
    # Into memory.
    "study/walls.py": {"savez"},
}
MAKERS = {"mkdir", "makedirs", "write_text", "write_bytes", "copyfile", "copy", "copy2", "copytree", "savez"}
MENTIONED = re.compile(rf"\b(open|touch|{'|'.join(MAKERS)})\(")


def calls_that_make(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The calls in a module that make a file or a folder with a mode which the umask decides, and their lines."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        is_method = isinstance(node.func, ast.Attribute)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        of = getattr(getattr(node.func, "value", None), "id", "")
        modes = [*node.args[0 if is_method else 1 :][:2], *(one.value for one in node.keywords if one.arg == "mode")]
        words = [one.value for one in modes if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        is_write = any(set(word) <= set("rwxabt+") and set(word) & set("wxa") for word in words)
        by_mode = name == "open" and (is_write or (of == "os" and "O_CREAT" in ast.unparse(node)))
        by_touch = name == "touch" and is_method and not (node.args or node.keywords)
        by_itself = is_method and name in MAKERS and (name != "copy" or of == "shutil")
        if by_mode or by_touch or by_itself:
            yield name, node.lineno


def test_one_module_makes_files_and_folders() -> None:
    found = {}
    for path in sorted(HOST.rglob("*.py")):
        name = path.relative_to(HOST).as_posix()
        text = path.read_text(encoding="utf-8")
        made = calls_that_make(ast.parse(text)) if MENTIONED.search(text) else ()
        left = [one for one in made if one[0] not in ALLOWED.get(name, ())]
        if left:
            found[name] = left
    assert found == {}, "make files and folders with wallwright.system.private, or write them with system.disk"


@pytest.mark.parametrize(
    "line",
    [
        "path.mkdir()", "path.mkdir(mode=0o700, parents=True)", "os.makedirs(path)", "path.open('w')",
        "open(path, 'ab')", "open(path, mode='x')", "path.open(mode='w+b')", "path.write_text(text)",
        "path.write_bytes(data)", "path.touch()", "os.open(path, os.O_WRONLY | os.O_CREAT)",
        "shutil.copyfile(a, b)", "shutil.copy(a, b)", "np.savez(path, **a)",
    ],
)  # fmt: skip
def test_the_walk_finds_whoever_makes_one(line: str) -> None:
    assert list(calls_that_make(ast.parse(line)))


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("no_umask")
def test_whatever_is_made_is_private_under_a_lax_umask(tmp_path: Path) -> None:
    place = tmp_path / "one" / "two" / "three"
    make_folder(place)
    make_folder(place)
    write_whole(place / "whole", b"x")
    write_new(place / "new", b"x")
    write_named(place / "named", b"x")
    write_named_new(place / "named-new", b"x")
    with open_private(place / "open", "w", encoding="utf-8") as file:
        file.write("x")
    WitnessFile(place / "some.witness").keep("x")
    Reports(place / "reports", "A1").write(0, "it happened", "a table", "frames")
    with Recorder(place / "link.trace", "sim://"):
        made = (tmp_path / "one", *(tmp_path / "one").rglob("*"))
        modes = {path: stat.S_IMODE(path.stat().st_mode) for path in made}
    assert len(modes) == 13
    assert set(modes.values()) == {0o700, 0o600}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
