"""docs/hardware.md as its reader goes through it: its commands in order, at a table in virtual time."""

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.host.doctor.people import Helper
from wallwright import cli
from wallwright.event.store import EventJournal
from wallwright.link.simulator import simulator
from wallwright.play import bots_at_table
from wallwright.rehearsal.tables import BoardTable
from wallwright_simulator.loader import LoaderFolder

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


class TableTime:
    """Time for a program that waits for a board's loader: the table's own, which goes on while somebody waits."""

    def __init__(self, simulation: Any) -> None:
        self._simulation = simulation

    def now_ms(self) -> int:
        return int(self._simulation.now_ms)

    def wait(self, ms: int) -> None:
        self._simulation.run_until(self._simulation.now_ms + ms)


def to_a_map(run: Run, simulation: Any, port: str, image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a board in its loader, whose stop is pressed, to one that knows its wires: up to `doctor map`."""
    simulation.world.emergency_stop(True)
    monkeypatch.setattr("wallwright.board.loader.RealTime", lambda: TableTime(simulation))
    flash, *rest = _at(port, "## Flash", "## Tell it")
    assert flash.startswith("board flash")
    simulation.loader = LoaderFolder(Path("RPI-RP2"))
    simulation.enter_loader()
    flashed = run(f"{flash} --folder RPI-RP2 {image}")
    assert (flashed.code, "map       none" in flashed.out + flashed.err) == (0, True), flashed
    for command in rest:
        assert run(command).code == 0, command
    assert simulation.board.displays == ["NO MAP"] * 4
    standard, wizard = _at(port, "## Tell it", "## Look at")
    assert wizard.startswith("doctor wire"), "the other way, which has tests of its own"
    assert run(standard).code == 0


OTHER_SETS = "table setup"
"""Of a table whose sets are not of 108 tiles, which this one's are."""


def to_a_first_build(
    run: Run, simulation: Any, port: str, monkeypatch: pytest.MonkeyPatch, leave: tuple[str, ...] = ()
) -> None:
    """From there to walls and dice, with a person at the table; but for commands that begin as `leave` says."""
    world = simulation.world
    person = Helper(simulation)
    monkeypatch.setattr("wallwright.doctor.person.Terminal", lambda *_: person)
    told, watch, *rest = _at(port, "## Look at", "## A first deal")
    shown = run(told)
    assert (shown.code, "emergency_stop" in shown.out) == (0, True)
    simulation.later(simulation.now_ms + 500, lambda: simulation.players.press_dice(2))
    simulation.later(simulation.now_ms + 2000, _press_ctrl_c)
    watched = run(f"{watch} --json")
    assert '"input": "dice_key_2"' in watched.out, watched
    world.emergency_stop(False)
    simulation.run_until(simulation.now_ms + 1000)
    simulation.players.press_lift(0)
    simulation.run_until(simulation.now_ms + 1000)
    for command in rest:
        if not command.startswith((OTHER_SETS, *leave)):
            result = run(command)
            assert result.code == 0, (command, result)
    if "doctor test" not in leave:
        assert [len(head.carrier) for head in world.heads] == [14, 13, 14, 13]


def _press_ctrl_c() -> None:
    raise KeyboardInterrupt


def _at(port: str, begin: str, end: str) -> list[str]:
    """The commands of the page between two headings, as they are given to this table."""
    part = PAGE[PAGE.index(f"\n{begin}") : PAGE.index(f"\n{end}")]
    return [one.replace(PORT, port) for one in re.findall(r"^    wallwright (.+)$", part, re.MULTILINE) if PORT in one]


def to_a_first_deal(run: Run, simulation: Any, port: str, unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From an empty journal to the result of a deal, which bots play at the table."""
    ours = [one.replace(UNIT, unit) for one in COMMANDS if JOURNAL in one]
    result = next(at for at, one in enumerate(ours) if one.startswith("event result"))
    for command in ours[:result]:
        done = run(command)
        assert done.code == 0, (command, done)
    # The people think as fast as they can: an emulated chip needs longer for a second than a clock.
    monkeypatch.setattr(bots_at_table, "THINK_MS", dict.fromkeys(bots_at_table.THINK_MS, 1))
    monkeypatch.setattr(bots_at_table, "SHOW_HANDS_MS", 1)
    monkeypatch.setattr(simulation, "unit", unit, raising=False)
    monkeypatch.setattr(simulator("simulation"), "Simulation", lambda seed, tiles, **options: simulation)
    monkeypatch.setattr(simulator("simulation"), "attach", lambda name, it: port)
    with EventJournal(JOURNAL, "the table") as kept, kept.turn() as desk:
        table = BoardTable(0, desk, 0, "")
        assert table.unit == unit
        report = next(iter(table.deals(desk.sheet(1, 1))))
        table.close()
    assert report.plan == (14, 13, 14, 13)
    assert sum(report.points) == 0
    for command in ours[result:]:
        done = run(command + (" --yes" if command.startswith("event result") else ""))
        assert done.code == 0, (command, done)
    assert "All 1 deals sum to zero" in done.out
