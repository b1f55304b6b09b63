"""A chip that nobody makes, in a real MicroPython: `main.py` runs on it. `test_third_chip.py` starts this.

It has none of the registers, parts and numbers of an RP2040. Its time passes while the board waits. What the board does
with it is printed, a line each; it gets one HELLO, one press of the emergency stop, and then its sampler breaks. With
an argument, the module of the chip lacks that name.
"""

import struct
import sys

from wallwright_firmware.boards import pins
from wallwright_protocol.codes import CANNOT_TEST
from wallwright_protocol.frame import encode
from wallwright_protocol.hardware import EMERGENCY_STOP
from wallwright_protocol.link import HELLO, HELLO_LAYOUT
from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION

PRESSED_MS, BROKEN_MS = 100, 700


class Time:
    """The module `time`."""

    ms = 5

    @staticmethod
    def ticks_ms():
        return Time.ms

    @staticmethod
    def ticks_us():
        return 1000 * Time.ms

    @staticmethod
    def ticks_diff(later, sooner):
        return later - sooner

    @staticmethod
    def sleep_ms(ms):
        Time.ms += ms


class Pin:
    """A pin, told by its name."""

    IN, OUT = "in", "out"

    def __init__(self, name, way="", value=None):
        self.name = name
        print("pin", name, way, "" if value is None else value)

    def __call__(self, level):
        print("set", self.name, level)


class SPI:
    """A bus that outputs go out on, and come back as they were."""

    last = b""

    def __init__(self, number, baudrate, sck, mosi, miso):
        print("spi", number, sck.name, mosi.name, miso.name)

    def write(self, data):
        print("out", bytes(data).hex())

    def write_readinto(self, data, back):
        self.write(data)
        back[:] = self.last or bytes(len(data))
        self.last = bytes(data)


class UART:
    """A serial port: the host's has a HELLO to read."""

    IRQ_RXIDLE = 1
    waiting = b""

    def __init__(self, number, baudrate, tx, rx, txbuf, rxbuf):
        print("uart", number, tx.name, rx.name)
        self.is_host = number == Chip.HOST_UART

    def irq(self, handler, trigger):
        pass

    def any(self):
        return len(UART.waiting) if self.is_host else 0

    def read(self, count):
        data, UART.waiting = UART.waiting[:count], UART.waiting[count:]
        return data

    def readinto(self, data):
        return None

    def write(self, data):
        if self.is_host:
            print("sent", bytes(data).hex())

    def txdone(self):
        return True


class WDT:
    """A watchdog."""

    def __init__(self, timeout):
        print("watchdog", timeout)

    def feed(self):
        pass


class Reset(BaseException):
    """The chip has been reset."""


class Machine:
    """The module `machine`."""

    Pin, SPI, UART, WDT = Pin, SPI, UART, WDT

    @staticmethod
    def unique_id():
        return b"\x01\x23\x45\x67"

    @staticmethod
    def idle():
        Time.ms += 1

    @staticmethod
    def reset():
        print("reset")
        raise Reset


class Pins:
    """The pins of its carrier, which have no numbers."""

    OUT_REGISTERS, SENSE_REGISTERS = pins.OUT_REGISTERS, pins.SENSE_REGISTERS


for _name in dir(pins):
    if _name.startswith(("PIN_", "PICO_")):
        setattr(Pins, _name, _name.split("_", 1)[1])


class Sampler:
    """All inputs, of which one changes."""

    lost = seen = 0

    def __init__(self, now_ms):
        self.start_ms = Time.ms - now_ms()
        self.pressed = 0

    def has_edge(self):
        self.seen += 1
        if Time.ms >= self.start_ms + BROKEN_MS:
            raise OSError(19)
        return not self.pressed and Time.ms >= self.start_ms + PRESSED_MS

    def take(self):
        self.pressed = 1
        return EMERGENCY_STOP | self.pressed << 6

    def seen_ms(self):
        return PRESSED_MS

    def turn_back(self, by_ms):
        self.start_ms -= by_ms

    def level(self, wire):
        return self.pressed if wire == EMERGENCY_STOP else 0

    def told(self):
        raise NotImplementedError  # for a measurement

    def skip(self):
        raise NotImplementedError

    def come_back(self, told):
        raise NotImplementedError

    def stop(self):
        print("sampler stopped")


class Pump:
    """The pin of the pump."""

    def pulse(self):
        pass

    def bridge(self):
        print("pump bridges")

    def end(self):
        pass

    def stop(self):
        print("pump stopped")


class Chip:
    """The module of the chip."""

    NAME = b"third"
    PINS = Pins
    HOST_UART, LINE_UART, OUT_SPI = 7, 8, 9
    KEPT = ([0], 0)
    Sampler = Sampler
    Pump = Pump

    @staticmethod
    def noise(count):
        return bytes([0x5A] * count)

    @staticmethod
    def self_test(test, sampler, now_ms):
        return iter((CANNOT_TEST,))

    @staticmethod
    def restart_cause():
        return 0


def run():
    """Run the program until it resets the chip."""
    for name, module in (("machine", Machine), ("time", Time), ("wallwright_firmware.boards.rp2", Chip)):
        sys.modules[name] = module  # type: ignore[assignment]
    kept, place = Chip.KEPT
    for lacked in sys.argv[1:]:
        delattr(Chip, lacked)
    UART.waiting = encode(struct.pack(HELLO_LAYOUT, HELLO, PROTOCOL_VERSION, CATALOG_HASH, 1))
    try:
        __import__("main")
    except Reset:
        print("kept", kept[place])


if __name__ == "__main__":
    run()
