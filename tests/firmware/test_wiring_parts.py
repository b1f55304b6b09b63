"""The parts of the carrier in a map: a board is told of them before it drives anything."""

import pytest

from tests.firmware.test_wiring import INPUTS, Wired, record
from wallwright_firmware.hal import WIRING_SLOT
from wallwright_firmware.wiring import Wiring
from wallwright_protocol.hardware import PUMPED, READS_BACK, SENSED, STANDARD_PARTS


class Telling(Wired):
    """A board that notes which parts it is told of, and what was driven before."""

    def __init__(self, inputs: "list[int]", stored: bytes) -> None:
        super().__init__(inputs, stored)
        self.told: list[tuple[int, int]] = []

    def use_parts(self, parts: int) -> None:
        self.told.append((parts, len(self.driven)))


@pytest.mark.parametrize("parts", [0, READS_BACK, READS_BACK | SENSED, PUMPED, STANDARD_PARTS])
def test_a_board_is_told_the_parts_of_its_carrier_before_it_drives_anything(parts: int) -> None:
    board = Telling(list(range(INPUTS)), record(lanes=15 | parts))
    wiring = Wiring(board)
    assert board.told == [(parts, 0)]
    assert (wiring.parts, wiring.lanes) == (parts, 15)
    wiring.disconnect()
    assert [told for told, _ in board.told] == [parts, 0]
    assert wiring.parts == 0


def test_a_table_that_has_built_walls_without_a_map_has_no_such_parts() -> None:
    board = Telling(list(range(INPUTS)), b"")
    assert Wiring(board).adopt_standard()
    assert [told for told, _ in board.told] == [0, 0]
    assert board.slots[WIRING_SLOT] == record()
