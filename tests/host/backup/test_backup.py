"""`wallwright backup`: what is made comes back the same, what would not is no backup, and a failure leaves nothing."""

import errno
import json
import random
import shlex
import tempfile
import zipfile
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.host.event.test_event_cli import playing, run  # noqa: F401 (fixtures)
from tests.host.fleet.served import config_text
from tests.host.postgresql import Server
from wallwright import cli
from wallwright.backup import archive
from wallwright.backup.kept import DAYS, HOURS, NEWEST, Kept, to_keep
from wallwright.console.people.accounts import Accounts
from wallwright.event.store import read_event
from wallwright.fleet import load_hall
from wallwright.journal import Journal, read_journal, verify_journal

MINUTE = timedelta(minutes=1)


class Said:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err


@pytest.fixture
def backup(playing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # noqa: F811
    """Runs `wallwright backup` beside an event with a result; there is a folder "stick"."""
    playing("result day.journal 1 1 --declared deal.json --yes")
    (tmp_path / "stick").mkdir()
    monkeypatch.chdir(tmp_path)

    def run_line(line: str, code: int = 0) -> Said:
        monkeypatch.setattr("sys.argv", ["wallwright", "backup", *shlex.split(line)])
        capsys.readouterr()
        try:
            cli.main()
            ended = 0
        except SystemExit as error:
            ended = int(error.code or 0)
        printed = capsys.readouterr()
        assert ended == code, printed
        return Said(ended, printed.out, printed.err)

    return run_line


def made(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_a_hall_comes_back_with_its_journal_file_and_accounts(backup, tmp_path: Path) -> None:
    (tmp_path / "hall.toml").write_text(config_text("day.journal", ['name = "A1"\nusb_serial = "X1"']))
    accounts = Accounts(tmp_path / "hall.users")
    accounts.open("ann", "director", 1)
    said = json.loads(backup("make day.journal stick --with hall.toml --with hall.users --json").out)
    (file,) = made(tmp_path / "stick")
    assert (said["file"], set(said["files"])) == (f"stick/{file.name}", {"hall.toml", "hall.users"})
    accounts.close()
    told = backup(f"restore stick/{file.name} again").out
    assert "wallwright serve --config again/hall.toml" in told
    hall = load_hall(tmp_path / "again" / "hall.toml")
    assert hall.journal == tmp_path / "again" / "day.journal"
    assert verify_journal(hall.journal).is_whole
    one, other = read_event(str(tmp_path / "day.journal")), read_event(str(hall.journal))
    assert (one.format, one.sessions) == (other.format, other.sessions)
    back = Accounts(tmp_path / "again" / "hall.users")
    assert [person.name for person in back.people()] == ["ann"]
    back.close()
    assert "is not empty" in backup(f"restore stick/{file.name} again", 2).err


def test_a_journal_on_a_server_is_backed_up_too(backup, tmp_path: Path, postgresql: Server) -> None:
    url = postgresql.schema()
    backup("make day.journal stick")
    archive.restore(made(tmp_path / "stick")[0], url)
    (tmp_path / "other").mkdir()
    said = json.loads(backup(f"make '{url}' other --json").out)
    assert said["event"] == "Chengdu Grand-Prix"
    backup(f"restore {said['file']} again")
    assert read_event(str(tmp_path / "again" / "hall.journal")).sessions == read_event(url).sessions


def test_a_journal_elsewhere_is_said(backup, tmp_path: Path) -> None:
    (tmp_path / "hall.toml").write_text(config_text("/media/disk/hall.journal", ['name = "A1"\nusb_serial = "X1"']))
    backup("make day.journal stick --with hall.toml")
    told = backup(f"restore {made(tmp_path / 'stick')[0]} again").out
    assert 'write journal = "hall.journal" in it' in told
    assert verify_journal(tmp_path / "again" / "hall.journal").is_whole


def test_a_backup_of_other_standings_or_a_changed_one_is_found(backup, playing, tmp_path: Path) -> None:  # noqa: F811
    backup("make day.journal stick")
    (file,) = made(tmp_path / "stick")
    assert "the standings are the same" in backup(f"check {file} --against day.journal").out
    with Journal(tmp_path / "day.journal") as journal:
        journal.append("note", {}, at_ms=1)
    backup(f"check {file} --against day.journal")
    backup(f"restore {file} other")
    playing("new third.journal")
    assert "its standings are others" in backup(f"check {file} --against third.journal", 6).err
    with zipfile.ZipFile(file) as packed:
        content = {name: packed.read(name) for name in packed.namelist()}
    manifest: dict[str, Any] = json.loads(content["manifest.json"])
    manifest["entries"] -= 1
    for changed in ({"manifest.json": json.dumps(manifest).encode()}, {"manifest.json": b"[]"}, {"event.journal": b""}):
        with zipfile.ZipFile(tmp_path / "changed.backup", "w") as packed:
            for name, data in {**content, **changed}.items():
                packed.writestr(name, data)
        assert backup("check changed.backup", 6).err.startswith("error: changed.backup")


def test_names_that_lead_out_of_the_folder_are_refused(backup, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    archive.back_up("day.journal", tmp_path / "one.backup", (tmp_path / "file",))
    with zipfile.ZipFile(tmp_path / "one.backup") as packed:
        content = {name: packed.read(name) for name in packed.namelist()}
    manifest = json.loads(content["manifest.json"])
    manifest["files"] = {"../outside": manifest["files"]["file"]}
    with zipfile.ZipFile(tmp_path / "one.backup", "w") as packed:
        packed.writestr("manifest.json", json.dumps(manifest))
        packed.writestr("event.journal", content["event.journal"])
        packed.writestr("beside/../outside", b"x")
    backup("restore one.backup inner/again", 6)
    assert list(tmp_path.rglob("outside")) == []


def packed(source: Path, target: Path, changed: dict[str, bytes]) -> None:
    """Write another backup with files changed or added."""
    with zipfile.ZipFile(source) as old:
        content = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(target, "w") as new:
        for name, data in (content | changed).items():
            new.writestr(name, data)


def all_names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize(
    ("journal", "kept"),
    [
        ("../outside/evil.journal", "hall.journal"),
        ("inner/../../outside/evil.journal", "hall.journal"),
        ("/outside/evil.journal", "hall.journal"),
        (".", "hall.journal"),
        ("hall.toml", "hall.journal"),
        ("inner/../day.journal", "day.journal"),
        ("inner/day.journal", "inner/day.journal"),
    ],
)
def test_no_journal_leaves_the_restored_folder(backup, tmp_path: Path, journal: str, kept: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "hall.toml").write_text(config_text(journal, ['name = "A1"\nusb_serial = "X1"']))
    archive.back_up("day.journal", tmp_path / "one.backup", (tmp_path / "hall.toml",))
    before = all_names(tmp_path)
    told = backup("restore one.backup new/again").out
    assert verify_journal(tmp_path / "new" / "again" / kept).is_whole
    assert ('write journal = "hall.journal" in it' in told) == (kept == "hall.journal")
    made_now = {name for name in all_names(tmp_path) - before if name != "new" and not name.startswith("new/again")}
    assert made_now == set(), "and nothing else is made"


def test_an_empty_folder_that_is_there_is_filled(backup, tmp_path: Path) -> None:
    archive.back_up("day.journal", tmp_path / "one.backup")
    (tmp_path / "again").mkdir()
    number = (tmp_path / "again").stat().st_ino
    backup("restore one.backup again")
    assert all_names(tmp_path / "again") == {"hall.journal"}
    assert (tmp_path / "again").stat().st_ino == number, "which may be a whole disk"


LACKING = object()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("files", 5),
        ("files", ["hall.toml"]),
        ("files", {"hall.toml": 7}),
        ("entries", LACKING),
        ("entries", "7"),
        ("entries", True),
        ("entries", -1),
        ("hash", LACKING),
        ("hash", None),
        ("hash", "ab"),
        ("sha256", LACKING),
        ("sha256", []),
        ("event", 5),
        ("at_ms", "noon"),
        ("at_ms", -1),
        ("at_ms", 10**18),
        ("at_ms", 1.5),
        ("format", 1),
    ],
)
def test_a_manifest_of_another_form_is_refused_in_words(backup, tmp_path: Path, field: str, value: object) -> None:
    archive.back_up("day.journal", tmp_path / "one.backup")
    with zipfile.ZipFile(tmp_path / "one.backup") as old:
        manifest = json.loads(old.read("manifest.json"))
    manifest = {name: held for name, held in {**manifest, field: value}.items() if held is not LACKING}
    packed(tmp_path / "one.backup", tmp_path / "odd.backup", {"manifest.json": json.dumps(manifest).encode()})
    before = all_names(tmp_path)
    for line in ("restore odd.backup new/again", "check odd.backup"):
        told = backup(line, 6).err
        assert told.startswith("error: odd.backup is no backup of an event (")
        assert f'"{field}"' in told
    assert all_names(tmp_path) == before


def test_a_backup_that_ends_otherwise_than_it_says_is_not_restored(backup, tmp_path: Path) -> None:
    archive.back_up("day.journal", tmp_path / "one.backup")
    with zipfile.ZipFile(tmp_path / "one.backup") as old:
        manifest = json.loads(old.read("manifest.json"))
    for field, value in (("entries", manifest["entries"] + 1), ("hash", "00" * 32)):
        changed = json.dumps({**manifest, field: value}).encode()
        packed(tmp_path / "one.backup", tmp_path / "odd.backup", {"manifest.json": changed})
        before = all_names(tmp_path)
        for line in ("restore odd.backup new/again", "check odd.backup"):
            assert "its journal ends with another entry than it says" in backup(line, 6).err
        assert all_names(tmp_path) == before


def test_a_file_that_is_in_a_backup_twice_is_refused(backup, tmp_path: Path) -> None:
    archive.back_up("day.journal", tmp_path / "one.backup")
    with zipfile.ZipFile(tmp_path / "one.backup", "a") as file:
        file.writestr("EVENT.journal", b"x")
    assert "it has a file twice" in backup("restore one.backup again", 6).err


def test_what_does_not_come_out_the_same_is_no_backup(backup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep = archive._keep

    def spoil(draft: Path, target: Path) -> None:
        data = bytearray(draft.read_bytes())
        data[len(data) // 2] ^= 1
        draft.write_bytes(data)
        keep(draft, target)

    monkeypatch.setattr(archive, "_keep", spoil)
    backup("make day.journal stick --thin", 6)
    assert made(tmp_path / "stick") == []


@pytest.mark.parametrize("trouble", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_what_is_broken_off_leaves_nothing(
    backup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: BaseException
) -> None:
    def write(*_: object) -> None:
        raise trouble

    monkeypatch.setattr(zipfile.ZipFile, "writestr", write)
    said = backup("make day.journal stick", 130 if isinstance(trouble, KeyboardInterrupt) else 2)
    assert made(tmp_path / "stick") == []
    assert isinstance(trouble, KeyboardInterrupt) or "No space left on device" in said.err
    backup("make day.journal no-such-folder", 2)
    backup("make no.journal stick", 5)


def test_old_ones_are_thinned_and_nothing_else(tmp_path: Path) -> None:
    kept = Kept(tmp_path, "hall")
    now_ms = 1_795_000_000_000
    for number in range(20):
        kept.path(now_ms + 600_000 * number).touch()
    others = [tmp_path / "mine.backup", tmp_path / "hall-2.backup", tmp_path / "hall2-20261122T000000Z.backup"]
    for path in others:
        path.touch()
    gone = kept.thin()
    assert len(made(tmp_path)) == len(others) + 20 - len(gone)
    assert all(path.exists() for path in others)
    assert kept.newest_ms() == now_ms + 600_000 * 19
    assert kept.thin() == ()


def test_newest_hours_and_days_stay(seed: int) -> None:
    rng = random.Random(seed)
    moment = datetime(2026, 11, 22, tzinfo=UTC)
    times = []
    for _ in range(2000):
        moment += MINUTE * rng.randint(1, 90)
        times.append(moment)
    kept = to_keep(times)
    assert kept <= set(times)
    assert set(times[-NEWEST:]) <= kept
    for form, span in (("%Y%m%d%H", timedelta(hours=HOURS)), ("%Y%m%d", timedelta(days=DAYS))):
        recent = [one for one in times if one > times[-1] - span]
        last = {one.strftime(form): one for one in recent}
        assert set(last.values()) <= kept
    assert len(kept) <= NEWEST + HOURS + 1 + DAYS + 1
    per_day = Counter(one.date() for one in kept if one < times[-1] - timedelta(days=2))
    assert set(per_day.values()) == {1}
    assert to_keep(times) == to_keep(reversed(times))


def test_where_no_temporary_file_can_be_a_backup_goes_to_its_stick_and_comes_back(
    backup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk of the laptop is full, and with it the folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "full"))
    backup("make day.journal stick")
    (file,) = made(tmp_path / "stick")
    backup(f"check {file} --against day.journal")
    backup(f"restore {file} again")
    assert list(read_journal(tmp_path / "again" / "hall.journal")) == list(read_journal(tmp_path / "day.journal"))
    assert made(tmp_path / "stick") == [file]
