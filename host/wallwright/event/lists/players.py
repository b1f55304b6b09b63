"""The lines of a list as players: names as they are said, ids as texts, and all that is wrong, with its line."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...person_text import looks_like, refusal, same_key
from ...words import Words, plural, words
from ..players import MOST, NAME_LIMIT, SEATS, Player, Roster
from . import kinds
from .cells import Line
from .columns import APART, CLUB, GIVEN, ID, NAME, PRIVATE, ROLES, UNUSED
from .labels import label_of

_YES_NO = {same_key(word): answer for answer, text in (
    (True, "yes y 1 true x ja oui si sì sí tak да 是 はい 예"),
    (False, "no n 0 false nein non nee nie нет 否 いいえ 아니요"),
) for word in text.split()} | {"": False}  # fmt: skip
_TURNED = re.compile(r"([^,，]+)[,，]\s*([^,，]+)")
_NOTHING = (
    "none n/a unknown kein keine keiner aucun aucune nessuno nessuna ninguno ninguna geen brak нет 无 無 没有 なし "
    "ない 없음"
)
"""What people write who have no club or no id."""
_WHOLE_ID = re.compile(r"\d+\.0+")


@dataclass(frozen=True, slots=True)
class Taken:
    """The players of a list without the lines that have `problems`; `notes` tell how names were understood."""

    roster: Roster
    problems: tuple[Words, ...]
    notes: tuple[Words, ...] = ()


def players_of(rows: Sequence[Line], roles: Sequence[str], *, is_family_first: bool = False) -> Taken:
    """Return who plays. `is_family_first` says that the language puts the family name before the given name."""
    if rows and NAME not in roles:
        return Taken(Roster(()), (words("no column has the names; say which one does"),))
    rows, notes = _with_names(rows, roles)
    told = [_cells(row, roles) for row in rows]
    turned = [_TURNED.fullmatch(cells[NAME]) for cells in told]
    if told and GIVEN not in roles and all(turned):
        for cells, match in zip(told, turned, strict=True):
            if match is not None:
                cells[NAME], cells[GIVEN] = match[1].strip(), match[2].strip()
        first = _full_name(told[0], is_family_first=is_family_first)
        notes.append(words("the family name stands before a comma; the first is read as {name}", name=first))
    read = _Reading()
    for row, cells in zip(rows, told, strict=True):
        read.add(row, cells, _full_name(cells, is_family_first=is_family_first), row.cells[len(roles) :])
    return Taken(read.roster(), (*read.problems, *read.clash_problems, *_count_problems(len(rows))), tuple(notes))


def _with_names(rows: Sequence[Line], roles: Sequence[str]) -> tuple[Sequence[Line], list[Words]]:
    """The lines without places that nobody has taken, and what tells of these: a number and no name."""
    free = [
        row for row in rows
        if not any(cell for role, cell in zip(roles, row.cells, strict=False) if role != UNUSED)
        and all(kinds.kind_of(cell) == kinds.NUMBER for cell in row.filled)
    ]  # fmt: skip
    if not free or len(row_numbers := {row.number for row in free}) == len(rows):
        return rows, []
    text = "line {line} is passed over, for it has a number and no name: {text}"
    notes = [words(text, line=row.number, text=", ".join(row.filled)) for row in free]
    return [row for row in rows if row.number not in row_numbers], notes


class _Reading:
    """Players so far, with what was wrong."""

    def __init__(self) -> None:
        self.problems: list[Words] = []
        self.clash_problems: list[Words] = []
        self._players: list[Player] = []
        self._lines: dict[str, tuple[int, int]] = {}
        self._looks: dict[str, tuple[int, str]] = {}
        self._ids: dict[str, int] = {}
        self._apart: list[tuple[int, str, str]] = []

    def add(self, row: Line, cells: dict[str, str], name: str, more: Sequence[str]) -> None:
        """Take a line as a player, or tell what is wrong with it."""
        line = row.number
        if any(more):
            extra = " ".join(cell for cell in more if cell)
            self.problems.append(words("line {line} has more cells than others: {cells}", line=line, cells=repr(extra)))
        problem = self._problem(row, cells, name)
        if problem is None:
            number = len(self._players) + 1
            key, id_ = same_key(name), cells[ID]
            self._lines[key] = line, number
            self._looks.setdefault(looks_like(name), (line, name))
            if id_:
                self._ids[same_key(id_)] = line
            is_private = _YES_NO[same_key(cells[PRIVATE])]
            self._players.append(Player(number, name, cells[CLUB], id=id_, private=is_private))
        else:
            self.problems.append(problem)
        self._apart += [(line, name, other) for other in _names(cells[APART])]

    def _problem(self, row: Line, cells: dict[str, str], name: str) -> Words | None:
        line, key = row.number, same_key(name)
        if not name:
            return words("line {line} lacks a name", line=line)
        if any("\n" in cell and all(" " in part for part in cell.split("\n")) for cell in row.cells
               if " ".join(cell.split("\n")) == name):  # fmt: skip
            return words("line {line} has several names in one cell: {name}", line=line, name=name)
        for text in (name, cells[CLUB], cells[ID]):
            why = refusal(text)
            if why is not None:
                return words("line {line}: {why}", line=line, why=why)
            if len(text) > NAME_LIMIT:
                text = "line {line}: names, clubs and ids have up to {limit} characters"
                return words(text, line=line, limit=NAME_LIMIT)
        if name.isdecimal():
            return words("line {line}: {name} is a number, no name", line=line, name=name)
        is_told = ":" in name and label_of(name.partition(":")[0]).is_whole
        if is_told or kinds.kind_of(name) in (kinds.MAIL, kinds.LINK, kinds.DATE, kinds.TIME):
            return words("line {line}: {name} is no name", line=line, name=name)
        if key in self._lines:
            text = "line {line} has the name of line {other}, {name}; tell them apart"
            return words(text, line=line, other=self._lines[key][0], name=name)
        looks = self._looks.get(looks_like(name))
        if looks is not None and key not in self._lines:
            text = "line {line}: {name} looks like {other_name} of line {other}; tell them apart"
            return words(text, line=line, name=name, other_name=looks[1], other=looks[0])
        if same_key(cells[PRIVATE]) not in _YES_NO:
            text = "line {line}: whether the name is private is said by yes or no, not by {text}"
            return words(text, line=line, text=repr(cells[PRIVATE]))
        if cells[ID] and same_key(cells[ID]) in self._ids:
            text = "line {line} has the id of line {other}, {id}; an id is one player's"
            return words(text, line=line, other=self._ids[same_key(cells[ID])], id=cells[ID])
        return None

    def roster(self) -> Roster:
        """Return the players, and the pairs that are kept apart by name."""
        pairs = set()
        for line, name, other in self._apart:
            if same_key(other) == same_key(name):
                text = "line {line} keeps {name} apart from themselves"
                self.clash_problems.append(words(text, line=line, name=name))
            elif same_key(other) not in self._lines:
                text = "line {line} keeps apart from {name}, who is not in the list"
                self.clash_problems.append(words(text, line=line, name=repr(other)))
            elif same_key(name) in self._lines:
                a, b = sorted((self._lines[same_key(name)][1], self._lines[same_key(other)][1]))
                pairs.add((a, b))
        return Roster(tuple(self._players), tuple(sorted(pairs)))


def _count_problems(count: int) -> tuple[Words, ...]:
    if count < SEATS:
        few = plural(
            "there is {count} player; an event needs {least}", "there are {count} players; an event needs {least}"
        )
        return (words(few, count=count, least=SEATS),)
    if count > MOST:
        many = plural(
            "there is {count} player; an event takes {most}", "there are {count} players; an event takes {most}"
        )
        return (words(many, count=count, most=MOST),)
    return ()


def _cells(row: Line, roles: Sequence[str]) -> dict[str, str]:
    """What a line has for each role; names may stand in several columns."""
    found = dict.fromkeys(ROLES, "")
    for role, cell in zip(roles, row.cells, strict=False):
        if role == UNUSED:
            continue
        told = " ".join(cell.split("\n"))
        if role in (NAME, GIVEN):
            found[role] = f"{found[role]} {told}".strip()
        else:
            found[role] = found[role] or told
    for role in (CLUB, ID):
        is_answer = role == ID and kinds.kind_of(found[role]) == kinds.YES_NO
        if is_answer or same_key(found[role]) in _NOTHING.split() or not any(one.isalnum() for one in found[role]):
            found[role] = ""
    if _WHOLE_ID.fullmatch(found[ID]):
        # Some spreadsheets write the number 7 so.
        found[ID] = found[ID].partition(".")[0]
    return found


def _full_name(cells: dict[str, str], *, is_family_first: bool) -> str:
    """Family and given name as they are said: East Asian ones without a blank, the family's first."""
    family, given = cells[NAME], cells[GIVEN]
    if not family or not given:
        return family or given
    if kinds.is_east_asian(family):
        return family + given if kinds.is_east_asian(given) else f"{family} {given}"
    return f"{family} {given}" if is_family_first else f"{given} {family}"


def _names(cell: str) -> Iterable[str]:
    for sign in "\N{FULLWIDTH SEMICOLON}\N{IDEOGRAPHIC COMMA}":
        cell = cell.replace(sign, ";")
    return (name.strip() for name in cell.split(";") if name.strip())
