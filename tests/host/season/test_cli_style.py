"""The commands of `wallwright season` have the style of `wallwright event`: one order, one name for why, examples."""

from pathlib import Path

import pytest
import typer

from tests.host.event.test_cli_style import SHARED, arguments, commands, options
from wallwright.cli.event import app as event_app
from wallwright.cli.season import app

COMMANDS = dict(commands(typer.main.get_command(app)))
EVENT = dict(commands(typer.main.get_command(event_app)))
CHANGES = {
    "new", "hall", "add", "withdraw", "final",
    "draw commit", "draw add", "draw reveal", "draw withdraw",
    "persons merge", "persons split", "persons undo",
}  # fmt: skip
WITHOUT_SEASON = {"check", "report", "rehearse", "persons badges"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_season_comes_first_and_who_changes_it_is_asked(name: str) -> None:
    command = COMMANDS[name]
    first = (arguments(command)[0].metavar or "").strip("[]")
    assert (first == "SEASON") is (name not in WITHOUT_SEASON)
    assert ("--by" in options(command)) is (name in CHANGES)
    assert ("--json" in options(command)) is (name != "draw show")
    assert {option for option, param in options(command).items() if param.required} <= {"--reason"}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_of_the_command_itself(name: str) -> None:
    text = COMMANDS[name].help or ""
    assert f"wallwright season {name} " in text.partition("Example")[2]


def test_options_mean_what_they_mean_in_an_event() -> None:
    for option in SHARED & {option for command in COMMANDS.values() for option in options(command)}:
        if option == "--for":
            continue
        here = {options(one)[option].help for one in COMMANDS.values() if option in options(one)}
        there = {options(one)[option].help for one in EVENT.values() if option in options(one)}
        assert here == there or not there, option


def test_the_page_of_the_season_names_every_command() -> None:
    text = (Path(__file__).parents[3] / "docs" / "season.md").read_text()
    assert [name for name in COMMANDS if f"season {name}" not in text] == []
