"""The journal: events committed a second, and how long ten thousand deals take to verify, score again and prove.

    .venv-dev/bin/python -m benchmarks.journal [--deals 10000] [--seconds 3]

Commits are made on this machine's disk, with SQLite and with a PostgreSQL server of its own: by one program that waits
for each event, by one that commits 500 at once, and by 64 tables that share one journal as `wallwright run` does. The
targets are 30 s to verify 10,000 deals and 60 s to score them again. Of the Merkle tree over their entries, some
300,000, it says what an append and a proof take, and how large proofs are as the console sends them: 2 kB at most.

Whoever reads checks each entry, so reading is also set against reading the same rows unchecked, as it was done before:
the ratio of the times of both in one run, the best of three, for all entries and for the results alone. What it costs
that every body becomes a record of its kind is the third ratio.
"""

import argparse
import json
import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.table import Table as Grid
from sqlalchemy import create_engine

from tests.host.journal.deals import write_deals
from tests.host.postgresql import running_server
from wallwright.console.api.witness import Consistency, Inclusion
from wallwright.fleet.shared_journal import SharedJournal
from wallwright.journal import Entry, Journal, copy_journal, read_journal, verify_journal
from wallwright.journal.addresses import find_place
from wallwright.journal.exporting import export_lines
from wallwright.journal.kinds.deals import DealResult
from wallwright.journal.known import known_of
from wallwright.journal.merkle import MerkleTree
from wallwright.journal.replay import replay_entries
from wallwright.journal.rows import checked as checked_rows
from wallwright.journal.tree import JournalTree
from wallwright.link.reports import Event
from wallwright.system.strict_json import read_own_object

ROOT = Path(__file__).parents[1]


T = TypeVar("T")

TABLES = 64
BATCH = 500
EVENTS_A_DEAL = 24
"""Of a table with a host: the build of each side, keys, lid, lifts, walls, dice, changes of state."""
DEALS_OF_BOTS = 200
"""Different ones, which are written again and again."""
VERIFY_TARGET_S = 30
PROOF_TARGET_BYTES = 2000
PROOFS = 2000
REPLAY_TARGET_S = 60
KINDS_TARGET = 1.1
"""Reading records of kinds takes at most so many times what reading plain values does."""
ROUNDS = 5


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


def witnessed(place: str) -> tuple[Grid, int]:
    """A table of what the tree over a journal costs, and the bytes of the largest proof."""
    tree = JournalTree(place)
    following, _ = timed(tree.follow)
    size = tree.size
    leaf, again, rng = tree.leaf(1), MerkleTree(), random.Random(1)
    appending, _ = timed(lambda: [again.append(leaf) for _ in range(size)])
    asked = [rng.randint(1, size) for _ in range(PROOFS)]
    including, inclusions = timed(lambda: [tree.inclusion(entry, size) for entry in asked])
    extending, extensions = timed(lambda: [tree.consistency(entry, size) for entry in asked])
    opening, _ = timed(lambda: [tree.opening(entry) for entry in asked[: PROOFS // 20]])
    sent = [
        Inclusion(entry=entry, size=size, leaf=leaf.hex(), proof=_hex(proof)).model_dump_json()
        for entry, proof in zip(asked, inclusions, strict=True)
    ]
    also = [
        Consistency(first=entry, second=size, proof=_hex(proof)).model_dump_json()
        for entry, proof in zip(asked, extensions, strict=True)
    ]
    grid = Grid(title=f"The Merkle tree over {size:,} entries; the largest of {PROOFS} proofs as sent")
    for title in ("follow all", "append", "inclusion", "its size", "consistency", "its size", "show a result"):
        grid.add_column(title, justify="right")
    largest = [max(map(len, texts)) for texts in (sent, also)]
    grid.add_row(
        f"{following:.1f} s",
        f"{appending / size * 1e6:.1f} µs",
        f"{including / PROOFS * 1e6:.0f} µs",
        f"{largest[0]:,} B",
        f"{extending / PROOFS * 1e6:.0f} µs",
        f"{largest[1]:,} B",
        f"{opening / (PROOFS // 20) * 1e6:.0f} µs",
    )
    return grid, max(largest)


def _hex(proof: tuple[bytes, ...]) -> tuple[str, ...]:
    return tuple(node.hex() for node in proof)


def unchecked(place: str, kinds: tuple[str, ...]) -> int:
    """Read a file's entries as a program does that trusts it: the content alone, chosen by the database."""
    chosen = f"AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
    query = (
        f"SELECT id, at_ms, unit, boot_id, seq, kind, body FROM entries WHERE id > ? {chosen} ORDER BY id LIMIT 1000"
    )
    number = after = 0
    engine = create_engine(f"sqlite:///{place}")
    with engine.connect() as connection:
        while rows := connection.exec_driver_sql(query, (after, *kinds)).all():
            number += len([(*row[:6], json.loads(row[6])) for row in rows])
            after = rows[-1][0]
    engine.dispose()
    return number


def checked(place: str, kinds: tuple[str, ...]) -> int:
    """Read them as every program does, and as one that has just been started."""
    known_of(find_place(place)).forget()
    return sum(1 for _ in read_journal(place, kinds=kinds))


@dataclass(frozen=True, slots=True)
class PlainEntry:
    """An entry whose body is a dictionary, and whose reader has to know what is in it."""

    id: int
    at_ms: int
    unit: str | None
    boot_id: int | None
    seq: int | None
    kind: str
    body: dict[str, Any]


def without_kinds(place: str) -> int:
    """Read all entries, each checked, with bodies as JSON has them."""
    found = find_place(place)
    known_of(found).forget()
    entries = (PlainEntry(*row[:6], body=read_own_object(row[6])) for rows in checked_rows(found) for row in rows)
    return sum(1 for _ in entries)


def kinds_ratio(place: str, rounds: int) -> tuple[float, float]:
    """Return what reading all entries takes without kinds and with them: processor time, the best of some rounds."""
    without: list[float] = []
    with_kinds: list[float] = []
    works: tuple[tuple[list[float], Callable[[], object]], ...] = (
        (without, lambda: without_kinds(place)),
        (with_kinds, lambda: checked(place, ())),
    )
    for _ in range(rounds):
        for times, work in works:
            begin = time.process_time()
            work()
            times.append(time.process_time() - begin)
    return min(without), min(with_kinds)


def reading_ratios(place: str) -> Iterator[tuple[str, float, float]]:
    for what, kinds in (("all entries", ()), ("results alone", (DealResult.KIND,))):
        times: dict[str, list[float]] = {"unchecked": [], "checked": []}
        for _ in range(3):
            times["unchecked"].append(timed(lambda kinds=kinds: unchecked(place, kinds))[0])
            times["checked"].append(timed(lambda kinds=kinds: checked(place, kinds))[0])
        yield what, min(times["unchecked"]), min(times["checked"])


def timed(work: Callable[[], T]) -> tuple[float, T]:
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
        tree, largest = witnessed(str(written))
        ratios = list(reading_ratios(str(written)))
        without, with_kinds = kinds_ratio(str(written), ROUNDS)
    console.print(speed)
    console.print(long)
    console.print(tree)
    for what, before, now in ratios:
        console.print(f"SQLite: {what} read in {before:.2f} s unchecked, {now:.2f} s checked: {now / before:.2f} times")
    ratio = with_kinds / without
    console.print(
        f"SQLite: all entries read in {without:.2f} s as plain values, {with_kinds:.2f} s as records of kinds"
    )
    console.print(
        f"that is {ratio:.2f} times; {KINDS_TARGET:g} at most: {'reached' if ratio <= KINDS_TARGET else 'missed'}"
    )
    state = "reached" if largest <= PROOF_TARGET_BYTES else "missed"
    console.print(f"a proof of at most {PROOF_TARGET_BYTES} bytes: {state}")
    for database, what, took, target in verdicts:
        state = "reached" if took <= target * chosen.deals / 10_000 else "missed"
        console.print(f"{database}: {what} {chosen.deals} deals within {target * chosen.deals / 10_000:g} s: {state}")


if __name__ == "__main__":
    main()
