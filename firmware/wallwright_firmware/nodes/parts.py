"""The registers of the parts that sort: 74HC595s for solenoids and holding places, a 74HC165 for the end switches.

They hang on the bus of the front ends. The 165's output goes to MISO through 1 k, so that a front end which is spoken
to is heard nevertheless. One pin is the latch of both: low lets the switches into the 165, and its rising edge shows on
the 595s what was shifted in. What front ends are told runs through the 595s too, so each latch comes right behind a
transfer of what is to be driven.

Register 0, which is wired to the Pico, drives solenoid n from Qn (`hardware.SCRAPER` and the next ones); registers 1
and 2, for holding places alone, have place n's "in" and "out" at bits 2n and 2n + 1. End switch n of the side is D n of
the 165 (`hardware.SCRAPER_BACK` and the next ones). D5 and D7 are tied high and D6 low: so a node knows that it has
these registers, and is a node that sorts.
"""

from wallwright_protocol.hardware import SORTER_SWITCHES_PER_SIDE

REGISTERS = 3
MARK = 0b101
"""What D5 to D7 say, the lowest first."""
_SWITCHES = (1 << SORTER_SWITCHES_PER_SIDE) - 1


class Parts:
    """`spi` is the bus of all front ends, `latch` and `enable` are pins."""

    def __init__(self, spi, latch, enable) -> None:
        self._spi = spi
        self._latch = latch
        self._enable = enable
        self._out = bytearray(REGISTERS)
        self._in = bytearray(REGISTERS)

    def are_there(self) -> bool:
        """Say whether this node has the registers."""
        self._exchange()
        return self._in[0] >> SORTER_SWITCHES_PER_SIDE == MARK

    def drive(self, drives: int, moves: int) -> None:
        """Switch solenoids and holding places, by the bits of a WORK."""
        out = self._out
        out[0], out[1], out[2] = moves >> 8, moves & 0xFF, drives
        self._exchange()
        self._enable(0)

    def switches(self) -> int:
        """Return which ends are reached, by the bits of a WORKED; none while the registers do not answer."""
        return self._in[0] & _SWITCHES if self.are_there() else 0

    def _exchange(self) -> None:
        """Show the outputs as they are to be, and take the switches at that moment."""
        self._spi.write_readinto(self._out, self._in)
        self._latch(0)
        self._latch(1)
        self._spi.write_readinto(self._out, self._in)
