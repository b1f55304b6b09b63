"""File systems for an emulated board: what it has stored, and programs that run before the firmware's own.

MicroPython runs `boot.py` first. A test puts one there that tries a part of the chip; one has the firmware fail.
"""

import importlib
import sys

from wallwright_firmware.app import App
from wallwright_firmware.wiring import record, standard
from wallwright_protocol.hardware import STANDARD_PARTS

from ..board import SimulatedBoard, standard_record
from ..noise import good
from ..sorter import Hardware
from ..world import World
from .kinds import RP2040, Kind
from .process import NoEmulator, find_emulator

FLASH_OFFSET = RP2040.files_offset
BLOCK = 4096
STATE_FILE = "state-0.bin"
WITH_MAP = {"wiring.bin": record(standard())}
"""The files of a board that has been told that its table is wired by the standard, and has done nothing yet."""


def with_map(hardware: Hardware, parts: int = STANDARD_PARTS) -> dict[str, bytes]:
    """Return likewise the files of a board whose table has these parts that sort, and whose carrier has `parts`."""
    return {"wiring.bin": standard_record(hardware, parts)}


def file_system(files: dict[str, bytes], kind: Kind = RP2040) -> tuple[int, bytes]:
    """Return (offset in the flash, image) of a file system with these files, which takes the rest of the flash.

    NoEmulator without what `make chip` fetches.
    """
    packages = find_emulator() / "python"
    if not (packages / "littlefs").is_dir():
        raise NoEmulator(f"{packages} has no littlefs: run `make chip`")
    if str(packages) not in sys.path:
        sys.path.append(str(packages))
    image = importlib.import_module("littlefs").LittleFS(
        block_size=BLOCK,
        block_count=(kind.flash_bytes - kind.files_offset) // BLOCK,
        prog_size=256,
        read_size=256,
        cache_size=1024,
        lookahead_size=32,
    )
    for name, data in files.items():
        with image.open(name, "wb") as file:
            file.write(data)
    return kind.files_offset, bytes(image.context.buffer)


def boot_program(text: str) -> dict[str, bytes]:
    """Return the file of a program that runs before the firmware."""
    return {"boot.py": text.encode()}


def program(text: str) -> tuple[int, bytes]:
    """Return likewise a file system with one program and the standard map of the wires."""
    return file_system(WITH_MAP | boot_program(text))


def state_file(tiles: int, wash_s: int | None = None) -> bytes:
    """Return what a board has stored that was started once and has been given sets of `tiles` tiles since, and another
    setting `wash_s` if there is one."""
    board = SimulatedBoard(World(0), good(0))
    if wash_s is not None:
        board.wash_s = wash_s
    app = App(board, b"", tiles)
    return app.saving.record()
