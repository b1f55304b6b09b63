"""Lists of players as people have them: a CSV file of any program, cells pasted from a spreadsheet, one name a line.

What cannot be told for certain is guessed, and said: the characters' encoding, what stands between cells, whether the
first line names the columns, and which column is what. Each can be given instead.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import zip_longest
from pathlib import Path

from ..errors import BadPlayers, BadSetting
from ..system.disk import read_whole
from ..words import Words, plural, words
from .players import MOST, NAME_LIMIT, SEATS, Player, Roster

NAME, GIVEN, CLUB, ID, APART, PRIVATE = "name", "given", "club", "id", "apart", "private"
ROLES = (NAME, GIVEN, CLUB, ID, APART, PRIVATE)
"""What a column may be: the name or the family name, the given name, the club, the id by which a season knows them,
whom to be kept apart from, whether the name is withheld from what leaves the hall."""
UNUSED = "-"
"""What a column is that is passed over."""
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
ENCODINGS = {
    "utf-8": ("UTF-8", "utf-8-sig"),
    "utf-16": ("UTF-16", "utf-16"),
    "gb18030": ("GB18030", "gb18030"),
    "big5": ("Big5", "big5"),
    "windows-1252": ("Windows-1252", "cp1252"),
}
"""By name: what people call an encoding, and what Python does."""

LONGEST = 4 << 20
"""Bytes of a list at the most: hundreds for each of as many players as an event takes."""
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_SURE = 0.8
"""An encoding is taken when this share of the characters beyond ASCII is common in its language."""
_HEADERS = {
    NAME: "name names player players playername fullname familyname lastname surname 姓名 名字 名称 选手 选手姓名 "
    "选手名 選手 參賽者 参赛者 参赛选手 参赛人 球员 队员 牌手 玩家 姓 氏名",
    GIVEN: "givenname firstname forename 名",
    CLUB: "club clubs team association federation country 俱乐部 俱樂部 社团 社 队伍 战队 团队 队名 队 代表队 单位 "
    "协会 團體 团体 所属 所属俱乐部 国家 地区",
    ID: "id playerid federationid license licence 会员号 會員號 注册号 证号",
    APART: "apart keepapart 回避 避开 应回避 须回避 回避选手",
    PRIVATE: "private privatename 保密 不公开 姓名保密",
}
_YES_NO = {word: answer for answer, text in ((True, "yes y 1 true x 是"), (False, "no n 0 false 否")) for word in
           text.split()} | {"": False}  # fmt: skip
_ROLE_OF = {word: role for role, text in _HEADERS.items() for word in text.split()}
_SEPARATOR = re.compile("sep=(.)", re.IGNORECASE)
_SHOWN_ROWS = 5
_ONE_CELL = 0.4
"""One cell a line fits everything, so it counts for less than several that fit many lines."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a list is to be read; what is empty or None is found out. `columns` has a role, or UNUSED, for each column.

    `encoding` is a name of ENCODINGS, `delimiter` one of DELIMITERS; `header` is whether the first line names columns.
    """

    encoding: str = ""
    delimiter: str = ""
    header: bool | None = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """A column as it was understood: what its first line calls it, its role or UNUSED, and its first cells."""

    label: str
    role: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerList:
    """A list as it was understood. `roster` is what it says without the lines that have `problems`.

    `encoding` is what people call it, empty for a text that came as one; `delimiter` is a name of DELIMITERS.
    """

    encoding: str
    delimiter: str
    has_header: bool
    columns: tuple[Column, ...]
    roster: Roster
    problems: tuple[Words, ...]

    def checked(self, source: str) -> Roster:
        """Return its players. BadPlayers has everything that is wrong with the list from `source`, with its lines."""
        if self.problems:
            raise BadPlayers(source, self.problems)
        return self.roster


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that has something in it: its number in the text from 1, and its cells without blanks around them."""

    number: int
    cells: tuple[str, ...]


def load_players(path: Path, reading: Reading = Reading()) -> PlayerList:
    """Read a file. BadPlayers when it cannot be read at all."""
    try:
        data = read_whole(path, LONGEST)
    except OSError as error:
        problem = words("it cannot be read ({why}); check the path", why=str(error.strerror))
        raise BadPlayers(str(path), (problem,)) from error
    return read_players(data, str(path), reading)


def read_players(data: bytes | str, source: str, reading: Reading = Reading()) -> PlayerList:
    """Read a list of players, as a file's bytes or as text. BadPlayers when it cannot be read at all."""
    text, encoding = (data, "") if isinstance(data, str) else _decode(data, source, reading.encoding)
    # A spreadsheet begins its text with a mark that is no part of it.
    text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    delimiter, lines = _lines(text, source, reading)
    has_header = reading.header
    if has_header is None:
        has_header = bool(lines) and any(_role(cell) for cell in lines[0].cells)
    header, rows = (lines[0].cells, lines[1:]) if has_header and lines else ((), lines)
    roles = _roles(header, rows, reading)
    problems, roster = _roster(rows, roles)
    columns = tuple(
        Column(label, role, tuple(row.cells[at] if at < len(row.cells) else "" for row in rows[:_SHOWN_ROWS]))
        for at, (label, role) in enumerate(zip_longest(header[: len(roles)], roles, fillvalue=""))
    )
    return PlayerList(encoding, delimiter, has_header, columns, roster, tuple(problems))


def check_columns(text: str) -> tuple[str, ...]:
    """Return the roles of columns, as "name,-,club" says them. BadSetting names what is none."""
    columns = tuple(part.strip() or UNUSED for part in text.split(",")) if text.strip() else ()
    for one in columns:
        if one not in (*ROLES, UNUSED):
            roles = ", ".join(ROLES)
            raise BadSetting(f"{one!r} is no column; there are {roles}, and {UNUSED} for one that is passed over")
    return columns


def check_choice(what: str, name: str) -> str:
    """Return the name of an "encoding" or a "delimiter". BadSetting names what there is."""
    there = ENCODINGS if what == "encoding" else DELIMITERS
    if name and name not in there:
        raise BadSetting(f"{name!r} is no {what}; there are {', '.join(there)}")
    return name


def _decode(data: bytes, source: str, wanted: str) -> tuple[str, str]:
    """The text, and what people call its encoding."""
    if data.startswith(_WORKBOOKS):
        problem = words("it is a workbook of a spreadsheet; save the sheet as CSV, or copy its cells and paste them")
        raise BadPlayers(source, (problem,))
    label, codec = ENCODINGS[wanted or _guess_encoding(data, source)]
    try:
        return data.decode(codec), label
    except UnicodeDecodeError as error:
        problem = words("it is not {encoding} (byte {byte}); say another encoding", encoding=label, byte=error.start)
        raise BadPlayers(source, (problem,)) from error


def _guess_encoding(data: bytes, source: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if b"\0" not in data:
        if _is(data, "utf-8"):
            return "utf-8"
        # Nearly all bytes are something in each of these, so what they come to has to be common.
        if _common(data, "gb18030", ((0xA1, 0xA1), (0xA3, 0xA3), (0xB0, 0xF7))) >= _SURE:
            return "gb18030"
        if _common(data, "big5", ((0xA1, 0xC6),)) >= _SURE:
            return "big5"
        if _is(data, "windows-1252") and all(one.isalpha() for one in data.decode("cp1252") if one > "\x7f"):
            return "windows-1252"
    problem = words("its characters are not known; save it as CSV in UTF-8, or say its encoding")
    raise BadPlayers(source, (problem,))


def _is(data: bytes, encoding: str) -> bool:
    try:
        data.decode(ENCODINGS[encoding][1])
    except UnicodeDecodeError:
        return False
    return True


def _common(data: bytes, encoding: str, leads: Sequence[tuple[int, int]]) -> float:
    """Which part of the characters beyond ASCII have two bytes, of which the first is in one of `leads`.

    The second is from 0xA1 on in GB 2312, which holds the common characters of GB 18030.
    """
    if not _is(data, encoding):
        return 0.0
    far = [one.encode(ENCODINGS[encoding][1]) for one in data.decode(ENCODINGS[encoding][1]) if one > "\x7f"]
    least = 0xA1 if encoding == "gb18030" else 0x40
    good = [one for one in far if len(one) == 2 and one[1] >= least and any(a <= one[0] <= b for a, b in leads)]
    return len(good) / len(far)


def _lines(text: str, source: str, reading: Reading) -> tuple[str, list[_Line]]:
    """The name of what stands between cells, and the lines."""
    first, end, rest = text.partition("\n")
    named = _SEPARATOR.fullmatch(first.strip())
    chosen = reading.delimiter
    if named is not None:
        # A line that spreadsheets read and write; it stays a line in the numbers.
        text = end + rest
        chosen = chosen or next((name for name, sign in DELIMITERS.items() if sign == named[1]), "")
    if chosen:
        return chosen, _split(text, source, DELIMITERS[chosen])
    found = {name: _split(text, source, sign) for name, sign in DELIMITERS.items()}
    best = max(found, key=lambda name: _fitness(found[name]))
    return best, found[best]


def _split(text: str, source: str, delimiter: str) -> list[_Line]:
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    lines, number = [], 1
    try:
        for cells in reader:
            trimmed = tuple(cell.strip() for cell in cells)
            if any(trimmed):
                lines.append(_Line(number, trimmed))
            number = reader.line_num + 1
    except csv.Error as error:
        raise BadPlayers(source, (words("line {line}: {why}", line=reader.line_num, why=str(error)),)) from error
    return lines


def _fitness(lines: Sequence[_Line]) -> tuple[int, float]:
    """How well cells come out: columns that are known by name, then how many lines have as many cells as most."""
    if not lines:
        return 0, 0.0
    known = len({_role(cell) for cell in lines[0].cells} - {""})
    widths = Counter(len(line.cells) for line in lines)
    width = len(lines[0].cells) if known else widths.most_common(1)[0][0]
    return known, widths[width] / len(lines) if width > 1 else _ONE_CELL


def _role(label: str) -> str:
    return _ROLE_OF.get(re.sub(r"[\s_*:.()\N{FULLWIDTH COLON}\N{FULLWIDTH LEFT PARENTHESIS}"
                               r"\N{FULLWIDTH RIGHT PARENTHESIS}-]+", "", label.casefold()), "")  # fmt: skip


def _roles(header: Sequence[str], rows: Sequence[_Line], reading: Reading) -> tuple[str, ...]:
    """A role, or UNUSED, for every column that there is."""
    count = len(header) or Counter(len(row.cells) for row in rows).most_common(1)[0][0] if rows or header else 0
    if reading.columns:
        return (*reading.columns, *(UNUSED for _ in range(count - len(reading.columns))))
    roles: list[str] = []
    for label in header:
        role = _role(label)
        roles.append(role if role and role not in roles else UNUSED)
    if not header and count:
        # Lists often begin with a number.
        is_text = [_is_text([row.cells[at] for row in rows if at < len(row.cells)]) for at in range(count)]
        at = is_text.index(True) if True in is_text else 0
        roles = [NAME if one == at else UNUSED for one in range(count)]
    return tuple(roles)


def _is_text(cells: Sequence[str]) -> bool:
    return sum(any(one.isalpha() for one in cell) for cell in cells) * 2 > len(cells)


def _roster(rows: Sequence[_Line], roles: Sequence[str]) -> tuple[list[Words], Roster]:
    """All that is wrong with a list, and the players of the lines with which nothing is."""
    if rows and NAME not in roles:
        return [words("no column has the names; say which one does")], Roster(())
    read = [(row.number, _cells(row, roles), row.cells[len(roles) :]) for row in rows]
    problems: list[Words] = []
    seen: dict[str, tuple[int, int]] = {}
    ids: dict[str, int] = {}
    players: list[Player] = []
    apart: list[tuple[int, str, str]] = []
    for line, cells, more in read:
        name, club, id_ = _full_name(cells[NAME], cells[GIVEN]), cells[CLUB], cells[ID]
        if any(more):
            extra = " ".join(cell for cell in more if cell)
            problems.append(words("line {line} has more cells than others: {cells}", line=line, cells=repr(extra)))
        if not name:
            problems.append(words("line {line} lacks a name", line=line))
        elif max(len(name), len(club), len(id_)) > NAME_LIMIT or not (name + club + id_).isprintable():
            text = "line {line}: names, clubs and ids are printable, up to {limit} characters"
            problems.append(words(text, line=line, limit=NAME_LIMIT))
        elif name.isdecimal():
            problems.append(words("line {line}: {name} is a number, no name", line=line, name=name))
        elif name.casefold() in seen:
            text = "line {line} has the name of line {other}, {name}; tell them apart"
            problems.append(words(text, line=line, other=seen[name.casefold()][0], name=name))
        elif cells[PRIVATE].casefold() not in _YES_NO:
            text = "line {line}: whether the name is private is said by yes or no, not by {text}"
            problems.append(words(text, line=line, text=repr(cells[PRIVATE])))
        elif id_ and id_ in ids:
            text = "line {line} has the id of line {other}, {id}; an id is one player's"
            problems.append(words(text, line=line, other=ids[id_], id=id_))
        else:
            seen[name.casefold()] = line, len(players) + 1
            ids[id_] = line
            is_private = _YES_NO[cells[PRIVATE].casefold()]
            players.append(Player(len(players) + 1, name, club, id=id_, private=is_private))
        apart += [(line, name, other) for other in _names(cells[APART])]
    pairs = set()
    for line, name, other in apart:
        if other.casefold() == name.casefold():
            problems.append(words("line {line} keeps {name} apart from themselves", line=line, name=name))
        elif other.casefold() not in seen:
            text = "line {line} keeps apart from {name}, who is not in the list"
            problems.append(words(text, line=line, name=repr(other)))
        elif name.casefold() in seen:
            a, b = sorted((seen[name.casefold()][1], seen[other.casefold()][1]))
            pairs.add((a, b))
    if len(rows) < SEATS:
        problems.append(
            words(
                plural(
                    "there is {count} player; an event needs {least}",
                    "there are {count} players; an event needs {least}",
                ),
                count=len(rows),
                least=SEATS,
            )
        )
    if len(rows) > MOST:
        problems.append(
            words(
                plural(
                    "there is {count} player; an event takes {most}", "there are {count} players; an event takes {most}"
                ),
                count=len(rows),
                most=MOST,
            )
        )
    return problems, Roster(tuple(players), tuple(sorted(pairs)))


def _cells(row: _Line, roles: Sequence[str]) -> dict[str, str]:
    found = dict.fromkeys(ROLES, "")
    for role, cell in zip(roles, row.cells, strict=False):
        if role != UNUSED and not found[role]:
            found[role] = cell
    return found


def _full_name(name: str, given: str) -> str:
    """Family and given name as they are said: Chinese ones without a blank, the family's first."""
    if not name or not given:
        return name or given
    return name + given if "\u4e00" <= name[-1] <= "\u9fff" else f"{given} {name}"


def _names(cell: str) -> Iterable[str]:
    for sign in "\N{FULLWIDTH SEMICOLON}\N{IDEOGRAPHIC COMMA}":
        cell = cell.replace(sign, ";")
    return (name.strip() for name in cell.split(";") if name.strip())
