"""Programs and packages that tests need; the end of a run names the tests that were left out for lack of them.

In CI, which sets WALLWRIGHT_COMPLETE, they fail instead.
"""

import importlib.util
import os
from collections import Counter
from pathlib import Path
from typing import NoReturn

import pytest

from tools.programs import COMPLETE, find, how_to_install

GROUPS = {"carrier": "skidl", "docs": "mkdocs", "test": "scipy", "types": "mypy"}
"""A group of pyproject.toml, which is the name of its command too -> a module that it alone brings."""


def program(name: str) -> str:
    """Return the path of that program of `tools.programs`; leave the test out where it is missing."""
    return find(name) or leave_out(f"not run, for {name} is missing: {how_to_install(name)}")


def has_group(name: str) -> bool:
    """Whether the packages of that group are installed."""
    return importlib.util.find_spec(GROUPS[name]) is not None


def group(name: str) -> None:
    """Leave a test out unless that group is installed."""
    if not has_group(name):
        leave_out(_missing(name))


class _WithoutPackages(pytest.Module):
    """A module of tests that cannot be imported."""

    needed = ""

    def collect(self) -> NoReturn:
        """Leave it out."""
        leave_out(_missing(self.needed))


def module_of(name: str, path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Return a module that is left out in place of one that lacks the packages of a group; None if they are there."""
    if has_group(name):
        return None
    stand_in = _WithoutPackages.from_parent(parent, path=path)
    stand_in.needed = name
    return stand_in


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests, or whole modules of them, were left out for each reason."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", []))
    if reasons:
        terminalreporter.section("left out")
    for reason, count in reasons.most_common():
        terminalreporter.line(f"{count} {reason.removeprefix('Skipped: ')}")


def _missing(group: str) -> str:
    return f"not run, for packages are missing: make {group}"


def leave_out(why: str) -> NoReturn:
    """Leave a test out, or the module that is being imported; in CI it fails."""
    if os.environ.get(COMPLETE):
        pytest.fail(why, pytrace=False)
    pytest.skip(why, allow_module_level=True)
