"""Whether a backup would do: it is restored into a temporary place, verified, and compared with what it is of."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import EventRefused
from ..event.disclosure import LIVE
from ..event.sheets import PAPERS
from ..event.state import EventState
from ..event.store import read_state
from ..journal import verify_journal
from .archive import copy_checked, in_folder
from .manifest import Manifest
from .unpacking import Packed, opened


def check_backup(source: Path, place: str | None = None) -> Manifest:
    """Restore a backup and check it; return what is in it.

    With `place` it is compared with the journal there: the standings by the entries that the backup has are the same.
    Raises EventRefused when it would not do, and what `restore` and the journals raise.
    """
    with opened(source) as packed:
        return in_folder(partial(_check, packed, source, place), source.absolute().parent)


def _check(packed: Packed, source: Path, place: str | None, folder: Path) -> Manifest:
    unpacked = packed.unpack(folder)
    copy = folder / "restored.journal"
    copy_checked(packed, unpacked.journal, copy)
    verdict = verify_journal(copy)
    if not verdict.is_whole:
        raise EventRefused(f"{source}: restored, its journal is not whole: {verdict.findings[0].text}")
    for name, file in unpacked.files.items():
        _check_database(source, name, file)
    if place is not None and _papers(read_state(str(copy))) != _papers(read_state(place, packed.manifest.entries)):
        raise EventRefused(f"{source}: its standings are others than those of {place}; verify that journal")
    return packed.manifest


def _papers(state: EventState) -> dict[str, Any]:
    if state.format is None:
        return {}
    return {name: PAPERS[name](state, LIVE) for name in ("standings", "seats", "results", "penalties")}


def _check_database(source: Path, name: str, file: Path) -> None:
    with file.open("rb") as begin:
        if begin.read(16) != b"SQLite format 3\0":
            return
    try:
        with closing(sqlite3.connect(file)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    except sqlite3.Error as error:
        found = [str(error)]
    if found != ["ok"]:
        raise EventRefused(f"{source}: {name} in it is damaged: {found[0]}")
