"""The UART of the line and its RS-485 transceiver: what `line` needs of a serial port, on the board and on a node.

The transceiver drives the line only while a frame goes out, and listens else; its enable is pulled down from reset on,
so that a board or a node without a program disturbs nobody.
"""

import machine

from wallwright_protocol.line import BAUD

from .uart import Port

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from ..hal import Hal
    from ..line import Line
    from .chip import Chip

BUFFER = 256
"""Bytes that wait at the most: four of the longest answers."""
LOOKS = 500
"""At whether all is sent, at the most; each takes some 10 us, and the longest frame 1.2 ms."""


class LinePort(Port):
    """The board's port to the line, or a node's: a UART's number, and the module that has its pins."""

    def __init__(self, number: int, pins: "ModuleType") -> None:
        self._enable = machine.Pin(pins.PIN_LINE_ENABLE, machine.Pin.OUT, value=0)
        super().__init__(number, BAUD, pins.PIN_LINE_TX, pins.PIN_LINE_RX, BUFFER)

    def send(self, frame: bytes) -> None:
        """Drive the line for the length of a frame: 0.2 to 0.5 ms for a question, 1.2 for the longest answer."""
        self._enable(1)
        self.write(frame)
        is_sent = self.is_sent
        for _ in range(LOOKS):
            if is_sent():
                break
        self._enable(0)


def open_line(board: "Hal", chip: "Chip", known: int) -> "tuple[Line, tuple[int, ...]]":
    """Return the line of a board that knows these nodes, and its sorter; nodes sort where the map has a sorter."""
    from ..hal import WIRING_SLOT
    from ..line import Line
    from ..wiring import UNSORTED, body_in, sorter_of

    port = LinePort(chip.LINE_UART, chip.PINS)
    sorter = sorter_of(body_in(board.load(WIRING_SLOT)))
    if sorter == UNSORTED:
        return Line(port, known), ()
    from ..line_sorter import SortingLine

    return SortingLine(port, known), tuple(sorter)
