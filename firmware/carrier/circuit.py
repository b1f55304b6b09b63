"""The carrier's circuit: parts and nets by block, and what SKiDL's electrical rules find wrong with it.

Nets are named by what is on them: the Pico's as in `boards/pins.py`; `FIELD_n`, `LEVEL_n` and `SWITCH_n` by place on
the chain; `24V_...` by what they feed. `GND` is one star for logic, inputs and motors; the host's side of the link
has `HOST_GND`. `build(panel=True)` adds what is no part of the board: supplies, emergency stop, contactors, motors.
"""

import contextlib
import io
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from wallwright_firmware.boards import pins

from . import kinds, values
from .kinds import Kind
from .wiring import EMERGENCY_STOP, IN_PLACES, OUT_PLACES, PICO_PINS, Motor, inputs, motors

BOARD = "board"


@dataclass
class Board:
    """A circuit under construction: its parts and nets by name."""

    circuit: Any = field(default_factory=kinds.skidl.Circuit)
    nets: dict[str, Any] = field(default_factory=dict)
    parts: dict[str, Any] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    waiting: dict[str, list[Any]] = field(default_factory=dict)
    """Pins by the net that they are to be on: SKiDL takes long for each time that a net grows."""

    def add(self, reference: str, kind: Kind, value: str, nets: dict[int, str]) -> None:
        """Put a part in; `nets` has the net of each pin that is wired. The rest is marked as left open on purpose."""
        if reference in self.parts:
            raise ValueError(f"there are two {reference}")
        pins_ = [kinds.skidl.Pin(num=number, name=name, func=how) for number, (name, how) in sorted(kind.pins.items())]
        part = kinds.skidl.Part(
            name=kind.part.split(",")[0],
            tool=kinds.skidl.SKIDL,
            dest=kinds.skidl.TEMPLATE,
            pins=pins_,
        )(circuit=self.circuit, ref=reference, tag=reference, value=value, footprint=kind.footprint)
        part.fields["Part"] = kind.part
        if unknown := nets.keys() - kind.pins.keys():
            raise ValueError(f"{reference} has no pin {sorted(unknown)}")
        for pin in part.pins:
            if (number := int(pin.num)) in nets:
                self.waiting.setdefault(nets[number], []).append(pin)
            else:
                pin.do_erc = False
        self.parts[reference] = part
        self.kinds[reference] = kind

    def net(self, name: str) -> Any:
        """Return a net by its name, a new one if need be."""
        if name not in self.nets:
            self.nets[name] = kinds.skidl.Net(name, circuit=self.circuit)
        return self.nets[name]

    def wire(self) -> None:
        """Put the pins that wait on their nets."""
        for name, pins_ in self.waiting.items():
            self.net(name).connect(*pins_)
        self.waiting.clear()

    def two(self, reference: str, kind: Kind, value: str, first: str, second: str) -> None:
        """Put in a part of two pins."""
        self.add(reference, kind, value, {1: first, 2: second})

    def feed(self, names: Iterable[str]) -> None:
        """Say that something outside the circuit feeds these nets."""
        for name in names:
            self.net(name).drive = kinds.skidl.POWER


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
    if panel:
        _panel(board)
    else:
        board.feed(("24V_IN",))
    board.feed(("24V_COIL", "VM", "GND"))
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
    board.add("JV", kinds.terminal(4), "motor supply, 12 to 24 V", {1: "VM", 2: "VM", 3: "GND", 4: "GND"})
    board.two("D1", kinds.SUPPRESSOR, "P6KE36CA", "24V_IN", "GND")
    board.two("F1", kinds.FUSE, "T 1 A", "24V_IN", "24V_FUSED")
    board.two("D2", kinds.SCHOTTKY, "SB560", "24V", "24V_FUSED")
    board.two("C1", kinds.BULK, "100 uF", "24V", "GND")
    board.add("U1", kinds.CONVERTER, "5 V, 1 A", {1: "24V", 2: "GND", 3: "5V"})
    board.two("C2", kinds.BULK, "100 uF", "5V", "GND")
    board.two("D3", kinds.SCHOTTKY, "SB560", "VSYS", "5V")
    board.feed(("24V", "VSYS"))
    for number, net in ((2, "24V_SENSOR"), (3, "24V_LINE")):
        board.two(f"F{number}", kinds.FUSE, "T 1 A", "24V_IN", net)
    board.two("D4", kinds.SUPPRESSOR, "P6KE36CA", "VM", "GND")
    board.two("C3", kinds.BULK, "2200 uF", "VM", "GND")
    for at, net in enumerate(("5V", "VM"), 5):
        board.two(f"D{at}", kinds.LED, f"{net} is there", "GND", f"LED_{net}")
        board.two(f"R{at}", kinds.RESISTOR, "4.7k", net, f"LED_{net}")


def _pico(board: Board) -> None:
    grounds = dict.fromkeys((3, 8, 13, 18, 23, 28, 33, 38), "GND")
    signals = {PICO_PINS[number]: net for number, net, _, _ in pins.PINS if net}
    board.add("U2", kinds.PICO, "Pico", grounds | signals | {36: "3V3", 39: "VSYS"})
    board.two("C4", kinds.CAPACITOR, "100 nF", "3V3", "GND")
    board.two("R1", kinds.RESISTOR, _ohms(values.ENABLE_PULL_UP_OHM), "3V3", "OUT_ENABLE")
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
    board.two("R8", kinds.RESISTOR, _ohms(values.BIAS_OHM), "3V3", "LINE_A")
    board.two("R9", kinds.RESISTOR, "120", "LINE_A", "LINE_B")
    board.two("R10", kinds.RESISTOR, _ohms(values.BIAS_OHM), "LINE_B", "GND")
    board.add("D7", kinds.LINE_SUPPRESSOR, "SM712", {1: "LINE_A", 2: "LINE_B", 3: "GND"})
    for side in range(4):
        board.add(f"JL{side}", kinds.terminal(4), "line", {1: "LINE_A", 2: "LINE_B", 3: "24V_LINE", 4: "GND"})


def _inputs(board: Board) -> None:
    for register in range(pins.IN_REGISTERS):
        serial = f"IN_SERIAL_{register + 1}" if register + 1 < pins.IN_REGISTERS else "GND"
        nets = {1: "IN_LOAD", 2: "IN_CLOCK", 8: "GND", 10: serial, 15: "GND", 16: "3V3"}
        nets[9] = "IN_DATA" if register == 0 else f"IN_SERIAL_{register}"
        nets |= {_pin(kinds.REGISTER_IN, f"D{bit}"): f"LEVEL_{8 * register + bit}" for bit in range(8)}
        board.add(f"U{11 + register}", kinds.REGISTER_IN, "74HC165", nets)
        board.two(f"C{11 + register}", kinds.CAPACITOR, "100 nF", "3V3", "GND")
    for four in range(IN_PLACES // 4):
        nets = {}
        for at in range(4):
            place = 4 * four + at
            # The emergency stop's wire carries current while all is well, so that a broken one reads as pressed.
            inverts = place == EMERGENCY_STOP
            nets[_pin(kinds.OPTOCOUPLER, f"A{at}")] = f"DIODE_{place}"
            nets[_pin(kinds.OPTOCOUPLER, f"K{at}")] = "GND"
            nets[_pin(kinds.OPTOCOUPLER, f"C{at}")] = f"LEVEL_{place}" if inverts else "3V3"
            nets[_pin(kinds.OPTOCOUPLER, f"E{at}")] = "GND" if inverts else f"LEVEL_{place}"
        board.add(f"U{41 + four}", kinds.OPTOCOUPLER, "LTV-847", nets)
    for place in range(IN_PLACES):
        board.two(f"R{100 + place}", kinds.RESISTOR, _ohms(values.INPUT_OHM[24]), f"FIELD_{place}", f"DIODE_{place}")
        board.two(f"R{200 + place}", kinds.RESISTOR, _ohms(values.BLEED_OHM), f"DIODE_{place}", "GND")
        board.two(f"D{100 + place}", kinds.DIODE, "1N4148", f"DIODE_{place}", "GND")
        rest = "3V3" if place == EMERGENCY_STOP else "GND"
        board.two(f"R{300 + place}", kinds.RESISTOR, _ohms(values.LOAD_OHM), f"LEVEL_{place}", rest)
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
        if register + 1 < pins.OUT_REGISTERS:
            nets[9] = f"OUT_SERIAL_{register + 1}"
        nets |= {_pin(kinds.REGISTER_OUT, f"Q{bit}"): f"SWITCH_{8 * register + bit}" for bit in range(8)}
        board.add(f"U{21 + register}", kinds.REGISTER_OUT, "74HC595", nets)
        board.two(f"C{21 + register}", kinds.CAPACITOR, "100 nF", "3V3", "GND")
    relays = [place for motor in motors() if len(motor.places) == 2 for place in motor.places]
    sinks = [(place, f"COIL_{place}") for place in sorted(relays)]
    sinks += [(place, f"LAMP_{place}") for place in range(pins.FIRST_LAMP_PLACE, OUT_PLACES)]
    for at in range(0, len(sinks), 8):
        nets = {9: "GND", 10: "24V_COIL" if sinks[at][1].startswith("COIL") else "24V_SENSOR"}
        for channel, (place, net) in enumerate(sinks[at : at + 8], 1):
            nets |= {channel: f"SWITCH_{place}", 19 - channel: net}
        board.add(f"U{31 + at // 8}", kinds.ARRAY, "ULN2803A", nets)
    gates = sorted(motor.places[0] for motor in motors() if len(motor.places) == 1)
    for at in range(0, len(gates), 2):
        one, other = gates[at : at + 2]
        nets = {2: f"SWITCH_{one}", 3: "GND", 4: f"SWITCH_{other}", 5: f"DRIVER_{other}", 6: "5V", 7: f"DRIVER_{one}"}
        board.add(f"U{36 + at // 2}", kinds.GATE_DRIVER, "TC4427A", nets)
        board.two(f"C{36 + at // 2}", kinds.CAPACITOR, "100 nF", "5V", "GND")
    for side in range(4):
        names = ("conveyor", "head", "lift")
        nets = {1 + 2 * at + end: f"M_{name}_{side}_{end + 1}" for at, name in enumerate(names) for end in (0, 1)}
        lamps = {7 + lamp: f"LAMP_{pins.FIRST_LAMP_PLACE + 2 * side + lamp}" for lamp in (0, 1)}
        board.add(f"JO{side}", kinds.terminal(9), "motors and lamps", nets | lamps | {9: "24V_SENSOR"})
    nets = {
        1 + 2 * at + end: f"M_{name}_{end + 1}" for at, name in enumerate(("disc", "ring", "lid")) for end in (0, 1)
    }
    board.add("JM", kinds.terminal(6), "motors", nets)


def _motor(board: Board, motor: Motor) -> None:
    """A fuse each. One drive: a MOSFET below the motor; two: a relay at each end, so that both at once move nothing."""
    first = motor.places[0]
    fed, low = f"M_{motor.name}_1", f"M_{motor.name}_2"
    rated = f"T {values.fuse(24).rated_a:g} A"
    if len(motor.places) == 1:
        board.two(f"F{10 + first}", kinds.FUSE, rated, "VM", fed)
        board.two(f"D{10 + first}", kinds.SCHOTTKY, "SB560", fed, low)
        board.two(f"R{20 + first}", kinds.RESISTOR, "100k", f"SWITCH_{first}", "GND")
        board.two(f"R{40 + first}", kinds.RESISTOR, "47", f"DRIVER_{first}", f"GATE_{first}")
        board.two(f"R{70 + first}", kinds.RESISTOR, "100k", f"GATE_{first}", "GND")
        board.add(f"Q{1 + first}", kinds.MOSFET, "IRLZ44N", {1: f"GATE_{first}", 2: low, 3: "GND"})
        return
    rail = f"VM_{motor.name}"
    board.two(f"F{10 + first}", kinds.FUSE, rated, "VM", rail)
    for place, end in zip(motor.places, (fed, low), strict=True):
        board.add(f"K{10 + place}", kinds.RELAY, "24 V", {1: end, 2: "24V_COIL", 3: rail, 4: "GND", 5: f"COIL_{place}"})
    board.two(f"D{10 + first}", kinds.SUPPRESSOR, "P6KE36CA", fed, low)


def _panel(board: Board) -> None:
    """Supplies, the emergency stop's circuit, and motors.

    The safety relay K0 feeds the coils of the contactors K1 and K2 while both contacts of the emergency stop are
    closed, once START was pressed with both contactors fallen off (their mirror contacts). Motors and relay coils get
    their supply through K1 and K2 one after the other. The stop's report is the voltage of K1's coil.
    """
    board.add("PS1", kinds.SUPPLY, "24 V, 3 A: control", {1: "24V_IN", 2: "GND"})
    board.add("PS2", kinds.SUPPLY, "24 V, 10 A, or what the motors want", {1: "VM_SUPPLY", 2: "GND"})
    board.two("F90", kinds.FUSE_HOLDER, "10 A", "VM_SUPPLY", "VM_FUSED")
    board.add("S1", kinds.STOP, "emergency stop", {1: "STOP_11", 2: "STOP_12", 3: "STOP_21", 4: "STOP_22"})
    board.two("S2", kinds.START, "start", "START_33", "START_1")
    coil = f"FIELD_{EMERGENCY_STOP}"
    relay = {1: "24V_IN", 2: "GND", 3: "STOP_11", 4: "STOP_12", 5: "STOP_21", 6: "STOP_22"}
    relay |= {7: "START_33", 8: "START_34", 9: "24V_IN", 10: coil, 11: "24V_IN", 12: "COIL_K2"}
    board.add("K0", kinds.SAFETY, "emergency stop", relay)
    first = {3: "VM_FUSED", 4: "VM_1", 5: "24V_IN", 6: "24V_1", 7: "START_1", 8: "START_2"}
    second = {3: "VM_1", 4: "VM", 5: "24V_1", 6: "24V_COIL", 7: "START_2", 8: "START_34"}
    board.add("K1", kinds.CONTACTOR, "motor supply", {1: coil, 2: "GND"} | first)
    board.add("K2", kinds.CONTACTOR, "motor supply", {1: "COIL_K2", 2: "GND"} | second)
    for at, motor in enumerate(motors(), 1):
        board.two(f"M{at}", kinds.MOTOR, motor.name, f"M_{motor.name}_1", f"M_{motor.name}_2")


def _pin(kind: Kind, name: str) -> int:
    return next(number for number, (named, _) in kind.pins.items() if named == name)


def _ohms(value: float) -> str:
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"
