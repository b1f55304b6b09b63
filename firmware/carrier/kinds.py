"""The parts: pins, package, typical part and datasheet of each kind, made in code, so that KiCad's libraries need not
be there. Pin numbers are those of the datasheets named.

SKiDL opens log files in the folder where it is imported; that happens in a folder that is gone afterwards. There it is
told that KiCad's libraries are, too: for each one it misses it reads the source of every caller to say so.
"""

import contextlib
import importlib
import io
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from unittest import mock

from wallwright_firmware.boards import pins

from .wiring import PICO_PINS

LIBRARIES = ("KICAD_SYMBOL_DIR", *(f"KICAD{version}_SYMBOL_DIR" for version in range(6, 11)))

with (
    tempfile.TemporaryDirectory() as folder,
    contextlib.chdir(folder),
    contextlib.redirect_stderr(io.StringIO()),
    mock.patch.dict(os.environ, dict.fromkeys(("XDG_DATA_HOME", *LIBRARIES), folder)),
):
    import skidl as skidl
    from skidl.logger import stop_log_file_output

    stop_log_file_output()

# For each part and net it reads the source of every caller, to say later where that was made: most of its time, and
# paths of this machine.
for module in ("skidl.circuit", "skidl.node"):
    vars(importlib.import_module(module))["get_skidl_trace"] = list

IN, OUT, PASSIVE = skidl.Pin.types.INPUT, skidl.Pin.types.OUTPUT, skidl.Pin.types.PASSIVE
FED, FEEDS, NONE = skidl.Pin.types.PWRIN, skidl.Pin.types.PWROUT, skidl.Pin.types.NOCONNECT
COLLECTOR = skidl.Pin.types.OPENCOLL
THREE_STATE = skidl.Pin.types.TRISTATE
Pins = dict[int, tuple[str, object]]
Pairs = tuple[tuple[str, str], ...]
BOTH_WAYS: Pairs = (("1", "2"), ("2", "1"))


@dataclass(frozen=True)
class Kind:
    """One kind of part. A footprint of "" is on no board: it stands in the table or in the control box."""

    prefix: str
    pins: Pins
    footprint: str
    part: str
    source: str = ""
    passes: Pairs = ()
    """From pin to pin, by name: where a direct current may flow in some state of the part, clamp diodes too."""
    makes: Pairs = ()
    """Contacts that are closed while the coil has its voltage, or while the button is pressed."""
    breaks: Pairs = ()
    """Contacts that are open then."""
    coil: tuple[str, str] | None = None


def _two(
    prefix: str,
    footprint: str,
    part: str,
    source: str = "",
    names: tuple[str, str] = ("1", "2"),
    passes: Pairs = BOTH_WAYS,
) -> Kind:
    return Kind(prefix, {1: (names[0], PASSIVE), 2: (names[1], PASSIVE)}, footprint, part, source, passes)


def _diode(prefix: str, footprint: str, part: str, source: str = "") -> Kind:
    return _two(prefix, footprint, part, source, ("K", "A"), (("A", "K"),))


def _capacitor(footprint: str, part: str) -> Kind:
    return _two("C", footprint, part, passes=())


def _clamped(names: Iterable[str], supply: str = "VCC") -> Pairs:
    """The ways of logic pins: to and from their supply, by driver or clamp diode."""
    return tuple(pair for name in names for pair in ((name, supply), (supply, name)))


def _takes(names: Iterable[str], supply: str = "VCC") -> Pairs:
    """The ways of inputs that only take: by the clamp diode to the supply."""
    return tuple((name, supply) for name in names)


def terminal(count: int) -> Kind:
    """Return a row of screw terminals."""
    footprint = f"TerminalBlock_Phoenix:TerminalBlock_Phoenix_PT-1,5-{count}-3.5-H_1x{count:02}_P3.50mm_Horizontal"
    pins_ = {number: (str(number), PASSIVE) for number in range(1, count + 1)}
    return Kind("J", pins_, footprint, f"Phoenix PT 1,5/{count}-3,5-H")


def _pico() -> Kind:
    functions = {number: (net, direction) for number, net, direction, _ in pins.PINS}
    found: Pins = dict.fromkeys((3, 8, 13, 18, 23, 28, 38), ("GND", FED))
    for number, pin in PICO_PINS.items():
        net, direction = functions.get(number, ("", ""))
        found[pin] = (f"GP{number}", {"out": OUT, "in": IN}[direction] if net else NONE)
    found |= {30: ("RUN", NONE), 33: ("AGND", FED), 35: ("ADC_VREF", NONE), 36: ("3V3", FEEDS), 37: ("3V3_EN", NONE)}
    found |= {39: ("VSYS", FED), 40: ("VBUS", NONE)}
    passes = (("VSYS", "3V3"), *_clamped((f"GP{number}" for number in PICO_PINS), "3V3"))
    return Kind(
        "U", found, "Module:RaspberryPi_Pico_Common_THT", "Raspberry Pi Pico", "Raspberry Pi Pico datasheet", passes
    )


def _gate(*names: tuple[str, object]) -> Pins:
    return dict(enumerate(names, 1))


PICO = _pico()
REGISTER_IN = Kind(
    "U",
    _gate(
        *(("LOAD", IN), ("CLK", IN), ("D4", IN), ("D5", IN), ("D6", IN), ("D7", IN), ("QH_N", NONE), ("GND", FED)),
        *(("QH", OUT), ("SER", IN), ("D0", IN), ("D1", IN), ("D2", IN), ("D3", IN), ("INHIBIT", IN), ("VCC", FED)),
    ),
    "Package_DIP:DIP-16_W7.62mm_Socket",
    "SN74HC165N",
    "Texas Instruments SN74HC165 datasheet",
    (*_clamped(("QH",)), *_takes(("LOAD", "CLK", "SER", "INHIBIT", *(f"D{at}" for at in range(8))))),
)
REGISTER_OUT = Kind(
    "U",
    _gate(
        *((f"Q{at}", THREE_STATE) for at in range(1, 8)),
        *(("GND", FED), ("QH", OUT), ("CLEAR", IN), ("CLK", IN), ("LATCH", IN), ("ENABLE", IN), ("SER", IN)),
        *(("Q0", THREE_STATE), ("VCC", FED)),
    ),
    "Package_DIP:DIP-16_W7.62mm_Socket",
    "SN74HC595N",
    "Texas Instruments SN74HC595 datasheet",
    _clamped(("QH", "CLEAR", "CLK", "LATCH", "ENABLE", "SER", *(f"Q{at}" for at in range(8)))),
)
OPTOCOUPLER = Kind(
    "U",
    {2 * at + 1 + half: ((f"A{at}", f"K{at}")[half], PASSIVE) for at in range(4) for half in (0, 1)}
    | {16 - 2 * at - half: ((f"C{at}", f"E{at}")[half], PASSIVE) for at in range(4) for half in (0, 1)},
    "Package_DIP:DIP-16_W7.62mm_Socket",
    "LTV-847",
    "Lite-On LTV-8x7 datasheet",
    tuple(pair for at in range(4) for pair in ((f"A{at}", f"K{at}"), (f"C{at}", f"E{at}"))),
)
ARRAY = Kind(
    "U",
    {at: (f"IN{at}", IN) for at in range(1, 9)}
    | {19 - at: (f"OUT{at}", COLLECTOR) for at in range(1, 9)}
    | {9: ("GND", FED), 10: ("COM", PASSIVE)},
    "Package_DIP:DIP-18_W7.62mm_Socket",
    "ULN2803A",
    "Texas Instruments ULN2803A datasheet",
    tuple((f"OUT{at}", "COM") for at in range(1, 9)),
)
GATE_DRIVER = Kind(
    "U",
    _gate(
        *(("NC", NONE), ("IN_A", IN), ("GND", FED), ("IN_B", IN), ("OUT_B", OUT), ("VDD", FED), ("OUT_A", OUT)),
        ("NC", NONE),
    ),
    "Package_DIP:DIP-8_W7.62mm_Socket",
    "TC4427ACPA",
    "Microchip TC4426A/27A/28A datasheet",
    _clamped(("OUT_A", "OUT_B"), "VDD"),
)
MOSFET = Kind(
    "Q",
    _gate(("G", IN), ("D", PASSIVE), ("S", PASSIVE)),
    "Package_TO_SOT_THT:TO-220-3_Vertical",
    "IRLZ44N",
    "Infineon IRLZ44N datasheet",
    (("D", "S"), ("S", "D")),
)
NPN = Kind(
    "Q",
    _gate(("C", PASSIVE), ("B", PASSIVE), ("E", PASSIVE)),
    "Package_TO_SOT_THT:TO-92_Inline",
    "BC337",
    "onsemi BC337 datasheet",
    (("C", "E"), ("B", "E")),
)
NPN_HIGH = replace(NPN, part="BC546B", source="onsemi BC546 datasheet")
COMPARATOR = Kind(
    "U",
    _gate(
        *(("OUT_1", COLLECTOR), ("IN_1N", IN), ("IN_1P", IN), ("GND", FED), ("IN_2P", IN), ("IN_2N", IN)),
        *(("OUT_2", NONE), ("VCC", FED)),
    ),
    "Package_DIP:DIP-8_W7.62mm_Socket",
    "LM393P",
    "Texas Instruments LM393 datasheet",
)
LOOP_RELAY = Kind(
    "K",
    {1: ("COIL_A", PASSIVE), 4: ("COM", PASSIVE), 6: ("NC", PASSIVE), 8: ("NO", PASSIVE)}
    | {9: ("NO_2", PASSIVE), 11: ("NC_2", PASSIVE), 13: ("COM_2", PASSIVE), 16: ("COIL_B", PASSIVE)},
    "Relay_THT:Relay_DPDT_Omron_G5V-2",
    "Omron G5V-2 DC24",
    "Omron G5V-2 datasheet",
    (("COIL_A", "COIL_B"), ("COIL_B", "COIL_A")),
    makes=(("COM", "NO"),),
    breaks=(("COM", "NC"),),
)
RELAY = Kind(
    "K",
    _gate(("COM", PASSIVE), ("COIL_A", PASSIVE), ("NO", PASSIVE), ("NC", PASSIVE), ("COIL_B", PASSIVE)),
    "Relay_THT:Relay_SPDT_Omron-G5LE-1",
    "Omron G5LE-1 DC24",
    "Omron G5LE datasheet",
    (("COIL_A", "COIL_B"), ("COIL_B", "COIL_A")),
    makes=(("COM", "NO"),),
    breaks=(("COM", "NC"),),
    coil=("COIL_A", "COIL_B"),
)
ISOLATOR = Kind(
    "U",
    _gate(
        *(("VDD1", FED), ("VOA", OUT), ("VIB", IN), ("GND1", FED), ("GND2", FED), ("VOB", OUT), ("VIA", IN)),
        ("VDD2", FED),
    ),
    "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm",
    "ADuM1201ARZ",
    "Analog Devices ADuM1200/ADuM1201 datasheet",
    (*_clamped(("VOA", "VIB"), "VDD1"), *_clamped(("VOB", "VIA"), "VDD2")),
)
TRANSCEIVER = Kind(
    "U",
    _gate(
        *(("RO", OUT), ("RE_N", IN), ("DE", IN), ("DI", IN), ("GND", FED), ("A", PASSIVE), ("B", PASSIVE)),
        ("VCC", FED),
    ),
    "Package_DIP:DIP-8_W7.62mm_Socket",
    "MAX3485CPA+",
    "Analog Devices MAX3483/85/86 datasheet",
    (*_clamped(("RO", "RE_N", "DE", "DI")), ("VCC", "A"), ("VCC", "B")),
)
CONVERTER = Kind(
    "U",
    _gate(("VIN", FED), ("GND", FED), ("VOUT", FEEDS)),
    "Converter_DCDC:Converter_DCDC_RECOM_R-78HB-0.5_THT",
    "RECOM R-78HB5.0-0.5",
    "RECOM R-78HB-0.5 datasheet: 72 V at its input",
    (("VIN", "VOUT"), ("VOUT", "VIN")),
)
BRIDGE = Kind(
    "J",
    _gate(
        *(("GND", FEEDS), ("CTS", NONE), ("VCC", FEEDS), ("TXD", OUT), ("RXD", IN)),
        ("RTS", NONE),
    ),
    "Connector_PinHeader_2.54mm:PinHeader_1x06_P2.54mm_Vertical",
    "USB-serial module, FT232R, 3.3 V, its own serial number",
)
RESISTOR = _two("R", "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P7.62mm_Horizontal", "metal film 1 %, 0.25 W")
CAPACITOR = _capacitor("Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm", "ceramic X7R, 50 V")
BULK = _capacitor("Capacitor_THT:CP_Radial_D18.0mm_P7.50mm", "electrolytic, 50 V, 105 degrees")
FILM = _capacitor("Capacitor_THT:C_Rect_L7.2mm_W5.5mm_P5.00mm_FKS2_FKP2_MKS2_MKP2", "film, 5 %, 63 V")
CLAMP = _diode("D", "Diode_THT:D_DO-34_SOD68_P7.62mm_Horizontal", "BAT85", "Nexperia BAT85 datasheet")
DIODE = _diode("D", "Diode_THT:D_DO-35_SOD27_P7.62mm_Horizontal", "1N4148")
SCHOTTKY = _diode("D", "Diode_THT:D_DO-201AD_P15.24mm_Horizontal", "SB560", "Vishay SB520 to SB560 datasheet")
SUPPRESSOR = _two("D", "Diode_THT:D_DO-15_P12.70mm_Horizontal", "P6KE36CA", "Littelfuse P6KE datasheet", passes=())
LINE_SUPPRESSOR = Kind(
    "D",
    _gate(("A", PASSIVE), ("B", PASSIVE), ("GND", PASSIVE)),
    "Package_TO_SOT_SMD:SOT-23",
    "SM712",
    "Semtech SM712 datasheet",
)
FUSE = _two("F", "Fuse:Fuseholder_Cylinder-5x20mm_Schurter_0031_8201_Horizontal_Open", "5x20 mm, time-lag (T), 250 V")
FUSE_HOLDER = _two("F", "", "Fuse and holder for a rail, time-lag")
LED = _diode("D", "LED_THT:LED_D3.0mm", "LED 3 mm, green")

SUPPLY = Kind("PS", {1: ("+", FEEDS), 2: ("-", PASSIVE)}, "", "24 V DC, SELV or PELV (IEC 61558-2-16), in its own box")
STOP = Kind(
    "S",
    _gate(("11", PASSIVE), ("12", PASSIVE), ("21", PASSIVE), ("22", PASSIVE)),
    "",
    "Emergency stop, latching, two contacts that open by force (IEC 60947-5-5)",
    breaks=(("11", "12"), ("21", "22")),
)
START = Kind(
    "S",
    _gate(("13", PASSIVE), ("14", PASSIVE)),
    "",
    "Push button, one contact that closes, behind a collar",
    makes=(("13", "14"),),
)
SAFETY = Kind(
    "K",
    _gate(
        *(("A1", FED), ("A2", PASSIVE), ("S11", PASSIVE), ("S12", PASSIVE), ("S21", PASSIVE), ("S22", PASSIVE)),
        *(("S33", PASSIVE), ("S34", PASSIVE), ("13", PASSIVE), ("14", PASSIVE), ("23", PASSIVE), ("24", PASSIVE)),
    ),
    "",
    "Safety relay, 24 V DC, two channels, monitored start with feedback loop, two enabling contacts (IEC 60204-1)",
    makes=(("13", "14"), ("23", "24")),
)
CONTACTOR = Kind(
    "K",
    _gate(
        *(("A1", PASSIVE), ("A2", PASSIVE), ("1", PASSIVE), ("2", PASSIVE), ("3", PASSIVE), ("4", PASSIVE)),
        *(("21", PASSIVE), ("22", PASSIVE)),
    ),
    "",
    "Contactor, 24 V DC coil with suppressor, two poles for 10 A DC, a mirror contact 21-22 (IEC 60947-4-1)",
    passes=(("A1", "A2"), ("A2", "A1")),
    makes=(("1", "2"), ("3", "4")),
    breaks=(("21", "22"),),
    coil=("A1", "A2"),
)
GUARD = Kind(
    "K",
    CONTACTOR.pins | {9: ("31", PASSIVE), 10: ("32", PASSIVE)},
    "",
    "Contactor, 24 V DC coil with suppressor, two poles for 10 A DC, two mirror contacts (IEC 60947-4-1)",
    passes=CONTACTOR.passes,
    makes=CONTACTOR.makes,
    breaks=(("21", "22"), ("31", "32")),
    coil=CONTACTOR.coil,
)
LID_SWITCH = Kind(
    "S",
    _gate(("11", PASSIVE), ("12", PASSIVE)),
    "",
    "Position switch, one contact that opens by force when the lid opens (IEC 60947-5-1)",
    makes=(("11", "12"),),
)
MOTOR = _two("M", "", "Motor of the table")
STORE = _capacitor("", "electrolytic, 50 V, 105 degrees, screw terminals")
LAMP = _two("E", "", "Lamp of a key, 24 V, 100 mA at the most")
SENSOR = _two("B", "", "Sensor or contact of the table", "", ("+", "OUT"), (("+", "OUT"),))
