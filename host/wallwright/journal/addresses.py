"""From a path or a URL to the place of a journal."""

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from ..errors import JournalError
from .files import JournalFile
from .places import JournalPath, Place, is_url
from .server import JournalServer


def find_place(path: JournalPath) -> Place:
    """Return the place that a path or URL names. JournalError for a URL that cannot be read."""
    if isinstance(path, URL) or is_url(str(path)):
        try:
            return JournalServer(make_url(path if isinstance(path, URL) else str(path)))
        except (ArgumentError, ValueError) as error:
            problem = "this is no URL; write postgresql://USER@HOST/DATABASE"
            raise JournalError(str(path).partition("@")[2] or "postgresql:", problem) from error
    return JournalFile(Path(path))


def reach(path: JournalPath) -> None:
    """Wait for a journal's server that is still starting: by the main thread, whose wait Ctrl-C ends.

    Raises JournalError.
    """
    find_place(path).reach()


def is_same(one: JournalPath, other: JournalPath) -> bool:
    """Whether two paths or URLs name one journal."""
    first, second = find_place(one).path, find_place(other).path
    if isinstance(first, Path) and isinstance(second, Path):
        return first.resolve() == second.resolve()
    return first == second
