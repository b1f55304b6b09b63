"""What is shown of anybody's text, compared with what Unicode and JSON say of each character."""

import ast
import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import wallwright
from wallwright.shown_text import shown, shown_line
from wallwright.system import streams

JOINERS = "\u200c\u200d"
HOSTILE = "\x1b]0;x\x07\x9b2J\x00\x7f\u202e\u2028\ud800\u200b\U000e0041"


def test_every_character_that_controls_or_shows_as_nothing_is_escaped_and_reads_the_same_in_json() -> None:
    for one in map(chr, range(sys.maxunicode + 1)):
        category = unicodedata.category(one)
        line = shown_line(one)
        if category != "Cn":  # some of these are in a later Unicode
            is_unseen = category in {"Cc", "Cf", "Cs", "Zl", "Zp"} and one not in JOINERS
            assert (line != one) == is_unseen, hex(ord(one))
        assert shown(one) == ("\n" if one == "\n" else line)
        if line != one:
            assert json.loads(f'"{line}"') == one
            assert line.isascii()
            assert line.isprintable()


def test_ends_of_lines_are_left_where_there_may_be_lines() -> None:
    assert shown("a\nb\r\nc\rd") == "a\nb\r\nc\\u000dd"
    assert shown_line("a\nb\r\nc") == "a\\u000ab\\u000d\\u000ac"


PROGRAM = """
import json, sys
from rich.table import Table as Grid
from rich.text import Text
from wallwright.system.streams import set_up_streams
from wallwright.system.terminal import drawing_console
set_up_streams()
hostile = sys.stdin.readline().strip()
hostile = json.loads(hostile)
print(hostile)
print(json.dumps(hostile, ensure_ascii=False))
grid = Grid(title=Text(hostile))
grid.add_column("name")
grid.add_row(Text(hostile, style="red"))
drawing = drawing_console()
drawing.width = 400
drawing.print(grid)
raise ValueError(hostile)
"""


def test_whatever_prints_it_a_text_is_shown_and_the_program_s_own_colours_are_written() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps(HOSTILE).encode(),
        capture_output=True,
        env=os.environ | {"FORCE_COLOR": "1", "TERM": "xterm-256color"},
        check=False,
    )
    text, error = ended.stdout.decode(), ended.stderr.decode()
    assert "\x1b[31m" in text
    seen = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert shown(seen) == seen
    assert shown(error) == error
    escaped = "\\u001b]0;x\\u0007\\u009b2J\\u0000\\u007f\\u202e\\u2028\\ud800\\u200b\\udb40\\udc41"
    assert text.startswith(escaped + "\n")
    assert json.loads(text.splitlines()[1]) == HOSTILE
    assert error.endswith(f"ValueError: {escaped}\n")


def test_nothing_else_draws_on_a_terminal_or_goes_round_its_streams() -> None:
    folder = Path(wallwright.__file__).parent
    for path in folder.rglob("*.py"):
        if path in (folder / "system/terminal.py", folder / "system/streams.py", folder / "system/confined.py"):
            continue
        code = path.read_text()
        assert "from rich import" not in code, path
        is_drawn = "from rich.console import" in code
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Attribute) and node.attr in ("buffer", "__stdout__", "__stderr__"):
                assert not re.search("std(out|err)", ast.unparse(node)), f"{path}:{node.lineno}"
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                assert not (name == "Console" and is_drawn), f"{path}:{node.lineno}"
                assert name not in ("Live", "Progress") or "console" in {one.arg for one in node.keywords}, path


def test_a_line_at_whose_writing_ctrl_c_comes_is_not_written_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out"

    def interrupt(frame: FrameType, event: str, _: object) -> Any:
        is_written = event == "return" and frame.f_code.co_filename == streams.__file__ and path.stat().st_size
        if is_written:
            raise KeyboardInterrupt
        return interrupt

    for name in ("stdin", "stderr"):
        monkeypatch.setattr(sys, name, getattr(sys, name))
    with path.open("w") as file:
        monkeypatch.setattr(sys, "stdout", file)
        streams.set_up_streams()
        before = sys.gettrace()
        sys.settrace(interrupt)
        try:
            with pytest.raises(KeyboardInterrupt):
                print("once", flush=True)
        finally:
            sys.settrace(before)
        sys.stdout.flush()
        assert path.read_text() == "once\n"
