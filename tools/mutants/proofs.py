"""Changes both verifiers of proofs in small ways, and prints the changes that no case of docs/proofs.md notices.

    .venv-dev/bin/python -m tools.mutants.proofs javascript  static/verdict.js, and what else the pages need
    .venv-dev/bin/python -m tools.mutants.proofs python      wallwright.season.verdict, and what it asks

A change is noticed when the verdict about a case is another one, or none. Functions that no case reaches take no part.
Whether a change that is left accepts anything false is for a person to judge.
"""

import ast
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from tests.proofs import all_cases
from tools.mutants import javascript
from tools.mutants.draw import Mutant, changed, mutants_of, shown

ROOT = Path(__file__).parents[2]
STATIC = "host/wallwright/console/static"
SCRIPTS = ("proofs.js", "ed25519.js", "verdict.js")
MODULES = (
    "wallwright.system.signatures",
    "wallwright.journal.checkpoint",
    "wallwright.journal.proofs",
    "wallwright.season.extract_file",
    "wallwright.season.extract_rows",
    "wallwright.season.extract_check",
    "wallwright.season.verdict",
)
"""In the order in which they import each other."""
LIMIT_S = 60


def in_javascript() -> list[Mutant]:
    """Return every mutant of the scripts."""
    paths = [f"{STATIC}/{name}" for name in SCRIPTS]
    return [mutant for path in paths for mutant in javascript.mutants_of(path, _text(path))]


def in_python(cases: Sequence[Any]) -> list[Mutant]:
    """Return every mutant of the modules that is in a function which cases reach, or outside of functions."""
    called = _called(cases)
    found = []
    for name in MODULES:
        path, text = _path(name), _text(_path(name))
        functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        idle = [node for node in functions if not any((path, line) in called for line in _heads(node))]
        lines = {line for node in idle for line in range(node.lineno, (node.end_lineno or 0) + 1)}
        found += [one for one in (*mutants_of(path, text), *_conditions(path, text)) if one.line not in lines]
    return found


def left_in_javascript(mutants: Sequence[Mutant], cases: Sequence[Any]) -> Iterator[Mutant]:
    """Yield the mutants of scripts that change no verdict about the cases."""
    texts = {name: _text(f"{STATIC}/{name}") for name in SCRIPTS}
    names = [one.path.rpartition("/")[2] for one in mutants]
    tried = [{"script": name, "changed": changed(one, texts[name])} for name, one in zip(names, mutants, strict=True)]
    given = {"scripts": texts, "cases": cases, "mutants": tried}
    node = shutil.which("node")
    assert node is not None, "run: make programs"
    command = [node, str(Path(__file__).with_name("verdicts.js"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(given))
        process.stdin.close()
        yield from (one for one, line in zip(mutants, process.stdout, strict=True) if not line.strip())


def left_in_python(mutants: Sequence[Mutant], cases: Sequence[Any]) -> Iterator[Mutant]:
    """Yield the mutants of modules that change no verdict about the cases."""
    names = {_path(name): name for name in MODULES}
    wanted = [importlib.import_module(MODULES[-1]).verify(case) for case in cases]
    yield from (one for one in mutants if _is_same(names[one.path], changed(one, _text(one.path)), cases, wanted))


def main(language: str) -> int:
    """Try all mutants, and print those that are left."""
    cases = [one["case"] for one in all_cases()]
    # In this order a change is noticed early, whatever it is about.
    Random(0).shuffle(cases)
    mutants = in_javascript() if language == "javascript" else in_python(cases)
    count = 0
    for mutant in (left_in_javascript if language == "javascript" else left_in_python)(mutants, cases):
        print("left", shown(mutant, _text(mutant.path)), flush=True)
        count += 1
    print(f"{len(mutants)} mutants of the verifier in {language}: {count} change no verdict about {len(cases)} cases")
    return 0


def _path(name: str) -> str:
    return f"host/{name.replace('.', '/')}.py"


@cache
def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def _heads(node: ast.FunctionDef) -> range:
    """Return the lines on which the code of a function may be said to begin: its own, or that of a decorator."""
    return range(min([node.lineno, *(one.lineno for one in node.decorator_list)]), node.lineno + 1)


def _called(cases: Sequence[Any]) -> set[tuple[str, int]]:
    """Return path and first line of each function that is called while cases are verified."""
    found = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            found.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

    verify = importlib.import_module(MODULES[-1]).verify
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        for case in cases:
            verify(case)
    finally:
        sys.setprofile(before)
    return {(Path(file).relative_to(ROOT).as_posix(), line) for file, line in found if file.startswith(f"{ROOT}/host")}


def _conditions(path: str, text: str) -> Iterator[Mutant]:
    """Go through conditions that are taken away: operands of `and` and `or`, and tests of `if`."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.BoolOp):
            put = [(one, "True" if isinstance(node.op, ast.And) else "False") for one in node.values]
        elif isinstance(node, ast.If | ast.IfExp):
            put = [(node.test, "True"), (node.test, "False")]
        else:
            continue
        for one, value in put:
            if one.lineno == one.end_lineno:
                row = lines[one.lineno - 1].encode()
                start, end = len(row[: one.col_offset].decode()), len(row[: one.end_col_offset].decode())
                yield Mutant(path, one.lineno, start, end, f"({value})")


def _is_same(name: str, text: str, cases: Sequence[Any], wanted: list[Any]) -> bool:
    """Say whether a changed module gives all verdicts that the unchanged one has given; it runs in a fork."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            signal.alarm(LIMIT_S)
            module = importlib.import_module(name)
            exec(compile(text, str(module.__file__), "exec"), module.__dict__)
            for later in MODULES[MODULES.index(name) + 1 :]:
                importlib.reload(importlib.import_module(later))
            verify = importlib.import_module(MODULES[-1]).verify
            code = 0 if all(verify(case) == verdict for case, verdict in zip(cases, wanted, strict=True)) else 1
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
