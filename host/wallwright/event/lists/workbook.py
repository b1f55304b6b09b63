"""Workbooks of spreadsheet programs: the sheets that people see, as lines of cells.

A process of its own unpacks them, with little memory and time: a small file may hold more than a machine has, and what
reads it ends its process then.
"""

import json
from dataclasses import dataclass
from typing import Any

from ...errors import BadPlayers
from ...person_text import folded
from ...system.confined import run_confined
from ...words import words
from .cells import Line, cell_of, trimmed

_BEGINNINGS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_REFUSALS = {
    "locked": words("it is a workbook with a password; save it without one"),
    "damaged": words("it looks like a workbook, but cannot be read as one; save the sheet as CSV"),
    "huge": words("it is a workbook that takes too much room when it is unpacked; save the sheet as CSV"),
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet by its name, and its lines that are not empty."""

    name: str
    lines: tuple[Line, ...]


def is_workbook(data: bytes) -> bool:
    """Say whether a file begins as workbooks do."""
    return data.startswith(_BEGINNINGS)


def sheets_of(data: bytes, source: str) -> tuple[Sheet, ...]:
    """Return the sheets that have something in them and are not hidden. BadPlayers when it cannot be read."""
    done = run_confined("wallwright.event.lists.unpacking", data)
    told: dict[str, Any] = {"refused": "huge"} if done is None else json.loads(done)
    if "refused" in told:
        raise BadPlayers(source, (_REFUSALS[told["refused"]],))
    sheets = []
    for name, rows in told["sheets"]:
        lines = [Line(number, tuple(map(cell_of, cells))) for number, cells in enumerate(rows, 1)]
        kept = trimmed([line for line in lines if line.filled])
        if kept:
            sheets.append(Sheet(folded(name), kept))
    return tuple(sheets)
