"""What a board measures of itself: its collections, its flash, its inputs and outputs. All drives are off meanwhile.

Each measurement feeds the watchdog as it goes, and takes a second at the most. Times are in us of the chip's timer.
"""

import gc
import os
import time

import machine

from wallwright_protocol import codes

from ..hal import NOT_MEASURED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from .board import Board
    from .chip import Samples

COLLECTIONS = 5
WRITES = 24
RECORD = 200
"""Bytes of a write, as many as the firmware's own records have."""
ERASE_US = 20000
"""A write that took longer has erased a sector: 45 ms typically, a page takes 0.4 ms (W25Q16JV datasheet, 9.6)."""
LONG = 1 << 29
PULSES = 20
UNSEEN_US = 20000
"""An input that has not followed its pin for so long does not."""
SETTLED_MS = 3
OUTPUTS = 20
FILE = "measure.bin"


class Times:
    """The least, the most and the sum of some times."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Know of none yet."""
        self.count = self.sum = self.most = 0
        self.least = 0x3FFFFFFF

    def add(self, us: int) -> None:
        """Count one. A sum that gets long begins again, so that it stays a small integer."""
        if self.sum > LONG:
            self.count = self.sum = 0
        self.count += 1
        self.sum += us
        self.least = min(self.least, us)
        self.most = max(self.most, us)

    def values(self) -> "tuple[int, int, int, int]":
        """Return count, least, mean and most."""
        return (self.count, self.least, self.sum // self.count, self.most) if self.count else (0, 0, 0, 0)

    def take(self) -> "tuple[int, int, int, int]":
        """Return the same, and begin again."""
        values = self.values()
        self.begin()
        return values


def measure(board: "Board", pins: "ModuleType", measurement: int) -> "tuple[int, ...]":
    """Return the eight values of a measurement, as SPEC.md has them."""
    board.feed_watchdog()
    sampler = board.sampler
    if measurement == codes.MEASURED_COLLECTIONS:
        return _collections(board, sampler)
    if measurement == codes.MEASURED_FLASH:
        return _flash(board, sampler)
    if measurement == codes.MEASURED_INPUTS:
        return _inputs(board, sampler, pins.PIN_MEASURE)
    if measurement == codes.MEASURED_OUTPUTS:
        return _outputs(board)
    return board.polls.take() + NOT_MEASURED[4:]


def _collections(board: "Board", sampler: "Samples") -> "tuple[int, ...]":
    times = Times()
    lost = _lost(sampler)
    for _ in range(COLLECTIONS):
        began = time.ticks_us()
        gc.collect()
        times.add(time.ticks_diff(time.ticks_us(), began))
        board.feed_watchdog()
    free = gc.mem_free()
    return times.values() + (_lost(sampler) - lost, free, free + gc.mem_alloc(), 0)


def _flash(board: "Board", sampler: "Samples") -> "tuple[int, ...]":
    times = Times()
    lost = _lost(sampler)
    erases = 0
    data = bytes(RECORD)
    for _ in range(WRITES):
        board.begin_pause()
        began = time.ticks_us()
        try:
            with open(FILE, "wb") as file:
                file.write(data)
        except OSError:
            return NOT_MEASURED
        took = time.ticks_diff(time.ticks_us(), began)
        times.add(took)
        erases += took > ERASE_US
        board.feed_watchdog()
    os.remove(FILE)
    return times.values() + (_lost(sampler) - lost, erases, 0, 0)


def _inputs(board: "Board", sampler: "Samples", number: int) -> "tuple[int, ...]":
    """Pulse pin `number`, which a person has bridged to the data pin of the inputs, and wait for what is seen of it."""
    times = Times()
    pin = machine.Pin(number, machine.Pin.OUT, value=0)
    told = sampler.told()
    for pulse in range(PULSES):
        _settle(sampler)
        time.sleep_us(137 * (pulse % 8))  # another phase of the sampling each time
        began = time.ticks_us()
        pin(1)
        while not sampler.has_edge():
            if time.ticks_diff(time.ticks_us(), began) > UNSEEN_US:
                break
        else:
            times.add(time.ticks_diff(time.ticks_us(), began))
        pin(0)
        board.feed_watchdog()
    machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_DOWN)
    _settle(sampler)
    sampler.come_back(told)
    return times.values() + (PULSES, 0, 0, 0)


def _settle(sampler: "Samples") -> None:
    """Wait until the inputs stand where the pin has them, and pass over how they came there."""
    time.sleep_ms(SETTLED_MS)
    sampler.skip()


def _lost(sampler: "Samples") -> int:
    sampler.has_edge()
    return sampler.lost


def _outputs(board: "Board") -> "tuple[int, ...]":
    times = Times()
    for _ in range(OUTPUTS):
        began = time.ticks_us()
        board.drive(0)
        times.add(time.ticks_diff(time.ticks_us(), began))
    return times.values() + NOT_MEASURED[4:]
