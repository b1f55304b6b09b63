"""Writes the circuit down: a netlist for KiCad (Pcbnew, import netlist) and a bill of materials as CSV."""

import contextlib
import csv
import io
import re
import tempfile

from . import kinds
from .board import Board

COLUMNS = ("quantity", "references", "value", "typical part", "footprint", "datasheet", "where")
_CHANGING = re.compile(r'^\s*\((?:date|source) ".*"\)\n', re.MULTILINE)
"""Lines of the netlist that name a day or a file of this machine."""


def netlist(board: Board) -> str:
    """Return the netlist for KiCad; the same text for the same circuit."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stderr(io.StringIO()):
        text: str = board.circuit.generate_netlist(tool=kinds.skidl.KICAD9, track_src=False, track_abs_path=False)
    return _CHANGING.sub("", text)


def bill(board: Board) -> str:
    """Return the bill of materials, one line a kind of part and value, what stands outside the board last."""
    rows: dict[tuple[str, str, str, str], list[str]] = {}
    for reference, kind in board.kinds.items():
        key = (kind.part, board.parts[reference].value, kind.footprint, kind.source)
        rows.setdefault(key, []).append(reference)
    told = io.StringIO()
    writer = csv.writer(told, lineterminator="\n")
    writer.writerow(COLUMNS)
    for (part, value, footprint, source), references in sorted(rows.items(), key=lambda row: (not row[0][2], row[0])):
        names = " ".join(sorted(references, key=_by_number))
        writer.writerow(
            (len(references), names, value, part, footprint, source, "carrier" if footprint else "table or control box")
        )
    return told.getvalue()


def _by_number(reference: str) -> tuple[str, int]:
    letters = reference.rstrip("0123456789")
    return letters, int(reference[len(letters) :] or 0)
