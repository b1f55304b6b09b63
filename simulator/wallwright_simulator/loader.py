"""The loader in the chip's ROM, as a host sees it: a small disk that appears, takes UF2 blocks, and vanishes.

By the datasheets (RP2040 2.8.4, RP2350 5.5): whatever file they come in, blocks of the chip's own family are written to
the flash as they arrive, and others are passed over. As soon as every block that the first one has announced is there,
the chip starts anew and takes its disk along, so that a host's last write or close may fail. Nothing can overwrite the
loader itself. The disk is a folder here; its files are looked at as often as somebody calls `look`.
"""

import re
import shutil
import struct
from pathlib import Path

INFO = "INFO_UF2.TXT"
BLOCK = 512
PAGE = 256
START_MS = 150
"""From the last block to the firmware's first poll."""
LOOK_MS = 20

_HEAD = struct.Struct("<8I")
_MAGIC = (0x0A324655, 0x9E5D5157)
_END = 0x0AB16F30
_FAMILY_IS_THERE = 0x2000
_FAMILIES = {"rp2040": (0xE48BFF56,), "rp2350": (0xE48BFF57, 0xE48BFF58, 0xE48BFF59, 0xE48BFF5A)}
_NAME = re.compile(rb'"inputs":"([0-9a-f]{16})')
"""In the record of an image: the begin of the hash of what it was built from, which it says when it is asked."""
_ABOUT = {
    "rp2040": "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n",
    "rp2350": "UF2 Bootloader v1.0\r\nModel: Raspberry Pi RP2350\r\nBoard-ID: RP2350\r\n",
}


class LoaderFolder:
    """The disk of one board, at `folder` while it is there. `flash` has the pages that were written, by address.

    `is_torn` says that an image was begun and is not whole, so that the board has no program to start.
    """

    def __init__(self, folder: Path, chip: str = "rp2040") -> None:
        self.folder = folder
        self.chip = chip
        self.flash: dict[int, bytes] = {}
        self.is_torn = False
        self.passed_over = 0
        self._is_there = False  # only what this made is ever removed
        self._read: dict[Path, int] = {}
        self._due: set[int] = set()

    def appear(self) -> None:
        """The chip is in its loader, and its disk is plugged in."""
        self.vanish()
        self.folder.mkdir(parents=True)
        self._is_there = True
        (self.folder / INFO).write_bytes(_ABOUT[self.chip].encode())
        (self.folder / "INDEX.HTM").write_bytes(b"<html></html>")
        self._read.clear()
        self._due.clear()

    def vanish(self) -> None:
        """The disk is gone, whoever still writes to it."""
        if self._is_there:
            self._is_there = False
            shutil.rmtree(self.folder, ignore_errors=True)

    def image(self) -> bytes:
        """Return by what name a firmware of Wallwright that was written knows itself; b"" when it is another."""
        program = b"".join(self.flash[address] for address in sorted(self.flash))
        found = _NAME.search(program)
        return found[1] if found else b""

    def look(self) -> bool:
        """Take the blocks that have come; say whether the image is whole now. The disk is gone then."""
        if not self.folder.is_dir():
            return False
        for path in sorted(self.folder.iterdir()):
            if path.name not in (INFO, "INDEX.HTM") and path.is_file() and self._take(path):
                self.vanish()
                return True
        return False

    def _take(self, path: Path) -> bool:
        with path.open("rb") as file:
            file.seek(self._read.get(path, 0))
            data = file.read()
        whole = len(data) // BLOCK * BLOCK
        self._read[path] = self._read.get(path, 0) + whole
        return any(self._block(data[at : at + BLOCK]) for at in range(0, whole, BLOCK))

    def _block(self, block: bytes) -> bool:
        """Write one block to the flash; say whether it was the last that was missing."""
        *magic, flags, address, size, number, count, family = _HEAD.unpack_from(block)
        fits = tuple(magic) == _MAGIC and struct.unpack_from("<I", block, BLOCK - 4)[0] == _END
        if not fits or not flags & _FAMILY_IS_THERE or family not in _FAMILIES[self.chip] or size != PAGE:
            self.passed_over += 1
            return False
        if not self._due:
            self._due = set(range(count))
            self.flash.clear()
        self.is_torn = True
        self.flash[address] = block[_HEAD.size : _HEAD.size + size]
        self._due.discard(number)
        self.is_torn = bool(self._due)
        return not self.is_torn


class InLoader:
    """Stands in the place of the firmware while the chip is in its loader, or has no program; hears nothing."""

    def __init__(self, due: int, loader: LoaderFolder | None) -> None:
        self.due = due
        self._loader = loader

    def poll(self, now_ms: int, rx: bytes) -> bytes:  # noqa: ARG002 - the loader listens to no host port
        """Look at the disk. Raises Flashed when an image is whole."""
        self.due = now_ms + LOOK_MS
        if self._loader is not None and self._loader.look():
            raise Flashed
        return b""


class Flashed(Exception):
    """The loader has a whole image and starts the chip."""
