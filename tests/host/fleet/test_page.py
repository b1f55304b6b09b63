"""docs/operating.md says what the program does: its file can be loaded, its names are those that programs get."""

import inspect
import re
from pathlib import Path

from wallwright import errors
from wallwright.cli.run import HELP
from wallwright.errors import LinkError
from wallwright.fleet import load_hall
from wallwright.link.reconnect import WORDS, outage_name

PAGE = (Path(__file__).parents[3] / "docs" / "operating.md").read_text()
NEVER_KEEPS_AWAY = {"link_error", "port_error", "not_connected", "bad_message"}
"""Bases, what calls get, and what a checked file and a sound release do not come to."""


def named_in(head: str) -> list[str]:
    """The names in the first column of the table with this head."""
    (table,) = re.findall(rf"\| `?{head}`? \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE)
    return [re.split(r"[`|]", row)[2] for row in table.splitlines()]


def test_its_hall_is_a_hall(tmp_path: Path) -> None:
    (block,) = re.findall(r"^    journal = .*?(?=\n    wallwright)", PAGE, re.MULTILINE | re.DOTALL)
    file = tmp_path / "hall.toml"
    file.write_text(re.sub("^    ", "", block, flags=re.MULTILINE))
    hall = load_hall(file)
    assert [table.name for table in hall.tables] == ["A1", "A2", "A3"]
    assert [table.sought.unit for table in hall.tables] == [None, "T-12", "T-13"]
    assert f"{hall.reports.name}/A1/" in PAGE


def test_its_meetings_and_outages_are_all_that_there_are() -> None:
    assert named_in("meeting") == list(WORDS)
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, LinkError)]
    outages = {outage_name(kind.__new__(kind)) for kind in kinds}
    assert set(named_in("outage")) == outages - NEVER_KEEPS_AWAY | {"bad_key"}


def test_its_changes_are_those_of_the_help() -> None:
    (listed,) = re.findall(r"The changes are ([\w,\s]+);", HELP)
    assert set(named_in("change")) == set(re.findall(r"\w+", listed)) - {"and"}
