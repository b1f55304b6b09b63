"""A journal of a million entries: how long commands and `serve` wait for it, with what was checked before and without.

    .venv-dev/bin/python -m benchmarks.large_journal [--entries 100000 1000000] [--without-postgresql]

The journal has an event whose tables tell their results by themselves, and as many other reports of boards as are
missing. Each command is a process of its own, as somebody types it. The targets are 5 s for the first answer of
`serve` and 1 s for a command of the event, once a program has checked the journal; the first one has to.
The memory is at least what this program itself has when it starts the other one.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from benchmarks.event import write_event
from tests.host.postgresql import running_server
from wallwright.journal import Journal, copy_journal
from wallwright.link.reports import Event

ROOT = Path(__file__).parents[1]


PLAYERS, SESSIONS, DEALS = 64, 10, 8
"""Of the event: 1,280 deals."""
TABLES = 16
BATCH = 5000
COMMAND_TARGET_S = 1.0
SERVE_TARGET_S = 5.0
WALLWRIGHT = (sys.executable, "-m", "wallwright")


def write_large(path: Path, entries: int) -> int:
    """Write a journal of so many entries, an event among them; return the number of its last one."""
    last = write_event(path, PLAYERS, SESSIONS, DEALS, told=True)
    seqs = count(1)
    with Journal(path) as journal:
        while last < entries:
            with journal.batch():
                for seq in (next(seqs) for _ in range(min(BATCH, entries - last))):
                    fields = {"side": seq % 4, "stacks": 14, "after_ms": 18_000}
                    last = journal.append_event(
                        f"T-{seq % TABLES + 1}", Event(seq, 7, seq * 100, "side_done", fields), at_ms=seq
                    )
    return last


def wallwright(*words: str) -> tuple[float, float, float]:
    """Run a command as a process of its own; return its seconds, those of them that it computes, and its MB."""
    begin = time.perf_counter()
    process = subprocess.Popen((*WALLWRIGHT, *words), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(words)} failed")
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def first_answer(place: str) -> tuple[float, float, float]:
    """Serve the event; return the seconds until a page comes, those of them that it computes (Linux), and its MB."""
    begin = time.perf_counter()
    words = ("serve", "--port", "0", "--event", place, "--users", f"{tempfile.mkdtemp()}/hall.users")
    process = subprocess.Popen((*WALLWRIGHT, *words), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if address := re.search(r"https?://[^ ]+:\d+", line):
            with urllib.request.urlopen(address[0], timeout=60):
                took = time.perf_counter() - begin
            user, system = Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()[11:13]
            break
    process.terminate()
    process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit("serve failed")
    return took, (int(user) + int(system)) / os.sysconf("SC_CLK_TCK"), used.ru_maxrss / 1024


def measured(place: str) -> Iterator[tuple[str, bool, float, float, float, float]]:
    """Go through what is measured: what, whether the journal was checked before, what it takes, and the target."""
    yield "event standings", False, *wallwright("event", "standings", place), 0
    yield "event standings", True, *wallwright("event", "standings", place), COMMAND_TARGET_S
    yield "event sessions", True, *wallwright("event", "sessions", place), COMMAND_TARGET_S
    renamed = ("event", "players", "rename", place, "1", f"P{time.time_ns()}", "--reason", "benchmark")
    yield "event players rename, which writes", True, *wallwright(*renamed), COMMAND_TARGET_S
    yield "serve, first answer", True, *first_answer(place), SERVE_TARGET_S
    yield "log checkpoint", True, *wallwright("log", "checkpoint", place), COMMAND_TARGET_S
    yield "event standings", True, *wallwright("event", "standings", place), COMMAND_TARGET_S


def places(path: Path, *, with_server: bool) -> Iterator[tuple[str, str]]:
    yield "SQLite", str(path)
    if with_server:
        with running_server(is_durable=True) as server:
            place = server.database()
            copy_journal(path, place)
            yield "PostgreSQL", place


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--without-postgresql", action="store_true")
    chosen = parser.parse_args()
    grid = Grid(title=f"A long journal; {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}")
    for title in ("database", "entries", "what", "checked before", "time", "computed", "memory", "target"):
        grid.add_column(title, justify="right")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_DATA_HOME"] = name
        for entries in chosen.entries:
            path = folder / f"{entries}.journal"
            last = write_large(path, entries)
            for database, place in places(path, with_server=not chosen.without_postgresql):
                for what, is_known, took, computed, memory, target in measured(place):
                    state = f"{target:g} s: {'reached' if took <= target else 'missed'}" if target else ""
                    known = "yes" if is_known else "no"
                    grid.add_row(
                        database,
                        f"{last:,}",
                        what,
                        known,
                        f"{took:.2f} s",
                        f"{computed:.2f} s",
                        f"{memory:.0f} MB",
                        state,
                    )
    Console(width=130).print(grid)


if __name__ == "__main__":
    main()
