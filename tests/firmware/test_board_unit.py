"""The name that the RP2040 and RP2350 give themselves."""

import os
import runpy
import sys
import time
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest


@pytest.mark.parametrize("number", [bytes.fromhex("e6614103e7452d2f"), bytes(8), bytes(range(0xF8, 0x100))])
def test_a_board_is_named_by_its_flash_chip_in_characters_that_the_protocol_allows(
    monkeypatch: pytest.MonkeyPatch, number: bytes
) -> None:
    """SPEC.md: 1 to 16 ASCII characters, 21 to 7E without 5C. The same digits are the serial number of its USB port."""
    machine = MagicMock()
    machine.unique_id.return_value = number
    machine.mem32 = {}
    machine.reset_cause.return_value = None
    monkeypatch.setitem(sys.modules, "machine", machine)
    monkeypatch.setitem(sys.modules, "wallwright_firmware.boards.sampler", MagicMock())
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine="Raspberry Pi Pico with RP2040"), raising=False)
    monkeypatch.setattr(time, "ticks_ms", lambda: 0, raising=False)
    unit = runpy.run_module("wallwright_firmware.boards.rp2")["Board"]().unit
    assert unit == number.hex().upper().encode()
    assert len(unit) == 16
