"""What a program has checked of a long journal is kept for the next one, and never believed more than the journal."""

import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.host.journal.conftest import stored, tamper
from tests.host.journal.test_chain import chained, replace_all
from tests.length import length
from wallwright.errors import JournalDamaged
from wallwright.journal import Entry, Journal, copy_journal, key_path, read_journal, verify_journal
from wallwright.journal import known as known_module
from wallwright.journal import noted as noted_module
from wallwright.journal import rows as rows_module
from wallwright.journal.addresses import find_place
from wallwright.journal.entry import row_texts
from wallwright.journal.known import known_of
from wallwright.journal.reader import UnitReader
from wallwright.link.reports import Event

ENTRIES = 40
KINDS = ("deal_result", "note", "deal_result")
"""A kind that is named twice is read once."""


@pytest.fixture(autouse=True)
def long_journals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a journal of 40 entries be a long one, whose note has parts of 7."""
    monkeypatch.setattr(known_module, "LONG", 10)
    monkeypatch.setattr(noted_module, "EVERY", 5)
    monkeypatch.setattr(noted_module, "PART", 7)


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the entries that readers have hashed."""
    numbers: list[int] = []

    def counted(rows: Iterable[Any]) -> Iterator[bytes]:
        found = list(rows)
        numbers.extend(row[0] for row in found)
        return row_texts(found)

    monkeypatch.setattr(rows_module, "row_texts", counted)
    return numbers


def write(place: str, entries: int = ENTRIES, *, other: int = 0) -> None:
    """A journal of results, notes and events of two tables, with its note."""
    with Journal(place) as journal:
        first = len(list(journal.entries())) + 1
        for number in range(first, first + entries):
            if number % 5 == 0:
                journal.append("deal_result", {"deal": number, "points": [other, 0, 0, 0]}, at_ms=number, unit="T-1")
            elif number % 7 == 0:
                journal.append("note", {"text": str(number)}, at_ms=number)
            else:
                journal.append_event(f"T-{number % 2}", Event(number, 7, 1, "side_done", {}), at_ms=number)
        journal.checkpoint(at_ms=99)
    another_program(place)
    list(read_journal(place))
    another_program(place)


def another_program(place: str) -> None:
    """Forget what this process has read, as a program does that has just been started."""
    known_of(find_place(place)).forget()


def note_of(place: str) -> Path:
    path = find_place(place).noted
    assert path is not None
    return path


def answers(place: str) -> object:
    """What readers say as another program: entries of some kinds, of a table, the newest events, or what is wrong."""
    another_program(place)
    try:
        return (
            [entry.values() for entry in read_journal(place, kinds=KINDS)],
            [entry.values() for entry in read_journal(place, 13, kinds=("side_done",))],
            [entry.id for entry in UnitReader(place).read("T-1", 7, 11, 23)],
            UnitReader(place).newest(),
        )
    except JournalDamaged as error:
        return str(error)


def without_note(place: str) -> object:
    note_of(place).unlink(missing_ok=True)
    found = answers(place)
    note_of(place).unlink(missing_ok=True)
    return found


def test_the_next_program_reads_what_it_uses_and_what_is_new(place: str, hashed: list[int]) -> None:
    write(place)
    wanted = [row[0] for row in stored(place) if row[5] in KINDS]
    end = len(stored(place))
    hashed.clear()
    assert [entry.id for entry in read_journal(place, kinds=KINDS)] == wanted
    # The last entry is read to see whether the note is of this journal, and by who looks for new ones.
    assert sorted(set(hashed)) == sorted({*wanted, end})
    with Journal(place) as journal:
        number = journal.append("note", {"text": "new"}, at_ms=100)
    another_program(place)
    hashed.clear()
    assert [entry.id for entry in read_journal(place, kinds=KINDS)] == [*wanted, number]
    assert set(hashed) <= {*wanted, end, number}


def test_a_signature_reads_what_is_new_and_is_of_all(place: str, hashed: list[int]) -> None:
    write(place)
    with Journal(place) as journal:
        journal.checkpoint(at_ms=100)
    another_program(place)
    hashed.clear()
    with Journal(place) as journal:
        signed = journal.checkpoint(at_ms=101)
    assert len(set(hashed)) < ENTRIES
    assert verify_journal(place, [signed]).is_whole
    assert signed.entry == len(stored(place)) - 1


def altered(data: bytes, chance: Random) -> bytes:
    """A note that somebody has changed, cut or lengthened."""
    at, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    changes: tuple[Callable[[], bytes], ...] = (
        lambda: data[:at],
        lambda: data[:at] + data[end:],
        lambda: data + data[at:end],
        lambda: data[:at] + chance.randbytes(end - at) + data[end:],
        lambda: data[: at - 1] + bytes([data[at - 1] ^ 1 << chance.randrange(8)]) + data[at:] if at else b"",
        lambda: chance.randbytes(at),
    )
    return chance.choice(changes)()


def test_whatever_is_in_the_note_the_answer_is_that_of_the_journal(tmp_path: Path) -> None:
    place = str(tmp_path / "day.journal")
    write(place)
    data = note_of(place).read_bytes()
    true = without_note(place)
    assert isinstance(true, tuple)
    seed = Random().randrange(1 << 32)
    print(f"seed {seed}")
    chance = Random(seed)
    with Journal(place):  # a journal that is being written has no other sign of a change
        for _ in range(length(60, 5000)):
            note_of(place).write_bytes(altered(data, chance))
            assert answers(place) == true


def test_a_note_of_another_journal_or_another_time_is_not_taken(place: str, tmp_path: Path) -> None:
    other = str(tmp_path / "other.journal")
    write(other, other=9)
    write(place)
    old = note_of(place).read_bytes()
    write(place, 12)
    new = note_of(place).read_bytes()
    true = without_note(place)
    for data in (note_of(other).read_bytes(), old, new, b"", noted_module.LINE):
        note_of(place).write_bytes(data)
        assert answers(place) == true
    # The journal is cut, and grows anew in another way.
    rows = stored(place)
    tamper(place, *replace_all(rows[:20]))
    true = without_note(place)
    note_of(place).write_bytes(new)
    assert answers(place) == true
    write(place, 60, other=5)
    true = without_note(place)
    for data in (old, new):
        note_of(place).write_bytes(data)
        assert answers(place) == true


def test_a_note_that_another_machine_s_key_has_made_is_not_taken(place: str, hashed: list[int]) -> None:
    write(place)
    kept = key_path().read_bytes()
    key_path().unlink()
    with Journal(place) as journal:
        journal.checkpoint(at_ms=100)  # makes another key
    true = without_note(place)
    another_program(place)
    list(read_journal(place))
    forged = note_of(place).read_bytes()
    key_path().write_bytes(kept)
    note_of(place).write_bytes(forged)
    hashed.clear()
    assert answers(place) == true
    assert set(hashed) == set(range(1, len(stored(place)) + 1))


def test_whatever_is_changed_in_a_file_that_nobody_writes_is_refused(tmp_path: Path) -> None:
    place = str(tmp_path / "day.journal")
    write(place)
    note, rows = note_of(place).read_bytes(), stored(place)
    for row in rows:
        tamper(place, ("UPDATE entries SET at_ms = at_ms + 1 WHERE id = ?", (row[0],)))
        note_of(place).write_bytes(note)
        said = answers(place)
        assert isinstance(said, str)
        assert f"entry {row[0]} is not what was written" in said
        assert said == without_note(place)
        tamper(place, ("UPDATE entries SET at_ms = ? WHERE id = ?", (row[1], row[0])))
    tamper(place, *replace_all(chained([(*row[:1], row[1] + 1, *row[2:]) for row in rows])))
    note_of(place).write_bytes(note)
    assert answers(place) == without_note(place)


def test_nothing_that_was_changed_is_handed_out_while_a_journal_is_written(place: str) -> None:
    write(place)
    note, rows = note_of(place).read_bytes(), stored(place)
    written = {row[0]: row[:6] for row in rows}
    with Journal(place):
        for row in rows[:: length(3, 1)]:
            tamper(place, ("UPDATE entries SET at_ms = at_ms + 1 WHERE id = ?", (row[0],)))
            note_of(place).write_bytes(note)
            another_program(place)
            handed: list[Entry] = []
            is_used = row[5] in KINDS or row[0] == len(rows)
            with pytest.raises(JournalDamaged, match=f"entry {row[0]} is not") if is_used else nullcontext():
                handed.extend(read_journal(place, kinds=KINDS))
            assert all(entry[:6] == written[entry.id] for entry in handed)
            assert any(finding.entry == row[0] for finding in verify_journal(place).findings)
            tamper(place, ("UPDATE entries SET at_ms = ? WHERE id = ?", (row[1], row[0])))


def test_a_row_that_is_taken_away_or_in_another_place_is_noticed_by_who_uses_it(place: str) -> None:
    write(place)
    note, rows = note_of(place).read_bytes(), stored(place)
    first, second = (row[0] for row in rows if row[5] == "deal_result" and row[0] in (10, 15))
    attacks = (
        [("DELETE FROM entries WHERE id = ?", (first,))],
        [("UPDATE entries SET body = (SELECT body FROM entries WHERE id = ?) WHERE id = ?", (second, first))],
        [("UPDATE entries SET hash = (SELECT hash FROM entries WHERE id = ?) WHERE id = ?", (second, first))],
    )
    with Journal(place):
        for attack in attacks:
            tamper(place, *attack)
            note_of(place).write_bytes(note)
            assert "entry 10 is" in str(answers(place))
            tamper(place, *replace_all(rows))


def test_a_change_before_a_program_writes_is_not_covered_up_by_it(tmp_path: Path) -> None:
    place = str(tmp_path / "day.journal")
    write(place)
    tamper(place, ("UPDATE entries SET at_ms = at_ms + 1 WHERE id = 3", ()))
    with Journal(place) as journal:
        journal.append("note", {"text": "new"}, at_ms=100)
    assert "entry 3 is not" in str(answers(place))


def test_a_program_that_was_killed_leaves_no_other_answers(tmp_path: Path) -> None:
    place = str(tmp_path / "day.journal")
    write(place)
    killed = tmp_path / "killed.journal"
    with Journal(place) as journal:
        for number in range(8):
            journal.append("note", {"text": str(number)}, at_ms=100)
        for suffix in ("", "-wal", "-checked"):
            shutil.copy2(f"{place}{suffix}", f"{killed}{suffix}")
    assert answers(str(killed)) == answers(place) == without_note(place)


def test_only_this_user_reads_the_note_and_no_key_makes_none(place: str) -> None:
    write(place)
    if sys.platform != "win32":
        assert stat.S_IMODE(note_of(place).stat().st_mode) == 0o600
    true = answers(place)
    note_of(place).unlink()
    key_path().unlink()
    assert answers(place) == true
    assert not note_of(place).exists()
    assert not key_path().exists()


def test_what_cannot_be_kept_disturbs_nobody(place: str) -> None:
    write(place)
    true = answers(place)
    note_of(place).unlink()
    note_of(place).mkdir(parents=True)
    assert answers(place) == true
    with Journal(place) as journal:
        journal.append("note", {"text": "new"}, at_ms=100)


def test_a_copy_is_of_the_same_entries_and_has_no_note(tmp_path: Path) -> None:
    place, copy = str(tmp_path / "day.journal"), str(tmp_path / "copy.journal")
    write(place)
    copy_journal(place, copy)
    assert stored(copy) == stored(place)
    assert not note_of(copy).exists()
