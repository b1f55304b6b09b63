"""The tables of SPEC.md: their rows, found by the heading above them."""

import re
from pathlib import Path

import wallwright_protocol

SPEC = Path(wallwright_protocol.__file__).parent / "SPEC.md"


def table_below(text: str, heading: str) -> re.Match[str]:
    """Find the rows of the first table below a heading, or below the head of the table itself.

    Raises ValueError where there is none.
    """
    found = re.search(rf"\n{re.escape(heading)}(?=\n)(?:(?!\n##).)*?\n\|(?:---\|)+\n((?:\|[^\n]*\n)*)", text, re.DOTALL)
    if found is None:
        raise ValueError(f"SPEC.md lacks a table under '{heading}'; give it a head and no rows")
    return found


def cells_of(rows: str) -> list[list[str]]:
    """Return the cells of each row."""
    return [[cell.strip() for cell in row[1:-1].split("|")] for row in rows.splitlines()]
