"""One journal for many threads: together on disk, in each one's order, and a failure that everybody hears of."""

import random
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests import needs
from tests.host.fleet.served import until
from tests.host.postgresql import running_server
from wallwright.errors import (
    BadKey,
    EventRefused,
    JournalBusy,
    JournalError,
    JournalFull,
    JournalSlow,
    JournalUnreachable,
    NotAJournal,
)
from wallwright.fleet import shared_journal
from wallwright.fleet.shared_journal import SharedJournal
from wallwright.journal import Journal, key_path, read_journal, verify_journal
from wallwright.link.reports import Event


def event(seq: int, boot_id: int = 7) -> Event:
    return Event(seq, boot_id, seq, "state_changed", {"state": "idle"})


class Disk(Journal):
    """Counts transactions; may be full, or hold every transaction until it is let go."""

    transactions = 0
    is_full = False
    gate = threading.Event()
    is_waiting = threading.Event()

    @contextmanager
    def batch(self) -> Iterator[None]:
        if self._connection.in_transaction():
            with super().batch():
                yield
            return
        Disk.is_waiting.set()
        Disk.gate.wait(60)
        if Disk.is_full:
            raise JournalFull(str(self.path), "the disk is full")
        Disk.transactions += 1
        with super().batch():
            yield


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Disk]]:
    monkeypatch.setattr(shared_journal, "Journal", Disk)
    monkeypatch.setattr(shared_journal, "RETRY_S", 0.02)
    monkeypatch.setattr(shared_journal, "COMMIT_LIMIT_S", 60.0)  # the disk under the tests may be slow
    Disk.transactions = 0
    Disk.is_full = False
    Disk.gate.set()
    yield Disk
    Disk.gate.set()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hall.journal"


Open = Callable[..., SharedJournal]


@pytest.fixture
def shared(path: Path) -> Iterator[Open]:
    """Opens the journal, and closes it however the test ends."""
    opened: list[SharedJournal] = []

    def open_it(on_change: Callable[[], None] = lambda: None) -> SharedJournal:
        opened.append(SharedJournal(path, on_change))
        return opened[-1]

    yield open_it
    for journal in opened:
        journal.close()


def test_what_many_threads_append_is_there_once_in_each_one_s_order(path: Path, shared: Open, seed: int) -> None:
    journal = shared()

    def work(number: int) -> None:
        rng = random.Random(seed + number)
        for seq in range(1, 21):
            assert journal.append_event(f"T-{number}", event(seq), at_ms=seq)
            if rng.random() < 0.3:
                assert not journal.append_event(f"T-{number}", event(rng.randint(1, seq)), at_ms=seq)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    journal.close()
    for number in range(8):
        assert [e.seq for e in read_journal(path) if e.unit == f"T-{number}"] == list(range(1, 21))


def test_entries_that_wait_together_are_one_transaction(path: Path, shared: Open, disk: type[Disk]) -> None:
    journal = shared()
    results: list[int] = []

    def start(count: int) -> list[threading.Thread]:
        def work() -> None:
            results.append(journal.append("note", {}, at_ms=1))

        threads = [threading.Thread(target=work) for _ in range(count)]
        for thread in threads:
            thread.start()
        return threads

    disk.gate.clear()
    disk.is_waiting.clear()
    before = disk.transactions
    threads = start(1)
    assert disk.is_waiting.wait(60)
    threads += start(20)
    until(lambda: len(journal._jobs) == 20)
    disk.gate.set()
    for thread in threads:
        thread.join()
    assert sorted(results) == list(range(1, 22))
    assert disk.transactions - before == 2
    journal.close()


def test_a_failure_is_heard_by_all_and_ends_by_itself(path: Path, shared: Open, disk: type[Disk]) -> None:
    changes: list[bool] = []
    journal: SharedJournal = shared(lambda: changes.append(journal.problem is None))
    assert journal.append("note", {"n": 1}, at_ms=1) == 1
    disk.is_full = True
    for _ in range(3):
        with pytest.raises(JournalFull, match="full"):
            journal.append("note", {"n": 2}, at_ms=1)
    assert changes == [False]
    disk.is_full = False
    until(lambda: journal.problem is None)
    assert journal.append("note", {"n": 3}, at_ms=1) == 3
    assert changes == [False, True]
    journal.close()
    assert [entry.kind for entry in read_journal(path)] == ["note", "journal_resumed", "note"]


def test_a_disk_that_hangs_lets_go_of_those_who_wait(
    shared: Open, disk: type[Disk], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_journal, "COMMIT_LIMIT_S", 0.1)
    changes: list[bool] = []
    journal: SharedJournal = shared(lambda: changes.append(journal.problem is None))
    disk.gate.clear()
    with pytest.raises(JournalSlow):
        journal.append_event("T-1", event(1), at_ms=1)
    with pytest.raises(JournalSlow):
        journal.append_event("T-1", event(2), at_ms=1)
    monkeypatch.setattr(shared_journal, "COMMIT_LIMIT_S", 60.0)
    disk.gate.set()
    until(lambda: journal.problem is None)
    assert changes == [False, True]
    # It was on its way all the time, and comes again from the board.
    assert not journal.append_event("T-1", event(1), at_ms=2)
    assert journal.append_event("T-1", event(2), at_ms=2)
    journal.close()


def test_an_entry_that_cannot_be_is_a_bug_and_nobody_waits_for_ever(
    path: Path, shared: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    journal = shared()
    with pytest.raises(JournalError):
        journal.append("note", {"n": object()}, at_ms=1)
    with pytest.raises(JournalError, match="closed"):
        journal.append("note", {}, at_ms=1)
    journal.close()
    Journal(path).close()


def test_what_cannot_be_opened_is_said_at_once(path: Path) -> None:
    with Journal(path) as other, pytest.raises(JournalBusy):
        SharedJournal(other.path)
    path.write_text("something else, and long enough to be looked at" * 20)
    with pytest.raises(NotAJournal):
        SharedJournal(path)
    assert not [thread for thread in threading.enumerate() if thread.name == "journal"]


def test_it_knows_what_is_there_when_it_is_opened(path: Path, shared: Open) -> None:
    with Journal(path) as before:
        before.append_event("T-1", event(5, boot_id=9), at_ms=1)
    journal = shared()
    assert journal.newest_events == {"T-1": (9, 5)}
    journal.close()
    journal.close()


def test_a_file_that_another_program_locks_is_heard_of_and_ends_by_itself(
    path: Path, shared: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wallwright.journal.files.BUSY_LIMIT_S", 0.01)
    monkeypatch.setattr(shared_journal, "RETRY_S", 0.02)
    monkeypatch.setattr(shared_journal, "COMMIT_LIMIT_S", 60.0)
    journal = shared()
    journal.append("note", {"n": 1}, at_ms=1)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalBusy):
            journal.append("note", {"n": 2}, at_ms=1)
        assert isinstance(journal.problem, JournalBusy)
        other.execute("ROLLBACK")
    until(lambda: journal.problem is None)
    journal.append("note", {"n": 3}, at_ms=1)
    journal.close()
    assert [entry.body.get("n") for entry in read_journal(path)] == [1, None, 3]


def test_a_server_that_goes_is_heard_of_and_its_events_are_taken_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shared_journal, "RETRY_S", 0.02)
    monkeypatch.setattr(shared_journal, "COMMIT_LIMIT_S", 60.0)
    needs.program("postgresql")
    with running_server() as server:
        url = server.database()
        journal = SharedJournal(url)
        try:
            assert journal.append_event("T-1", event(1), at_ms=1)
            server.stop()
            with pytest.raises(JournalUnreachable):
                journal.append_event("T-1", event(2), at_ms=1)
            server.start()
            until(lambda: journal.problem is None)
            assert journal.append_event("T-1", event(2), at_ms=1)
        finally:
            journal.close()
        assert [entry.seq for entry in read_journal(url) if entry.unit == "T-1"] == [1, 2]
        assert verify_journal(url).is_whole


def test_what_is_there_can_be_signed(path: Path, shared: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(path.parent))
    journal = shared()
    journal.append("note", {}, at_ms=1)
    printed = journal.checkpoint(at_ms=2)
    key_path().chmod(0o644)
    with pytest.raises(BadKey):
        journal.checkpoint(at_ms=3)
    key_path().chmod(0o600)
    assert journal.problem is None
    assert journal.append("note", {}, at_ms=4) == 3
    journal.close()
    assert printed.entry == 1
    assert verify_journal(path, [printed]).is_whole


def note(journal: Journal, n: int) -> int:
    return journal.append("note", {"n": n}, at_ms=n)


def test_a_turn_that_is_refused_takes_nothing_of_others_with_it(path: Path, shared: Open, disk: type[Disk]) -> None:
    journal = shared()

    def refused(open_journal: Journal) -> int:
        note(open_journal, 100)
        assert [entry.body["n"] for entry in open_journal.entries()] == [1, 100], "others wait, or are there already"
        raise EventRefused("no")

    def buggy(open_journal: Journal) -> None:
        note(open_journal, 200)
        raise ZeroDivisionError

    def turn(number: int, action: Callable[[Journal], object]) -> None:
        try:
            heard[number] = journal.turn(action)
        except Exception as error:  # noqa: BLE001 (it is looked at below)
            heard[number] = type(error)

    heard: dict[int, object] = {}
    disk.gate.clear()
    disk.is_waiting.clear()
    jobs: list[Callable[[], object]] = [
        lambda: journal.append("note", {"n": 1}, at_ms=1),
        lambda: turn(1, refused),
        lambda: journal.append("note", {"n": 2}, at_ms=2),
        lambda: turn(3, buggy),
        lambda: turn(4, lambda open_journal: (note(open_journal, 3), note(open_journal, 4))),
        lambda: journal.append("note", {"n": 5}, at_ms=5),
    ]
    threads = []
    for number, job in enumerate(jobs):
        threads.append(threading.Thread(target=job))
        threads[-1].start()
        if number == 0:
            assert disk.is_waiting.wait(60)
        until(partial(lambda count: len(journal._jobs) == count, number))
    disk.gate.set()
    for thread in threads:
        thread.join()
    assert heard == {1: EventRefused, 3: ZeroDivisionError, 4: (3, 4)}
    assert journal.problem is None
    journal.close()
    assert [entry.body["n"] for entry in read_journal(path)] == [1, 2, 3, 4, 5]
    assert verify_journal(path).is_whole


def test_a_turn_hears_of_a_full_disk_as_tables_do(path: Path, shared: Open, disk: type[Disk]) -> None:
    journal = shared()
    disk.is_full = True
    for _ in range(2):
        with pytest.raises(JournalFull):
            journal.turn(lambda open_journal: note(open_journal, 1))
    disk.is_full = False
    until(lambda: journal.problem is None)
    assert journal.turn(lambda open_journal: note(open_journal, 2)) == 2
    journal.close()
    assert [entry.kind for entry in read_journal(path)] == ["journal_resumed", "note"]


def test_a_turn_that_was_given_up_does_not_come_later(
    path: Path, shared: Open, disk: type[Disk], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = shared()
    disk.gate.clear()
    disk.is_waiting.clear()
    first = threading.Thread(target=lambda: journal.append("note", {"n": 1}, at_ms=1))
    first.start()
    assert disk.is_waiting.wait(60)
    monkeypatch.setattr(shared_journal, "COMMIT_LIMIT_S", 0.05)
    with pytest.raises(JournalSlow):
        journal.turn(lambda open_journal: note(open_journal, 2))
    monkeypatch.setattr(shared_journal, "COMMIT_LIMIT_S", 60.0)
    disk.gate.set()
    first.join()
    until(lambda: journal.problem is None)
    assert journal.turn(lambda open_journal: note(open_journal, 3)) == 2
    journal.close()
    assert [entry.body["n"] for entry in read_journal(path)] == [1, 3]
