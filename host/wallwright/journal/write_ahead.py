"""The write-ahead file beside a journal's file, read as bytes (SQLite's file format, section 4).

SQLite reads a journal with a write-ahead file only where it may write: it makes an index beside them. A full disk, a
folder that is read-only and one of another owner allow no such file. There this program puts the two together itself,
in memory. Nothing is written here, and no entry is checked: the readers do that.
"""

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOG_HEADER: Final = 32
FRAME_HEADER: Final = 24
LONGEST_PAIR: Final = 64 << 20
"""Bytes of a database and its write-ahead file that are put together in memory, which takes three times as many."""
_ORDER = {0x377F0682: "<", 0x377F0683: ">"}
"""By the number at its start: the order of bytes in which a write-ahead file's sums are taken."""
_VERSIONS = slice(18, 20)
"""Where a database's header says that it has a write-ahead file."""
_NO_LOG = b"\x01\x01"
_CHANGES = slice(24, 28)
"""Where a database's header counts its changes."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A page as a commit has it: its number from 1, its bytes, and the pages of the database if it ends a commit."""

    page: int
    pages: int
    salt: bytes
    data: memoryview


class WriteAhead:
    """What the bytes of a write-ahead file say: `frames` are those of whole commits, `rest` those that nobody reads."""

    def __init__(self, log: bytes) -> None:
        self.page_size = 0
        self.frames: tuple[Frame, ...] = ()
        self.rest: tuple[Frame, ...] = ()
        if len(log) < LOG_HEADER:
            return
        magic, _, self.page_size = struct.unpack_from(">III", log)
        order = _ORDER.get(magic, "<")
        if not 512 <= self.page_size <= 65536 or self.page_size & (self.page_size - 1):
            return
        sums = _summed(log[:24], (0, 0), order)
        is_sound = magic in _ORDER and sums == struct.unpack_from(">II", log, 24)
        found = list(self._frames(log))
        committed = 0
        for number, frame in enumerate(found, 1):
            at = LOG_HEADER + (number - 1) * (FRAME_HEADER + self.page_size)
            if not is_sound or frame.salt != log[16:24]:
                break
            sums = _summed(frame.data, _summed(log[at : at + 8], sums, order), order)
            if sums != struct.unpack_from(">II", log, at + 16):
                break
            if frame.pages:
                committed = number
        self.frames, self.rest = tuple(found[:committed]), tuple(found[committed:])

    def _frames(self, log: bytes) -> Iterator[Frame]:
        view, length = memoryview(log), FRAME_HEADER + self.page_size
        for at in range(LOG_HEADER, len(log) - length + 1, length):
            page, pages = struct.unpack_from(">II", log, at)
            yield Frame(page, pages, log[at + 8 : at + 16], view[at + FRAME_HEADER : at + length])


def put_together(database: bytes | bytearray, frames: tuple[Frame, ...]) -> bytearray:
    """Return the database with the pages of some commits in it, as one that needs no write-ahead file."""
    image = bytearray(database)
    for frame in frames:
        begin = (frame.page - 1) * len(frame.data)
        # A number that is none, in frames that nobody vouches for, makes no image of gigabytes.
        if 0 <= begin <= len(image) + len(frames) * len(frame.data):
            image.extend(bytes(max(0, begin - len(image))))
            image[begin : begin + len(frame.data)] = frame.data
    if frames and frames[-1].pages:
        del image[frames[-1].pages * len(frames[-1].data) :]
    if len(image) >= _VERSIONS.stop:
        image[_VERSIONS] = _NO_LOG
    return image


def is_of(database: bytes, frames: tuple[Frame, ...]) -> bool:
    """Say whether frames can have been written for this file: its first page is theirs, or the one before theirs."""
    firsts = [bytes(frame.data) for frame in frames if frame.page == 1]
    if not firsts or database[: len(firsts[0])] in firsts:
        return True
    (then,), (now,) = (struct.unpack(">I", page[_CHANGES]) for page in (firsts[0], database))
    return bool(then == now + 1)


def log_path(path: Path) -> Path:
    """Return where SQLite keeps a file's write-ahead file."""
    return path.with_name(path.name + "-wal")


def read_pair(path: Path) -> tuple[bytes, bytes] | None:
    """Return the bytes of a database and of its write-ahead file, as they are at one moment. Raises OSError. None when
    they have more than LONGEST_PAIR together.

    Whoever writes moves pages from the one into the other. What was moved since the first look is still in the log, as
    long as the log has not begun anew: that gives it another header.
    """
    while True:
        before = _begin_of(log_path(path), LOG_HEADER)
        database = _begin_of(path, LONGEST_PAIR + 1, is_there=True)
        log = _begin_of(log_path(path), LONGEST_PAIR + 1)
        if len(database) + len(log) > LONGEST_PAIR:
            return None
        if before == log[:LOG_HEADER]:
            return database, log


def _begin_of(path: Path, size: int, *, is_there: bool = False) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(size)
    except FileNotFoundError:
        if is_there:
            raise
        return b""


def _summed(data: bytes | memoryview, sums: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def trace(path: Path) -> tuple[int, ...] | None:
    """Return what changes when a file is written; None when there is none. Raises OSError."""
    try:
        status: os.stat_result = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size
