"""The RP2040 or RP2350 board: shift registers for inputs and drives, USB serial to the host.

- 45 inputs come through a chain of six 74HC165, sampled every millisecond by a timer callback that only stores edges.
- 24 drives and 8 lamps go out through four 74HC595 on a bus of their own; their output enable is held off until the
  first write, and the emergency stop cuts the motors' supply in hardware as well.
- What must last is in two files. A write takes some ms, and as long as a sector needs to be erased now and then (45 ms,
  400 at the worst); inputs are not sampled meanwhile, which is why the firmware writes only while no motor runs.
- The host is on UART 0 behind an isolated USB bridge, so that the board's own USB stays free for flashing; the displays
  are four modules that listen to lines of text on UART 1.
"""

import os
import time
from array import array
from errno import ENOENT

import machine

from ..hal import INPUTS, SIDES, Hal

PIN_HOST_TX = 0
PIN_HOST_RX = 1
PIN_IN_CLOCK = 2
PIN_IN_UNUSED = 3
PIN_IN_DATA = 4
PIN_IN_LOAD = 6
PIN_OUT_ENABLE = 7
PIN_DISPLAY_TX = 8
PIN_DISPLAY_RX = 9
PIN_OUT_CLOCK = 10
PIN_OUT_DATA = 11
PIN_OUT_UNUSED = 12
PIN_OUT_LATCH = 13
HOST_BAUD = 115200
HOST_BUFFER = 512
"""Bytes; more than one frame each way."""
SPI_HZ = 2000000
DISPLAY_BAUD = 9600
WATCHDOG_MS = 2000
INPUT_BYTES = 6
EDGES = 64
"""Edges that wait for the next poll at the most; a build makes some 60 a second."""
TILES = 108
SLOT_FILES = ("state-0.bin", "state-1.bin", "enrolment.bin")
UNREADABLE = b"?"
"""What a slot holds whose file is there and cannot be read."""
RANDOM_BIT_RP2040 = 0x4006001C
RANDOM_BIT_RP2350 = 0x400E8020
"""Address of the ring oscillator's RANDOMBIT register, RP2040 datasheet 2.17.8, RP2350 datasheet 8.3.11."""


def _bus(number: int, clock: int, data_out: int, data_in: int) -> machine.SPI:
    return machine.SPI(
        number,
        baudrate=SPI_HZ,
        sck=machine.Pin(clock),
        mosi=machine.Pin(data_out),
        miso=machine.Pin(data_in),
    )


class Board(Hal):
    """The board's pins; `now_ms` never runs backwards, whatever the tick counter does."""

    def __init__(self) -> None:
        self.unit = machine.unique_id()[:16]
        self.tiles = TILES
        self._enable = machine.Pin(PIN_OUT_ENABLE, machine.Pin.OUT, value=1)
        self._inputs = _bus(0, PIN_IN_CLOCK, PIN_IN_UNUSED, PIN_IN_DATA)
        self._outputs = _bus(1, PIN_OUT_CLOCK, PIN_OUT_DATA, PIN_OUT_UNUSED)
        self._latch = machine.Pin(PIN_OUT_LATCH, machine.Pin.OUT, value=0)
        self._load = machine.Pin(PIN_IN_LOAD, machine.Pin.OUT, value=1)
        self._host = machine.UART(0)
        self._host.init(
            baudrate=HOST_BAUD,
            tx=machine.Pin(PIN_HOST_TX),
            rx=machine.Pin(PIN_HOST_RX),
            txbuf=HOST_BUFFER,
            rxbuf=HOST_BUFFER,
        )
        self._display = machine.UART(1)
        self._display.init(
            baudrate=DISPLAY_BAUD,
            tx=machine.Pin(PIN_DISPLAY_TX),
            rx=machine.Pin(PIN_DISPLAY_RX),
            txbuf=HOST_BUFFER,
        )
        self._random_bit = RANDOM_BIT_RP2350 if "RP2350" in os.uname().machine else RANDOM_BIT_RP2040
        self._drives = 0
        self._lamps = 0
        self._out = bytearray(4)
        self._levels = bytearray(INPUT_BYTES)
        self._sample = bytearray(INPUT_BYTES)
        self._edge_inputs = bytearray(EDGES)
        self._edge_levels = bytearray(EDGES)
        self._edge_times = array("i", [0] * EDGES)
        self._written = 0
        self._taken = 0
        self._last_ticks = time.ticks_ms()
        self._elapsed_ms = 0
        self._read_inputs(self._levels)
        self._timer = machine.Timer(-1, mode=machine.Timer.PERIODIC, period=1, callback=self._sampled)
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def now_ms(self) -> int:
        """Return milliseconds since power-up; call it more often than every six days."""
        ticks = time.ticks_ms()
        self._elapsed_ms += time.ticks_diff(ticks, self._last_ticks)
        self._last_ticks = ticks
        return self._elapsed_ms

    def has_edges(self) -> bool:
        """Say whether edges wait."""
        return self._written != self._taken

    def next_edge(self) -> bool:
        """Step to the next edge."""
        if self._written == self._taken:
            return False
        at = self._taken
        self.edge_input = self._edge_inputs[at]
        self.edge_level = self._edge_levels[at]
        age_ms = time.ticks_diff(self._last_ticks, self._edge_times[at])
        self.edge_ms = self._elapsed_ms - max(age_ms, 0)
        self._taken = (at + 1) % EDGES
        return True

    def level(self, number: int) -> int:
        """Return the last sampled level of an input."""
        return self._levels[number >> 3] >> (number & 7) & 1

    def drive(self, mask: int) -> None:
        """Switch the drives."""
        self._drives = mask
        self._write_outputs()

    def lamps(self, mask: int) -> None:
        """Switch the lamps."""
        self._lamps = mask
        self._write_outputs()

    def show(self, side: int, text: str) -> None:
        """Send a line to one display: its number, the text padded to eight characters."""
        if 0 <= side < SIDES:
            self._display.write("%d%-8s\n" % (side, text))

    def noise(self, count: int) -> bytes:
        """Return readings of the ring oscillator's random bit, eight a byte.

        Between two of them the bytecode takes some 20 us, in which the oscillator turns over a hundred times and its
        jitter adds up. `os.urandom` mixes its readings with what came before, so that a dead oscillator would not show.
        """
        memory = machine.mem32
        register = self._random_bit
        samples = bytearray(count)
        for at in range(count):
            sample = 0
            for _ in range(8):
                sample = sample << 1 | memory[register] & 1
            samples[at] = sample
        return bytes(samples)

    def load(self, slot: int) -> bytes:
        """Return what the file of a slot holds."""
        try:
            with open(SLOT_FILES[slot], "rb") as file:
                return file.read()
        except OSError as error:
            return b"" if error.errno == ENOENT else UNREADABLE

    def save(self, slot: int, data: bytes) -> bool:
        """Write the file of a slot; closing it makes it last."""
        try:
            with open(SLOT_FILES[slot], "wb") as file:
                file.write(data)
        except OSError:
            return False
        return True

    def read(self) -> bytes:
        """Return what the host has sent, without waiting."""
        waiting = self._host.any()
        return self._host.read(waiting) or b"" if waiting else b""

    def write(self, data: bytes) -> None:
        """Send to the host what the buffer takes; the link repeats what is lost."""
        if data:
            self._host.write(data)

    def feed_watchdog(self) -> None:
        """Say that the loop which runs the motors is alive."""
        self._watchdog.feed()

    def wait(self, at_most_ms: int) -> None:
        """Rest until the next millisecond tick when nothing is due."""
        if at_most_ms > 0:
            machine.idle()

    def _read_inputs(self, into: bytearray) -> None:
        self._load(0)
        self._load(1)
        self._inputs.readinto(into)

    def _sampled(self, _: machine.Timer) -> None:
        sample = self._sample
        self._read_inputs(sample)
        levels = self._levels
        for group in range(INPUT_BYTES):
            changed = sample[group] ^ levels[group]
            if changed:
                self._store_edges(group, changed, sample[group])
                levels[group] = sample[group]

    def _store_edges(self, group: int, changed: int, now: int) -> None:
        for bit in range(8):
            number = group * 8 + bit
            if changed >> bit & 1 and number < INPUTS:
                at = self._written
                self._edge_inputs[at] = number
                self._edge_levels[at] = now >> bit & 1
                self._edge_times[at] = time.ticks_ms()
                self._written = (at + 1) % EDGES

    def _write_outputs(self) -> None:
        out = self._out
        mask = self._drives
        out[0] = self._lamps & 255
        out[1] = mask >> 16 & 255
        out[2] = mask >> 8 & 255
        out[3] = mask & 255
        self._outputs.write(out)
        self._latch(1)
        self._latch(0)
        self._enable(0)
