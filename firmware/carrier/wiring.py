"""What is wired where: the firmware's inputs, drives and lamps on registers, terminals and motors.

All numbers come from the firmware's tables (`boards/pins.py`) and the protocol's. Here is what
the carrier adds: connectors, which drives move which motor, and of which kind their driver is.
"""

from dataclasses import dataclass

from wallwright_firmware.boards import pins
from wallwright_protocol import hardware
from wallwright_protocol.names import DRIVES, INPUTS, LAMPS

IN_PLACES = 8 * pins.IN_REGISTERS
OUT_PLACES = 8 * pins.OUT_REGISTERS
PICO_PINS = {0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19} | {
    15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
"""GPIO -> pin of the Pico's edge (Raspberry Pi Pico datasheet, 2.1)."""
EMERGENCY_STOP = hardware.EMERGENCY_STOP
GUARD_REPORT = hardware.GUARD_WIRE
"""The place where the lid's contactor K3 reports."""


@dataclass(frozen=True)
class Input:
    """One of the 48 input channels: its place on the chain, its name, and the terminal where its wire ends."""

    place: int
    name: str
    connector: str
    terminal: int

    @property
    def register(self) -> str:
        """The 74HC165 and its input."""
        return f"U{11 + self.place // 8} D{self.place % 8}"


@dataclass(frozen=True)
class Output:
    """One of the 32 outputs: its place on the chain, its name, and what it switches."""

    place: int
    name: str
    switches: str

    @property
    def register(self) -> str:
        """The 74HC595 and its output."""
        return f"U{21 + self.place // 8} Q{self.place % 8}"


@dataclass(frozen=True)
class Motor:
    """A motor: the places of its drives (one: a MOSFET, two: a pair of relays that reverse it), and its terminals.

    With one drive the terminals are motor + and motor -; with two the first drive makes the first terminal positive.
    """

    name: str
    places: tuple[int, ...]
    connector: str
    terminals: tuple[int, int]

    @property
    def is_guarded(self) -> bool:
        """Whether its supply is cut while the lid is open."""
        return self.name != "lid" and not self.name.startswith("lift")


def inputs() -> tuple[Input, ...]:
    """Return all channels in the order of the chain; what no input of the firmware is on is a spare."""
    names = [*INPUTS, *(f"spare_{place}" for place in range(hardware.INPUTS, IN_PLACES))]
    found = []
    at_table = 0
    for place, name in enumerate(names):
        side, kind = divmod(place, hardware.INPUTS_PER_SIDE)
        if side < hardware.SIDES:
            found.append(Input(place, name, f"JI{side}", kind + 1))
        elif place == EMERGENCY_STOP:
            found.append(Input(place, name, "JE", 1))
        else:
            at_table += 1
            found.append(Input(place, name, "JT", at_table))
    return tuple(found)


def motors() -> tuple[Motor, ...]:
    """Return all motors."""
    found = [
        Motor("disc", (_place(hardware.DISC),), "JM", (1, 2)),
        Motor("ring", (_place(hardware.RING),), "JM", (3, 4)),
    ]
    for side in range(hardware.SIDES):

        def drive(kind: int, side: int = side) -> int:
            return _place(hardware.drive_bit(side, kind))

        conveyor = (drive(hardware.CONVEYOR), drive(hardware.CONVEYOR_REVERSE))
        found += [
            Motor(f"conveyor_{side}", conveyor, f"JO{side}", (1, 2)),
            Motor(f"head_{side}", (drive(hardware.HEAD),), f"JO{side}", (3, 4)),
            Motor(f"lift_{side}", (drive(hardware.LIFT_RAISE), drive(hardware.LIFT_LOWER)), f"JO{side}", (5, 6)),
        ]
    return (*found, Motor("lid", (_place(hardware.LID_OPEN), _place(hardware.LID_CLOSE)), "JM", (5, 6)))


def outputs() -> tuple[Output, ...]:
    """Return all outputs in the order of the chain."""
    switches = {}
    for motor in motors():
        for place, way in zip(motor.places, ("+", "-"), strict=False):
            relay = f"relay, motor {motor.name} {way}"
            switches[place] = relay if len(motor.places) == 2 else f"MOSFET, motor {motor.name}"
    drives = [Output(place, name, switches[place]) for place, name in enumerate(DRIVES)]
    lamps = [
        Output(pins.FIRST_LAMP_PLACE + lamp, name, f"lamp, JO{lamp // hardware.LAMPS_PER_SIDE} {7 + lamp % 2}")
        for lamp, name in enumerate(LAMPS)
    ]
    return (*drives, *lamps)


def _place(bit: int) -> int:
    return bit.bit_length() - 1
