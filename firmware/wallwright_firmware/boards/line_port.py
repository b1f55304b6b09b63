"""UART 1 and the RS-485 transceiver: what `line` needs of a serial port, on the board and on a node.

The transceiver drives the line only while a frame goes out, and listens else; its enable has the chip's pull-down from
reset on, so that a board or a node without a program disturbs nobody.
"""

import machine

from wallwright_protocol.line import BAUD

from .chip import CHIP
from .pins import PIN_LINE_ENABLE, PIN_LINE_RX, PIN_LINE_TX
from .uart import Port

BUFFER = 256
"""Bytes that wait at the most: four of the longest answers."""
BUSY = 1 << 3
"""A byte is still on its way, stop bit included."""
LOOKS = 500
"""At the flags, at the most; each takes some 10 us, and the longest frame 1.2 ms."""


class LinePort(Port):
    """The board's port to the line, or a node's."""

    def __init__(self) -> None:
        self._enable = machine.Pin(PIN_LINE_ENABLE, machine.Pin.OUT, value=0)
        super().__init__(1, BAUD, PIN_LINE_TX, PIN_LINE_RX, BUFFER)
        self._flags = CHIP.LINE_FLAGS

    def send(self, frame: bytes) -> None:
        """Drive the line for the length of a frame: 0.2 to 0.5 ms for a question, 1.2 for the longest answer."""
        self._enable(1)
        self.write(frame)
        memory = machine.mem32
        flags = self._flags
        for _ in range(LOOKS):
            if not memory[flags] & BUSY:
                break
        self._enable(0)
