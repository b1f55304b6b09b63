"""A program that reads a workbook from its input, and writes its visible sheets as JSON, each cell as a text.

`python -m wallwright.event.lists.unpacking` is run by `workbook`, which says what a refusal means.
"""

import datetime
import json
import re
import sys
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetVisibleEnum

from ...system.confined import confine

_LOCKED = "EncryptedPackage".encode("utf-16-le")
"""The name of what a workbook with a password has inside."""
_STYLES = "xl/styles.xml"
_MOST_TOLD = 16 << 20


def main() -> None:
    """Answer with {"sheets": [[name, rows], ...]}, or {"refused": why}."""
    confine()
    told = json.dumps(_told(sys.stdin.buffer.read()), ensure_ascii=True)
    print(told if len(told) <= _MOST_TOLD else '{"refused": "huge"}')


def _told(data: bytes) -> dict[str, Any]:
    if _LOCKED in data:
        return {"refused": "locked"}
    try:
        zeros = _leading_zeros(data)
        with CalamineWorkbook.from_filelike(BytesIO(data)) as book:
            shown = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
            return {"sheets": [[name, _rows(book.get_sheet_by_name(name), zeros.get(name, {}))] for name in shown]}
    except PasswordError:
        return {"refused": "locked"}
    except (CalamineError, BadZipFile, OSError, KeyError, TypeError, ValueError):
        return {"refused": "damaged"}


def _leading_zeros(data: bytes) -> dict[str, dict[tuple[int, int], int]]:
    """For the cells of an .xlsx whose numbers are shown with zeros in front, such as ids, the number of figures."""
    if not data.startswith(b"PK"):
        return {}
    with ZipFile(BytesIO(data)) as parts:
        if _STYLES not in parts.namelist() or not re.search(rb'formatCode="00+"', parts.read(_STYLES)):
            return {}
    from openpyxl import load_workbook

    return {
        sheet.title: {
            (cell.row - 1, cell.column - 1): len(cell.number_format)
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None and re.fullmatch("00+", cell.number_format)
        }
        for sheet in load_workbook(BytesIO(data), read_only=True).worksheets
    }


def _rows(sheet: CalamineSheet, zeros: dict[tuple[int, int], int]) -> list[list[str]]:
    """The cells of a sheet from its first line on; what is merged downwards is in each line, as people see it."""
    rows = [
        [_text(cell).zfill(zeros.get((at, column), 0)) for column, cell in enumerate(row)]
        for at, row in enumerate(sheet.to_python(skip_empty_area=False))
    ]
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        if left == right and top < bottom < len(rows) and left < len(rows[top]):
            for row in rows[top + 1 : bottom + 1]:
                row[left] = rows[top][left]
    return rows


def _text(cell: object) -> str:
    """A cell as a person reads it: 7, which a workbook has as 7.0, and a day without the midnight of its time."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else str(cell)
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat() if cell.time() == datetime.time() else cell.isoformat(" ", "seconds")
    return str(cell)


if __name__ == "__main__":
    main()
