"""Brings a whole hall back from a backup: a new folder with its journal and the files that belonged to it."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import BadConfig, BadPath
from ..fleet.config import load_hall
from ..system.disk import sync_folder, write_new
from .archive import restore, unpack

JOURNAL = "hall.journal"


def restore_hall(source: Path, folder: Path) -> dict[str, Any]:
    """Restore into the new `folder`; return what is there, with a "notice" if a person has to do something.

    The journal lies where the hall's file looks for it, if that is in the folder. The folder is made elsewhere and
    moved to its place when it is whole: it is there then, or nothing is. Raises BadPath when there is something in
    `folder` already, and what `restore` does.
    """
    manifest, _, files = unpack(source)
    place = folder.absolute()
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadPath(f"{folder} is not empty; choose a new folder")
        # Of an empty folder that is there, which may be a whole disk, the content alone is moved.
        there = next(parent for parent in (place, *place.parents) if parent.is_dir())
        with TemporaryDirectory(prefix=".wallwright-", dir=there) as name:
            draft = Path(name).resolve() / place.name
            draft.mkdir(mode=0o700)
            for file, data in files.items():
                write_new(draft / file, data)
            config = next((file for file, data in files.items() if file.endswith(".toml") and _is_hall(data)), None)
            journal, notice = (JOURNAL, "") if config is None else _journal_of(draft, config, folder)
            (draft / journal).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            restore(source, str(draft / journal))
            _move(draft, place)
    except OSError as error:
        raise BadPath(f"{folder} cannot be written ({error.strerror}); choose another folder") from error
    return {
        "journal": str(folder / journal),
        "entries": manifest["entries"],
        "event": manifest["event"],
        "files": sorted(files),
        "config": None if config is None else str(folder / config),
        "notice": notice,
        "at_ms": manifest["at_ms"],
    }


def _move(draft: Path, folder: Path) -> None:
    """Move the restored folder to its place; the folders above it that are missing are made. Raises OSError."""
    moves = [(path, folder / path.name) for path in sorted(draft.iterdir())] if folder.is_dir() else [(draft, folder)]
    made: list[Path] = []
    try:
        for parent in reversed([parent for parent in folder.parents if not parent.is_dir()]):
            parent.mkdir(mode=0o700)
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


def _is_hall(data: bytes) -> bool:
    return b"[[table]]" in data


def _journal_of(draft: Path, config: str, folder: Path) -> tuple[str, str]:
    """Return where in the folder the journal belongs, and a notice if that is not where the hall's file looks.

    `draft` is resolved; no path that the file names leads out of it, be it by `..` or a link.
    """
    file = draft / config
    try:
        named = load_hall(file).journal
    except BadConfig as error:
        return JOURNAL, f"{error}; mend that first".replace(str(draft), str(folder))
    place = named.resolve() if isinstance(named, Path) else None
    if place is not None and place.is_relative_to(draft) and not place.exists():
        return str(place.relative_to(draft)), ""
    return JOURNAL, f'{folder / config} names another journal; write journal = "{JOURNAL}" in it'
