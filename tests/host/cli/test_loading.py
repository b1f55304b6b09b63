"""A help loads the modules of its own command and nothing heavy."""

import subprocess
import sys
from inspect import signature

import pytest

from wallwright.cli.demo import demo
from wallwright.rules.core.registry import DEFAULT


@pytest.mark.parametrize(
    "command", ["demo", "status", "watch", "build", "faults", "entropy capture", "event standings"]
)
def test_the_help_of_a_command_loads_nothing_that_the_command_works_with(command: str) -> None:
    code = "import sys; from wallwright.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    argv = [sys.executable, "-c", code, *command.split(), "--help"]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert f"wallwright.cli.{command.split()[0]}" in loaded
    assert not loaded & {
        *("pydantic", "rich", "sqlalchemy", "cryptography", "msgspec", "serial", "fastapi", "jinja2", "numpy"),
        *(
            "wallwright.table.table",
            "wallwright.journal.files",
            "wallwright.journal.kinds",
            "wallwright.rules.core.game",
        ),
    }


def test_the_help_of_all_commands_loads_none_of_them() -> None:
    code = "import sys; from wallwright.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "wallwright.cli.program" in loaded
    assert not loaded & {"wallwright.cli.status", "wallwright.table", "wallwright.journal", "sqlalchemy", "serial"}


def test_the_demo_plays_the_ruleset_of_records_that_name_none() -> None:
    assert signature(demo).parameters["game"].default == DEFAULT
