"""Compiles protocol, firmware and simulator by mypyc, and runs a program with what came of it.

    .venv-dev/bin/python -m tools.compiled            compile, and print the folder
    .venv-dev/bin/python -m tools.compiled COMMAND    compile if need be, and run that with the compiled modules

The folder is in build/compiled/ and has the hash of all sources in its name; it is looked up by that hash whenever a
program is started, so that nothing compiled is older than its source. Each compiled module lies beside a copy of its
source, which Python passes over. The compiler is given another copy, in which constants are final and what was written
for types alone is there at run time (`declared`), since the board knows no `typing`. Where gcc or Python's headers
lack, one line says so and the program runs as it is written.
"""

import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import version
from pathlib import Path

from tools.programs import find, how_to_install

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "compiled"
PACKAGES = ("protocol/wallwright_protocol", "firmware/wallwright_firmware", "simulator/wallwright_simulator")
AS_WRITTEN = re.compile(
    r"__init__\.py|wallwright_protocol/(names|prescribing)\.py|wallwright_firmware/(boards/|events\.py)"
    r"|wallwright_simulator/((chip|urls|vm)/|(bad_wire|electric_faults|fault|faults|supply_faults|forms|hall|harness)\.py)"
    r"|wallwright_simulator/(injection|runtimes|serve)\.py"
)
"""Modules that stay as they are: they take no time in a build, or hold what the compiler does not take. The rehearsal
of a hall puts itself before the methods of what keeps a board's events.
"""
NEEDED = ("compiler", "headers")
"""Of `tools.programs`."""
CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")
OPEN = "Machine"
"""The one compiled class of which the host makes classes of its own."""
OPENED = ("if TYPE_CHECKING: from mypy_extensions import mypyc_attr", "@mypyc_attr(allow_interpreted_subclasses=True)")
MOST_UNBOXED = 4
"""The compiler makes a type of its own for each length of tuple, which is declared as of any length above this one."""
SETTINGS = """[mypy]
mypy_path = {work}:{host}
namespace_packages = true
explicit_package_bases = true
ignore_missing_imports = true
follow_imports = silent
cache_dir = {work}/cache
"""
SETUP = """from mypyc.build import mypycify
from setuptools import setup

words = ["-w", "-ffp-contract=off"]
for name in ("CPy", "bytes_extra_ops", "bytearray_extra_ops"):
    words += ["-include", f"{{name}}.h"]
modules = mypycify(["--config-file=mypy.ini", *{names!r}], opt_level="1", debug_level="0", multi_file=True)
for module in modules:
    if module.name.endswith("__mypyc"):
        module.extra_compile_args = [*module.extra_compile_args, *words]
setup(name="compiled", packages=[], ext_modules=modules, script_args=["-q", "build_ext", "--inplace"])
"""
"""mypyc forgets to include those files where it compiles each module by itself. A compiler that makes one operation of
two would round otherwise than Python does.
"""
Edit = tuple[int, int, int, str]
"""Line, first column, last column, what stands there afterwards."""


def sources() -> list[Path]:
    """Return the files of the three packages, in order."""
    return sorted(
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )


def folder() -> Path:
    """Return where the modules of these sources are, or will be."""
    digest = hashlib.sha256(f"{sys.version} {sysconfig.get_platform()} {version('mypy')}".encode())
    for path in (Path(__file__), *sources()):
        data = path.read_bytes()
        digest.update(f" {path.relative_to(ROOT)} {len(data)} ".encode() + data)
    return FOLDER / digest.hexdigest()[:16]


def given() -> frozenset[str]:
    """Return the names of attributes that some object is given a value of its own for."""
    trees = [ast.walk(ast.parse(path.read_bytes())) for path in sources() if path.suffix == ".py"]
    nodes = [node for tree in trees for node in tree if isinstance(node, ast.Attribute)]
    return frozenset(node.attr for node in nodes if isinstance(node.ctx, ast.Store))


def declared(text: str, given: frozenset[str]) -> str:
    """Return a module as the compiler takes it, with every line where it was.

    `given` are the names of attributes that some object is given a value of its own for.
    """
    module = ast.parse(text)
    lines = text.splitlines()
    stored = [node.id for node in ast.walk(module) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    for block in module.body:
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            lines[block.lineno - 1] = ""
            for child in block.body:
                _set_free(lines, child)
    edits: list[Edit] = []
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "const":
            edits.append((node.lineno, node.col_offset, node.col_offset + len("const"), ""))
        elif isinstance(node, ast.ClassDef):
            if node.name == OPEN:
                lines[node.lineno - 3 : node.lineno - 1] = OPENED
            edits += [_said(each, "ClassVar") for each in node.body if _name(each) not in {"", "__slots__", *given}]
    for constant in module.body:
        name = _name(constant)
        if CONSTANT.fullmatch(name) and name != "TYPE_CHECKING" and stored.count(name) == 1:
            edits.append(_said(constant, "Final[tuple[_typing.Any, ...]]" if _is_long(constant) else _final(constant)))
    for line, start, end, new in sorted(edits, reverse=True):
        lines[line - 1] = lines[line - 1][:start] + new + lines[line - 1][end:]
    first = module.body[1 if ast.get_docstring(module) else 0].lineno - 1
    lines[first] = f"import typing as _typing; {lines[first]}"
    return "\n".join(lines) + "\n"


def _name(node: ast.stmt) -> str:
    """Return the one name that a statement gives a value and no type, or a type in quotes; or nothing."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Constant(), value=ast.expr()):
            return name
    return ""


def _said(node: ast.stmt, words: str) -> Edit:
    """Return the edit that gives the name of such a statement a type."""
    if isinstance(node, ast.AnnAssign):
        of, at = node.annotation, node.annotation.col_offset
        return node.lineno, at, at + len(ast.unparse(of)), f"_typing.{words}[{ast.unparse(of)}]"
    at = node.col_offset + len(_name(node))
    return node.lineno, at, at, f": _typing.{words}"


def _final(node: ast.stmt) -> str:
    """Return the type of a constant, as far as modules have to know it that ask for `codes.OK` at their top."""
    match node:
        case ast.Assign(value=ast.Call(func=ast.Name(id="number" | "fault" | "setting" | "end"))):
            return "Final[int]"
        case ast.Assign(value=ast.Tuple(elts=items)) if all(isinstance(item, ast.Name) for item in items):
            return "Final[tuple[_typing.Any, ...]]"
    return "Final"


def _is_long(node: ast.AST) -> bool:
    """Say whether what a constant is given is a tuple of many items, or made of tuples."""
    match node:
        case ast.Assign(value=value) | ast.Call(func=ast.Name(id="const"), args=[value]):
            return _is_long(value)
        case ast.BinOp(left=left):
            return _is_long(left) or isinstance(left, ast.Tuple)
        case ast.Tuple(elts=items):
            return len(items) > MOST_UNBOXED or any(isinstance(item, ast.Tuple | ast.Starred) for item in items)
    return False


def _set_free(lines: list[str], node: ast.stmt) -> None:
    """Take a statement out of `if TYPE_CHECKING`; an import of our own, which may be a circle, stays within it."""
    first, last = node.lineno - 1, node.end_lineno or node.lineno
    for at in range(first, last):
        lines[at] = lines[at].removeprefix("    ")
    if isinstance(node, ast.ImportFrom) and (node.level or str(node.module).startswith("wallwright")):
        lines[first] = f"if TYPE_CHECKING: {lines[first]}"


def compiled() -> Path | None:
    """Return the folder of the compiled modules, which are made if they are not there; None where none can be made."""
    done = folder()
    if done.exists():
        return done
    if lack := [name for name in NEEDED if find(name) is None]:
        print(f"Nothing is compiled, everything runs as it is written. Try: {how_to_install(*lack)}", file=sys.stderr)
        return None
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as name:
        made, work = Path(name, "made"), Path(name, "work")
        for package in PACKAGES:
            for base in (made, work):
                shutil.copytree(ROOT / package, base / Path(package).name, ignore=shutil.ignore_patterns("__pycache__"))
        own = given()
        modules = [path for path in work.rglob("*.py") if not AS_WRITTEN.search(path.as_posix())]
        for path in modules:
            path.write_text(declared(path.read_text(encoding="utf-8"), own), encoding="utf-8")
        names = sorted(str(path.relative_to(work)) for path in modules)
        (work / "mypy.ini").write_text(SETTINGS.format(work=work, host=ROOT / "host"), encoding="utf-8")
        (work / "setup.py").write_text(SETUP.format(names=names), encoding="utf-8")
        subprocess.run([sys.executable, "setup.py"], cwd=work, check=True, stdout=sys.stderr)
        for path in work.rglob("*.so"):
            if "build" not in path.relative_to(work).parts:
                shutil.copyfile(path, made / path.relative_to(work))
        made.rename(done)
    return done


def main(command: list[str]) -> None:
    """Compile, then become the command."""
    made = compiled()
    if not command:
        print(made or "")
        return
    if made is not None:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(made), os.environ.get("PYTHONPATH")]))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
