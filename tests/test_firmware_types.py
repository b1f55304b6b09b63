"""The type check of the firmware bites: it knows the board's library, and not CPython's."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import needs

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place for the code and for mypy's cache, so that the board's library is read once."""
    return tmp_path_factory.mktemp("types")


def check(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Type-check `code`, put into `folder`, with the settings that `make types` checks the firmware with."""
    needs.group("types")
    assert (ROOT / "typings").is_dir(), "the board's stubs are missing; run: make typings/.installed"
    file = folder / "driver.py"
    file.write_text(code)
    settings = ["--config-file", "tools/mypy-firmware.ini", "--cache-dir", str(folder)]
    return subprocess.run(
        [sys.executable, "-m", "mypy", *settings, str(file)], cwd=ROOT, capture_output=True, text=True, timeout=100
    )


def test_right_use_of_the_board_passes(folder: Path) -> None:
    finished = check(
        folder,
        "import time\nfrom machine import Pin\nled = Pin(25, Pin.OUT)\nled.value(1)\nnow_ms: int = time.ticks_ms()\n",
    )
    assert finished.returncode == 0, finished.stdout


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("from machine import Pin\nPin(25, Pin.OUTPUT)\n", 'has no attribute "OUTPUT"'),
        ("from machine import Pin\nPin(25, Pin.OUT).turn_on()\n", 'has no attribute "turn_on"'),
        ("from machine import WDT\nWDT(timeout='8 s')\n", "WDT"),
        ("import time\ntime.perf_counter()\n", 'has no attribute "perf_counter"'),
        ("import dataclasses\n", "dataclasses"),
    ],
)
def test_wrong_use_of_the_board_is_refused(folder: Path, code: str, complaint: str) -> None:
    finished = check(folder, code)
    assert finished.returncode == 1, finished.stderr
    assert complaint in finished.stdout
