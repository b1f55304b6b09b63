"""A plugin of pytest: appends `time TAB seconds TAB test` to $WALLWRIGHT_REACHED, or `failed` in the seconds' place."""

import os
from pathlib import Path

import pytest


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write what a phase of a test took."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        with Path(os.environ["WALLWRIGHT_REACHED"]).open("a", encoding="utf-8") as file:
            file.write(f"time\t{'failed' if report.outcome != 'passed' else report.duration}\t{report.nodeid}\n")
