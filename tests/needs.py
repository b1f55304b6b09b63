"""What tests need of the machine and of groups of packages; the end of a run names what was left out for lack of it.

In CI, which sets WALLWRIGHT_COMPLETE, they fail instead.
"""

import importlib.util
import os
from collections import Counter
from typing import NoReturn

import pytest

from tools.programs import COMPLETE, find, how_to_install

GROUPS = {"carrier": "skidl", "docs": "mkdocs", "types": "mypy"}
"""A group of pyproject.toml, which is the name of its command too -> a module that it alone brings."""


def program(name: str) -> str:
    """Where that program of `tools.programs` is; a test without it is left out."""
    return find(name) or _leave_out(f"not run, for {name} is missing: {how_to_install(name)}")


def has_group(name: str) -> bool:
    """Whether the packages of that group are installed."""
    return importlib.util.find_spec(GROUPS[name]) is not None


def group(name: str) -> None:
    """Leave a test out, or a whole module that is being collected, unless that group is installed."""
    if not has_group(name):
        _leave_out(f"not run, for packages are missing: make {name}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests, or whole modules of them, were left out for each reason."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", []))
    if reasons:
        terminalreporter.section("left out")
    for reason, count in reasons.most_common():
        terminalreporter.line(f"{count} {reason.removeprefix('Skipped: ')}")


def _leave_out(why: str) -> NoReturn:
    if os.environ.get(COMPLETE):
        pytest.fail(why, pytrace=False)
    pytest.skip(why, allow_module_level=True)
