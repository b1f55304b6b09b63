"""`wallwright log verify` of a journal that is whole: of what, and who knows of more or of something else."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.host.journal.conftest import Answer, Log, tamper
from wallwright.backup.archive import back_up
from wallwright.event.format import format_record
from wallwright.event.format_file import load_format
from wallwright.journal import Journal, copy_journal

MORE = 7
WAL = "hall.journal-wal"
HALL = 'journal = "hall.journal"\nwitnesses = ["away/some"]\nbackup = "stick"\n[[table]]\nname = "A1"\nport = "COM5"\n'


def begin(path: Path, name: str = "Open", entries: int = 3) -> Path:
    """Begin an event with so many entries in all."""
    with Journal(path) as journal:
        kept = format_record(load_format("chengdu-grand-prix")) | {"name": name}
        journal.append("event_created", {"format": kept, "by": "x"}, at_ms=1_764_320_000_000)
        go_on(journal, entries - 1)
    return path


def go_on(journal: Journal, entries: int) -> None:
    for number in range(entries):
        journal.append("deal", {"n": number}, at_ms=1_764_320_060_000)


def killed(path: Path, entries: int) -> None:
    """Add entries as a writer does that is killed: they are in the write-ahead file alone."""
    with Journal(path) as journal:
        go_on(journal, entries)
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{path}{suffix}", f"{path}{suffix}.kept")
    for suffix in ("", "-wal"):
        Path(f"{path}{suffix}.kept").rename(f"{path}{suffix}")


def put_over(source: Path, target: Path) -> None:
    """Copy a file over another, some time after anything was written there."""
    shutil.copyfile(source, target)
    newest = max(path.stat().st_mtime_ns for path in target.parent.iterdir())
    os.utime(target, ns=(newest + 10**9, newest + 10**9))


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return begin(tmp_path / "hall.journal")


def warnings(answer: Answer) -> list[str]:
    return [line for line in answer.out.splitlines() if line.startswith("WARNING")]


def test_it_says_of_what_how_many_from_when_to_when_and_by_whom(log: Log, journal: Path) -> None:
    assert log("checkpoint", journal).code == 0
    key = json.loads(log("keys", "--json").out)
    answer = log("verify", journal)
    assert (answer.code, warnings(answer)) == (0, [])
    assert "4 entries all as they were written" in answer.out
    assert "event Open; from 2025-11-28 08:53:20.000 UTC to " in answer.out
    assert f"signed up to 3 by key {key['printed']}" in answer.out
    record = json.loads(log("verify", journal, "--json").out)
    assert (record["title"], record["first_ms"], record["warnings"]) == ("event Open", 1_764_320_000_000, [])


def test_a_journal_without_an_event_says_so(log: Log, tmp_path: Path) -> None:
    with Journal(tmp_path / "hall.journal") as journal:
        go_on(journal, 1)
    assert "no event or season was begun in it" in log("verify", tmp_path / "hall.journal").out


def test_what_a_killed_writer_has_left_is_whole_and_where_it_is_is_said(log: Log, journal: Path) -> None:
    killed(journal, 5)
    answer = log("verify", journal)
    assert (answer.code, warnings(answer)) == (0, [])
    assert "8 entries all as they were written" in answer.out
    assert f"entries 4 to 8 are in {WAL} alone: copy both files" in answer.out


def test_an_older_file_over_a_newer_one_whose_log_is_there_is_no_silent_matter(
    log: Log, journal: Path, tmp_path: Path
) -> None:
    older = tmp_path / "older"
    shutil.copyfile(journal, older)
    killed(journal, 5)
    put_over(older, journal)
    answer = log("verify", journal)
    assert answer.code == MORE
    (told,) = warnings(answer)
    assert f"hall.journal was written after {WAL}, and by itself ends with entry 3; with {WAL} it has 8" in told
    assert json.loads(log("verify", journal, "--json").out)["warnings"] == [told.removeprefix("WARNING: ")]


@pytest.mark.parametrize("how", ["by the hall's file", "beside it", "by name", "by its folder", "a copy"])
def test_an_older_file_over_a_newer_one_is_known_by_a_backup(log: Log, journal: Path, tmp_path: Path, how: str) -> None:
    older = tmp_path / "older"
    shutil.copyfile(journal, older)
    with Journal(journal) as newer:
        go_on(newer, 5)
    stick = tmp_path / "stick"
    stick.mkdir()
    kept = (tmp_path if how == "beside it" else stick) / "hall-20251128T090000Z.backup"
    if how == "a copy":
        kept = stick / "copy"
        copy_journal(journal, kept)
    else:
        back_up(str(journal), kept)
    if how == "by the hall's file":
        (tmp_path / "hall.toml").write_text(HALL)
    named = {"by name": ["--against", kept], "by its folder": ["--against", stick], "a copy": ["--against", kept]}
    answer = log("verify", journal, *named.get(how, []))
    assert (answer.code, warnings(answer)) == (0, [])
    put_over(older, journal)
    # A copy under the name of another: this process knows the journal that it has read.
    answer = log("verify", journal, *named.get(how, []))
    assert answer.code == MORE
    (told,) = warnings(answer)
    assert f"{kept} knows of 8 entries, 5 more than are here" in told
    assert "3 entries all as they were written" in answer.out


@pytest.mark.parametrize("how", ["by the hall's file", "beside it"])
def test_an_older_file_over_a_newer_one_is_known_by_a_witness(
    log: Log, journal: Path, tmp_path: Path, how: str
) -> None:
    older = tmp_path / "older"
    shutil.copyfile(journal, older)
    file = tmp_path / ("some.witness" if how == "beside it" else "away/some.witness")
    file.parent.mkdir(exist_ok=True)
    (tmp_path / "hall.toml").write_text(HALL.replace("some", "some.witness"))
    assert log("witness", journal, file).code == 0
    with Journal(journal) as newer:
        go_on(newer, 5)
    assert log("witness", journal, file).code == 0
    assert log("verify", journal).code == 0
    put_over(older, journal)
    answer = log("verify", journal)
    assert answer.code == MORE
    assert any(f"{file} knows of 8 entries, 5 more than are here" in told for told in warnings(answer))


def test_another_event_s_file_under_the_name_is_known_by_backup_and_witness(
    log: Log, journal: Path, tmp_path: Path
) -> None:
    (tmp_path / "stick").mkdir()
    (tmp_path / "away").mkdir()
    (tmp_path / "hall.toml").write_text(HALL.replace("some", "some.witness"))
    back_up(str(journal), tmp_path / "stick" / "hall-20251128T090000Z.backup")
    assert log("witness", journal, tmp_path / "away" / "some.witness").code == 0
    assert log("verify", journal).code == 0
    put_over(begin(tmp_path / "other", "Club evening", entries=9), journal)
    answer = log("verify", journal)
    assert answer.code == MORE
    assert "event Club evening" in answer.out
    assert len(warnings(answer)) == 2
    assert all(
        "knows of other entries: the 3 that it knows are not those that are here" in one for one in warnings(answer)
    )


def test_what_belongs_to_another_journal_beside_it_is_passed_over(log: Log, journal: Path, tmp_path: Path) -> None:
    other = begin(tmp_path / "club.journal", "Club evening", entries=9)
    back_up(str(other), tmp_path / "club.backup")
    assert log("witness", other, tmp_path / "club.witness").code == 0
    answer = log("verify", journal)
    assert (answer.code, warnings(answer)) == (0, [])


def test_a_log_of_another_database_is_found(log: Log, journal: Path, tmp_path: Path) -> None:
    other = begin(tmp_path / "other", "Club evening", entries=5)
    killed(other, 6)
    shutil.copyfile(f"{other}-wal", f"{journal}-wal")
    answer = log("verify", journal)
    assert answer.code in (1, MORE)
    assert any(f"hall.journal without {WAL} knows of other entries" in told for told in warnings(answer))


@pytest.fixture
def spoiled(journal: Path) -> Path:
    """A journal whose newest entries are in a write-ahead file with another salt in its header."""
    killed(journal, 5)
    wal = journal.with_name(WAL)
    data = bytearray(wal.read_bytes())
    data[16] ^= 1
    wal.write_bytes(data)
    return journal


def test_a_log_that_is_not_read_and_has_more_is_found(log: Log, spoiled: Path) -> None:
    answer = log("verify", spoiled)
    assert answer.code == MORE
    assert "3 entries all as they were written" in answer.out
    (told,) = warnings(answer)
    assert f"what stands in {WAL} and is not read knows of 8 entries, 5 more than are here" in told


def test_entries_that_were_cut_off_are_known_by_a_backup(log: Log, journal: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.backup"
    back_up(str(journal), kept)
    cut = Path(shutil.copyfile(journal, tmp_path / "cut.journal"))
    tamper(str(cut), ("DELETE FROM entries WHERE id > 1", ()))
    answer = log("verify", cut)
    assert answer.code == MORE
    assert any(f"{kept} knows of 3 entries, 2 more than are here" in told for told in warnings(answer))


def test_what_cannot_be_read_is_said_and_not_passed_over(log: Log, journal: Path, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    (tmp_path / "hall.toml").write_text(HALL)
    kept = tmp_path / "stick" / "hall-20251128T090000Z.backup"
    kept.write_bytes(b"PK")
    answer = log("verify", journal)
    assert (answer.code, len(warnings(answer))) == (MORE, 1)
    assert f"{kept}: what it knows cannot be read" in answer.out
    answer = log("verify", journal, "--against", kept)
    assert (answer.code, answer.error.count("\n")) == (2, 1)
