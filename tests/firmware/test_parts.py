"""The firmware's parts are given what they use: measured in its syntax trees, imports for types included.

A holder is a module that imports `app`, which only puts together. An arrow back leads, for types, from a module to one
that imports it when it runs. A circle is a set of modules that import each other, for types or not. A foreign write is
one to an attribute of something else than `self`: an assignment to it or to an item of it, a call that changes the
list, set or dictionary in it (but for `add`, which parts have as well), or a `setattr`. What a board's Python brings,
such as the registers in `machine`, is no module of the firmware.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "firmware" / "wallwright_firmware"
MOST_BACK = 4
WRITES = {
    "weeks: owner.name": "times stand in one table in flash; names in each class would take 464 bytes of the heap"
}
"""The foreign writes that there are, as `module: attribute`, and why."""
CHANGES = ("append", "clear", "discard", "extend", "insert", "pop", "remove", "reverse", "setdefault", "sort", "update")
MOST_TURNS = 10
"""Complexity of `App.poll`, counted as McCabe did."""
LARGE = 3
BRANCHES = (ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.comprehension, ast.Assert)

Trees = dict[str, ast.Module]
Arrows = dict[str, set[str]]


def trees() -> Trees:
    """Return the modules that a board loads by their names in the package."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text())
        for path in ROOT.rglob("*.py")
    }


def targets(module: str, node: ast.AST, known: set[str]) -> set[str]:
    """Return the modules of the package that an import statement of `module` names."""
    if not isinstance(node, ast.ImportFrom) or not node.level:
        return set()
    base = [*module.split(".")[: -node.level], *(node.module.split(".") if node.module else [])]
    return {".".join(base), *(".".join([*base, alias.name]) for alias in node.names)} & known


def arrows(modules: Trees) -> tuple[Arrows, Arrows]:
    """Return what each module imports when it runs, and what for types alone."""
    runs: Arrows = {name: set() for name in modules}
    types: Arrows = {name: set() for name in modules}
    for name, tree in modules.items():
        checked = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            into = types if id(node) in checked else runs
            into[name] |= targets(name, node, set(modules))
    return runs, types


def reached(graph: Arrows, start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def holders(modules: Trees) -> set[str]:
    runs, types = arrows(modules)
    return {name for name in modules if "app" in runs[name] | types[name]}


def back(modules: Trees) -> set[tuple[str, str]]:
    runs, types = arrows(modules)
    return {(low, high) for low in modules for high in types[low] - runs[low] if low in reached(runs, high)}


def circles(modules: Trees) -> list[set[str]]:
    runs, types = arrows(modules)
    graph = {name: runs[name] | types[name] for name in modules}
    far = {name: reached(graph, name) for name in modules}
    sets = {frozenset(other for other in far[name] if name in far[other]) for name in modules if name in far[name]}
    return [set(each) for each in sets]


def foreign_writes(tree: ast.AST) -> Iterator[str]:
    """Return the foreign writes of a module."""
    brought = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    for node in ast.walk(tree):
        written: ast.expr | None = None
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            written = node
        elif isinstance(node, ast.Attribute) and node.attr in CHANGES:
            written = node.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "setattr":
            written = ast.Attribute(node.args[0], ast.unparse(node.args[1]).strip("'"))
        while isinstance(written, ast.Subscript):
            written = written.value
        if isinstance(written, ast.Attribute) and ast.unparse(written.value) not in {"self", *brought}:
            yield ast.unparse(written)


def complexity(function: ast.AST) -> int:
    branches = sum(isinstance(node, BRANCHES) for node in ast.walk(function))
    return 1 + branches + sum(len(node.values) - 1 for node in ast.walk(function) if isinstance(node, ast.BoolOp))


def function(modules: Trees, module: str, name: str) -> ast.AST:
    return next(node for node in ast.walk(modules[module]) if isinstance(node, ast.FunctionDef) and node.name == name)


def test_no_part_takes_the_app_whole() -> None:
    assert holders(trees()) == set()


def test_hardly_any_part_knows_the_ones_above_it() -> None:
    assert len(back(trees())) <= MOST_BACK, back(trees())


def test_no_large_circle_of_types() -> None:
    assert [circle for circle in circles(trees()) if len(circle) > LARGE] == []


def test_a_poll_is_a_table_of_turns() -> None:
    modules = trees()
    found = {name: complexity(function(modules, "app", name)) for name in ("poll", "_take", "_act", "_end", "_do_one")}
    assert found["poll"] <= MOST_TURNS
    assert max(found.values()) <= MOST_TURNS + 2, found


def written(modules: Trees) -> list[str]:
    """Return the foreign writes of all modules, as `module: attribute`."""
    return sorted(f"{name}: {target}" for name, tree in modules.items() for target in foreign_writes(tree))


def test_no_part_writes_into_another() -> None:
    assert written(trees()) == sorted(WRITES)


@pytest.mark.parametrize(
    ("module", "before", "after", "found"),
    [
        ("drivers.lane", "self.belt.see(level)", "self.belt.queue = level", "self.belt.queue"),
        ("drivers.lane", "head.push(at_ms)", "head.vanes |= PUSHED", "head.vanes"),
        ("line", "node.answered(now_ms)", "node.misses = 0", "node.misses"),
        ("line", "node.see(number, tag, there)", "node.tags[number].discard(tag)", "node.tags"),
        ("build", "lane.want(", "lane.wanted = (", "lane.wanted"),
        ("tag_ring", "return TagRing(", "self._old._pages[0][0:2] = (", "self._old._pages"),
        ("cycle", "build.tell(self)", "setattr(build, 'owner', self)", "build.owner"),
        ("app", "self.cycle.begin_poll(now_ms)", "del self.cycle.now_ms", "self.cycle.now_ms"),
    ],
)
def test_one_more_write_in_the_firmware_is_found(module: str, before: str, after: str, found: str) -> None:
    source = (ROOT / (module.replace(".", "/") + ".py")).read_text()
    assert source.count(before) == 1
    modules = trees() | {module: ast.parse(source.replace(before, after))}
    assert written(modules) == sorted([*WRITES, f"{module}: {found}"])


LOWER = "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from .{above} import Above\n"


@pytest.mark.parametrize(
    ("sources", "seen"),
    [
        ({"app": "from . import low\n", "low": LOWER.format(above="app")}, ({"low"}, {("low", "app")}, 1)),
        ({"app": "", "low": "from .app import App\n"}, ({"low"}, set(), 0)),
        ({"app": "from .low import Low\n", "low": "import struct\n"}, (set(), set(), 0)),
        (
            {"app": "", "high": "from .low import Low\n", "low": LOWER.format(above="high")},
            (set(), {("low", "high")}, 1),
        ),
    ],
)
def test_what_is_forbidden_is_seen(sources: dict[str, str], seen: tuple[set[str], set[tuple[str, str]], int]) -> None:
    modules = {name: ast.parse(source) for name, source in sources.items()}
    assert (holders(modules), back(modules), len(circles(modules))) == seen


def test_writes_into_others_and_branches_are_seen() -> None:
    source = (
        "import chip\n"
        "def f(self, other):\n    self.a = self.b[0] = chip.h[1] = 1\n    other.c = other.d[2] = 3\n    self.e.g += 4\n"
        "    if self.a and other.c or other.d:\n        return [1 for _ in self.b]\n"
    )
    tree = ast.parse(source)
    assert sorted(foreign_writes(tree)) == ["other.c", "other.d", "self.e.g"]
    assert complexity(tree) == 5
