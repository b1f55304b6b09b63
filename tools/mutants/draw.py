"""Draws small changes of the code, each within a line."""

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PARTS = ("protocol/wallwright_protocol", "firmware/wallwright_firmware", "host/wallwright")
NOT_HERE = ("firmware/wallwright_firmware/boards/", "firmware/wallwright_firmware/main.py")  # run on a board only

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


def drawn(root: Path, count: int, seed: int) -> list[Mutant]:
    """Return so many mutants of the checkout at `root`, drawn from all."""
    every = [
        mutant
        for part in PARTS
        for file in sorted((root / part).rglob("*.py"))
        if not (path := file.relative_to(root).as_posix()).startswith(NOT_HERE)
        for mutant in mutants_of(path, file.read_text(encoding="utf-8"))
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


def shown(mutant: Mutant, text: str) -> str:
    """Return where it is and its line with the change in brackets."""
    row = text.splitlines()[mutant.line - 1]
    before, old, after = row[: mutant.start], row[mutant.start : mutant.end], row[mutant.end :]
    return f"{mutant.path}:{mutant.line}: " + f"{before}[{old} => {mutant.new}]{after}".strip()
