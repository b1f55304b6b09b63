"""A backup: one file with a journal, copied entry by entry, and files of the hall that belong to it.

The journal in it is whole by itself. Keys are not in it: they stay on the machine that made them.
"""

import json
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from ..budgets import Budget
from ..clocks import wall_ms
from ..errors import BadPath, EventRefused, JournalFull
from ..event.store import holds_event, read_event
from ..journal import copy_journal, is_url
from ..system.disk import give_name, is_device, sync_folder
from ..system.file_names import safe_name
from ..system.strict_json import read_json

T = TypeVar("T")

LONGEST = 2 << 30
"""Bytes of what is in a backup at the most: twenty times a season's journal of a big hall."""
_MANIFEST_BUDGET = Budget(1 << 20, 10_000)
_ENTRY = "event.journal"
_MANIFEST = "manifest.json"
_BESIDE = "beside/"
_FORMAT = "wallwright event backup 1"
_SQLITE = b"SQLite format 3\0"
_LATEST_MS: Final = 253_402_300_799_999
"""The end of the year 9999, the last that `datetime` knows."""


def _is_sum(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def _is_whole(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


_FIELDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "event": lambda value: value is None or isinstance(value, str),
    "at_ms": lambda value: value is None or _is_whole(value, _LATEST_MS),
    "entries": lambda value: _is_whole(value, 2**63 - 1),
    "hash": _is_sum,
    "sha256": _is_sum,
    "files": lambda value: isinstance(value, dict) and all(map(_is_sum, value.values())),
}


def back_up(place: str, target: Path, beside: Sequence[Path] = ()) -> dict[str, Any]:
    """Copy the journal, checked entry by entry, into the new file `target`, and the files `beside` it; return what is
    in it.

    Others may write meanwhile. The file is there when it is whole and on the disk, or not at all. Raises BadPath when
    `target` is there already, JournalDamaged when an entry is not what was written, OSError when a disk takes no more.
    """
    _refuse_existing(target)
    # Not beside the target: that may be a network's folder or a stick, on which SQLite is slow or cannot be.
    return in_folder(partial(_back_up, place, target, beside), target.absolute().parent)


def _back_up(place: str, target: Path, beside: Sequence[Path], folder: Path) -> dict[str, Any]:
    began_ms = wall_ms()
    copy = folder / _ENTRY
    head = copy_journal(place, copy)
    files = {path.name: _content(path, folder) for path in beside}
    state = read_event(str(copy)) if holds_event(str(copy)) else None
    manifest = {
        "format": _FORMAT,
        "event": None if state is None or state.format is None else state.format.name,
        "at_ms": began_ms,
        "entries": head.id,
        "hash": head.hash.hex(),
        "sha256": sha256(copy.read_bytes()).hexdigest(),
        "files": {name: sha256(data).hexdigest() for name, data in files.items()},
    }
    with _draft(target) as draft:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(copy, _ENTRY)
            for name, data in files.items():
                archive.writestr(_BESIDE + name, data)
            archive.writestr(_MANIFEST, json.dumps(manifest, ensure_ascii=False))
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


def restore(source: Path, target: str) -> dict[str, Any]:
    """Bring the journal of a backup back as the new journal `target`, a path or a URL; return what is in it.

    Raises BadPath when `target` is a file that is there already, JournalError when a database holds entries, and
    EventRefused when the backup is damaged or is none.
    """
    if not is_url(target):
        _refuse_existing(Path(target))
    manifest, data, _ = unpack(source)
    bring_back = partial(_bring_back, source, manifest, data, target)
    in_folder(bring_back, Path.cwd() if is_url(target) else Path(target).absolute().parent)
    return manifest


def _bring_back(source: Path, manifest: Mapping[str, Any], data: bytes, target: str, folder: Path) -> None:
    """Copy the journal twice: the target is made of one that was checked to its end."""
    copy, checked = folder / _ENTRY, folder / "checked.journal"
    copy.write_bytes(data)
    head = copy_journal(copy, checked)
    if (head.id, head.hash.hex()) != (manifest["entries"], manifest["hash"]):
        raise EventRefused(f"{source} is damaged: its journal ends with another entry than it says; take another copy")
    copy_journal(checked, target)


def unpack(source: Path) -> tuple[dict[str, Any], bytes, Mapping[str, bytes]]:
    """Return what a backup says of itself, its journal, and the files that belong to it. Raises as `restore` does."""
    if source.exists() and not source.is_file():
        raise BadPath(f"{source} is no file; give that of a backup")
    try:
        with zipfile.ZipFile(source) as archive:
            if sum(one.file_size for one in archive.infolist()) > LONGEST:
                raise ValueError(f"it unpacks to more than {LONGEST:,} bytes")
            if len({name.casefold() for name in archive.namelist()}) < len(archive.namelist()):
                raise ValueError("it has a file twice")
            with archive.open(_MANIFEST) as file:
                manifest = _manifest(read_json(file.read(_MANIFEST_BUDGET.size + 1), _MANIFEST_BUDGET))
            data = archive.read(_ENTRY)
            files = {name: archive.read(_BESIDE + name) for name in manifest["files"]}
    except OSError as error:
        raise BadPath(f"{source} cannot be read ({error.strerror}); check the path") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError, ValueError) as error:
        raise EventRefused(f"{source} is no backup of an event ({error}); take another copy") from error
    sums = {name: sha256(content).hexdigest() for name, content in files.items()}
    if sha256(data).hexdigest() != manifest["sha256"]:
        raise EventRefused(f"{source} is damaged: its journal is not the one that was saved; take another copy")
    if sums != manifest["files"] or any(Path(name).name != name or is_device(name) for name in files):
        raise EventRefused(f"{source} is damaged: its files are not those that were saved; take another copy")
    return manifest, data, files


def _manifest(value: Any) -> dict[str, Any]:
    """Return what a backup says of itself, each field of its type. ValueError names the first that is not."""
    if not isinstance(value, dict) or value.get("format") != _FORMAT:
        raise ValueError(f'{_MANIFEST} does not begin with "format": "{_FORMAT}"')
    # The first versions of this program wrote neither.
    manifest: dict[str, Any] = {"at_ms": None, "files": {}, **value}
    for name, is_right in _FIELDS.items():
        if name not in manifest:
            raise ValueError(f'"{name}" is missing in {_MANIFEST}')
        if not is_right(manifest[name]):
            raise ValueError(f'"{name}" in {_MANIFEST} is not what this program writes there')
    return manifest


def _content(path: Path, folder: Path) -> bytes:
    """Return a file's bytes; of a database, which may be written meanwhile, those of a copy. BadPath without one."""
    try:
        data = path.read_bytes()
        if not data.startswith(_SQLITE):
            return data
        copy = folder / "copy"
        copy.unlink(missing_ok=True)
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        return copy.read_bytes()
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
        draft.touch(mode=0o600)
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
    sync_folder(target.parent)
