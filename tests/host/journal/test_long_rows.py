"""Journals with rows that no program of ours writes: what is read at once is bounded, and what is whole comes."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from sys import getsizeof

import pytest

from wallwright.errors import JournalDamaged, JournalError, NotAJournal
from wallwright.journal import Journal, read_journal, verify_journal
from wallwright.journal import claims as claims_module
from wallwright.journal import known as known_module
from wallwright.journal import write_ahead as write_ahead_module
from wallwright.journal.addresses import find_place
from wallwright.journal.claims import beside
from wallwright.journal.entry import row_text
from wallwright.journal.files import LONGEST_ROW
from wallwright.journal.known import known_of
from wallwright.journal.places import BATCH_BYTES
from wallwright.journal.rows import ROWS, at
from wallwright.journal.shape import parts
from wallwright.journal.write_ahead import log_path

MB = 1 << 20


def add_rows(path: Path, *bodies: str) -> None:
    """Put rows behind those of a journal, chained as its writer would chain them."""
    with closing(sqlite3.connect(path)) as connection, connection:
        number, before = connection.execute("SELECT id, hash FROM entries ORDER BY id DESC LIMIT 1").fetchone()
        for body in bodies:
            number += 1
            row = (number, 1, None, None, None, "note", body)
            before = sha256(before + row_text(row)).digest()
            connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, before))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "day.journal"
    with Journal(path) as journal:
        journal.append("note", {"text": "short"}, at_ms=1)
    return path


def numbers(path: Path) -> Iterator[int]:
    yield from (entry.id for entry in read_journal(path))


def test_an_entry_that_is_too_long_is_refused_by_its_number_and_those_before_come(path: Path) -> None:
    add_rows(path, '{"text":"longer"}', f'{{"text":"{"a" * LONGEST_ROW}"}}')
    found = numbers(path)
    with pytest.raises(JournalDamaged, match="an entry of it, or another row, has more than 16,777,216 bytes"):
        list(found)
    assert [finding.entry for finding in verify_journal(path).findings if finding.entry] == [3]


@pytest.mark.parametrize("is_long", [False, True])
def test_of_long_rows_few_are_in_memory_at_once_and_all_come(
    path: Path, is_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_rows(path, *[f'{{"text":"{"a" * MB}"}}'] * 20)
    place = find_place(path)
    batch = place.fetch(ROWS["sqlite"], {"after": 0, "limit": 1000})
    assert BATCH_BYTES - MB <= sum(getsizeof(row[6]) for row in batch) <= BATCH_BYTES + 2 * MB
    monkeypatch.setattr(known_module, "LONG", 5 if is_long else 100)
    assert list(numbers(path)) == list(range(1, 22))
    assert known_of(place).is_long == is_long
    assert [row[0] for rows in at(place, range(2, 22)) for row in rows] == list(range(2, 22))
    with Journal(path) as journal:
        assert [entry.id for entry in journal.entries()] == list(range(1, 22))


def test_a_body_of_too_many_values_is_refused_before_it_is_read(path: Path) -> None:
    add_rows(path, '{"text":[' + "[]," * (2 * MB) + "0]}")
    with pytest.raises(JournalDamaged, match=r"the body of entry 2 .* has more than 1,000,000 values and names"):
        list(numbers(path))


def test_a_database_of_too_many_tables_is_no_journal_whatever_they_are_called(path: Path) -> None:
    long = " " * 3000
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE t{long}(x)")
    assert max(len(part.made) for part in parts(find_place(path))) <= 2000
    with closing(sqlite3.connect(path)) as connection, connection:
        for number in range(1000):
            connection.execute(f"CREATE TABLE t{number} (x)")
    with pytest.raises(NotAJournal, match="this is another program's"):
        parts(find_place(path))


def test_a_file_without_a_write_ahead_file_is_not_read_for_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims_module, "read_pair", lambda _: pytest.fail("the whole file was read"))
    assert beside(path).claims == ()


def test_a_pair_that_is_too_long_is_not_put_together_and_that_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path) as journal:
        journal.append("note", {"text": "in the write-ahead file"}, at_ms=1)
        assert log_path(path).stat().st_size
        monkeypatch.setattr(write_ahead_module, "LONGEST_PAIR", path.stat().st_size)
        assert "with day.journal-wal it is too long for a look" in beside(path).note
        place = find_place(path)
        with pytest.raises(JournalError, match="too long to be read where this program cannot write; copy both files"):
            place._fetch_in_memory("SELECT 1", {})  # type: ignore[attr-defined]
