"""The carrier's tests need SKiDL, which its command installs."""

from pathlib import Path

import pytest

from tests import needs


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Leave the modules out while it is missing."""
    return needs.module_of("carrier", module_path, parent)
