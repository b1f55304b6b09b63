"""One host and a hall of tables: round trips, the host's share of a core, memory a table, and where it is too much.

The tables are simulated in other processes on the same machine, in real time, behind pseudo-terminals or TCP: a status
a second, a deal every five minutes with its keys and its build. Every table is asked for its status every four seconds.

    .venv-dev/bin/python -m benchmarks.hall [--tables 64,256,512] [--seconds 20] [--wire pty|tcp]
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from wallwright.fleet import Fleet, HallConfig, TableConfig
from wallwright.fleet.state import CONNECTED
from wallwright.link.discovery import Sought
from wallwright_simulator.hall import Hall, People, tcp_wire
from wallwright_simulator.serve import PtyWire
from wallwright_simulator.simulation import Simulation

ASK_EVERY_S = 4.0
DEAL_MS = 300_000
FIRST_DEAL_MS = 60_000
"""After this long the first walls have been built and raised."""
SIMULATORS = 4
CONNECT_LIMIT_S = 60
SETTLE_S = 3
"""All that happened before the host came is in the journal after this long."""
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
WIRES = {"pty": PtyWire, "tcp": tcp_wire}
TARGET_TABLES = 256
TARGET_P99_MS = 50
TARGET_CPU = 0.40
TOO_SLOW_MS = 250


@dataclass(frozen=True)
class Figures:
    """What one size of hall was measured to be. Shares of CPU are those of one core."""

    tables: int
    connect_s: float
    times_ms: tuple[float, ...]
    unanswered: int
    host_cpu: float
    simulator_cpu: float
    kb_a_table: float
    events: int

    @property
    def p99_ms(self) -> float:
        return self.times_ms[len(self.times_ms) * 99 // 100]


class TooMany(Exception):
    """The hall is too large for this machine."""


def serve(count: int, seed: int, wire: str) -> None:
    """Be one of the simulators until the host's process ends it."""
    chance = random.Random(seed)
    simulations = [Simulation(seed + number) for number in range(count)]
    people = [People(simulation, DEAL_MS) for simulation in simulations]
    for simulation, four in zip(simulations, people, strict=True):
        play_on(simulation, four, FIRST_DEAL_MS + chance.randrange(DEAL_MS))
    hall = Hall(simulations, people, new_wire=WIRES[wire])
    print(json.dumps(hall.ports), flush=True)
    while True:
        hall.step(1.0)


def play_on(simulation: Simulation, people: People, until_ms: int) -> None:
    """Let the table's time pass at once, so that every table of a hall is somewhere else in its deal."""
    while people.due_ms <= until_ms:
        simulation.run_until(people.due_ms)
        people.act()
    simulation.run_until(until_ms)


def measure(tables: int, seconds: float, wire: str, folder: Path) -> Figures:
    """Start simulators and a fleet, ask for a while, end them."""
    with ExitStack() as stack:
        simulators = []
        for number in range(SIMULATORS):
            count = tables // SIMULATORS + (number < tables % SIMULATORS)
            words = [sys.executable, __file__, "--serve", str(count), "--seed", str(10_000 * number), "--wire", wire]
            simulators.append(stack.enter_context(subprocess.Popen(words, stdout=subprocess.PIPE, text=True)))
            stack.callback(simulators[-1].kill)
        ports = [port for process in simulators if process.stdout for port in json.loads(process.stdout.readline())]
        names = [f"T{number}" for number in range(tables)]
        sought = [TableConfig(name, Sought(port=port)) for name, port in zip(names, ports, strict=True)]
        idle_kb = resident_kb()
        journal = folder / f"{wire}-{tables}.journal"
        begin = time.monotonic()
        fleet = stack.enter_context(Fleet(HallConfig(journal, folder, tuple(sought))))
        while any(table.link != CONNECTED for table in fleet.state().tables):
            if time.monotonic() > begin + CONNECT_LIMIT_S:
                lost = [table for table in fleet.state().tables if table.link != CONNECTED]
                raise TooMany(f"{len(lost)} of {tables} tables were not found in {CONNECT_LIMIT_S} s")
            time.sleep(0.05)
        connect_s = time.monotonic() - begin
        time.sleep(SETTLE_S)
        fleet.news.take(0)
        host_s = time.process_time()
        simulator_s = sum(cpu_s(process.pid) for process in simulators)
        start = time.monotonic()
        times = ask(fleet, names, seconds)
        passed = time.monotonic() - start
        return Figures(
            tables,
            connect_s,
            tuple(sorted(time_ms for time_ms in times if time_ms is not None)),
            sum(time_ms is None for time_ms in times),
            (time.process_time() - host_s) / passed,
            (sum(cpu_s(process.pid) for process in simulators) - simulator_s) / passed,
            (resident_kb() - idle_kb) / tables,
            sum(change.kind == "event" for change in fleet.news.take(0) or []),
        )


def ask(fleet: Fleet, names: list[str], seconds: float) -> list[float | None]:
    """Ask every table in turn; return the times in ms, None for a question that was not answered."""
    times: list[float | None] = []
    done = threading.Semaphore(0)
    start = time.monotonic()
    count = int(seconds / ASK_EVERY_S) * len(names)

    def question(name: str) -> None:
        before = time.monotonic()

        def answered(future: "Future[Any]") -> None:
            times.append(None if future.exception() else (time.monotonic() - before) * 1000)
            done.release()

        fleet.call(name, lambda table: table.status()).add_done_callback(answered)

    for number in range(count):
        wait = start + number * ASK_EVERY_S / len(names) - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        question(names[number % len(names)])
    for _ in range(count):
        done.acquire(timeout=30)
    return times


def resident_kb() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_KB


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def report(wire: str, one: Figures) -> Grid:
    grid = Grid(title=f"A host and its tables over {wire}; {os.cpu_count()} cores, shared with the simulators")
    for title in ("tables", "found in", "asked", "failed", "p50 ms", "p99", "max", "host", "sim.", "kB each", "events"):
        grid.add_column(title, justify="right", no_wrap=True)
    grid.add_row(
        str(one.tables),
        f"{one.connect_s:.1f} s",
        str(len(one.times_ms) + one.unanswered),
        str(one.unanswered),
        f"{one.times_ms[len(one.times_ms) // 2]:.1f}",
        f"{one.p99_ms:.1f}",
        f"{one.times_ms[-1]:.0f}",
        f"{one.host_cpu:.0%}",
        f"{one.simulator_cpu:.0%}",
        f"{one.kb_a_table:.0f}",
        str(one.events),
    )
    return grid


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="64,256,512")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--wire", choices=WIRES, default="pty")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    if chosen.serve is not None:
        serve(chosen.serve, chosen.seed, chosen.wire)
        return
    console = Console(width=110)
    slow = None
    with tempfile.TemporaryDirectory() as folder:
        for tables in map(int, chosen.tables.split(",")):
            try:
                one = measure(tables, chosen.seconds, chosen.wire, Path(folder))
            except TooMany as error:
                console.print(str(error))
                slow = slow or tables
                break
            console.print(report(chosen.wire, one))
            if tables == TARGET_TABLES:
                reached = one.p99_ms <= TARGET_P99_MS and one.host_cpu <= TARGET_CPU
                wanted = f"p99 ≤ {TARGET_P99_MS} ms and host ≤ {TARGET_CPU:.0%} of a core at {TARGET_TABLES} tables"
                console.print(f"{wanted}: {'reached' if reached else 'missed'}")
            if one.p99_ms > TOO_SLOW_MS or one.unanswered:
                slow = slow or tables
    console.print(f"p99 above {TOO_SLOW_MS} ms: {f'from {slow} tables on' if slow else 'at none of these sizes'}")


if __name__ == "__main__":
    main()
