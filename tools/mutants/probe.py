"""Puts a probe before what a mutant changes, so that one run of the tests tells which of them reach it.

A mutant in a function has its probe before the statement. What is made when a module is imported has one in every
function of the module, for only a test that calls something there can tell. Nothing is probed in a module without
functions.
"""

import ast
from collections.abc import Iterator

from tools.mutants.draw import Mutant

Function = ast.FunctionDef | ast.AsyncFunctionDef


def probed(text: str, mutants: dict[int, Mutant]) -> str:
    """Return the module with a call `_reached(NUMBER)` for each mutant."""
    lines = text.splitlines(keepends=True)
    tree = ast.parse(text)
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    calls: dict[int, list[str]] = {}
    for number, mutant in mutants.items():
        for line, column in _places(statements, lines, mutant.line) or _heads(statements, lines):
            calls.setdefault(line, []).append(f"{' ' * column}_reached({number})\n")
    return "".join(row for number, line in enumerate(lines, 1) for row in (*calls.get(number, ()), line))


def _places(statements: list[ast.stmt], lines: list[str], line: int) -> list[tuple[int, int]]:
    """Where the innermost statement of a function begins that has the line; nothing outside functions."""
    around = sorted(
        (node for node in statements if node.lineno <= line <= (node.end_lineno or 0)),
        key=lambda node: (node.lineno, -(node.end_lineno or 0)),
    )
    outer = next((index for index, node in enumerate(around) if isinstance(node, Function)), len(around))
    return [place for node in around[outer + 1 :] for place in _begin(node, lines)][-1:]


def _heads(statements: list[ast.stmt], lines: list[str]) -> list[tuple[int, int]]:
    """Where the code of each function begins."""
    functions = [node for node in statements if isinstance(node, Function)]
    bodies = [node.body[ast.get_docstring(node) is not None :] for node in functions]
    return [place for body in bodies if body for place in _begin(body[0], lines)]


def _begin(node: ast.stmt, lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield line and column where a line can be put before a statement, if there is such a place."""
    first: ast.expr | ast.stmt = node
    if isinstance(node, Function | ast.ClassDef) and node.decorator_list:
        first = node.decorator_list[0]
    row = lines[first.lineno - 1]
    if not row[: node.col_offset].strip() and not row[node.col_offset :].startswith("elif"):
        yield first.lineno, node.col_offset
