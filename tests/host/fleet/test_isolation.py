"""One table's trouble is its own: a port that is stuck, one that floods, a journal that takes nothing."""

import os
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.host.fleet.served import Heard, all_stored, config_text, journalled, serving, stored, until
from wallwright.errors import BadKey, JournalFull
from wallwright.fleet import Fleet, load_hall
from wallwright.fleet.port import BURST_BYTES, RATE_BYTES_PER_S, Bell, Budget, Stopped, TablePort
from wallwright.fleet.shared_journal import SharedJournal
from wallwright.fleet.state import SEARCHING
from wallwright.journal import Journal, read_journal
from wallwright.transport import DescriptorPort, open_transport
from wallwright.values import Event
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation

PACE = 4
ANSWER_LIMIT_S = 4.0
"""Far above what a table needs (some milliseconds), and below every limit of the link."""


def start(folder: Path, *tables: str) -> Fleet:
    file = folder / "hall.toml"
    file.write_text(config_text(folder / "hall.journal", tables))
    return Fleet(load_hall(file))


def at_port(name: str, port: str) -> str:
    return f'name = "{name}"\nport = "{port}"'


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


def test_no_more_than_the_budget_is_read_from_a_flood(flooding_port: str) -> None:
    transport = open_transport(flooding_port)
    assert isinstance(transport, DescriptorPort)
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


def test_a_full_disk_leaves_the_tables_running_and_their_events_on_the_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_full = threading.Event()

    class Filling(Journal):
        def append(self, *args: object, **kwargs: object) -> int:
            self._check()
            return super().append(*args, **kwargs)  # type: ignore[arg-type]

        def append_event(self, *args: object, **kwargs: object) -> bool:
            self._check()
            return super().append_event(*args, **kwargs)  # type: ignore[arg-type]

        def _check(self) -> None:
            if is_full.is_set():
                raise JournalFull(str(self.path), "the disk is full")

    monkeypatch.setattr("wallwright.fleet.shared_journal.Journal", Filling)
    monkeypatch.setattr("wallwright.fleet.shared_journal.RETRY_S", 0.1)
    simulations = [Simulation(43), Simulation(44)]
    hall = Hall(simulations, pace=PACE)
    with serving(hall) as served:
        tables = [at_port(f"A{index}", port) for index, port in enumerate(hall.ports)]
        with start(tmp_path, *tables) as fleet:
            heard = Heard(fleet.news)
            for name in ("A0", "A1"):
                heard.kind(name, "connected")
            until(all_stored(served, *simulations))
            is_full.set()
            served.do(lambda: simulations[0].players.press_dice(0))
            failed = heard.kind(None, "journal", works=False)
            assert "disk is full" in failed.body["text"]
            assert fleet.state().journal_problem == failed.body["text"]
            # They are followed and commanded all the same, and their boards keep what happens.
            since = len(heard.changes)
            served.do(lambda: simulations[1].players.press_referee(2))
            heard.event("A1", "referee_called", since)
            fleet.call("A1", lambda table: table.start_build()).result(20)
            heard.event("A1", "build_started", since)
            assert not all_stored(served, simulations[1])()
            assert not any(change.kind == "searching" for change in heard.changes)
            is_full.clear()
            heard.kind(None, "journal", works=True)
            until(all_stored(served, *simulations))
            assert fleet.state().journal_problem is None
        shown = [c.body["event"] for c in heard.changes if c.kind == "event"]
        assert len({(event.boot_id, event.seq) for event in shown}) == len(shown), "shown twice"
    for simulation in simulations:
        (seqs,) = journalled(tmp_path / "hall.journal", simulation.unit).values()
        assert seqs == list(range(1, len(seqs) + 1))
    kinds = [entry.kind for entry in read_journal(tmp_path / "hall.journal")]
    assert "journal_resumed" in kinds
    assert {"referee_called", "build_started"} <= set(kinds)


def test_a_key_that_is_broken_is_the_trouble_of_its_own_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Locked(Journal):
        def append_event(self, unit: str, event: Event, *, at_ms: int) -> bool:
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


def test_a_disk_that_is_really_full_and_is_then_not(tmp_path: Path) -> None:
    """By the limit that the system puts on the size of this process's files, which is then lifted."""
    simulation = Simulation(45)
    hall = Hall([simulation], pace=PACE)
    with serving(hall) as served:
        file = tmp_path / "hall.toml"
        file.write_text(config_text(tmp_path / "hall.journal", [at_port("A1", hall.ports[0])]))
        run = subprocess.Popen(
            [sys.executable, "-c", "from wallwright.cli import main; main()", "run", "--json", "--config", str(file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert run.stdout is not None
        try:
            lines = iter(run.stdout.readline, "")
            next(line for line in lines if '"connected"' in line)
            until(all_stored(served, simulation))
            resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
            served.do(lambda: simulation.players.press_dice(0))
            failed = next(line for line in lines if '"journal"' in line)
            assert '"works": false' in failed
            assert "full" in failed
            served.do(lambda: simulation.players.press_referee(1))
            next(line for line in lines if '"referee_called"' in line)
            resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            assert '"works": true' in next(line for line in lines if '"journal"' in line)
            until(all_stored(served, simulation))
            run.send_signal(signal.SIGTERM)
            _, errors = run.communicate(timeout=100)
        finally:
            run.kill()
            run.communicate()
        assert (run.returncode, errors) == (0, "")
    (seqs,) = journalled(tmp_path / "hall.journal", "SIM-45").values()
    assert seqs == list(range(1, len(seqs) + 1))
