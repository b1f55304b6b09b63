"""A hall of paper: tables whose states a test sets, a journal that is a list, and the console before it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from anyio.from_thread import BlockingPortal
from argon2 import PasswordHasher
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from wallwright.console.app import make_app
from wallwright.console.guard import Site
from wallwright.console.hall.desk import Desk
from wallwright.console.hall.model import NoProgress
from wallwright.console.people.accounts import Accounts
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.errors import JournalError, NotConnected
from wallwright.event import setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.fleet.state import CONNECTED, Change, HallState, News, TableState
from wallwright.link.reports import Event, Info, Status
from wallwright.rules.core.followed import Settled
from wallwright.rules.sichuan.settlement import Settlement
from wallwright.tiles.station import NextBuild

SEED = b"s" * 32
BASE = "http://127.0.0.1"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Tests sign in a hundred times."""
PASSWORD = "four walls and a roof"
START_MS = 1_795_000_000_000

STATUS = Status(
    state="ready",
    fault=None,
    fault_side=None,
    set_above=0,
    set_whole=True,
    plan=(14, 13, 14, 13),
    stacks=(14, 13, 14, 13),
    loose_tiles=(0, 0, 0, 0),
    inputs=("lid_is_closed", *(f"lift_down_{side}" for side in range(4))),
    drives=(),
    lamps=(),
    deal=3,
    east=0,
    round_wind=0,
    deal_kind="usual",
    pot=0,
    tiles=108,
    dice_count=2,
    purpose="cut",
    dealer=1,
    dice=(2, 5),
    uptime_ms=5000,
    stored_event=9,
    newest_event=9,
    wiring="26a2cc4f",
    frame_errors=0,
)


class PaperTable:
    """Notes what is asked of it; `refusal` is what it raises instead."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.refusal: Exception | None = None

    def read_next_build(self) -> NextBuild:
        return NextBuild("U", 0, 1, 0, "00" * 32, "", takes=False, boot_id=1)

    def __getattr__(self, name: str) -> Callable[[], None]:
        def ask() -> None:
            self.asked.append(name)
            if self.refusal is not None:
                raise self.refusal

        return ask


class PaperFleet:
    """What a desk needs of a fleet; all happens in the test's own thread."""

    def __init__(self, *names: str) -> None:
        self.news = News()
        self.tables = {name: TableState(name, CONNECTED, info=Info(f"U-{name}", "0.1.0", 108, 2), status=STATUS)
                       for name in names}  # fmt: skip
        self.papers = {name: PaperTable() for name in names}
        self.records: list[tuple[str, Mapping[str, Any]]] = []
        self.journal_problem: JournalError | None = None
        self.heard: list[str] = []
        self.answered: list[tuple[str, int, int]] = []
        self.settlement: Settlement | Exception | None = None

    def state(self) -> HallState:
        problem = self.journal_problem
        return HallState(tuple(self.tables.values()), None if problem is None else str(problem))

    def call(self, table: str, action: Callable[[Any], Any]) -> "Future[Any]":
        future: Future[Any] = Future()
        try:
            if self.tables[table].link != CONNECTED:
                raise NotConnected(table, "the cable is out")
            paper = self.papers[table]
            asked = getattr(action, "__name__", "")
            self.heard.append(f"{asked} {table} after {len(self.records)} records")
            future.set_result(getattr(paper, asked)())
        except Exception as error:  # noqa: BLE001 (the future has it, as a fleet's has)
            future.set_exception(error)
        return future

    def answer(self, table: str, deal: int, number: int) -> "Future[Settled]":
        """Answers are noted; what they come to is what a test has put there, or raises."""
        self.answered.append((table, deal, number))
        future: Future[Settled] = Future()
        if isinstance(self.settlement, Exception):
            future.set_exception(self.settlement)
        elif self.settlement is not None:
            future.set_result(self.settlement)
        return future

    def record(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        if self.journal_problem is not None:
            raise self.journal_problem
        self.records.append((kind, {**body, "unit": unit}))
        return len(self.records)

    def change(self, table: str, **status: Any) -> None:
        before = self.tables[table]
        assert before.status is not None
        self.tables[table] = replace(before, status=replace(before.status, **status))

    def tell(self, table: str, name: str, seq: int = 1, **fields: Any) -> None:
        event = Event(seq, 1, 0, name, fields)
        self.news.tell(Change(START_MS, table, "event", event=event))


class Clock:
    def __init__(self) -> None:
        self.now_ms = START_MS

    def __call__(self) -> int:
        return self.now_ms


@cache
def _drawn(names: tuple[str, ...], salt: str = "") -> bytes:
    """A journal with a tournament whose lots are drawn: made once, for a plan of seats takes its time."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "event.journal"
        with open_event(str(path), "dan", Clock(), new=True) as desk:
            setup.create(desk, load_format("chengdu-grand-prix"), salt)
            roster = Roster(tuple(Player(number, name) for number, name in enumerate(names, 1)))
            setup.import_players(desk, roster, "players.csv")
            setup.commit_draw(desk, MAIN, SEED)
            setup.reveal_draw(desk, MAIN, SEED)
        return path.read_bytes()


class Place:
    """A console in `folder`: the fleet behind it, clients before it."""

    def __init__(self, folder: Path, *names: str, guest: Person | None = None) -> None:
        self.fleet = PaperFleet(*(names or ("A1", "A2")))
        self.clock = Clock()
        self.file = folder / "hall.users"
        self.accounts = Accounts(self.file, QUICK)
        self.desk = Desk(self.fleet, NoProgress(), self.clock)
        self.site = Site(self.desk, self.accounts, self.clock, title="Spring", guest=guest)
        self.app = make_app(self.site)
        self.portal: BlockingPortal | None = None

    def begin_event(self, players: int = 8, prefix: str = "P", names: Sequence[str] = (), salt: str = "") -> Book:
        """Give it a tournament of so many players, with `names` or numbered, whose lots are drawn.

        With a `salt` its journal begins as `wallwright event new` has it.
        """
        path = self.file.with_name("event.journal")
        path.write_bytes(_drawn(tuple(names or (f"{prefix}{number}" for number in range(1, players + 1))), salt))
        self.site.book = self.desk._progress = book = Book(str(path), self.clock)
        return book

    def client(self) -> TestClient:
        """A browser's place; all share one event loop, as those of a server do."""
        client = TestClient(self.app, base_url=BASE, follow_redirects=False)
        client.portal = self.portal
        return client

    def signed_in(self, role: str, name: str = "") -> TestClient:
        """A client of somebody with that role, who sends the CSRF token with everything."""
        client = self.client()
        if role == "public":
            return client
        name = name or f"{role} one"
        if not any(person.name == name for person in self.accounts.people()):
            self.accounts.add(name, role, PASSWORD)
        answer = client.post("/api/v1/session", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 200
        client.headers["X-CSRF-Token"] = answer.json()["csrf"]
        return client

    def look(self) -> None:
        """Let the desk see how the fleet is, as its thread does four times a second. What fails while somebody is told
        fails here, where the thread would go on with the next one.
        """
        changes = self.fleet.news.take(0) or []
        happenings = tuple(self.desk._note(change) for change in changes)
        self.desk.view = self.desk._look()
        for listener in tuple(self.desk._listeners):
            listener(self.desk.view, happenings)


def routes(place: Place) -> list[APIRoute]:
    """All endpoints of a console."""
    found = []
    pending = list(place.app.routes)
    while pending:
        route = pending.pop()
        if isinstance(route, APIRoute):
            found.append(route)
        else:
            nested = getattr(getattr(route, "original_router", None), "routes", None)
            assert nested is not None, f"{route} is neither an endpoint nor a router of endpoints"
            pending += nested
    return found


@contextmanager
def opened(folder: Path, *names: str, guest: Person | None = None) -> Iterator[Place]:
    place = Place(folder, *names, guest=guest)
    with TestClient(place.app, base_url=BASE) as lasting:
        place.portal = lasting.portal
        yield place
    place.accounts.close()
