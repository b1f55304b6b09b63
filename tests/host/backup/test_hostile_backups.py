"""Backups that anybody may have made: refused in one sentence, or restored whole; nothing else is made or kept."""

import errno
import io
import json
import os
import random
import shutil
import sqlite3
import stat
import struct
import zipfile
from collections import namedtuple
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.host.backup.hostile import Ran, hall_file, make_backup, members, pack, runner, tree
from tests.host.every_command import HALL_KEY
from tests.length import length
from wallwright.backup.archive import restore
from wallwright.backup.hall import restore_hall
from wallwright.backup.unpacking import opened
from wallwright.errors import EventRefused, WallwrightError
from wallwright.fleet.config import _HallFile
from wallwright.journal import verify_journal

REFUSED = 6


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ran:
    monkeypatch.chdir(tmp_path)
    make_backup(tmp_path, hall_file())
    return runner(monkeypatch, capsys)


def named(content: dict[str, bytes], name: str, data: bytes = b"x") -> dict[str, bytes]:
    """Add a file that the manifest knows, with its sum and its size."""
    manifest = json.loads(content["manifest.json"])
    manifest["files"][name] = sha256(data).hexdigest()
    manifest["sizes"][f"beside/{name}"] = len(data)
    return content | {"manifest.json": json.dumps(manifest).encode(), f"beside/{name}": data}


def of_mode(mode: int) -> Callable[[Path], object]:
    def write(target: Path) -> None:
        content = named(members(target.with_name("one.backup")), "odd", b"/etc/passwd")
        with zipfile.ZipFile(target, "w") as archive:
            for name, data in content.items():
                info = zipfile.ZipInfo(name)
                info.external_attr = (mode if name == "beside/odd" else 0o600) << 16
                archive.writestr(info, data)

    return write


def with_name(name: str) -> Callable[[Path], object]:
    return lambda target: pack(target, named(members(target.with_name("one.backup")), name))


def with_members(*names: str) -> Callable[[Path], object]:
    content = dict.fromkeys(names, b"x")
    return lambda target: pack(target, members(target.with_name("one.backup")) | content)


def by_method(method: int) -> Callable[[Path], object]:
    return lambda target: pack(target, members(target.with_name("one.backup")), method)


def patched(at: bytes, offset: int, data: bytes) -> Callable[[Path], object]:
    """Change bytes in each part of an archive that begins with a mark (APPNOTE 4.3)."""

    def write(target: Path) -> None:
        packed = bytearray(target.with_name("one.backup").read_bytes())
        place = packed.find(at)
        while place >= 0:
            packed[place + offset : place + offset + len(data)] = data
            place = packed.find(at, place + 1)
        target.write_bytes(packed)

    return write


def sized(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], object]:
    def write(target: Path) -> None:
        content = members(target.with_name("one.backup"))
        manifest = json.loads(content["manifest.json"])
        change(manifest["sizes"])
        pack(target, content | {"manifest.json": json.dumps(manifest).encode()})

    return write


def without(name: str) -> Callable[[Path], object]:
    def write(target: Path) -> None:
        content = members(target.with_name("one.backup"))
        del content[name]
        pack(target, content)

    return write


def bomb(target: Path) -> None:
    """The files that the manifest names, of 80 MB that are packed to 80 kB."""
    pack(target, named(members(target.with_name("one.backup")), "big", bytes(80 << 20)))


CENTRAL = b"PK\1\2"
ODD: dict[str, Callable[[Path], object]] = {
    "a link": of_mode(stat.S_IFLNK | 0o777),
    "a device": of_mode(stat.S_IFBLK | 0o600),
    "a pipe": of_mode(stat.S_IFIFO | 0o600),
    "a folder by its mode": of_mode(stat.S_IFDIR | 0o700),
    "a folder": with_members("beside/inner/"),
    "up": with_name("../outside"),
    "up by a backslash": with_name("..\\outside"),
    "absolute": with_name("/outside"),
    "a drive": with_name("C:\\outside"),
    "the folder itself": with_name("."),
    "no name": with_name(""),
    "a name with NUL": with_name("odd\0.toml"),
    "a name with a line end": with_name("odd\n.toml"),
    "a device of Windows": with_name("nul.toml"),
    "a name that ends with a dot": with_name("hall.toml."),
    "a name that is too long": with_name("x" * 256),
    "another case": with_name("HALL.toml"),
    "another form of a letter": lambda target: pack(
        target, named(named(members(target.with_name("one.backup")), "caf\u00e9"), "cafe\u0301")
    ),
    "a member that nobody names": with_members("beside/more"),
    "an absolute member": with_members("/outside"),
    "the journal lacks": without("event.journal"),
    "a file lacks": without("beside/hall.toml"),
    "the manifest lacks": without("manifest.json"),
    "bzip2": by_method(zipfile.ZIP_BZIP2),
    "lzma": by_method(zipfile.ZIP_LZMA),
    "encrypted": patched(CENTRAL, 8, b"\1\0"),
    "a method that nobody knows": patched(CENTRAL, 10, b"\x63\0"),
    "a member that begins far behind": patched(CENTRAL, 42, b"\xf0\xff\xff\x7f"),
    "sizes that are smaller": patched(CENTRAL, 24, struct.pack("<I", 5)),
    "sizes that are larger": patched(CENTRAL, 24, struct.pack("<I", 50 << 20)),
    "other sizes in the manifest": sized(lambda sizes: sizes.update({"event.journal": 5})),
    "a size that lacks": sized(lambda sizes: sizes.pop("beside/hall.toml")),
    "a size that is no number": sized(lambda sizes: sizes.update({"event.journal": "5"})),
    "many members": lambda target: pack(
        target, members(target.with_name("one.backup")) | {f"beside/{number}": b"" for number in range(25_000)}
    ),
    "80 MB of nothing": bomb,
    "no archive": lambda target: target.write_bytes(b"PK\5\6" + bytes(18)),
    "nothing": lambda target: target.write_bytes(b""),
}


@pytest.mark.parametrize("write", ODD.values(), ids=ODD.keys())
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_odd_backup_is_refused_in_words_and_nothing_is_made(
    run: Ran, tmp_path: Path, write: Callable[[Path], object]
) -> None:
    write(tmp_path / "odd.backup")
    before = tree(tmp_path)
    for line in (
        "backup restore odd.backup new/again",
        "backup check odd.backup",
        "event restore b.journal odd.backup",
    ):
        told = run(line, REFUSED)
        assert told.startswith("error: odd.backup is no backup of an event (")
        assert told.endswith("); take another copy\n")
        assert told[:-1].isprintable()
        assert tree(tmp_path) == before


def test_bytes_that_are_changed_are_found_or_change_nothing(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    source, odd = make_backup(tmp_path, hall_file()), tmp_path / "odd.backup"
    data, whole = source.read_bytes(), members(source)
    directory = data.find(CENTRAL)
    for number in range(length(150, 40_000)):
        changed = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(directory if rng.random() < 0.7 else 0, len(data))
            changed[place] = rng.choice((0, 255, rng.randrange(256)))
        if rng.random() < 0.2:
            del changed[rng.randrange(len(changed)) :]
        odd.write_bytes(changed)
        folder = tmp_path / str(number)
        folder.mkdir()
        told = f"{odd} is unpacked; take another copy"
        try:
            with opened(odd) as packed:
                unpacked = packed.unpack(folder)
        except EventRefused as error:
            told = str(error)
        else:
            found = {name: path.read_bytes() for name, path in unpacked.files.items()}
            assert found == {"hall.toml": whole["beside/hall.toml"]}, seed
            assert unpacked.journal.read_bytes() == whole["event.journal"], seed
        assert told.startswith(f"{odd} is "), seed
        assert told.endswith("; take another copy"), seed
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("journal", "beside", "kept"),
    [
        ("day.journal", "day.journal-wal", "hall.journal"),
        ("DAY.journal", "day.journal-shm", "hall.journal"),
        ("day.journal", "day.journal", "hall.journal"),
        ("day.journal", "hall.journal", "day.journal"),
        ("hall.journal", "hall.journal-wal", "restored-hall.journal"),
        ("hall.toml/day.journal", "other", "hall.journal"),
        ("other/day.journal", "other", "hall.journal"),
        ("x" * 300, "other", "hall.journal"),
        ("nul.journal", "other", "hall.journal"),
    ],
)
def test_no_file_of_a_backup_is_taken_for_a_part_of_its_journal(
    run: Ran, tmp_path: Path, journal: str, beside: str, kept: str
) -> None:
    make_here = tmp_path / "made"
    make_here.mkdir()
    pack(tmp_path / "odd.backup", named(members(make_backup(make_here, hall_file(journal=journal))), beside))
    told = run("backup restore odd.backup again")
    assert verify_journal(tmp_path / "again" / kept).is_whole
    assert (tmp_path / "again" / beside).read_bytes() == b"x"
    assert (f'write journal = "{kept}" in it' in told) == (kept != journal)


def path_keys() -> list[str]:
    """The keys of a hall's file that are said to take a path."""
    return [key for key, field in _HallFile.model_fields.items() if "path" in (field.description or "")]


@pytest.mark.parametrize("key", path_keys())
@pytest.mark.parametrize("value", ["../outside/file", "/outside/file", "inner/../../file", "://../../file"])
def test_each_path_that_leads_out_of_the_folder_is_told(run: Ran, tmp_path: Path, key: str, value: str) -> None:
    season = {"report_to": "https://s.example", "season_key": HALL_KEY} if key == "season_certificate" else {}
    kind = str(_HallFile.model_fields[key].annotation)
    (tmp_path / "made").mkdir()
    hall = hall_file(**{key: [value] if kind.startswith("tuple") else value}, **season)
    pack(tmp_path / "odd.backup", members(make_backup(tmp_path / "made", hall)))
    before = tree(tmp_path)
    told = run("backup restore odd.backup new/again")
    assert {name for name in set(tree(tmp_path)) - set(before) if not name.startswith("new")} == set()
    if key == "journal":
        assert 'names another journal; write journal = "hall.journal" in it' in told
    else:
        assert f"new/again/hall.toml names what is not in that folder: {key} = {value!r}" in told


def test_a_backup_that_the_disk_has_no_room_for_is_not_begun(
    run: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    before = tree(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(1 << 40, 0, 30 << 20))
    for line, code in (
        ("backup restore one.backup new/again", 2),
        ("backup check one.backup", 2),
        ("event restore b.journal one.backup", 2),
    ):
        told = run(line, code)
        assert "64 MB are needed there, and 30 MB are free" in told
        assert tree(tmp_path) == before


def test_of_two_files_of_one_name_no_backup_is_made(run: Ran, tmp_path: Path) -> None:
    (tmp_path / "HALL.toml").write_text("")
    (tmp_path / "stick").mkdir()
    told = run("backup make day.journal stick --with hall.toml --with HALL.toml", 2)
    assert "called 'hall.toml', or two of that name" in told
    assert tree(tmp_path / "stick") == {}


@pytest.mark.parametrize("trouble", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()])
@pytest.mark.parametrize("is_there", [False, True])
def test_wherever_a_restore_fails_it_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: BaseException, is_there: bool, seed: int
) -> None:
    """Each call that opens, makes or moves something fails once, as on a disk that is full or at Ctrl-C."""
    source = make_backup(tmp_path, hall_file())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = [-1]

    def fails_once(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **more: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                raise trouble
            return call(*given, **more)

        return counted

    for module, name in (
        (io, "open"), (os, "mkdir"), (os, "rename"), (os, "link"), (os, "replace"), (os, "fsync"), (sqlite3, "connect"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, fails_once(getattr(module, name)))
    if is_there:
        (tmp_path / "again").mkdir()
    for act, made in (
        (lambda: restore_hall(source, tmp_path / "again"), tmp_path / "again"),
        (lambda: restore(source, str(tmp_path / "b.journal")), tmp_path / "b.journal"),
    ):
        before, left[0] = tree(tmp_path), 0
        act()
        calls = -left[0]
        assert tree(tmp_path) != before
        shutil.rmtree(made) if made.is_dir() else made.unlink()
        if is_there:
            (tmp_path / "again").mkdir(exist_ok=True)
        assert calls > 10
        for number in sorted(random.Random(seed).sample(range(1, calls + 1), length(min(calls, 8), calls))):
            left[0] = number
            with suppress(WallwrightError, OSError, KeyboardInterrupt):
                act()
                # A temporary folder that cannot be is made elsewhere.
                shutil.rmtree(made) if made.is_dir() else made.unlink()
                if is_there:
                    (tmp_path / "again").mkdir(exist_ok=True)
            left[0] = -1
            assert tree(tmp_path) == before, (seed, number)
