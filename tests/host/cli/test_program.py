"""The command line: what it prints, its exit codes, and one line for what went wrong."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.host.programs import RUNNER
from wallwright import cli
from wallwright.cli import program
from wallwright.cli.build import parse_plan
from wallwright.cli.log import entry_line
from wallwright.journal import Entry, Journal
from wallwright.link.reports import SECRET_EVENTS, Event
from wallwright.table.live import watch_build
from wallwright.table.table import Table, open_table
from wallwright_simulator.simulation import Simulation, attach


class Result:
    """What a command left behind."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def records(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def run(line: str) -> Result:
        monkeypatch.setattr("sys.argv", ["wallwright", *shlex.split(line)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        return Result(int(caught.value.code or 0), printed.out, printed.err)

    return run


COMMANDS = ["status", "watch", "build", "dice", "simulate", "log show", "demo", "rules score"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example_of_itself(run, command: str) -> None:
    result = run(f"{command} --help")
    assert result.code == 0
    example = "".join(re.split("Examples?:", result.out, maxsplit=1)[1:])
    assert f"wallwright {command}" in example


def test_the_help_names_every_exit_code(run) -> None:
    result = run("--help")
    for code in {code for _, code in program.EXIT_CODES}:
        assert re.search(rf"^ +{code}  ", result.out, re.MULTILINE)
    for command in COMMANDS:
        assert command.split()[0] in result.out


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("status", 2),
        ("stats", 2),
        ("status --port sim:// --deal", 2),
        ("dice --port sim:// --seat 4", 2),
        ("dice --port sim:// --seat east", 2),
        ("build --port sim:// --plan a,b", 2),
        ("build --port sim:// --plan 14,14,14,14", 2),
        ("build --port sim:// --plan 54", 2),
        ("build --port sim:// --plan 14,13,14,13 --dealer 4", 2),
        ("--show-completion", 2),
        ("simulate", 2),
        ("simulate --pty --tcp 0", 2),
        ("simulate --pty --pace 0", 2),
        ("simulate --tcp 0 --tiles 107", 2),
        ("demo --seed x", 2),
        ("status --port /dev/there-is-no-such-port", 3),
        ("status --port /dev/null", 3),
        ("status --port sim://?seed=abc", 3),
        ("watch --port socket://127.0.0.1", 3),
        ("log show there-is-no-such-journal", 5),
        (f"log show {__file__}", 5),
        ("log show /", 5),
    ],
)
def test_a_user_s_mistake_is_one_line_and_an_exit_code(run, line: str, code: int) -> None:
    result = run(line)
    assert result.code == code
    assert result.out == ""
    assert re.fullmatch(r"error: [^\n]+\n", result.err), result.err


def test_nothing_that_an_option_turns_on_is_on_by_itself() -> None:
    """But for the questions of `doctor test`, which `--no-ask` leaves out."""
    flags: dict[str, object] = {}
    groups: list[tuple[str, Any]] = [("", typer.main.get_command(program.app))]
    for path, command in groups:
        groups += [(f"{path} {name}".strip(), one) for name, one in getattr(command, "commands", {}).items()]
        flags |= {f"{path} {one.opts[0]}": one.default for one in command.params if getattr(one, "is_flag", False)}
    assert len(flags) > 150
    assert {flag for flag, default in flags.items() if default} == {"doctor test --ask"}


def test_a_group_without_a_command_shows_its_help(run) -> None:
    for line in ("", "log", "rules"):
        result = run(line)
        assert result.code == 2
        assert "Commands:" in result.err


def test_status_for_people_and_programs(run) -> None:
    text = run("status --port sim://?seed=4")
    assert text.code == 0
    assert "SIM-4" in text.out
    assert re.search(r"state +idle", text.out)
    (record,) = run("status --port sim://?seed=4 --json").records
    assert (record["unit"], record["state"], record["plan"]) == ("SIM-4", "idle", [14, 13, 14, 13])


def test_build_says_what_it_built(run) -> None:
    (record,) = run("build --port sim://?seed=4 --plan 13,14,13,14 --dealer 1 --json").records
    assert record["event"] == "build_done"
    assert record["stacks"] == [13, 14, 13, 14]
    assert 15_000 < int(str(record["duration_ms"])) < 40_000
    text = run("build --port sim://?seed=4").out
    assert re.fullmatch(r"Built 14 13 14 13 stacks in \d+\.\d s, after a wash of 60 s\.\n", text)
    short = run("build --port sim://?seed=4 --wash 7").out
    assert short == re.sub("60 s", "7 s", text)


def test_dice_are_rolled(run) -> None:
    (record,) = run("dice --port sim://?seed=4 --seat 2 --json").records
    first, second = record["dice"]
    assert record["seat"] == 2
    assert run("dice --port sim://?seed=4 --seat 2").out == f"{first} + {second} = {first + second}\n"


def stopped() -> str:
    simulation = Simulation(4)
    simulation.world.emergency_stop(True)
    simulation.run_until(1000)
    return attach("stopped", simulation)


def test_a_fault_has_its_own_exit_code_and_the_trace_when_wanted(run) -> None:
    port = stopped()
    result = run(f"build --port {port}")
    assert result.code == 4
    assert re.fullmatch(r"error: emergency_stop: [^\n]+\n", result.err)
    result = run(f"dice --port {port} --trace")
    assert result.code == 4
    *trace, error = result.err.splitlines()
    assert error.startswith("error: the table refuses roll_dice (fault_active")
    assert any("roll_dice refused: fault_active" in line for line in trace)
    status = run(f"status --port {port}")
    assert status.code == 0
    assert "release the emergency stop" in status.out


def test_a_busy_port_is_said(run) -> None:
    port = attach("busy", Simulation(4))
    with open_table(port):
        result = run(f"status --port {port}")
    assert result.code == 3
    assert "another program has it open" in result.err


def test_watch_prints_events_and_statuses_until_ctrl_c(run, monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = Simulation(4)
    port = attach("watched", simulation)
    pump = Table.pump

    def pump_for_a_while(table: Table, timeout_ms: int) -> None:
        if simulation.now_ms > 3000:
            raise KeyboardInterrupt
        if simulation.now_ms > 1000:
            simulation.world.emergency_stop(True)
        pump(table, timeout_ms)

    monkeypatch.setattr(Table, "pump", pump_for_a_while)
    result = run(f"watch --port {port} --json")
    assert result.code == 0
    assert result.err == ""
    states = [record["status"] for record in result.records if "status" in record]
    assert (states[0], states[-1]) == ("idle", "fault")
    faults = [record for record in result.records if record.get("event") == "fault"]
    assert [fault["fault"] for fault in faults] == ["emergency_stop"]


@pytest.mark.parametrize("how", ["", " --json"])
def test_watch_tells_nothing_of_tiles_that_readers_see(run, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    simulation = Simulation(4)
    port = attach(f"read{how}".replace(" ", "-"), simulation)
    pump, events = Table.pump, Table.events
    simulation.run_until(100)
    simulation.players.press_lift(1)

    def pump_for_a_while(table: Table, timeout_ms: int) -> None:
        if simulation.now_ms > 3000:
            raise KeyboardInterrupt
        pump(table, timeout_ms)

    def with_reads(table: Table) -> tuple[Event, ...]:
        reads = [Event(7700 + at, 1, 8_000_777, name, {}) for at, name in enumerate(SECRET_EVENTS)]
        return (*events(table), *reads)

    monkeypatch.setattr(Table, "pump", pump_for_a_while)
    monkeypatch.setattr(Table, "events", with_reads)
    result = run(f"watch --port {port}{how}")
    assert (result.code, result.err) == (0, "")
    assert "build_started" in result.out
    assert not any(shown in result.out for shown in (*SECRET_EVENTS, "770", "8000777"))


def test_watch_draws_the_table(run, monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = Simulation(4)
    port = attach("drawn", simulation)
    pump = Table.pump
    simulation.run_until(100)
    simulation.players.press_lift(1)

    def pump_for_a_while(table: Table, timeout_ms: int) -> None:
        if simulation.now_ms > 12_000:
            raise KeyboardInterrupt
        pump(table, timeout_ms)

    monkeypatch.setattr(Table, "pump", pump_for_a_while)
    result = run(f"watch --port {port}")
    assert result.code == 0
    for word in ("SIM-4", "building", "of 14", "conveyor", "build_started", "disc ring"):
        assert word in result.out


def test_walls_are_drawn_as_they_grow(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    simulation = Simulation(4)
    port = attach("growing", simulation)
    with open_table(port) as table:
        table.start_build()
        table.wait_for("build_done", 90_000)
        table.open_lid()
        table.wait_state("lid_open", 10_000)
        simulation.players.push_in()
        table.raise_walls()
        table.wait_state("walls_up", 10_000)
        simulation.players.draw_in()
        table.set_plan((13, 14, 13, 14), mode="held", wash_s=10)
        table.lower_lifts()
        table.wait_state("shuffling", 10_000)
    # The earlier build is still untold to this host, and must not be taken for the one that begins.
    with open_table(port) as table:
        table.start_build()
        done = watch_build(table, 90_000)
    assert done.fields["stacks"] == (13, 14, 13, 14)
    assert "side 3" in capsys.readouterr().out


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "session.journal"
    with Journal(path) as journal:
        journal.append("session", {"seed": 3}, at_ms=10)
        journal.append_event("T-1", Event(9, 7, 800, "side_done", {"side": 2, "stacks": 14}, lost=3), at_ms=24_810)
        journal.append("deal_result", {"points": [3, -1, -1, -1], "end": "wall"}, at_ms=30_000, unit="T-1")
    return path


def test_a_log_for_programs_is_the_journal_line_by_line(run, journal: Path) -> None:
    assert run(f"log show {journal} --json").records == [
        {"id": 1, "at_ms": 10, "unit": None, "boot_id": None, "seq": None, "kind": "session", "body": {"seed": 3}},
        {
            "id": 2,
            "at_ms": 24_810,
            "unit": "T-1",
            "boot_id": 7,
            "seq": 9,
            "kind": "side_done",
            "body": {"fields": {"side": 2, "stacks": 14}, "lost": 3, "time_ms": 800},
        },
        {
            "id": 3,
            "at_ms": 30_000,
            "unit": "T-1",
            "boot_id": None,
            "seq": None,
            "kind": "deal_result",
            "body": {"end": "wall", "points": [3, -1, -1, -1]},
        },
    ]


def test_a_log_for_people_has_a_line_an_entry(run, journal: Path) -> None:
    first, second, third = run(f"log show {journal}").out.splitlines()
    assert first.split() == ["1", "0.010", "s", "-", "session", "seed", "3"]
    assert second.split()[:8] == ["2", "24.810", "s", "T-1", "#9", "side_done", "side", "2"]
    assert "3 events before it were lost" in second
    assert "points 3,-1,-1,-1" in third


def test_times_since_1970_are_dates() -> None:
    at = datetime(2026, 11, 21, 9, 30, 15, 250_000, tzinfo=UTC)
    line = entry_line(Entry.of(1, int(at.timestamp() * 1000), None, None, None, "deal", {}))
    assert "2026-11-21 09:30:15.250 UTC" in line


def test_a_demo_leaves_a_journal_that_can_be_shown(run, tmp_path: Path) -> None:
    path = tmp_path / "demo.journal"
    assert run(f"demo --deals 1 --seed 5 --json --journal {path}").code == 0
    kinds = [record["kind"] for record in run(f"log show {path} --json").records]
    assert {"booted", "build_done", "walls_up", "dice_rolled", "deal_result"} <= set(kinds)


@pytest.mark.parametrize(("text", "plan"), [("14,13,14,13", (14, 13, 14, 13)), (" 1, 2,3 ,4", (1, 2, 3, 4))])
def test_a_plan_is_read(text: str, plan: tuple[int, ...]) -> None:
    assert parse_plan(text) == plan


def test_ctrl_c_ends_a_command_without_a_word_and_changes_nothing(tmp_path: Path) -> None:
    journal, players = tmp_path / "day.journal", tmp_path / "players.csv"
    assert RUNNER.finish("event", "new", journal).stderr == ""
    before = journal.read_bytes()
    os.mkfifo(players)
    process = RUNNER.start("event", "players", "import", journal, players)
    # Opened as soon as the command reads it, which then waits for what is never written.
    with players.open("w"):
        process.send_signal(signal.SIGINT)
        assert process.communicate() == ("", "")
    assert process.returncode == cli.INTERRUPTED
    assert journal.read_bytes() == before


def test_ctrl_c_while_the_program_is_loaded_is_no_traceback() -> None:
    script = (
        "import builtins, wallwright.cli\n"
        "load = builtins.__import__\n"
        "def interrupted(name, *rest):\n"
        "    if name == 'typer':\n"
        "        raise KeyboardInterrupt\n"
        "    return load(name, *rest)\n"
        "builtins.__import__ = interrupted\n"
        "wallwright.cli.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (cli.INTERRUPTED, "", "")


def test_ctrl_c_at_a_question_is_no_traceback(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(**_: object) -> None:
        raise typer.Abort

    monkeypatch.setattr(program, "app", ask)
    ended = run("users add hall.users ann --role referee")
    assert (ended.code, ended.err) == (cli.INTERRUPTED, "")


@pytest.mark.parametrize("name", program.SUMMARIES)
def test_the_help_of_all_commands_says_what_each_says_first(name: str) -> None:
    text = " ".join(typer.main.get_command(program.app).commands[name].help.split("\n\n")[0].split())  # type: ignore[attr-defined]
    assert text == program.SUMMARIES[name] or text.startswith(program.SUMMARIES[name] + " ")
