"""The console under load: how late viewers see what happens, what the server needs, and whether it grows.

The tables are simulated in another process, in real time, at an event's pace, and an event is in play: a scorer enters
a result for every table in a deal's time. The viewers are in a third process, as in a hall: the hall's page, the pages
of single tables, the event's page, the screen, players' own pages, programs at the API's stream. The server that is
measured operates the tables, writes their journal and the event's, and answers, all in one process.

What is counted as late: at the API, from when the host heard of it (`at_ms`); on a table's page, likewise, until its
next news; on the event's page, from the scorer's pressing Enter; and for all, how long the last viewer of the same
news came after the first.

    .venv-dev/bin/python -m benchmarks.console [--tables 64] [--viewers 300] [--minutes 1]
"""

import argparse
import asyncio
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table as Grid

from benchmarks.console_pages import write_event
from benchmarks.event import settled_deals
from wallwright.cli.serve import set_up_log
from wallwright.clocks import wall_ms
from wallwright.console.guard import Site, csrf_of
from wallwright.console.hall.desk import Desk
from wallwright.console.hall.model import NoProgress
from wallwright.console.listening import Listening
from wallwright.console.people.accounts import Accounts
from wallwright.console.people.person import Person
from wallwright.console.server import Server
from wallwright.console.tournament.book import Book
from wallwright.fleet import Fleet, HallConfig, TableConfig
from wallwright.fleet.state import CONNECTED
from wallwright.link.discovery import Sought
from wallwright_simulator.hall import Hall, People
from wallwright_simulator.simulation import Simulation

DEAL_MS = 300_000
CONNECT_LIMIT_S = 120
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
LOOK_S = 5.0
"""How often the memory is read."""
WARM_S = 120
"""Until then a server fills what is bounded: histories, pools, caches. Growth counts after it."""
TARGET_P99_MS = 1000
TARGET_GROWTH_KB = 5000
"""In ten minutes, beyond twice the slope's own error."""
TEN_MINUTES_S = 600
KINDS = ("hall", "table", "event", "screen", "player", "api")


def serve(count: int, seed: int) -> None:
    """Be the hall until the parent ends it; people begin their deals spread over a deal's time."""
    chance = random.Random(seed)
    simulations = [Simulation(seed + number) for number in range(count)]
    hall = Hall(simulations, [People(simulation, DEAL_MS, chance.randrange(DEAL_MS)) for simulation in simulations])
    print(json.dumps(hall.ports), flush=True)
    while True:
        hall.step(1.0)


def shares(viewers: int, tables: int) -> list[tuple[str, str]]:
    """Return kind and path of every viewer: a fifth each looks at the hall, tables, the event, the own page."""
    found = []
    for number in range(viewers):
        kind = ("hall", "table", "event", "player", "screen", "table", "api", "hall", "event", "player")[number % 10]
        paths = {
            "table": f"/live/tables/T{number % tables + 1}",
            "player": f"/live/players/{number % (4 * tables) + 1}",
            "api": "/api/v1/stream",
        }
        found.append((kind, paths.get(kind, f"/live/{kind}")))
    return found


class Watch:
    """The viewers and the scorer, in a process of their own."""

    def __init__(self, port: int, tables: int, seconds: float) -> None:
        self._port = port
        self._tables = tables
        self._until = time.monotonic() + seconds
        self._first: dict[bytes, tuple[float, set[int]]] = {}
        self._lags: dict[str, list[float]] = defaultdict(list)
        self._bytes: dict[str, list[int]] = defaultdict(list)
        self._api: list[float] = []
        self._happened: list[tuple[str, float]] = []
        self._news: dict[str, list[float]] = defaultdict(list)
        self._entered: list[float] = []

    async def run(self, viewers: int) -> dict[str, Any]:
        """Watch until the time is over; return what was seen, times in ms."""
        await asyncio.gather(
            *(self._view(number, kind, path) for number, (kind, path) in enumerate(shares(viewers, self._tables))),
            asyncio.to_thread(self._score),
        )
        last_ms = time.time() * 1000 - 2 * TARGET_P99_MS
        delays = {"api": self._api}
        delays["table"] = [
            late
            for table, at_ms in self._happened
            if at_ms < last_ms
            for late in after(at_ms, self._news.get(f"/live/tables/{table}"))
        ]
        delays["event"] = [
            late for at_ms in self._entered if at_ms < last_ms for late in after(at_ms, self._news["/live/event"])
        ]
        return {"delays": delays, "lags": self._lags, "bytes": self._bytes}

    async def _view(self, number: int, kind: str, path: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**22)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode())
        size, name, lines, has_begun = 0, b"", hashlib.blake2b(digest_size=8), False
        is_first_here = number < 10 or kind == "table"
        while (left := self._until - time.monotonic()) > 0:
            try:
                line = await asyncio.wait_for(reader.readline(), left)
            except TimeoutError:
                break
            assert line, f"the server has let a viewer of {path} go"
            size += len(line)
            if line.startswith(b"event: "):
                name, lines = line[7:].strip(), hashlib.blake2b(path.encode(), digest_size=8)
            elif line.startswith(b"data: "):
                lines.update(line)
            elif line == b"\n" and name:
                now_ms = time.time() * 1000
                if kind != "api" and not has_begun:
                    has_begun, name = True, b""
                    continue
                if name != b"ages":
                    self._lags[kind].append(self._lag(number, lines.digest(), now_ms))
                if is_first_here and (name == kind.encode() or (kind == "event" and not name.startswith(b"clock"))):
                    self._news[path].append(now_ms)
                name = b""
            if kind == "api" and name == b"happening" and line.startswith(b"data: "):
                told = json.loads(line[6:])
                self._api.append(time.time() * 1000 - told["at_ms"])
                if number < 10 and told["table"]:
                    self._happened.append((told["table"], told["at_ms"]))
        self._bytes[kind].append(size)
        writer.close()

    def _lag(self, viewer: int, news: bytes, now_ms: float) -> float:
        """Return how long others have had it; what a viewer gets a second time is news again."""
        first_ms, seen = self._first.get(news, (now_ms, set()))
        if viewer in seen:
            first_ms, seen = now_ms, set()
        seen.add(viewer)
        self._first[news] = first_ms, seen
        return now_ms - first_ms

    def _score(self) -> None:
        """Enter a result for one table after the other, as a scorer who is not in a hurry."""
        records = [record for record, _ in settled_deals()]
        gap_s = DEAL_MS / 1000 / self._tables
        number = 0
        while time.monotonic() + gap_s < self._until:
            time.sleep(gap_s)
            session = next(one for one in self._ask("/api/v1/event")["sessions"] if one["state"] == "running")
            sheet = session["tables"][number % self._tables]
            body = {"record": records[number % len(records)], "version": sheet["version"], "reason": "benchmark"}
            number += 1
            self._entered.append(time.time() * 1000)
            self._ask(f"/api/v1/event/sessions/{session['number']}/tables/{sheet['table']}/results", body, number)

    def _ask(self, path: str, body: object = None, number: int = 0) -> Any:
        headers = {
            "Content-Type": "application/json",
            "X-CSRF-Token": csrf_of(""),
            "Idempotency-Key": f"scorer-{number:08}",
        }
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


def after(at_ms: float, news: list[float] | None) -> list[float]:
    """Return how long after `at_ms` the next news came; nothing where nobody looked."""
    if news is None:
        return []
    return [next(one for one in news if one >= at_ms) - at_ms]


def resident_kb() -> int:
    """Return what this process has in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_KB


def look(watching: "subprocess.Popen[str]") -> list[tuple[float, int, float]]:
    """Return seconds since the start, resident kB and CPU seconds, read until the viewers have ended."""
    begin_s, found = time.monotonic(), []
    while True:
        found.append((time.monotonic() - begin_s, resident_kb(), time.process_time()))
        try:
            watching.wait(LOOK_S)
        except subprocess.TimeoutExpired:
            continue
        return found


def growth(samples: list[tuple[float, int, float]]) -> tuple[float, float] | None:
    """Return kB in ten minutes and their standard error, by least squares; None before there is enough to say."""
    warm = [(at_s, kb) for at_s, kb, _ in samples if at_s >= WARM_S]
    if not warm or warm[-1][0] < 2 * WARM_S:
        return None
    times, sizes = np.array(warm).T
    (slope, _), covariance = np.polyfit(times, sizes, 1, cov=True)
    return slope * TEN_MINUTES_S, float(covariance[0, 0]) ** 0.5 * TEN_MINUTES_S


def measure(tables: int, viewers: int, seconds: float, folder: Path) -> bool:
    """Run it all; print the figures; return whether they meet their targets."""
    this = [sys.executable, __file__, "--tables", str(tables)]
    write_event(folder / "event.journal", tables, 0)
    hall = subprocess.Popen([*this, "--serve"], stdout=subprocess.PIPE, text=True)
    assert hall.stdout is not None
    ports = json.loads(hall.stdout.readline())
    configs = tuple(TableConfig(f"T{number}", Sought(port)) for number, port in enumerate(ports, 1))
    accounts = Accounts(folder / "users")
    with Fleet(HallConfig(folder / "journal", folder / "reports", configs)) as fleet:
        desk = Desk(fleet, NoProgress())
        desk.start()
        book = Book(str(folder / "event.journal"))
        site = Site(desk, accounts, wall_ms, guest=Person("bench", "director"), book=book)
        server = Server(site, Listening("127.0.0.1", 0))
        thread = threading.Thread(target=server.serve_until_told)
        thread.start()
        limit = time.monotonic() + CONNECT_LIMIT_S
        while not all(table.link == CONNECTED for table in fleet.state().tables):
            assert time.monotonic() < limit, "the tables do not connect"
            time.sleep(0.2)
        told = folder / "told"
        with told.open("w") as file:
            words = ["--watch", str(server.port), "--viewers", str(viewers), "--seconds", str(seconds)]
            samples = look(subprocess.Popen([*this, *words], stdout=file, text=True))
        server.should_exit = True
        thread.join()
        fleet.news.end()
        desk.close()
    accounts.close()
    hall.kill()
    hall.wait()
    hall.stdout.close()
    return show(tables, viewers, seconds, samples, json.loads(told.read_text()))


def show(
    tables: int, viewers: int, seconds: float, samples: list[tuple[float, int, float]], found: dict[str, Any]
) -> bool:
    """Print the figures; return whether they meet their targets."""
    console = Console(width=110)
    grid = Grid(title=f"{tables} tables, {viewers} viewers, {seconds / 60:g} min; {os.cpu_count()} cores")
    for title in ("viewers of", "how many", "kB/s each", "news", "p50", "p99", "worst", "last after first, p99"):
        grid.add_column(title, justify="left" if title == "viewers of" else "right")
    worst_p99 = 0.0
    for kind in KINDS:
        delays, lags, sizes = found["delays"].get(kind, []), found["lags"].get(kind, []), found["bytes"][kind]
        p50, p99, most = np.percentile(delays, (50, 99, 100)) if delays else (0.0, 0.0, 0.0)
        lag = float(np.percentile(lags, 99)) if lags else 0.0
        worst_p99 = max(worst_p99, p99, lag)
        times = [f"{one:.0f} ms" for one in (p50, p99, most)] if delays else ["", "", ""]
        row = (kind, str(len(sizes)), f"{np.mean(sizes) / seconds / 1000:.2f}", str(len(delays) or len(lags)))
        grid.add_row(*row, *times, f"{lag:.0f} ms")
    console.print(grid)
    (start_s, start_kb, start_cpu_s), (end_s, _, end_cpu_s) = samples[0], samples[-1]
    by_minute = [next(kb for at_s, kb, _ in samples if at_s >= 60 * minute) for minute in range(1 + int(end_s // 60))]
    console.print(f"resident memory, kB, at the start and after each minute: {' '.join(map(str, by_minute))}")
    console.print(f"at the end {samples[-1][1]} kB, {samples[-1][1] - start_kb} more than at the start")
    console.print(f"server: {(end_cpu_s - start_cpu_s) / (end_s - start_s):.0%} of a core")
    is_late, grows = worst_p99 > TARGET_P99_MS, False
    console.print(f"p99 within {TARGET_P99_MS} ms: {'missed' if is_late else 'reached'} ({worst_p99:.0f} ms)")
    if (slope := growth(samples)) is not None:
        grows = slope[0] - 2 * slope[1] > TARGET_GROWTH_KB
        console.print(
            f"growth after the first {WARM_S} s: {slope[0]:+.0f} ± {slope[1]:.0f} kB in ten minutes; "
            f"none: {'missed' if grows else 'reached'} (up to {TARGET_GROWTH_KB} kB)"
        )
    return not is_late and not grows


def main() -> None:
    """Run the benchmark, or be one of its processes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--viewers", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--watch", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.tables, 1)
    elif given.watch:
        found = asyncio.run(Watch(given.watch, given.tables, given.seconds).run(given.viewers))
        print(json.dumps(found), flush=True)
    else:
        set_up_log("none")
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(not measure(given.tables, given.viewers, given.minutes * 60, Path(folder)))


if __name__ == "__main__":
    main()
