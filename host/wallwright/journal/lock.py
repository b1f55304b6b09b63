"""The lock of the one program that writes a journal's file."""

import sys
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ..errors import JournalBusy, JournalError


def is_locked(path: Path) -> bool:
    """Say whether a program writes a journal now. Nothing is made or changed for that; Windows does not say."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        with _lock_path(path).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


class WriterLock:
    """Held by the one program that writes a journal: a lock on a file beside it, which ends with the process."""

    def __init__(self, path: Path) -> None:
        """Take the lock; JournalBusy when another program, or this one, has it. JournalError if it cannot be made."""
        self._path = _lock_path(path)
        if not path.absolute().parent.is_dir():
            # The lock would make the folder, which may be a slip of the pen.
            raise JournalError(str(path), "nothing can be written in its folder (there is none); choose another path")
        # Any thread may release it. A disk that cannot lock is told, instead of a file that stays after a crash.
        self._lock = FileLock(self._path, mode=0o600, thread_local=False, fallback_to_soft=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout as error:
            problem = "another program writes it; end that program, or choose another path"
            raise JournalBusy(str(path), problem) from error
        except OSError as error:
            problem = f"nothing can be written in its folder ({error.strerror}); choose another path"
            raise JournalError(str(path), problem) from error

    def release(self) -> None:
        """Let go of the lock and remove its file."""
        # While it is held: whoever opened the file before takes no lock on one without a name. Windows removes no file
        # that is open, and there it may stay.
        with suppress(PermissionError):
            self._path.unlink(missing_ok=True)
        self._lock.release()


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + "-lock")
