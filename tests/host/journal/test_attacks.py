"""What somebody who can write the file or the database can do: each attack of docs/journal.md, done for real."""

import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.host.journal import test_attack_bodies
from tests.host.journal.conftest import journal_of_results, stored, tamper
from tests.host.journal.test_chain import chained, replace_all
from tests.host.postgresql import Server
from wallwright.errors import JournalDamaged, JournalError
from wallwright.journal import Checkpoint, Journal, copy_journal, read_journal, verify_journal
from wallwright.journal import writer as writer_module
from wallwright.journal.addresses import find_place
from wallwright.journal.known import known_of
from wallwright.journal.reader import UnitReader
from wallwright.journal.rows import ROWS
from wallwright.link.reports import Event

DOC = (Path(__file__).parents[3] / "docs" / "journal.md").read_text(encoding="utf-8")
RESULT = '"points":[41,-41,0,0]'
FORGED = '"points":[14,-14,0,0]'


def offsets(data: bytes, what: str) -> list[int]:
    found, at = [], data.find(what.encode())
    while at >= 0:
        found.append(at)
        at = data.find(what.encode(), at + 1)
    return found


def edit_index(path: Path, columns: str) -> None:
    """Put an index over those columns and edit its pages in the file; the table itself stays as it was written."""
    before = offsets(path.read_bytes(), RESULT)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE INDEX quick ON entries ({columns})")
    data = bytearray(path.read_bytes())
    (added,) = set(offsets(bytes(data), RESULT)) - set(before)
    data[added : added + len(FORGED)] = FORGED.encode()
    path.write_bytes(data)


INDEXES = (
    "kind, id, at_ms, unit, boot_id, seq, body",
    "id, at_ms, unit, boot_id, seq, kind, body",
    "kind, id, at_ms, unit, boot_id, seq, body, hash",
)


@pytest.mark.parametrize("columns", INDEXES)
def test_an_index_with_other_rows_answers_nobody(tmp_path: Path, columns: str) -> None:
    path = tmp_path / "session.journal"
    journal_of_results(str(path))
    edit_index(path, columns)
    for kinds in ((), ("deal_result",)):
        with pytest.raises(JournalDamaged, match="the index 'quick' was added"):
            list(read_journal(path, kinds=kinds))
    # Nor is it what answers, should somebody find a way past that.
    (row,) = find_place(path).fetch(ROWS["sqlite"], {"after": 4, "limit": 1})
    assert RESULT in row[6]
    findings = [finding.text for finding in verify_journal(path).findings]
    assert any("the index 'quick' was added" in text for text in findings)
    assert any("structure is not sound" in text and "quick" in text for text in findings)


def on_file(*statements: str) -> Callable[[str], None]:
    """What somebody does with another program of SQLite's."""

    def attack(place: str) -> None:
        with closing(sqlite3.connect(place, isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)

    return attack


def rewrite_schema(old: str, new: str) -> Callable[[str], None]:
    return on_file(
        "PRAGMA writable_schema = ON",
        f"UPDATE sqlite_master SET sql = replace(sql, '{old}', '{new}') WHERE name = 'entries'",
        "PRAGMA schema_version = 999",
    )


GUARDS = [f"DROP TRIGGER entries_are_not_{what}" for what in ("updated", "deleted", "replaced")]
COLUMNS = "id, at_ms, unit, boot_id, seq, kind, body, hash"
MADE = (
    "id INTEGER NOT NULL, at_ms BIGINT NOT NULL, unit VARCHAR, boot_id BIGINT, seq BIGINT, kind VARCHAR NOT NULL, "
    "body VARCHAR NOT NULL, hash BLOB NOT NULL, {more}PRIMARY KEY (id), UNIQUE (unit, boot_id, seq)"
)
FILE_ATTACKS: dict[str, tuple[Callable[[str], None], str]] = {
    "a view": (
        on_file(
            *GUARDS,
            "ALTER TABLE entries RENAME TO kept",
            f"CREATE VIEW entries AS SELECT {COLUMNS} FROM kept WHERE id <> 5",
        ),
        "the view 'entries' was added",
    ),
    "a trigger": (
        on_file("CREATE TRIGGER less BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END"),
        "the trigger 'less' was added",
    ),
    "a trigger that is gone": (on_file(GUARDS[0]), "the trigger 'entries_are_not_updated' is missing"),
    "a trigger with another body": (
        on_file(
            GUARDS[0],
            "CREATE TRIGGER entries_are_not_updated BEFORE UPDATE ON entries WHEN 0 BEGIN SELECT RAISE(ABORT, ''); END",
        ),
        "the trigger 'entries_are_not_updated' was changed",
    ),
    "a table without rowids": (
        on_file(
            *GUARDS,
            "ALTER TABLE entries RENAME TO kept",
            f"CREATE TABLE entries ({MADE.format(more='')}) WITHOUT ROWID",
            "INSERT INTO entries SELECT * FROM kept",
            "DROP TABLE kept",
        ),
        "the table 'entries' was changed",
    ),
    "a generated column": (
        on_file("ALTER TABLE entries ADD COLUMN points VARCHAR GENERATED ALWAYS AS ('x') VIRTUAL"),
        "the table 'entries' was changed",
    ),
    "a column that sorts in another way": (
        rewrite_schema("kind VARCHAR NOT NULL", "kind VARCHAR NOT NULL COLLATE NOCASE"),
        "the table 'entries' was changed",
    ),
    "another table": (on_file("CREATE TABLE more (id)"), "the table 'more' was added"),
    "statistics": (on_file("ANALYZE"), "the table 'sqlite_stat1' was added"),
    "an older number of the version": (on_file("PRAGMA user_version = 1"), "'user_version' was changed"),
    "a newer number of the version": (on_file("PRAGMA user_version = 9"), "'user_version' was changed"),
    "another number of the program": (on_file("PRAGMA application_id = 1"), "'application_id' was changed"),
    "an older revision": (
        on_file("UPDATE journal_version SET version_num = '0001'"),
        "the row 'journal_version' was changed",
    ),
}


def refused(place: str, what: str) -> None:
    """Everybody refuses the journal and says why; a copy of its entries is a sound one."""
    uses: list[Callable[[], object]] = [
        lambda: read_journal(place),
        lambda: UnitReader(place).newest(),
        lambda: Journal(place),
    ]
    for use in uses:
        with pytest.raises(JournalDamaged, match=re.escape(what)) as caught:
            use()
        assert "wallwright log copy" in str(caught.value)
    assert any(what in finding.text for finding in verify_journal(place).findings)


@pytest.mark.parametrize("name", FILE_ATTACKS)
def test_what_a_file_should_not_have_is_refused_by_its_name(tmp_path: Path, name: str) -> None:
    attack, what = FILE_ATTACKS[name]
    path = tmp_path / "session.journal"
    printed = Checkpoint.parse(journal_of_results(str(path)))
    attack(str(path))
    refused(str(path), what)
    if name != "a view":
        copy_journal(path, tmp_path / "copy")
        assert verify_journal(tmp_path / "copy", [printed]).is_whole


def on_server(*statements: str) -> Callable[[str], None]:
    def attack(place: str) -> None:
        with psycopg.connect(place) as server:
            for statement in statements:
                server.execute(statement.encode())

    return attack


SERVER_ATTACKS: dict[str, tuple[Callable[[str], None], str]] = {
    "a row-level policy": (
        on_server(
            "ALTER TABLE entries ENABLE ROW LEVEL SECURITY",
            "ALTER TABLE entries FORCE ROW LEVEL SECURITY",
            "CREATE POLICY less ON entries USING (id <> 5)",
        ),
        "the row-level policy 'less' was added",
    ),
    "row security": (on_server("ALTER TABLE entries ENABLE ROW LEVEL SECURITY"), "the table 'entries' was changed"),
    "a view": (
        on_server(
            "ALTER TABLE entries RENAME TO kept",
            f"CREATE VIEW entries AS SELECT {COLUMNS} FROM kept WHERE id <> 5",
        ),
        "the view 'entries' was added",
    ),
    "a rule": (
        on_server("CREATE RULE less AS ON INSERT TO entries DO INSTEAD NOTHING"),
        "the rule 'less' was added",
    ),
    "a table that inherits": (
        on_server(
            "CREATE TABLE more () INHERITS (entries)",
            "INSERT INTO more VALUES (11, 1, NULL, NULL, NULL, 'deal_result', '{}', '')",
        ),
        "the inheritance 'more' was added",
    ),
    "an index": (on_server("CREATE INDEX quick ON entries (kind, id, body)"), "the index 'quick' was added"),
    "a column": (on_server("ALTER TABLE entries ADD COLUMN points int"), "the column 'entries.points' was added"),
    "a trigger that sleeps": (
        on_server("ALTER TABLE entries DISABLE TRIGGER entries_are_append_only"),
        "the trigger 'entries_are_append_only' was changed",
    ),
    "a trigger's function": (
        on_server(
            "CREATE OR REPLACE FUNCTION refuse_to_change_entries() RETURNS trigger LANGUAGE plpgsql AS "
            "'BEGIN RETURN NULL; END'"
        ),
        "the trigger 'entries_are_append_only' was changed",
    ),
    "another revision": (on_server("UPDATE journal_version SET version_num = '0001'"), "'journal_version' was changed"),
}


@pytest.mark.parametrize("name", SERVER_ATTACKS)
def test_what_a_database_should_not_have_is_refused_by_its_name(postgresql: Server, name: str) -> None:
    attack, what = SERVER_ATTACKS[name]
    url = postgresql.schema()
    journal_of_results(url)
    attack(url)
    refused(url, what)


def test_a_search_path_before_the_server_s_own_functions_is_refused(postgresql: Server) -> None:
    url = postgresql.schema()
    journal_of_results(url)
    with pytest.raises(JournalDamaged, match="the setting 'search_path' was added"):
        read_journal(f"{url},pg_catalog")


def test_pages_of_the_journal_s_own_index_are_found_and_answer_nobody(tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    with Journal(path) as journal:
        for seq in range(1, 9):
            journal.append_event("Table-one", Event(seq, 7, seq, "side_done", {}), at_ms=seq)
    before = list(read_journal(path))
    data = bytearray(path.read_bytes())
    # The table has the kind behind unit, boot id and number; the index has the entry there.
    (found,) = re.finditer(rb"Table-one\x07\x08(?!side_done)", bytes(data))
    data[found.end() - 1] = 99
    path.write_bytes(data)
    (finding,) = verify_journal(path).findings
    assert "structure is not sound" in finding.text
    assert list(read_journal(path)) == before
    assert UnitReader(path).newest() == {"Table-one": (7, 8)}
    with Journal(path) as journal, pytest.raises(JournalDamaged, match="its index has event 99"):
        journal.append_event("Table-one", Event(99, 7, 1, "side_done", {}), at_ms=1)


def test_a_trigger_or_rule_that_comes_while_it_is_written_loses_nothing_silently(place: str) -> None:
    with Journal(place) as journal:
        journal.append("deal", {}, at_ms=1)
        if place.startswith("postgresql:"):
            SERVER_ATTACKS["a rule"][0](place)
        else:
            FILE_ATTACKS["a trigger"][0](place)
        with pytest.raises(JournalDamaged, match="did not keep entry 2"):
            journal.append("deal", {}, at_ms=2)


def test_what_is_changed_or_cut_off_while_programs_run_is_noticed(place: str) -> None:
    journal_of_results(place)
    rows = stored(place)
    list(read_journal(place))
    changed = [(*row[:1], row[1] + 1, *row[2:]) for row in rows]
    tamper(place, *replace_all(chained(changed)))
    with pytest.raises(JournalDamaged, match="changed since"):
        list(read_journal(place))
    with pytest.raises(JournalDamaged, match=r"changed since|not what was written"):
        list(read_journal(place, after=9))
    tamper(place, *replace_all(rows[:6]))
    with pytest.raises(JournalDamaged, match="3 were cut off"):
        list(read_journal(place))
    tamper(place, *replace_all(rows))
    with Journal(place) as journal:
        journal.append("deal", {}, at_ms=1)
        tamper(place, ("DELETE FROM entries WHERE id > 9", ()))
        with pytest.raises(JournalDamaged, match="entry 10, which this program has written, is not there"):
            journal.append("deal", {}, at_ms=2)


def test_a_reader_hands_out_what_is_whole_and_then_refuses(place: str) -> None:
    journal_of_results(place)
    tamper(place, ("UPDATE entries SET body = replace(body, '41', '14') WHERE id = 5", ()))
    entries = read_journal(place)
    assert [next(entries).id for _ in range(4)] == [1, 2, 3, 4]
    with pytest.raises(JournalDamaged, match=r"entry 5 is not what was written.*log copy") as caught:
        next(entries)
    assert "\n" not in str(caught.value)
    known_of(find_place(place)).forget()  # as another program, which has not read the entries before
    with pytest.raises(JournalDamaged, match="entry 5"):
        list(read_journal(place, after=7, kinds=("deal_result",)))


def test_hashes_that_were_taken_away_make_no_older_journal_to_be_read(tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    printed = Checkpoint.parse(journal_of_results(str(path)))
    old = Path(__file__).parent / "data" / "version-1.journal"
    stripped = tmp_path / "stripped.journal"
    shutil.copy(old, stripped)
    rows = [(*row[:6], row[6].replace(RESULT, FORGED)) for row in stored(str(path))]
    tamper(
        str(stripped), ("DELETE FROM entries", ()), *(("INSERT INTO entries VALUES (?,?,?,?,?,?,?)", r) for r in rows)
    )
    with pytest.raises(JournalError, match="not chained"):
        read_journal(stripped)
    with Journal(stripped) as journal:
        assert "had no hashes" in journal.notice
    assert [entry.kind for entry in read_journal(stripped)][-1] == "journal_migrated"
    assert not verify_journal(stripped, [printed]).is_whole


def test_a_chain_that_was_signed_anew_by_another_key_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "session.journal"
    printed = Checkpoint.parse(journal_of_results(str(path)))
    forged = tmp_path / "forged.journal"
    monkeypatch.setattr(writer_module, "signing_key", Ed25519PrivateKey.generate)
    with Journal(forged) as journal:
        for entry in list(read_journal(path))[:-1]:
            journal.append(entry.kind, {**entry.body, "points": [14, -14, 0, 0]}, at_ms=entry.at_ms, unit=entry.unit)
        journal.checkpoint(at_ms=9)
    # The readers cannot know, and who has the key that was printed, or a checkpoint, can.
    assert verify_journal(forged).is_whole
    (finding,) = verify_journal(forged, key=printed.key).findings
    assert "signed by another key" in finding.text
    assert not verify_journal(forged, [printed]).is_whole
    assert verify_journal(path, [printed], key=printed.key).is_whole


def test_nothing_is_signed_that_is_not_what_was_written(place: str) -> None:
    journal_of_results(place)
    tamper(place, ("UPDATE entries SET at_ms = 77 WHERE id = 3", ()))
    with Journal(place) as journal, pytest.raises(JournalDamaged, match="entry 3"):
        journal.checkpoint(at_ms=1)
    assert len(stored(place)) == 9


def test_the_page_names_a_test_for_each_attack() -> None:
    _, _, section = DOC.partition("## What somebody with write access can do")
    table = section.partition("\n## ")[0]
    named = set(re.findall(r"`(test_\w+)`", table))
    tests = {name for name in {**globals(), **vars(test_attack_bodies)} if name.startswith("test_")}
    assert tests - {"test_the_page_names_a_test_for_each_attack", "test_attack_bodies"} == named
