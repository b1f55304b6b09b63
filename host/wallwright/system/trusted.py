"""Whether others of this machine can change a file that this program believes: keys, what is trusted, a hall's file.

Somebody can change a file who may write it, or who may put another one in its place: into its folder, or a folder above
that, or in the place of a link on the way. In a folder with the sticky bit, such as /tmp, nobody can do that with the
files of others (POSIX `S_ISVTX`). Windows has no such modes.
"""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from ..words import Words, words


def problem_with(path: Path, *, is_own: bool = False) -> Words | None:
    """Return who can change a file and what to do, as the end of a sentence; None when its user alone can.

    A group that is its user's alone is nobody else: many systems let it write whatever a person makes. A file that is
    this program's own was never made so, and no group may write it. Raises OSError for a file that is not there.
    """
    if sys.platform == "win32":
        return None
    status = path.stat()
    if status.st_mode & (stat.S_IWOTH | (stat.S_IWGRP if is_own or not _is_alone(status) else 0)):
        problem = "others of this machine can change it; look through it, then run `chmod go-w {path}`"
        return words(problem, path=str(path))
    for folder in _above(path):
        status = folder.stat()
        is_open = status.st_mode & (stat.S_IWOTH | (0 if _is_alone(status) else stat.S_IWGRP))
        if is_open and not status.st_mode & stat.S_ISVTX:
            problem = "others of this machine can put another one in its place; run `chmod go-w {folder}`"
            return words(problem, folder=str(folder))
    return None


def _above(path: Path) -> Iterator[Path]:
    """Go through the folders above a file, and above each link that leads to it."""
    waiting, seen = [path.absolute()], set[Path]()
    while waiting:
        one = waiting.pop()
        for place in (one, *one.parents):
            if place in seen:
                break
            seen.add(place)
            if place.is_symlink():
                waiting.append(place.parent / place.readlink())
            if place.is_dir():
                yield place


def _is_alone(status: os.stat_result) -> bool:
    """Say whether a group is its owner's alone: it has the same name, and no other members."""
    if sys.platform == "win32":
        return True
    try:
        import grp
        import pwd
    except ImportError:
        # A system without users has nobody else.
        return True
    try:
        group, owner = grp.getgrgid(status.st_gid), pwd.getpwuid(status.st_uid).pw_name
    except KeyError:
        return False
    return group.gr_name == owner and set(group.gr_mem) <= {owner}
