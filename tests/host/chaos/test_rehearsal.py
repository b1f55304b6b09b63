"""`wallwright rehearse chaos` as a process: real hosts are killed, and what is left behind is right; 12 tables for ten
minutes are in `make campaign`.
"""

import json
import os
import re
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from wallwright.chaos import hosts, rehearsal
from wallwright.chaos.check import Comparison
from wallwright.chaos.people import AGAIN_MS, People
from wallwright.chaos.rehearsal import Plan, Report
from wallwright.chaos.schedule import BOARD, GROUPS, HOST, NETWORK, SERVER, draw_wave
from wallwright.cli.program import app
from wallwright.rules.sichuan.ruleset import load_ruleset

COMMAND = [sys.executable, "-c", "from wallwright.cli import main; main()", "rehearse", "chaos"]
SHORT = ("--tables", "2", "--minutes", "10", "--pace", "4", "--seed", "635", "--back-within", "60")
"""Its first wave is short: a reset, a bad line, a host that is killed, and a board that loses its power just then."""
INTERRUPTED = 130


def processes(folder: Path) -> list[str]:
    """The command lines of all processes that name this folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue  # it has ended meanwhile
        if str(folder) in line:
            found.append(line)
    return found


def test_a_wave_passes_and_ctrl_c_ends_it_with_what_was_found_and_no_process(tmp_path: Path) -> None:
    assert {"reset", "loss", "kill", "power_cut"} == {fault.kind for fault in draw_wave(635, 1, 2, has_server=False)}
    running = subprocess.Popen(
        [*COMMAND, *SHORT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path), "COLUMNS": "120"},
    )
    assert running.stdout is not None
    lines = [running.stdout.readline()]
    assert "--seed 635" in lines[0]
    while lines[-1] and not lines[-1].startswith("wave 1: 4 faults"):
        lines.append(running.stdout.readline())
    assert [line for line in processes(tmp_path) if " serve " in line]
    running.send_signal(signal.SIGINT)
    said, errors = running.communicate(timeout=120)
    assert (running.returncode, errors) == (INTERRUPTED, ""), said
    assert "Every promise was kept." in said
    assert "ended early" in said
    figures = dict(re.findall(r"│ (.+?) +│ +(\S.*?) │", said))
    assert int(figures["of them acknowledged, and compared"]) > 40
    assert int(figures["deals declared"]) > 0
    zero = ("acknowledged and lost", "doubled", "changed", "never happened", "not scored once as declared")
    assert [figures[name] for name in zero] == ["0"] * len(zero)
    assert figures["times a table was back in play"] == "2"
    assert processes(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


class Broken:
    """A rehearsal in which something was lost."""

    def __init__(self, plan: Plan, *_: object) -> None:
        self._plan = plan

    def run(self) -> Report:
        return Report(self._plan, compared=Comparison(events=2, acknowledged=2, lost=1), problems=["event 2 is lost"])


def test_a_broken_promise_is_said_and_is_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "Chaos", Broken)
    told = CliRunner().invoke(app, ["rehearse", "chaos", "--json", "--seed", "7"])
    assert told.exit_code == 1
    record = json.loads(told.stdout)
    assert (record["seed"], record["lost"], record["problems"]) == (7, 1, ["event 2 is lost"])
    shown = CliRunner().invoke(app, ["rehearse", "chaos"])
    assert shown.exit_code == 1
    assert "event 2 is lost" in shown.stdout
    assert "Every promise was kept" not in shown.stdout


def test_help_has_an_example_and_another_system_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "wallwright rehearse chaos --tables 12" in CliRunner().invoke(app, ["rehearse", "chaos", "--help"]).stdout
    monkeypatch.setattr(hosts, "can_break_hosts", lambda: False)
    done = CliRunner().invoke(app, ["rehearse", "chaos"])
    assert "needs Linux" in str(done.exception)


def test_the_page_names_every_kind_of_fault_and_how_long_it_lasts() -> None:
    page = (Path(__file__).parents[3] / "docs" / "fault-injection.md").read_text()
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| .* \| (.*?) ?\|$", page, re.MULTILINE)
    told = {name.strip("` "): lasts for names, lasts in rows for name in names.split(",")}
    kinds = {kind: times for group in GROUPS.values() for kind, times in group.items()}
    for kind, (least, most) in kinds.items():
        assert told[kind] == ("" if most == 0 else f"{least:g} to {most:g} s"), kind


def test_a_seed_repeats_its_faults_and_all_kinds_come(seed: int) -> None:
    waves = [draw_wave(seed, number, 12, has_server=True) for number in range(1, 60)]
    assert waves == [draw_wave(seed, number, 12, has_server=True) for number in range(1, 60)]
    assert waves != [draw_wave(seed + 1, number, 12, has_server=True) for number in range(1, 60)]
    kinds = {fault.kind for wave in waves for fault in wave}
    assert kinds == {kind for group in GROUPS.values() for kind in group}
    for wave in waves:
        assert [fault.at_s for fault in wave] == sorted(fault.at_s for fault in wave)
        assert all((fault.table is None) == (fault.kind in (*HOST, *SERVER)) for fault in wave)
        assert all(fault.kind in (*BOARD, *NETWORK) or fault.table is None for fault in wave)
    assert not [fault for number in range(1, 60) for fault in draw_wave(seed, number, 12, has_server=False)
                if fault.kind in SERVER]  # fmt: skip


def test_a_key_is_pressed_again_only_when_it_has_had_no_effect_for_a_while() -> None:
    pressed: list[int] = []
    table = SimpleNamespace(now_ms=0, board=SimpleNamespace(displays=["START?"]))
    table.players = SimpleNamespace(press_lift=lambda seat: pressed.append(table.now_ms))
    people = People(table, 1, load_ruleset("sichuan"), 1000, lambda deal: None)
    while table.now_ms <= 2 * AGAIN_MS:
        people.act()
        table.now_ms = people.due_ms
    assert len(pressed) == 3
    assert min(then - before for before, then in pairwise(pressed)) >= AGAIN_MS
