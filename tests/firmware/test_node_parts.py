"""A node's pins and the registers of its parts: what the firmware shifts, against the registers' datasheets."""

import random

from tests.firmware.test_pins import chip_functions, shift_74hc595s
from wallwright_firmware.boards import node_pins, pins
from wallwright_firmware.nodes.parts import MARK, Parts
from wallwright_protocol.hardware import SORTER_DRIVES_PER_SIDE, SORTER_SWITCHES_PER_SIDE

MARKED = MARK << SORTER_SWITCHES_PER_SIDE


class Registers:
    """Three 74HC595 and one 74HC165 on the bus, their latch, and the enable of the 595s.

    Texas Instruments SN74HC595, 8.2: a rising RCLK shows the stages. SN74HC165, 8.2: low at SH/LD loads, and QH is D7
    first; the serial input is tied low.
    """

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.stages = [0] * 24
        self.shown = [1] * 24
        self.held: list[int] = []
        self.latched = 1
        self.off = 1

    def write_readinto(self, sent: bytes, read: bytearray) -> None:
        assert self.latched == 1, "a 165 that loads does not shift"
        bits = []
        for byte in sent:
            for bit in range(7, -1, -1):
                bits.append(self.held.pop(0) if self.held else 0)
                self.stages = [byte >> bit & 1, *self.stages[:-1]]
        for at in range(len(read)):
            read[at] = int("".join(map(str, bits[8 * at : 8 * at + 8])), 2)

    def latch(self, level: int) -> None:
        if level and not self.latched:
            self.shown = self.stages[:]
        if not level:
            self.held = [self.inputs >> bit & 1 for bit in range(7, -1, -1)]
        self.latched = level

    def enable(self, level: int) -> None:
        self.off = level

    def disturb(self, chance: random.Random) -> None:
        """A front end is spoken to: what it is told runs through the 595s, and the 165 shifts."""
        self.write_readinto(chance.randbytes(9), bytearray(9))


def test_a_drive_reaches_its_solenoid_and_a_switch_its_bit_whatever_front_ends_are_told(seed):
    chance = random.Random(seed)
    registers = Registers(MARKED)
    parts = Parts(registers, registers.latch, registers.enable)
    assert parts.are_there()
    assert registers.off == 1, "nothing is driven before it is known what"
    for _ in range(100):
        drives, moves = chance.randrange(1 << SORTER_DRIVES_PER_SIDE), chance.randrange(1 << 16)
        registers.disturb(chance)
        parts.drive(drives, moves)
        assert registers.off == 0
        for _ in range(3):
            switches = chance.randrange(1 << SORTER_SWITCHES_PER_SIDE)
            registers.inputs = MARKED | switches
            registers.disturb(chance)
            assert parts.switches() == switches
            wanted = [drives >> at & 1 for at in range(8)] + [moves >> at & 1 for at in range(16)]
            assert registers.shown == wanted == shift_74hc595s(bytes([moves >> 8, moves & 255, drives]), 3)


def test_a_node_without_the_registers_does_not_sort_and_one_that_loses_them_reaches_no_end():
    for silent in (0x00, 0xFF, 0x1F, 0x40):
        registers = Registers(silent)
        assert not Parts(registers, registers.latch, registers.enable).are_there()
    registers = Registers(MARKED | 3)
    parts = Parts(registers, registers.latch, registers.enable)
    assert parts.switches() == 3
    registers.inputs = 0xFF
    assert parts.switches() == 0


def test_no_pin_of_a_node_is_there_twice_and_the_bus_can_be_where_it_is():
    used = [pins.PIN_LINE_TX, pins.PIN_LINE_RX, pins.PIN_LINE_ENABLE]
    for name, given in vars(node_pins).items():
        if name.startswith("PIN_"):
            used += given if isinstance(given, tuple) else [given]
    assert len(used) == len(set(used))
    assert all(0 <= pin <= 22 or 26 <= pin <= 28 for pin in used)
    for pin, function in (("MISO", "SPI0 RX"), ("CLOCK", "SPI0 SCK"), ("MOSI", "SPI0 TX")):
        assert function in chip_functions(getattr(node_pins, f"PIN_{pin}"))
