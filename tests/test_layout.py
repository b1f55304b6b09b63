"""The project's parts import each other in one direction only, and what they import is declared.

    protocol <- firmware <- simulator        protocol <- host        rules: words, text_files

The host finds the simulator by name, in one place, when a simulated port is asked for.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]

# Folder of a part -> (its package, the packages of ours that it may import).
PARTS = {
    "protocol": ("wallwright_protocol", {"wallwright_protocol"}),
    "firmware": ("wallwright_firmware", {"wallwright_protocol", "wallwright_firmware"}),
    "simulator": ("wallwright_simulator", {"wallwright_protocol", "wallwright_firmware", "wallwright_simulator"}),
    "host": ("wallwright", {"wallwright_protocol", "wallwright"}),
}
OURS = {package for package, _ in PARTS.values()}
BOARD_CODE = ("firmware/_boot.py", "firmware/main.py", "firmware/node.py", "firmware/wallwright_firmware/boards/")
BOARD_MODULES = {"machine", "rp2", "time", "utime", "asyncio", "uasyncio"}
RULES = "host/wallwright/rules/"
RULES_STAND_ON = {"wallwright.rules", "wallwright.text_files", "wallwright.words"}
# What is not in the core install: the first is there in a checkout alone, the others belong to the extras `study`,
# `entropy` and `season`.
STUDY = {"distributed", "matplotlib", "numpy", "scipy"}
EXTRAS = {
    "host/wallwright/console/catalogs.py": {"babel"},
    "host/wallwright/study/": STUDY,
    "host/wallwright/entropy/": {"numpy", "scipy"},
    "host/wallwright/season/": {"duckdb", "matplotlib", "numpy", "openskill", "pypinyin", "rapidfuzz"},
    "simulator/wallwright_simulator/many_drums.py": STUDY,
    "simulator/wallwright_simulator/vm/inside.py": {"wallwright_dictionary"},
}
# The host's only door to the simulator.
NAMES_THE_SIMULATOR = "host/wallwright/link/simulator.py"
LONG = 400

SKIPPED_FOLDERS = {"__pycache__", "typings", "build", "dist"}
# Written in two parts, so that this file passes its own check.
FORBIDDEN_TEXT = {
    "a note to oneself": re.compile(r"\b(TO" + r"DO|FIX" + r"ME)\b"),
    "a word of the workshop": re.compile(r"\bissue #?\d|\bsha" + r"red/(design|rules|hooks)"),
    "a path of somebody's machine": re.compile(r"(?<![\w.~}\])-])/(wo" + r"rk|far" + r"m|ro" + r"ot|tm" + r"p)/"),
}


def project_files() -> Iterator[Path]:
    """Every file of the checkout but what the Makefile's commands make."""
    folders = [ROOT]
    while folders:
        for path in sorted(folders.pop().iterdir()):
            hidden = path.name.startswith(".") and path.name != ".ci"
            if path.is_dir() and not hidden and path.name not in SKIPPED_FOLDERS:
                folders.append(path)
            elif path.is_file() and path.name != ".git":
                yield path


def python_files(folder: str) -> list[Path]:
    return [path for path in project_files() if path.suffix == ".py" and path.is_relative_to(ROOT / folder)]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: str, source: str) -> set[str]:
    """The absolute names of all modules that `source`, the text of file `path`, imports at any level."""
    folder = PurePosixPath(path).parent.parts[1:]
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module or "")
        elif isinstance(node, ast.ImportFrom):
            base = folder[: len(folder) - node.level + 1]
            found |= {".".join([*base, node.module or alias.name]) for alias in node.names}
    return found


def import_faults(path: str, source: str) -> list[str]:
    """What the imports of file `path` do against the layout, as sentences."""
    part = path.split("/")[0]
    allowed = RULES_STAND_ON if path.startswith(RULES) else PARTS[part][1]
    faults = []
    for module in sorted(imports(path, source)):
        top = module.split(".")[0]
        within = any(module == package or module.startswith(package + ".") for package in allowed)
        if top in OURS and not within:
            faults.append(f"{path} imports {module}")
        if top in BOARD_MODULES and part in {"protocol", "firmware"} and not path.startswith(BOARD_CODE):
            faults.append(f"{path} imports {module}, which only the board's own code may")
        if part in {"simulator", "host"} and top not in OURS | sys.stdlib_module_names | third_party(path):
            faults.append(f"{path} imports {module}, which pyproject.toml does not have the core install")
    return faults


def third_party(path: str) -> set[str]:
    """The top-level modules from elsewhere that file `path` may import."""
    extras = {module for place, modules in EXTRAS.items() if path.startswith(place) for module in modules}
    return extras | (set() if path.startswith(RULES) else core_modules())


@cache
def core_modules() -> set[str]:
    """The top-level modules of the distributions that pyproject.toml has the core install."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    distributions = {re.split(r"[^\w-]", line)[0].lower() for line in declared}
    return {top for top, owners in packages_distributions().items() if distributions & {o.lower() for o in owners}}


def named_packages(source: str) -> set[str]:
    """Those of our packages whose name, or a module's of theirs, is a string in `source`: for a dynamic import."""
    words = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    modules = [word.split(".")[0] for word in words if isinstance(word, str) and re.fullmatch(r"\w+(\.\w+)*", word)]
    return OURS & set(modules)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_imports_only_what_it_stands_on(part: str) -> None:
    files = python_files(part)
    assert any(PARTS[part][0] in path.parts for path in files), f"{part}/ has no package {PARTS[part][0]}"
    assert [fault for path in files for fault in import_faults(name(path), path.read_text())] == []


def test_rules_are_among_the_files_checked() -> None:
    assert any(name(path).startswith(RULES) for path in python_files("host"))


def test_the_host_names_the_simulator_in_one_place() -> None:
    naming = [
        name(path)
        for path in python_files("host")
        if named_packages(path.read_text()) & {"wallwright_simulator", "wallwright_firmware"}
    ]
    assert naming == [NAMES_THE_SIMULATOR]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("protocol/wallwright_protocol/frame.py", "import wallwright_firmware"),
        ("protocol/wallwright_protocol/frame.py", "import time"),
        ("firmware/wallwright_firmware/app.py", "def f():\n    import machine\n"),
        ("firmware/wallwright_firmware/drivers/lane.py", "from asyncio import sleep_ms"),
        ("firmware/wallwright_firmware/app.py", "from wallwright_simulator.world import World"),
        ("simulator/wallwright_simulator/world.py", "from wallwright import rules"),
        ("simulator/wallwright_simulator/world.py", "import machine"),
        ("simulator/wallwright_simulator/world.py", "import numpy"),
        ("simulator/wallwright_simulator/chip/simulation.py", "import unicorn"),
        ("host/wallwright/cli/__init__.py", "def f():\n    import wallwright_simulator.serve\n"),
        ("host/wallwright/cli/__init__.py", "import pytest"),
        ("host/wallwright/rules/deal.py", "from wallwright.errors import WallwrightError"),
        ("host/wallwright/rules/deal.py", "from ..errors import WallwrightError"),
        ("host/wallwright/rules/deal.py", "from .. import journal"),
        ("host/wallwright/rules/deal.py", "import numpy as np"),
        ("host/wallwright/rules/deal.py", "import rich"),
        ("host/wallwright/console/texts.py", "import babel"),
    ],
)
def test_a_wrong_import_is_seen(path: str, source: str) -> None:
    assert len(import_faults(path, source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("firmware/main.py", "import machine, time\nfrom wallwright_firmware.boards import rp2"),
        ("firmware/wallwright_firmware/boards/board.py", "from machine import Pin\nfrom ..hal import Hal"),
        ("firmware/wallwright_firmware/app.py", "from .events import Ring\nfrom wallwright_protocol import codes"),
        ("simulator/wallwright_simulator/urls/protocol_sim.py", "import serial\nfrom ..simulation import Simulation"),
        (
            "host/wallwright/cli/__init__.py",
            "import typer, time, sqlalchemy.orm\nfrom wallwright_protocol.frame import encode",
        ),
        ("host/wallwright/rules/deal.py", "from .tiles import parse_tiles\nfrom . import wall\nimport dataclasses"),
    ],
)
def test_a_right_import_passes(path: str, source: str) -> None:
    assert import_faults(path, source) == []


def test_a_dynamic_import_is_seen_and_prose_is_not() -> None:
    source = '"""See wallwright_firmware, please."""\nload("wallwright_simulator.serve")\nload("wallwright_protocol")'
    assert named_packages(source) == {"wallwright_simulator", "wallwright_protocol"}


def test_no_file_is_too_long_to_read() -> None:
    lengths = {name(path): len(path.read_text().splitlines()) for path in project_files() if path.suffix == ".py"}
    assert len(lengths) > 20
    assert {path for path, lines in lengths.items() if lines > LONG} == {"docs/headers/wallwright_wire.py"}, "written"


@pytest.mark.parametrize("what", FORBIDDEN_TEXT)
def test_no_file_contains(what: str) -> None:
    found = []
    for path in project_files():
        try:
            lines = path.read_text().splitlines()
        except UnicodeDecodeError:
            continue  # not a text
        found += [f"{name(path)}:{n}" for n, line in enumerate(lines, 1) if FORBIDDEN_TEXT[what].search(line)]
    assert found == [], f"{what} in {', '.join(found)}"


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("a note to oneself", "# TO" + "DO: later"),
        ("a word of the workshop", "see issue" + " #2"),
        ("a path of somebody's machine", "cd /ro" + "ot/x"),
        ("a path of somebody's machine", "'/wo" + "rk/main'"),
    ],
)
def test_forbidden_text_is_seen(what: str, line: str) -> None:
    assert FORBIDDEN_TEXT[what].search(line)
