"""One table's trouble is its own: a port that is stuck, one that floods, a journal that takes nothing."""

import os
import select
import socket
import threading
import time
import tty
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.host.fleet.served import Heard, all_stored, at_port, journalled, serving, start, stored, until
from wallwright.errors import BadKey, PortGone
from wallwright.fleet import Fleet
from wallwright.fleet.port import BURST_BYTES, RATE_BYTES_PER_S, Bell, Budget, Stopped, TablePort
from wallwright.fleet.shared_journal import SharedJournal
from wallwright.fleet.state import SEARCHING
from wallwright.journal import Journal, read_journal
from wallwright.link.ports import DescriptorPort
from wallwright.link.read_by_thread import ReadPort
from wallwright.link.reports import Event
from wallwright.link.transport import open_transport
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation

PACE = 4
ANSWER_LIMIT_S = 4.0
"""Far above what a table needs (some milliseconds), and below every limit of the link."""


def slowest_answer_s(fleet: Fleet, name: str, count: int = 30) -> float:
    slowest = 0.0
    for _ in range(count):
        before = time.monotonic()
        fleet.call(name, lambda table: table.status()).result(20)
        slowest = max(slowest, time.monotonic() - before)
    return slowest


@pytest.fixture
def deaf_port() -> Iterator[str]:
    """A port that opens, takes what fits into the system's buffer, and never says anything."""
    master, slave = os.openpty()
    tty.setraw(slave)
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


@pytest.fixture
def flooding_port() -> Iterator[str]:
    """A port that sends as fast as it is read, frames and garbage, without end."""
    server = socket.create_server(("127.0.0.1", 0))
    is_over = threading.Event()

    def flood() -> None:
        garbage = (b"\x05hell\x00" + bytes(range(256))) * 64
        while not is_over.is_set():
            if not select.select([server], [], [], 0.05)[0]:
                continue
            client, _ = server.accept()
            client.setblocking(False)
            with client:
                while not is_over.is_set():
                    select.select([client], [client], [], 0.05)
                    try:
                        client.send(garbage)
                        if not client.recv(4096):
                            break
                    except BlockingIOError:
                        continue
                    except OSError:
                        break

    thread = threading.Thread(target=flood)
    thread.start()
    yield f"socket://127.0.0.1:{server.getsockname()[1]}"
    is_over.set()
    thread.join()
    server.close()


def test_a_stuck_port_delays_nobody_else_and_not_the_end(tmp_path: Path, deaf_port: str) -> None:
    hall = Hall([Simulation(41)], pace=PACE)
    with serving(hall):
        fleet = start(tmp_path, at_port("A1", hall.ports[0]), at_port("A2", deaf_port))
        with fleet:
            heard = Heard(fleet.news)
            heard.kind("A1", "connected")
            assert slowest_answer_s(fleet, "A1") < ANSWER_LIMIT_S
            before = time.monotonic()
        assert time.monotonic() - before < ANSWER_LIMIT_S
        assert not any(change.table == "A2" and change.kind == "connected" for change in heard.changes)


def test_a_flood_delays_nobody_else(tmp_path: Path, flooding_port: str) -> None:
    hall = Hall([Simulation(42)], pace=PACE)
    with serving(hall), start(tmp_path, at_port("A1", hall.ports[0]), at_port("A2", flooding_port)) as fleet:
        heard = Heard(fleet.news)
        heard.kind("A1", "connected")
        assert slowest_answer_s(fleet, "A1") < ANSWER_LIMIT_S
        assert fleet.state().tables[1].link == SEARCHING


def test_a_budget_is_a_burst_and_then_a_rate() -> None:
    budget = Budget()
    budget.spend(5000, BURST_BYTES - 1)
    assert budget.wait_ms(5000) == 0
    budget.spend(5000, 4096)
    wait = budget.wait_ms(5000)
    assert 0 < wait <= 1000 * 4096 // RATE_BYTES_PER_S + 1
    assert budget.wait_ms(5000 + wait) == 0
    taken = 0
    for now in range(6000, 16_000):
        if not budget.wait_ms(now):
            budget.spend(now, 512)
            taken += 512
    assert taken <= 11 * RATE_BYTES_PER_S
    assert taken >= 9 * RATE_BYTES_PER_S


@pytest.fixture(params=["descriptor", "thread"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ports as Linux waits for them, and as a thread reads them where the system cannot."""
    if request.param == "thread":
        monkeypatch.setattr("wallwright.link.transport.CAN_POLL", False)
        monkeypatch.setattr("wallwright.fleet.port.CAN_POLL", False)


@pytest.mark.usefixtures("either_way")
def test_no_more_than_the_budget_is_read_from_a_flood(flooding_port: str) -> None:
    transport = open_transport(flooding_port)
    assert isinstance(transport, DescriptorPort | ReadPort)
    bell = Bell()
    paused: list[float] = []
    port = TablePort(transport, bell, pause=paused.append)
    taken = 0
    begin = time.monotonic()
    while time.monotonic() - begin < 1:
        taken += len(port.read(0))
        bell.check()
        port.wait(50)
    seconds = time.monotonic() - begin
    assert taken <= BURST_BYTES + 4096 + RATE_BYTES_PER_S * seconds
    assert taken > BURST_BYTES / 2
    while port.read(0):
        taken += 1
    assert port.read(10) == b""
    assert all(0 < pause <= 0.1 for pause in paused)
    port.close()
    bell.close()


@pytest.mark.usefixtures("either_way")
def test_a_port_ends_a_wait_as_soon_as_it_has_something() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        transport = open_transport(f"socket://127.0.0.1:{server.getsockname()[1]}")
        assert isinstance(transport, DescriptorPort | ReadPort)
        peer, _ = server.accept()
        bell = Bell()
        port = TablePort(transport, bell)
        begin = time.monotonic()
        for piece in (b"one", b"two"):
            peer.send(piece)
            port.wait(60_000)
            assert port.read(1000) == piece
        peer.close()
        port.wait(60_000)
        with pytest.raises(PortGone):
            port.read(60_000)
        port.wait(60_000)
        assert time.monotonic() - begin < 30
        port.close()
        bell.close()


@pytest.mark.usefixtures("either_way")
def test_a_bell_ends_a_wait_now_or_the_next_one() -> None:
    bell = Bell()
    begin = time.monotonic()
    bell.ring()
    bell.wait(20_000)
    threading.Thread(target=bell.ring).start()
    bell.wait(20_000)
    bell.stop()
    with pytest.raises(Stopped):
        bell.wait(20_000)
    with pytest.raises(Stopped):
        bell.wait(20_000)
    assert time.monotonic() - begin < 5
    bell.close()
    bell.ring()


def test_a_key_that_is_broken_is_the_trouble_of_its_own_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Locked(Journal):
        def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
            if unit == "SIM-46":
                raise BadKey("deal.json", "this is no key of a deal; move it away, and a new one is made")
            return super().append_event(unit, event, at_ms=at_ms)

    monkeypatch.setattr("wallwright.fleet.shared_journal.Journal", Locked)
    simulations = [Simulation(46), Simulation(47)]
    hall = Hall(simulations, pace=PACE)
    with serving(hall) as served:
        tables = [at_port(f"A{index}", port) for index, port in enumerate(hall.ports)]
        with start(tmp_path, *tables) as fleet:
            heard = Heard(fleet.news)
            locked = heard.kind("A0", "searching", outage="bad_key")
            assert "move it away" in locked.body["text"]
            heard.kind("A1", "connected")
            served.do(lambda: simulations[1].players.press_dice(0))
            heard.event("A1", "dice_rolled")
            until(all_stored(served, simulations[1]))
            assert not any(change.kind == "journal" for change in heard.changes)
            assert fleet.state().journal_problem is None
        assert served.do(lambda: stored(simulations[0])[0]) == 0
    assert journalled(tmp_path / "hall.journal", "SIM-46") == {}


def test_keys_and_entries_that_wait_together_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = threading.Event()
    waiting = threading.Event()

    class Held(Journal):
        def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
            if kind == "first":
                waiting.set()
                assert held.wait(60)
            if kind == "locked":
                raise BadKey("deal.json", "no key")
            return super().append(kind, body, at_ms=at_ms, unit=unit)

    monkeypatch.setattr("wallwright.fleet.shared_journal.Journal", Held)
    monkeypatch.setattr("wallwright.fleet.shared_journal.COMMIT_LIMIT_S", 60.0)
    journal = SharedJournal(tmp_path / "hall.journal")
    ends: dict[str, object] = {}

    def append(kind: str) -> None:
        try:
            ends[kind] = journal.append(kind, {}, at_ms=1)
        except BadKey as error:
            ends[kind] = error

    threads = [threading.Thread(target=append, args=(kind,)) for kind in ("first", "locked", "other")]
    threads[0].start()
    assert waiting.wait(60)
    for thread in threads[1:]:
        thread.start()
    until(lambda: len(journal._jobs) == 2)
    held.set()
    for thread in threads:
        thread.join()
    journal.close()
    assert isinstance(ends.pop("locked"), BadKey)
    assert ends == {"first": 1, "other": 2}
    assert [entry.kind for entry in read_journal(tmp_path / "hall.journal")] == ["first", "other"]
