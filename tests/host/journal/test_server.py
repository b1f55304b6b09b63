"""A journal on PostgreSQL: several programs write it at once, and a server that goes away or refuses is said."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import make_url

from tests import needs
from tests.host.journal.conftest import stored
from tests.host.postgresql import Server, running_server
from wallwright.errors import JournalBusy, JournalError, JournalUnreachable, NotAJournal
from wallwright.journal import Journal, read_journal, verify_journal
from wallwright.link.reports import Event

WRITER = """
import random, sys
from wallwright.journal import Journal
from wallwright.link.reports import Event
url, name, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
rng = random.Random(seed + name)
with Journal(url) as journal:
    for n in range(1, count + 1):
        with journal.batch():
            journal.append("note", {"by": name, "n": n}, at_ms=n)
            journal.append_event("T-1", Event(rng.randint(1, count), 7, n, "side_done", {}), at_ms=n)
"""


@pytest.fixture
def url(postgresql: Server) -> str:
    return postgresql.schema()


@pytest.fixture
def database(postgresql: Server) -> str:
    """The URL of a database of the test's own, whose settings it may change."""
    return postgresql.database()


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that the test may stop."""
    needs.program("postgresql")
    with running_server() as server:
        yield server


def event(seq: int) -> Event:
    return Event(seq, 7, seq, "side_done", {})


def test_several_programs_write_one_chain_and_keep_each_event_once(url: str, seed: int) -> None:
    count = 40
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, url, name, str(count), str(seed)], stderr=subprocess.PIPE)
        for name in ("one", "two", "three")
    ]
    for writer in writers:
        _, errors = writer.communicate()
        assert (writer.returncode, errors) == (0, b"")
    assert verify_journal(url).is_whole
    entries = list(read_journal(url))
    for name in ("one", "two", "three"):
        notes = [entry.body["n"] for entry in entries if entry.body.get("by") == name]
        assert notes == list(range(1, count + 1))
    keys = Counter((entry.unit, entry.boot_id, entry.seq) for entry in entries if entry.seq is not None)
    assert keys
    assert max(keys.values()) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET body = '{}'",
        "DELETE FROM entries",
        "DELETE FROM entries WHERE id = 99",
        "TRUNCATE entries",
        "INSERT INTO entries VALUES (1, 9, NULL, NULL, NULL, 'x', '{}', '') ON CONFLICT (id) DO UPDATE SET kind = 'x'",
    ],
)
def test_no_statement_changes_what_is_written(url: str, statement: str) -> None:
    with Journal(url) as journal:
        journal.append("deal", {}, at_ms=1)
    before = stored(url)
    with psycopg.connect(url) as server, pytest.raises(psycopg.errors.RaiseException, match="append-only"):
        server.execute(statement.encode())
    assert stored(url) == before


def test_a_commit_is_as_safe_whatever_the_server_s_defaults_are(postgresql: Server, database: str) -> None:
    name = make_url(database).database
    postgresql.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    postgresql.execute(f"ALTER DATABASE {name} SET default_transaction_isolation = 'repeatable read'")
    with Journal(database) as journal, journal.batch():
        assert journal._connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "on"
        assert journal._connection.exec_driver_sql("SHOW transaction_isolation").scalar_one() == "read committed"


def test_a_lock_that_is_kept_by_others_is_said(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wallwright.journal.server.BUSY_LIMIT_MS", 50)
    with Journal(url) as journal:
        journal.append("deal", {"n": 1}, at_ms=1)
        with psycopg.connect(url) as other:
            other.execute("LOCK TABLE entries IN ACCESS EXCLUSIVE MODE")
            with pytest.raises(JournalBusy, match="locked"):
                journal.append("deal", {"n": 2}, at_ms=2)
        assert journal.append("deal", {"n": 3}, at_ms=3) == 2


def test_a_server_that_goes_is_said_and_the_same_journal_goes_on_when_it_is_back(own_server: Server) -> None:
    url = own_server.database()
    with Journal(url) as journal:
        assert journal.append_event("T-1", event(1), at_ms=1)
        own_server.stop()
        for _ in range(2):
            with pytest.raises(JournalUnreachable, match="cannot be reached"):
                journal.append_event("T-1", event(2), at_ms=2)
        with pytest.raises(JournalUnreachable):
            read_journal(url)
        own_server.start()
        assert not journal.append_event("T-1", event(1), at_ms=3)
        assert journal.append_event("T-1", event(2), at_ms=4)
    assert [entry.seq for entry in read_journal(url)] == [1, 2]
    assert verify_journal(url).is_whole


def test_a_database_that_is_somebody_else_s_is_left_alone(url: str) -> None:
    with psycopg.connect(url) as server:
        server.execute("CREATE TABLE entries (id int)")
    for use in (Journal, read_journal):
        with pytest.raises(NotAJournal, match="another program"):
            use(url)
    with psycopg.connect(url) as server:
        tables = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
    assert tables == [("entries",)]


def test_a_newer_journal_is_refused(url: str) -> None:
    Journal(url).close()
    with psycopg.connect(url) as server:
        server.execute("UPDATE journal_version SET version_num = '0999'")
        server.execute("CREATE TABLE what_comes_later (id int)")
    for use in (Journal, read_journal):
        with pytest.raises(NotAJournal, match="update Wallwright"):
            use(url)


def test_an_empty_database_has_no_journal_to_read(database: str) -> None:
    with pytest.raises(JournalError, match="no journal in this database"):
        read_journal(database)


def test_an_encoding_without_all_names_is_refused(postgresql: Server) -> None:
    url = postgresql.database("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(NotAJournal, match="UTF8"):
        Journal(url)


def test_who_may_not_write_is_told(postgresql: Server, database: str) -> None:
    Journal(database).close()
    name = make_url(database).database
    postgresql.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with Journal(database) as journal, pytest.raises(JournalError, match="who may write"):
        journal.append("deal", {}, at_ms=1)
    assert list(read_journal(database)) == []


@pytest.mark.parametrize(
    ("change", "kind", "text"),
    [
        ({"database": "nowhere"}, JournalError, "check user, password"),
        ({"username": "nobody"}, JournalError, "check user, password"),
        ({"query": {"host": "no-such-folder/"}}, JournalUnreachable, "cannot be reached"),
    ],
)
def test_a_url_that_leads_nowhere_is_one_line(
    url: str, change: dict[str, object], kind: type[JournalError], text: str
) -> None:
    wrong = make_url(url).set(password="secret", **change)  # type: ignore[arg-type]
    with pytest.raises(kind, match=text) as caught:
        Journal(wrong)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_url_that_is_none_is_said_without_its_password() -> None:
    with pytest.raises(JournalError, match="this is no URL") as caught:
        Journal("postgresql://me:secret@host:port/hall")
    assert "secret" not in str(caught.value)


def test_without_the_driver_the_command_that_installs_it_is_said(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(JournalError, match=r"pip install 'wallwright\[postgresql\]'"):
        Journal(url)


def test_random_numbers_come_back_as_they_were(url: str, seed: int) -> None:
    rng = random.Random(seed)
    boot_id, seq, at_ms = rng.getrandbits(32), rng.getrandbits(32), rng.getrandbits(42)
    with Journal(url) as journal:
        journal.append_event("T-1", Event(seq, boot_id, rng.getrandbits(40), "side_done", {"n": 2**70}), at_ms=at_ms)
    (entry,) = read_journal(url)
    assert (entry.boot_id, entry.seq, entry.at_ms, entry.body["fields"]) == (boot_id, seq, at_ms, {"n": 2**70})
