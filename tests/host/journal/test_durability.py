"""What was acknowledged survives: a killed writer, a full disk, a disk that is read-only. By real processes."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from wallwright.journal import Journal, read_journal

APPENDER = """
import sys
from wallwright.journal import Journal
from wallwright.values import Event
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


def kill_after(path: Path, lines: int) -> int:
    """Let a process append, kill it after it has acknowledged so many entries; return the last one acknowledged."""
    writer = subprocess.Popen([sys.executable, "-c", APPENDER, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    last = 0
    for _ in range(lines):
        last = int(writer.stdout.readline())
    os.kill(writer.pid, signal.SIGKILL)
    rest = writer.stdout.read().split("\n")[:-1]
    writer.stdout.close()
    assert writer.wait() == -signal.SIGKILL
    return int(rest[-1]) if rest else last


def test_a_killed_writer_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    for lines in (1, 40, 7):
        last = kill_after(path, lines)
        seqs = [entry.seq for entry in read_journal(path)]
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) in (last, last + 1)
    with Journal(path) as journal:
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
