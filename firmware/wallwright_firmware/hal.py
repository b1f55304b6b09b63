"""The hardware contract: all that the firmware asks of a board, on one page.

A board (`boards/`, or the simulator's) subclasses `Hal` and speaks of wires; `wiring` makes inputs and drives of them,
whose numbers are in `wallwright_protocol.hardware`. Nothing here waits.
"""

from wallwright_protocol.codes import CANNOT_TEST
from wallwright_protocol.hardware import NO_SORTER
from wallwright_protocol.settings import DEFAULTS, WASH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ENROLMENT_SLOT = 2
CRASH_SLOT = 3
WIRING_SLOT = 4
DIRECTOR_SLOT = 5
SELF_TEST_SLOT = 6
SLOTS = 7
"""Slots of the memory that lasts: two for what changes with every act, one each for what a technician sets, one for why
the program had failed, one that is written to see whether it can be read."""


NOT_MEASURED = (0,) * 8
MUCH = 1 << 18


class Hal:
    """What a board gives to the firmware.

    - `next_edge()` steps through the edges of the wires since the last call, oldest first; raw, the firmware debounces.
    - `has_edges()` says whether `next_edge()` has one to step to, wired to an input or not.
    - `drive` and `lamps` set all outputs of their kind at once and take effect immediately: the first 24 bits of the
      output chain, and the other eight.
    - `refresh` writes the outputs again every few ms, changed or not, and looks at what comes back of them; the loop
      calls it each turn. `use_parts` says which parts the carrier has (`hardware.PARTS`) before anything is driven.
    - `keeps_supply` says that the motors' supply may stay: while it is False the hardware cuts it.
    - `noise` comes straight from the hardware source, as it is: nothing mixed, nothing made up.
    - `off` switches all drives and lamps off at once, whatever state the program is in; nothing is switched on again
      before the next start.
    - `load` and `save` reach slots of memory that lasts without power; a save may be cut at any byte.
    - `readers` has a bit for each tile reader that there is; one may be found later, none goes. `next_read()` steps
      through what they have begun or ceased to see since the last call, oldest first; raw, the firmware filters.
      Nothing is told while nothing changes.
    - `sorter` is what sorts its tiles, such as `hardware.RING_SORTER`, and `sorter_places` how many the ring's magnets
      are or the holding places of a lane. `sorter_lead_ms` is how long before it is at the mouth, or at the flap, a
      tile comes before the reader, 0 where nothing moves for it; `sorter_delay_ms` is how long a drive of the sorter is
      on its way at the most, and `mouth_late_ms` how late the board may hear of a read at a mouth. `next_read` then
      brings the reads of the readers at the mouths too, which have no bit in `readers`. `drive_sorter` sets all of the
      sorter's drives at once; `drive_store` tells a holding place to take the next tile at the flap, to give its own,
      or neither; `sorter_switches` tells which ends are reached, without edges. Nobody knows where the ring stands but
      by its vane and by what the readers see.
    - `has_line_news` is False while neither `next_read()` nor `next_line_fault()` would step to anything.
    - `chip` is what the board runs on, `image` names what it was flashed with; b"" where nobody knows. `dictionary` is
      what the numbers of its firmware mean, packed when that was built.
    - `reboot_to_loader` starts the loader in the chip's ROM with all outputs off; on a board it does not return.
    - `restart` starts the firmware anew, likewise.
    - `turn_back` lets the clock of `poll` show so much less from now on, with all times that come by it.
    - `restart_cause` is the notice that says why the board has started, such as `codes.WATCHDOG_RESET`; 0 after its
      power came, and on a board that cannot tell. `ran_ms` is how long it had run when its watchdog ended that,
      by that clock.
    - `has_lost_files` says that all slots are empty because the board could not read its memory at a start; until a map
      is saved, over further starts.
    - `wash_s` is how long the disc mixes a set before each build while no setting says so, in s.
    """

    sensed = -1
    sensed_ms = 0
    """Outputs that had voltage behind their switch at that time, by the wires of `drive`; -1 where nothing senses."""
    flips = 0
    """Outputs, by their wires, that came back otherwise than they were written, since `take_flips`; they were written
    again at once."""
    readers = 0
    sorter = NO_SORTER
    sorter_places = 0
    sorter_lead_ms = 0
    sorter_delay_ms = 0
    mouth_late_ms = 0
    has_line_news = True
    restart_cause = 0
    chip = b""
    image = b""
    dictionary = b""
    ran_ms = 0
    has_lost_files = False
    wash_s = DEFAULTS[WASH]
    keeps_supply = True
    """False has the motors' supply cut in hardware, where the board has a pump; somebody has to press START when it is
    True again."""
    left_bytes = 0
    """Garbage that a poll has left beside what every poll leaves; who collects it takes this back to 0. MUCH is so much
    that it is collected at once, before what leaves more."""

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

    def note_garbage(self, left_bytes: int) -> None:
        """A poll leaves so much garbage beside what every poll leaves."""
        self.left_bytes += left_bytes

    def self_test(self, test: int) -> "Iterator[int]":
        """Yield what a test of the hardware has come to after each step, NEVER_TESTED until its last one."""
        return iter((CANNOT_TEST,))

    def has_edges(self) -> bool:
        """Say whether there is an edge to step to."""
        raise NotImplementedError

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

    def use_parts(self, parts: int) -> None:
        """The carrier has these of `hardware.PARTS`."""

    def refresh(self, now_ms: int) -> bool:
        """Write the outputs again when it is time, and look at what comes back; say whether there is news for the app:
        a flip, or an output whose sense is not as it was switched."""
        return False

    def take_flips(self) -> int:
        """Return `flips`, and know of none any more."""
        flips = self.flips
        self.flips = 0
        return flips

    def keep_supply(self, keeps: bool) -> None:
        """Let healthy polls keep the motors' supply alive from now on, or have it cut."""
        self.keeps_supply = keeps

    def off(self) -> None:
        """Switch everything off, for the program has failed."""
        self.drive(0)
        self.lamps(0)

    def drive_sorter(self, mask: int) -> None:
        """Switch every drive of the sorter on or off, by the bits of `mask` (`hardware.sorter_bit`)."""

    def drive_store(self, side: int, place: int, move: int) -> None:
        """Tell holding place `place` of a lane what to do from now on, such as `hardware.STORE_OUT`."""

    def sorter_switches(self) -> int:
        """Return which end switches of the sorter are reached, by bits (`hardware.sorter_switch`)."""
        return 0

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
        """Return eight values of a measurement of `codes.py`, all 0 where nothing is known; it may take a second."""
        return NOT_MEASURED

    def reboot_to_loader(self) -> None:
        """Leave the firmware for the loader in the chip's ROM."""
        raise NotImplementedError

    def restart(self) -> None:
        """Start the firmware anew."""
        raise NotImplementedError

    def turn_back(self, by_ms: int) -> None:
        """Let the clock show `by_ms` less."""
        raise NotImplementedError
