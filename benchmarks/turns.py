"""Hall and tournament in one journal: how long tables wait for what people do.

    .venv-dev/bin/python -m benchmarks.turns [--seconds 6]

256 tables tell an event every other second, in a thread each, as those of a fleet do. Meanwhile nobody does anything,
lots are drawn for 1,000 players, then somebody enters three results a second at the console's desk.
"""

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.event import results, running, setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.fleet.shared_journal import SharedJournal
from wallwright.link.reports import Event

TABLES = 256
EVERY_S = 2.0
PLAYERS = 1_000
ACT_EVERY_S = 0.33
SEED = b"s" * 32
DIRECTOR = Person("Ann", "director")


class Tables:
    """Tables that tell events until they are ended; `waits` are pairs of when an event was told and what it took."""

    def __init__(self, journal: SharedJournal) -> None:
        self.waits: list[tuple[float, float]] = []
        self._journal = journal
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._tell, args=(number,)) for number in range(TABLES)]
        for thread in self._threads:
            thread.start()

    def _tell(self, number: int) -> None:
        self._over.wait(EVERY_S * number / TABLES)
        for seq in count(1):
            begin = time.perf_counter()
            told = Event(seq, 7, seq, "side_done", {"side": seq % 4, "stacks": 14, "after_ms": 18_000})
            self._journal.append_event(f"T-{number}", told, at_ms=seq)
            self.waits.append((begin, time.perf_counter() - begin))
            if self._over.wait(EVERY_S):
                return

    def close(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()


def begin(path: Path) -> None:
    with open_event(str(path), "Ann", new=True) as desk:
        setup.create(desk, load_format("chengdu-grand-prix"))
        players = tuple(Player(number, f"Player {number}") for number in range(1, PLAYERS + 1))
        setup.import_players(desk, Roster(players), "a list")
        setup.commit_draw(desk, MAIN, SEED)


def measure(tables: Tables, work: Callable[[], int]) -> tuple[str, ...]:
    """Do the work; return how often something was done, and what tables waited meanwhile."""
    since = time.perf_counter()
    done = work()
    until = time.perf_counter()
    time.sleep(EVERY_S)
    waits = sorted(wait for begin, wait in tuple(tables.waits) if since <= begin <= until)
    figures = [waits[int(len(waits) * part)] for part in (0.5, 0.99)] + [waits[-1]]
    return (str(done), str(len(waits)), *(f"{1000 * figure:.0f} ms" for figure in figures))


def enter(book: Book, seconds: float) -> int:
    book.do(DIRECTOR, lambda desk: (running.open_session(desk, 1), running.start_session(desk, 1)))
    since = time.perf_counter()
    for table in range(1, PLAYERS // 4):
        if time.perf_counter() - since > seconds:
            break
        book.do(DIRECTOR, lambda desk, at=table: results.rule_result(desk, 1, at, (3, -1, -1, -1), "as it stands"))
        time.sleep(ACT_EVERY_S)
    return table


def draw(book: Book) -> int:
    book.do(DIRECTOR, lambda desk: setup.reveal_draw(desk, MAIN, SEED))
    time.sleep(EVERY_S)
    return 1


def rest(seconds: float) -> int:
    time.sleep(seconds)
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=6.0, help="how long to measure each")
    chosen = parser.parse_args()
    grid = Grid(title=f"{TABLES} tables, {PLAYERS} players, one journal: how long an event waits")
    for title in ("meanwhile", "acts", "events", "p50", "p99", "longest"):
        grid.add_column(title, justify="right")
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "hall.journal"
        begin(path)
        with closing(SharedJournal(path)) as journal:
            book = Book(path, use=journal.turn)
            with closing(Tables(journal)) as tables:
                grid.add_row("nothing", *measure(tables, lambda: rest(chosen.seconds)))
                grid.add_row("the draw", *measure(tables, lambda: draw(book)))
                grid.add_row("results", *measure(tables, lambda: enter(book, chosen.seconds)))
            if journal.problem is not None:
                sys.exit(str(journal.problem))
    Console(width=100).print(grid)


if __name__ == "__main__":
    main()
