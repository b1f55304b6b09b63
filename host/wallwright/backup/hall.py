"""Brings a whole hall back from a backup: a new folder with its journal and the files that belonged to it."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from ..errors import BadConfig, BadPath
from ..fleet.config import load_hall, paths_in
from ..system.disk import sync_folder
from ..system.private import make_folder
from .archive import copy_checked
from .unpacking import is_plain, opened

JOURNAL = "hall.journal"
_LONGEST: Final = 1 << 20
"""Bytes of a hall's file."""


def restore_hall(source: Path, folder: Path) -> dict[str, Any]:
    """Restore into the new `folder`; return what is there, with a "notice" if a person has to do something.

    The journal lies where the hall's file looks for it, if that is in the folder. The folder is made elsewhere and
    moved to its place when it is whole: it is there then, or nothing is. Raises BadPath when there is something in
    `folder` already, and what `archive.restore` does.
    """
    place = folder.absolute()
    with opened(source) as packed:
        try:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise BadPath(f"{folder} is not empty; choose a new folder")
            # Of an empty folder that is there, which may be a whole disk, the content alone is moved.
            there = next(parent for parent in (place, *place.parents) if parent.is_dir())
            with TemporaryDirectory(prefix=".wallwright-", dir=there) as name:
                unpacked = packed.unpack(Path(name).resolve())
                draft = unpacked.folder
                config = next((file for file in unpacked.files if _is_hall(draft / file)), None)
                journal, notices = _placed(draft, config, folder)
                make_folder((draft / journal).parent)
                copy_checked(packed, unpacked.journal, draft / journal)
                _move(draft, place)
        except OSError as error:
            raise BadPath(f"{folder} cannot be written ({error.strerror}); choose another folder") from error
    return {
        "journal": str(folder / journal),
        "entries": packed.manifest.entries,
        "event": packed.manifest.event,
        "files": sorted(unpacked.files),
        "config": None if config is None else str(folder / config),
        "notice": "\n".join(notices),
        "at_ms": packed.manifest.at_ms,
    }


def _move(draft: Path, folder: Path) -> None:
    """Move the restored folder to its place; the folders above it that are missing are made. Raises OSError."""
    moves = [(path, folder / path.name) for path in sorted(draft.iterdir())] if folder.is_dir() else [(draft, folder)]
    made: list[Path] = []
    try:
        for parent in reversed([parent for parent in folder.parents if not parent.is_dir()]):
            make_folder(parent)
            made.append(parent)
        for path, place in moves:
            path.rename(place)
        sync_folder(moves[0][1].parent)
    except BaseException:
        for path, place in moves:
            if not path.exists():
                place.rename(path)
        for parent in reversed(made):
            parent.rmdir()
        raise


def _is_hall(file: Path) -> bool:
    return file.suffix == ".toml" and file.stat().st_size <= _LONGEST and b"[[table]]" in file.read_bytes()


def _placed(draft: Path, config: str | None, folder: Path) -> tuple[Path, list[str]]:
    """Return where in the folder the journal belongs, and what a person has to look at: each path that leads out.

    `draft` is resolved; no path that the hall's file names leads out of it, be it by `..` or a link, unless it is told.
    """
    names = {path.name.casefold() for path in draft.iterdir()}
    spare = JOURNAL
    while not _is_free(Path(spare), names):
        spare = f"restored-{spare}"
    if config is None:
        return Path(spare), []
    file = draft / config
    try:
        named = [(key, value, _inside(draft, value)) for key, value in paths_in(file)]
        outside = [f"{key} = {value!r}" for key, value, inside in named if inside is None and key != "journal"]
        notices = []
        if outside:
            told = ", ".join(outside)
            notices.append(f"{folder / config} names what is not in that folder: {told}; look whether that is yours")
        else:
            load_hall(file)
    except BadConfig as error:
        return Path(spare), [f"{error}; mend that first".replace(str(draft), str(folder))]
    journal = next((inside for key, _, inside in named if key == "journal"), None)
    if journal is not None and _is_free(journal, names):
        return journal, notices
    return Path(spare), [f'{folder / config} names another journal; write journal = "{spare}" in it', *notices]


def _inside(draft: Path, value: str) -> Path | None:
    """Return where in the folder a path leads, None if it leads out of it."""
    try:
        place = (draft / value).resolve()
    except (OSError, RuntimeError, ValueError):
        return None
    return place.relative_to(draft) if place.is_relative_to(draft) else None


def _is_free(journal: Path, names: set[str]) -> bool:
    """Say whether a journal can be there: no file is in its way, or would be taken for a part of it."""
    if not journal.parts or not all(is_plain(part) for part in journal.parts):
        return False
    first = journal.parts[0].casefold()
    return not any(name == first or name.startswith(f"{first}-") for name in names)
