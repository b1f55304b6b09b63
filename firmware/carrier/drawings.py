"""The carrier's drawings (schemdraw, SVG): blocks, one side's harness, power and emergency stop.

They take pins, places and terminals from the same tables as the circuit.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import schemdraw
from schemdraw import elements as elm
from schemdraw.segments import SegmentText

from wallwright_firmware.boards import pins
from wallwright_protocol import hardware
from wallwright_protocol.names import SIDE_INPUTS

from . import values
from .wiring import GUARD_REPORT, inputs, motors, outputs

SIDE = 2
"""The side whose harness is drawn."""
GREY = "#eeeeee"


def _drawing(size: float = 11) -> schemdraw.Drawing:
    schemdraw.use("svg")
    drawing = schemdraw.Drawing(show=False)
    drawing.config(unit=2, fontsize=size, font="DejaVu Sans, sans-serif", bgcolor="white", margin=1)
    return drawing


def _box(drawing: schemdraw.Drawing, at: tuple[float, float], size: tuple[float, float], *lines: str) -> None:
    """A box by its lower left corner, with its words."""
    (x, y), (width, height) = at, size
    drawing.add(elm.Rect(corner1=(0, 0), corner2=(width, height), fill=GREY).at((x, y)).theta(0))
    for number, line in enumerate(lines):
        below = height / 2 + 0.38 * ((len(lines) - 1) / 2 - number)
        _text(drawing, (x + width / 2, y + below), line, 11 if number == 0 else 9)


def _text(drawing: schemdraw.Drawing, at: tuple[float, float], words: str, size: float = 9, side: str = "") -> None:
    """Words around a place, or to the "left" or "right" of it."""
    align: Any = ({"": "center", "left": "right", "right": "left"}[side], "center")
    element = elm.Element().at(at).theta(0)
    element.segments.append(SegmentText((0, 0), words, fontsize=size, align=align, rotation_mode="anchor"))
    drawing.add(element)


def _wire(drawing: schemdraw.Drawing, *points: tuple[float, float], arrow: str = "") -> None:
    for number, (start, end) in enumerate(pairwise(points)):
        last = number == len(points) - 2
        drawing.add(elm.Line(arrow=arrow if last else None).at(start).to(end))


def _gp(net: str) -> str:
    return next(f"GP{number}" for number, name, _, _ in pins.PINS if name == net)


def blocks() -> str:
    """Return the block diagram."""
    drawing = _drawing()
    with drawing:
        _box(drawing, (0, 1.6), (3.2, 7), "Pico", "RP2040 or RP2350", "", "its own USB:", "flashing only")
        groups = (
            (
                8.0,
                ("HOST_TX", "HOST_RX"),
                "isolator ADuM1201",
                "UART 0, 115,200 baud",
                "USB-serial module",
                "to the host",
            ),
            (
                6.1,
                ("LINE_TX", "LINE_RX", "LINE_ENABLE"),
                "MAX3485",
                "UART 1, RS-485",
                "readers, displays,",
                "claim keys: 4 x JL",
            ),
            (
                4.2,
                ("IN_CLOCK", "IN_DATA", "IN_LOAD"),
                f"{pins.IN_REGISTERS} x 74HC165",
                "48 levels, each ms",
                "12 x LTV-847",
                "24 V inputs: JI, JT, JE",
            ),
            (
                2.3,
                ("OUT_CLOCK", "OUT_DATA", "OUT_LATCH", "OUT_ENABLE", "OUT_BACK"),
                f"{pins.OUT_REGISTERS} x 74HC595",
                f"24 drives, 8 lamps\n{pins.SENSE_REGISTERS} x 74HC165: senses",
                "6 MOSFETs, 18 relays,",
                "8 lamps: JO, JM",
            ),
        )
        for y, nets, first, what, second, where in groups:
            _wire(drawing, (3.2, y), (8.4, y), arrow="<->")
            _text(drawing, (5.8, y + 0.25), ", ".join(net.lower() for net in nets), 8 if len(nets) < 5 else 6.5)
            _text(drawing, (5.8, y - 0.28), ", ".join(_gp(net) for net in nets), 8)
            _box(drawing, (8.4, y - 0.75), (3.4, 1.5), first, *what.split("\n"))
            _wire(drawing, (11.8, y), (12.8, y), arrow="<->")
            _box(drawing, (12.8, y - 0.75), (3.8, 1.5), second, where)
        _box(drawing, (0, -0.4), (3.2, 1.5), "5 V converter", "from 24 V control")
        _wire(drawing, (1.6, 1.1), (1.6, 1.6), arrow="->")
        _box(drawing, (8.4, -0.4), (3.4, 1.5), "K0, K1, K2, K3", "pump K4, K5; stop S1", "lid S3")
        _wire(drawing, (2.8, 1.6), (2.8, 1.3), (3.6, 1.3), (3.6, 0.35), (8.4, 0.35), arrow="->")
        _text(drawing, (5.8, 0.6), "supply_pump", 8)
        _text(drawing, (5.8, 0.1), f"{_gp('SUPPLY_PUMP')} makes edges, or K0 falls", 8)
        _wire(drawing, (11.8, 0.35), (14.6, 0.35), (14.6, 1.55), arrow="->")
        _text(drawing, (13.2, 0.1), "motor supply, coils", 8)
        _wire(drawing, (10.1, -0.4), (10.1, -0.9), (17.4, -0.9), (17.4, 4.2), (16.6, 4.2), arrow="->")
        _text(drawing, (13.7, -1.15), "reported: emergency_stop", 8)
        _text(drawing, (5.8, 1.45), f"{values.ENABLE_PULL_UP_OHM / 1000:g}k from out_enable to 3.3 V:", 8)
        _text(drawing, (5.8, 1.1), "off until the firmware drives it", 8)
    return _svg(drawing)


def harness() -> str:
    """Return what is wired to one side: terminals, names, registers."""
    drawing = _drawing()
    ins = [one for one in inputs() if one.connector == f"JI{SIDE}"]
    named = dict(zip(SIDE_INPUTS, ins, strict=True))
    things = {
        "belt_full": "eye at the belt's end",
        "count_eye": "eye, one dark time a tile",
        "head_home": "vane on the head's cam",
        "head_pushed": "vane on the head's cam",
        "lift_up": "end switch",
        "lift_down": "end switch",
        "lift_key": "key in the panel",
        "dice_key": "key in the panel",
        "referee_key": "key in the panel",
    }
    with drawing:
        top = 10.6
        _text(drawing, (0.1, top + 0.5), f"JI{SIDE}: inputs of side {SIDE}", 11, "right")
        for row, (name, one) in enumerate(named.items()):
            y = top - 0.55 * row
            _terminal(drawing, (0, y), one.terminal)
            _wire(drawing, (0.6, y), (3, y))
            _text(drawing, (3.2, y), f"{one.name}: {things[name]}", 9, "right")
            _text(drawing, (-0.2, y), f"input {one.place}, {one.register}", 8, "left")
        last = max(one.terminal for one in ins)
        for extra, words in ((1, "+24 V for the sensors"), (2, "+24 V for switches and keys"), (3, "0 V")):
            y = top - 0.55 * (len(ins) - 1 + extra)
            _terminal(drawing, (0, y), last + extra)
            _wire(drawing, (0.6, y), (3, y))
            _text(drawing, (3.2, y), words, 9, "right")
        top = 3.4
        _text(drawing, (0.1, top + 0.5), f"JO{SIDE}: motors and lamps of side {SIDE}", 11, "right")
        row = 0
        by_place = {one.place: one for one in outputs()}
        for motor in motors():
            if motor.connector == f"JO{SIDE}":
                y = top - 0.55 * row
                for end, terminal in enumerate(motor.terminals):
                    _terminal(drawing, (0, y - 0.55 * end), terminal)
                    _wire(drawing, (0.6, y - 0.55 * end), (3, y - 0.55 * end))
                drawing.add(elm.Motor().at((3, y)).to((3, y - 0.55)).scale(0.45))
                drives = ", ".join(by_place[place].name for place in motor.places)
                how = "two relays" if len(motor.places) == 2 else "MOSFET"
                _text(drawing, (3.6, y - 0.28), f"{motor.name}: {drives} ({how})", 9, "right")
                for place, below in zip(motor.places, (0, 0.55), strict=False):
                    _text(drawing, (-0.2, y - below), f"drive {place}, {by_place[place].register}", 8, "left")
                row += 2
        for lamp in range(hardware.LAMPS_PER_SIDE):
            y = top - 0.55 * row
            place = pins.FIRST_LAMP_PLACE + SIDE * hardware.LAMPS_PER_SIDE + lamp
            _terminal(drawing, (0, y), 7 + lamp)
            _wire(drawing, (0.6, y), (3, y))
            _text(drawing, (3.2, y), f"{by_place[place].name}, 24 V, 100 mA at the most", 9, "right")
            _text(drawing, (-0.2, y), f"lamp {place - pins.FIRST_LAMP_PLACE}, {by_place[place].register}", 8, "left")
            row += 1
        y = top - 0.55 * row
        _terminal(drawing, (0, y), 9)
        _wire(drawing, (0.6, y), (3, y))
        _text(drawing, (3.2, y), "+24 V for the lamps", 9, "right")
    return _svg(drawing)


def _terminal(drawing: schemdraw.Drawing, at: tuple[float, float], number: int) -> None:
    x, y = at
    drawing.add(elm.Rect(corner1=(0, -0.22), corner2=(0.6, 0.22), fill=GREY).at((x, y)).theta(0))
    _text(drawing, (x + 0.3, y), str(number), 8)


def power() -> str:
    """Return power and emergency stop: what cuts the motors without any code."""
    drawing = _drawing()
    with drawing:
        _text(drawing, (0, 10), "Control box", 11, "right")
        _text(drawing, (12.4, 10.2), "Carrier", 11, "right")
        # The safety relay with its loops to the left, and what it switches to the right.
        _box(drawing, (4.4, 6.1), (3, 3.2), "K0", "safety relay,", "two channels,", "monitored start")
        for y, first, second, pins_ in (
            (8.9, "S1 11-12", "K4 pump", "S11-S12"),
            (7.8, "S1 21-22", "K5 pump", "S21-S22"),
            (6.7, "S2 start", "K1-K3 21-22", "S33-S34"),
        ):
            _wire(drawing, (4.4, y + 0.2), (0.4, y + 0.2), (0.4, y - 0.3), (0.6, y - 0.3))
            _contact(drawing, (0.6, y - 0.3), first, closed=first.startswith("S1"))
            _contact(drawing, (2, y - 0.3), second, closed=first.startswith("S2"))
            _wire(drawing, (3.4, y - 0.3), (4.4, y - 0.3))
            _text(drawing, (0.2, y), pins_, 8, "left")
        for y, pins_, coil in ((8.6, "13-14", "K1"), (7, "23-24", "K2")):
            _wire(drawing, (7.4, y), (9.4, y))
            _text(drawing, (8.2, y + 0.25), f"24 V, {pins_}", 8)
            _box(drawing, (9.4, y - 0.3), (1, 0.6), coil)
            _wire(drawing, (10.4, y), (11, y))
            _text(drawing, (11.1, y), "0 V", 9, "right")
        drawing.add(elm.Dot().at((9.1, 8.6)))
        _wire(drawing, (9.1, 8.6), (9.1, 9.4), (12.4, 9.4), arrow="->")
        emergency = next(one for one in inputs() if one.name == "emergency_stop")
        _box(drawing, (12.4, 8.9), (4.6, 1), f"{emergency.connector} {emergency.terminal}: emergency_stop")
        _text(drawing, (12.5, 8.55), "no current: pressed, not started, or a broken wire", 8, "right")
        # What the contactors switch.
        rows = (
            (5.2, "motor supply, 12 to 24 V (PS2)", "F90 10 A", "1-2", "JV 1, 2: VM"),
            (3.8, "24 V control (PS1)", "F91 T 1 A", "3-4", "JP 3: 24V_COIL"),
        )
        for y, words, fuse, poles, where in rows:
            _text(drawing, (-0.2, y), words, 9, "left")
            _wire(drawing, (0, y), (1, y))
            drawing.add(elm.Fuse().at((1, y)).to((2.4, y)))
            _text(drawing, (1.7, y + 0.4), fuse, 8)
            _wire(drawing, (2.4, y), (4.1, y))
            _contact(drawing, (4.1, y), f"K1 {poles}", closed=False)
            _contact(drawing, (5.5, y), f"K2 {poles}", closed=False)
            _wire(drawing, (6.9, y), (8.4, y), arrow="->")
            _text(drawing, (8.5, y), where, 9, "right")
        y = 2.4
        _text(drawing, (-0.2, y), "24 V control (PS1)", 9, "left")
        _wire(drawing, (0, y), (8.4, y), arrow="->")
        _text(drawing, (8.5, y), "JP 1: 24V_IN", 9, "right")
        # The lid's interlock.
        y = 1
        _text(drawing, (-0.2, y), "VM, behind K2", 9, "left")
        _wire(drawing, (0, y), (4.1, y))
        _contact(drawing, (4.1, y), "K3 1-2", closed=False)
        _contact(drawing, (5.5, y), "K3 3-4", closed=False)
        _wire(drawing, (6.9, y), (8.4, y), arrow="->")
        _text(drawing, (8.5, y), "JV 3, 4: VM_GUARDED (disc, ring, belts, heads)", 9, "right")
        y = -0.4
        _text(drawing, (-0.2, y), "24V_COIL, behind K2", 9, "left")
        _wire(drawing, (0, y), (4.1, y))
        _contact(drawing, (4.1, y), "S3: lid is closed", closed=False)
        _wire(drawing, (5.5, y), (6.4, y))
        _box(drawing, (6.4, y - 0.3), (1, 0.6), "K3")
        _wire(drawing, (7.4, y), (8.4, y))
        _text(drawing, (8.5, y), "0 V", 9, "right")
        y = -1.8
        report = next(one for one in inputs() if one.place == GUARD_REPORT)
        _text(drawing, (-0.2, y), "24V_SENSOR", 9, "left")
        _wire(drawing, (0, y), (4.1, y))
        _contact(drawing, (4.1, y), "K3 31-32", closed=True)
        _wire(drawing, (5.5, y), (8.4, y), arrow="->")
        _text(drawing, (8.5, y), f"{report.connector} {report.terminal}: current while K3 is off", 9, "right")
        # Two ways of driving a motor.
        top = 5.2
        rated = f"T {values.fuse(24).rated_a:g} A"
        _text(drawing, (12.5, top + 0.9), "one drive: disc, ring, heads", 9, "right")
        drawing.add(elm.Fuse().at((12.8, top + 0.3)).to((12.8, top - 0.9)))
        _text(drawing, (12.9, top + 0.45), "VM_GUARDED", 8, "right")
        _text(drawing, (13.1, top - 0.3), f"{rated}, heads T {values.head_fuse(24).rated_a:g} A", 8, "right")
        drawing.add(elm.Motor().at((12.8, top - 0.9)).to((12.8, top - 2.3)))
        drawing.add(elm.Schottky().at((14.3, top - 2.3)).to((14.3, top - 0.9)))
        _wire(drawing, (12.8, top - 0.9), (14.3, top - 0.9))
        _wire(drawing, (12.8, top - 2.3), (14.3, top - 2.3))
        drawing.add(elm.NFet().at((12.8, top - 2.3)).anchor("drain").theta(0))
        drawing.add(elm.Ground().at((12.8, top - 3.3)).theta(0))
        _text(drawing, (14.7, top - 1.6), "SB560", 8, "right")
        _text(drawing, (14.2, top - 2.95), "IRLZ44N", 8, "right")
        left = 17.2
        _text(drawing, (left, top + 0.9), "two drives: conveyors, lifts, lid", 9, "right")
        drawing.add(elm.Fuse().at((left + 1.6, top + 0.3)).to((left + 1.6, top - 0.6)))
        _text(drawing, (left + 1.7, top + 0.45), "VM (conveyors: VM_GUARDED)", 8, "right")
        _text(drawing, (left + 1.9, top - 0.1), rated, 8, "right")
        _wire(drawing, (left, top - 0.6), (left + 3.4, top - 0.6))
        for x, relay in ((left, "+"), (left + 3.4, "-")):
            _wire(drawing, (x, top - 0.6), (x, top - 1))
            drawing.add(elm.Line().at((x, top - 2.3)).to((x + 0.35, top - 1.9)))
            drawing.add(elm.Dot(open=True).at((x, top - 1)))
            drawing.add(elm.Dot(open=True).at((x + 0.5, top - 1.8)))
            drawing.add(elm.Dot().at((x, top - 2.3)))
            _wire(drawing, (x + 0.5, top - 1.8), (x + 1, top - 1.8))
            drawing.add(elm.Ground().at((x + 1, top - 1.8)).theta(0))
            _text(drawing, (x - 0.15, top - 1.6), f"relay {relay}", 8, "left")
        drawing.add(elm.Line().at((left, top - 2.3)).to((left + 0.8, top - 2.8)))
        drawing.add(elm.Line().at((left + 3.4, top - 2.3)).to((left + 2.2, top - 2.8)))
        drawing.add(elm.Motor().at((left + 1, top - 2.8)).to((left + 2.4, top - 2.8)))
        _text(drawing, (left + 1.7, top - 3.6), "none or both: the ends are on one side,", 8)
        _text(drawing, (left + 1.7, top - 3.95), "the motor stands", 8)
    return _svg(drawing)


def _contact(drawing: schemdraw.Drawing, at: tuple[float, float], name: str, closed: bool) -> None:
    """A contact, 1.4 wide, as it stands with nothing pressed and no coil fed."""
    x, y = at
    _wire(drawing, (x, y), (x + 0.3, y))
    _wire(drawing, (x + 1.1, y), (x + 1.4, y))
    drawing.add(elm.Line().at((x + 0.3, y)).to((x + 1.15, y + (0.12 if closed else 0.4))))
    if closed:
        drawing.add(elm.Line().at((x + 1.1, y)).to((x + 1.1, y + 0.2)))
    _text(drawing, (x + 0.7, y - 0.35), name, 8)


def _svg(drawing: schemdraw.Drawing) -> str:
    text: str = drawing.get_imagedata("svg").decode()
    return text.replace("><", ">\n<") + "\n"


DRAWINGS: dict[str, Callable[[], str]] = {
    "carrier-blocks": blocks,
    "carrier-side": harness,
    "carrier-power": power,
}
