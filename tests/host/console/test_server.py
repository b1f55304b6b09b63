"""The server itself: packed answers, open streams, crowds, and those who keep it waiting."""

import asyncio
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from tests.host.fleet.served import until
from wallwright.console import server
from wallwright.console.people.person import Person
from wallwright.console.slow_clients import PATIENCE_S, Patience
from wallwright.system.open_files import FILES_BESIDE, FILES_PER_TABLE, allow_files

LIMIT_S = 60


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path, guest=Person("guest", "director"))
    yield place
    place.accounts.close()


@pytest.fixture
def serving(place: Place) -> Iterator[Serving]:
    serving = Serving(place)
    yield serving
    serving.stop()


def test_pages_are_packed_and_a_stream_is_not(serving: Serving) -> None:
    with httpx2.Client(base_url=serving.address, timeout=LIMIT_S) as client:
        plain = client.get("/", headers={"Accept-Encoding": "identity"})
        packed = client.get("/", headers={"Accept-Encoding": "gzip"})
        assert (plain.headers.get("content-encoding"), packed.headers["content-encoding"]) == (None, "gzip")
        assert packed.text == plain.text
        with client.stream("GET", "/live/hall", headers={"Accept-Encoding": "gzip"}) as stream:
            assert "content-encoding" not in stream.headers
            lines = stream.iter_lines()
            while next(lines) != "event: hall":
                pass


class Cycle:
    """A question and its answer."""

    def __init__(self, *, response_complete: bool = False, more_body: bool = False) -> None:
        self.response_complete = response_complete
        self.more_body = more_body


class Paper:
    """A connection: waits for its question, or is being answered with so much that is not taken."""

    def __init__(self, cycle: Cycle | None = None, untaken: int = 0) -> None:
        self.cycle = cycle
        self.untaken = untaken
        self.transport = SimpleNamespace(get_write_buffer_size=lambda: self.untaken, abort=lambda: None)

    @property
    def flow(self) -> Any:
        return SimpleNamespace(write_paused=self.untaken > 0)


def test_who_does_not_move_is_cut_off_after_a_while_and_who_gets_on_is_not() -> None:
    now = [0.0]
    patience = Patience(lambda: now[0])
    silent, asking_on, half_told = Paper(), Paper(Cycle(response_complete=True)), Paper(Cycle(more_body=True))
    asleep, sipping, slow = (Paper(Cycle(), untaken=90_000) for _ in range(3))
    served = Paper(Cycle())
    quick = Paper(Cycle(response_complete=True))
    everybody = [silent, asking_on, half_told, asleep, sipping, slow, served, quick]
    cut_off = []
    for _ in range(int(PATIENCE_S) + 1):
        cut_off += list(patience.look(everybody))
        now[0] += 1
        sipping.untaken -= 1
        slow.untaken -= 1000
        quick.cycle = Cycle(response_complete=True)
    assert cut_off == [silent, asking_on, half_told, asleep, sipping]


def test_time_counts_anew_when_somebody_has_moved() -> None:
    now = [0.0]
    patience = Patience(lambda: now[0])
    one = Paper()
    patience.look([one])
    now[0] = PATIENCE_S - 1
    one.cycle = Cycle()
    assert not patience.look([one])
    one.cycle = Cycle(response_complete=True)
    now[0] = PATIENCE_S
    assert not patience.look([one])
    now[0] = 2 * PATIENCE_S
    assert list(patience.look([one])) == [one]


def test_the_silent_and_the_sleeping_lose_their_connections_and_a_viewer_does_not(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = serving.port
    with httpx2.Client(base_url=serving.address, timeout=LIMIT_S) as client, client.stream("GET", "/live/hall") as one:
        lines = one.iter_lines()
        next(lines)
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as silent:
            monkeypatch.setattr("wallwright.console.slow_clients.PATIENCE_S", 0.0)
            assert silent.recv(1) == b""
            monkeypatch.undo()
        with socket.socket() as asleep:
            asleep.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            asleep.connect(("127.0.0.1", port))
            asleep.sendall(b"GET /static/htmx.min.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200)
            until(lambda: any(protocol.flow.write_paused for protocol in connections(serving)))
            monkeypatch.setattr("wallwright.console.slow_clients.PATIENCE_S", 0.0)
            until(lambda: len(connections(serving)) == 1)
        serving.place.fleet.change("A1", state="fault", fault="stopped")
        serving.place.look()
        assert any('id="need-title"' in line for line in lines)


def connections(serving: Serving) -> list[Any]:
    return list(serving._server.server_state.connections)


def test_the_server_looks_at_who_waits_and_shows_that_it_lives_every_so_many_ticks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def go_on(*_: object) -> bool:
        return False

    monkeypatch.setattr("uvicorn.Server.on_tick", go_on)
    said: list[str] = []
    own: Any = object.__new__(server.Server)
    own._patience = SimpleNamespace(look=lambda connections: said.append(f"look at {connections}"))
    own._heart = SimpleNamespace(beat=lambda: said.append("beat"))
    own.server_state = SimpleNamespace(connections="all")
    every = server.TICKS_PER_LOOK
    for counter in range(1, 3 * every):
        said.clear()
        assert asyncio.run(own.on_tick(counter)) is False
        assert said == (["look at all", "beat"] if counter in (every, 2 * every) else [])


def test_strangers_streams_leave_room_for_those_who_work_there(place: Place) -> None:
    place.site.guest = None
    place.begin_event(4)
    serving = Serving(place, connections=12)
    cookies = {"wallwright_session": place.signed_in("referee").cookies["wallwright_session"]}
    with httpx2.Client(base_url=serving.address, timeout=LIMIT_S) as client, ExitStack() as stack:
        for _ in range(7):
            assert stack.enter_context(client.stream("GET", "/live/screen")).status_code == 200
        assert client.get("/live/screen").status_code == 503
        assert client.get("/screen").status_code == 200
        for path in ("/live/hall", "/live/event"):
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
            assert stack.enter_context(client.stream("GET", path, headers=headers)).status_code == 200
    serving.stop()


def test_there_are_files_for_all_or_as_many_connections_as_there_is_room_for() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    tables = 10
    beside = FILES_PER_TABLE * tables + FILES_BESIDE
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (beside + 20, before[1]))
        assert allow_files(tables, 500) == 500
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == beside + 500
        assert allow_files(tables, 100) == 100
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == beside + 500
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
