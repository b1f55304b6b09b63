"""The part of a list that is about players: its header; titles, totals and footers are passed over with a word."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...words import Words, words
from . import kinds
from .cells import Line
from .labels import NAMES, PLAYER, label_of, plain
from .remarks import headings_of, is_total, is_waiting_list, title_words

_TITLE = words("line {line} is passed over as a title: {text}")
_HEADING = words("line {line} is passed over as a heading: {text}")
_TOTAL = words("line {line} is passed over as a total: {text}")
_REMARK = words("line {line} is passed over as a remark: {text}")
_ONCE_MORE = words("line {line} is passed over, it names the columns once more: {text}")
_HEADER_LINES = 12
_NEARLY_ALL = 0.8
_FEW = 3
_PARTICLES = frozenset(
    ["van", "von", "der", "den", "de", "da", "di", "del", "della", "do", "dos", "du", "la", "le", "el", "bin", "al"]
)


@dataclass(frozen=True, slots=True)
class Frame:
    """The lines of players below the names of their columns, if a line has them.

    `passed` tells of each line that was passed over, `skipped` has the numbers of those that no header explains,
    `problems` is what has to be mended in the list.
    """

    header: Line | None
    rows: tuple[Line, ...]
    passed: tuple[Words, ...] = ()
    problems: tuple[Words, ...] = ()
    skipped: tuple[int, ...] = ()


def frames_of(
    lines: Sequence[Line], has_header: bool | None = None, skip: Sequence[int] | None = None
) -> tuple[Frame, ...]:
    """Return how a list may be framed, the most likely first.

    `has_header` says whether a line names the columns, `skip` which lines are passed over and no others.
    """
    frames = _frames(lines, has_header, skip)
    return tuple(one for at, one in enumerate(frames) if all(one.rows != other.rows for other in frames[:at]))


def _frames(lines: Sequence[Line], has_header: bool | None, skip: Sequence[int] | None) -> tuple[Frame, ...]:
    if skip is not None:
        lines = [line for line in lines if line.number not in skip]
        at = None if has_header is False else 0 if has_header and lines else _header(lines)
        header = None if at is None else lines[at]
        return (Frame(header, tuple(lines if at is None else lines[at + 1 :])),)
    at = None if has_header is False else _header(lines)
    first = _titles(lines)
    if at is None and has_header:
        at = first if lines else None
    if at is not None:
        return _with_last(lines, at, at + 1)
    plain_one = _framed(lines, None, first)
    rest = lines[first:]
    if has_header is None and len(rest) > _FEW:
        if _is_header_by_shape(rest):
            return _with_last(lines, first, first + 1)
        if _may_be_header(rest):
            return (_framed(lines, first, first + 1), plain_one)
    if first == 0 and len(lines) > _FEW and _may_be_title(lines):
        return (_framed(lines, None, 1), plain_one)
    return _with_last(lines, None, first)


def _with_last(lines: Sequence[Line], header_at: int | None, first: int) -> tuple[Frame, ...]:
    """A frame, and where the last line stands apart and has one cell of several, the one without it before that."""
    whole = _framed(lines, header_at, first)
    gaps = [b.number - a.number for a, b in pairwise(whole.rows)]
    if len(gaps) < _FEW or len(whole.rows[-1].filled) != 1:
        return (whole,)
    last = whole.rows[-1]
    stands_apart = gaps[-1] > 1 and max(gaps[:-1]) == 1
    if not (_usual(whole.rows) > 1 and stands_apart) and not _is_phrase(last.filled[0]):
        return (whole,)
    passed = (*whole.passed, _told(last, _REMARK))
    skipped = (*whole.skipped, last.number)
    return (Frame(whole.header, whole.rows[:-1], passed, whole.problems, skipped), whole)


def _framed(lines: Sequence[Line], header_at: int | None, first: int) -> Frame:
    header = None if header_at is None else lines[header_at]
    titles = lines[: first if header_at is None else header_at]
    passed = [_told(line, _TITLE) for line in titles]
    rows = list(lines[first:])
    after: list[Words] = []
    usual = _usual(rows)
    while rows and _is_footer(rows[-1], rows, usual):
        after.insert(0, _told(rows.pop(), _REMARK))
    kept: list[Line] = []
    problems = []
    heads = headings_of(rows)
    for row in rows:
        if header is not None and row.filled == header.filled:
            passed.append(_told(row, _ONCE_MORE))
        elif is_total(row):
            passed.append(_told(row, _TOTAL))
        elif row.number in heads:
            passed.append(_told(row, _HEADING))
        elif is_waiting_list(row):
            text = "line {line} says {text}: take it out, and those below it who do not play"
            problems.append(words(text, line=row.number, text=repr(row.filled[0])))
        else:
            kept.append(row)
    left = {line.number for line in kept} | ({header.number} if header is not None else set())
    skipped = tuple(line.number for line in lines if line.number not in left)
    return Frame(header, tuple(kept), (*passed, *after), tuple(problems), skipped)


def _told(line: Line, what: Words) -> Words:
    """Tell that a line was passed over; `what` has places for its number and its cells."""
    text = " ".join(", ".join(line.filled).split("\n"))
    return Words(what.text, (("line", line.number), ("text", text)))


def _header(lines: Sequence[Line]) -> int | None:
    """The line whose cells are known as names of columns, if one is."""
    usual = _usual(lines)
    for at, line in enumerate(lines[:_HEADER_LINES]):
        if len(line.filled) == 1 and usual > 1 and at + 1 < len(lines) and len(lines[at + 1].filled) > 1:
            continue
        if is_total(line) or not _names_columns(lines[at:]):
            continue
        following = lines[at + 1 : at + 2]
        # "Player 1", and "Player 2" below it, are players.
        if following and following[0].filled[0] != line.filled[0] and _letters(following[0]) == _letters(line):
            return None
        return at
    return None


def _letters(line: Line) -> str:
    return "".join(one for one in line.filled[0] if one.isalpha())


def _names_columns(lines: Sequence[Line]) -> bool:
    """Say whether the cells of the first line are known as names of columns."""
    told = lines[0].filled
    if any(kinds.kind_of(cell) in (kinds.NUMBER, kinds.DATE, kinds.MAIL, kinds.TIME) for cell in told):
        return False
    labels = [label for cell in told if (label := label_of(cell)).kind]
    whole = [label for label in labels if label.is_whole]
    has_name = any(label.kind in NAMES for label in whole)
    if has_name and (len(labels) * 2 >= len(told) or (len(labels) > 1 and _is_header_by_shape(lines))):
        return True
    return len(whole) > 1 and len(whole) * 2 >= len(told)


def _is_header_by_shape(lines: Sequence[Line]) -> bool:
    """Say whether the first line has words where all others have something of another kind, and nowhere the same."""
    first, rest = lines[0], lines[1:]
    if len(first.filled) * 2 < _usual(rest):
        return False
    is_unlike = False
    for at in range(len(first.cells)):
        cells = [line.at(at) for line in rest]
        below, here = kinds.kind_of_column(cells), kinds.kind_of(first.at(at))
        if below in (kinds.EMPTY, kinds.WORDS, kinds.SENTENCE) or sum(map(bool, cells)) < _NEARLY_ALL * len(cells):
            continue
        if here == below or (below == kinds.COUNTRY and first.at(at).isupper()):
            return False
        is_unlike |= here in (kinds.WORDS, kinds.SENTENCE) and below not in (kinds.YES_NO, kinds.CODE)
    return is_unlike


def _may_be_header(lines: Sequence[Line]) -> bool:
    """Say whether the first line is unlike the others, though all have words: one before names of two, or so."""
    first, rest = lines[0], lines[1:]
    if len(first.filled) < _usual(rest):
        return False
    for at in range(len(first.cells)):
        here = first.at(at)
        told = [line.at(at) for line in rest if line.at(at)]
        if not here or len(told) < _FEW or kinds.kind_of(here) != kinds.WORDS:
            continue
        if kinds.kind_of_column(told) != kinds.WORDS:
            continue
        is_one_word = " " not in here and not kinds.is_east_asian(here)
        if is_one_word and sum(" " in cell for cell in told) >= _NEARLY_ALL * len(told):
            return True
        times = Counter(cell.casefold() for cell in told)
        if here.casefold() not in times and len(first.cells) > 1 and min(times.values()) > 1:
            return True
    return False


def _titles(lines: Sequence[Line]) -> int:
    """Return how many lines at the beginning are titles, in a list whose columns nobody names."""
    first = 0
    while first < min(len(lines) - 1, _HEADER_LINES):
        line = lines[first]
        text = line.filled[0]
        told = plain(text)
        has_word = bool(title_words(told)) or (label_of(text).kind == PLAYER)
        is_one_of_many = bool(_letters(line)) and _letters(line) == _letters(lines[first + 1])
        if len(line.filled) > 1 or is_one_of_many:
            break
        if told and not has_word and not _is_odd(text, lines[first + 1 :], line):
            break
        first += 1
    return first


def _is_odd(text: str, others: Sequence[Line], line: Line) -> bool:
    """Say whether a cell has figures or is a sentence where the cells below are words."""
    at = line.cells.index(text)
    below = kinds.kind_of_column([one.at(at) for one in others])
    here = kinds.kind_of(text)
    return below in (kinds.WORDS, kinds.NUMBER, kinds.EMPTY) and here not in (kinds.WORDS, below, kinds.YEAR)


def _may_be_title(lines: Sequence[Line]) -> bool:
    """Say whether the first line may be a title by its place: it stands apart, or has one cell where all have more."""
    gaps = [b.number - a.number for a, b in pairwise(lines)]
    if gaps[0] > 1 and max(gaps[1:]) == 1:
        return True
    return len(lines[0].filled) == 1 and all(len(line.filled) > 1 for line in lines[1:])


def _is_footer(line: Line, rows: Sequence[Line], usual: int) -> bool:
    """Say whether the last line is a remark: one cell, which is no name where the others have names."""
    if len(line.filled) != 1 or len(rows) <= _FEW or is_total(line):
        return False
    text = line.filled[0]
    at = line.cells.index(text)
    above = [one.at(at) for one in rows[:-1] if one is not line]
    if text.startswith(("*", "(", "※", "注", "©")):
        return not any(cell.startswith(text[0]) for cell in above)
    if usual == 1:
        return kinds.kind_of_column(above) == kinds.WORDS and kinds.kind_of(text) in (
            kinds.SENTENCE, kinds.DATE, kinds.LINK, kinds.MAIL, kinds.TIME)  # fmt: skip
    here, there = kinds.kind_of(text), kinds.kind_of_column(above)
    return (here not in (there, kinds.YEAR) and here != kinds.WORDS) or (
        here == kinds.WORDS and there not in (kinds.WORDS, kinds.EMPTY, kinds.SENTENCE, kinds.CODE))  # fmt: skip


def _is_phrase(text: str) -> bool:
    """Say whether a text has small words as no name has them: "Approved by the committee"."""
    small = [word for word in text.split() if word.islower() and word not in _PARTICLES]
    return len(text.split()) >= _FEW and len(small) > 1


def _usual(lines: Sequence[Line]) -> int:
    """Return how many cells of a line are filled in most lines."""
    return Counter(len(line.filled) for line in lines).most_common(1)[0][0] if lines else 0
