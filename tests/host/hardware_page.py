"""docs/hardware.md as its reader goes through it: its commands in order, at a table in virtual time."""

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from wallwright import cli, playing
from wallwright.event.rehearsal_tables import BoardTable
from wallwright.event.store import EventJournal
from wallwright.rules.ruleset import load_ruleset
from wallwright.simulated import simulator

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/hardware.md").read_text()
COMMANDS = re.findall(r"^    wallwright (.+)$", PAGE, re.MULTILINE)
PORT, UNIT, JOURNAL = "/dev/ttyUSB0", "E66038B7134A9C2F", "day.journal"


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Run = Callable[[str], Result]


def runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what calls a command as its reader does, with nobody at the keyboard."""

    def run(line: str) -> Result:
        monkeypatch.setattr("sys.argv", ["wallwright", *shlex.split(line)])
        with Path(os.devnull).open() as nobody:
            monkeypatch.setattr("sys.stdin", nobody)
            with pytest.raises(SystemExit) as caught:
                cli.main()
        printed = capsys.readouterr()
        return Result(int(caught.value.code or 0), printed.out, printed.err)

    return run


def to_a_first_build(run: Run, simulation: Any, port: str) -> None:
    """From a table whose stop is pressed to walls and dice."""
    world = simulation.world
    world.emergency_stop(True)
    simulation.run_until(simulation.now_ms + 3000)
    ours = [one.replace(PORT, port) for one in COMMANDS if PORT in one]
    # These have tests of their own, with a person or a loader; here everything is wired as the carrier is.
    elsewhere = ("board flash", "doctor watch", "doctor wire", "doctor measure", "doctor calibrate")
    first, *rest = [one for one in ours if not one.startswith(elsewhere)]
    assert first.startswith("status")
    told = run(first)
    assert (told.code, "emergency_stop" in told.out) == (0, True)
    world.emergency_stop(False)
    simulation.run_until(simulation.now_ms + 1000)
    simulation.players.press_lift(0)
    simulation.run_until(simulation.now_ms + 1000)
    for command in rest:
        # There is nobody who could cover eyes and press keys.
        result = run(command + (" --no-ask" if command.startswith("doctor test ") else ""))
        assert result.code == 0, (command, result)
    assert [len(head.carrier) for head in world.heads] == [14, 13, 14, 13]


def to_a_first_deal(
    run: Run, simulation: Any, port: str, unit: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From an empty journal to the result of a deal, which bots play at the table."""
    journal = folder / JOURNAL
    ours = [one.replace(JOURNAL, str(journal)).replace(UNIT, unit) for one in COMMANDS if JOURNAL in one]
    result = next(at for at, one in enumerate(ours) if one.startswith("event result"))
    for command in ours[:result]:
        done = run(command)
        assert done.code == 0, (command, done)
    # The people think as fast as they can: an emulated chip needs longer for a second than a clock.
    monkeypatch.setattr(playing, "THINK_MS", dict.fromkeys(playing.THINK_MS, 1))
    monkeypatch.setattr(playing, "SHOW_HANDS_MS", 1)
    monkeypatch.setattr(simulation, "unit", unit, raising=False)
    monkeypatch.setattr(simulator("simulation"), "Simulation", lambda seed, faults: simulation)
    monkeypatch.setattr(simulator("simulation"), "attach", lambda name, it: port)
    with EventJournal(str(journal), "the table") as kept, kept.turn() as desk:
        table = BoardTable(0, desk, 0, "")
        assert table.unit == unit
        report = next(iter(table.deals(load_ruleset("sichuan"), desk.sheet(1, 1))))
        table.close()
    assert report.plan == (14, 13, 14, 13)
    assert sum(report.settlement.points) == 0
    for command in ours[result:]:
        done = run(command + (" --yes" if command.startswith("event result") else ""))
        assert done.code == 0, (command, done)
    assert "All 1 deals sum to zero" in done.out
