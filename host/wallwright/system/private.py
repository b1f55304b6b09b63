"""Makes files and folders that their user alone gets into, from the moment at which they are made, whatever the umask.

Whatever this program makes is made here, or with these modes by a library that is told so. Windows has no such modes:
there a file is whose folder it is in.
"""

import os
import sys
from pathlib import Path
from typing import IO, Any, Final

FILE: Final = 0o600
FOLDER: Final = 0o700
OTHERS: Final = 0o077
"""The rights of a group and of everybody else, as bits of a mode."""
_own_umask = [0]
"""The user's own umask, from before `keep_private`."""


def keep_private() -> None:
    """Let nobody but this user into whatever this program makes from now on, from the moment at which it is made.

    Windows has no such modes: there a file is whose folder it is in.
    """
    if sys.platform != "win32":
        _own_umask[0] = os.umask(OTHERS)


def open_to_readers(path: Path) -> None:
    """Let everybody read a file or look into a folder, as far as the user's own settings do: it is to be published."""
    if sys.platform != "win32":
        path.chmod((0o755 if path.is_dir() else 0o644) & ~_own_umask[0])


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing; one that is there stays as it is. Raises OSError."""
    # Path.mkdir with parents=True gives its mode to the last folder alone.
    if not path.parent.is_dir():
        make_folder(path.parent)
    path.mkdir(FOLDER, exist_ok=True)


def open_private(path: Path, mode: str, **more: Any) -> IO[Any]:
    """Open a file to be written as `open` does; a file that is made is private. Raises OSError."""
    return open(path, mode, opener=_make, **more)


def _make(path: str, flags: int) -> int:
    return os.open(path, flags, FILE)
