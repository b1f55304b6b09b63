"""`wallwright rules deals` for both games. (CUM-8.2, BAL-8, BAL-9)"""

import json

import pytest
from typer.testing import CliRunner

from wallwright.cli.rules import app


def deals(ruleset, count, *options):
    """The lines of so many deals."""
    result = CliRunner().invoke(app, ["deals", "--ruleset", ruleset, "--count", str(count), *options])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.slow
def test_deals_of_cumberland():
    lines = deals("cumberland", 3, "--seed", "7")
    assert [line["deal"] for line in lines] == [1, 2, 3]
    assert lines == deals("cumberland", 3, "--seed", "7")
    assert all(len(throw) == 2 for line in lines for throw in line["dice"])
    assert all(line["end"] == "wall" or line["points"][line["winners"][0]] >= 20 for line in lines)


def test_deals_of_balsall_with_random_bots_come_to_a_goulash():
    lines = deals("balsall", 4, "--bots", "random", "--seed", "2")
    assert all(len(line["dice"]) == 3 for line in lines)
    assert [line["goulash"] for line in lines[1:]] == [line["end"] == "wall" for line in lines[:-1]]
    assert any(line["goulash"] for line in lines)
