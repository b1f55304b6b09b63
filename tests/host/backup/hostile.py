"""A small backup of a hall, changed in whatever way: what somebody may hand over who means no good."""

import json
import shlex
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.host.fleet.served import config_text
from wallwright import cli
from wallwright.backup.archive import back_up
from wallwright.journal import Journal

TABLE = 'name = "A1"\nusb_serial = "X1"'
Ran = Callable[..., str]


def hall_file(**keys: Any) -> str:
    """Return a hall's file with further keys."""
    journal = keys.pop("journal", "inner/day.journal")
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in keys.items()]
    return "".join(lines) + config_text(journal, [TABLE])


def make_backup(folder: Path, hall: str, *more: Path) -> Path:
    """Make a backup of a journal with three entries, a hall's file, and `more` files."""
    (folder / "hall.toml").write_text(hall)
    with Journal(folder / "day.journal") as journal:
        for number in range(3):
            journal.append("note", {"text": f"note {number}"}, at_ms=number)
    back_up(str(folder / "day.journal"), folder / "one.backup", (folder / "hall.toml", *more))
    return folder / "one.backup"


def members(source: Path) -> dict[str, bytes]:
    """Return what is in a backup."""
    with zipfile.ZipFile(source) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(target: Path, content: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> None:
    """Write an archive; a name that no archive takes is written nevertheless."""
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in content.items():
            archive.writestr(name, data)


def tree(folder: Path) -> dict[str, bytes | None]:
    """Return all that is below a folder, with the bytes of files."""
    found = folder.rglob("*")
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in found}


def runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ran:
    """Return what runs the program and returns what it prints, the standard error when it ends with another `code`."""

    def run(line: str, code: int = 0) -> str:
        monkeypatch.setattr("sys.argv", ["wallwright", *shlex.split(line)])
        capsys.readouterr()
        try:
            cli.main()
            ended = 0
        except SystemExit as error:
            ended = int(error.code or 0)
        printed = capsys.readouterr()
        assert ended == code, printed
        return printed.err if code else printed.out

    return run
