"""What a node starts: PN5180 front ends, lamps, a claim key; a display with an ST7032 (Sitronix data sheet), if any.

Where it finds the registers of parts that sort, it is a node that sorts as well.
"""

import gc
import os
import time

from machine import I2C, SPI, WDT, Pin, idle, unique_id

from wallwright_firmware.boards import node_pins as pins
from wallwright_firmware.boards import pins as line_pins
from wallwright_firmware.boards.line_port import LinePort
from wallwright_firmware.nodes.node import Node
from wallwright_firmware.nodes.parts import Parts
from wallwright_firmware.nodes.pn5180 import Antenna

DISPLAY_SHOW = b"\x80\x38\x80\x39\x80\x14\x80\x73\x80\x56\x80\x6c\x80\x38\x80\x0c\x80\x80\x40"
"""Instructions, each behind its control byte: 8 bit, two lines, extended; oscillator, contrast, booster and follower at
3.3 V; display on, begin of the line. One takes 45 us on the bus, and the display is ready after 27. Characters follow.
All are sent each time, so that a display which had lost its power shows again."""
COLLECT_MS = 200
"""So often garbage is collected, which takes 5 ms (emulated), right behind an answer: the next question to this node is
some 28 ms away. The work fills the heap in 0.7 s (emulated); MicroPython collects then, whoever waits for an answer."""


def main() -> None:
    """Be a node for ever."""
    selects = [Pin(pin, Pin.OUT, value=1) for pin in pins.PIN_SELECTS]
    busies = [Pin(pin, Pin.IN, Pin.PULL_DOWN) for pin in pins.PIN_BUSIES]
    mouth_pins = (Pin(pins.PIN_MOUTH_SELECT, Pin.OUT, value=1), Pin(pins.PIN_MOUTH_BUSY, Pin.IN, Pin.PULL_DOWN))
    latch, enable = Pin(pins.PIN_PARTS_LATCH, Pin.OUT, value=1), Pin(pins.PIN_PARTS_ENABLE, Pin.OUT, value=1)
    bridges = [Pin(pin, Pin.IN, Pin.PULL_UP) for pin in pins.PIN_ADDRESS]
    key = Pin(pins.PIN_KEY, Pin.IN, Pin.PULL_UP)
    reset = Pin(pins.PIN_RESET, Pin.OUT, value=0)
    lamps = [Pin(pin, Pin.OUT, value=0) for pin in pins.PIN_LAMPS]
    i2c = I2C(0, scl=Pin(pins.PIN_SCL), sda=Pin(pins.PIN_SDA), freq=400000)

    def show(text: bytes, lit: int) -> None:
        for at, lamp in enumerate(lamps):
            lamp(lit >> at & 1)
        try:
            i2c.writeto(0x3E, DISPLAY_SHOW + text)
        except OSError:
            pass  # a node may have no display

    show(b"        ", 0)
    reset(1)  # not before every select is high: until then all of them would answer
    time.sleep_ms(5)
    # A PN5180 takes 7 MHz.
    spi = SPI(0, 4000000, sck=Pin(pins.PIN_CLOCK), mosi=Pin(pins.PIN_MOSI), miso=Pin(pins.PIN_MISO))
    antennas = [Antenna(spi, *wires, time.ticks_us) for wires in zip(selects, busies)]
    address = sum((1 - bridge()) << at for at, bridge in enumerate(bridges))
    start = int.from_bytes(os.urandom(2), "little") % 0xFFFF + 1
    shows: "list[tuple[bytes, int]]" = []  # what waits to be shown: a display takes 0.6 ms, and the answer is due
    who, ways = (address, unique_id(), start, antennas), (lambda *what: shows.append(what), time.sleep_ms)
    parts = Parts(spi, latch, enable)
    if parts.are_there():
        from wallwright_firmware.nodes.sorting import SortingNode

        mouth = Antenna(spi, *mouth_pins, time.ticks_us)
        node: Node = SortingNode(*who, mouth, (parts.drive, parts.switches), *ways)
    else:
        node = Node(*who, *ways)
    port = LinePort(1, line_pins)
    watchdog = WDT(timeout=1000)
    collected_ms = time.ticks_ms()
    while True:
        watchdog.feed()
        now_ms = time.ticks_ms()
        answer = node.poll(now_ms, port.take())
        if answer:
            port.send(answer)
            if time.ticks_diff(now_ms, collected_ms) >= COLLECT_MS:
                gc.collect()
                collected_ms = now_ms
        if shows:
            show(*shows.pop(0))
        node.look(now_ms, key() == 0)
        idle()  # for a millisecond at the most, or until a byte comes


main()
