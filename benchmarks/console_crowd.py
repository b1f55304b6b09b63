"""The console before a crowd that behaves badly, and 300 who come back at once.

300 viewers read the hall's page as it changes. Beside them 300 sleep (they take nothing of the same stream), 300 take a
byte a second, and 300 have connected and say nothing. A minute long the pages of somebody who works are timed. Then the
server is started anew, and all 300 viewers come back in the same moment. The hall is on paper; four tables change at
every look. At the end comes `console_flood.py`: a director's stop while strangers flood the server.

    .venv-dev/bin/python -m benchmarks.console_crowd [--each 300] [--seconds 60]
"""

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.host.console.hall import PaperFleet
from wallwright.cli.serve import set_up_log
from wallwright.clocks import wall_ms
from wallwright.console.guard import Site
from wallwright.console.hall.desk import Desk
from wallwright.console.hall.model import NoProgress
from wallwright.console.listening import Listening
from wallwright.console.people.accounts import Accounts
from wallwright.console.people.person import Person
from wallwright.console.server import Server
from wallwright.fleet.state import HallState
from wallwright.system.open_files import allow_files

TABLES = 64
A_LOOK = 4
"""Tables that change between two looks."""
PAGE_EVERY_S = 0.2
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024
STREAM = "/live/hall"
TARGET_PAGE_P99_MS = 1000
TARGET_BACK_S = 2.0


class BusyFleet(PaperFleet):
    """Four tables have one stack more, or begin anew, at every look."""

    def __init__(self, count: int) -> None:
        super().__init__(*(f"T{number}" for number in range(1, count + 1)))
        self._looks = 0

    def state(self) -> HallState:
        hall = super().state()
        self._looks += 1
        tables = list(hall.tables)
        for number in range(self._looks * A_LOOK, (self._looks + 1) * A_LOOK):
            table = tables[number % len(tables)]
            assert table.status is not None
            tables[number % len(tables)] = replace(
                table, status=replace(table.status, stacks=(self._looks % 14, 8, 10, 7))
            )
        return replace(hall, tables=tuple(tables))


def connected(port: int) -> socket.socket:
    """Return a connection that has room for little."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect(("127.0.0.1", port))
    return one


def question(port: int) -> bytes:
    return f"GET {STREAM} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()


async def crowd(port: int, each: int, seconds: float) -> dict[str, Any]:
    """Be all of them; return how many of each kind are still connected in the end."""
    until = time.monotonic() + seconds
    silent = [connected(port) for _ in range(each)]
    asleep = [connected(port) for _ in range(each)]
    slow = [connected(port) for _ in range(each)]
    for one in (*asleep, *slow):
        one.sendall(question(port))
        one.setblocking(False)
    left = {"reading": 0}

    async def read() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
        writer.write(question(port))
        while (rest := until - time.monotonic()) > 0:
            try:
                data = await asyncio.wait_for(reader.read(2**16), rest)
            except TimeoutError:
                break
            if not data:
                return
        left["reading"] += 1
        writer.close()

    async def sip() -> None:
        while time.monotonic() < until:
            await asyncio.sleep(1)
            for one in slow:
                take_a_byte(one)

    await asyncio.gather(*(read() for _ in range(each)), sip())
    return left | {"a byte a second": left_open(slow), "asleep": left_open(asleep), "silent": left_open(silent)}


def take_a_byte(one: socket.socket) -> None:
    """Take a byte where there is one; who was cut off may have some left."""
    try:
        one.recv(1)
    except OSError:
        return


def left_open(those: list[socket.socket]) -> int:
    """Say how many were not hung up on, by taking all that there is."""
    found = 0
    for one in those:
        one.setblocking(False)
        try:
            while one.recv(2**16):
                pass
        except BlockingIOError:
            found += 1
        except OSError:
            continue
    return found


async def come_back(port: int, each: int) -> dict[str, Any]:
    """Come all at once; return after how many seconds each had the hall before them."""
    begin_s = time.monotonic()

    async def come() -> float:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
        writer.write(question(port))
        await reader.readuntil(b"event: ages\n")
        writer.close()
        return time.monotonic() - begin_s

    return {"seconds": await asyncio.gather(*(come() for _ in range(each)))}


def resident_kb() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_KB


def page_s(port: int) -> float:
    """Return how long a page takes."""
    begin_s = time.monotonic()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/tables/T1", timeout=60) as answer:
        answer.read()
    return time.monotonic() - begin_s


class Serving:
    """The console, which can be started anew at the same port."""

    def __init__(self, site: Site, port: int = 0) -> None:
        self.server = Server(site, Listening("127.0.0.1", port))
        self._thread = threading.Thread(target=self.server.serve_until_told)
        self._thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def end(self) -> None:
        self.server.should_exit = True
        self._thread.join()


def measure(each: int, seconds: float, folder: Path) -> bool:
    """Run it all; print the figures; return whether they meet their targets."""
    fleet = BusyFleet(TABLES)
    desk = Desk(fleet, NoProgress())
    desk.start()
    accounts = Accounts(folder / "users")
    site = Site(desk, accounts, wall_ms, guest=Person("bench", "director"))
    serving = Serving(site)
    port = serving.server.port
    this = [sys.executable, __file__, "--port", str(port), "--each", str(each)]
    page_s(port)
    before_kb = resident_kb()
    badly = subprocess.Popen([*this, "--seconds", str(seconds)], stdout=subprocess.PIPE, text=True)
    pages, most_kb, begin_cpu_s, begin_s = [], before_kb, time.process_time(), time.monotonic()
    while badly.poll() is None:
        pages.append(page_s(port) * 1000)
        most_kb = max(most_kb, resident_kb())
        time.sleep(PAGE_EVERY_S)
    share = (time.process_time() - begin_cpu_s) / (time.monotonic() - begin_s)
    assert badly.stdout is not None
    left = json.loads(badly.stdout.read())
    serving.end()
    serving = Serving(site, port)
    back = subprocess.run([*this, "--back"], stdout=subprocess.PIPE, text=True, check=True)
    came = json.loads(back.stdout)["seconds"]
    serving.end()
    fleet.news.end()
    desk.close()
    accounts.close()
    p50, p99 = np.percentile(pages, (50, 99))
    print(f"{each} each read, sleep, take a byte a second, say nothing, {seconds:g} s; {os.cpu_count()} cores")
    print(f"  page of a table: p50 {p50:.0f} ms, p99 {p99:.0f} ms (target {TARGET_PAGE_P99_MS}), {len(pages)} pages")
    print(f"  server: {share:.0%} of a core, {most_kb - before_kb} kB more than without them at most")
    print(f"  still connected in the end: {', '.join(f'{kind} {count}' for kind, count in left.items())}")
    print(f"  {each} come back at once: the last has the hall after {max(came):.2f} s (target {TARGET_BACK_S:g})")
    return p99 <= TARGET_PAGE_P99_MS and max(came) <= TARGET_BACK_S and left["reading"] == each


def main() -> None:
    """Run the benchmark, or be the crowd."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--back", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    allow_files(0, 4 * given.each)
    if given.port:
        task = come_back(given.port, given.each) if given.back else crowd(given.port, given.each, given.seconds)
        print(json.dumps(asyncio.run(task)), flush=True)
    else:
        set_up_log("none")
        with tempfile.TemporaryDirectory() as folder:
            is_good = measure(given.each, given.seconds, Path(folder))
        flood = subprocess.run([sys.executable, Path(__file__).with_name("console_flood.py")], check=False)
        sys.exit(not is_good or flood.returncode)


if __name__ == "__main__":
    main()
