"""Whatever is exported for a spreadsheet goes through one place, in which no text becomes a formula."""

import ast
import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

import wallwright
from wallwright.system.spreadsheet import BYTE_ORDER_MARK, Sheet, csv_file, csv_lines, harmless, workbook

HOST = Path(wallwright.__file__).parent
ON_SCREENS = {
    ("link/frames.py", "','.join((str(item) for item in value))"),
    ("cli/log/__init__.py", "','.join((str(item) for item in value))"),
    ("table/plan_check.py", "','.join((str(stacks) for stacks in plan))"),
    ("table/plan_check.py", "','.join(map(str, plan_without(tiles, side)))"),
    ("study/wash_sheet.py", "','.join(map(str, washes))"),
    ("study/wash_counts.py", "','.join(row)"),
    ("study/wash_counts.py", "','.join(SUMS)"),
    ("study/wash_counts.py", "','.join(BY_SIDE)"),
    ("cli/event/players.py", "','.join(choice.columns)"),
    ("cli/event/players.py", "','.join(map(str, choice.skip))"),
}
"""What is joined by commas and is no line of a file: lists of numbers, and a line that is wrong, on a screen."""


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-2", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠1", " =1", "\u200c=1"]
)  # fmt: skip
def test_what_begins_like_a_formula_is_text(text: str) -> None:
    assert harmless(text).replace("'", "") == text.replace("\r", "\n")
    assert harmless(text).startswith("'")


@pytest.mark.parametrize("text", ["", "Ann", "阿明", "a=b", "8,-8", "'=1", "(-2)"])
def test_other_text_stays(text: str) -> None:
    assert harmless(text) == text


def test_what_nobody_sees_is_shown_and_is_no_formula() -> None:
    assert harmless("\x00x\x1b[2J\x9b\u202e\ud800") == "\\u0000x\\u001b[2J\\u009b\\u202e\\ud800"
    assert harmless("\u200b=1") == "\\u200b=1"


def test_numbers_stay_numbers_in_both() -> None:
    row = (-3, Fraction(-5, 2), Fraction(-8, 2), Fraction(1, 3), None, True, "-3")
    [_, line] = csv_lines(["a"] * 7, [row])
    assert line == "-3,-2.5,-4,0.333333,,True,'-3"
    [_, cells] = load_workbook(io.BytesIO(workbook([Sheet("x", ["a"] * 7, [row])])))["x"].iter_rows()
    assert [cell.value for cell in cells] == [-3, -2.5, -4, 0.333333, None, True, "'-3"]
    assert [cell.data_type for cell in cells] == ["n", "n", "n", "n", "n", "b", "s"]


@given(st.lists(st.text(), min_size=1, max_size=3))
def test_a_workbook_has_the_cells_of_the_csv(texts: list[str]) -> None:
    columns = [f"column {at}" for at in range(len(texts))]
    book = load_workbook(io.BytesIO(workbook([Sheet("x", columns, [texts])])))["x"]
    [_, cells] = book.iter_rows()
    text = csv_file(csv_lines(columns, [texts])).decode().removeprefix(BYTE_ORDER_MARK)
    [_, plain] = csv.reader(io.StringIO(text, newline=""))
    assert [(cell.value or "") for cell in cells] == plain
    assert all(cell.data_type != "f" for cell in cells)


@pytest.mark.parametrize("text", ["Ann;=1+1", "Ann\t=1+1", "Ann|=1+1", 'Ann";=1+1', "Ann\n=1+1", "Ann\r=1+1"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_spreadsheet_that_expects_another_delimiter_finds_no_formula_either(text: str, delimiter: str) -> None:
    """In some countries a spreadsheet cuts at semicolons, and people choose tabs when they paste."""
    rows: list[list[str | int | None]] = [[1, text], [text, -1, None], [text, text]]
    for row in rows:
        lines = "".join(f"{line}\n" for line in csv_lines(["a", "b", "c"], [row]))
        cells = [cell for line in csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter) for cell in line]
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "@")]


def test_nothing_else_writes_for_spreadsheets() -> None:
    writers = []
    for path in HOST.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_csv = isinstance(node, ast.Attribute) and node.attr in ("writer", "DictWriter")
            is_book = (
                isinstance(node, ast.ImportFrom)
                and (node.module or "").split(".")[0] == "openpyxl"
                and [one.name for one in node.names] != ["load_workbook"]
            )
            is_joined = (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "join"
                and isinstance(node.func.value, ast.Constant)
                and node.func.value.value in (",", ";", "\t")
                and (path.relative_to(HOST).as_posix(), ast.unparse(node)) not in ON_SCREENS
            )
            if is_csv or is_book or is_joined:
                writers.append(path.relative_to(HOST).as_posix())
    assert set(writers) == {"system/spreadsheet.py"}
