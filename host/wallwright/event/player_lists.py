"""Lists of players as people have them: a CSV file or a workbook of any program, pasted cells, one name a line.

What is certain of how a list is read is said; of what is not, each way to read it is given, and somebody chooses:
the characters' encoding, the sheet of a workbook, whether a line names the columns, which column is what. Each of
them can be said instead.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import BadPlayers, BadSetting
from ..person_text import same_key
from ..system.disk import read_whole
from ..words import Listed, Words, words
from .lists.cells import DELIMITERS, Line, lines_of
from .lists.characters import Decoded, check_encoding, label_of_codec, texts_of
from .lists.columns import ROLES, UNUSED, layouts_of
from .lists.frame import Frame, frames_of
from .lists.players import players_of
from .lists.workbook import is_workbook, sheets_of
from .players import MOST, Roster

LONGEST = 4 << 20
"""Bytes of a list at the most: hundreds for each of as many players as an event takes."""
SHEET = "sheet"
"""Stands for the delimiter of a workbook."""
WORKBOOK = "a workbook"
"""Stands for the encoding of one."""
_SHOWN_ROWS = 5
_MOST_READINGS = 4
_MOST_LINES = 4 * MOST
_LONGEST_NUMBER = 8


@dataclass(frozen=True, slots=True)
class Reading:
    """How a list is to be read; what is empty or None is found out. `columns` has a role, or UNUSED, for each column.

    `encoding` is Python's name of it, `delimiter` one of DELIMITERS, `sheet` the name of a workbook's sheet; `header`
    is whether the first line names columns, `skip` has the numbers of all lines that are passed over.
    """

    encoding: str = ""
    delimiter: str = ""
    header: bool | None = None
    columns: tuple[str, ...] = ()
    sheet: str = ""
    skip: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column as it was understood: what its first line calls it, its role or UNUSED, and its first cells."""

    label: str
    role: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerList:
    """A list as it was understood. `roster` is what it says without the lines that have `problems`.

    `encoding` is what people call it, empty for a text that came as one; `delimiter` is a name of DELIMITERS, or SHEET.
    `notes` tell of lines and columns that were passed over. `doubts` are questions, if it is not certain how to read
    it; `others` are the other ways then, and `choice` is what to say to have it read in this way.
    """

    encoding: str
    delimiter: str
    has_header: bool
    columns: tuple[Column, ...]
    roster: Roster
    problems: tuple[Words, ...]
    notes: tuple[Words, ...] = ()
    choice: Reading = Reading()
    doubts: tuple[Words, ...] = ()
    others: tuple["PlayerList", ...] = ()

    def checked(self, source: str, *, is_chosen: bool = False) -> Roster:
        """Return its players. BadPlayers has everything that is wrong with the list from `source`, with its lines.

        A list of which there are doubts is refused unless somebody has chosen this reading of it.
        """
        if self.doubts and not is_chosen:
            text = "how to read it is not certain ({doubts}); look at each way, and choose one"
            raise BadPlayers(source, (words(text, doubts=Listed(self.doubts, " ")),))
        if self.problems:
            raise BadPlayers(source, self.problems)
        return self.roster


@dataclass(frozen=True, slots=True)
class _Table:
    """The lines of a text or a sheet; `choice` says which, where there are several."""

    lines: tuple[Line, ...]
    encoding: str
    delimiter: str
    choice: Reading


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to read a list, and how far its parts are from the most likely ones."""

    found: PlayerList
    distance: int
    doubts: tuple[Words, ...]


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
    tables, doubt = _tables(data, source, reading)
    for table in tables:
        if len(table.lines) > _MOST_LINES:
            text = "it has {count} lines; an event takes {most} players"
            raise BadPlayers(source, (words(text, count=len(table.lines), most=MOST),))
    ways: list[_Way] = []
    for at, table in enumerate(tables):
        found = sorted(_ways(table, reading), key=lambda way: way.distance)
        if doubt is None:
            ways += found
        else:
            # One question at a time: what else is in doubt is asked of the text or the sheet that is chosen.
            ways.append(_Way(replace(found[0].found, choice=table.choice), at, (doubt,)))
    distinct: list[_Way] = []
    for way in ways:
        if all((way.found.roster, way.found.problems) != (one.found.roster, one.found.problems) for one in distinct):
            distinct.append(way)
    if len(distinct) == 1 and not (isinstance(data, bytes) and doubt is not None and len(tables) == 1):
        return distinct[0].found
    first, *others = distinct[:_MOST_READINGS]
    asked = tuple(dict.fromkeys(one for way in distinct for one in way.doubts))
    return replace(first.found, doubts=asked, others=tuple(way.found for way in others))


def check_columns(text: str) -> tuple[str, ...]:
    """Return the roles of columns, as "name,-,club" says them. BadSetting names what is none."""
    columns = tuple(part.strip() or UNUSED for part in text.split(",")) if text.strip() else ()
    for one in columns:
        if one not in (*ROLES, UNUSED):
            roles = ", ".join(ROLES)
            raise BadSetting(f"{one!r} is no column; there are {roles}, and {UNUSED} for one that is passed over")
    return columns


def check_delimiter(name: str) -> str:
    """Return the name of what stands between cells, or "". BadSetting names what there is."""
    if name and name not in DELIMITERS:
        raise BadSetting(f"{name!r} is no delimiter; there are {', '.join(DELIMITERS)}")
    return name


def check_lines(text: str) -> tuple[int, ...] | None:
    """Return the numbers of lines as "1,7" says them, UNUSED for none; None for "". BadSetting for what is none."""
    if not text.strip():
        return None
    parts = [part.strip() for part in text.split(",")] if text.strip() != UNUSED else []
    if not all(part.isascii() and part.isdecimal() and len(part) < _LONGEST_NUMBER for part in parts):
        raise BadSetting(f"{text!r} are no numbers of lines; say them with commas, such as 1,7, or {UNUSED} for none")
    return tuple(int(part) for part in parts)


def _ways(table: _Table, reading: Reading) -> list[_Way]:
    frames = frames_of(table.lines, reading.header, reading.skip)
    ways = []
    for at, frame in enumerate(frames):
        choice, doubts = _choice_of(frame, frames, table.choice)
        layouts = layouts_of(frame, reading.columns)
        for other, layout in enumerate(layouts):
            taken = players_of(frame.rows, layout.roles, is_family_first=layout.is_family_first)
            header = frame.header.cells if frame.header is not None else ()
            columns = tuple(
                Column(
                    _line(header[one] if one < len(header) else ""),
                    role,
                    tuple(_line(row.at(one)) for row in frame.rows[:_SHOWN_ROWS]),
                )
                for one, role in enumerate(layout.roles)
            )
            found = PlayerList(
                table.encoding,
                table.delimiter,
                frame.header is not None,
                columns,
                taken.roster,
                (*frame.problems, *taken.problems),
                (*frame.passed, *layout.notes, *taken.notes),
                choice if len(layouts) == 1 else replace(choice, columns=layout.roles),
            )
            asked = doubts if layout.doubt is None else (*doubts, layout.doubt)
            ways.append(_Way(found, at + other, asked))
    return ways


def _choice_of(frame: Frame, frames: tuple[Frame, ...], choice: Reading) -> tuple[Reading, tuple[Words, ...]]:
    """What to say to have a list framed so, and the question to which it is the answer."""
    if len(frames) == 1:
        return choice, ()
    if len({one.header is None for one in frames}) > 1:
        asked = words("does the first line name the columns, or is it a player?")
        return replace(choice, header=frame.header is not None), (asked,)
    line = next(iter(set(frames[0].skipped) ^ set(frames[1].skipped)))
    return replace(choice, skip=frame.skipped), (words("is line {line} a player?", line=line),)


def _line(cell: str) -> str:
    return " ".join(cell.split("\n"))


def _tables(data: bytes | str, source: str, reading: Reading) -> tuple[list[_Table], Words | None]:
    """The texts or sheets that a list may be, the most likely first, and the question if there is one."""
    if isinstance(data, bytes) and is_workbook(data):
        return _sheets(data, source, reading)
    if isinstance(data, str):
        texts = [Decoded(data, "")]
    elif reading.encoding:
        texts = [_decoded(data, source, check_encoding(reading.encoding))]
    else:
        texts = list(texts_of(data))
        if not texts:
            problem = words("its characters are not known; save it as CSV in UTF-8, or say its encoding")
            raise BadPlayers(source, (problem,))
    doubt = words("what are its characters?") if len(texts) > 1 or texts[0].is_guess else None
    tables = []
    for one in texts:
        delimiter, lines = lines_of(one.text, source, reading.delimiter)
        choice = Reading(encoding=one.codec.replace("_", "-")) if doubt is not None else Reading()
        tables.append(_Table(lines, one.label if one.codec else "", delimiter, choice))
    return tables, doubt


def _decoded(data: bytes, source: str, codec: str) -> Decoded:
    try:
        return Decoded(data.decode(codec), codec)
    except UnicodeDecodeError as error:
        label = label_of_codec(codec)
        problem = words("it is not {encoding} (byte {byte}); say another encoding", encoding=label, byte=error.start)
        raise BadPlayers(source, (problem,)) from error
    except UnicodeError as error:
        problem = words("it is not {encoding}; say another encoding", encoding=label_of_codec(codec))
        raise BadPlayers(source, (problem,)) from error


def _sheets(data: bytes, source: str, reading: Reading) -> tuple[list[_Table], Words | None]:
    """The sheets of a workbook in which there may be players, or the one that is wanted."""
    sheets = sheets_of(data, source)
    if reading.sheet:
        chosen = [one for one in sheets if same_key(one.name) == same_key(reading.sheet)]
        if not chosen:
            names = ", ".join(one.name for one in sheets)
            problem = words("it has no sheet {sheet}; there are {sheets}", sheet=repr(reading.sheet), sheets=names)
            raise BadPlayers(source, (problem,))
        return [_Table(chosen[0].lines, WORKBOOK, SHEET, Reading())], None
    if not sheets:
        raise BadPlayers(source, (words("it is a workbook in which no sheet has anything"),))
    tables = [_Table(one.lines, WORKBOOK, SHEET, Reading(sheet=one.name)) for one in sheets]
    likely = [one for one in tables if any(not way.found.problems for way in _ways(one, reading))] or tables
    return likely, words("which sheet?") if len(likely) > 1 else None
