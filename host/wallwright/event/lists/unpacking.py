"""A program that reads a workbook from its input, and writes its visible sheets as JSON, each cell as a text.

`python -m wallwright.event.lists.unpacking` is run by `workbook`, which says what a refusal means.
"""

import datetime
import json
import sys
from io import BytesIO
from typing import Any

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetVisibleEnum

_MOST_BYTES = 1 << 30
_MOST_CPU_SECONDS = 20
_MOST_TOLD = 16 << 20


def main() -> None:
    """Answer with {"sheets": [[name, rows], ...]}, or {"refused": why}."""
    _limit()
    told = json.dumps(_told(sys.stdin.buffer.read()), ensure_ascii=True)
    print(told if len(told) <= _MOST_TOLD else '{"refused": "huge"}')


def _told(data: bytes) -> dict[str, Any]:
    try:
        with CalamineWorkbook.from_filelike(BytesIO(data)) as book:
            shown = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
            return {"sheets": [[name, _rows(book.get_sheet_by_name(name))] for name in shown]}
    except PasswordError:
        return {"refused": "locked"}
    except (CalamineError, OSError, ValueError):
        return {"refused": "damaged"}


def _rows(sheet: CalamineSheet) -> list[list[str]]:
    """The cells of a sheet from its first line on; what is merged downwards is in each line, as people see it."""
    rows = [[_text(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]
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


def _limit() -> None:
    if sys.platform == "win32":
        return
    import resource

    for kind, most in (
        (resource.RLIMIT_AS, _MOST_BYTES),
        (resource.RLIMIT_CPU, _MOST_CPU_SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main()
