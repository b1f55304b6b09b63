"""The chips of MicroPython's port `rp2`, on the pins of a Pico: what `chip` asks for.

The registers are in `rp2040` and `rp2350`, of which one is loaded. While a sector of the flash is erased the CPU stands
still, and a UART keeps the 32 bytes that its FIFO takes; the PIO and two DMA channels go on (`sampler`).
"""

import os

import machine

from wallwright_protocol.codes import BROWN_OUT, NO_FAULT, WATCHDOG_RESET

from . import pins
from .hardware_tests import steps_of
from .pump import Pump as Pump
from .sampler import Sampler as Sampler

if "RP2350" in os.uname().machine:
    from . import rp2350 as registers
else:
    from . import rp2040 as registers  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .chip import Samples

NAME = registers.NAME
PINS = pins
HOST_UART, LINE_UART, OUT_SPI = 0, 1, 1
KEPT = (machine.mem32, registers.SCRATCH_0)
WATCHDOG_STARTED = 0x6AB73121
"""What the SDK's `watchdog_enable` leaves in the watchdog's fourth scratch register. The SDK resets a chip through the
watchdog as well, on `machine.reset()` and after a UF2 file, and leaves something else there (`watchdog_reboot`)."""


def noise(count: int) -> bytes:
    """Return readings of the ring oscillator's random bit, eight a byte.

    Between two of them the bytecode takes some 12 us, in which the oscillator turns over a hundred times and its jitter
    adds up. `os.urandom` mixes its readings with what came before, so that a dead oscillator would not show. It runs on
    over `machine.reset()`: the SDK resets all but the clocks' sources (`watchdog_reboot`).
    """
    memory = machine.mem32
    register = registers.RANDOM_BIT
    samples = bytearray(count)
    for at in range(count):
        sample = 0
        for _ in range(8):
            sample = sample << 1 | memory[register] & 1
        samples[at] = sample
    return bytes(samples)


def self_test(test: int, sampler: "Samples", now_ms: "Callable[[], int]") -> "Iterator[int]":
    """Yield what comes of a test of the hardware, a step each."""
    return steps_of(test, sampler, now_ms)


def restart_cause() -> int:
    """Tell a reset by the watchdog from one by program, and a brown-out where the chip knows of it."""
    memory = machine.mem32
    if machine.reset_cause() == machine.WDT_RESET:
        return WATCHDOG_RESET if memory[registers.SCRATCH_4] & 0xFFFFFFFF == WATCHDOG_STARTED else NO_FAULT
    register, had_brown_out = registers.BROWN_OUT
    return BROWN_OUT if register and memory[register] & had_brown_out else NO_FAULT
