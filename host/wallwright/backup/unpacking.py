"""Unpacks a backup that anybody may have made: its members are looked at first, and then written a piece at a time.

A backup of a big hall may be big. What it unpacks to stands in it, fits the disk with room to spare, and is at most a
hundred times as long as the backup: every entry of a journal has a hash, which no packer makes shorter.
"""

import errno
import io
import re
import shutil
import stat
import struct
import sys
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from ..errors import BadPath, EventRefused
from ..system.disk import is_device
from ..system.private import make_folder, open_private
from .manifest import LONGEST, read_manifest
from .manifest import NAME as MANIFEST

ENTRY: Final = "event.journal"
BESIDE: Final = "beside/"
MOST_TIMES: Final = 100
SMALL: Final = 64 << 20
"""Bytes that any backup may unpack to: a new database of accounts is packed to a hundredth."""
SPARE: Final = 64 << 20
"""Bytes of a disk that stay free."""
_DIRECTORY_LONGEST: Final = 1 << 20
"""Bytes of the archive's list of members, and of any other piece of it."""
_PIECE: Final = 1 << 16
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED: Final = 1
"""The bit in a member's flags (APPNOTE 4.4.4)."""
_NO_NAME: Final = re.compile(r"[/\\]|^\.{1,2}$|^$|[. ]$")
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, LookupError, RuntimeError, OverflowError)
"""Errors of `zipfile` at archives that are none, or damaged."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A backup's journal, and in a folder that has nothing else the files that belong to it, by their names."""

    journal: Path
    folder: Path
    files: Mapping[str, Path]


class Packed:
    """An open backup whose members are those that its `manifest` names, of the sizes and kinds that are allowed."""

    def __init__(self, source: Path, archive: zipfile.ZipFile) -> None:
        """Raises ValueError and what `zipfile` does."""
        self._source = source
        self._archive = archive
        members = {one.filename: one for one in archive.infolist()}
        if len({unicodedata.normalize("NFC", name).casefold() for name in members}) < len(archive.infolist()):
            raise ValueError("it has a file twice")
        for one in members.values():
            _refuse_odd(one)
        self.total = sum(one.file_size for one in members.values())
        if self.total > SMALL + MOST_TIMES * source.stat().st_size:
            raise ValueError(f"it unpacks to {self.total:,} bytes, more than {MOST_TIMES} times its size")
        if MANIFEST not in members:
            raise ValueError(f"it has no {MANIFEST}")
        with archive.open(MANIFEST) as file:
            self.manifest = read_manifest(file.read(LONGEST + 1))
        named = {ENTRY, *(BESIDE + name for name in self.manifest.files)}
        sizes = {name: one.file_size for name, one in members.items() if name != MANIFEST}
        if set(sizes) != named:
            raise ValueError(f"its files are not those that {MANIFEST} names")
        if self.manifest.sizes not in (None, sizes):
            raise ValueError(f"its files are not as long as {MANIFEST} says")
        if odd := next((name for name in self.manifest.files if not is_plain(name)), None):
            raise ValueError(f"{odd!r} is no name for a file")

    @property
    def name(self) -> str:
        """Return the path of the backup, as it was given."""
        return str(self._source)

    def unpack(self, folder: Path) -> Unpacked:
        """Write what is in it into `folder`, which is empty, each file checked by its sum.

        Raises OSError when the disk has no room for it and for a copy of its journal, EventRefused for another sum.
        """
        need = self.total + self._archive.getinfo(ENTRY).file_size + SPARE
        free = shutil.disk_usage(folder).free
        if need > free:
            problem = f"{need >> 20:,} MB are needed there, and {free >> 20:,} MB are free"
            raise OSError(errno.ENOSPC, problem, str(folder))
        beside = folder / "beside"
        make_folder(beside)
        journal = folder / ENTRY
        if self._written(ENTRY, journal) != self.manifest.sha256:
            raise EventRefused(f"{self.name} is damaged: its journal is not the one that was saved; take another copy")
        files = {name: beside / name for name in self.manifest.files}
        for name, path in files.items():
            if self._written(BESIDE + name, path) != self.manifest.files[name]:
                raise EventRefused(f"{self.name} is damaged: {name} is not the file that was saved; take another copy")
        return Unpacked(journal, beside, files)

    def _written(self, member: str, target: Path) -> str:
        summed = sha256()
        with open_private(target, "xb") as file:
            for piece in self._pieces(member):
                summed.update(piece)
                file.write(piece)
        return summed.hexdigest()

    def _pieces(self, member: str) -> Iterator[bytes]:
        with _told(self._source), self._archive.open(member) as file:
            while piece := file.read(_PIECE):
                yield piece


@contextmanager
def opened(source: Path) -> Iterator[Packed]:
    """Open a backup to be unpacked; nothing is written yet.

    Raises BadPath when it cannot be read, EventRefused when it is damaged, too big or no backup.
    """
    if source.exists() and not source.is_file():
        raise BadPath(f"{source} is no file; give that of a backup")
    with _told(source):
        file = _InPieces(io.FileIO(source))
    with file:
        with _told(source):
            packed = Packed(source, zipfile.ZipFile(file))
        yield packed


def is_plain(name: str) -> bool:
    """Say whether `name` is that of a file in whatever folder it is put, on the systems that this program runs on."""
    is_odd = _NO_NAME.search(name) or not name.isprintable() or is_device(name) or len(name.encode()) > 255
    return not is_odd and not (sys.platform == "win32" and ":" in name)


class _InPieces(io.BufferedReader):
    """A file of which no more than some of its bytes are read at once, however many an archive asks for."""

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(_DIRECTORY_LONGEST + 1 if size is None or size < 0 else min(size, _DIRECTORY_LONGEST + 1))
        if len(data) > _DIRECTORY_LONGEST:
            raise ValueError("it has too many files")
        return data


def _refuse_odd(one: zipfile.ZipInfo) -> None:
    kind = stat.S_IFMT(one.external_attr >> 16)
    if one.is_dir() or kind not in (0, stat.S_IFREG):
        raise ValueError(f"{one.filename!r} in it is a folder, a link or a device")
    if one.filename != one.orig_filename:
        raise ValueError(f"{one.orig_filename!r} is no name for a file")
    if one.flag_bits & _ENCRYPTED or one.compress_type not in _METHODS:
        raise ValueError(f"{one.filename!r} in it is packed in another way than this program does")


@contextmanager
def _told(source: Path) -> Iterator[None]:
    """Have errors of whoever reads an archive told of the backup."""
    try:
        yield
    except OSError as error:
        # An archive that is damaged sends its reader before the file's beginning.
        if error.errno not in (None, errno.EINVAL):
            raise BadPath(f"{source} cannot be read ({error.strerror}); check the path") from error
        raise _no_backup(source, "it is damaged") from error
    except _BROKEN as error:
        raise _no_backup(source, "it is damaged, or of another kind") from error
    except ValueError as error:
        raise _no_backup(source, str(error)) from error


def _no_backup(source: Path, why: str) -> EventRefused:
    return EventRefused(f"{source} is no backup of an event ({why}); take another copy")
