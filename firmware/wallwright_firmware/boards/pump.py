"""Edges for the charge pump that holds the motors' supply: a state machine of the PIO makes them, so many and no more.

The pump knows nothing of a program: it holds a contact while edges come, and lets go 51 to 74 ms after the last one.
One word in the FIFO is one pulse, which a healthy turn of the loop asks for. While the flash is erased, 400 ms at the
worst, the CPU stands still; one word then asks for MOST pulses, and six bits of it are all that the state machine
takes. Whatever the program does, edges so end MOST_MS after its last word.
"""

import machine
import rp2

from .pins import PIN_PUMP
from .pio import pulses

PULSES = 4
"""Number of the state machine: the first one of PIO 1, whose memory nobody else uses."""
HZ = 4000
"""Near the slowest that a PIO steps: 28 steps are a pulse of 7 ms, 3.5 of them high."""
MOST = 64
MOST_MS = 448


class Pump:
    """The pin of the pump, low until the first pulse."""

    def __init__(self) -> None:
        self._pin = machine.Pin(PIN_PUMP)
        self._machine = rp2.StateMachine(PULSES, pulses, freq=HZ, set_base=self._pin)
        self.end()

    def pulse(self) -> None:
        """Ask for one pulse, unless one waits."""
        if not self._machine.tx_fifo():
            self._machine.put(0)

    def bridge(self) -> None:
        """Ask for pulses for MOST_MS, in which the program may stand still."""
        if self._machine.tx_fifo() < 2:
            self._machine.put(MOST - 1)

    def end(self) -> None:
        """Forget all pulses that were asked for; the next word is the next pulse."""
        self._machine.init(pulses, freq=HZ, set_base=self._pin)
        self._machine.active(1)

    def stop(self) -> None:
        """Make no pulse any more."""
        self._machine.active(0)
