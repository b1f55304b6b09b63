"""A signed-in director stops all tables while strangers flood the console.

All at once: strangers' streams of the hall's screen, connections that say nothing or half a question and come again
when they are cut off, sign-ins with wrong passwords, and other pages, each as many at a time as the figures say. The
director's stop goes now over a connection that is open, now over a fresh one. The server is a process of its own with
64 tables and an event; the flood is another process on the same cores and asks as fast as it is answered. It comes from
eight addresses of its own (127.0.0.11 to 18), the director from another one, and the server takes none of them for the
machine itself.

    .venv-dev/bin/python -m benchmarks.console_flood [--seconds 30] [--streams 1500] [--idle 2300] [--sign-ins 80]
"""

import argparse
import asyncio
import contextlib
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.console_pages import still_hall, write_event
from wallwright.cli.serve import set_up_log
from wallwright.clocks import wall_ms
from wallwright.console import connection_slots
from wallwright.console.guard import Site
from wallwright.console.hall.desk import Desk
from wallwright.console.listening import Listening
from wallwright.console.people.accounts import Accounts
from wallwright.console.server import Server, brace
from wallwright.console.tournament.book import Book
from wallwright.system.open_files import allow_files

TABLES = 64
LOOK_S = 0.25
STOP_EVERY_S = 0.1
SETTLE_S = 5.0
PAGES = 40
"""Strangers who ask for pages, one after the other."""
PASSWORD = "four walls and a roof"
TARGET_STOP_P99_MS = 300
TARGET_MB = 400
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20


def serve(folder: Path) -> None:
    """Be the server until the standard input ends."""
    set_up_log("none")
    write_event(folder / "event.journal", TABLES, 1)
    fleet = still_hall(TABLES)
    book = Book(str(folder / "event.journal"))
    desk = Desk(fleet, book)
    desk.start()
    accounts = Accounts(folder / "users")
    accounts.add("dan", "director", PASSWORD)
    server = Server(Site(desk, accounts, wall_ms, book=book), Listening("127.0.0.1", 0))
    connection_slots.is_loopback = lambda _: False  # type: ignore[assignment, attr-defined]
    brace()
    thread = threading.Thread(target=server.serve_until_told)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    print(server.port, flush=True)
    sys.stdin.read()
    server.should_exit = True
    thread.join()
    fleet.news.end()
    desk.close()
    accounts.close()


class Flood:
    """Strangers, all in one process, until `until_s`; `counts` says what they got."""

    def __init__(self, port: int, until_s: float) -> None:
        self._port = port
        self._until_s = until_s
        self.counts: Counter[str] = Counter()
        self._come = 0

    async def all(self, streams: int, idle: int, sign_ins: int) -> None:
        """Be everybody."""
        tasks = [self._watch() for _ in range(streams)]
        tasks += [self._sit(number) for number in range(idle)]
        tasks += [self._ask("sign-in", f"stranger {number}") for number in range(sign_ins)]
        tasks += [self._ask("page") for _ in range(PAGES)]
        await asyncio.gather(*tasks)

    @property
    def _is_over(self) -> bool:
        return time.monotonic() >= self._until_s

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        self._come += 1
        own = (f"127.0.0.{11 + self._come % 8}", 0)
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=own)

    async def _watch(self) -> None:
        """Read a stream; come back a second after it has ended."""
        while not self._is_over:
            with contextlib.suppress(OSError, TimeoutError):
                reader, writer = await self._connect()
                writer.write(b"GET /live/screen HTTP/1.1\r\nHost: localhost\r\n\r\n")
                status = (await reader.readline())[9:12].decode()
                self.counts[f"streams answered {status}"] += 1
                while status == "200" and not self._is_over:
                    if not await asyncio.wait_for(reader.read(2**16), 30):
                        break
                writer.close()
            await asyncio.sleep(1)

    async def _sit(self, number: int) -> None:
        """Say nothing or half a question; come back when that was enough for the server."""
        while not self._is_over:
            with contextlib.suppress(OSError, TimeoutError):
                reader, writer = await self._connect()
                if number % 2:
                    writer.write(b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")
                await asyncio.wait_for(reader.read(2**16), max(0.1, self._until_s - time.monotonic()))
                writer.close()
                self.counts["cut off"] += 1
            await asyncio.sleep(0.2)

    async def _ask(self, what: str, name: str = "") -> None:
        """Ask, and ask again as soon as there is an answer."""
        body = json.dumps({"name": name, "password": "a wrong one, sorry"}).encode()
        head = b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        head += b"Content-Length: %d\r\n" % len(body)
        question = b"GET /players HTTP/1.1\r\nHost: localhost\r\n" if what == "page" else head
        while not self._is_over:
            with contextlib.suppress(OSError):
                reader, writer = await self._connect()
                writer.write(question + b"Connection: close\r\n\r\n" + (b"" if what == "page" else body))
                self.counts[f"{what}s answered {(await reader.read())[9:12].decode() or 'nothing'}"] += 1
                writer.close()


def stop_s(cookie: str, csrf: str, connection: http.client.HTTPConnection) -> float:
    """Return how long it takes to stop all tables; raises when that is refused."""
    headers = {"Cookie": cookie, "X-CSRF-Token": csrf, "Idempotency-Key": uuid.uuid4().hex}
    begin_s = time.monotonic()
    try:
        connection.request("POST", "/api/v1/hall/stop", headers=headers)
        answer = connection.getresponse()
    except ConnectionError:
        # As a browser does with a connection that was ended while it was idle, once.
        connection.close()
        connection.request("POST", "/api/v1/hall/stop", headers=headers)
        answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, answer.status
    return time.monotonic() - begin_s


def resident_mb(process: int) -> float:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE_MB


def measure(given: argparse.Namespace, folder: Path) -> bool:
    """Run it all; print the figures; return whether they meet their targets."""
    this = [sys.executable, __file__]
    server = subprocess.Popen([*this, "--serve", str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    port = int(server.stdout.readline())
    door = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    body = json.dumps({"name": "dan", "password": PASSWORD})
    door.request("POST", "/api/v1/session", body, {"Content-Type": "application/json"})
    answer = door.getresponse()
    cookie = "; ".join(one.partition(";")[0] for one in answer.headers.get_all("set-cookie") or ())
    csrf = json.loads(answer.read())["csrf"]
    quiet_mb = resident_mb(server.pid)
    load = os.getloadavg()[0]
    sizes = ["--seconds", str(given.seconds), "--streams", str(given.streams), "--idle", str(given.idle)]
    sizes += ["--sign-ins", str(given.sign_ins)]
    flood = subprocess.Popen([*this, "--port", str(port), *sizes], stdout=subprocess.PIPE, text=True)
    took: dict[str, list[float]] = {"open": [], "fresh": []}
    most_mb = quiet_mb
    while flood.poll() is None:
        for kind in took:
            connection = door if kind == "open" else http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            took[kind].append(stop_s(cookie, csrf, connection) * 1000)
            if kind == "fresh":
                connection.close()
            most_mb = max(most_mb, resident_mb(server.pid))
            time.sleep(STOP_EVERY_S)
    assert flood.stdout is not None
    counts = json.loads(flood.stdout.read())
    server.communicate("")
    print(f"{given.streams} streams, {given.idle} idle or half-open connections, {given.sign_ins} sign-ins")
    print(f"and {PAGES} pages at a time, {given.seconds:g} s; {os.cpu_count()} cores, load before {load:.1f}")
    for kind, times in took.items():
        p50, p99 = np.percentile(times, (50, 99))
        quick = f"p50 {p50:.0f} ms, p99 {p99:.0f} ms (target {TARGET_STOP_P99_MS}), longest {max(times):.0f} ms"
        print(f"  stop of all tables, {kind} connection: {quick}, {len(times)} stops")
    print(f"  server: {quiet_mb:.0f} MB before, {most_mb:.0f} MB at most (target {TARGET_MB})")
    print(f"  strangers: {', '.join(f'{count} {what}' for what, count in sorted(counts.items()))}")
    return bool(max(np.percentile(times, 99) for times in took.values()) <= TARGET_STOP_P99_MS and most_mb <= TARGET_MB)


def main() -> None:
    """Run the benchmark, or be the server or the flood."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--streams", type=int, default=1500)
    parser.add_argument("--idle", type=int, default=2300)
    parser.add_argument("--sign-ins", type=int, default=80)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    allow_files(0, given.streams + given.idle + given.sign_ins + PAGES)
    if given.serve:
        serve(given.serve)
    elif given.port:
        flood = Flood(given.port, time.monotonic() + given.seconds)
        asyncio.run(flood.all(given.streams, given.idle, given.sign_ins))
        print(json.dumps(flood.counts), flush=True)
    else:
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(not measure(given, Path(folder)))


if __name__ == "__main__":
    main()
