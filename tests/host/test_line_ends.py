"""One idea of where a line ends, whoever has written the text: LF, CR LF or CR, and nothing else that looks like it."""

import ast
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright.console.feed.feed import json_message
from wallwright.rules.core.errors import NotationError
from wallwright.rules.sichuan.notation import parse_deal
from wallwright.text_files import lines_in
from wallwright_simulator.faults import FaultError, parse_faults

ROOT = Path(__file__).parents[2]
PARTS = ("protocol", "firmware/wallwright_firmware", "simulator", "host")
ODD_ENDS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What `str.splitlines` takes for an end of a line besides LF and CR."""
DEAL = (
    "ruleset sichuan\ndealer 0\nhand 0 12345678m1234569p\nhand 1 123456789s1234p\nhand 2 1234567m123456p\n"
    "hand 3 123456789p1234s\nwall 55 unknown\n"
)


@given(st.text(st.sampled_from(f"ab \r\n{ODD_ENDS}")))
def test_lines_are_those_of_any_text_file(text: str) -> None:
    assert lines_in(text) == [line.removesuffix("\n") for line in io.StringIO(text, newline=None)]


@given(st.text(st.sampled_from(f'a"\\\r\n{ODD_ENDS}')))
def test_a_browser_gets_the_json_that_was_sent(text: str) -> None:
    """The lines are taken apart as the HTML standard says of event streams (9.2.6)."""
    lines = re.split("\r\n|\n|\r", json_message("hall", {"name": text}).decode())
    data = "\n".join(line.removeprefix("data: ") for line in lines if line.startswith("data:"))
    assert json.loads(data) == {"name": text}


@pytest.mark.parametrize("end", ODD_ENDS)
def test_nothing_else_ends_a_line_of_a_deal_or_of_a_script(end: str) -> None:
    parse_deal(DEAL.replace("\n", "\r\n"))
    with pytest.raises(NotationError):
        parse_deal(DEAL.replace("\n", end))
    with pytest.raises(NotationError):
        parse_deal(DEAL.replace("0\nhand", f"0{end}hand", 1))
    script = "jam lane 2 at 8.3 s # a comment\njam lane 1 at 9 s"
    assert len(parse_faults(script)) == 2
    # Behind an end that is none, the comment goes on.
    assert len(parse_faults(script.replace("\n", end))) == 1
    with pytest.raises(FaultError):
        parse_faults(f"jam lane 2 at 8.3 s{end}jam lane 1 at 9 s")


def test_nobody_asks_python_where_lines_end() -> None:
    """`bytes.splitlines` would do; it is as well to have one way."""
    files = [path for part in PARTS for path in (ROOT / part).rglob("*.py")]
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in files
        if "splitlines" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr == "splitlines"
    ]
    assert len(files) > 500
    assert found == []
