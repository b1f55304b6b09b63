"""Files on a disk, as every system lets them be: whole or not at all, kept through a power cut, with names it takes.

Linux, macOS and Windows differ here: Windows neither syncs a folder nor renames onto a name that is taken, sticks have
file systems without links, and some names are no names on some of them.
"""

import errno
import io
import logging
import os
import re
import select
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

from ..errors import BadPath
from ..words import words
from .private import OTHERS, open_private

_LOG = logging.getLogger(__name__)

LONGEST = 1 << 20
"""Bytes that are read of a file at the most, unless a caller knows better: nobody types as much."""
PIPE_S = 20.0
"""A pipe that has given nothing for so long is taken for one that nobody writes into."""
_UNFIT = re.compile(r'[<>:"/\\|?*%.\x00-\x1f]| $')
_DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)", re.IGNORECASE)
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EACCES)


def close_to_others(path: Path) -> None:
    """Let nobody but this user into a file or folder that an older release, or a copy, has left open; log that."""
    if sys.platform == "win32":
        return
    try:
        mode = path.stat().st_mode
        if not mode & OTHERS:
            return
        path.chmod(mode & ~OTHERS)
    except FileNotFoundError:
        return
    except OSError as error:
        _LOG.warning(f"{path}: others of this machine can read it, and it cannot be closed to them ({error.strerror})")
    else:
        _LOG.warning(f"{path}: others of this machine could read it; now this user alone can")


class NoRoom(BadPath):
    """A disk takes no file that was to be made for a while: it is full."""

    def __init__(self, folder: str, problem: str) -> None:
        text = "there is no room for a draft in {folder} ({why}); make room"
        super().__init__(words(text, folder=folder, why=problem))


def read_whole(path: Path, longest: int = LONGEST) -> bytes:
    """Return what is in a file. Raises OSError, also for one with more than `longest` bytes, which may never end."""
    with open_foreign(path) as file:
        data = file.read(longest + 1)
    if len(data) > longest:
        raise OSError(errno.EFBIG, f"it is longer than {longest:,} bytes", str(path))
    return data


def open_foreign(path: Path) -> BinaryIO:
    """Open a file that somebody has named, to be read. Where it is a pipe that gives nothing for PIPE_S, to read it
    raises TimeoutError.
    """
    if sys.platform == "win32" or not path.is_fifo():
        return path.open("rb")
    return io.BufferedReader(_Pipe(path))


class _Pipe(io.FileIO):
    """A pipe whose reader waits for bytes, and not for ever."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, opener=_at_once)
        self._path = path

    def readinto(self, into: Any, /) -> int:
        """See FileIO.readinto."""
        if not select.select([self], [], [], PIPE_S)[0]:
            raise TimeoutError(errno.ETIMEDOUT, f"it is a pipe and gives nothing for {PIPE_S:g} s", str(self._path))
        return super().readinto(into)


def _at_once(name: str, flags: int) -> int:
    """Open a pipe, for which there would else have to be somebody at its other end."""
    if sys.platform != "win32":
        flags |= os.O_NONBLOCK
    return os.open(name, flags)


def sync_folder(folder: Path) -> None:
    """Have what was renamed or made in `folder` on the disk. Windows has no such request, and NTFS no need of it."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that only this user may read, whole or not at all; it replaces another. Raises OSError."""
    draft = _draft(path, data)
    try:
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_new(path: Path, data: bytes) -> None:
    """Likewise, but FileExistsError when there is a file already, which is left alone."""
    draft = _draft(path, data)
    try:
        give_name(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)


def write_named(path: Path, data: bytes) -> None:
    """Write what a person wants at `path`, whole or not at all; it replaces another file. BadPath when it cannot be.

    Where something else than a file is, such as /dev/stdout, it is written into that; a link stays one.
    """
    target = Path(os.path.realpath(path))
    draft = target.parent / f"{target.name}-new"
    try:
        if target.exists() and not target.is_file():
            with open_private(target, "wb") as device:
                device.write(data)
            return
        try:
            with open_private(draft, "wb") as file:
                _write_down(file, data)
            draft.replace(target)
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise
    except OSError as error:
        raise _not_written(path, error) from error


def write_named_new(path: Path, data: bytes) -> None:
    """Likewise, but BadPath when there is something already, which is left alone."""
    try:
        with open_private(path, "xb") as file:
            try:
                _write_down(file, data)
            except BaseException:
                path.unlink()
                raise
    except OSError as error:
        raise _not_written(path, error) from error


def need_none(path: Path) -> None:
    """Raise the BadPath of `write_named_new` when something is there, before anybody types a password for it."""
    if path.exists() or path.is_symlink():
        raise _not_written(path, FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)))


def give_name(draft: Path, target: Path) -> None:
    """Give a finished file, once it is on the disk, its name beside or below; FileExistsError when that is taken."""
    with open_private(draft, "r+b") as file:
        os.fsync(file.fileno())
    if sys.platform == "win32":
        draft.rename(target)  # which refuses there, and replaces elsewhere
        return
    try:
        os.link(draft, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # A file system without links: the name is taken by an empty file, which the finished one replaces.
        with open_private(target, "xb"):
            pass
        try:
            draft.replace(target)
        except BaseException:
            target.unlink()
            raise


def file_name(text: str) -> str:
    """Return a name for a file or folder that every system takes; other texts, but for case, get other names."""
    name = _UNFIT.sub(lambda found: f"%{ord(found[0]):02x}", text)
    return f"%{ord(name[0]):02x}{name[1:]}" if is_device(name) else name


def is_device(name: str) -> bool:
    """Say whether Windows takes `name` for a device, such as `COM3` or `nul.json`."""
    return _DEVICES.match(name) is not None


def _write_down(file: IO[bytes], data: bytes) -> None:
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


def _not_written(path: Path, error: OSError) -> BadPath:
    return BadPath(f"{path}: it cannot be written ({error.strerror}); choose another path")


def _draft(path: Path, data: bytes) -> Path:
    """Write a file beside `path`; its data are on the disk."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as draft:
        draft.write(data)
        draft.flush()
        os.fsync(draft.fileno())
    return Path(draft.name)
