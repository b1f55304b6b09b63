"""The lock of the one program that writes a journal's file."""

import fcntl
import os
from pathlib import Path

from ..errors import JournalBusy, JournalError


class WriterLock:
    """Held by the one program that writes a journal: a lock on a file beside it, which ends with the process."""

    def __init__(self, path: Path) -> None:
        """Take the lock; JournalBusy when another program, or this one, has it. JournalError if it cannot be made."""
        self._path = path.with_name(path.name + "-lock")
        while True:
            try:
                self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            except OSError as error:
                problem = f"nothing can be written in its folder ({error.strerror}); choose another path"
                raise JournalError(str(path), problem) from error
            try:
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(self._handle)
                raise JournalBusy(
                    str(path), "another program writes it; end that program, or choose another path"
                ) from error
            if self._is_named():
                return
            os.close(self._handle)

    def release(self) -> None:
        """Let go of the lock and remove its file."""
        self._path.unlink(missing_ok=True)
        os.close(self._handle)

    def _is_named(self) -> bool:
        # Between opening and locking, the last holder may have removed the file: then others lock a new one.
        try:
            return os.path.samestat(self._path.stat(), os.fstat(self._handle))
        except FileNotFoundError:
            return False


def sync_folder(folder: Path) -> None:
    """Have what was renamed or made in `folder` on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
