"""The name that the RP2040 and RP2350 give themselves."""

from unittest.mock import MagicMock

import pytest

from tests.firmware.on_chip import board_on


@pytest.mark.parametrize("number", [bytes.fromhex("e6614103e7452d2f"), bytes(8), bytes(range(0xF8, 0x100))])
def test_a_board_is_named_by_its_flash_chip_in_characters_that_the_protocol_allows(
    monkeypatch: pytest.MonkeyPatch, number: bytes
) -> None:
    """SPEC.md: 1 to 16 ASCII characters, 21 to 7E without 5C. The same digits are the serial number of its USB port."""
    machine = MagicMock()
    machine.unique_id.return_value = number
    machine.mem32 = {}
    machine.reset_cause.return_value = None
    unit = board_on(monkeypatch, machine).unit
    assert unit == number.hex().upper().encode()
    assert len(unit) == 16
