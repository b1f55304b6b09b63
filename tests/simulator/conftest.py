"""One file of these tests computes with NumPy and SciPy, which `make quick` does not install."""

from pathlib import Path

import pytest

from tests import needs


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Leave that file out while they are missing."""
    return needs.module_of("test", module_path, parent) if module_path.name == "test_places.py" else None
