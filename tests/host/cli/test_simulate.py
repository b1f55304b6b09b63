"""A simulated table in a process of its own, opened by other processes, through a pseudo-terminal and through TCP."""

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest

from tests.host.programs import RUNNER, Program
from wallwright.errors import LinkError, PortBusy, PortGone, PortNotFound, TableFault
from wallwright.table.table import open_table
from wallwright.tiles.enrolment import read_readers

PACE = 4
KINDS = {"pty": ["--pty"], "tcp": ["--tcp", "0"]}


class Served:
    """A running `wallwright simulate`."""

    def __init__(self, *options: str) -> None:
        self.process = RUNNER.start("simulate", "--pace", str(PACE), *options, stdin=subprocess.PIPE)
        assert self.process.stdin
        assert self.process.stdout
        self.keys = self.process.stdin
        self.lines = self.process.stdout
        self.port = self.said(r"port: (.+)").group(1)

    def said(self, pattern: str) -> re.Match[str]:
        """Read on until a line fits."""
        for line in self.lines:
            found = re.search(pattern, line)
            if found:
                return found
        raise AssertionError(f"ended without saying {pattern}: {self.process.communicate()[1]}")

    def press(self, *keys: str) -> None:
        self.keys.write("".join(f"{key}\n" for key in keys))
        self.keys.flush()

    def end(self, how: Callable[[Program], object]) -> tuple[int, str]:
        how(self.process)
        errors = self.process.communicate(timeout=100)[1]
        return self.process.wait(), errors


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    running: list[Served] = []

    def start(*options: str) -> Served:
        running.append(Served(*options))
        return running[-1]

    yield start
    for served in running:
        served.process.kill()
        served.process.communicate()


def test_a_round_by_keys_seen_by_a_host(serve: Callable[..., Served]) -> None:
    served = serve("--pty", "--seed", "6")
    with open_table(served.port) as table:
        assert table.info.unit == "SIM-6"
        served.press("l0")
        assert table.wait_for("key_pressed", 5000).fields == {"side": 0, "key": "lift"}
        # The host stops reading for so long that the table gives it up; neither the build nor an event suffers.
        served.said("READY")
        table.reconnect()
        built = table.wait_for("build_done", 5000)
        assert built.fields["stacks"] == (14, 13, 14, 13)
        served.press("l1")
        table.wait_state("lid_open", 10_000)
        served.press("p", "l1")
        table.wait_for("walls_up", 5000)
        served.press("w", "r3", "c1", "b2", "k0", "d2")
        assert table.wait_for("referee_called", 5000).fields["side"] == 3
        rolled = table.wait_for("dice_rolled", 5000).fields
        assert (rolled["seat"], rolled["source"], rolled["deal"]) == (2, "side_2", 1)
        table.wait_state("shuffling", 5000)
        served.press("e")
        with pytest.raises(TableFault, match="emergency_stop"):
            table.wait_for("build_done", 20_000)
        served.press("E", "x9")
        served.said("'x9' is no key")
        assert table.notes == ()
    code, errors = served.end(lambda _: served.press("q"))
    assert (code, errors) == (0, "")


def test_commands_of_other_processes(serve: Callable[..., Served]) -> None:
    served = serve("--tcp", "0", "--tiles", "112")
    status = RUNNER.finish("status", "--port", served.port, "--json")
    assert (status.returncode, status.stderr) == (0, "")
    assert json.loads(status.stdout)["tiles"] == 112
    rolled = RUNNER.finish("dice", "--port", served.port, "--seat", "1")
    assert re.fullmatch(r"\d \+ \d = \d+\n", rolled.stdout)
    with open_table(served.port):
        second = RUNNER.finish("status", "--port", served.port)
    assert second.returncode == 3
    assert re.fullmatch(r"error: [^\n]+\n", second.stderr)
    built = RUNNER.finish("build", "--port", served.port, "--plan", "14,14,14,14", "--json")
    assert (built.returncode, built.stderr) == (0, "")
    assert json.loads(built.stdout)["stacks"] == [14, 14, 14, 14]


def test_watch_ends_with_ctrl_c_and_without_a_word(serve: Callable[..., Served]) -> None:
    served = serve("--pty")
    watch = RUNNER.start("watch", "--port", served.port, "--json")
    assert watch.stdout
    assert json.loads(watch.stdout.readline())["status"] == "idle"
    watch.send_signal(signal.SIGINT)
    _, errors = watch.communicate(timeout=100)
    assert (watch.returncode, errors) == (0, "")


@pytest.mark.parametrize("kind", KINDS)
def test_a_host_that_is_killed_loses_no_event(serve: Callable[..., Served], kind: str) -> None:
    served = serve(*KINDS[kind])
    watch = RUNNER.start("watch", "--port", served.port, "--json", stderr=subprocess.DEVNULL)
    assert watch.stdout
    watch.stdout.readline()
    served.press("r1")
    while "referee_called" not in watch.stdout.readline():
        pass
    watch.kill()
    watch.wait()
    watch.stdout.close()
    served.press("r2")
    served.said("r2: done")
    with open_table(served.port) as table:
        table.pump(500)
        called = [event for event in table.events() if event.name == "referee_called"]
    assert [event.fields["side"] for event in called] == [1, 2]


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_that_vanishes_is_gone_at_once_and_for_good(serve: Callable[..., Served], kind: str) -> None:
    served = serve(*KINDS[kind])
    with open_table(served.port) as table:
        served.end(lambda process: process.kill())
        start = time.monotonic()
        with pytest.raises(PortGone) as caught:
            table.wait_for("build_done", 60_000)
        assert time.monotonic() - start < 30
        assert "hello" in caught.value.trace
        with pytest.raises(LinkError) as again:
            table.reconnect()
        assert isinstance(again.value, PortNotFound | PortGone)


def test_another_table_on_the_port_is_met_anew(serve: Callable[..., Served]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        number = str(free.getsockname()[1])
    served = serve("--tcp", number, "--seed", "1")
    with open_table(served.port) as table:
        first = table.boot_id
        served.end(lambda process: process.kill())
        with pytest.raises(PortGone):
            table.pump(60_000)
        serve("--tcp", number, "--seed", "2")
        table.reconnect()
        assert table.boot_id != first
        assert table.info.unit == "SIM-2"
        assert table.status().state == "idle"


def test_a_taken_tcp_port_is_one_line(serve: Callable[..., Served]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = RUNNER.finish("simulate", "--tcp", str(taken.getsockname()[1]))
    assert result.returncode == 3
    assert re.fullmatch(r"error: port \d+: another program listens there[^\n]+\n", result.stderr)


@pytest.mark.parametrize("kind", KINDS)
def test_only_this_machine_is_served(serve: Callable[..., Served], kind: str) -> None:
    port = serve(*KINDS[kind]).port
    assert re.fullmatch(r"/dev/pts/\d+|socket://127\.0\.0\.1:\d+", port)


def test_a_table_with_a_ring_that_sorts_builds_walls(serve: Callable[..., Served]) -> None:
    served = serve("--tcp", "0", "--seed", "1", "--hardware", "ring", "--magnets", "18")
    with open_table(served.port) as table:
        assert table.status().state == "idle"
        assert read_readers(table).readers == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--hardware", "rings"], "no hardware is called 'rings'; there are plain, mouth, flap, ring"),
        (["--hardware", "ring", "--magnets", "99"], "magnets is 99: a ring has 4 to 24"),
        (["--hardware", "flap", "--places", "-1"], "places is -1: a lane has 0 to 16"),
        (["--magnets", "9"], "magnets belong to hardware=ring, not to plain"),
        (["--hardware", "ring", "--board", "rp2040"], "an emulated board has nothing that sorts"),
    ],
)
def test_hardware_that_there_is_not_is_refused_in_one_line(options: list[str], problem: str) -> None:
    done = RUNNER.finish("simulate", "--tcp", "0", *options)
    assert done.returncode == 2
    assert problem in " ".join(done.stderr.split())
    assert len(done.stderr.splitlines()) <= 2
    assert "Traceback" not in done.stderr


def test_what_hands_cannot_do_is_said(serve: Callable[..., Served]) -> None:
    served = serve("--tcp", "0")
    served.press("P l2", "s", "f lid obstructd", "f tile 300 missing", "f")
    served.said("^P: tiles can only be pushed in while the lid is open$")
    served.said("^l2: done$")
    served.said("^s: the carriers hold no walls$")
    served.said("^f: 'lid obstructd': .* write lid obstructed at TIME")
    served.said("^f: tile 300 missing: this table's tiles are 0 to 215$")
    served.said("^'f' is no key:$")


def test_it_goes_on_when_its_keyboard_ends_and_stops_at_ctrl_c(serve: Callable[..., Served]) -> None:
    served = serve("--pty")
    served.press("p")
    served.said("p: tiles can only be pushed in while the lid is open")
    served.keys.close()
    with open_table(served.port) as table:
        assert table.status().state == "idle"
        with pytest.raises(PortBusy):
            open_table(served.port)
    served.process.stdin = None
    assert served.end(lambda process: process.send_signal(signal.SIGINT)) == (0, "")


def test_time_passes_at_the_pace_it_was_given(serve: Callable[..., Served]) -> None:
    served = serve("--pty")
    with open_table(served.port) as table:
        table_ms, own_ms = table.status().uptime_ms, table.now_ms()
        table.pump(2000)
        passed = table.status().uptime_ms - table_ms
        assert abs(passed - PACE * (table.now_ms() - own_ms)) < PACE * 200


def test_it_sleeps_while_nothing_happens(serve: Callable[..., Served]) -> None:
    served = serve("--pty")
    with open_table(served.port) as table:
        table.pump(500)
        ticks = os.sysconf("SC_CLK_TCK")

        def used_s() -> float:
            with open(f"/proc/{served.process.pid}/stat") as stat:  # noqa: PTH123
                fields = stat.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / ticks

        before = used_s()
        table.pump(2000)
        assert used_s() - before < 0.4
