"""A backup: one file with a journal, copied entry by entry, and files of the hall that belong to it.

The journal in it is whole by itself. Keys are not in it: they stay on the machine that made them.
"""

import hashlib
import json
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from ..clocks import wall_ms
from ..errors import BadPath, EventRefused, JournalFull
from ..event.store import holds_event, read_event
from ..journal import copy_journal, is_url
from ..system.disk import give_name, sync_folder
from ..system.file_names import safe_name
from ..system.private import FILE
from .manifest import NAME as MANIFEST
from .manifest import Manifest
from .unpacking import BESIDE, ENTRY, Packed, is_plain, opened

T = TypeVar("T")

_SQLITE = b"SQLite format 3\0"


def back_up(place: str, target: Path, beside: Sequence[Path] = ()) -> Manifest:
    """Copy the journal, checked entry by entry, into the new file `target`, and the files `beside` it; return what is
    in it.

    Others may write meanwhile. The file is there when it is whole and on the disk, or not at all. Raises BadPath when
    `target` is there already, and for two files `beside` it of one name, JournalDamaged when an entry is not what was
    written, OSError when a disk takes no more.
    """
    _refuse_existing(target)
    names = [path.name for path in beside]
    for name in names:
        if not is_plain(name) or [other.casefold() for other in names].count(name.casefold()) > 1:
            raise BadPath(f"no backup can have a file called {name!r}, or two of that name; give it another name")
    # Not beside the target: that may be a network's folder or a stick, on which SQLite is slow or cannot be.
    return in_folder(partial(_back_up, place, target, beside), target.absolute().parent)


def _back_up(place: str, target: Path, beside: Sequence[Path], folder: Path) -> Manifest:
    began_ms = wall_ms()
    copy = folder / ENTRY
    head = copy_journal(place, copy)
    files = {path.name: _copied(path, folder / f"beside-{number}") for number, path in enumerate(beside)}
    state = read_event(str(copy)) if holds_event(str(copy)) else None
    members = {ENTRY: copy, **{BESIDE + name: file for name, file in files.items()}}
    manifest = Manifest(
        event=None if state is None or state.format is None else state.format.name,
        at_ms=began_ms,
        entries=head.id,
        hash=head.hash.hex(),
        sha256=_sum(copy),
        files={name: _sum(file) for name, file in files.items()},
        sizes={name: file.stat().st_size for name, file in members.items()},
    )
    with _draft(target) as draft:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, file in members.items():
                archive.write(file, name)
            archive.writestr(MANIFEST, json.dumps(manifest.record(), ensure_ascii=False))
        _keep(draft, target)
    return manifest


def in_folder(action: Callable[[Path], T], otherwise: Path) -> T:
    """Return what `action` returns of a temporary folder; of one in `otherwise` where the disk of those takes none."""
    try:
        with TemporaryDirectory(prefix="wallwright-") as name:
            return action(Path(name))
    except (JournalFull, OSError):
        with TemporaryDirectory(prefix=".wallwright-", dir=otherwise) as name:
            return action(Path(name))


def backup_name(event: str, at_ms: int) -> str:
    """Return the name of a backup's file: that of the event, and the day and time at which it is taken."""
    taken = datetime.fromtimestamp(at_ms / 1000, UTC).astimezone()
    return f"{safe_name(event, 'event')}-{taken:%Y-%m-%d-%H%M}.backup"


def restore(source: Path, target: str) -> Manifest:
    """Bring the journal of a backup back as the new journal `target`, a path or a URL; return what is in it.

    Raises BadPath when `target` is a file that is there already, JournalError when a database holds entries, and
    EventRefused when the backup is damaged or is none.
    """
    if not is_url(target):
        _refuse_existing(Path(target))
    with opened(source) as packed:
        in_folder(
            partial(_bring_back, packed, target), Path.cwd() if is_url(target) else Path(target).absolute().parent
        )
    return packed.manifest


def _bring_back(packed: Packed, target: str, folder: Path) -> None:
    """Make the target of a journal that was checked to its end: a file beside it, which is given its name then."""
    checked = folder / "checked.journal"
    copy_checked(packed, packed.unpack(folder).journal, checked)
    if is_url(target):
        copy_journal(checked, target)
        return
    place = Path(target)
    with _draft(place) as draft:
        shutil.copyfile(checked, draft)
        _keep(draft, place)


def copy_checked(packed: Packed, journal: Path, target: Path) -> None:
    """Copy a backup's unpacked journal, entry by entry. EventRefused when it does not end as the backup says."""
    head = copy_journal(journal, target)
    if (head.id, head.hash.hex()) != (packed.manifest.entries, packed.manifest.hash):
        problem = "its journal ends with another entry than it says"
        raise EventRefused(f"{packed.name} is damaged: {problem}; take another copy")


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _copied(path: Path, copy: Path) -> Path:
    """Return a file's copy; that of a database, which may be written meanwhile, is whole. BadPath without a file."""
    try:
        with path.open("rb") as file:
            is_database = file.read(len(_SQLITE)) == _SQLITE
        if not is_database:
            shutil.copyfile(path, copy)
            return copy
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        return copy
    except (OSError, sqlite3.Error) as error:
        raise BadPath(f"{path} cannot be read ({error}); check the path") from error


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise BadPath(f"{path} is there already and was left alone; choose another path")
    if not path.absolute().parent.is_dir():
        raise BadPath(f"{path}: there is no such folder; make it first")


@contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """Give the path of an empty file beside `target` that goes afterwards, as does one that a power cut has left."""
    draft = target.with_name(f".{target.name}.draft")
    draft.unlink(missing_ok=True)
    try:
        draft.touch(FILE)
        yield draft
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _keep(draft: Path, target: Path) -> None:
    """Give a finished file its name, once it is on the disk, unless something has that name."""
    try:
        give_name(draft, target)
    except FileExistsError as error:
        raise BadPath(f"{target} is there already and was left alone; choose another path") from error
    try:
        sync_folder(target.parent)
    except BaseException:
        target.unlink()
        raise
