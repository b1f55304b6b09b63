"""A journal of every released schema opens, is brought to the present one, and says so; nothing in it is different."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, make_url

from tests.host.journal.conftest import stored
from tests.host.journal.test_chain import chained
from tests.host.postgresql import Server
from wallwright.errors import JournalFull
from wallwright.journal import Entry, Journal, copy_journal, read_journal, verify_journal
from wallwright.journal import migration as migration_module
from wallwright.journal.addresses import find_place
from wallwright.journal.migration import migrate
from wallwright.journal.schema import SCHEMA_VERSION
from wallwright.journal.shape import parts
from wallwright.link.reports import Event

FIRST = Path(__file__).parent / "data" / "version-1.journal"
"""Two deals at a simulated table, written by the program of the first schema."""


def first_journal(tmp_path: Path) -> Path:
    """The same two deals, chained."""
    path = tmp_path / "first.journal"
    shutil.copy(FIRST, path)
    Journal(path).close()
    return path


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.journal"
    shutil.copy(FIRST, path)
    return path


def unchained(path: Path) -> list[Entry]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT * FROM entries ORDER BY id").fetchall()
    return [
        Entry.of(number, at_ms, unit, boot_id, seq, kind, json.loads(body))
        for number, at_ms, unit, boot_id, seq, kind, body in rows
    ]


def schema(path: Path) -> set[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return set(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall())


def test_the_first_schema_is_chained_and_says_so(old: Path, tmp_path: Path) -> None:
    before = unchained(FIRST)
    with Journal(old) as journal:
        assert "64 entries" in journal.notice
        assert "chained" in journal.notice
        assert journal.append("deal", {}, at_ms=9) == 66
    with Journal(old) as journal:
        assert journal.notice == ""
    entries = list(read_journal(old))
    assert entries[:64] == before
    assert entries[64] == Entry.of(65, 467264, None, None, None, "journal_migrated", {"from": 1, "to": SCHEMA_VERSION})
    assert chained(stored(str(old))) == stored(str(old))
    assert verify_journal(old).is_whole
    Journal(tmp_path / "new").close()
    assert schema(old) == schema(tmp_path / "new")


def test_events_that_were_in_the_old_journal_are_not_kept_again(old: Path) -> None:
    event = next(entry for entry in unchained(old) if entry.seq is not None)
    assert event.unit is not None
    assert event.boot_id is not None
    assert event.seq is not None
    with Journal(old) as journal:
        assert not journal.append_event(event.unit, Event(event.seq, event.boot_id, 1, event.kind, {}), at_ms=1)


def test_a_migration_that_fails_leaves_the_old_journal(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = unchained(old)

    def fail_late(*args: Any) -> None:
        migrate(*args)
        raise JournalFull(str(old), "the disk is full")

    monkeypatch.setattr(migration_module, "migrate", fail_late)
    with pytest.raises(JournalFull):
        Journal(old)
    monkeypatch.undo()
    assert schema(old) == schema(FIRST)
    assert unchained(old) == before
    Journal(old).close()
    assert verify_journal(old).is_whole


def test_all_revisions_end_in_the_schema_of_a_new_journal_on_postgresql(postgresql: Server) -> None:
    new, upgraded = postgresql.schema(), postgresql.schema()
    Journal(new).close()
    engine = create_engine(make_url(upgraded).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        migrate(connection, 0)
    engine.dispose()
    assert parts(find_place(upgraded)) == parts(find_place(new))
    with Journal(upgraded) as journal:
        journal.append("deal", {}, at_ms=1)
    assert verify_journal(upgraded).is_whole


@pytest.mark.parametrize("to", ["sqlite", "postgresql"])
def test_a_copy_is_the_same_journal_wherever_it_is(
    old: Path, place: str, to: str, tmp_path: Path, postgresql: Server
) -> None:
    Journal(old).close()
    copy_journal(old, place)
    with Journal(place) as journal:
        printed = journal.checkpoint(at_ms=1)
    target = str(tmp_path / "copy") if to == "sqlite" else postgresql.schema()
    head = copy_journal(place, target)
    assert stored(target) == stored(place)
    assert (head.id, head.hash) == (stored(place)[-1][0], stored(place)[-1][7])
    assert verify_journal(target, [printed]).is_whole
    body = json.loads(stored(target)[-1][6])
    assert body["entry"] == printed.entry
