"""The hardware contract: all that the firmware asks of a board, on one page.

A board (`boards/`, or the simulator's) subclasses `Hal` and speaks of wires; `wiring` makes inputs and drives of them.
Inputs are numbered, drives and lamps are bits of a mask that fits a small integer of a 32-bit MicroPython. A level of 1
means: eye dark, vane in its slot, switch reached, key pressed, emergency stop pressed. Nothing here waits.
"""

SIDES = 4
"""Sides and seats are 0 to 3, counter-clockwise seen from above."""

BELT_FULL = 0
COUNT_EYE = 1
HEAD_HOME = 2
HEAD_PUSHED = 3
LIFT_UP = 4
LIFT_DOWN = 5
LIFT_KEY = 6
DICE_KEY = 7
REFEREE_KEY = 8
INPUTS_PER_SIDE = 9
"""Input `kind` of `side` has the number side * INPUTS_PER_SIDE + kind; inputs of the whole table follow."""

LID_IS_OPEN = 36
LID_IS_CLOSED = 37
EMERGENCY_STOP = 38
DISC_VANE = 39
RING_VANE = 40
"""In its slot once a turn: the disc makes some 40 turns a minute, the ring 20."""
CLAIM_KEY_0 = 41
CLAIM_KEY_1 = 42
CLAIM_KEY_2 = 43
CLAIM_KEY_3 = 44
"""Of seats 0 to 3; a table without claim keys leaves them at 0."""
INPUTS = 45
WIRES = 48
"""Bits of the input chain. Unless a map says otherwise input n is wire n, and the last three are free. The claim keys
of the line's panels are the four wires behind them, in every map."""

DISC = 1 << 0
"""Motor of the disc at the drum's bottom, which mixes the tiles."""
RING = 1 << 1
"""Motor of the magnet ring, which carries tiles to the four mouths."""
CONVEYOR = 0
CONVEYOR_REVERSE = 1
HEAD = 2
LIFT_RAISE = 3
LIFT_LOWER = 4
DRIVES_PER_SIDE = 5
"""Drive `kind` of `side` is the bit 1 << (2 + side * DRIVES_PER_SIDE + kind)."""
LID_OPEN = 1 << 22
LID_CLOSE = 1 << 23
DRIVES = 24

LIFT_LAMP = 0
DICE_LAMP = 1
LAMPS_PER_SIDE = 2
"""Lamp `kind` of `side` is the bit 1 << (side * LAMPS_PER_SIDE + kind)."""

HAND = 0
MELDS = 1
DISCARDS = 2
READERS_PER_SEAT = 3
"""Tile reader s is that of the stacking head of side s; reader `kind` of a seat has the number SIDES + seat *
READERS_PER_SEAT + kind."""
READERS = 16
LANE_READERS = 0xF
"""The bits of the readers at the stacking heads."""
TAG_BYTES = 8
"""An ISO 15693 UID, the highest byte first. A tag of zeros stands for none."""

STATE_SLOTS = 2
ENROLMENT_SLOT = 2
CRASH_SLOT = 3
WIRING_SLOT = 4
SLOTS = 5
"""Slots of the memory that lasts: two for what changes with every act, one each for what a technician sets, one for why
the program had failed."""


def input_number(side: int, kind: int) -> int:
    """Return the number of an input that every side has."""
    return side * INPUTS_PER_SIDE + kind


def reader_number(seat: int, kind: int) -> int:
    """Return the number of a reader that every seat may have."""
    return SIDES + seat * READERS_PER_SEAT + kind


def drive_bit(side: int, kind: int) -> int:
    """Return the mask bit of a drive that every side has."""
    return 1 << (2 + side * DRIVES_PER_SIDE + kind)


NOT_MEASURED = (0,) * 8


class Hal:
    """What a board gives to the firmware.

    - `next_edge()` steps through the edges of the wires since the last call, oldest first; raw, the firmware debounces.
    - `drive` and `lamps` set all outputs of their kind at once and take effect immediately: the first 24 bits of the
      output chain, and the other eight.
    - `noise` comes straight from the hardware source, as it is: nothing mixed, nothing made up.
    - `off` switches all drives and lamps off at once, whatever state the program is in; nothing is switched on again
      before the next start.
    - `load` and `save` reach slots of memory that lasts without power; a save may be cut at any byte.
    - `readers` has a bit for each tile reader that there is; one may be found later, none goes. `next_read()` steps
      through what they have begun or ceased to see since the last call, oldest first; raw, the firmware filters.
      Nothing is told while nothing changes.
    - `chip` is what the board runs on, `image` names what it was flashed with; b"" where nobody knows.
    - `reboot_to_loader` starts the loader in the chip's ROM with all outputs off; on a board it does not return.
    - `restart_cause` is the notice that says why the board has started, such as `codes.WATCHDOG_RESET`; 0 after its
      power came, and on a board that cannot tell. `ran_ms` is how long it had run when its watchdog ended that.
    """

    readers = 0
    restart_cause = 0
    chip = b""
    image = b""
    ran_ms = 0

    edge_input = 0
    edge_level = 0
    edge_ms = 0
    """The edge that `next_edge` stepped to: wire, level after it, time in ms on the clock of `poll`."""
    read_reader = 0
    read_tag = b""
    read_there = False
    read_ms = 0
    """The read that `next_read` stepped to: reader, tag, whether it is seen from now on, when the reader saw that."""
    line_fault = 0
    line_fault_side = 0
    """The notice that `next_line_fault` stepped to, such as `codes.NODE_SILENT`, and its side."""

    def next_edge(self) -> bool:
        """Step to the next edge and say whether there was one."""
        raise NotImplementedError

    def next_read(self) -> bool:
        """Step to the next read and say whether there was one."""
        return False

    def poll_line(self, now_ms: int) -> bool:
        """Let the line of readers and displays go on, each turn of the loop; say whether it has news for the app."""
        return False

    def next_line_fault(self) -> bool:
        """Step to the next thing to be told of the line of readers and displays, and say whether there was one."""
        return False

    def level(self, number: int) -> int:
        """Return the raw level of a wire, 0 or 1."""
        raise NotImplementedError

    def drive(self, mask: int) -> None:
        """Switch every drive on or off, by the bits of `mask`."""
        raise NotImplementedError

    def lamps(self, mask: int) -> None:
        """Switch every lamp on or off, by the bits of `mask`."""
        raise NotImplementedError

    def off(self) -> None:
        """Switch everything off, for the program has failed."""
        self.drive(0)
        self.lamps(0)

    def show_lamps(self, mask: int) -> None:
        """Switch the lamps of panels that have wires of their own, by the bits of `mask`, whatever a map says."""

    def show(self, side: int, text: str) -> None:
        """Show up to eight characters on the display of `side`."""
        raise NotImplementedError

    def noise(self, count: int) -> bytes:
        """Return `count` raw samples of the random source, one a byte; fewer when it does not deliver."""
        raise NotImplementedError

    def load(self, slot: int) -> bytes:
        """Return what a slot holds; b"" when it was never written."""
        raise NotImplementedError

    def save(self, slot: int, data: bytes) -> bool:
        """Put `data` into a slot for good, before returning; False when that has failed."""
        raise NotImplementedError

    def measure(self, measurement: int) -> "tuple[int, ...]":
        """Return eight values of one of `codes.MEASUREMENTS`, all 0 where nothing is known; it may take a second."""
        return NOT_MEASURED

    def reboot_to_loader(self) -> None:
        """Leave the firmware for the loader in the chip's ROM."""
        raise NotImplementedError
