"""The drill of a laptop that dies: simulated tables play, their host dies with its disk, another one takes over.

What happened is known from the boards' own memory. What the backup had or a board still held has to be in the journal
of the second laptop; what is gone has to be said there, table by table; and everybody plays on.
"""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..clocks import wall_ms
from ..console.demo.event import begin_event, format_of
from ..console.people.accounts import Accounts
from ..errors import JournalError
from ..journal import Entry, read_journal, verify_journal
from ..journal.kinds.house import JournalBehind
from ..rules.sichuan.ruleset import load_ruleset
from ..system.disk import write_whole
from ..system.private import make_folder
from .check import BoardRun, compare
from .host import OFFSET_BYTES
from .hosts import Host, free_port
from .tables import Tables

RULES = "sichuan"
STEP_S = 0.01
LIMIT_S = 120.0
"""The promise: so soon all tables are in play again."""
SETTLE_LIMIT_S = 60.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How many tables, at what multiple of a real table's pace, how long they play before the backup, and after it."""

    tables: int
    seed: int
    pace: float
    before_s: float
    since_s: float


@dataclass(slots=True)
class Report:
    """What came of it. Of `events` that happened, `in_backup` were in the backup, `held` by the boards when the laptop
    died or came later, `lost` had been taken by the old laptop since the backup; `told` of those the new one says.

    `restored_s` and `back_s` are counted from the moment at which somebody begins to restore. `problems` are sentences.
    """

    plan: Plan
    events: int = 0
    in_backup: int = 0
    held: int = 0
    lost: int = 0
    told: int = 0
    entries: int = 0
    restored_s: float = 0.0
    back_s: float = 0.0
    problems: list[str] = field(default_factory=list)

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        values = asdict(self)
        plan: dict[str, Any] = values.pop("plan")
        return plan | values | {"restored_s": round(self.restored_s, 1), "back_s": round(self.back_s, 1)}


class Drill:
    """The drill in `folder`; `say` is told of every step in a line."""

    def __init__(self, plan: Plan, folder: Path, say: Callable[[str], None]) -> None:
        self._plan = plan
        self._folder = folder
        self._say = say
        self._old, self._new, self._stick = (folder / name for name in ("old", "new", "stick"))
        self._tables = Tables(plan.tables, plan.seed, plan.pace, load_ruleset(RULES), lambda *_: None)
        self._clock = folder / "clock"
        write_whole(self._clock, bytes(OFFSET_BYTES))

    def run(self) -> Report:
        """Play it all; Ctrl-C ends it, and everything that was started."""
        report = Report(self._plan)
        host: Host | None = None
        try:
            self._set_up()
            host = self._serve(self._old)
            self._wait_until_back(range(self._plan.tables))
            self._go_on(self._plan.before_s)
            self._say("The tables play; a backup is made.")
            self._program(self._old, "backup", "make", *self._words())
            (backup,) = self._stick.iterdir()
            self._go_on(self._plan.since_s)
            # What every table has told last is taken, and not in the backup.
            self._wait_until_back(range(self._plan.tables))
            host.kill()
            shutil.rmtree(self._old)
            died = self._tables.runs()
            self._say("The laptop is dead, and its disk with it. Another one takes over.")
            began_s = time.monotonic()
            self._program(self._new, "backup", "restore", str(backup), str(self._new / "hall"))
            report.restored_s = time.monotonic() - began_s
            restored = list(read_journal(self._new / "hall" / "hall.journal"))
            host = self._serve(self._new / "hall")
            self._wait_until_back(range(self._plan.tables))
            report.back_s = time.monotonic() - began_s
            self._say(f"All tables are in play again after {report.back_s:.1f} s.")
            self._settle(report)
            host.signal(15)
            host.process.wait(SETTLE_LIMIT_S)
            journal = self._new / "hall" / "hall.journal"
            judge(report, died, self._tables.runs(), restored, list(read_journal(journal)))
            self._verify(report, journal)
        finally:
            if host is not None:
                host.kill()
            self._tables.close()
        if report.back_s > LIMIT_S:
            report.problems.append(f"the tables were back after {report.back_s:.0f} s; {LIMIT_S:g} s are promised")
        return report

    def _set_up(self) -> None:
        for folder in (self._old, self._new, self._stick):
            make_folder(folder)
        event_format, journal = format_of(load_ruleset(RULES)), str(self._old / "hall.journal")
        begin_event(journal, event_format, self._tables.units, (), wall_ms(), self._plan.seed)
        accounts = Accounts(self._old / "hall.users")
        accounts.invite(wall_ms())
        accounts.close()
        tables = "".join(f'[[table]]\nname = "T{n}"\nport = "{port}"\n' for n, port in enumerate(self._tables.ports, 1))
        text = f'journal = "hall.journal"\nrules = "{RULES}"\n{tables}'
        write_whole(self._old / "hall.toml", text.encode())

    def _words(self) -> tuple[str, ...]:
        old = self._old
        return (
            str(old / "hall.journal"),
            str(self._stick),
            *("--with", str(old / "hall.toml")),
            *("--with", str(old / "hall.users")),
        )

    def _serve(self, folder: Path) -> Host:
        words = ("--config", str(folder / "hall.toml"))
        return Host(self._clock, words, free_port(), self._environment(folder))

    def _environment(self, folder: Path) -> dict[str, str]:
        """Each laptop has keys of its own."""
        home = self._folder / "keys" / folder.relative_to(self._folder).parts[0]
        return {**os.environ, "XDG_DATA_HOME": str(home)}

    def _program(self, laptop: Path, *words: str) -> None:
        """Run `wallwright` on a laptop while the tables go on. Raises JournalError when it fails."""
        process = subprocess.Popen(
            [sys.executable, "-m", "wallwright", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            env=self._environment(laptop),
            start_new_session=True,
        )
        said: list[str] = []
        reader = threading.Thread(target=lambda: said.append(process.communicate()[0]), daemon=True)
        reader.start()
        try:
            while reader.is_alive():
                self._tables.step(STEP_S)
        except BaseException:
            process.kill()
            raise
        if process.returncode:
            raise JournalError(words[-1], f"`wallwright {' '.join(words[:2])}` failed: {said[0].strip()}")

    def _wait_until_back(self, tables: Iterable[int]) -> None:
        """Go on until a call from each table is in the journal, and its board knows that."""
        waiting = set(tables)
        for table in waiting:
            self._tables.call_referee(table)
        end_s = time.monotonic() + 2 * LIMIT_S
        while waiting:
            self._tables.step(STEP_S)
            waiting = {table for table in waiting if not self._tables.is_heard(table)}
            if time.monotonic() > end_s:
                raise JournalError(str(self._new), f"{len(waiting)} tables did not come into play")

    def _go_on(self, seconds: float) -> None:
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s:
            self._tables.step(STEP_S)

    def _settle(self, report: Report) -> None:
        """Have everything handed over that is there."""
        self._tables.rest()
        end_s = time.monotonic() + SETTLE_LIMIT_S
        while not self._tables.is_handed_over:
            self._tables.step(STEP_S)
            if time.monotonic() > end_s:
                report.problems.append(f"after {SETTLE_LIMIT_S:g} s of quiet something still waited")
                return

    def _verify(self, report: Report, journal: Path) -> None:
        verdict = verify_journal(journal)
        report.entries = verdict.head.id
        report.problems += [finding.text for finding in verdict.findings]


def judge(
    report: Report,
    died: Sequence[BoardRun],
    runs: Sequence[BoardRun],
    restored: Sequence[Entry],
    entries: Sequence[Entry],
) -> None:
    """Compare the second laptop's journal with what happened, and fill in the report.

    `died` are the boards when the first laptop died, `runs` at the end; `restored` is what was in the backup.
    """
    in_backup, there, told = _numbers(restored), _numbers(entries), _told(entries)
    taken = {(run.unit, run.boot_id): run.acknowledged for run in died}
    kept = []
    for run in runs:
        key = run.unit, run.boot_id
        gone = taken.get(key, frozenset()) - in_backup[key]
        report.events += len(run.events)
        report.in_backup += len(in_backup[key])
        report.lost += len(gone)
        report.held += len(run.events) - len(gone) - len(in_backup[key])
        report.told += told[key]
        if told[key] != len(gone):
            report.problems.append(f"{run.unit} lacks {len(gone)} events, and {told[key]} are told")
        missing = run.events.keys() - gone - there[key]
        if missing:
            report.problems.append(f"{run.unit}: {len(missing)} events are in no journal, the first is {min(missing)}")
        kept.append(BoardRun(run.unit, run.boot_id, run.events, frozenset(run.acknowledged - gone)))
    report.problems += compare(kept, (), (), entries).problems


def _numbers(entries: Sequence[Entry]) -> dict[tuple[str, int], set[int]]:
    found: dict[tuple[str, int], set[int]] = defaultdict(set)
    for entry in entries:
        if entry.seq is not None and entry.boot_id is not None:
            found[entry.unit or "", entry.boot_id].add(entry.seq)
    return found


def _told(entries: Sequence[Entry]) -> dict[tuple[str, int], int]:
    found: dict[tuple[str, int], int] = defaultdict(int)
    for entry in entries:
        if isinstance(entry.said, JournalBehind):
            found[entry.unit or "", entry.said.boot_id] += entry.said.lost or 0
    return found
