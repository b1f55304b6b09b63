"""The help of every command of the doctor, and its page."""

import re
from pathlib import Path

import pytest

from wallwright.cli import doctor

PAGE = Path(__file__).parents[3] / "docs" / "doctor.md"
COMMANDS = [command.name or "" for command in doctor.app.registered_commands]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example_and_a_place_in_the_page(run, command: str) -> None:
    result = run(f"doctor {command} --help")
    assert result.code == 0
    assert f"wallwright doctor {command}" in result.out.partition("Example:")[2]
    assert f"## `wallwright doctor {command}`" in PAGE.read_text()


def test_the_group_names_its_commands(run) -> None:
    result = run("doctor")
    assert result.code == 2
    assert all(re.search(rf"^  {command} ", result.err, re.MULTILINE) for command in COMMANDS)


def test_the_page_describes_no_command_that_is_not_there() -> None:
    assert re.findall(r"^## `wallwright doctor (\S+)`", PAGE.read_text(), re.MULTILINE) == COMMANDS
