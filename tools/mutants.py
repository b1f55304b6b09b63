"""Changes the code in small ways and runs the tests that match: what no test notices is printed.

    make mutants MUTANTS=50 SEED=7

draws 50 mutants of protocol, firmware and host, the same for the same seed and tree. Each is made in a copy of the
checkout. Its tests are, first, those that import its module, then those of its part of the tree (`_second`), without
browsers and the emulated board; so a survivor may still be killed by another test of the suite. Whether a survivor
changes anything that anybody could see is for a person to judge. At the end the tests that killed are run on the code
as it is: one that fails there as well has killed nothing, and the run says so and ends with 1.
"""

import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PARTS = ("protocol/wallwright_protocol", "firmware/wallwright_firmware", "host/wallwright")
NOT_HERE = ("firmware/wallwright_firmware/boards/", "firmware/wallwright_firmware/main.py")  # run on a board only
LEFT_OUT = (".git", ".venv*", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
RUN_LIMIT_S = 600
"""Tests that last longer in all have killed nothing: it may be the machine."""
TEST_LIMIT_S = 60
"""A mutant that makes a test last this long is killed by it."""

_OTHER = {
    ast.Lt: "< <=", ast.LtE: "<= <", ast.Gt: "> >=", ast.GtE: ">= >", ast.Eq: "== !=", ast.NotEq: "!= ==",
    ast.In: "in not_in", ast.NotIn: "not_in in", ast.Is: "is is_not", ast.IsNot: "is_not is", ast.Add: "+ -",
    ast.Sub: "- +", ast.Mult: "* //", ast.FloorDiv: "// *", ast.Mod: "% *", ast.BitAnd: "& |", ast.BitOr: "| &",
    ast.LShift: "<< >>", ast.RShift: ">> <<", ast.And: "and or", ast.Or: "or and",
}  # fmt: skip
"""By operator: how it is written, and what stands in its place."""
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """In `path`, the characters from `start` to `end` of line `line` become `new`."""

    path: str
    line: int
    start: int
    end: int
    new: str


def mutants_of(path: str, text: str) -> Iterator[Mutant]:
    """Every mutant of a module, each within a line."""
    lines = text.splitlines()
    tree = ast.parse(text)
    for node in ast.walk(tree):
        # Types say nothing when the code runs.
        for field in ("annotation", "returns"):
            if getattr(node, field, None) is not None:
                setattr(node, field, None)
    for node in ast.walk(tree):
        for (line, column), (last, until), new in _changes(node):
            row = lines[line - 1].encode()
            start, end = len(row[:column].decode()), len(row[:until].decode())
            if line == last:
                if isinstance(new, ast.AST):
                    old, other = (word.replace("_", " ") for word in _OTHER.get(type(new), "- -").split())
                    new = lines[line - 1][start:end].replace(old, other, 1)
                if new != lines[line - 1][start:end]:
                    yield Mutant(path, line, start, end, new)


def _changes(node: ast.AST) -> Iterator[tuple[tuple[int, int], tuple[int, int], str | ast.AST]]:
    """Yield from where to where what is put in; for an operator between two places, the operator."""
    if isinstance(node, ast.Compare):
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            yield _end(left), _begin(right), op
    elif isinstance(node, ast.BinOp):
        yield _end(node.left), _begin(node.right), node.op
    elif isinstance(node, ast.BoolOp):
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield _end(left), _begin(right), node.op
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _begin(node), (node.lineno, node.col_offset + len("not ")), ""
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        is_bool = isinstance(node.value, bool)
        yield _begin(node), _end(node), str(not node.value if is_bool else node.value + 1)
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in _CALLS:
            yield _begin(node.func), _end(node.func), _CALLS[node.func.id]
        # Which one of several, and the details beside a code.
        for argument in node.args[1:]:
            if isinstance(argument, ast.Name | ast.Attribute):
                yield _begin(argument), _end(argument), "0"
    elif isinstance(node, ast.Assign | ast.AugAssign):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Attribute | ast.Subscript):
            yield _begin(node), _end(node), "pass"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield _begin(node), _end(node), "pass"


def _begin(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def drawn(count: int, seed: int) -> list[Mutant]:
    """Return so many mutants, drawn from all."""
    every = [
        mutant
        for part in PARTS
        for file in sorted((ROOT / part).rglob("*.py"))
        if not (path := file.relative_to(ROOT).as_posix()).startswith(NOT_HERE)
        for mutant in mutants_of(path, file.read_text())
    ]
    random.Random(seed).shuffle(every)
    print(f"{len(every)} mutants; {count} of them with seed {seed}", flush=True)
    return every[:count]


def changed(mutant: Mutant, text: str) -> str:
    """Return the module with the change."""
    lines = text.splitlines(keepends=True)
    row = lines[mutant.line - 1]
    lines[mutant.line - 1] = row[: mutant.start] + mutant.new + row[mutant.end :]
    return "".join(lines)


def _first(path: str) -> list[str]:
    """Test files that name the module, the one of its name before the others."""
    *_, package, name = path.removesuffix(".py").removesuffix("/__init__").split("/")
    named = re.compile(rf"\b{package}(\.| import .*\b){name}\b")
    tests = set((ROOT / "tests").rglob("test_*.py")) - set((ROOT / "tests/board").glob("*"))
    found = [test.relative_to(ROOT).as_posix() for test in tests if named.search(test.read_text())]
    return sorted(found, key=lambda test: (name not in test.split("/")[-1], "campaign" in test, test))


def _second(path: str) -> list[str]:
    """The folders of tests that a part of the tree has."""
    side, _, rest = path.partition("/")
    if side != "host":
        return ["tests/protocol", "tests/firmware", "tests/scenarios", "tests/link_failures", "tests/simulator"]
    wing = f"tests/host/{rest.split('/')[1]}"
    if (ROOT / wing).is_dir():
        return [wing]
    return sorted(test.relative_to(ROOT).as_posix() for test in (ROOT / "tests/host").glob("test_*.py"))


def _run(copy: Path, tests: list[str], *options: str) -> tuple[bool, list[str]]:
    """Run tests in the copy; return whether they passed, and what failed."""
    paths = [copy, copy / "protocol", copy / "firmware", copy / "simulator", copy / "host"]
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", *options]
    command += [f"--timeout={TEST_LIMIT_S}", "--ignore-glob=*browser*", *tests]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=RUN_LIMIT_S)
    except subprocess.TimeoutExpired:
        return True, []
    return done.returncode in (0, 5), re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)


def main(count: int, seed: int) -> int:
    """Try so many mutants; return 0 when every verdict counts."""
    survivors, killers, begun = 0, set[str](), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
        chosen = drawn(count, seed)
        for number, mutant in enumerate(chosen, 1):
            text = (ROOT / mutant.path).read_text()
            (copy / mutant.path).write_text(changed(mutant, text))
            verdict = "SURVIVED"
            for tests in (_first(mutant.path), _second(mutant.path)):
                if tests and not (passed := _run(copy, tests, "-x"))[0]:
                    verdict = "killed"
                    killers |= {test for test in passed[1] if "::" in test}
                    break
            (copy / mutant.path).write_text(text)
            row = text.splitlines()[mutant.line - 1]
            shown = (
                f"{row[: mutant.start]}[{row[mutant.start : mutant.end]} => {mutant.new}]{row[mutant.end :]}".strip()
            )
            print(f"{number:4} {verdict:8} {mutant.path}:{mutant.line}: {shown}", flush=True)
            survivors += verdict == "SURVIVED"
        share = f"killed {len(chosen) - survivors} of {len(chosen)}, {1 - survivors / max(1, len(chosen)):.1%}"
        print(f"{share}, seed {seed}, in {(time.monotonic() - begun) / 60:.0f} minutes")
        passed_all, failed = _run(copy, sorted(killers)) if killers else (True, [])
    if not passed_all:
        print("these fail without a mutant too, so what they killed does not count:", *failed, sep="\n")
    return 0 if passed_all else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
