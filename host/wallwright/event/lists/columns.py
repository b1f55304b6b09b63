"""Roles of the columns of a list: by the name that it has, by what its cells hold, or in more than one way.

Family and given name may stand in columns of their own. Where nobody says which is which, both ways are given.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...words import Words, words
from . import kinds, labels
from .frame import Frame
from .labels import label_of

NAME, GIVEN, CLUB, ID, APART, PRIVATE = "name", "given", "club", "id", "apart", "private"
ROLES = (NAME, GIVEN, CLUB, ID, APART, PRIVATE)
"""What a column may be: the name or the family name, the given name, the club, the id by which a season knows them,
whom to be kept apart from, whether the name is withheld from what leaves the hall."""
UNUSED = "-"
"""What a column is that is passed over."""
_NO_NAMES = (kinds.DATE, kinds.TIME, kinds.MAIL, kinds.PHONE, kinds.LINK, kinds.YES_NO, kinds.MONEY, kinds.YEAR,
             kinds.NUMBER)  # fmt: skip
_NO_CLUBS = (kinds.DATE, kinds.TIME, kinds.MAIL, kinds.PHONE, kinds.LINK, kinds.YES_NO, kinds.MONEY)
_NO_IDS = (kinds.DATE, kinds.TIME, kinds.MAIL, kinds.LINK, kinds.YES_NO, kinds.SENTENCE)

_COULD_BE = {
    NAME: words("column {column} is passed over, though it could have the names: {label}"),
    CLUB: words("column {column} is passed over, though it could have the clubs: {label}"),
    ID: words("column {column} is passed over, though it could have the ids: {label}"),
}
_MAYBE_CLUBS = (labels.BODY, labels.COUNTRY, labels.PLACE, "")
_LONGEST_PART = 3
"""Signs of an East Asian family or given name."""
WHICH_IS_GIVEN = words("which column has the given names?")
WHICH_HAS_NAMES = words("which column has the names?")


@dataclass(frozen=True, slots=True)
class Layout:
    """A role, or UNUSED, for every column; `notes` tell of those that are passed over and could be something.

    `doubt` is the question whose answers are the layouts that come together.
    """

    roles: tuple[str, ...]
    notes: tuple[Words, ...] = ()
    is_family_first: bool = False
    doubt: Words | None = None


@dataclass(frozen=True, slots=True)
class _Column:
    """A column: the kind of its name, what its cells hold, and the cells."""

    at: int
    label: str
    kind: str
    cells: tuple[str, ...]

    @property
    def is_distinct(self) -> bool:
        return kinds.are_distinct(self.cells)


def layouts_of(frame: Frame, wanted: Sequence[str] = ()) -> tuple[Layout, ...]:
    """Return the roles that columns may have, the most likely first; `wanted` are those that somebody has said."""
    columns = _columns(frame)
    is_family_first = frame.header is not None and any(label_of(one).is_family_first for one in frame.header.cells)
    if wanted:
        roles = (*wanted, *(UNUSED for _ in range(len(columns) - len(wanted))))
        return (Layout(roles, (), is_family_first),)
    named, doubt = _by_label(columns)
    if not named:
        named, doubt = _by_content(columns)
    found = []
    for names in named:
        given = dict(names)
        _add_others(given, columns, is_headed=frame.header is not None)
        told = tuple(given.get(one.at, UNUSED) for one in columns)
        found.append(Layout(told, _could_be(told, columns, frame), is_family_first, doubt if len(named) > 1 else None))
    return tuple(found)


def _columns(frame: Frame) -> list[_Column]:
    count = max((len(line.cells) for line in frame.rows), default=0)
    if frame.header is not None:
        # What a line has beyond the header is told as a mistake.
        count = len(frame.header.cells)
    elif frame.rows:
        widths = [len(line.cells) for line in frame.rows]
        count = max(set(widths), key=lambda one: (widths.count(one), one))
    columns = []
    for at in range(count):
        cells = tuple(line.at(at) for line in frame.rows)
        label = label_of(frame.header.at(at)).kind if frame.header is not None else ""
        columns.append(_Column(at, label, kinds.kind_of_column(cells), cells))
    return columns


Names = dict[int, str]
"""Roles of the columns that have names."""


def _by_label(columns: Sequence[_Column]) -> tuple[list[Names], Words | None]:
    """The columns of names by what they are called; more than one way if several are called the same."""
    sound = [one for one in columns if one.kind not in _NO_NAMES]
    held = {kind: [one for one in sound if one.label == kind] for kind in (*labels.NAMES, labels.ALIAS, labels.PREFIX)}
    family, given = held[labels.FAMILY], held[labels.GIVEN]
    any_ = held[labels.ANY_NAME] or held[labels.PLAYER]
    if family and given:
        before = [one for one in held[labels.PREFIX] if one.at < family[0].at]
        return [{one.at: NAME for one in (*before, *family)} | {one.at: GIVEN for one in given}], None
    part = family or given
    if part and any_:
        if _is_within(part[0], any_[0]):
            return [{any_[0].at: NAME}], None
        return [{one.at: NAME if family else GIVEN for one in part} | {any_[0].at: GIVEN if family else NAME}], None
    for kind in (labels.FULL, labels.ANY_NAME, labels.PLAYER, labels.FAMILY, labels.GIVEN, labels.ALIAS):
        found = [one for one in held[kind] if any(one.cells)]
        if found:
            rivals = [one for one in found[1:] if one.kind == kinds.WORDS and one.cells != found[0].cells]
            if kind == labels.FAMILY:
                return [{one.at: NAME for one in found}], None
            return [{one.at: NAME} for one in (found[0], *rivals)], WHICH_HAS_NAMES
    return [], None


def _is_within(part: _Column, whole: _Column) -> bool:
    """Say whether most cells of a column are words of the other one's."""
    pairs = [(a.casefold(), b.casefold()) for a, b in zip(part.cells, whole.cells, strict=True) if a and b]
    return bool(pairs) and sum(a != b and a in b for a, b in pairs) * 2 > len(pairs)


def _by_content(columns: Sequence[_Column]) -> tuple[list[Names], Words | None]:
    """The columns of names by what they hold; more than one way if family and given names may stand apart."""
    free = [one for one in columns if one.label in ("", *labels.NAMES, labels.ALIAS)]
    texts = [one for one in free if one.kind == kinds.WORDS]
    if not texts:
        others = [one for one in free if one.kind not in _NO_NAMES and one.kind != kinds.EMPTY] or free
        return [{others[0].at: NAME} if others else {}], None
    if len(texts) > 1 and texts[1].at == texts[0].at + 1 and texts[1].is_distinct:
        sure, either = _east_asian_parts(texts[0], texts[1])
        if sure or either:
            ways = [{texts[0].at: NAME, texts[1].at: GIVEN}, {texts[0].at: NAME, texts[1].at: CLUB}]
            return ways[:1] if sure else ways, WHICH_IS_GIVEN
    whole = next((one for one in texts if kinds.are_whole_names(one.cells) and one.is_distinct), None)
    if whole is not None:
        return [{whole.at: NAME}], None
    first = texts[0]
    following = next((one for one in texts[1:] if one.at == first.at + 1), None)
    if following is None or not following.is_distinct or kinds.are_whole_names(following.cells):
        return [{first.at: NAME}], None
    ways = [{first.at: NAME, following.at: GIVEN}, {first.at: GIVEN, following.at: NAME}]
    is_club_free = not any(_looks_like_club(one) for one in columns if one.at > following.at)
    return ways + [{first.at: NAME, following.at: CLUB}] * is_club_free, WHICH_IS_GIVEN


def _east_asian_parts(first: _Column, following: _Column) -> tuple[bool, bool]:
    """Say whether two columns of East Asian signs are family and given names for sure, and whether they may be."""
    told = [[cell for cell in one.cells if cell] for one in (first, following)]
    if not all(kinds.is_east_asian(cell) and " " not in cell for cells in told for cell in cells):
        return False, False
    lengths = [[len(cell) for cell in cells] for cells in told]
    return sum(lengths[0]) * 2 <= len(lengths[0]) * 3, max(map(max, lengths)) <= _LONGEST_PART


def _add_others(roles: Names, columns: Sequence[_Column], *, is_headed: bool) -> None:
    """Give the other roles, each to the first column that is called so, or without names of columns looks so."""
    free = [one for one in columns if one.at not in roles]
    for role, kinds_of_label, unlike in (
        (CLUB, (labels.CLUB, labels.BODY, labels.COUNTRY), _NO_CLUBS),
        (ID, (labels.ID, labels.BARE_ID), _NO_IDS),
        (APART, (labels.APART,), ()),
        (PRIVATE, (labels.PRIVATE,), ()),
    ):
        found = [one for kind in kinds_of_label for one in free if one.label == kind and one.kind not in unlike]
        if found:
            roles[found[0].at] = role
    if is_headed:
        return
    last_name = max((at for at, role in roles.items() if role in (NAME, GIVEN)), default=-1)
    behind = [one for one in free if one.at > last_name]
    for one in behind:
        if _looks_like_club(one):
            roles[one.at] = CLUB
            break
    for one in behind:
        if one.at not in roles and _looks_like_id(one):
            roles[one.at] = ID
            break


def _looks_like_club(column: _Column) -> bool:
    return column.kind == kinds.COUNTRY or (column.kind == kinds.WORDS and not column.is_distinct)


def _looks_like_id(column: _Column) -> bool:
    told = [cell for cell in column.cells if cell]
    return column.kind in (kinds.NUMBER, kinds.CODE) and len(set(told)) == len(told) > 1 and any(
        any(one.isdigit() for one in cell) for cell in told)  # fmt: skip


def _could_be(roles: Sequence[str], columns: Sequence[_Column], frame: Frame) -> tuple[Words, ...]:
    """A sentence for each column that is passed over and could be something."""
    told = []
    for one in columns:
        could = ""
        if roles[one.at] != UNUSED or (one.label in labels.NAMES and NAME in roles and GIVEN in roles):
            continue
        has_words = one.kind in (kinds.WORDS, kinds.COUNTRY)
        if one.label in labels.NAMES and one.kind == kinds.WORDS:
            could = NAME
        elif one.label == labels.OTHER and one.kind == kinds.WORDS and one.is_distinct:
            could = NAME if kinds.are_whole_names(one.cells) else ""
        elif one.label in (labels.CLUB, *(() if CLUB in roles else _MAYBE_CLUBS)) and has_words:
            could = CLUB
        elif one.label == labels.ID or (ID not in roles and one.label == "" and _looks_like_id(one)):
            could = ID if frame.header is not None or not _is_counting(one) else ""
        if could:
            label = frame.header.at(one.at) if frame.header is not None else ""
            shown = label or next(cell for cell in one.cells if cell)
            values = (("column", one.at + 1), ("label", " ".join(shown.split("\n"))))
            told.append(Words(_COULD_BE[could].text, values))
    return tuple(told)


def _is_counting(column: _Column) -> bool:
    """Say whether a column counts the lines."""
    told = [cell.rstrip(".)") for cell in column.cells if cell]
    numbers = [int(cell) for cell in told if cell.isdecimal()]
    return len(numbers) == len(told) and all(b - a == 1 for a, b in pairwise(numbers))
