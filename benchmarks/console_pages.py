"""How big and how quick the console's pages are, by the browser's own count, for a hall of 64 tables with an event.

The hall is on paper: its tables stand still, three of them with a fault. Of the event's five sessions three are signed
and one is in play. Every page is opened by a browser that has nothing yet.

    .venv-dev/bin/python -m benchmarks.console_pages [--tables 64]
"""

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.table import Table as Grid

from benchmarks.event import settled_deals
from tests.host.console.browsing import CHROMIUM
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
from wallwright.console.tournament.book import Book
from wallwright.event import results, running, setup
from wallwright.event.desk import Desk as EventDesk
from wallwright.event.format_file import load_format, parse_format
from wallwright.event.players import Player, Roster
from wallwright.event.state import EventState
from wallwright.event.state_parts import MAIN
from wallwright.journal import Journal

SESSIONS = 5
SIGNED = 3
DEALS = 8
TARGET_KB = 150
TARGET_PAINT_MS = 1000
BADGES = 1000
TARGET_BADGES_S = 3
PATHS = (
    "/",
    "/tables/T5",
    "/calls",
    "/event",
    "/event/sessions/1",
    "/event/sessions/{playing}/tables/1",
    "/event/sessions/{playing}/tables/1/declare",
    "/event/standings",
    "/event/appeals",
    "/setup",
    "/draws/main",
    "/seats/{playing}",
    "/screen",
    "/players",
    "/players/1",
    "/sign-in",
)
FAULTS = {5: "tile_missing", 23: "lane_jam", 60: "stopped"}
MINUTE_MS = 60_000


def write_event(path: Path, tables: int, signed: int) -> None:
    """Make an event of five sessions whose first ones are `signed` and whose next one is in play."""
    now = wall_ms() - (signed + 1) * 61 * MINUTE_MS
    settled = settled_deals()
    with Journal(path) as journal:
        desk = EventDesk(journal, EventState(), lambda: now, "benchmark")
        setup.create(desk, parse_format(f'base = "chengdu-grand-prix"\nsessions = {SESSIONS}\n', "benchmark"))
        names = [Player(number, f"Player number {number}") for number in range(1, 4 * tables + 1)]
        setup.import_players(desk, Roster(tuple(names)), "benchmark")
        setup.commit_draw(desk, MAIN, bytes(32))
        setup.reveal_draw(desk, MAIN, bytes(32))
        for session in range(1, signed + 2):
            is_over = session <= signed
            with journal.batch():
                running.open_session(desk, session)
                running.start_session(desk, session)
                for sheet in desk.session(session).tables:
                    for deal in range(1, DEALS + 1 if is_over else 2):
                        record, _ = settled[(session + sheet.table + deal) % len(settled)]
                        shown = results.preview(desk, session, sheet.table, {"deal": deal, **record})
                        results.record_result(desk, shown, "measured", approved=True)
                if is_over:
                    now += 61 * MINUTE_MS
                    running.stop_session(desk, session)
                    for sheet in desk.session(session).tables:
                        running.sign_off(desk, session, sheet.table)
                    running.publish(desk, session)


def still_hall(tables: int) -> PaperFleet:
    """Return a hall of paper whose tables all build, but for those that stand still with a fault."""
    fleet = PaperFleet(*(f"T{number}" for number in range(1, tables + 1)))
    for number, table in enumerate(fleet.tables, 1):
        fault = FAULTS.get(number)
        fleet.change(
            table,
            state="fault" if fault else "building",
            fault=fault,
            fault_side=1 if fault else None,
            stacks=(9, 8, 10, 7),
            loose_tiles=(1, 0, 0, 1),
            drives=() if fault else ("disc", "conveyor_1"),
        )
    return fleet


def measure_page(browser: Browser, address: str) -> tuple[float, float, float]:
    """Return kB on the wire, kB unpacked, and the first contentful paint in ms."""
    context = browser.new_context(bypass_csp=True)  # for what waits below
    page = context.new_page()
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(len(answer.body())) if "/live/" not in answer.url else None)
    page.goto(address)
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    wire = page.evaluate(
        "performance.getEntries().filter((one) => !one.name.includes('/live/'))"
        ".reduce((sum, one) => sum + (one.transferSize || 0), 0)"
    )
    context.close()
    return wire / 1000, sum(sizes) / 1000, paint


def measure_badges(browser: Browser, folder: Path) -> float:
    """Return the seconds from the click to the whole page of badges, made for the first time."""
    path = folder / "crowd.journal"
    with Journal(path) as journal:
        desk = EventDesk(journal, EventState(), wall_ms, "benchmark")
        setup.create(desk, load_format("chengdu-grand-prix"))
        names = [Player(number, f"Player number {number}") for number in range(1, BADGES + 1)]
        setup.import_players(desk, Roster(tuple(names)), "benchmark")
    with served(path, folder / "crowd.users", still_hall(1)) as address:
        page = browser.new_page()
        begun = time.monotonic()
        page.goto(f"{address}/players/badges", wait_until="load")
        took = time.monotonic() - begun
        assert page.locator(".badges svg").count() == BADGES
        page.close()
    return took


@contextmanager
def served(path: Path, users: Path, fleet: PaperFleet) -> Iterator[str]:
    """Serve a hall and the event at `path`; give the console's address."""
    accounts = Accounts(users)
    desk = Desk(fleet, NoProgress())
    site = Site(desk, accounts, wall_ms, guest=Person("bench", "director"), book=Book(str(path)))
    desk.start()
    server = Server(site, Listening("127.0.0.1", 0))
    thread = threading.Thread(target=server.serve_until_told)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.should_exit = True
    thread.join()
    fleet.news.end()
    desk.close()
    accounts.close()


def measure(tables: int, folder: Path) -> bool:
    """Serve, open every page, print; return whether all meet their targets."""
    path = folder / "event.journal"
    write_event(path, tables, SIGNED)
    paths = [one.format(playing=SIGNED + 1) for one in PATHS]
    grid = Grid(title=f"Pages of a hall with {tables} tables and an event of {SESSIONS} sessions")
    for title in ("page", "on the wire", "unpacked", "first paint"):
        grid.add_column(title, justify="left" if title == "page" else "right")
    is_good = True
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with served(path, folder / "users", still_hall(tables)) as address:
            measure_page(browser, f"{address}/sign-in")
            for one in paths:
                wire, used, paint = measure_page(browser, f"{address}{one}")
                grid.add_row(one, f"{wire:.0f} kB", f"{used:.0f} kB", f"{paint:.0f} ms")
                is_good = is_good and wire <= TARGET_KB and paint <= TARGET_PAINT_MS
        badges_s = measure_badges(browser, folder)
        browser.close()
    console = Console(width=110)
    console.print(grid)
    targets = f"all below {TARGET_KB} kB on the wire and painted within {TARGET_PAINT_MS} ms"
    console.print(f"{targets}: {'reached' if is_good else 'missed'}")
    quick = badges_s <= TARGET_BADGES_S
    reached = "reached" if quick else "missed"
    console.print(f"badges for {BADGES} players, first time: {badges_s:.1f} s; at most {TARGET_BADGES_S} s: {reached}")
    return is_good and quick


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=64)
    given = parser.parse_args()
    set_up_log("none")
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(not measure(given.tables, Path(folder)))


if __name__ == "__main__":
    main()
