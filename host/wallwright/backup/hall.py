"""Brings a whole hall back from a backup: a new folder with its journal and the files that belonged to it."""

from pathlib import Path
from typing import Any

from ..errors import BadConfig, BadPath
from ..fleet.config import load_hall
from ..system.disk import write_new
from .archive import restore, unpack

JOURNAL = "hall.journal"


def restore_hall(source: Path, folder: Path) -> dict[str, Any]:
    """Restore into the new `folder`; return what is there, with a "notice" if a person has to do something.

    The journal lies where the hall's file looks for it, if that is in the folder. Raises BadPath when there is
    something in `folder` already, and what `restore` does; what was restored by then stays.
    """
    manifest, _, files = unpack(source)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise BadPath(f"{folder} is not empty; choose a new folder")
        for name, data in files.items():
            write_new(folder / name, data)
    except OSError as error:
        raise BadPath(f"{folder} cannot be written ({error.strerror}); choose another folder") from error
    config = next((folder / name for name in files if name.endswith(".toml") and _is_hall(files[name])), None)
    journal, notice = folder / JOURNAL, ""
    if config is not None:
        journal, notice = _journal_of(config, journal)
    journal.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    restore(source, str(journal))
    return {
        "journal": str(journal),
        "entries": manifest["entries"],
        "event": manifest.get("event"),
        "files": sorted(files),
        "config": None if config is None else str(config),
        "notice": notice,
        "at_ms": manifest.get("at_ms"),
    }


def _is_hall(data: bytes) -> bool:
    return b"[[table]]" in data


def _journal_of(config: Path, otherwise: Path) -> tuple[Path, str]:
    try:
        named = load_hall(config).journal
    except BadConfig as error:
        return otherwise, f"{error}; mend that first"
    if isinstance(named, Path) and named.absolute().is_relative_to(config.parent.absolute()):
        return named, ""
    return otherwise, f'{config} names another journal; write journal = "{otherwise.name}" in it'
