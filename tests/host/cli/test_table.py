"""`wallwright table setup`: a table is set to a game, and says so everywhere."""

import shlex
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tests.host.cli.test_program import Result
from wallwright import cli
from wallwright.table.table import open_table
from wallwright_protocol.hardware import DEFAULT_PLANS
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.world import World

NAMES = count()
Run = Callable[[str], Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(line: str) -> Result:
        monkeypatch.setattr("sys.argv", ["wallwright", *shlex.split(line)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        return Result(int(caught.value.code or 0), printed.out, printed.err)

    return run


def table_of(tiles: int) -> str:
    """The port of a table with two sets of `tiles` tiles whose board is a new one."""
    return attach(f"setup-{next(NAMES)}", Simulation(5, world=World(5, tiles)))


@pytest.mark.parametrize(
    ("game", "tiles", "dice"),
    [
        ("sichuan", 108, 2),
        ("hong-kong", 136, 3),
        ("hong-kong-modern", 136, 3),
        ("cumberland", 144, 2),
        ("balsall", 144, 3),
    ],
)
def test_a_table_is_set_to_a_game_builds_its_walls_and_throws_its_dice(
    run: Run, game: str, tiles: int, dice: int
) -> None:
    port = table_of(tiles)
    result = run(f"table setup --port {port} --game {game} --json")
    assert (result.code, result.records) == (0, [{"unit": "SIM-5", "tiles": tiles, "dice": dice}])
    named = {"balsall": "balsall, hong-kong with flowers", "hong-kong-modern": "hong-kong"}.get(game, game)
    said = run(f"table setup --port {port}").out
    assert said == f"SIM-5: sets of {tiles} tiles, {dice} dice ({named})\n"
    assert f"2 sets of {tiles} tiles, {dice} dice" in run(f"status --port {port}").out
    with open_table(port) as table:
        table.events()
        table.start_build()
        started = table.wait_for("build_started", 2_000).fields
        of_game = {"plan": DEFAULT_PLANS[tiles], "tiles": tiles, "dice_count": dice}
        assert started == {"tile_set": 0, "wash_s": 0, "wall_mode": "ordinary", **of_game}
        table.wait_for("build_done", 90_000)
        assert table.status().stacks == DEFAULT_PLANS[tiles]
        assert len(table.roll_dice(0)) == dice


def test_hong_kong_may_have_flowers_and_no_other_game_is_asked(run: Run) -> None:
    port = table_of(144)
    result = run(f"table setup --port {port} --game hong-kong --flowers")
    assert result.out == "SIM-5: sets of 144 tiles, 3 dice (balsall, hong-kong with flowers)\n"
    result = run(f"table setup --port {port} --game balsall --flowers")
    assert (result.code, result.out) == (2, "")
    assert "only hong-kong, hong-kong-modern can be played with flowers or without" in result.err


def test_a_club_s_own_ruleset_says_how_its_table_is_set(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text('base = "balsall"\ndice = 2\n')
    result = run(f"table setup --port {table_of(144)} --game {path} --json")
    assert (result.code, result.records) == (0, [{"unit": "SIM-5", "tiles": 144, "dice": 2}])


def test_what_no_game_has_is_set_by_its_numbers(run: Run) -> None:
    port = table_of(120)
    assert run(f"table setup --port {port} --tiles 120 --dice 1").out == "SIM-5: sets of 120 tiles, 1 die\n"
    assert "2 sets of 120 tiles, 1 die" in run(f"status --port {port}").out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--game bridge", "'bridge' is no ruleset: use cumberland, balsall, hong-kong, hong-kong-modern, sichuan, "),
        ("--tiles 137", "there is no set of 137 tiles; set_tiles takes 108, 112, 116, 120, 136, 144, 152"),
        ("--dice 4", "Input should be less than or equal to 3"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line_and_changes_nothing(run: Run, options: str, said: str) -> None:
    port = table_of(108)
    result = run(f"table setup --port {port} {options}")
    assert result.code == 2
    assert said in result.err
    assert result.err.count("\n") == 1
    assert run(f"table setup --port {port}").out == "SIM-5: sets of 108 tiles, 2 dice (sichuan)\n"


def test_a_table_with_stacks_keeps_its_game(run: Run) -> None:
    port = table_of(108)
    with open_table(port) as table:
        table.start_build()
        table.wait_for("build_done", 90_000)
        table.pump(10_000)
    result = run(f"table setup --port {port} --game hong-kong")
    assert result.code == 4
    assert "wrong_state" in result.err
    assert run(f"table setup --port {port}").out == "SIM-5: sets of 108 tiles, 2 dice (sichuan)\n"


def test_a_game_that_a_technician_sets_at_the_panel_is_known_to_the_host_and_on_record() -> None:
    simulation = Simulation(5, world=World(5, 136))
    port = attach(f"setup-{next(NAMES)}", simulation)
    with open_table(port) as table:
        players = simulation.players
        simulation.world.press(7, 4_000)  # the dice key of side 0, held
        table.pump(100)
        simulation.world.press(8, 3_500)
        table.pump(6_000)
        for _ in range(4):
            players.press_dice(0)
            table.pump(1_000)
        players.press_lift(0)
        table.pump(1_000)
        players.press_dice(0)
        table.pump(1_000)
        players.press_lift(0)
        changed = table.wait_for("setup_changed", 2_000)
        table.pump(2_000)
        assert changed.fields == {"tiles": 136, "dice_count": 3, "source": "side_0", "sides_out": ()}
        assert (table.info.tiles, table.last_status.dice_count) == (136, 3)
        table.set_plan((17, 17, 17, 17))
