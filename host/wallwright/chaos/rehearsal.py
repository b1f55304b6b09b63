"""Plays the rehearsal: waves of faults over a hall at play, until its time is over; then what there is is compared.

Between two waves everything that fails is mended, and the time is taken until each table is back in play: until a call
of a player, pressed the moment that the last fault that concerned the table was over, is in the journal and the board
knows it.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any

from ..clocks import wall_ms
from ..console.demo.event import begin_event, format_of
from ..console.people.accounts import Accounts
from ..errors import JournalError
from ..journal import read_journal, verify_journal
from ..journal.rolls import WRONG, check_dice
from ..rules.sichuan.ruleset import load_ruleset
from ..system.disk import write_whole
from .check import Comparison, compare
from .hosts import Hosts
from .phones import NAME, PASSWORD, Scorer
from .schedule import CLOCK, DISK_FULL, KILL, RESTART, SECOND_HOST, SERVER, SERVER_CRASH, STOP, Fault, draw_wave
from .server import Server
from .tables import Tables

RULES = "sichuan"
STEP_S = 0.01
BACK_LIMIT_S = 60.0
"""A table that is not back by then is a broken promise of its own."""
CALM_S = 2.0
"""Between two waves everybody plays on for so long."""
SETTLE_LIMIT_S = 60.0
TROUBLE_S = 10.0
"""A host that was started while its journal could not be had may say so for as long after."""
MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Plan:
    """How many tables, for how long, at what multiple of a real table's pace; `back_within_s` is the promise."""

    tables: int
    seconds: float
    seed: int
    pace: float
    back_within_s: float


@dataclass(slots=True)
class Report:
    """What came of it. `faults` counts them by kind; `back_s` are the times until a table was back in play, sorted.

    `problems` are sentences about broken promises; none when all was kept. `is_cut_short`: somebody ended it.
    """

    plan: Plan
    seconds: float = 0.0
    waves: int = 0
    starts: int = 0
    retries: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    compared: Comparison = field(default_factory=Comparison)
    rolls: int = 0
    entries: int = 0
    back_s: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    is_cut_short: bool = False

    def back(self, share: float) -> float | None:
        """Return the s within which this share of all tables was back in play; None when none had been away."""
        return self.back_s[min(len(self.back_s) - 1, int(share * len(self.back_s)))] if self.back_s else None

    def of(self, kinds: dict[str, tuple[float, float]]) -> int:
        """Return how many faults there were of these kinds."""
        return sum(self.faults[kind] for kind in kinds)

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        compared = {name: value for name, value in asdict(self.compared).items() if name != "problems"}
        return {
            **asdict(self.plan),
            "seconds": round(self.seconds, 1),
            "waves": self.waves,
            "host_starts": self.starts,
            "retries": self.retries,
            "faults": dict(sorted(self.faults.items())),
            **compared,
            "rolls": self.rolls,
            "entries": self.entries,
            "back_in_play": {
                "times": len(self.back_s),
                "p50_s": _rounded(self.back(0.5)),
                "p99_s": _rounded(self.back(0.99)),
                "longest_s": _rounded(self.back(1.0)),
            },
            "cut_short": self.is_cut_short,
            "problems": self.problems,
        }


class Chaos:
    """The rehearsal in `folder`; with a `server` the journal is a database of its own there.

    `say` is told of every wave in a line.
    """

    def __init__(self, plan: Plan, folder: Path, server: Server | None, say: Callable[[str], None]) -> None:
        self._plan = plan
        self._say = say
        self._server = server
        self._report = Report(plan)
        self._place: Path | str = folder / "hall.journal" if server is None else server.database()
        self._numbers = count()
        self._timeline: list[tuple[float, int, Callable[[], None]]] = []
        self._open: Counter[int] = Counter()
        self._since_s: dict[int, float] = {}
        self._crashing: list[threading.Thread] = []
        self._trouble = 0
        self._trouble_s = 0.0
        self._scorer = Scorer(lambda: self._hosts.address)
        rules = load_ruleset(RULES)
        self._tables = Tables(plan.tables, plan.seed, plan.pace, rules, self._scorer.declare)
        begin_event(str(self._place), format_of(rules), self._tables.units, (), wall_ms(), plan.seed)
        users = folder / "hall.users"
        accounts = Accounts(users)
        accounts.add(NAME, "director", PASSWORD)
        accounts.close()
        config = folder / "hall.toml"
        write_whole(config, _config(self._place, self._tables.ports).encode())
        words = ("--config", str(config), "--users", str(users))
        self._hosts = Hosts(folder / "clock", lambda _: words, self._may_fail)

    def run(self) -> Report:
        """Play until the time is over, or Ctrl-C; then compare, and end everything that was started."""
        begin_s = time.monotonic()
        try:
            self._scorer.start()
            try:
                self._wait_until_back(range(self._plan.tables))
                self._report.back_s.clear()
                while time.monotonic() - begin_s < self._plan.seconds:
                    self._wave()
            except KeyboardInterrupt:
                self._report.is_cut_short = True
            self._settle()
            self._report.seconds = time.monotonic() - begin_s
            self._hosts.end()
            self._compare()
        finally:
            self._scorer.close()
            self._hosts.close()
            self._tables.close()
            for thread in self._crashing:
                thread.join()
        return self._report

    def _wave(self) -> None:
        report = self._report
        report.waves += 1
        faults = draw_wave(self._plan.seed, report.waves, self._plan.tables, has_server=self._server is not None)
        begin_s = time.monotonic()
        for fault in faults:
            report.faults[fault.kind] += 1
            self._open.update(self._concerned(fault))
            self._at(begin_s + fault.at_s, lambda fault=fault: self._begin(fault))  # type: ignore[misc]
        took_s = self._wait_until_back(range(self._plan.tables), begin_s + max(fault.end_s for fault in faults))
        slowest = max(took_s, key=lambda table: took_s[table], default=0)
        kinds = ", ".join(fault.kind for fault in faults if slowest in self._concerned(fault))
        self._say(
            f"wave {report.waves}: {len(faults)} faults; the last table was back after {took_s.get(slowest, 0):.1f} s "
            f"({kinds}); {self._tables.events} events, {len(self._scorer.confirmed)} deals declared"
        )
        self._go_on(time.monotonic() + CALM_S)

    def _wait_until_back(self, tables: range, not_before_s: float = 0.0) -> dict[int, float]:
        """Go on until the faults of these tables are over, and each is back in play; return how long that took them."""
        waiting = set(tables)
        took_s: dict[int, float] = {}
        heard: dict[int, float] = {}
        if not_before_s == 0.0:
            self._since_s = dict.fromkeys(tables, time.monotonic())
        while waiting:
            self._step()
            now_s = time.monotonic()
            for table in sorted(waiting):
                if self._open[table] or table not in self._since_s:
                    if now_s > not_before_s and table not in self._since_s:
                        waiting.discard(table)  # nothing concerned it
                    continue
                if table not in heard:
                    heard[table] = now_s
                    self._tables.call_referee(table)
                elif self._tables.is_heard(table):
                    took_s[table] = time.monotonic() - self._since_s[table]
                    waiting.discard(table)
                elif now_s - self._since_s[table] > BACK_LIMIT_S:
                    self._report.problems.append(f"table {table + 1} was not back in play after {BACK_LIMIT_S:g} s")
                    waiting.discard(table)
        self._since_s = {}
        self._report.back_s += took_s.values()
        return took_s

    def _concerned(self, fault: Fault) -> range:
        return range(self._plan.tables) if fault.table is None else range(fault.table, fault.table + 1)

    def _begin(self, fault: Fault) -> None:
        if fault.table is not None:
            self._tables.begin(fault)
        elif fault.kind in SERVER:
            self._crash(fault)
            return
        else:
            self._begin_at_host(fault)
        self._at(time.monotonic() + fault.for_s, lambda: self._end(fault))

    def _begin_at_host(self, fault: Fault) -> None:
        hosts = self._hosts
        if fault.kind == STOP:
            hosts.stop()
        elif fault.kind == SECOND_HOST:
            hosts.start_second()
        elif fault.kind == DISK_FULL:
            self._trouble += 1
            hosts.fill_disk(True)
        elif fault.kind == CLOCK:
            hosts.set_clock(int(fault.amount))

    def _end(self, fault: Fault) -> None:
        hosts = self._hosts
        if fault.kind in (KILL, SECOND_HOST):
            hosts.kill()
        elif fault.kind == RESTART:
            hosts.restart()
        elif fault.kind == STOP:
            hosts.go_on()
        elif fault.kind == DISK_FULL:
            hosts.fill_disk(False)
            self._trouble_ends()
        elif fault.kind == CLOCK:
            hosts.set_clock(0)
        self._is_over(fault)

    def _is_over(self, fault: Fault) -> None:
        for table in self._concerned(fault):
            self._open[table] -= 1
            self._since_s[table] = time.monotonic()

    def _crash(self, fault: Fault) -> None:
        """Stopping and starting a server takes its time, in which the hall goes on."""
        server = self._server
        assert server is not None
        self._trouble += 1

        def run() -> None:
            if fault.kind == SERVER_CRASH:
                server.crash()
            else:
                server.stop()
            time.sleep(fault.for_s)
            server.start()

        thread = threading.Thread(target=run, name="server")
        self._crashing.append(thread)
        thread.start()

        def look() -> None:
            if thread.is_alive():
                self._at(time.monotonic() + STEP_S, look)
            else:
                self._trouble_ends()
                self._is_over(fault)

        look()

    def _trouble_ends(self) -> None:
        self._trouble -= 1
        self._trouble_s = time.monotonic()

    def _may_fail(self) -> bool:
        return self._trouble > 0 or time.monotonic() - self._trouble_s < TROUBLE_S

    def _at(self, time_s: float, act: Callable[[], None]) -> None:
        heappush(self._timeline, (time_s, next(self._numbers), act))

    def _step(self) -> None:
        while self._timeline and self._timeline[0][0] <= time.monotonic():
            heappop(self._timeline)[2]()
        self._tables.step(STEP_S)
        self._hosts.look()

    def _go_on(self, until_s: float) -> None:
        while time.monotonic() < until_s:
            self._step()

    def _settle(self) -> None:
        """Let everything that fails end, the people stop, and what waits arrive."""
        limit_s = time.monotonic() + SETTLE_LIMIT_S
        self._tables.rest()
        while self._timeline or not (self._scorer.is_done and self._tables.is_handed_over):
            self._step()
            if time.monotonic() > limit_s:
                self._report.problems.append(f"after {SETTLE_LIMIT_S:g} s of quiet something still waited")
                return

    def _compare(self) -> None:
        report = self._report
        report.starts = self._hosts.starts
        report.retries = self._scorer.retries
        report.back_s.sort()
        report.compared = compare(
            self._tables.runs(), self._tables.seen(), self._scorer.confirmed, read_journal(self._place)
        )
        problems = report.problems + report.compared.problems + self._hosts.problems
        problems += [f"a result was refused: {text}" for text in self._scorer.refused]
        try:
            verdict = verify_journal(self._place)
        except JournalError as error:
            problems.append(str(error))
        else:
            report.entries = verdict.head.id
            problems += [finding.text for finding in verdict.findings]
        rolls = check_dice(read_journal(self._place))
        report.rolls = len(rolls.rolls)
        if rolls.count(WRONG):
            problems.append(f"{rolls.count(WRONG)} rolls of the dice are wrong")
        slowest = report.back(0.99)
        if slowest is not None and slowest > self._plan.back_within_s:
            problems.append(
                f"tables were back in play after {slowest:.1f} s at p99; {self._plan.back_within_s:g} s are promised"
            )
        more = len(problems) - MOST_PROBLEMS
        report.problems = problems[:MOST_PROBLEMS] + ([f"and {more} more"] if more > 0 else [])


def _config(place: Path | str, ports: tuple[str, ...]) -> str:
    tables = "".join(f'[[table]]\nname = "T{number}"\nport = "{port}"\n' for number, port in enumerate(ports, 1))
    return f'journal = "{place}"\nrules = "{RULES}"\n{tables}'


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 2)
