"""A node's Pico: PN5180 front ends, a display with an ST7032 (Sitronix data sheet; eight characters), lamps, a key."""

import gc
import os
import time

import machine

from wallwright_protocol import line

from ..nodes.node import Node
from ..nodes.pn5180 import Antenna
from . import node_pins as pins
from .line_port import LinePort

SPI_HZ = 4000000
"""A PN5180 takes 7 MHz."""
BUSY_LOOKS = 100
"""At a front end's BUSY, some 10 us each."""
I2C_HZ = 400000
DISPLAY = 0x3E
DISPLAY_START = b"\x38\x39\x14\x73\x56\x6c\x38\x0c\x01"
"""Instructions: 8 bit, two lines, extended; oscillator, contrast, booster and follower at 3.3 V; display on, clear."""
WATCHDOG_MS = 1000
ANSWERS = 32
"""After so many answers, once a second, what they have left is collected: right after one, with 28 ms to the next."""


class Bus:
    """The transfers with one front end. BUSY says that it has taken one, and then when it is ready for the next."""

    def __init__(self, spi: machine.SPI, select: int, busy: int) -> None:
        self._spi = spi
        self._select = machine.Pin(select, machine.Pin.OUT, value=1)
        self._busy = machine.Pin(busy, machine.Pin.IN, machine.Pin.PULL_DOWN)

    def write(self, data: bytes) -> None:
        """Send a command."""
        self._begin()
        self._spi.write(data)
        self._end()

    def read(self, size: int) -> bytes:
        """Fetch what a command has asked for."""
        self._begin()
        data = self._spi.read(size, 0xFF)
        self._end()
        return data

    def _begin(self) -> None:
        self._await(0)
        self._select(0)

    def _end(self) -> None:
        try:
            self._await(1)
        finally:
            self._select(1)

    def _await(self, level: int) -> None:
        busy = self._busy
        for _ in range(BUSY_LOOKS):
            if busy() == level:
                return
        raise OSError


class Panel:
    """Display and lamps; a node may have no display."""

    def __init__(self) -> None:
        self._i2c = machine.I2C(0, scl=machine.Pin(pins.PIN_SCL), sda=machine.Pin(pins.PIN_SDA), freq=I2C_HZ)
        self._lamps = [machine.Pin(pin, machine.Pin.OUT, value=0) for pin in pins.PIN_LAMPS]
        self._has_display = True
        try:
            for instruction in DISPLAY_START:
                self._i2c.writeto(DISPLAY, bytes([0, instruction]))
                time.sleep_ms(2)
        except OSError:
            self._has_display = False

    def show(self, text: str, lamps: int) -> None:
        """Show eight characters and light the lamps."""
        for at, lamp in enumerate(self._lamps):
            lamp(lamps >> at & 1)
        if self._has_display:
            self._i2c.writeto(DISPLAY, b"\x00\x80")
            self._i2c.writeto(DISPLAY, b"\x40" + text.encode())


def main() -> None:
    """Be a node for ever."""
    bridges = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in pins.PIN_ADDRESS]
    key = machine.Pin(pins.PIN_KEY, machine.Pin.IN, machine.Pin.PULL_UP)
    reset = machine.Pin(pins.PIN_RESET, machine.Pin.OUT, value=0)
    port = LinePort("RP2350" in os.uname().machine)
    panel = Panel()
    spi = machine.SPI(
        0, SPI_HZ, sck=machine.Pin(pins.PIN_CLOCK), mosi=machine.Pin(pins.PIN_MOSI), miso=machine.Pin(pins.PIN_MISO)
    )
    buses = [Bus(spi, *each) for each in zip(pins.PIN_SELECTS, pins.PIN_BUSIES)]
    reset(1)  # not before every select is high: until then all of them would answer
    time.sleep_ms(5)
    antennas = [Antenna(bus) for bus in buses]
    address = sum([(1 - bridge()) << at for at, bridge in enumerate(bridges)])
    start = int.from_bytes(os.urandom(2), "little") % 0xFFFF + 1
    node = Node(address, machine.unique_id(), start, antennas, panel.show)
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    last, now_ms, us, answers = time.ticks_us(), 0, 0, 0
    while True:
        watchdog.feed()
        ticks = time.ticks_us()
        elapsed_us = time.ticks_diff(ticks, last)
        last = ticks
        us += elapsed_us
        now_ms += us // 1000
        us %= 1000
        waiting = port.any()
        answer = node.poll(now_ms, port.read(waiting) or b"" if waiting else b"")
        if answer:
            port.send(answer)
            answers += 1
            if answers % ANSWERS == 0:
                gc.collect()
        node.note(now_ms, line.KEY, bytes(8), not key())
        node.look(now_ms, elapsed_us)
        if not waiting:
            machine.idle()  # for a millisecond at the most, or until a byte comes
