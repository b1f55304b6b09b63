"""The carrier's tests need SKiDL, which its command installs."""

from pathlib import Path
from typing import NoReturn

import pytest

from tests import needs


class WithoutPackages(pytest.Module):
    """A module of tests that cannot be imported."""

    def collect(self) -> NoReturn:
        """Leave it out."""
        needs.group("carrier")
        raise AssertionError("the packages are there")


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Put a module that says so in the place of one whose packages are missing."""
    return None if needs.has_group("carrier") else WithoutPackages.from_parent(parent, path=module_path)
