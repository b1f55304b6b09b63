"""The board on any chip that has MicroPython: shift registers for inputs and drives, a serial line to the host.

- The inputs come through a chain of six 74HC165, sampled every millisecond whatever the program does (`Chip.Sampler`).
- 24 drives and 8 lamps go out through four 74HC595 on a bus of their own; their output enable is held off until the
  first write, and the emergency stop cuts the motors' supply in hardware as well.
- They are written every REFRESH_MS, changed or not, so that a bit that has flipped in a register is mended. With the
  same transfer comes back what was shifted out before, and the senses of the outputs as they were when that was shown,
  if the map says that the carrier has such parts. A collection, a flash write or a measurement makes one later.
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
from wallwright_protocol.hardware import CLAIM_KEY_0, READS_BACK, SENSED, WIRES

from ..hal import MUCH, SLOTS, WIRING_SLOT, Hal
from ..line import MISSING_MS
from ..weeks import OF_LINE, turn_times
from .files import are_lost, found_again
from .line_port import open_line
from .measure import Times, measure
from .uart import Port

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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
REFRESH_MS = 3
"""With a poll that begins just before (3 ms at the most) or a collection (7 ms), emulated, outputs wait no 10 ms."""
WATCHDOG_MS = 2000
UNPOLLED_MS = 600
"""A loop whose last poll was longer ago is not healthy: `main` polls a table at rest every 500 ms."""
FAILURE_MS = 1000
MOST_MS = 0x3FFFFFFF
"""The largest small integer: 12 days."""
SLOT_FILES = ("state-0", "state-1", "enrolment", "crash", "wiring", "director", "self-test", "nodes")
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
        self._elapsed_ms = self._fed_ms = 0
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
            miso=machine.Pin(pins.PIN_OUT_BACK),
        )
        self._latch = machine.Pin(pins.PIN_OUT_LATCH, machine.Pin.OUT, value=1)
        self._host = Port(chip.HOST_UART, HOST_BAUD, pins.PIN_HOST_TX, pins.PIN_HOST_RX, HOST_BUFFER)
        self.chip = chip.NAME
        self.has_lost_files = are_lost()
        stored = self.load(NODES_SLOT)
        self._known = stored[0] if len(stored) == 1 and stored != UNREADABLE else 0
        self._line, sorter = open_line(self, chip, self._known)
        if sorter:
            self._sort_by(sorter)
        self.restart_cause = chip.restart_cause()
        memory, place = chip.KEPT
        self.ran_ms = memory[place] & MOST_MS if self.restart_cause == WATCHDOG_RESET else 0
        self._drives = self._lamps = 0
        self._shown_ms = self._seen = 0
        self.use_parts(0)
        self.sampler = chip.Sampler(self.now_ms)
        self.polls = Times()
        self._has_measured = False
        self._pump = chip.Pump()
        self._test = chip.self_test
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS)
        self.has_begun = True

    def _sort_by(self, sorter: "tuple[int, ...]") -> None:
        """The line sorts; a board without a sorter has no methods for that."""
        from ..line_sorter import DRIVE_MS, READ_LATE_MS

        self.sorter, self.sorter_places, self.sorter_lead_ms = sorter
        self.sorter_delay_ms, self.mouth_late_ms = DRIVE_MS, READ_LATE_MS
        for name in ("drive_sorter", "drive_store", "sorter_switches"):
            setattr(self, name, getattr(self._line, name))

    def now_ms(self) -> int:
        """Return milliseconds since power-up, less what was turned back; call it more often than every six days."""
        ticks = time.ticks_ms()
        self._elapsed_ms += time.ticks_diff(ticks, self._last_ticks)
        self._last_ticks = ticks
        return self._elapsed_ms

    def turn_back(self, by_ms: int) -> None:
        """Let the clock show `by_ms` less, for inputs and line too."""
        self._elapsed_ms -= by_ms
        self._shown_ms -= by_ms
        self.sensed_ms -= by_ms
        self._fed_ms -= by_ms
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

    def use_parts(self, parts: int) -> None:
        """Read back what these parts of the carrier bring, from now on."""
        pins = self._chip.PINS
        self._reads_back = False
        self._senses = pins.SENSE_REGISTERS if parts & SENSED else 0
        size = self._senses + pins.OUT_REGISTERS
        # What is shifted out, before that what is to come back of the senses: they are as the outputs at rest. Two of
        # them in turn, for what comes back is that of the last one.
        self._out = bytearray(size)
        self._next = bytearray(size)
        self._back = bytearray(size)
        self._shift_out()  # until now the registers hold what chance has put there
        self._switched_before = self._switched
        self._reads_back = parts & READS_BACK > 0
        self.sensed = -1

    def refresh(self, now_ms: int) -> bool:
        """Write the outputs again when it is time; say whether there is a flip, or a sense that is not as switched."""
        if now_ms < self._shown_ms + REFRESH_MS:
            return False
        return self._exchange(self._out)

    def show_lamps(self, mask: int) -> None:
        """Switch the lamps on the line's panels."""
        self._line.lamps(mask)

    def off(self) -> None:
        """Raise the output enable, then put zeros behind it; the ring of the inputs is memory for what is done yet."""
        self._enable(1)
        self.keeps_supply = False
        if self.has_begun:
            self._pump.stop()
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
            with open(SLOT_FILES[slot] + ".bin", "rb") as file:
                return file.read()
        except OSError as error:
            return b"" if error.errno == ENOENT else UNREADABLE

    def save(self, slot: int, data: bytes) -> bool:
        """Write the file of a slot; closing it makes it last."""
        self.begin_pause()
        try:
            with open(SLOT_FILES[slot] + ".bin", "wb") as file:
                file.write(data)
            if slot == WIRING_SLOT and self.has_lost_files:
                found_again()
                self.has_lost_files = False
        except OSError:
            return False
        finally:
            self.end_pause()
        return True

    def begin_pause(self) -> None:
        """No turn of the loop comes for up to 400 ms: keep the supply meanwhile, where no motor runs."""
        if self.has_begun and self.keeps_supply and not self._drives:
            self._pump.bridge()

    def end_pause(self) -> None:
        """Only turns of the loop keep the supply from now on."""
        if self.has_begun and self.keeps_supply:
            self._pump.end()

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
        self._fed_ms = self._elapsed_ms
        memory, place = self._chip.KEPT
        memory[place] = self._elapsed_ms & MOST_MS

    def feed_pump(self) -> None:
        """Give the pump an edge at the end of a healthy turn of the loop: it could poll, and inputs are seen."""
        seen = self.sampler.seen
        if self.keeps_supply and seen != self._seen and self._elapsed_ms - self._fed_ms < UNPOLLED_MS:
            self._seen = seen
            self._pump.pulse()

    def self_test(self, test: int) -> "Iterator[int]":
        """Take the steps of a test of the chip."""
        return self._test(test, self.sampler, self.now_ms)

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
        self.begin_pause()
        values = measure(self, self._chip.PINS, measurement)
        self.end_pause()
        return values

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
        out = self._next
        mask = self._drives
        high = mask >> 16 & 255
        middle = mask >> 8 & 255
        low = mask & 255
        at = self._senses
        if at:
            out[0] = high
            out[1] = middle
            out[2] = low
        out[at] = self._lamps & 255
        out[at + 1] = high
        out[at + 2] = middle
        out[at + 3] = low
        self._exchange(out)
        self._next = self._out
        self._out = out
        self._switched = mask

    def _exchange(self, out: bytearray) -> bool:
        """Write, and say whether what comes back, the last write and before it the senses of that moment, is news."""
        latch = self._latch
        has_news = False
        if self._reads_back:
            back = self._back
            self._outputs.write_readinto(out, back)
            latch(0)
            latch(1)
            switched = self._switched if back == self._out else self._differing(back)
            if self._senses:
                self.sensed = switched
                self.sensed_ms = self._shown_ms
                has_news = switched != self._switched_before
                self._switched_before = self._switched
            has_news = has_news or self.flips != 0
        else:
            self._outputs.write(out)
            latch(0)
            latch(1)
        self._shown_ms = self._elapsed_ms
        return has_news

    def _differing(self, back: bytearray) -> int:
        """Note the flips in what came back, and return the senses in it."""
        sent = self._out
        flips = 0
        for at in range(self._senses, len(back)):
            flips = flips << 8 | back[at] ^ sent[at]
        self.flips |= flips
        return back[0] << 16 | back[1] << 8 | back[2]
