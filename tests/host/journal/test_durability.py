"""What was acknowledged survives: a killed writer, a full disk, a disk that is read-only. By real processes."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests import needs
from tests.host.postgresql import Server, running_server
from wallwright.errors import JournalBusy, JournalError, JournalFull
from wallwright.journal import Journal, copy_journal, read_journal, verify_journal

APPENDER = """
import sys
from wallwright.journal import Journal
from wallwright.link.reports import Event
journal = Journal(sys.argv[1])
first = sum(1 for _ in journal.entries()) + 1
for seq in range(first, 10**9):
    journal.append_event("T-1", Event(seq, 7, seq, "state_changed", {"state": "idle", "filling": "x" * 50}), at_ms=seq)
    print(seq, flush=True)
"""

LIMITED = """
import resource, sys
from wallwright.errors import JournalFull
from wallwright.journal import Journal
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
done = 0
try:
    with Journal(sys.argv[1]) as journal:
        while True:
            journal.append("deal", {"n": done, "filling": "x" * 500}, at_ms=done)
            done += 1
except JournalFull as error:
    print(done)
    print(error)
"""

# Permissions do not bind the superuser, so that one becomes somebody else once all is imported.
READ_ONLY = """
import os, sys
from pathlib import Path
from wallwright.errors import JournalError
from wallwright.journal import Journal, read_journal
list(read_journal(sys.argv[1]))
if os.geteuid() == 0:
    os.seteuid(65534)
print([entry.body for entry in read_journal(sys.argv[1])])
for name in (Path(sys.argv[1]), Path(sys.argv[1]).with_name("new")):
    try:
        Journal(name)
    except JournalError as error:
        print(error)
"""


def kill_after(path: str, lines: int) -> int:
    """Let a process append, kill it after it has acknowledged so many entries; return the last one acknowledged."""
    writer = subprocess.Popen([sys.executable, "-c", APPENDER, path], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    last = 0
    for _ in range(lines):
        last = int(writer.stdout.readline())
    os.kill(writer.pid, signal.SIGKILL)
    rest = writer.stdout.read().split("\n")[:-1]
    writer.stdout.close()
    assert writer.wait() == -signal.SIGKILL
    return int(rest[-1]) if rest else last


def test_a_killed_writer_loses_nothing_that_it_acknowledged(place: str) -> None:
    for lines in (1, 40, 7):
        last = kill_after(place, lines)
        seqs = [entry.seq for entry in read_journal(place)]
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) in (last, last + 1)
        assert verify_journal(place).is_whole
    with Journal(place) as journal:
        # A server may have finished what the killed writer had asked for, after it was read here.
        assert journal.append("deal", {}, at_ms=1) in (last + 1, last + 2)
    assert verify_journal(place).is_whole


def test_a_server_that_crashes_loses_nothing_that_it_acknowledged() -> None:
    needs.program("postgresql")
    with running_server() as server:
        url = server.database()
        writer = subprocess.Popen(
            [sys.executable, "-c", APPENDER, url], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        for _ in range(60):
            writer.stdout.readline()
        server.crash()
        rest, errors = writer.communicate()
        assert writer.returncode == 1
        assert "JournalUnreachable" in errors
        last = int(rest.split()[-1]) if rest else 60
        server.start()
        seqs = [entry.seq for entry in read_journal(url)]
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) in (last, last + 1)
        assert verify_journal(url).is_whole
        with Journal(url) as journal:
            assert journal.append("deal", {}, at_ms=1) == len(seqs) + 1


def limited(path: Path, limit: int) -> tuple[int, str]:
    answer = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path), str(limit)], capture_output=True, text=True, timeout=60, check=True
    )
    done, message = answer.stdout.splitlines()
    return int(done), message


def test_a_full_disk_ends_with_one_line_and_keeps_what_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    done, message = limited(path, 300_000)
    assert done > 10
    assert "full" in message
    assert [entry.body["n"] for entry in read_journal(path)] == list(range(done))
    with Journal(path) as journal:
        assert journal.append("deal", {"n": done}, at_ms=1) == done + 1
    assert verify_journal(path).is_whole


@pytest.mark.parametrize("limit", [1, 4096, 9000])
def test_a_disk_too_full_for_a_journal_gets_none(tmp_path: Path, limit: int) -> None:
    done, message = limited(tmp_path / "session.journal", limit)
    assert done == 0
    assert "full" in message
    assert list(tmp_path.iterdir()) == []


def test_a_journal_on_a_read_only_disk_can_be_read_and_not_written() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "session.journal"
        with Journal(path) as journal:
            journal.append("deal", {"n": 1}, at_ms=1)
        path.chmod(0o444)
        folder.chmod(0o555)
        try:
            answer = subprocess.run(
                [sys.executable, "-c", READ_ONLY, str(path)], capture_output=True, text=True, timeout=60, check=True
            )
        finally:
            folder.chmod(0o755)
        assert [file.name for file in folder.iterdir()] == [path.name]
    found, *errors = answer.stdout.splitlines()
    assert found == "[{'n': 1}]"
    assert len(errors) == 2
    assert all("nothing can be written in its folder" in error for error in errors)


def test_a_server_s_full_disk_is_said_and_ends_by_itself(postgresql: Server) -> None:
    url = postgresql.schema()
    with Journal(url) as journal:
        assert journal.append("deal", {"n": 1}, at_ms=1) == 1
        with psycopg.connect(url) as server:
            server.execute(
                "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$"
            )
            server.execute("CREATE TRIGGER full_disk BEFORE INSERT ON entries EXECUTE FUNCTION fill()")
        with pytest.raises(JournalFull, match="server's disk is full"):
            journal.append("deal", {"n": 2}, at_ms=2)
        with psycopg.connect(url) as server:
            server.execute("DROP TRIGGER full_disk ON entries")
        assert journal.append("deal", {"n": 3}, at_ms=3) == 2
    assert verify_journal(url).is_whole


def test_a_database_that_another_program_of_sqlite_s_keeps_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wallwright.journal.files.BUSY_LIMIT_S", 0.05)
    path = tmp_path / "session.journal"
    with Journal(path) as journal:
        journal.append("deal", {"n": 1}, at_ms=1)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(JournalBusy, match="end that program"):
                journal.append("deal", {"n": 2}, at_ms=2)
            other.execute("ROLLBACK")
        assert journal.append("deal", {"n": 3}, at_ms=3) == 2
    assert verify_journal(path).is_whole


PIECES = 4


def test_a_copy_taken_while_it_is_written_is_whole_and_one_by_cp_is_never_taken_for_more_than_it_is(
    tmp_path: Path, seed: int
) -> None:
    """By `wallwright log copy`, and by a program that reads pieces in any order, with commits between the pieces."""
    path = tmp_path / "session.journal"
    rng = random.Random(seed)
    refused = 0
    with Journal(path) as journal:
        for copy_number in range(8):
            torn = tmp_path / f"torn-{copy_number}"
            size = path.stat().st_size // PIECES + 1
            with path.open("rb") as source, torn.open("wb") as target:
                for piece in rng.sample(range(PIECES), PIECES):
                    source.seek(piece * size)
                    target.seek(piece * size)
                    target.write(source.read(size))
                    with journal.batch():
                        for _ in range(20):
                            journal.append("deal", {"filling": "x" * rng.randrange(800)}, at_ms=1)
                    driver = journal._connection.connection.driver_connection
                    assert driver is not None
                    driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            printed = journal.checkpoint(at_ms=1)
            good = tmp_path / f"good-{copy_number}"
            assert copy_journal(path, good).id == printed.entry + 1
            assert verify_journal(good, [printed]).is_whole
            try:
                verdict = verify_journal(torn, [printed])
            except JournalError:
                refused += 1
                continue
            assert not verdict.is_whole
            assert {finding.entry for finding in verdict.findings} <= {0, verdict.head.id + 1}
            refused += "cut off" not in verdict.findings[0].text
    print(f"{refused} of 8 torn copies were damaged, the others short")
