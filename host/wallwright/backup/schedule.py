"""Has a hall backed up every few minutes while it goes on, and says when that fails.

Each backup is made and checked by a process of its own: a disk that hangs, a network's folder that is away or a journal
that takes long to read keep neither tables nor people waiting, and a stop of the hall does not wait for them.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..clocks import lasting_ms, wall_ms
from ..fleet.config import HallConfig
from ..journal.addresses import find_place
from ..journal.places import JournalPath
from ..text_files import lines_in
from .kept import Kept

LATE = 2
"""Times the interval: so old may the newest backup be."""
MINUTE_MS = 60_000
RETRY_S = 60.0
"""One that has failed is tried again so soon."""
LOOK_S = 0.25
GRACE_S = 2.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is backed up every `every_min` minutes: a journal and the files `beside` it, into a folder."""

    journal: JournalPath
    folder: Path
    every_min: int
    beside: Sequence[Path] = ()


class Backups:
    """Makes the backups of `plan` in a thread of its own, from `start` to `close`; `tell` gets what a person must know.

    `close` ends one that is under way: it is not there then.
    """

    def __init__(self, plan: Plan, tell: Callable[[str], None], now_ms: Callable[[], int] = wall_ms) -> None:
        self._plan = plan
        self._tell = tell
        self._now_ms = now_ms
        self._kept = Kept(plan.folder, journal_name(plan.journal))
        self._began_ms = lasting_ms(now_ms)
        self._good_ms: int | None = None
        self._failure = ""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="backups")

    def start(self) -> None:
        """Start; the first one is made at once unless there is a fresh one."""
        with suppress(OSError):
            newest_ms = self._kept.newest_ms()
            if newest_ms is not None:
                self._good_ms = lasting_ms(self._now_ms) - max(0, self._now_ms() - newest_ms)
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._over.set()
        self._thread.join()

    def problem(self) -> str | None:
        """Return what is wrong with the backups: none, none lately, or the last one failed."""
        good_ms = self._good_ms
        since_ms = self._began_ms if good_ms is None else good_ms
        age_min = (lasting_ms(self._now_ms) - since_ms) // MINUTE_MS
        newest = "there is none yet" if good_ms is None else f"the newest that was checked is {age_min} min old"
        if self._failure:
            return f"the last backup has failed ({self._failure}); {newest}"
        if age_min >= LATE * self._plan.every_min:
            return f"a backup is overdue, look at {self._plan.folder}; {newest}"
        return None

    def _run(self) -> None:
        while not self._over.wait(self._pause_s()):
            why = self._make()
            if self._over.is_set():
                return
            if not why:
                self._good_ms = lasting_ms(self._now_ms)
            if why != self._failure:
                self._failure = why
                self._tell(f"backup: {self.problem() or 'they work again'}")

    def _pause_s(self) -> float:
        if self._failure:
            return RETRY_S
        if self._good_ms is None:
            return 0
        return max(0.0, self._plan.every_min * 60 - (lasting_ms(self._now_ms) - self._good_ms) / 1000)

    def _make(self) -> str:
        """Make one; return why it was not made, nothing when it was."""
        plan = self._plan
        journal, environment = written(plan.journal)
        given = [word for path in plan.beside if path.exists() for word in ("--with", str(path))]
        words_ = ["backup", "make", journal, str(plan.folder), *given, "--thin", "--json"]
        # In a session of its own: Ctrl-C at the hall's terminal is for the hall.
        process = subprocess.Popen(
            [sys.executable, "-m", "wallwright", *words_],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment,
            start_new_session=True,
        )
        if sys.platform != "win32":
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, 10)
        said = _watched(process, self._over)
        if process.returncode == 0:
            return ""
        return (lines_in(said.strip()) or ["it has ended without a word"])[-1].removeprefix("error: ")


@contextmanager
def backing_up(
    hall: HallConfig, journals: Sequence[JournalPath], beside: Sequence[Path]
) -> Iterator[Callable[[], str | None]]:
    """Have the hall backed up meanwhile, if it names a folder; give what says what is wrong with that.

    Of several journals each has backups of its own; what lies `beside` goes with the first.
    """
    running: list[Backups] = []
    if hall.backup is not None:
        for number, journal in enumerate(journals):
            plan = Plan(journal, hall.backup, hall.backup_every_min, () if number else beside)
            running.append(Backups(plan, lambda text: print(text, file=sys.stderr, flush=True)))
    for one in running:
        one.start()
    try:
        yield lambda: next((problem for one in running if (problem := one.problem()) is not None), None)
    finally:
        for one in running:
            one.close()


def journal_name(journal: JournalPath) -> str:
    """Return what the backups of a journal are called: as its file, or its database."""
    place = find_place(journal).path
    return place.stem if isinstance(place, Path) else str(place.database)


def written(journal: JournalPath) -> tuple[str, dict[str, str]]:
    """Return how another program is told of a journal: a word, and an environment, which others cannot read."""
    place = find_place(journal).path
    if isinstance(place, Path):
        return str(place), dict(os.environ)
    password = {} if place.password is None else {"PGPASSWORD": place.password}
    return place._replace(password=None).render_as_string(), {**os.environ, **password}


def _watched(process: "subprocess.Popen[str]", over: threading.Event) -> str:
    """Wait for the process, or end it when the hall ends; return what it has said of errors."""
    while not over.is_set():
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=LOOK_S)[1]
    process.kill()
    # One that waits for a disk which is away cannot be ended; the hall can.
    with suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=GRACE_S)
    return ""
