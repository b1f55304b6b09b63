"""The board's own modules on a chip that is made up: `machine` is a test's, and nothing is sampled."""

import importlib
import os
import sys
import time
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

PICO, PICO_2 = "Raspberry Pi Pico with RP2040", "Raspberry Pi Pico 2 with RP2350"
BOARDS = "wallwright_firmware.boards"
HOLD_MACHINE = ("board", "hardware_tests", "line_port", "measure", "pump", "rp2", "rp2040", "rp2350", "sampler", "uart")


def board_on(patch: pytest.MonkeyPatch, machine: Any, name: str = PICO) -> Any:
    """Return a board that was made, and has not begun, on the chip whose MicroPython gives itself this name."""
    for module in HOLD_MACHINE:
        patch.delitem(sys.modules, f"{BOARDS}.{module}", raising=False)
    patch.setitem(sys.modules, "machine", machine)
    for module in ("hardware_tests", "pump", "sampler"):
        patch.setitem(sys.modules, f"{BOARDS}.{module}", MagicMock())
    patch.setattr(os, "uname", lambda: SimpleNamespace(machine=name), raising=False)
    patch.setattr(time, "ticks_ms", lambda: 0, raising=False)
    return importlib.import_module(f"{BOARDS}.board").Board(importlib.import_module(f"{BOARDS}.rp2"))
