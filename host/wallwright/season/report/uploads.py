"""Files that come in parts: each is called by its SHA-256, and goes on where it was stopped, also after a restart.

All that is known of one stands in its name: the hash, who sends it, and how long it is to be. The folder is bounded: a
hall has MOST unfinished files, of which the oldest makes room for another one.
"""

import hashlib
import threading
from pathlib import Path

from ...errors import BadInput
from ...system.private import FILE, make_folder
from ..extract_file import LONGEST

MOST = 4
"""Files of a hall that are not whole yet."""
_ENDING = ".part"


class Uploads:
    """The unfinished files in `folder`; any thread may ask."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def has(self, hash_: str, key: str) -> int:
        """Return how many bytes of a file have come."""
        path = self._find(hash_, key)
        return 0 if path is None else path.stat().st_size

    def put(self, hash_: str, key: str, total: int, at: int, data: bytes) -> int:
        """Write bytes at the end of what has come, if they are to stand there; return how many there are then.

        BadInput for a file that is too long, or another one than was begun. Raises OSError; nothing is kept then.
        """
        if not 0 < total <= LONGEST:
            raise BadInput(f"an extract has {LONGEST:,} bytes at the most, and this is to have {total:,}")
        with self._lock:
            path = self._find(hash_, key)
            if path is None and at:
                return 0
            if path is None:
                path = self._begin(hash_, key, total)
            if path != self._path(hash_, key, total):
                raise BadInput("this extract was begun with another length; give the one that it has")
            with path.open("r+b") as file:
                there = file.seek(0, 2)
                if at != there or there + len(data) > total:
                    return there
                try:
                    file.write(data)
                    file.flush()
                except OSError:
                    file.truncate(there)
                    raise
                return there + len(data)

    def whole(self, hash_: str, key: str) -> Path | None:
        """Return where a file is that has come whole; None when it is not what its name says, and begins anew then."""
        path = self._find(hash_, key)
        if path is not None:
            with path.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() == hash_:
                    return path
        self.drop(hash_, key)
        return None

    def drop(self, hash_: str, key: str) -> None:
        """Keep nothing of a file."""
        with self._lock:
            path = self._find(hash_, key)
            if path is not None:
                path.unlink(missing_ok=True)

    def _begin(self, hash_: str, key: str, total: int) -> Path:
        make_folder(self._folder)
        own = sorted(self._folder.glob(f"{_short(key)}-*{_ENDING}"), key=lambda path: path.stat().st_mtime_ns)
        for path in own[: max(0, len(own) + 1 - MOST)]:
            path.unlink(missing_ok=True)
        path = self._path(hash_, key, total)
        path.touch(FILE)
        return path

    def _find(self, hash_: str, key: str) -> Path | None:
        return next(self._folder.glob(f"{_short(key)}-{hash_}-*{_ENDING}"), None)

    def _path(self, hash_: str, key: str, total: int) -> Path:
        return self._folder / f"{_short(key)}-{hash_}-{total}{_ENDING}"


def _short(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:16]
