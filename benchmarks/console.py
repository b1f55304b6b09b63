"""The console under load: how late viewers see what happens, what the server needs, how big and how quick a page is.

The tables are simulated in another process, in real time, at an event's pace; the viewers are in a third. Half of them
watch the hall's page, half the API's stream, whose happenings carry the time at which the host heard of them. A server
that operates 64 tables and writes their journal is what is measured, all in one process.

    python benchmarks/console.py [--tables 64] [--viewers 300] [--seconds 30]
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from wallwright.console.accounts import Accounts
from wallwright.console.desk import Desk, Person
from wallwright.console.model import NoProgress
from wallwright.console.server import Server
from wallwright.console.site import Site
from wallwright.discovery import Sought
from wallwright.fleet import Fleet, HallConfig, TableConfig
from wallwright.fleet.state import CONNECTED
from wallwright.serve_cli import set_up_log
from wallwright_simulator.hall import Hall, People
from wallwright_simulator.simulation import Simulation

CHROMIUM = "/usr/bin/chromium"
DEAL_MS = 300_000
CONNECT_LIMIT_S = 120
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
TARGET_P99_MS = 1000
TARGET_PAGE_KB = 150
TARGET_PAINT_MS = 1000
TARGET_GROWTH_KB = 5_000
"""Of ten minutes; what a server allocates once in its first seconds does not count."""


def serve(count: int, seed: int) -> None:
    """Be the hall until the parent ends it; people begin their deals spread over a deal's time."""
    chance = random.Random(seed)
    simulations = [Simulation(seed + number) for number in range(count)]
    hall = Hall(simulations, [People(simulation, DEAL_MS, chance.randrange(DEAL_MS)) for simulation in simulations])
    print(json.dumps(hall.ports), flush=True)
    while True:
        hall.step(1.0)


def watch(port: int, viewers: int, seconds: float) -> None:
    """Be the viewers, then print the delays in ms of all happenings that came, and how many bytes."""
    print(json.dumps(asyncio.run(_watch(port, viewers, seconds))), flush=True)


async def _watch(port: int, viewers: int, seconds: float) -> dict[str, object]:
    delays: list[int] = []
    sizes: list[int] = []
    until = time.monotonic() + seconds

    async def view(path: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        size = 0
        kind = b""
        while (left := until - time.monotonic()) > 0:
            try:
                line = await asyncio.wait_for(reader.readline(), left)
            except TimeoutError:
                break
            assert line, "the server has let a viewer go"
            size += len(line)
            if line.startswith(b"event: "):
                kind = line[7:].strip()
            elif kind == b"happening" and line.startswith(b"data: "):
                delays.append(time.time_ns() // 1_000_000 - json.loads(line[6:])["at_ms"])
        sizes.append(size)
        writer.close()

    paths = ["/api/v1/stream" if number % 2 else "/live/hall" for number in range(viewers)]
    await asyncio.gather(*(view(path) for path in paths))
    return {"delays": sorted(delays), "bytes": sum(sizes)}


def resident_kb() -> int:
    """Return what this process has in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_KB


def cpu_s() -> float:
    """Return the CPU time of this process so far."""
    fields = Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def first_page(address: str) -> tuple[float, float]:
    """Return kB of the hall's page with all that it loads, and the browser's first contentful paint in ms."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        sizes: list[int] = []
        page.on("response", lambda answer: sizes.append(len(answer.body())) if "/live/" not in answer.url else None)
        page.goto(address)
        page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        browser.close()
    return sum(sizes) / 1000, paint


def measure(tables: int, viewers: int, seconds: float, folder: Path) -> bool:
    """Run it all; print the figures; return whether they meet their targets."""
    this = [sys.executable, __file__]
    hall = subprocess.Popen([*this, "--serve", str(tables)], stdout=subprocess.PIPE, text=True)
    assert hall.stdout is not None
    ports = json.loads(hall.stdout.readline())
    configs = tuple(TableConfig(f"T{number}", Sought(port)) for number, port in enumerate(ports, 1))
    accounts = Accounts(folder / "users")
    with Fleet(HallConfig(folder / "journal", folder / "reports", configs)) as fleet:
        desk = Desk(fleet, NoProgress())
        desk.start()
        site = Site(desk, accounts, lambda: time.time_ns() // 1_000_000, guest=Person("bench", "director"))
        server = Server(site, "127.0.0.1", 0)
        thread = threading.Thread(target=server.serve_until_told)
        thread.start()
        limit = time.monotonic() + CONNECT_LIMIT_S
        while not all(table.link == CONNECTED for table in fleet.state().tables):
            assert time.monotonic() < limit, "the tables do not connect"
            time.sleep(0.2)
        kb, paint = first_page(f"http://127.0.0.1:{server.port}/")
        watching = subprocess.Popen(
            [*this, "--watch", str(server.port), "--viewers", str(viewers), "--seconds", str(seconds)],
            stdout=subprocess.PIPE,
            text=True,
        )
        time.sleep(seconds / 3)
        before_kb, before_s, before = resident_kb(), cpu_s(), time.monotonic()
        seen = site.feed.viewers
        output, _ = watching.communicate()
        growth = resident_kb() - before_kb
        share = (cpu_s() - before_s) / (time.monotonic() - before)
        server.should_exit = True
        thread.join()
        fleet.news.end()
        desk.close()
    accounts.close()
    hall.kill()
    hall.wait()
    hall.stdout.close()
    found = json.loads(output)
    delays = found["delays"]
    p50, p99 = (delays[len(delays) * part // 100] for part in (50, 99))
    print(f"{tables} tables, {seen} viewers, {seconds:g} s: {len(delays)} happenings seen")
    print(f"  delay p50 {p50} ms, p99 {p99} ms (target {TARGET_P99_MS}), worst {delays[-1]} ms")
    print(
        f"  server {share:.0%} of a core, {growth} kB more in the last two thirds, {found['bytes'] / 1e6:.1f} MB sent"
    )
    print(f"  hall's page {kb:.0f} kB (target {TARGET_PAGE_KB}), first paint {paint:.0f} ms (target {TARGET_PAINT_MS})")
    return (
        seen == viewers
        and p99 <= TARGET_P99_MS
        and kb <= TARGET_PAGE_KB
        and paint <= TARGET_PAINT_MS
        and growth <= TARGET_GROWTH_KB
    )


def main() -> None:
    """Run the benchmark, or be one of its processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--viewers", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--watch", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve, 1)
    elif given.watch:
        watch(given.watch, given.viewers, given.seconds)
    else:
        set_up_log("none")
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(not measure(given.tables, given.viewers, given.seconds, Path(folder)))


if __name__ == "__main__":
    main()
