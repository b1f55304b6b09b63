"""The carrier's circuit: parts and nets by block, and what SKiDL's electrical rules find wrong with it.

Nets are named by what is on them: the Pico's as in `boards/pins.py`; `FIELD_n`, `LEVEL_n` and `SWITCH_n` by place on
the chain; `24V_...` by what they feed. `GND` is one star for logic, inputs and motors; the host's side of the link
has `HOST_GND`. `build(panel=True)` adds what is no part of the board: supplies, emergency stop, contactors, motors.
"""

import contextlib
import io
import tempfile

from wallwright_firmware.boards import pins

from . import guards, kinds, values
from . import panel as panel_
from .board import Board, ohms, pin
from .wiring import EMERGENCY_STOP, IN_PLACES, OUT_PLACES, PICO_PINS, Motor, inputs, motors


def build(panel: bool = False) -> Board:
    """Return the whole circuit; with `panel` also what is wired to it."""
    board = Board()
    _power(board)
    _pico(board)
    _host_port(board)
    _line(board)
    _inputs(board)
    _outputs(board)
    for motor in motors():
        _motor(board, motor)
    guards.senses(board, motors())
    guards.pump(board)
    if panel:
        panel_.wire(board)
    else:
        board.feed(("24V_IN",))
    board.feed(("24V_COIL", "VM", "VM_GUARDED", "GND"))
    board.wire()
    return board


def faults(board: Board) -> list[str]:
    """Return what SKiDL's electrical rules complain of, errors and warnings alike."""
    told = io.StringIO()
    handler = kinds.skidl.logger.logging.StreamHandler(told)
    logger = kinds.skidl.logger.erc_logger
    logger.addHandler(handler)
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.chdir(folder),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            board.circuit.ERC()
    finally:
        logger.removeHandler(handler)
    return [line for line in told.getvalue().splitlines() if line and "No errors or warnings" not in line]


def _power(board: Board) -> None:
    board.add("JP", kinds.terminal(4), "24 V", {1: "24V_IN", 2: "GND", 3: "24V_COIL", 4: "GND"})
    supply = {1: "VM", 2: "VM", 3: "VM_GUARDED", 4: "VM_GUARDED", 5: "GND", 6: "GND"}
    board.add("JV", kinds.terminal(6), "motor supply, 12 to 24 V", supply)
    board.two("D1", kinds.SUPPRESSOR, "P6KE36CA", "24V_IN", "GND")
    board.two("F1", kinds.FUSE, "T 1 A", "24V_IN", "24V_FUSED")
    board.two("D2", kinds.SCHOTTKY, "SB560", "24V", "24V_FUSED")
    board.two("C1", kinds.BULK, "100 uF", "24V", "GND")
    board.add("U1", kinds.CONVERTER, "5 V, 0.5 A", {1: "24V", 2: "GND", 3: "5V"})
    board.two("C2", kinds.BULK, "100 uF", "5V", "GND")
    board.two("D3", kinds.SCHOTTKY, "SB560", "VSYS", "5V")
    board.feed(("24V", "VSYS"))
    for number, net in ((2, "24V_SENSOR"), (3, "24V_LINE"), (4, "24V_LAMP")):
        board.two(f"F{number}", kinds.FUSE, f"T {values.rated(values.RAIL_A[net]):g} A", "24V_IN", net)
    board.two("D4", kinds.SUPPRESSOR, "P6KE36CA", "VM", "GND")
    board.two("D8", kinds.SCHOTTKY, "SB560", "24V_COIL", "GND")
    for at, net in enumerate(("5V", "VM"), 5):
        board.two(f"D{at}", kinds.LED, f"{net} is there", "GND", f"LED_{net}")
        board.two(f"R{at}", kinds.RESISTOR, "4.7k", net, f"LED_{net}")


def _pico(board: Board) -> None:
    grounds = dict.fromkeys((3, 8, 13, 18, 23, 28, 33, 38), "GND")
    signals = {PICO_PINS[number]: net for number, net, _, _ in pins.PINS if net}
    board.add("U2", kinds.PICO, "Pico", grounds | signals | {36: "3V3", 39: "VSYS"})
    board.two("C4", kinds.CAPACITOR, "100 nF", "3V3", "GND")
    board.two("R1", kinds.RESISTOR, ohms(values.ENABLE_PULL_UP_OHM), "3V3", "OUT_ENABLE")
    board.two("R2", kinds.RESISTOR, "4.7k", "LINE_ENABLE", "GND")
    board.two("R3", kinds.RESISTOR, "10k", "3V3", "LINE_RX")


def _host_port(board: Board) -> None:
    board.add("JH", kinds.BRIDGE, "host", {1: "HOST_GND", 3: "HOST_3V3", 4: "BRIDGE_TXD", 5: "BRIDGE_RXD"})
    board.add(
        "U3",
        kinds.ISOLATOR,
        "ADuM1201",
        {
            1: "3V3",
            2: "HOST_RX",
            3: "HOST_TX",
            4: "GND",
            5: "HOST_GND",
            6: "BRIDGE_RXD",
            7: "BRIDGE_TXD",
            8: "HOST_3V3",
        },
    )
    board.two("C5", kinds.CAPACITOR, "100 nF", "3V3", "GND")
    board.two("C6", kinds.CAPACITOR, "100 nF", "HOST_3V3", "HOST_GND")


def _line(board: Board) -> None:
    board.add(
        "U4",
        kinds.TRANSCEIVER,
        "MAX3485",
        {1: "LINE_RX", 2: "LINE_ENABLE", 3: "LINE_ENABLE", 4: "LINE_TX", 5: "GND", 6: "LINE_A", 7: "LINE_B", 8: "3V3"},
    )
    board.two("C7", kinds.CAPACITOR, "100 nF", "3V3", "GND")
    board.two("R8", kinds.RESISTOR, ohms(values.BIAS_OHM), "3V3", "LINE_A")
    board.two("R9", kinds.RESISTOR, "120", "LINE_A", "LINE_B")
    board.two("R10", kinds.RESISTOR, ohms(values.BIAS_OHM), "LINE_B", "GND")
    board.add("D7", kinds.LINE_SUPPRESSOR, "SM712", {1: "LINE_A", 2: "LINE_B", 3: "GND"})
    for side in range(4):
        board.add(f"JL{side}", kinds.terminal(4), "line", {1: "LINE_A", 2: "LINE_B", 3: "24V_LINE", 4: "GND"})


def _inputs(board: Board) -> None:
    for register in range(pins.IN_REGISTERS):
        serial = f"IN_SERIAL_{register + 1}" if register + 1 < pins.IN_REGISTERS else "GND"
        nets = {1: "IN_LOAD", 2: "IN_CLOCK", 8: "GND", 10: serial, 15: "GND", 16: "3V3"}
        nets[9] = "IN_DATA" if register == 0 else f"IN_SERIAL_{register}"
        nets |= {pin(kinds.REGISTER_IN, f"D{bit}"): f"LEVEL_{8 * register + bit}" for bit in range(8)}
        board.add(f"U{11 + register}", kinds.REGISTER_IN, "74HC165", nets)
        board.two(f"C{11 + register}", kinds.CAPACITOR, "100 nF", "3V3", "GND")
    for four in range(IN_PLACES // 4):
        nets = {}
        for at in range(4):
            place = 4 * four + at
            # The emergency stop's wire carries current while all is well, so that a broken one reads as pressed.
            inverts = place == EMERGENCY_STOP
            nets[pin(kinds.OPTOCOUPLER, f"A{at}")] = f"DIODE_{place}"
            nets[pin(kinds.OPTOCOUPLER, f"K{at}")] = "GND"
            nets[pin(kinds.OPTOCOUPLER, f"C{at}")] = f"LEVEL_{place}" if inverts else "3V3"
            nets[pin(kinds.OPTOCOUPLER, f"E{at}")] = "GND" if inverts else f"LEVEL_{place}"
        board.add(f"U{41 + four}", kinds.OPTOCOUPLER, "LTV-847", nets)
    for place in range(IN_PLACES):
        board.two(f"R{100 + place}", kinds.RESISTOR, ohms(values.INPUT_OHM[24]), f"FIELD_{place}", f"DIODE_{place}")
        board.two(f"R{200 + place}", kinds.RESISTOR, ohms(values.BLEED_OHM), f"DIODE_{place}", "GND")
        board.two(f"D{100 + place}", kinds.DIODE, "1N4148", f"DIODE_{place}", "GND")
        rest = "3V3" if place == EMERGENCY_STOP else "GND"
        board.two(f"R{300 + place}", kinds.RESISTOR, ohms(values.LOAD_OHM), f"LEVEL_{place}", rest)
        board.two(f"C{100 + place}", kinds.CAPACITOR, "10 nF", f"LEVEL_{place}", "GND")
    rows: dict[str, dict[int, str]] = {}
    for one in inputs():
        rows.setdefault(one.connector, {})[one.terminal] = f"FIELD_{one.place}"
    for connector, nets in sorted(rows.items()):
        last = max(nets)
        ends = (
            {last + 1: "GND"}
            if connector == "JE"
            else {last + 1: "24V_SENSOR", last + 2: "24V_SENSOR", last + 3: "GND"}
        )
        board.add(connector, kinds.terminal(len(nets | ends)), "inputs", nets | ends)


def _outputs(board: Board) -> None:
    for register in range(pins.OUT_REGISTERS):
        serial = "OUT_DATA" if register == 0 else f"OUT_SERIAL_{register}"
        nets = {8: "GND", 10: "3V3", 11: "OUT_CLOCK", 12: "OUT_LATCH", 13: "OUT_ENABLE", 14: serial, 16: "3V3"}
        nets[9] = f"OUT_SERIAL_{register + 1}"
        nets |= {pin(kinds.REGISTER_OUT, f"Q{bit}"): f"SWITCH_{8 * register + bit}" for bit in range(8)}
        board.add(f"U{21 + register}", kinds.REGISTER_OUT, "74HC595", nets)
        board.two(f"C{21 + register}", kinds.CAPACITOR, "100 nF", "3V3", "GND")
    relays = [place for motor in motors() if len(motor.places) == 2 for place in motor.places]
    coils = [(place, f"COIL_{place}") for place in sorted(relays)]
    lamps = [(place, f"LAMP_{place}") for place in range(pins.FIRST_LAMP_PLACE, OUT_PLACES)]
    # The stop cuts the coils' supply and not the lamps', and an array's diodes join all that it switches.
    arrays = [(coils[at : at + 8], "24V_COIL") for at in range(0, len(coils), 8)]
    for at, (sinks, rail) in enumerate((*arrays, (lamps, "24V_LAMP"))):
        nets = {9: "GND", 10: rail}
        for channel, (place, net) in enumerate(sinks, 1):
            nets |= {channel: f"SWITCH_{place}", 19 - channel: net}
        board.add(f"U{31 + at}", kinds.ARRAY, "ULN2803A", nets)
    gates = sorted(motor.places[0] for motor in motors() if len(motor.places) == 1)
    for at in range(0, len(gates), 2):
        one, other = gates[at : at + 2]
        nets = {2: f"SWITCH_{one}", 3: "GND", 4: f"SWITCH_{other}", 5: f"DRIVER_{other}", 6: "5V", 7: f"DRIVER_{one}"}
        board.add(f"U{36 + at // 2}", kinds.GATE_DRIVER, "TC4427A", nets)
        board.two(f"C{36 + at // 2}", kinds.CAPACITOR, "100 nF", "5V", "GND")
    for side in range(4):
        names = ("conveyor", "head", "lift")
        nets = {1 + 2 * at + end: f"M_{name}_{side}_{end + 1}" for at, name in enumerate(names) for end in (0, 1)}
        lit = {7 + lamp: f"LAMP_{pins.FIRST_LAMP_PLACE + 2 * side + lamp}" for lamp in (0, 1)}
        board.add(f"JO{side}", kinds.terminal(9), "motors and lamps", nets | lit | {9: "24V_LAMP"})
    nets = {
        1 + 2 * at + end: f"M_{name}_{end + 1}" for at, name in enumerate(("disc", "ring", "lid")) for end in (0, 1)
    }
    board.add("JM", kinds.terminal(6), "motors", nets)


def _motor(board: Board, motor: Motor) -> None:
    """A fuse each. One drive: a MOSFET below the motor; two: a relay at each end, so that both at once move nothing."""
    first = motor.places[0]
    fed, low = f"M_{motor.name}_1", f"M_{motor.name}_2"
    rated = f"T {(values.head_fuse if motor.name.startswith('head') else values.fuse)(24).rated_a:g} A"
    supply = "VM_GUARDED" if motor.is_guarded else "VM"
    if len(motor.places) == 1:
        board.two(f"F{10 + first}", kinds.FUSE, rated, supply, fed)
        board.two(f"D{10 + first}", kinds.SCHOTTKY, "SB560", fed, low)
        board.two(f"R{20 + first}", kinds.RESISTOR, "100k", f"SWITCH_{first}", "GND")
        board.two(f"R{40 + first}", kinds.RESISTOR, "47", f"DRIVER_{first}", f"GATE_{first}")
        board.two(f"R{70 + first}", kinds.RESISTOR, "100k", f"GATE_{first}", "GND")
        board.add(f"Q{1 + first}", kinds.MOSFET, "IRLZ44N", {1: f"GATE_{first}", 2: low, 3: "GND"})
        return
    rail = f"VM_{motor.name}"
    board.two(f"F{10 + first}", kinds.FUSE, rated, supply, rail)
    for place, end in zip(motor.places, (fed, low), strict=True):
        board.add(f"K{10 + place}", kinds.RELAY, "24 V", {1: end, 2: "24V_COIL", 3: rail, 4: "GND", 5: f"COIL_{place}"})
    board.two(f"D{10 + first}", kinds.SUPPRESSOR, "P6KE36CA", fed, low)
