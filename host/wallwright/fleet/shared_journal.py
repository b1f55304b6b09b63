"""One journal for many tables: their threads hand entries in and wait; one thread commits all that wait together.

A thread that has more to do than to append takes a turn: a transaction of its own, which may read first and may be
refused.

A journal that fails (a full disk) takes nothing until a try succeeds again; until then every entry is refused with the
failure, at once. Nothing is held here meanwhile: the boards hold what was not acknowledged.
"""

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from ..clocks import wall_ms
from ..errors import BadKey, JournalError, JournalSlow
from ..journal import Checkpoint, Journal, signing_key
from ..journal.kinds import stored
from ..journal.kinds.house import JournalResumed
from ..journal.places import JournalPath
from ..journal.reader import UnitReader
from ..journal.sealing import DealKey
from ..link.reports import Event

BATCH = 500
"""Entries in one transaction at the most: a quarter of a second of work."""
COMMIT_LIMIT_S = 3.0
"""A table's thread waits this long for the disk; its board gives a silent host up after ten seconds."""
RETRY_S = 1.0
"""A failed journal is tried again this often: the tables wait for it."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Record:
    """A record of the host that is to be written, as for `Journal.append`."""

    kind: str
    body: Mapping[str, Any]
    at_ms: int
    unit: str | None


@dataclass(frozen=True, slots=True)
class _Job:
    write: Callable[[Journal], Any]
    result: "Future[Any]"
    is_turn: bool = False


class SharedJournal:
    """The journal at `path`, for any number of threads; an `EventLog` for each of them.

    `on_change` is called by the writing thread when the journal has failed, and when it works again; `problem` says
    which. Raises what `Journal` does.
    """

    def __init__(self, path: JournalPath, on_change: Callable[[], None] = lambda: None) -> None:
        self.path = ""
        """What it is called; a URL hides its password there."""
        self.problem: JournalError | None = None
        self.newest_events: Mapping[str, tuple[int, int]] = {}
        """By unit: boot id and number of the last event that was here when it was opened."""
        self._on_change = on_change
        self._jobs: deque[_Job] = deque()
        self._wake = threading.Condition()
        self._is_closing = False
        opened: Future[None] = Future()
        # A thread of its own also because SQLite's connection belongs to the thread that opened it.
        self._thread = threading.Thread(target=self._run, args=(path, opened), name="journal")
        self._thread.start()
        try:
            opened.result()
        except BaseException:
            self._thread.join()
            raise

    @property
    def is_running(self) -> bool:
        """Whether the thread that writes is there."""
        return self._thread.is_alive()

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
        """Return the event's number when it is on disk; 0 when it was there already. Raises JournalError."""
        return int(self._wait_for(lambda journal: journal.append_event(unit, event, at_ms=at_ms)))

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """Return the number of a record after it is on disk. Raises JournalError."""
        return int(self._wait_for(lambda journal: journal.append(kind, body, at_ms=at_ms, unit=unit)))

    def append_all(self, records: Sequence[Record]) -> None:
        """Return when all these records are on disk, which they come to together. Raises JournalError."""

        def write(journal: Journal) -> None:
            for record in records:
                journal.append(record.kind, record.body, at_ms=record.at_ms, unit=record.unit)

        self._wait_for(write)

    def newest_of(self, unit: str, boot_id: int, limit: int) -> int:
        """Return the highest number up to `limit` of a boot's events there, 0 for none. Raises JournalError."""
        return int(self._wait_for(lambda journal: journal.newest_of(unit, boot_id, limit)))

    def end_deal(self, unit: str, *, at_ms: int) -> None:
        """Disclose the key of a table's deal, which is over; return when that is on disk. Raises JournalError."""
        self._wait_for(lambda journal: journal.end_deal(unit, at_ms=at_ms))

    def running_keys(self, unit: str) -> Mapping[str, DealKey]:
        """Return the keys of a table's running deal, by name. Raises JournalError."""
        keys: Mapping[str, DealKey] = self._wait_for(lambda journal: journal.running_keys(unit))
        return keys

    def checkpoint(self, *, at_ms: int) -> Checkpoint:
        """Sign what is there with this machine's key; return that when it is on disk. Raises BadKey, JournalError."""
        signing_key()  # a bad key is the caller's trouble, and no failure of the journal
        signed = self._wait_for(lambda journal: journal.checkpoint(at_ms=at_ms))
        assert isinstance(signed, Checkpoint)
        return signed

    def turn(self, action: Callable[[Journal], T]) -> T:
        """Have `action` done with the journal, in a transaction of its own, by the journal's thread: all wait for it.

        Returns what it returns once that is on disk. What it raises is raised here, and nothing of it is kept; nobody
        else's entries are concerned. Raises JournalError, after which what had not begun is not done any more.
        """
        return cast(T, self._wait_for(action, is_turn=True))

    def close(self) -> None:
        """Commit what waits, close the file, end the thread."""
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        self._thread.join()

    def _wait_for(self, write: Callable[[Journal], Any], *, is_turn: bool = False) -> Any:
        job = _Job(write, Future(), is_turn)
        with self._wake:
            if self.problem is not None:
                raise _again(self.problem)
            if self._is_closing:
                raise JournalError(self.path, "it is being closed; start the program again")
            self._jobs.append(job)
            self._wake.notify()
        try:
            return job.result.result(COMMIT_LIMIT_S)
        except TimeoutError:
            if is_turn:
                # Boards tell their events again; who took a turn is told that it failed, and it must not come later.
                job.result.cancel()
            slow = JournalSlow(self.path, f"it has taken nothing for {COMMIT_LIMIT_S:g} s; look at the disk")
            self._set_problem(slow)
            raise slow from None

    def _set_problem(self, problem: JournalError | None) -> None:
        with self._wake:
            is_news = (self.problem is None) != (problem is None)
            self.problem = problem
        if is_news:
            self._on_change()

    def _run(self, path: JournalPath, opened: "Future[None]") -> None:
        try:
            journal = Journal(path)
            self.path = str(journal.path)
            self.newest_events = UnitReader(path).newest()
        except BaseException as error:  # noqa: BLE001 (it is raised in the thread that opens)
            opened.set_exception(error)
            return
        opened.set_result(None)
        try:
            with journal:
                while jobs := self._next_jobs():
                    self._commit(journal, jobs)
        finally:
            # Whatever has ended this thread, nobody may go on waiting for it.
            self.problem = self.problem or JournalError(self.path, "it is closed; start the program again")
            self._refuse_all(self.problem)

    def _next_jobs(self) -> tuple[_Job, ...]:
        """Wait for entries, or for the time of the next try; empty at the end."""
        with self._wake:
            if self.problem is not None:
                self._wake.wait_for(lambda: self._is_closing, RETRY_S)
                return () if self._is_closing else (_trial(self.problem),)
            self._wake.wait_for(lambda: self._jobs or self._is_closing)
            taken = [self._jobs.popleft()] if self._jobs else []
            while taken and not taken[0].is_turn and self._jobs and not self._jobs[0].is_turn and len(taken) < BATCH:
                taken.append(self._jobs.popleft())
            return tuple(taken)

    def _commit(self, journal: Journal, jobs: tuple[_Job, ...]) -> None:
        """Write the jobs in one transaction. A key that cannot be used is the trouble of the table that needs it."""
        if jobs[0].is_turn:
            self._take_turn(journal, jobs[0])
            return
        try:
            with journal.batch():
                results = [job.write(journal) for job in jobs]
        except BadKey as error:
            if len(jobs) == 1:
                jobs[0].result.set_exception(error)
                return
            for job in jobs:
                self._commit(journal, (job,))
        except JournalError as error:
            self._set_problem(error)
            self._jobs.extendleft(jobs)
            self._refuse_all(error)
        except BaseException:
            self._jobs.extendleft(jobs)
            raise
        else:
            for job, result in zip(jobs, results, strict=True):
                job.result.set_result(result)
            self._set_problem(None)

    def _take_turn(self, journal: Journal, job: _Job) -> None:
        if not job.result.set_running_or_notify_cancel():
            return
        try:
            with journal.batch():
                done = job.write(journal)
        except Exception as error:  # noqa: BLE001 (who took the turn has it; the tables go on whatever it is)
            if isinstance(error, JournalError) and not isinstance(error, BadKey):
                self._set_problem(error)
                self._refuse_all(error)
            job.result.set_exception(error)
        else:
            job.result.set_result(done)
            self._set_problem(None)

    def _refuse_all(self, problem: JournalError) -> None:
        with self._wake:
            jobs = tuple(self._jobs)
            self._jobs.clear()
        for job in jobs:
            if not job.is_turn or job.result.set_running_or_notify_cancel():
                job.result.set_exception(_again(problem))


def _trial(problem: JournalError) -> _Job:
    """An entry that shows whether the journal works again, and says in it that it did not."""
    said = JournalResumed(problem=str(problem))
    at_ms = wall_ms()
    return _Job(lambda journal: journal.append(*stored(said), at_ms=at_ms), Future())


def _again(problem: JournalError) -> JournalError:
    """The same error anew: one that is raised by several threads would mix their tracebacks."""
    return type(problem)(problem.path, problem.problem)
