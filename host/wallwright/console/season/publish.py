"""Writes the pages of a season into a folder that any web server or object store can have.

What is there stays complete at every moment: a file is replaced at once, what leads to others is written after them,
and what nobody leads to any more is deleted last. A list of all files stands in the folder, so that nothing is deleted
that is somebody else's.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from ...errors import BadInput
from ...system.disk import write_named
from ...system.json_file import read_form_file
from ...system.private import make_folder, open_to_readers
from ...system.strict_json import BadJson
from .site import Content

LIST = "files.json"


def publish(folder: Path, contents: Iterable[tuple[str, Content]]) -> tuple[int, int, int]:
    """Write all pages; return how many there are, how many of them have changed, and how many were deleted.

    BadInput for a folder that has other things in it.
    """
    before = _listed(folder)
    there: list[str] = []
    changed = 0
    for path, content in contents:
        there.append(path)
        changed += _write(folder / path, content.data)
    _write(folder / LIST, (json.dumps(sorted(there), indent=0) + "\n").encode())
    gone = before - set(there)
    for path in sorted(gone):
        (folder / path).unlink(missing_ok=True)
    return len(there), changed, len(gone)


def _listed(folder: Path) -> set[str]:
    """Return the files that were published there before."""
    try:
        paths = set(read_form_file(folder / LIST, tuple[str, ...]))
    except FileNotFoundError:
        if folder.exists() and any(folder.iterdir()):
            raise BadInput(f"{folder} has other things in it; name a new folder") from None
        return set()
    except (BadJson, NotADirectoryError) as error:
        raise BadInput(f"{folder} is no folder of published pages; name a new folder") from error
    root = folder.resolve()
    if any(not (folder / path).resolve().is_relative_to(root) for path in paths):
        raise BadInput(f"{folder / LIST} names files outside; name a new folder")
    return paths


def _write(path: Path, data: bytes) -> bool:
    """Write a file that everybody may read, unless it has this already; return whether it was written."""
    if path.is_file() and path.read_bytes() == data:
        return False
    for folder in reversed(path.parents):
        if not folder.exists():
            make_folder(folder)
            open_to_readers(folder)
    write_named(path, data)
    open_to_readers(path)
    return True
