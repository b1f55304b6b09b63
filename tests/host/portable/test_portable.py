"""What Wallwright needs of a system is no more than Windows has: its programs, run where our modules find no more.

`sitecustomize.py` beside this file takes the rest away from them. It shows no difference of Windows but absences.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.host.fleet.served import until
from wallwright.event import setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.store import open_event

HERE = Path(__file__).parent
PACKAGES = ("wallwright_protocol", "wallwright_simulator", "wallwright")
IMPORT_ALL = """
import importlib, pkgutil
for name in ("wallwright_protocol", "wallwright_simulator", "wallwright", "wallwright_firmware"):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        # The board's own and MicroPython's, and two that alembic or Python run.
        if not module.name.startswith(("wallwright_firmware.boards.", "wallwright_simulator.vm.inside")) and (
            not module.name.endswith((".__main__", ".migrations.env"))
        ):
            importlib.import_module(module.name)
            print(module.name)
"""
LOOK = """
import importlib, os, select, socket
assert not hasattr(os, "fork") and not hasattr(select, "poll") and not hasattr(socket, "AF_UNIX")
for name in ("fcntl", "termios", "resource"):
    try:
        importlib.import_module(name)
    except ImportError:
        continue
    raise AssertionError(name)
try:
    select.select([0], [], [], 0)
except OSError as error:
    assert error.errno == 10038
else:
    raise AssertionError("select")
from wallwright.link.ports import CAN_POLL
assert not CAN_POLL
"""
NAMES = ("张三", "李四", "王五", "赵六")
PROGRAM = ["-m", "wallwright"]
END = "--- ended with {}"
EACH = f"""
import sys
from wallwright.cli import main
for line in sys.argv[1:]:
    sys.argv = ["wallwright", *line.split()]
    try:
        main()
    except SystemExit as ended:
        print({END!r}.format(ended.code or 0))
"""
"""Runs a command for each of its words."""
SMALL_HALL = """
import sys
from wallwright.cli import main
from wallwright.console.demo import hall
hall.TABLES = int(sys.argv.pop(1))
main()
"""
TABLES = 2


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(HERE), "XDG_DATA_HOME": str(tmp_path / "data")}


def run(environment: dict[str, str], *words: str, code: int = 0) -> str:
    """Run Python; return what it printed, or its errors if it is to end with a code."""
    # A pipe that stays open: `select` finds no socket there.
    with subprocess.Popen(
        [sys.executable, *words],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        out, errors = process.stdout.read(), process.stderr.read()
        assert process.wait() == code, errors
    return errors if code else out


@contextmanager
def running(environment: dict[str, str], *words: str) -> Iterator[subprocess.Popen[str]]:
    """A Python, until the block is left."""
    process = subprocess.Popen(
        [sys.executable, *words],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def said(process: subprocess.Popen[str], pattern: str) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(pattern, line)
        if found:
            return found[1]
    raise AssertionError(f"ended without saying {pattern}: {process.communicate()[1]}")


def test_the_system_is_taken_away_from_our_modules(environment: dict[str, str]) -> None:
    run(environment, "-c", LOOK)


def test_every_module_can_be_imported(environment: dict[str, str]) -> None:
    imported = set(run(environment, "-c", IMPORT_ALL).split())
    there_are = {
        ".".join(path.relative_to(HERE.parents[2] / part).with_suffix("").parts).removesuffix(".__init__")
        for part in ("protocol", "simulator", "host")
        for path in (HERE.parents[2] / part).rglob("*.py")
    }
    left = {name for name in there_are - imported if ".migrations." not in name}
    assert left == {"wallwright.__main__", "wallwright_simulator.vm.inside", *PACKAGES}


def test_a_session_is_played_kept_shown_and_verified(environment: dict[str, str], tmp_path: Path) -> None:
    journal = str(tmp_path / "session.journal")
    logs = [f"log {act} {journal}" for act in ("show", "checkpoint", "verify")]
    told = run(environment, "-c", EACH, f"demo --deals 1 --journal {journal} --json", *logs)
    played, shown, _, verified, _ = told.split(END.format(0) + "\n")
    assert json.loads(played)["deal"] == 1
    assert "deal_result" in shown
    assert "all as they were written" in verified
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "session.journal"]


def test_a_simulated_table_is_served_and_obeys_its_keys(environment: dict[str, str]) -> None:
    with running(environment, *PROGRAM, "simulate", "--tcp", "0", "--seed", "4") as simulated:
        port = said(simulated, r"port: (\S+)")
        status = run(environment, *PROGRAM, "status", "--port", port, "--json")
        assert json.loads(status)["unit"] == "SIM-4"
        errors = run(environment, *PROGRAM, "status", "--port", "there-is-no-such-port", code=3)
        assert errors.startswith("error: there-is-no-such-port: ")
        out, errors = simulated.communicate("e\nq\n", timeout=60)
        assert (simulated.returncode, errors) == (0, "")
        assert "e: done" in out


def test_a_pseudo_terminal_needs_posix_and_that_is_said(environment: dict[str, str]) -> None:
    errors = run(environment, *PROGRAM, "simulate", "--pty", code=2)
    assert re.fullmatch(r"error: --pty needs a POSIX system [^\n]*--tcp 4000[^\n]*\n", errors)


def test_the_console_shows_a_hall_and_ends_when_told(environment: dict[str, str]) -> None:
    with running(environment, "-c", SMALL_HALL, str(TABLES), "serve", "--demo", "--port", "0", "--seed", "5") as server:
        address = said(server, r"The console: (\S+)")
        with httpx2.Client(base_url=address, timeout=60) as browser:
            assert "A1" in browser.get("/").raise_for_status().text

            met: set[str] = set()

            def all_have_answered() -> bool:
                tables = browser.get("/api/v1/hall").raise_for_status().json()["tables"]
                met.update(table["name"] for table in tables if table["is_connected"])
                return len(met) == TABLES

            until(all_have_answered)
            assert browser.get("/event/standings").status_code == 200
        # A terminal sends Ctrl-C to all of its programs, the simulated hall's among them.
        os.killpg(server.pid, signal.SIGINT)
        _, errors = server.communicate(timeout=60)
        assert (server.returncode, errors) == (0, "")


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_what_a_console_cannot_show_is_no_error(environment: dict[str, str], tmp_path: Path, encoding: str) -> None:
    place = str(tmp_path / "day.journal")
    with open_event(place, "desk", new=True) as desk:
        setup.create(desk, load_format("mil-2025"))
        roster = Roster(tuple(Player(number, name, "四川") for number, name in enumerate(NAMES, 1)))
        setup.import_players(desk, roster, "by hand")
    chosen = {**environment, "PYTHONIOENCODING": encoding}
    exported = f"event export {place} standings --for live"
    told = run(chosen, "-c", EACH, exported, f"{exported} --format json", f"event standings {place} --for live")
    shown, record, standings, rest = told.split(END.format(0) + "\n")
    assert shown.count("\n") == 5
    assert [json.loads(line)["name"] for line in record.splitlines()] == list(NAMES)
    assert "rank" in standings
    assert rest == ""
