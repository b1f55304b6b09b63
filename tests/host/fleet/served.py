"""A hall that is served by a thread of the test, and waits for what a fleet tells: nothing here sleeps for luck."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

import pytest

from wallwright.errors import JournalFull
from wallwright.fleet import Change, Fleet, News, load_hall
from wallwright.journal import Journal, JournalPath, read_journal
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation

LIMIT_S = 100
STEP_S = 0.01

T = TypeVar("T")


class Served:
    """`do` has something done to the hall by its thread, between two steps, and raises what that raises."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._orders: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._is_over = False
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def do(self, action: Callable[[], T]) -> T:
        done: Future[T] = Future()

        def act() -> None:
            try:
                done.set_result(action())
            except Exception as error:  # noqa: BLE001 (who asked for it gets it)
                done.set_exception(error)

        self._orders.put(act)
        return done.result(timeout=LIMIT_S)

    def end(self) -> None:
        self.do(self._end)
        self._thread.join()
        self.hall.close()

    def _end(self) -> None:
        self._is_over = True

    def _run(self) -> None:
        while not self._is_over:
            self.hall.step(STEP_S)
            while not self._orders.empty():
                self._orders.get()()


@contextmanager
def serving(hall: Hall) -> Iterator[Served]:
    served = Served(hall)
    try:
        yield served
    finally:
        served.end()


class Heard:
    """What a fleet has told so far; `until` waits for more."""

    def __init__(self, news: News) -> None:
        self.changes: list[Change] = []
        self._news = news

    def until(self, fits: Callable[[Change], bool], since: int = 0) -> Change:
        """Return the first change from number `since` on that fits, which may have to come yet."""
        end = time.monotonic() + LIMIT_S
        while True:
            for change in self.changes[since:]:
                if fits(change):
                    return change
            assert time.monotonic() < end, f"only {self.changes[since:]}"
            self.changes += self._news.take(1.0) or []

    def kind(self, table: str | None, kind: str, since: int = 0, **body: Any) -> Change:
        """Likewise, by table, kind, and values of the body."""
        return self.until(lambda c: (c.table, c.kind) == (table, kind) and body.items() <= c.body.items(), since)

    def event(self, table: str, name: str, since: int = 0) -> Change:
        return self.until(lambda c: c.table == table and c.event is not None and c.event.name == name, since)


def until(fits: Callable[[], bool]) -> None:
    """Wait for something that nobody tells of."""
    end = time.monotonic() + LIMIT_S
    pause = threading.Event()
    pause_s = 0.01
    while not fits():
        assert time.monotonic() < end
        pause.wait(pause_s)
        # Who asks a server a hundred times a second takes the time that it needs.
        pause_s = min(1.3 * pause_s, 0.1)


def config_text(journal: Path | str, tables: Sequence[str], ports: Sequence[str] = ()) -> str:
    """A hall's file; each of `tables` is the lines of one."""
    head = f'journal = "{journal}"\nports = [{", ".join(f"{port!r}" for port in ports)}]\n'
    return head + "".join(f"[[table]]\n{lines}\n" for lines in tables)


def journalled(path: JournalPath, unit: str) -> dict[int, list[int]]:
    """Numbers of a table's events in the journal, by boot, in the order in which they are there."""
    found: dict[int, list[int]] = {}
    for entry in read_journal(path):
        if entry.unit == unit and entry.boot_id is not None and entry.seq is not None:
            found.setdefault(entry.boot_id, []).append(entry.seq)
    return found


def stored(simulation: Simulation) -> tuple[int, int]:
    """What the board has been told to forget, and what it has counted."""
    ring = simulation.app.events  # type: ignore[attr-defined]
    return ring.stored(), ring.newest()


def all_stored(served: Served, *simulations: Simulation) -> Callable[[], bool]:
    """Whether the boards have nothing left to hand over."""
    return lambda: served.do(lambda: all(len(set(stored(table))) == 1 for table in simulations))


def is_quiet(fleet: Fleet) -> bool:
    return all(table.waiting == 0 for table in fleet.state().tables)


def fill_disks(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Let journals have a disk that is full while the event is set."""
    is_full = threading.Event()

    class Filling(Journal):
        def append(self, *args: object, **kwargs: object) -> int:
            self._check()
            return super().append(*args, **kwargs)  # type: ignore[arg-type]

        def append_event(self, *args: object, **kwargs: object) -> int:
            self._check()
            return super().append_event(*args, **kwargs)  # type: ignore[arg-type]

        def _check(self) -> None:
            if is_full.is_set():
                raise JournalFull(str(self.path), "the disk is full")

    monkeypatch.setattr("wallwright.fleet.shared_journal.Journal", Filling)
    monkeypatch.setattr("wallwright.fleet.shared_journal.RETRY_S", 0.1)
    return is_full


def start(folder: Path, *tables: str) -> Fleet:
    """Operate a hall of these tables, whose file and journal are in the folder."""
    file = folder / "hall.toml"
    file.write_text(config_text(folder / "hall.journal", tables))
    return Fleet(load_hall(file))


def at_port(name: str, port: str) -> str:
    return f'name = "{name}"\nport = "{port}"'
