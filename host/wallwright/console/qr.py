"""Addresses and checkpoints as QR codes."""

from functools import lru_cache
from io import BytesIO
from typing import NamedTuple

import segno

MASK = 2
"""Any of the eight can be read (ISO/IEC 18004, 7.8); a search for the best of them takes six times as long."""
QUIET = 4
"""Modules that stay white on each side (ISO/IEC 18004, 6.3.8)."""


class CodePath(NamedTuple):
    """A code of `size` modules a side with its white margin; `path` draws rows of dark modules with a stroke of one."""

    size: int
    path: str


@lru_cache(maxsize=4096)
def path_of(address: str) -> CodePath:
    """Return an address, or a checkpoint, as a QR code to be drawn within a page."""
    matrix = segno.make(address, micro=False, error="M", boost_error=False, mask=MASK).matrix
    parts = []
    for y, row in enumerate(matrix, QUIET):
        start = None
        for x, module in enumerate((*row, 0), QUIET):
            if module and start is None:
                start = x
            elif not module and start is not None:
                parts.append(f"M{start} {y}.5h{x - start}")
                start = None
    return CodePath(len(matrix) + 2 * QUIET, "".join(parts))


def code_of(address: str) -> bytes:
    """Return an address as a QR code in SVG, black on white whatever the page's colours are."""
    code = BytesIO()
    segno.make(address, micro=False).save(code, kind="svg", scale=6, dark="#000", light="#fff")
    return code.getvalue()
