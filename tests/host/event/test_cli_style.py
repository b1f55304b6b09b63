"""The commands of `wallwright event` have one style: arguments in one order, options of one name, one word for why."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from tests.host.event.test_event_cli import playing, run  # noqa: F401 (fixtures)
from wallwright.cli.event import app

ORDER = ["JOURNAL", "SESSION", "TABLE", "DEAL", "PLAYER"]
"""What a command is about comes first, and in this order; then whatever else it needs."""
SHARED = {"--session", "--table", "--deal", "--player", "--reason", "--by", "--json", "--stage", "--for"}
"""Options that mean the same wherever they are."""
NEEDED_OPTIONS = {"--reason", "--upheld"}
"""Whatever else is needed is an argument."""
LOOKS = {
    "seats", "sessions", "standings", "explain", "check", "export", "backup", "restore", "rehearse",
    "deals travellers", "draw show", "draw verify", "appeal list", "penalty list", "players list", "extract",
}  # fmt: skip
"""These change no event."""
PRINTS_JSON = {"draw show"}


def commands(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in sorted(group.commands.items()):
        if hasattr(command, "commands"):
            yield from commands(command, f"{prefix}{name} ")
        else:
            yield prefix + name, command


COMMANDS = dict(commands(typer.main.get_command(app)))


def arguments(command: Any) -> list[Any]:
    return [param for param in command.params if param.param_type_name == "argument"]


def options(command: Any) -> dict[str, Any]:
    return {param.opts[0]: param for param in command.params if param.param_type_name == "option"}


def test_all_commands_are_found() -> None:
    assert len(COMMANDS) > 30
    assert {"new", "sessions", "penalty give", "appeal decide", "draw add"} <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_arguments_come_in_one_order(name: str) -> None:
    names = [(param.metavar or param.name).strip("[].") for param in arguments(COMMANDS[name])]
    about = [one for one in names if one in ORDER]
    assert names[0] == "JOURNAL"
    assert names[: len(about)] == about == sorted(about, key=ORDER.index)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_may_be_left_out_is_an_option_and_why_is_a_reason(name: str) -> None:
    command = COMMANDS[name]
    needed = {option for option, param in options(command).items() if param.required}
    assert needed <= NEEDED_OPTIONS
    assert not {"--why", "--ruling", "--text", "--because", "--comment", "--note"} & set(options(command))
    assert ("--by" in options(command)) is (name not in LOOKS)
    assert ("--json" in options(command)) is (name not in PRINTS_JSON)


@pytest.mark.parametrize("option", sorted(SHARED))
def test_an_option_of_one_name_means_one_thing(option: str) -> None:
    found = {name: options(command)[option] for name, command in COMMANDS.items() if option in options(command)}
    assert len({(param.help, param.multiple) for param in found.values()}) <= 1, list(found)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_of_itself(name: str, run) -> None:  # noqa: F811
    example = run(f"{name} --help").out.partition("Example")[2]
    assert f"wallwright event {name} " in example


def test_people_read_no_words_of_the_program(playing) -> None:  # noqa: F811
    playing("pause day.journal 1 --reason 'no light'")
    playing("penalty give day.journal P1 points --amount 2 --session 1 --reason late")
    playing("result day.journal 1 1 --points 8,-8,0,0 --reason 'as it stood'")
    shown = [
        playing(line).out
        for line in (
            "sessions day.journal",
            "sessions day.journal 1",
            "seats day.journal 1",
            "standings day.journal --for live",
            "explain day.journal P1",
            "explain day.journal P1 --session 1",
            "explain day.journal --session 1 --table 1 --deal 1",
            "penalty list day.journal",
            "appeal list day.journal",
            "check day.journal",
        )
    ]
    assert [text for text in shown if re.search(r"\b(True|False|None|\w+\.\w+Error|Fraction)\b", text)] == []
