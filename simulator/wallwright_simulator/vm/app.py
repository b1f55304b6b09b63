"""The outside of the VM: looks like the firmware's `App`, runs it in another process."""

import os
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import wallwright_firmware
import wallwright_protocol
from wallwright_firmware.hal import SLOTS
from wallwright_protocol.dictionary import DICTIONARY_FILE, module_of, own
from wallwright_protocol.hardware import WIRES

from ..board import Fallen, SimulatedBoard
from ..runtimes import Runtime

HEAP_KIB = 192 + 160
"""The heap of a VM of 32 bits. A Pico leaves some 190 KiB to a program whose code is frozen; here the code lies on the
heap as well, and is compiled there from its source. The same objects take twice as much on 64 bits."""
CHIP_BITS = 32
INSIDE = Path(__file__).with_name("inside.py")


class VmFailure(Exception):
    """The firmware stopped inside the VM; the text holds what the VM printed."""


@dataclass(frozen=True)
class VmMemory:
    """Bytes on the VM's heap: code alone, after start, now after a collection, and the peak since the last question."""

    code: int
    started: int
    now: int
    peak: int


@cache
def _made() -> "tempfile.TemporaryDirectory[str]":
    """Make the module that an image has beside its sources, in a folder that lasts as long as this program."""
    folder = tempfile.TemporaryDirectory(prefix="wallwright-")
    (Path(folder.name) / DICTIONARY_FILE).write_text(module_of(own()))
    return folder


def source_path() -> list[Path]:
    """Return the folders that hold the firmware's and the protocol's packages."""
    return [Path(module.__path__[0]).parent for module in (wallwright_firmware, wallwright_protocol)]


class VmApp:
    """`poll` and `due` of the app, inside a MicroPython; use it as a context manager or call `close`.

    `path` may name other folders with the packages, such as compiled ones. `durations_us` holds the time that each poll
    took inside the VM, without the pipe.
    """

    def __init__(
        self, board: SimulatedBoard, unit: bytes, tiles: int, *, runtime: Runtime, path: list[Path] | None = None
    ) -> None:
        self.due = 0
        self.durations_us: list[int] = []
        self._board = board
        search = os.pathsep.join(str(folder) for folder in (*(path or source_path()), _made().name))
        self._process = subprocess.Popen(
            [*runtime.with_heap(HEAP_KIB * runtime.word_bits // CHIP_BITS), str(INSIDE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"MICROPYPATH": search},
        )
        slots = b"".join(struct.pack("<H", len(data)) + data for data in map(board.load, range(SLOTS)))
        causes = (board.restart_cause, board.ran_ms, board.chip, board.image)
        head = struct.pack("<BHHBBI8s16s", len(unit), tiles, board.readers, board.wash_s, *causes)
        self._send(head + unit + bytes(map(board.level, range(WIRES))) + slots)
        self._serve()
        self.durations_us.clear()

    def __enter__(self) -> "VmApp":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        """Poll the app inside; edges are taken from the board, drives and displays are set on it."""
        board = self._board
        if board.breaks:
            board.breaks = False
            self._send(b"X")
        edges = b""
        count = 0
        while board.next_edge():
            edges += struct.pack("<iBB", board.edge_ms, board.edge_input, board.edge_level)
            count += 1
        reads = b""
        while board.next_read():
            reads += struct.pack("<iBB8s", board.read_ms, board.read_reader, board.read_there, board.read_tag)
        seen = (board.sensed, board.sensed_ms, board.take_flips())
        self._send(struct.pack("<cIiiIHHH", b"P", now_ms, *seen, count, len(reads), len(rx)) + edges + reads + rx)
        return self._serve()

    def memory(self) -> VmMemory:
        """Ask for the memory figures and start a new peak."""
        self._send(b"M")
        return VmMemory(*struct.unpack("<IIII", self._receive(16)))

    def close(self) -> None:
        """End the VM."""
        with self._process:
            if self._process.poll() is None:
                self._process.communicate(b"Q")

    def _serve(self) -> bytes:
        """Do what the firmware asks of its board until it has ended a poll; return what it sends to the host."""
        board = self._board
        while True:
            kind = self._receive(1)
            if kind == b"D":
                board.drive(self._number())
            elif kind == b"L":
                board.lamps(self._number())
            elif kind == b"S":
                side, size = self._receive(2)
                board.show(side, self._receive(size).decode())
            elif kind == b"R":
                data = board.noise(self._receive(1)[0])
                self._send(bytes([len(data)]) + data)
            elif kind == b"W":
                slot, size = struct.unpack("<BH", self._receive(3))
                self._send(bytes([board.save(slot, self._receive(size))]))
            elif kind == b"B":
                board.reboot_to_loader()
            elif kind == b"A":
                board.restart()
            elif kind == b"C":
                board.turn_back(self._number())
            elif kind == b"U":
                board.use_parts(self._receive(1)[0])
            elif kind == b"K":
                board.keep_supply(self._receive(1) == b"\1")
            elif kind == b"O":
                board.off()
            elif kind == b"X":
                raise Fallen("the firmware has ended inside the VM")
            elif kind == b"T":
                self.due, spent_us, size = struct.unpack("<QIH", self._receive(14))
                self.durations_us.append(spent_us)
                return self._receive(size)
            else:
                raise VmFailure((kind + self._process.communicate()[0]).decode(errors="replace"))

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(data)
            self._process.stdin.flush()
        except BrokenPipeError:
            raise VmFailure(self._receive(0).decode() or "the VM has ended") from None

    def _receive(self, size: int) -> bytes:
        assert self._process.stdout is not None
        data = self._process.stdout.read(size) if size else b""
        if len(data) < size:
            raise VmFailure(f"the VM ended with status {self._process.wait()} after {data!r}")
        return data

    def _number(self) -> int:
        return int(struct.unpack("<I", self._receive(4))[0])
