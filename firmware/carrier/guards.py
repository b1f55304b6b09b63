"""Parts that watch the drives or cut their supply: senses behind the switches, and the charge pump with its relays.

A sense is the voltage behind a switch, as a bit: a relay's contact is looked at by a divider, a MOSFET by a transistor
that takes the bit away while the drain has voltage. The pump has two channels that share nothing but the Pico's pin
and the driver behind it, which can be stuck but makes no edges: the contact of each is in a loop of the safety relay
K0, which does not start again when only one of them opens.
"""

from wallwright_firmware.boards import pins

from . import kinds, values
from .board import Board, ohms, pin
from .wiring import OUT_PLACES, Motor

LOOPS = (("STOP_12", "LOOP_12"), ("STOP_22", "LOOP_22"))
"""The nets on both sides of the pump's contacts: from the stop's two contacts to K0."""


def senses(board: Board, motors: tuple[Motor, ...]) -> None:
    """Senses of all motors, and the registers that bring them back."""
    ends: dict[int, str] = {}
    for motor in motors:
        for place, number in zip(motor.places, (1, 2), strict=False):
            ends[place] = f"M_{motor.name}_{number}"
        if len(motor.places) == 1:
            _low_side(board, motor.places[0], f"M_{motor.name}_1", f"M_{motor.name}_2")
    for place, end in sorted(ends.items()):
        sense = f"SENSE_{place}"
        board.two(f"R{400 + place}", kinds.RESISTOR, ohms(values.SENSE_OHM[0]), end, sense)
        board.two(f"R{500 + place}", kinds.RESISTOR, ohms(values.SENSE_OHM[1]), sense, "GND")
        board.two(f"C{200 + place}", kinds.CAPACITOR, "1 nF", sense, "GND")
        board.two(f"D{200 + place}", kinds.CLAMP, "BAT85", "3V3", sense)
        board.two(f"D{300 + place}", kinds.CLAMP, "BAT85", sense, "GND")
    serial = f"OUT_SERIAL_{pins.OUT_REGISTERS}"
    for register in range(pins.SENSE_REGISTERS):
        last = register + 1 == pins.SENSE_REGISTERS
        onward = "OUT_BACK" if last else f"SENSE_SERIAL_{register + 1}"
        nets = {1: "OUT_LATCH", 2: "OUT_CLOCK", 8: "GND", 9: onward, 10: serial, 15: "GND", 16: "3V3"}
        nets |= {pin(kinds.REGISTER_IN, f"D{bit}"): f"SENSE_{8 * register + bit}" for bit in range(8)}
        board.add(f"U{21 + OUT_PLACES // 8 + register}", kinds.REGISTER_IN, "74HC165", nets)
        board.two(f"C{21 + OUT_PLACES // 8 + register}", kinds.CAPACITOR, "100 nF", "3V3", "GND")
        serial = onward


def pump(board: Board) -> None:
    """Both channels: edges charge a capacitor, and while it holds more than the reference the relay is on."""
    board.two("R900", kinds.RESISTOR, "100k", "SUPPLY_PUMP", "GND")
    driven = {2: "SUPPLY_PUMP", 3: "GND", 4: "SUPPLY_PUMP", 5: "PUMP_DRIVEN_1", 6: "5V", 7: "PUMP_DRIVEN_0"}
    board.add("U7", kinds.GATE_DRIVER, "TC4427A", driven)
    board.two("C47", kinds.CAPACITOR, "100 nF", "5V", "GND")
    for at, (first, second) in enumerate(LOOPS):

        def net(name: str, at: int = at) -> str:
            return f"PUMP_{name}_{at}"

        board.two(f"R{910 + at}", kinds.RESISTOR, ohms(values.PUMP_SERIES_OHM), net("DRIVEN"), net("FED"))
        board.two(f"C{41 + 2 * at}", kinds.CAPACITOR, "10 uF", net("FED"), net("AC"))
        board.two(f"R{960 + at}", kinds.RESISTOR, ohms(values.PUMP_ENDS_OHM), net("AC"), "GND")
        board.two(f"D{41 + 2 * at}", kinds.CLAMP, "BAT85", net("AC"), "GND")
        board.two(f"D{42 + 2 * at}", kinds.CLAMP, "BAT85", net("HOLD"), net("AC"))
        board.two(f"C{42 + 2 * at}", kinds.FILM, "1 uF", net("HOLD"), "GND")
        board.two(f"R{920 + at}", kinds.RESISTOR, ohms(values.PUMP_OHM), net("HOLD"), "GND")
        board.two(f"R{930 + at}", kinds.RESISTOR, ohms(values.REFERENCE_OHM[0]), "5V", net("REFERENCE"))
        board.two(f"R{940 + at}", kinds.RESISTOR, ohms(values.REFERENCE_OHM[1]), net("REFERENCE"), "GND")
        nets = {1: net("BASE"), 2: net("REFERENCE"), 3: net("HOLD"), 4: "GND", 5: "GND", 6: "5V", 8: "5V"}
        board.add(f"U{5 + at}", kinds.COMPARATOR, "LM393", nets)
        board.two(f"C{45 + at}", kinds.CAPACITOR, "100 nF", "5V", "GND")
        board.two(f"R{950 + at}", kinds.RESISTOR, "2.2k", "5V", net("BASE"))
        board.add(f"Q{41 + at}", kinds.NPN, "BC337", {1: net("COIL"), 2: net("BASE"), 3: "GND"})
        board.two(f"D{45 + at}", kinds.DIODE, "1N4148", "24V", net("COIL"))
        board.add(f"K{4 + at}", kinds.LOOP_RELAY, "24 V", {1: "24V", 16: net("COIL"), 4: first, 8: second})
    board.add("JS", kinds.terminal(4), "loops of K0", {1: LOOPS[0][0], 2: LOOPS[0][1], 3: LOOPS[1][0], 4: LOOPS[1][1]})


def _low_side(board: Board, place: int, fed: str, low: str) -> None:
    """While the drain has voltage, the switch is off: the bit is taken away. A motor that is not there changes none."""
    board.two(f"R{600 + place}", kinds.RESISTOR, ohms(values.DRAIN_OHM[0]), low, f"DRAIN_{place}")
    board.two(f"R{700 + place}", kinds.RESISTOR, ohms(values.DRAIN_OHM[1]), f"DRAIN_{place}", "GND")
    board.two(f"R{800 + place}", kinds.RESISTOR, ohms(values.ACROSS_OHM), fed, low)
    nets = {1: f"SENSE_{place}", 2: f"DRAIN_{place}", 3: "GND"}
    board.add(f"Q{200 + place}", kinds.NPN_HIGH, "BC546B", nets)
