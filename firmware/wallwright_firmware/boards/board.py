"""The board on any chip that has MicroPython: shift registers for inputs and drives, a serial line to the host.

- The inputs come through a chain of six 74HC165, sampled every millisecond whatever the program does (`Chip.Sampler`).
- 24 drives and 8 lamps go out through four 74HC595 on a bus of their own; their output enable is held off until the
  first write, and the emergency stop cuts the motors' supply in hardware as well.
- What must last is in files. A write takes some ms, and as long as a sector needs to be erased now and then (45 ms, 400
  at the worst). Inputs are sampled meanwhile, but nobody looks at them, which is why the firmware writes only while no
  motor runs. Of what the host sends then the link repeats what the UART does not keep.
- The host is on a UART behind an isolated USB bridge, so that the chip's own USB stays free for flashing. Displays,
  tile readers and claim keys are on the nodes of the line, which has another UART (`line`).
"""

import binascii
import time
from errno import ENOENT

import machine

from wallwright_protocol.codes import WATCHDOG_RESET
from wallwright_protocol.hardware import CLAIM_KEY_0, WIRES

from ..hal import MUCH, SLOTS, WIRING_SLOT, Hal
from ..line import MISSING_MS, Line
from ..weeks import OF_LINE, turn_times
from ..wiring import UNSORTED, body_in, sorter_of
from .files import are_lost, found_again
from .line_port import LinePort
from .measure import Times, measure
from .uart import Port

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .chip import Chip

try:
    # Made by the build of an image.
    from wallwright_dictionary import PACKED  # type: ignore[import-not-found]
    from wallwright_image import IMAGE  # type: ignore[import-not-found]
except ImportError:
    IMAGE = PACKED = b""

HOST_BAUD = 115200
HOST_BUFFER = 512
"""Bytes; more than one frame each way."""
SPI_HZ = 2000000
WATCHDOG_MS = 2000
FAILURE_MS = 1000
MOST_MS = 0x3FFFFFFF
"""The largest small integer: 12 days."""
SLOT_FILES = (
    "state-0.bin",
    "state-1.bin",
    "enrolment.bin",
    "crash.bin",
    "wiring.bin",
    "director.bin",
    "self-test.bin",
    "nodes.bin",
)
NODES_SLOT = SLOTS
"""A slot of the board's own, one byte: `known` of the line."""
UNREADABLE = b"?"
"""Content of a slot whose file is there and cannot be read."""


class Board(Hal):
    """The board's pins; `now_ms` never runs backwards, whatever the tick counter does, but is turned back.

    It is made with its outputs off, and can keep a reason at once; `begin` starts all the rest, and may fail.
    """

    image = IMAGE
    dictionary = PACKED

    def __init__(self, chip: "Chip") -> None:
        self._enable = machine.Pin(chip.PINS.PIN_OUT_ENABLE, machine.Pin.OUT, value=1)
        self._chip = chip
        self.unit = binascii.hexlify(machine.unique_id()).upper()  # as it is on the flash chip: bytes of every value
        self._last_ticks = time.ticks_ms()
        self._elapsed_ms = 0
        self.has_begun = False

    def begin(self) -> None:
        """Start the chip's parts: inputs, outputs, host, line, watchdog."""
        chip = self._chip
        pins = chip.PINS
        self._outputs = machine.SPI(
            chip.OUT_SPI,
            baudrate=SPI_HZ,
            sck=machine.Pin(pins.PIN_OUT_CLOCK),
            mosi=machine.Pin(pins.PIN_OUT_DATA),
            miso=machine.Pin(pins.PIN_OUT_UNUSED),
        )
        self._latch = machine.Pin(pins.PIN_OUT_LATCH, machine.Pin.OUT, value=0)
        self._host = Port(chip.HOST_UART, HOST_BAUD, pins.PIN_HOST_TX, pins.PIN_HOST_RX, HOST_BUFFER)
        self.chip = chip.NAME
        self.has_lost_files = are_lost()
        stored = self.load(NODES_SLOT)
        self._known = stored[0] if len(stored) == 1 and stored != UNREADABLE else 0
        self._line = self._make_line()
        self.restart_cause = chip.restart_cause()
        memory, place = chip.KEPT
        self.ran_ms = memory[place] & MOST_MS if self.restart_cause == WATCHDOG_RESET else 0
        self._drives = 0
        self._lamps = 0
        self._out = bytearray(pins.OUT_REGISTERS)
        self.sampler = chip.Sampler(self.now_ms)
        self.polls = Times()
        self._has_measured = False
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS)
        self.has_begun = True

    def _make_line(self) -> Line:
        """Return the line; one whose nodes sort where the map says that this table has a sorter."""
        port = LinePort(self._chip.LINE_UART, self._chip.PINS)
        sorter = sorter_of(body_in(self.load(WIRING_SLOT)))
        if sorter == UNSORTED:
            return Line(port, self._known)
        from ..line_sorter import DRIVE_MS, READ_LATE_MS, SortingLine

        self.sorter, self.sorter_places, self.sorter_lead_ms = sorter
        self.sorter_delay_ms, self.mouth_late_ms = DRIVE_MS, READ_LATE_MS
        line = SortingLine(port, self._known)
        # A board without a sorter has no methods for them.
        for name in ("drive_sorter", "drive_store", "sorter_switches"):
            setattr(self, name, getattr(line, name))
        return line

    def now_ms(self) -> int:
        """Return milliseconds since power-up, less what was turned back; call it more often than every six days."""
        ticks = time.ticks_ms()
        self._elapsed_ms += time.ticks_diff(ticks, self._last_ticks)
        self._last_ticks = ticks
        return self._elapsed_ms

    def turn_back(self, by_ms: int) -> None:
        """Let the clock show `by_ms` less, for inputs and line too."""
        self._elapsed_ms -= by_ms
        self.sampler.turn_back(by_ms)
        turn_times(self._line, OF_LINE)

    def has_edges(self) -> bool:
        """Say whether a wire has changed, or a claim key on the line."""
        return self.sampler.has_edge() or len(self._line.edges) > 0

    def next_edge(self) -> bool:
        """Step to the next edge, of a claim key on the line last."""
        sampler = self.sampler
        if sampler.has_edge():
            change = sampler.take()
            self.edge_input = change & 63
            self.edge_level = change >> 6
            self.edge_ms = sampler.seen_ms()
            return True
        line = self._line
        if not line.next_edge():
            return False
        self.edge_input = line.edge_input - CLAIM_KEY_0 + WIRES
        self.edge_level, self.edge_ms = line.edge_level, line.edge_ms
        return True

    def level(self, number: int) -> int:
        """Return the level of a wire in the sample that was looked at last."""
        return self.sampler.level(number)

    def poll_line(self, now_ms: int) -> bool:
        """Let the line go on, and keep which nodes there are while no motor runs."""
        line = self._line
        self.has_line_news = has_news = line.poll(now_ms)
        self.readers = line.readers
        if line.known != self._known and now_ms >= MISSING_MS and not self._drives:
            self._known = line.known
            self.save(NODES_SLOT, bytes([self._known]))
        return has_news

    def next_read(self) -> bool:
        """Step to the next read."""
        line = self._line
        if not line.next_read():
            return False
        self.read_reader, self.read_tag = line.read_reader, line.read_tag
        self.read_there, self.read_ms = line.read_there, line.read_ms
        return True

    def next_line_fault(self) -> bool:
        """Step to the next thing to be told of the line."""
        line = self._line
        if not line.next_fault():
            return False
        self.line_fault, self.line_fault_side = line.fault, line.fault_side
        return True

    def drive(self, mask: int) -> None:
        """Switch the drives."""
        self._drives = mask
        self._write_outputs()

    def lamps(self, mask: int) -> None:
        """Switch the lamps."""
        self._lamps = mask
        self._write_outputs()

    def show_lamps(self, mask: int) -> None:
        """Switch the lamps on the line's panels."""
        self._line.lamps(mask)

    def off(self) -> None:
        """Raise the output enable, then put zeros behind it; the ring of the inputs is memory for what is done yet."""
        self._enable(1)
        if self.has_begun:
            self._drives = self._lamps = 0
            self._shift_out()
            self.sampler.stop()

    def show(self, side: int, text: str) -> None:
        """Let the panel of a side show up to eight characters."""
        self._line.show(side, text)

    def noise(self, count: int) -> bytes:
        """Return samples of the chip's source."""
        return self._chip.noise(count)

    def load(self, slot: int) -> bytes:
        """Return what the file of a slot holds."""
        try:
            with open(SLOT_FILES[slot], "rb") as file:
                return file.read()
        except OSError as error:
            return b"" if error.errno == ENOENT else UNREADABLE

    def save(self, slot: int, data: bytes) -> bool:
        """Write the file of a slot; closing it makes it last."""
        try:
            with open(SLOT_FILES[slot], "wb") as file:
                file.write(data)
            if slot == WIRING_SLOT and self.has_lost_files:
                found_again()
                self.has_lost_files = False
        except OSError:
            return False
        return True

    def reboot_to_loader(self) -> None:
        """Switch everything off and start the ROM's loader, which shows itself as a USB disk."""
        self.drive(0)
        self._enable(1)
        machine.bootloader()

    def restart(self) -> None:
        """Switch everything off and reset the chip."""
        self.off()
        machine.reset()

    def read(self) -> bytes:
        """Return what the host has sent, without waiting."""
        return self._host.take()

    def write(self, data: bytes) -> None:
        """Send to the host what the buffer takes; the link repeats what is lost."""
        if data:
            self._host.write(data)

    def feed_watchdog(self) -> None:
        """Say that the loop which runs the motors is alive."""
        self._watchdog.feed()
        memory, place = self._chip.KEPT
        memory[place] = self._elapsed_ms & MOST_MS

    def now_us(self) -> int:
        """Return the time for `note_poll`."""
        return time.ticks_us()

    def note_poll(self, began_us: int) -> None:
        """Count a poll, for whoever asks how long they take; none in which the board has measured itself."""
        if self._has_measured:
            self._has_measured = False
        else:
            self.polls.add(time.ticks_diff(time.ticks_us(), began_us))

    def measure(self, measurement: int) -> "tuple[int, ...]":
        """Return what the chip measures of itself, in a second at the most."""
        self._has_measured = True
        self.left_bytes += MUCH
        return measure(self, self._chip.PINS, measurement)

    def wait(self) -> None:
        """Rest until an interrupt comes, a millisecond at the most."""
        machine.idle()

    def show_failure(self) -> None:
        """Light the board's own lamp for a second, before it starts once more: nothing else can be shown."""
        machine.Pin(self._chip.PINS.PICO_LAMP, machine.Pin.OUT, value=1)
        time.sleep_ms(FAILURE_MS)

    def _write_outputs(self) -> None:
        self._shift_out()
        self._enable(0)

    def _shift_out(self) -> None:
        out = self._out
        mask = self._drives
        out[0] = self._lamps & 255
        out[1] = mask >> 16 & 255
        out[2] = mask >> 8 & 255
        out[3] = mask & 255
        self._outputs.write(out)
        self._latch(1)
        self._latch(0)
