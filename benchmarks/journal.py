"""The journal: events committed a second, and how long ten thousand deals take to verify and to score again.

    python benchmarks/journal.py [--deals 10000] [--seconds 3]

Commits are made on this machine's disk, with SQLite and with a PostgreSQL server of its own: by one program that waits
for each event, by one that commits 500 at once, and by 64 tables that share one journal as `wallwright run` does. The
targets are 30 s to verify 10,000 deals and 60 s to score them again.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count, islice
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.host.journal.deals import write_deals  # noqa: E402 (the root has to be on the path first)
from tests.host.postgresql import running_server  # noqa: E402
from wallwright.fleet.shared_journal import SharedJournal  # noqa: E402
from wallwright.journal import Entry, Journal, copy_journal, read_journal, verify_journal  # noqa: E402
from wallwright.journal.exporting import export_lines  # noqa: E402
from wallwright.journal.replay import replay_entries  # noqa: E402
from wallwright.values import Event  # noqa: E402

TABLES = 64
BATCH = 500
EVENTS_A_DEAL = 24
"""Of a table with a host: the build of each side, keys, lid, lifts, walls, dice, changes of state."""
DEALS_OF_BOTS = 200
"""Different ones, which are written again and again."""
VERIFY_TARGET_S = 30
REPLAY_TARGET_S = 60


def event(seq: int) -> Event:
    return Event(seq, 7, seq * 100, "side_done", {"side": seq % 4, "stacks": 14, "after_ms": 18_000})


def one_by_one(place: str, seconds: float) -> float:
    with Journal(place) as journal:
        begin = time.perf_counter()
        for seq in count(1):
            journal.append_event("one", event(seq), at_ms=seq)
            if time.perf_counter() - begin > seconds:
                return seq / (time.perf_counter() - begin)
    raise AssertionError


def together(place: str, seconds: float) -> float:
    with Journal(place) as journal:
        begin = time.perf_counter()
        for first in count(1, BATCH):
            with journal.batch():
                for seq in range(first, first + BATCH):
                    journal.append_event("together", event(seq), at_ms=seq)
            if time.perf_counter() - begin > seconds:
                return (first + BATCH - 1) / (time.perf_counter() - begin)
    raise AssertionError


def tables(place: str, seconds: float) -> float:
    """64 threads, each of which waits for one event after the other."""
    done = [0] * TABLES
    with closing(SharedJournal(place)) as journal:
        begin = time.perf_counter()

        def table(number: int) -> None:
            for seq in count(1):
                journal.append_event(f"T-{number}", event(seq), at_ms=seq)
                done[number] = seq
                if time.perf_counter() - begin > seconds:
                    return

        threads = [threading.Thread(target=table, args=(number,)) for number in range(TABLES)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(done) / (time.perf_counter() - begin)


def season(path: Path, deals: int) -> int:
    """Write a journal of so many deals with the events of their table; return the number of entries."""
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "deals.journal") as journal:
        write_deals(journal, DEALS_OF_BOTS, 1)
        told = list(journal.entries())
    played: list[list[Entry]] = []
    for entry in told:
        if entry.kind == "deal_started":
            played.append([])
        played[-1].append(entry)
    seqs = count(1)
    number = 0
    with Journal(path) as journal:
        for first in range(0, deals, 50):
            with journal.batch():
                for deal in range(first, min(first + 50, deals)):
                    for seq in islice(seqs, EVENTS_A_DEAL):
                        journal.append_event("T-1", event(seq), at_ms=seq)
                    for entry in played[deal % DEALS_OF_BOTS]:
                        number = journal.append(entry.kind, entry.body, at_ms=entry.at_ms, unit=entry.unit)
    return number


def timed(work: Callable[[], object]) -> tuple[float, object]:
    begin = time.perf_counter()
    found = work()
    return time.perf_counter() - begin, found


def places(folder: Path) -> Iterator[tuple[str, Callable[[], str]]]:
    numbers = count()
    yield "SQLite", lambda: str(folder / f"{next(numbers)}.journal")
    with running_server(is_durable=True) as server:
        yield "PostgreSQL", server.database


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long to commit for each figure")
    chosen = parser.parse_args()
    console = Console(width=110)
    speed = Grid(title=f"Events committed a second; {os.cpu_count()} cores")
    for title in ("database", "one by one", f"{BATCH} together", f"{TABLES} tables, one journal"):
        speed.add_column(title, justify="right")
    long = Grid(title=f"{chosen.deals} deals")
    for title in ("database", "entries", "write or copy", "read", "verify", "score again", "export"):
        long.add_column(title, justify="right")
    verdicts = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written = folder / "season.journal"
        for database, new in places(folder):
            figures = [work(new(), chosen.seconds) for work in (one_by_one, together, tables)]
            speed.add_row(database, *(f"{figure:,.0f}" for figure in figures))
            if database == "SQLite":
                place = str(written)
                making, entries = timed(lambda: season(written, chosen.deals))
            else:
                place = new()
                making, entries = timed(lambda place=place: copy_journal(written, place).id)
            reading, _ = timed(lambda place=place: sum(1 for _ in read_journal(place)))
            verifying, verdict = timed(lambda place=place: verify_journal(place))
            scoring, replay = timed(lambda place=place: replay_entries(read_journal(place)))
            exporting, _ = timed(lambda place=place: sum(1 for _ in export_lines(read_journal(place))))
            times = (making, reading, verifying, scoring, exporting)
            long.add_row(database, f"{entries:,}", *(f"{one:.1f} s" for one in times))
            assert verdict.is_whole
            assert replay.agrees
            verdicts.append((database, "verify", verifying, VERIFY_TARGET_S))
            verdicts.append((database, "score again", scoring, REPLAY_TARGET_S))
    console.print(speed)
    console.print(long)
    for database, what, took, target in verdicts:
        state = "reached" if took <= target * chosen.deals / 10_000 else "missed"
        console.print(f"{database}: {what} {chosen.deals} deals within {target * chosen.deals / 10_000:g} s: {state}")


if __name__ == "__main__":
    main()
