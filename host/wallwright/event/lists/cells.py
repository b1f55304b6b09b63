"""A text as lines of cells: what stands between the cells, whatever program has written it."""

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise

from ...errors import BadPlayers
from ...person_text import folded
from ...text_files import lines_in
from ...words import words
from .labels import label_of

DELIMITERS = {
    "none": "\x1f",
    "tab": "\t",
    "semicolon": ";",
    "comma": ",",
    "wide-comma": "\N{FULLWIDTH COMMA}",
    "bar": "|",
}
"""What may stand between cells. With none, which is a sign that nobody types, every line is one cell.

What comes first is taken where two fit alike."""
_SEPARATOR = re.compile("sep=(.)", re.IGNORECASE)
_ONE_CELL = 0.4
"""One cell a line fits everything, so it counts for less than several that fit many lines."""
_HEADER_LINES = 8
_BEGINNING = 100_000
"""Characters that tell what stands between cells."""
_MOST_LINES, _MOST_CELLS = 200_000, 400_000
"""Of a text, also where nothing is in them: programs fill lists up with empty lines, and each costs time."""
_NEARLY_ALL = 0.8
_RULE = re.compile(r"[-=+:_*~.\s\u2500-\u257f]+")
_SIGNS = "-*•·–—▪►"
_BRACKETS = re.compile(r"([^()（）<>]+?)\s*[(（<]([^()（）<>]+)[)）>]")
_NUMBERED = re.compile(r"\(?(\d{1,4})(?:[.):\u3001]+\s*|\s+)(?=[^\d\s.,:/-])(.+)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that has something in it: its number in the list from 1, and its cells without blanks around them."""

    number: int
    cells: tuple[str, ...]

    @property
    def filled(self) -> tuple[str, ...]:
        """Return the cells that are not empty."""
        return tuple(cell for cell in self.cells if cell)

    def at(self, column: int) -> str:
        """Return a cell, which may not be there."""
        return self.cells[column] if column < len(self.cells) else ""


def cell_of(text: str) -> str:
    """Return what is in a cell, line by line."""
    return "\n".join(line for part in lines_in(text) if (line := folded(part)))


def lines_of(text: str, source: str, delimiter: str = "") -> tuple[str, tuple[Line, ...]]:
    """Return the name of what stands between cells, and the lines. BadPlayers when quotation marks do not fit."""
    # A spreadsheet begins its text with a mark that is no part of it.
    text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    first, end, rest = text.partition("\n")
    named = _SEPARATOR.fullmatch(first.strip())
    if named is not None:
        # A line that spreadsheets read and write; it stays a line in the numbers.
        text = end + rest
        delimiter = delimiter or next((name for name, sign in DELIMITERS.items() if sign == named[1]), "")
    if not delimiter:
        beginning = text if len(text) <= _BEGINNING else text[: text.rfind("\n", 0, _BEGINNING) + 1] or text
        tried = {name: _split(beginning, source, sign, is_chosen=False) for name, sign in DELIMITERS.items()}
        delimiter = max(tried, key=lambda name: _fitness(tried[name]))
    return delimiter, trimmed(_split(text, source, DELIMITERS[delimiter], is_chosen=True), is_drawn=delimiter == "bar")


def trimmed(lines: Sequence[Line], *, is_drawn: bool = False) -> tuple[Line, ...]:
    """Leave out drawn rules, columns at the end in which nothing is, and numbers before names in one cell.

    A table that is drawn with bars has nothing before the first one either.
    """
    kept = [line for line in lines if not all(_RULE.fullmatch(cell) for cell in line.filled)]
    skip = 1 if is_drawn and kept and all(not line.cells[0] for line in kept) else 0
    last = max((at for line in kept for at, cell in enumerate(line.cells, 1) if cell), default=0)
    return _without_numbers([Line(line.number, line.cells[skip:last]) for line in kept])


def _without_numbers(lines: list[Line]) -> tuple[Line, ...]:
    """The lines without numbers or signs before their first cells, and one cell with brackets as two."""
    lines = _without_signs(lines)
    found = {line.number: match for line in lines if (match := _NUMBERED.fullmatch(line.at(0)))}
    numbers = [int(match[1]) for match in found.values()]
    in_turn = all(b - a == 1 for a, b in pairwise(numbers))
    if len(found) < 2 or len(found) < _NEARLY_ALL * (len(lines) - 1) or not in_turn:
        return tuple(lines)
    return tuple(
        Line(line.number, (found[line.number][2], *line.cells[1:])) if line.number in found else line for line in lines
    )


def _without_signs(lines: list[Line]) -> list[Line]:
    marked = [line for line in lines if line.at(0)[:1] in _SIGNS and line.at(0)[1:2] == " "]
    if len(marked) > 1 and len(marked) >= _NEARLY_ALL * len(lines):
        lines = [Line(line.number, (line.at(0).lstrip(_SIGNS + " "), *line.cells[1:])) for line in lines]
    pairs = [_BRACKETS.fullmatch(line.at(0)) if len(line.cells) == 1 else None for line in lines]
    if len(lines) > 1 and all(pairs):
        return [Line(line.number, (pair[1], pair[2])) for line, pair in zip(lines, pairs, strict=True) if pair]
    return lines


def _split(text: str, source: str, delimiter: str, *, is_chosen: bool) -> list[Line]:
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    lines, number, cells, count = [], 1, [], 0
    try:
        for cells in reader:
            count += len(cells)
            if number > _MOST_LINES or count > _MOST_CELLS:
                problem = words(
                    "it has more than {lines} lines or {cells} cells; leave out all but the players",
                    lines=f"{_MOST_LINES:,}",
                    cells=f"{_MOST_CELLS:,}",
                )
                raise BadPlayers(source, (problem,))
            line = Line(number, tuple(map(cell_of, cells)))
            if line.filled:
                lines.append(line)
            number = reader.line_num + 1
    except csv.Error as error:
        raise BadPlayers(source, (words("line {line}: {why}", line=reader.line_num, why=str(error)),)) from error
    if is_chosen and cells and "\n" in cells[-1].strip() and not text.rstrip().endswith('"'):
        problem = words("line {line}: a quotation mark begins a cell and no other one ends it", line=lines[-1].number)
        raise BadPlayers(source, (problem,))
    return lines


def _fitness(lines: Sequence[Line]) -> tuple[int, float]:
    """How well cells come out: columns that are known by name, then how many lines have as many cells as most."""
    if not lines:
        return 0, 0.0
    known, width = max(
        ((len({label_of(cell).kind for cell in line.cells if label_of(cell).is_whole}), len(line.cells))
         for line in lines[:_HEADER_LINES]), key=lambda one: one[0]
    )  # fmt: skip
    widths = Counter(len(line.cells) for line in lines)
    if not known:
        width = widths.most_common(1)[0][0]
    return known, widths[width] / len(lines) if width > 1 else _ONE_CELL
