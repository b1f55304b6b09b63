"""The journal: append-only, in order, the same bytes for the same session, and never somebody else's file."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright.errors import JournalBusy, JournalError, NotAJournal
from wallwright.journal import Entry, Journal, read_journal, reader
from wallwright.journal.entry import to_json
from wallwright.journal.files import JournalFile
from wallwright.journal.known import Row
from wallwright.journal.places import Place
from wallwright.journal.reader import UnitReader
from wallwright.journal.rows import BATCH, checked
from wallwright.journal.schema import APPLICATION_ID, SCHEMA_VERSION
from wallwright.link.reports import Event


def event(seq: int, boot_id: int = 7, lost: int = 0) -> Event:
    return Event(seq, boot_id, 100 * seq, "side_done", {"side": seq % 4, "stacks": 14, "after_ms": 9}, lost)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.journal"


def test_what_is_appended_is_read_back_in_order(place: str) -> None:
    with Journal(place) as journal:
        assert journal.append("session_started", {"seed": 1, "tafel": "größer 麻將"}, at_ms=5) == 1
        assert journal.append_event("T-1", event(1), at_ms=6)
        assert journal.append_event("T-1", event(4, lost=2), at_ms=7)
        assert journal.append("deal", {"points": (1, -1, 0, 0)}, at_ms=8, unit="T-1") == 4
        own = list(journal.entries())
    fields = {"side": 1, "stacks": 14, "after_ms": 9}
    assert own == [
        Entry.of(1, 5, None, None, None, "session_started", {"seed": 1, "tafel": "größer 麻將"}),
        Entry.of(2, 6, "T-1", 7, 1, "side_done", {"fields": fields, "time_ms": 100}),
        Entry.of(3, 7, "T-1", 7, 4, "side_done", {"fields": fields | {"side": 0}, "time_ms": 400, "lost": 2}),
        Entry.of(4, 8, "T-1", None, None, "deal", {"points": [1, -1, 0, 0]}),
    ]
    assert list(read_journal(place)) == own
    assert [entry.id for entry in read_journal(place, after=2)] == [3, 4]
    assert [entry.id for entry in read_journal(place, after=1, kinds=("side_done", "session_started"))] == [2, 3]


def test_an_event_is_kept_once_for_its_unit_and_boot(place: str) -> None:
    with Journal(place) as journal:
        assert journal.append_event("T-1", event(1), at_ms=1)
        assert not journal.append_event("T-1", event(1), at_ms=2)
        assert journal.append_event("T-2", event(1), at_ms=3)
        assert journal.append_event("T-1", event(1, boot_id=8), at_ms=4)
    with Journal(place) as journal:
        assert not journal.append_event("T-1", event(1), at_ms=5)
        assert [entry.at_ms for entry in journal.entries()] == [1, 3, 4]


def test_long_journals_are_read_whole(place: str) -> None:
    with Journal(place) as journal:
        with journal.batch():
            for n in range(2 * BATCH):
                journal.append("record", {}, at_ms=n)
        assert [entry.id for entry in journal.entries()] == list(range(1, 2 * BATCH + 1))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET body = '{}'",
        "UPDATE OR REPLACE entries SET id = 2 WHERE id = 1",
        "DELETE FROM entries",
        "REPLACE INTO entries VALUES (1, 9, NULL, NULL, NULL, 'deal', '{}', x'00')",
        "INSERT OR REPLACE INTO entries VALUES (3, 9, 'T-1', 7, 1, 'deal', '{}', x'00')",
        "INSERT INTO entries VALUES (1, 9, NULL, NULL, NULL, 'deal', '{}', x'00') ON CONFLICT DO UPDATE SET kind = 'x'",
    ],
)
def test_no_statement_changes_what_is_written(path: Path, statement: str) -> None:
    with Journal(path) as journal:
        journal.append_event("T-1", event(1), at_ms=1)
        journal.append_event("T-1", event(2), at_ms=1)
    before = list(read_journal(path))
    with closing(sqlite3.connect(path)) as connection:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
        connection.commit()
    assert list(read_journal(path)) == before


def test_it_is_set_up_not_to_lose_a_commit(path: Path) -> None:
    with Journal(path) as journal:
        values = {
            name: journal._connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "application_id", "user_version")
        }
    full = 2
    assert values == {
        "journal_mode": "wal",
        "synchronous": full,
        "foreign_keys": 1,
        "application_id": APPLICATION_ID,
        "user_version": SCHEMA_VERSION,
    }


def database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entries (id)")


def newer(path: Path) -> None:
    Journal(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        connection.execute("CREATE TABLE what_comes_later (id)")


FOREIGN: dict[str, Callable[[Path], object]] = {
    "text": lambda path: path.write_text("Dear diary, " * 100),
    "short": lambda path: path.write_text("x"),
    "empty": lambda path: path.touch(),
    "half a header": lambda path: path.write_bytes(b"SQLite format 3\0"),
    "another database": database,
    "newer": newer,
    "folder": lambda path: path.mkdir(),
}


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("use", [Journal, read_journal])
def test_a_file_that_is_not_ours_is_refused_untouched(path: Path, kind: str, use: Callable[[Path], object]) -> None:
    FOREIGN[kind](path)
    before = path.read_bytes() if path.is_file() else None
    stamp = path.stat().st_mtime_ns
    with pytest.raises(NotAJournal) as caught:
        use(path)
    assert "\n" not in str(caught.value)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert path.stat().st_mtime_ns == stamp
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    if kind == "newer":
        assert "update" in str(caught.value)


def test_a_journal_has_one_writer_and_any_number_of_readers(path: Path) -> None:
    with Journal(path) as journal:
        journal.append("deal", {}, at_ms=1)
        with pytest.raises(JournalBusy):
            Journal(path)
        # The refused attempt must not have taken the lock along.
        with pytest.raises(JournalBusy):
            Journal(path)
        first, second = read_journal(path), read_journal(path)
        assert next(first).id == next(second).id == 1
        journal.append("deal", {}, at_ms=2)
        assert len(list(read_journal(path))) == 2
        first.close()  # type: ignore[attr-defined]
        second.close()  # type: ignore[attr-defined]
    with Journal(path) as journal:
        assert journal.append("deal", {}, at_ms=3) == 3


def test_nothing_but_the_journal_is_left_behind(path: Path) -> None:
    with Journal(path) as journal:
        journal.append("deal", {}, at_ms=1)
    journal.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_reading_leaves_nothing_behind(path: Path) -> None:
    Journal(path).close()
    assert list(read_journal(path)) == []
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_writer_that_comes_while_a_quiet_journal_is_read_is_noticed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path) as journal:
        journal.append("deal", {"n": 1}, at_ms=1)
    entries = read_journal(path)
    look = JournalFile._traces
    looks = []

    def late(file: JournalFile) -> object:
        looks.append(file)
        if len(looks) == 2:  # the query has been asked
            with Journal(path) as journal:
                journal.append("deal", {"n": 2}, at_ms=2)
        return look(file)

    monkeypatch.setattr(JournalFile, "_traces", late)
    assert [entry.body["n"] for entry in entries] == [1, 2]


def test_a_copy_of_a_closed_journal_is_a_journal(path: Path, tmp_path: Path) -> None:
    with Journal(path) as journal:
        journal.append("deal", {"n": 1}, at_ms=1)
    copy = tmp_path / "copy"
    shutil.copy(path, copy)
    assert list(read_journal(copy)) == list(read_journal(path))
    with Journal(copy) as journal:
        journal.append("deal", {"n": 2}, at_ms=2)
    assert len(list(read_journal(copy))) == 2
    assert len(list(read_journal(path))) == 1


def test_the_files_of_an_open_journal_copied_together_are_a_journal(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    with Journal(path) as journal:
        for n in range(20):
            journal.append("deal", {"n": n}, at_ms=n)
        for file in (path, path.with_name(path.name + "-wal")):
            shutil.copy(file, folder)
    assert [entry.body["n"] for entry in read_journal(folder / path.name)] == list(range(20))


@pytest.mark.parametrize("folder", ["no-such-folder", "a-file"])
def test_a_folder_where_nothing_can_be_made_is_said(tmp_path: Path, folder: str) -> None:
    (tmp_path / "a-file").write_text("")
    with pytest.raises(JournalError, match="another path"):
        Journal(tmp_path / folder / "session.journal")


def test_reading_what_is_not_there_makes_nothing(path: Path) -> None:
    with pytest.raises(JournalError, match="check the path"):
        read_journal(path)
    assert list(path.parent.iterdir()) == []


def test_a_body_that_is_not_json_is_refused_and_leaves_no_entry(place: str) -> None:
    with Journal(place) as journal:
        for body in ({"x": object()}, {"x": float("nan")}, {"x": {1, 2}}):
            with pytest.raises((TypeError, ValueError)):
                journal.append("deal", body, at_ms=1)
        assert journal.append("deal", {}, at_ms=1) == 1


def test_the_same_session_gives_the_same_bytes(tmp_path: Path) -> None:
    def write(path: Path, order: int) -> bytes:
        with Journal(path) as journal:
            for n in range(50):
                journal.append_event("T-1", event(n + 1), at_ms=n)
                journal.append("deal", dict([("b", n), ("a", [n])][::order]), at_ms=n)
        return path.read_bytes()

    assert write(tmp_path / "one", 1) == write(tmp_path / "two", -1)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_a_body_has_one_text_and_comes_back(body: dict[str, object]) -> None:
    text = to_json(body)
    assert json.loads(text) == body
    assert to_json(dict(reversed(body.items()))) == text
    assert "\n" not in text


def test_a_batch_is_whole_or_not_at_all(place: str) -> None:
    with Journal(place) as journal:
        with journal.batch():
            assert journal.append_event("T-1", event(1), at_ms=1)
            assert journal.append_event("T-2", event(1), at_ms=1)
            assert not journal.append_event("T-1", event(1), at_ms=1)
            assert list(read_journal(place)) == []

        def append_what_cannot_be() -> None:
            with journal.batch():
                journal.append_event("T-1", event(2), at_ms=2)
                journal.append("deal", {"points": float("nan")}, at_ms=2)

        with pytest.raises(ValueError, match="Out of range"):
            append_what_cannot_be()
        assert journal.append("deal", {}, at_ms=3) == 3
    assert [(entry.unit, entry.seq) for entry in read_journal(place)] == [("T-1", 1), ("T-2", 1), (None, None)]


def test_what_a_batch_has_so_far_can_be_read_in_it(place: str) -> None:
    with Journal(place) as journal:
        with journal.batch():
            journal.append("deal", {"n": 1}, at_ms=1)
            assert [entry.body for entry in journal.entries()] == [{"n": 1}]
            journal.append("deal", {"n": 2}, at_ms=1)
        assert [entry.id for entry in journal.entries()] == [1, 2]


def test_a_gap_counts_what_is_missing_here_and_not_what_the_table_could_not_know(place: str) -> None:
    with Journal(place) as journal:
        for seq in (1, 2, 3):
            journal.append_event("T-1", event(seq), at_ms=seq)
        # Nothing was acknowledged before the host was killed, and then the table's memory overflowed up to 5.
        journal.append_event("T-1", event(6, lost=5), at_ms=6)
        journal.append_event("T-1", event(6, lost=5), at_ms=7)
        journal.append_event("T-1", event(3, boot_id=9, lost=2), at_ms=8)
        journal.append_event("T-2", event(2, lost=1), at_ms=9)
    lost = {(e.unit, e.boot_id, e.seq): e.body.get("lost", 0) for e in read_journal(place)}
    assert lost == {
        **{("T-1", 7, seq): 0 for seq in (1, 2, 3)},
        ("T-1", 7, 6): 2,
        ("T-1", 9, 3): 2,
        ("T-2", 7, 2): 1,
    }


def test_a_gap_is_counted_once_though_nothing_behind_it_was_acknowledged(place: str) -> None:
    with Journal(place) as journal:
        journal.append_event("T-1", event(1), at_ms=1)
        journal.append_event("T-1", event(5, lost=3), at_ms=5)
        # The host was killed now: the table has been told of 1, has overwritten up to 7, and counts from 1.
        journal.append_event("T-1", event(8, lost=6), at_ms=8)
    assert [entry.body.get("lost", 0) for entry in read_journal(place)] == [0, 3, 2]


def test_events_that_were_here_already_make_no_gap(place: str) -> None:
    with Journal(place) as journal:
        for seq in (1, 2, 3):
            journal.append_event("T-1", event(seq), at_ms=seq)
        journal.append_event("T-1", event(4, lost=3), at_ms=4)
    assert all("lost" not in entry.body for entry in read_journal(place))


def test_the_newest_events_are_those_of_the_last_boot(place: str) -> None:
    with Journal(place) as journal:
        assert UnitReader(place).newest() == {}
        journal.append_event("T-1", event(90, boot_id=900), at_ms=1)
        journal.append_event("T-1", event(1, boot_id=3), at_ms=2)
        journal.append_event("T-1", event(2, boot_id=3), at_ms=2)
        journal.append_event("T-2", event(5), at_ms=3)
        journal.append("deal", {}, at_ms=4, unit="T-2")
        assert UnitReader(place).newest() == {"T-1": (3, 2), "T-2": (7, 5)}


def test_who_asks_again_reads_the_new_entries_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def noted(place: Place, after: int = 0) -> Iterator[Sequence[Row]]:
        for rows in checked(place, after):
            seen.extend(row[0] for row in rows)
            yield rows

    monkeypatch.setattr(reader, "checked", noted)
    with Journal(path) as journal:
        units = UnitReader(path)
        for seq in (1, 2, 3):
            journal.append_event("T-1", event(seq), at_ms=seq)
            assert units.newest() == {"T-1": (7, seq)}
    assert seen == [1, 2, 3]
