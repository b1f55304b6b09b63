"""A hall whose rules are another game's: it has the table ask for each throw, and keep what the next deal needs."""

import json
import signal
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.host.fleet.far import FarTable
from tests.host.fleet.served import config_text, serving
from tests.host.programs import RUNNER
from wallwright.clocks import wall_ms
from wallwright.console.demo.bots import Bots
from wallwright.doctor.upkeep import change_settings
from wallwright.event import running, setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event, read_event
from wallwright.fleet import Fleet, load_hall
from wallwright.journal import read_journal
from wallwright.play.bots_of_turns import TurnsReport, TurnsTable
from wallwright.play.panel import Panel
from wallwright.play.people import people_at
from wallwright.rules.core.game import CUT, Throw
from wallwright.rules.core.game_rules import preset_rules
from wallwright.table.table import open_table
from wallwright_protocol import codes
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation, attach

SETS = {"hong-kong": (136, 3), "balsall": (144, 3), "cumberland": (144, 2)}
EVENINGS = {"hong-kong": "hong-kong-club", "balsall": "balsall-evening", "cumberland": "cumberland-evening"}
WINDS = "ESWN"


def table_of(game: str, seed: int) -> Simulation:
    """A table that was set to the game, as `wallwright table setup` does."""
    tiles, dice = SETS[game]
    simulation = Simulation(seed, tiles)
    with open_table(attach(f"game-{game}-{seed}", simulation)) as table:
        change_settings(table, {"dice_count": dice})
    return simulation


class GameHall(FarTable):
    """A hall of one table. While its walls wait for dice it is no faster than a real one, as its host is not."""

    def __init__(self, game: str, seed: int, folder: Path) -> None:
        self.simulation = table_of(game, seed)
        super().__init__(self.simulation)
        self.journal = folder / "hall.journal"
        self.file = folder / "hall.toml"
        table = f'name = "A1"\nport = "{self.wire.name}"'
        self.file.write_text(f'rules = "{game}"\n' + config_text(self.journal, [table]))

    def open(self) -> Fleet:
        fleet = Fleet(load_hall(self.file))
        self.meet(fleet)
        return fleet

    @property
    def cycle(self) -> Any:
        return self.simulation.app.cycle  # type: ignore[attr-defined]

    def pump(self, timeout_ms: int) -> None:
        if self.cycle.state == codes.WALLS_UP:
            end = self.simulation.now_ms + timeout_ms
            self.until(lambda: self.simulation.now_ms >= end)
        else:
            super().pump(timeout_ms)

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """What is declared at the table comes to the hall."""
        return self._fleet.record(kind, body, at_ms=at_ms, unit=unit)

    def people(self, game: str) -> TurnsTable:
        panel = Panel(self.simulation, self.pump)
        found = people_at(preset_rules(game), self.simulation, panel, self, wall_ms, Random(5))
        assert isinstance(found, TurnsTable)
        return found

    def keeps(self, dealer: int, begin: Mapping[str, Any]) -> bool:
        """Whether the board keeps that of a deal."""
        east = begin["east"] if "east" in begin else begin["dealer"]
        kind = codes.GOULASH if begin.get("goulash") else codes.USUAL_DEAL
        told = (east, WINDS.index(begin.get("round_wind", "E")), kind, begin.get("pot", 0))
        return (self.cycle.dealer, self.cycle.told) == (dealer, told)


def cutter(report: TurnsReport) -> int:
    return next(throw.seat for throw, _ in report.thrown if throw.purpose == CUT)


@pytest.mark.parametrize(("game", "seed"), [("hong-kong", 4), ("cumberland", 4), ("balsall", 4)])
def test_the_board_is_told_of_each_deal_before_it_and_once_its_throws_say_more(
    game: str, seed: int, tmp_path: Path
) -> None:
    hall = GameHall(game, seed, tmp_path)
    with hall.open():
        deals = hall.people(game).play(2)
        for report in deals:
            east = report.kept["east"] if "east" in report.kept else report.kept["dealer"]
            hall.until(partial(hall.keeps, east, report.kept))
            assert report.plan == (SETS[game][0] // 8,) * 4
    hall.wire.close()
    started = [entry.body for entry in read_journal(hall.journal, kinds=("deal_started",))]
    assert len(started) == 2
    rolled = [entry.body["fields"] for entry in read_journal(hall.journal, kinds=("dice_rolled",))]
    wanted = ["round_wind", "cut"] if game == "cumberland" else ["cut"]
    assert [one["purpose"] for one in rolled] == wanted * 2, "the hall has asked for each throw (CUM-2.1)"


def test_a_host_that_is_started_again_asks_for_the_throw_that_is_missing(tmp_path: Path) -> None:
    """And the board has kept over a power loss who cuts, and the wind that was thrown."""
    hall = GameHall("cumberland", 9, tmp_path)
    fleets = [hall.open()]
    people = hall.people("cumberland")
    asked: list[Throw] = []
    throw_once = people._throw

    def throw_after_restart(throw: Throw) -> tuple[int, ...]:
        if throw.purpose == CUT and len(asked) == 3:
            # The second deal's wind was thrown a moment ago.
            east = hall.cycle.told[0]
            hall.until(lambda: hall.keeps(throw.seat, {"east": east, "round_wind": WINDS[(throw.seat - east) % 4]}))
            fleets.pop().stop()
            fleets.append(hall.open())
        asked.append(throw)
        return throw_once(throw)

    people._throw = throw_after_restart  # type: ignore[method-assign]
    try:
        reports = list(people.play(2))
    finally:
        fleets.pop().stop()
        hall.wire.close()
    assert [one.purpose for one in asked] == ["round_wind", "cut"] * 2
    rolled = [entry.body["fields"] for entry in read_journal(hall.journal, kinds=("dice_rolled",))]
    assert [one["purpose"] for one in rolled] == ["round_wind", "cut"] * 2, "nobody threw for the wind again"
    assert rolled[-1]["seat"] == cutter(reports[-1])


def new_evening(journal: Path, game: str, unit: str) -> None:
    """Begin an event of four players at one table, whose first session is played."""
    with open_event(str(journal), "dan", wall_ms, new=True) as desk:
        setup.create(desk, load_format(EVENINGS[game]))
        setup.import_players(desk, Roster(tuple(Player(number, f"P{number}") for number in range(1, 5))), "a list")
        setup.commit_draw(desk, MAIN, b"s" * 32)
        setup.reveal_draw(desk, MAIN, b"s" * 32)
        setup.bind_table(desk, 1, unit)
        running.open_session(desk, 1)
        running.start_session(desk, 1)


DECLARED: dict[str, dict[str, Any]] = {
    "hong-kong": {"events": [{"type": "hu", "by": "self_drawn", "winners": [{"seat": 1, "points": 4}]}], "end": "win"},
    "balsall": {"winner": 1, "by": "self_drawn", "hands": [None, {"points": 5}, None, None]},
    "cumberland": {
        "winner": 1,
        "by": "self_drawn",
        "round_wind": "S",
        "hands": [{"points": 8}, {"points": 84}, {"points": 0}, {"points": 16}],
    },
}
POINTS = {"hong-kong": [-8, 24, -8, -8], "balsall": [-5, 15, -5, -5], "cumberland": [8, 84, 0, 16]}
"""HKO-6.5: all three pay twice the base of 4; BAL-7.2: each pays 5; CUM-6.1: the four scores are written down."""


@pytest.mark.slow
@pytest.mark.parametrize("game", SETS)
def test_run_operates_a_table_of_the_game_and_its_deal_is_declared(game: str, tmp_path: Path) -> None:
    simulation = table_of(game, 61)
    journal, file = tmp_path / "hall.journal", tmp_path / "hall.toml"
    rules = preset_rules(game)
    bots = Bots(simulation, 1, rules, lambda *_: None, lambda _: True)
    hall = Hall([simulation], [bots], pace=4)  # type: ignore[list-item]
    new_evening(journal, game, simulation.unit)
    table = f'name = "A1"\nport = "{hall.ports[0]}"'
    file.write_text(f'rules = "{game}"\n' + config_text(journal, [table]))
    throws = ["round_wind", "cut"] if game == "cumberland" else ["cut"]
    thrown = []
    with serving(hall):
        run = RUNNER.start("run", "--json", "--config", file)
        try:
            assert run.stdout is not None
            for line in run.stdout:
                told = json.loads(line)
                if told.get("event") == "dice_rolled":
                    thrown.append(told["purpose"])
                if len(thrown) == len(throws):
                    break
            run.send_signal(signal.SIGTERM)
            run.communicate(timeout=100)
        finally:
            run.kill()
            run.communicate()
    assert (thrown, run.returncode) == (throws, 0)
    built = [entry.body["fields"] for entry in read_journal(journal, kinds=("build_done",))]
    assert 2 * sum(built[0]["stacks"]) == SETS[game][0]
    [sheet] = read_event(str(journal)).sessions[1].tables
    assert sheet.in_play is not None, "the dice have begun its first deal"
    assert (sheet.in_play.deal, sheet.in_play.dealer) == (1, 0)
    declared = tmp_path / "deal.json"
    declared.write_text(json.dumps(DECLARED[game]))
    done = RUNNER.finish("event", "result", journal, "1", "1", "--declared", declared, "--yes")
    assert done.returncode == 0, done.stderr
    [sheet] = read_event(str(journal)).sessions[1].tables
    assert [list(deal.points) for deal in sheet.counted()] == [POINTS[game]]
    assert sheet.in_play is None
