"""The pins of a Pico (RP2040 or RP2350), and how the two register chains carry inputs and outputs: the only place.

The board's code, the emulated board, the carrier (`firmware/carrier/`) and docs/hardware.md go by these tables. Nothing
here touches the hardware.

A place on a chain is 8 * register + input or output of that register (D0 to D7, Q0 to Q7); register 0 is the one whose
data pin is wired to the Pico. A 74HC165 shifts D7 out first, and a 74HC595 passes what came first on to the next one.
"""

PIN_HOST_TX = 0
PIN_HOST_RX = 1
PIN_IN_CLOCK = 2
PIN_IN_UNUSED = 3
"""Belongs to the bus of the inputs, and stays free."""
PIN_IN_DATA = 4
PIN_IN_LOAD = 6
"""Low lets the levels into the 74HC165, high holds them."""
PIN_OUT_ENABLE = 7
"""High turns every output off; so does the carrier's pull-up while the chip does not drive the pin."""
PIN_LINE_TX = 8
PIN_LINE_RX = 9
PIN_OUT_CLOCK = 10
PIN_OUT_DATA = 11
PIN_OUT_BACK = 12
"""Brings back the senses of the outputs and what was shifted out before, on carriers that have this."""
PIN_OUT_LATCH = 13
"""A rising edge shows on the outputs what was shifted in. Low lets the senses into their registers, high holds them."""
PIN_LINE_ENABLE = 14
"""High lets the RS-485 transceiver drive the line of readers and displays; low listens."""
PIN_PUMP = 15
"""Edges keep the motors' supply; none for 50 ms and the charge pump has it cut."""
PIN_MEASURE = 22
"""Spare. `doctor measure` pulses it; whoever has bridged it to the data pin of the inputs learns how fast they are."""
PICO_LAMP = 25
"""The lamp on the Pico itself (Pico datasheet 2.1, Pico 2 datasheet 2.1), on no pin of its edge."""

PINS = (
    (PIN_HOST_TX, "HOST_TX", "out", "UART0 TX"),
    (PIN_HOST_RX, "HOST_RX", "in", "UART0 RX"),
    (PIN_IN_CLOCK, "IN_CLOCK", "out", "SPI0 SCK"),
    (PIN_IN_UNUSED, "", "out", "SPI0 TX"),
    (PIN_IN_DATA, "IN_DATA", "in", "SPI0 RX"),
    (PIN_IN_LOAD, "IN_LOAD", "out", "GPIO"),
    (PIN_OUT_ENABLE, "OUT_ENABLE", "out", "GPIO"),
    (PIN_LINE_TX, "LINE_TX", "out", "UART1 TX"),
    (PIN_LINE_RX, "LINE_RX", "in", "UART1 RX"),
    (PIN_OUT_CLOCK, "OUT_CLOCK", "out", "SPI1 SCK"),
    (PIN_OUT_DATA, "OUT_DATA", "out", "SPI1 TX"),
    (PIN_OUT_BACK, "OUT_BACK", "in", "SPI1 RX"),
    (PIN_OUT_LATCH, "OUT_LATCH", "out", "GPIO"),
    (PIN_LINE_ENABLE, "LINE_ENABLE", "out", "GPIO"),
    (PIN_PUMP, "SUPPLY_PUMP", "out", "PIO 1"),
    (PIN_MEASURE, "", "out", "GPIO"),
)
"""GPIO number, net of the carrier ("" where nothing may be wired), direction seen from the chip, function."""

IN_REGISTERS = 6
"""74HC165: input n of `hal` is at place n, unless a board map says otherwise."""
OUT_REGISTERS = 4
"""74HC595: drive bit n of `hal` is at place n, lamp n at FIRST_LAMP_PLACE + n, unless a board map says otherwise."""
FIRST_LAMP_PLACE = 24
SENSE_REGISTERS = 3
"""74HC165: sense n is at place n, of the switch at place n of the outputs. The serial input of register 0 takes what
the last 74HC595 passes on, and the data pin is that of the last one."""


def in_wire(place: int) -> "tuple[int, int]":
    """Return byte and bit (7 is the first on the wire) of an input's place in what the chip reads."""
    return place >> 3, place & 7


def out_wire(place: int) -> "tuple[int, int]":
    """Return byte and bit (7 is the first on the wire) of an output's place in what the chip sends."""
    return OUT_REGISTERS - 1 - (place >> 3), place & 7


def sense_wire(place: int) -> "tuple[int, int]":
    """Return byte and bit (7 is the first on the wire) of a sense's place in what comes back of the outputs."""
    return SENSE_REGISTERS - 1 - (place >> 3), place & 7
