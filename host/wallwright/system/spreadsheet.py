"""Rows for spreadsheets, as CSV and XLSX: the one place where a text is kept from being taken for a formula.

A text that a spreadsheet could take for one gets an apostrophe before it, in both alike, because a workbook is saved as
CSV sooner or later. Numbers are no text: they stay numbers, below zero too.
"""

import csv
import io
import os
import re
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ..shown_text import shown
from .disk import NoRoom

if TYPE_CHECKING:
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

Value = str | int | float | bool | Fraction | None
"""What a cell may hold. Fractions are written as decimals."""
FORMULA = "=+-@"
"""A text that begins with one of these may be run (OWASP, CSV injection)."""
_CUT_THERE = re.compile(r"([;\t|\n]\s*)(?=[=+@\uff1d\uff0b\uff20\uff0d-])")
"""Where a spreadsheet that expects another sign between cells than a comma would find a formula in the middle."""
BYTE_ORDER_MARK = "\ufeff"
"""Spreadsheets take a CSV file without it for one in the code of their own country."""
DECIMALS = 6
WIDTHS = (6, 60)
"""A column of a workbook is as wide as its longest cell, within these, in characters."""


class Sheet(NamedTuple):
    """One sheet of a workbook; every row has a value for each column."""

    title: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Value]]


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, with what nobody sees in it shown.

    Its lines end with a line feed. A formula in the middle, where a spreadsheet may cut a line, gets its apostrophe
    too. Full-width forms count, and so does what begins with a tab, a line's end or anything else that is not seen.
    """
    # Tabs and line feeds are seen in a cell, and cut there.
    kept = "\t".join(map(shown, text.replace("\r\n", "\n").replace("\r", "\n").split("\t")))
    seen = next((at for at, one in enumerate(kept) if unicodedata.category(one)[0] not in "CZ"), len(kept))
    first = unicodedata.normalize("NFKC", kept[seen : seen + 1])
    is_control = any(unicodedata.category(one) == "Cc" for one in kept[:seen])
    apart = _CUT_THERE.sub(r"\1'", kept)
    return f"'{apart}" if is_control or (first and first in FORMULA) else apart


def csv_file(lines: Iterable[str]) -> bytes:
    """Return the file of the `lines` of CSV: UTF-8 with the mark by which spreadsheets know it."""
    return (BYTE_ORDER_MARK + "".join(f"{line}\n" for line in lines)).encode()


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[str]:
    """Return the lines of a CSV file (RFC 4180), without their ends, the columns' names first."""
    for row in (columns, *rows):
        text = io.StringIO()
        # The writer quotes a line's end inside a cell only if it knows that for one.
        csv.writer(text, lineterminator="\r\n").writerow([_plain(value) for value in row])
        yield text.getvalue().removesuffix("\r\n")


def workbook(sheets: Iterable[Sheet]) -> bytes:
    """Return an XLSX file whose sheets keep their first row in sight. NoRoom when the disk of drafts is full."""
    try:
        return _workbook(sheets)
    except OSError as error:
        raise NoRoom(tempfile.gettempdir(), str(error.strerror)) from error


def _workbook(sheets: Iterable[Sheet]) -> bytes:
    # Where lxml happens to be installed openpyxl would write with it, and its errors of a full disk are no OSError.
    os.environ["OPENPYXL_LXML"] = "False"
    # It takes longer to import than a season's journal to read, and most commands write no workbook.
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    for title, columns, rows in sheets:
        sheet = book.create_sheet(title)
        listed = [list(row) for row in rows]
        for at, name in enumerate(columns):
            longest = max((len(str(row[at])) for row in listed if row[at] is not None), default=0)
            width = min(max(len(name), longest, WIDTHS[0]), WIDTHS[1])
            sheet.column_dimensions[_letters(at)].width = width + 2
        sheet.freeze_panes = "A2"
        sheet.append([_cell(sheet, name, is_head=True) for name in columns])
        for row in listed:
            sheet.append([_cell(sheet, value) for value in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _plain(value: Value) -> str | int | float | bool | None:
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else round(float(value), DECIMALS)
    if value is None or isinstance(value, (int, float)):
        return value
    return harmless(str(value))  # a journal that others wrote may have anything there


def _cell(sheet: "WriteOnlyWorksheet", value: Value, *, is_head: bool = False) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    plain = _plain(value)
    cell = WriteOnlyCell(sheet, plain)
    if isinstance(plain, str):
        # Text, even where it looks like something else.
        cell.data_type = "s"
    if is_head:
        cell.font = Font(bold=True)
    return cell


def _letters(column: int) -> str:
    """Return the name of a column, counted from 0: A to Z, AA, AB."""
    rest, letter = divmod(column, 26)
    return (_letters(rest - 1) if rest else "") + chr(ord("A") + letter)
