"""What runs inside the MicroPython VM: the firmware's app behind a pipe. Started by `app.py`, never imported.

Records in: b"P" now, senses with their time, flips, edges, reads of tags, bytes from the host; b"M" asks for memory
figures; b"X" has the next look at the inputs fail. Records out: b"D" drives, b"L" lamps, b"S" display, b"R" asks for
noise, b"W" writes a slot, b"O" all off, b"K" keeps the supply or not, b"U" uses parts of a carrier, b"B" starts the
loader, b"A" the program anew, b"C" turns the clock back; b"T" ends the start and every poll with the due time, the
poll's duration and what is to be sent; b"X" is the last of a program that has failed. Integers are little endian.
Garbage is collected after polls, by the same rule as on the board.
"""

import gc
import struct
import sys
import time

gc.collect()
_before = gc.mem_alloc()

from wallwright_dictionary import PACKED  # type: ignore[import-not-found]  # noqa: E402

from wallwright_firmware.app import App  # noqa: E402 - the memory that the code takes is measured around this line
from wallwright_firmware.garbage import Garbage  # noqa: E402
from wallwright_firmware.guard import fell  # noqa: E402
from wallwright_firmware.hal import SLOTS, Hal  # noqa: E402
from wallwright_protocol.hardware import WIRES  # noqa: E402

GARBAGE_BYTES = 16384
"""What may pile up: here the code shares the heap, which a board has in its flash."""
READ = "<iBB8s"
READ_BYTES = 14

gc.collect()
CODE_BYTES = gc.mem_alloc() - _before

_in = sys.stdin.buffer
_out = sys.stdout.buffer


class PipeBoard(Hal):
    """The hardware contract over the pipe."""

    dictionary = PACKED

    def __init__(self, levels: bytes, slots: "list[bytes]", readers: int, cause: "tuple[int, int]") -> None:
        self.levels = bytearray(levels)
        self.slots = slots
        self.readers = readers
        self.restart_cause, self.ran_ms = cause
        self.breaks = False
        self.edges = b""
        self.reads = b""
        self.at = 0
        self.written = bytearray()
        self.waited_us = 0

    def has_edges(self) -> bool:
        return self.at < len(self.edges) or self.breaks

    def next_edge(self) -> bool:
        if self.breaks:
            raise RuntimeError("asked for")
        if self.at >= len(self.edges):
            return False
        self.edge_ms, self.edge_input, self.edge_level = struct.unpack_from("<iBB", self.edges, self.at)
        self.levels[self.edge_input] = self.edge_level
        self.at += 6
        return True

    def next_read(self) -> bool:
        if not self.reads:
            return False
        self.read_ms, self.read_reader, there, self.read_tag = struct.unpack(READ, self.reads[:READ_BYTES])
        self.read_there = there == 1
        self.reads = self.reads[READ_BYTES:]
        return True

    def level(self, number: int) -> int:
        return self.levels[number]

    def drive(self, mask: int) -> None:
        self.written.extend(struct.pack("<BI", 68, mask))

    def lamps(self, mask: int) -> None:
        self.written.extend(struct.pack("<BI", 76, mask))

    def off(self) -> None:
        self.written.extend(b"O")

    def show(self, side: int, text: str) -> None:
        data = text.encode()
        self.written.extend(struct.pack("<BBB", 83, side, len(data)))
        self.written.extend(data)

    def noise(self, count: int) -> bytes:
        start = time.ticks_us()
        self.written.extend(struct.pack("<BB", 82, count))
        self.flush()
        data = _in.read(_in.read(1)[0])
        self.waited_us += time.ticks_diff(time.ticks_us(), start)
        return data

    def load(self, slot: int) -> bytes:
        return self.slots[slot]

    def save(self, slot: int, data: bytes) -> bool:
        start = time.ticks_us()
        self.written.extend(struct.pack("<BBH", 87, slot, len(data)))
        self.written.extend(data)
        self.flush()
        done = _in.read(1)[0] == 1
        if done:
            self.slots[slot] = data
        self.waited_us += time.ticks_diff(time.ticks_us(), start)
        return done

    def reboot_to_loader(self) -> None:
        self.written.append(66)
        self.flush()

    def restart(self) -> None:
        self.written.append(65)
        self.flush()

    def turn_back(self, by_ms: int) -> None:
        self.written.extend(struct.pack("<BI", 67, by_ms))

    def use_parts(self, parts: int) -> None:
        self.written.extend(struct.pack("<BB", 85, parts))

    def keep_supply(self, keeps: bool) -> None:
        self.written.extend(struct.pack("<BB", 75, keeps))

    def end_poll(self, due: int, spent_us: int, tx: bytes) -> None:
        self.written.extend(struct.pack("<BQIH", 84, due, spent_us, len(tx)))
        self.written.extend(tx)
        self.flush()

    def flush(self) -> None:
        _out.write(self.written)
        self.written = bytearray()


def main() -> None:
    """Read the configuration, then serve polls until the pipe closes."""
    head = struct.unpack("<BHHBBI8s16s", _in.read(35))
    unit_bytes, tiles, readers, wash_s, restart_cause, ran_ms, chip, image = head
    unit = _in.read(unit_bytes)
    levels = _in.read(WIRES)
    slots = [_in.read(struct.unpack("<H", _in.read(2))[0]) for _ in range(SLOTS)]
    board = PipeBoard(levels, slots, readers, (restart_cause, ran_ms))
    board.chip = chip
    board.image = image
    board.wash_s = wash_s
    app = App(board, unit, tiles)
    board.end_poll(app.due, 0, b"")
    gc.collect()
    started = gc.mem_alloc()
    peak = started
    garbage = Garbage(GARBAGE_BYTES, app.settings.values)
    while True:
        kind = _in.read(1)
        if kind == b"P":
            now_ms, sensed, sensed_ms, flips, edges, reads, size = struct.unpack("<IiiIHHH", _in.read(22))
            board.sensed = sensed
            board.sensed_ms = sensed_ms
            board.flips |= flips
            board.edges = board.edges[board.at :]  # a poll of the start takes none
            if edges:
                board.edges += _in.read(edges * 6)
            board.at = 0
            if reads:
                board.reads += _in.read(reads)
            rx = _in.read(size) if size else b""
            board.waited_us = 0
            start = time.ticks_us()
            try:
                tx = app.poll(now_ms, rx)
            except RuntimeError as error:
                if not board.breaks:
                    raise
                fell(board, error, now_ms)
                board.written.extend(b"X")
                board.flush()
                return
            spent_us = time.ticks_diff(time.ticks_us(), start) - board.waited_us
            peak = max(peak, gc.mem_alloc())
            board.end_poll(app.due, spent_us, tx)
            garbage.after_poll(app.cycle.now_ms, app.due, app.outputs.mask, len(rx) + len(tx))
        elif kind == b"X":
            board.breaks = True
        elif kind == b"M":
            gc.collect()
            _out.write(struct.pack("<IIII", CODE_BYTES, started, gc.mem_alloc(), peak))
            peak = gc.mem_alloc()
        else:
            return


main()
