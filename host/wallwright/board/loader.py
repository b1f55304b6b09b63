"""The loader in a chip's ROM, as this machine sees it: a disk with INFO_UF2.TXT that takes an image and vanishes.

The folder is gone as soon as the last block is written, often before the file is closed. So an error at the end says
nothing: what counts is whether the disk is gone, and what comes back at the board's host port.
"""

import os
import string
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ..text_files import lines_in
from .errors import NoLoader, NotCopied, SeveralLoaders

INFO = "INFO_UF2.TXT"
CHIPS = {"RPI-RP2": "rp2040", "RP2350": "rp2350"}
"""Board-ID in INFO_UF2.TXT -> chip; they are the names of the disks too (RP2040 datasheet 2.8.4.1, RP2350 5.5.2)."""
PIECE = 32 << 10
TAKEN_MS = 20_000
"""A loader that has got the last block needs a second; USB sticks have been seen to be written out for longer."""
LOOK_MS = 250
_LONGEST_INFO = 4096

HOW = """
  Hold BOOTSEL down while you plug the board's own USB in; then let go:
         USB to this machine
              | |
         .----|_|----.
         |           |
         |   (o) <------- BOOTSEL
         |           |
         |  [chip]   |
         |           |
         '-----------'
  A disk called RPI-RP2 (Pico) or RP2350 (Pico 2) appears. Is it somewhere else? Name its folder with --folder."""
"""In the form of a list, which an error may end with."""


@dataclass(frozen=True, slots=True)
class LoaderDisk:
    """The disk of one board in its loader, mounted at `folder`."""

    folder: Path
    chip: str


class Waiting(Protocol):
    """The time that is waited in."""

    def now_ms(self) -> int:
        """Return ms that never run backwards."""

    def wait(self, ms: int) -> None:
        """Let so much time go by."""


class RealTime:
    """This machine's."""

    def now_ms(self) -> int:
        """See Waiting.now_ms."""
        return time.monotonic_ns() // 1_000_000

    def wait(self, ms: int) -> None:
        """See Waiting.wait."""
        time.sleep(ms / 1000)


def read_disk(folder: Path) -> LoaderDisk | None:
    """Return the loader's disk at `folder`, None when there is none of a chip that is known."""
    try:
        with (folder / INFO).open("rb") as file:
            text = file.read(_LONGEST_INFO).decode(errors="replace")
    except OSError:
        return None
    for line in lines_in(text):
        name, found, value = line.partition(":")
        if found and name.strip().lower() == "board-id" and value.strip() in CHIPS:
            return LoaderDisk(folder, CHIPS[value.strip()])
    return None


def mounted_folders() -> Iterator[Path]:
    """Yield where this system has mounted disks."""
    if sys.platform == "win32":
        yield from (Path(f"{letter}:\\") for letter in string.ascii_uppercase[2:])
    elif sys.platform == "darwin":
        with suppress(OSError):
            yield from sorted(Path("/Volumes").iterdir())
    else:
        with suppress(OSError):
            for line in lines_in(Path("/proc/self/mounts").read_text(encoding="utf-8", errors="surrogateescape")):
                fields = line.split(" ")
                if len(fields) > 2 and fields[2] in ("vfat", "msdos", "fuseblk", "exfat"):
                    # Spaces and the like are written as three octal digits there.
                    yield Path(_unescaped(fields[1]))


def find_disks(folder: Path | None = None, places: Callable[[], Iterable[Path]] = mounted_folders) -> list[LoaderDisk]:
    """Return the boards in their loaders: the one at `folder`, or all that are mounted."""
    folders = places() if folder is None else [folder]
    return [disk for disk in map(read_disk, folders) if disk is not None]


def only_disk(folder: Path | None = None, places: Callable[[], Iterable[Path]] = mounted_folders) -> LoaderDisk:
    """Return the one board that is in its loader. Raises NoLoader, which says how to get there, and SeveralLoaders."""
    disks = find_disks(folder, places)
    if len(disks) > 1:
        raise SeveralLoaders([str(disk.folder) for disk in disks])
    if not disks:
        raise NoLoader(_where_it_is_not(folder))
    return disks[0]


def unmounted() -> str | None:
    """Return the device of a loader's disk that Linux sees and nobody has mounted: there is no desktop to do so."""
    for name in CHIPS:
        device = Path("/dev/disk/by-label") / name
        if device.exists():
            return str(device)
    return None


def wait_for_disk(
    waiting: Waiting, limit_ms: int, folder: Path | None, places: Callable[[], Iterable[Path]] = mounted_folders
) -> LoaderDisk | None:
    """Return the one loader's disk that appears in time; None when none does. Raises SeveralLoaders."""
    until = waiting.now_ms() + limit_ms
    while True:
        disks = find_disks(folder, places)
        if len(disks) > 1:
            raise SeveralLoaders([str(disk.folder) for disk in disks])
        if disks:
            return disks[0]
        if waiting.now_ms() >= until:
            return None
        waiting.wait(LOOK_MS)


def copy_image(
    disk: LoaderDisk, name: str, data: bytes, waiting: Waiting, tell: Callable[[int, int], None] = lambda *_: None
) -> None:
    """Copy an image to the disk and wait until the loader has taken it; `tell` hears of bytes written, of how many.

    Raises NotCopied when the disk stays: it is full, or the loader passes the image over. A disk that is gone may have
    been pulled out as well; only the board can tell that.
    """
    problem = ""
    try:
        with (disk.folder / name).open("wb", buffering=0) as file:
            for at in range(0, len(data), PIECE):
                _write_all(file.fileno(), data[at : at + PIECE])
                tell(min(at + PIECE, len(data)), len(data))
            os.fsync(file.fileno())
    except OSError as error:
        problem = error.strerror or str(error)
    until = waiting.now_ms() + TAKEN_MS
    while read_disk(disk.folder) is not None:
        if problem:
            raise NotCopied(str(disk.folder), f"it cannot be written ({problem})")
        if waiting.now_ms() >= until:
            raise NotCopied(str(disk.folder), f"the loader did not take the image within {TAKEN_MS // 1000} s")
        waiting.wait(LOOK_MS)


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _where_it_is_not(folder: Path | None) -> str:
    if folder is not None:
        return f"{folder} is not the disk of a board in its loader: it has no {INFO} of a chip that is known.{HOW}"
    device = unmounted()
    if device is not None:
        mount = f"udisksctl mount -b {device}"
        return f"a board is in its loader as {device}, which is not mounted; mount it with `{mount}`, then try again"
    return f"no board is in its loader.{HOW}"


def _unescaped(text: str) -> str:
    for digits, letter in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(digits, letter)
    return text
