"""A game is found by its ruleset, and one from a folder anywhere is played like those that are here."""

import os
import subprocess
import sys
from json import dumps, loads
from pathlib import Path

import pytest

from tests.host.toy import toy_game
from wallwright.rules.core.errors import RulesetError
from wallwright.rules.core.registry import find_game, games


@pytest.fixture
def toy_folder(tmp_path: Path) -> Path:
    return toy_game(tmp_path)


def rules(folder: Path, *command: str, **record: object) -> tuple[int, str]:
    """`wallwright rules` as its user has it who installed what is in `folder`."""
    return wallwright(folder, "rules", *command, text=dumps({"ruleset": "high-tile", **record}) + "\n")


def wallwright(folder: Path, *command: str, text: str = "") -> tuple[int, str]:
    """A command of the program, with the game in `folder` installed."""
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "wallwright", *command],
        input=text,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.slow
def test_a_game_from_a_folder_answers_every_command(toy_folder):
    assert rules(toy_folder, "score", standing="1m8f", options={"stake": 2}) == (0, '{"points": 82}\n')
    assert rules(toy_folder, "waits", standing="1m") == (0, '{"waits": ["8f"]}\n')
    assert rules(toy_folder, "settle", winner=2) == (0, '{"points": [-1, -1, 3, -1], "next_dealer": 2}\n')
    assert rules(toy_folder, "settle", "--explain", winner=2) == (0, "Seat 2 has the highest tile (TOY-2).\n\n")
    code, text = rules(toy_folder, "break", dealer=0, dice=[3])
    assert code == 0
    assert loads(text) == {
        "side": 2,
        "first": [2, 4, 1],
        "replacements": [[2, 3, 1], [2, 3, 0], [2, 2, 1]],
        "head_after_deal": [1, 12, 0],
        "left": 91,
    }


@pytest.mark.slow
def test_a_game_from_a_folder_is_played(toy_folder):
    code, text = rules(toy_folder, "deals", "--ruleset", "high-tile", "--count", "2", "--seed", "4")
    assert code == 0
    assert [list(loads(line)) for line in text.splitlines()] == [["deal", "winner", "stake"]] * 2
    assert [loads(line)["deal"] for line in text.splitlines()] == [1, 2]


@pytest.mark.slow
def test_a_table_is_set_to_a_game_from_a_folder(toy_folder):
    code, text = wallwright(toy_folder, "table", "setup", "--help")
    assert code == 0
    assert "high-tile (144 tiles, 1 die)" in " ".join(text.split())
    setup = ("table", "setup", "--port", "sim://?seed=5&tiles=144", "--game", "high-tile")
    assert wallwright(toy_folder, *setup) == (0, "SIM-5: sets of 144 tiles, 1 die (high-tile)\n")


@pytest.mark.slow
def test_an_event_of_a_game_from_a_folder_is_run(toy_folder):
    (toy_folder / "club.toml").write_text('base = "hong-kong-club"\nname = "Toys"\nruleset = "high-tile"\n')
    (toy_folder / "players.csv").write_text("Ann\nBo\nCy\nDee\n")
    for line in (
        "new day.journal --format club.toml",
        "players import day.journal players.csv",
        "draw commit day.journal",
        "draw reveal day.journal",
        "start day.journal 1",
    ):
        assert wallwright(toy_folder, "event", *line.split())[0] == 0
    result = ("event", "result", "day.journal", "1", "1", "--declared", "-", "--yes", "--json")
    code, text = wallwright(toy_folder, *result, text='{"winner": 2}')
    assert (code, loads(text)["points"]) == (0, [-1, -1, 3, -1])
    place = ("--session", "1", "--table", "1", "--deal", "1")
    assert "has the highest tile (TOY-2)" in wallwright(toy_folder, "event", "explain", "day.journal", *place)[1]


@pytest.mark.slow
def test_what_a_ruleset_cannot_have_is_refused_by_clause(toy_folder):
    code, text = rules(toy_folder, "score", standing="1m", options={"stake": 10})
    assert code == 1
    assert "stake is 10, it must be a whole number from 1 to 9 (TOY-1)" in text
    code, text = rules(toy_folder, "score", standing="1m", options={"stakes": 1})
    assert code == 1
    assert "has no option 'stakes'; its options are stake (TOY-1)" in text


def test_a_ruleset_file_belongs_to_the_game_of_its_base(tmp_path):
    path = tmp_path / "club.toml"
    path.write_text('base = "mil-2025"\n')
    assert find_game(str(path)).name == "sichuan"
    path.write_text("")
    assert find_game(str(path)).name == "sichuan"
    path.write_text('base = "bridge"\n')
    with pytest.raises(RulesetError, match=r"ruleset club: base is 'bridge', use one of .*sichuan"):
        find_game(str(path))
    path.write_text("base = { x = {} }\n")
    with pytest.raises(RulesetError, match=r"ruleset club: base is \{'x': \{\}\}, use one of .*sichuan"):
        find_game(str(path))
    with pytest.raises(RulesetError, match="cannot read the ruleset"):
        find_game(str(tmp_path / "none.toml"))


def test_an_unknown_ruleset_is_refused_with_those_there_are():
    with pytest.raises(RulesetError, match=r"'bridge' is no ruleset: use .*sichuan-4, .*or the path of a \.toml file"):
        find_game("bridge")
    with pytest.raises(RulesetError, match=r"'\{x\}' is no ruleset: use .*sichuan-4"):
        find_game("{x}")


def test_no_two_games_have_a_ruleset_of_one_name():
    names = [name for game in games() for name in game.rulesets]
    assert len(names) == len(set(names))
