"""The dictionary of a board: the rows of its message table and its lists, as text by which a host binds names.

SPEC.md, section 9, has the text. A board has it packed, in a module that is made with its image, and not this file.
"""

import binascii
import re
import zlib
from collections.abc import Iterable, Iterator

from .lists import LISTS
from .messages import DIRECTIONS, MESSAGES, catalog_lines

Row = tuple[int, str, str, str, tuple[str, ...]]
"""id, name, direction, format, fields, as in messages.MESSAGES."""
List = tuple[str, int, tuple[str, ...]]
"""Heading, number of the first name, names."""

DICTIONARY_FILE = "wallwright_dictionary.py"
"""The module of a board's image that has the dictionary."""
MOST_BYTES = 1 << 16
"""Of the text; a board's first one has some 11,000."""
_MOST_PACKED = 0xFFFF
_NAME = r"[a-z][a-z0-9_]{0,31}"
_ROW = re.compile(r"(\d{1,3}) (%s) (%s) ((?:\d{0,3}[BHIs])*) (.*)" % (_NAME, "|".join(DIRECTIONS)))
_FIELD = re.compile(r"(%s)(?:\[([1-9]\d{0,2})\])?" % _NAME)
_NUMBER = re.compile(r"([a-z][a-z ]{0,31}) (\d{1,3}) (%s)" % _NAME)


class BadDictionary(ValueError):
    """The bytes are no dictionary, or not the one that was asked for; the text says why."""


class Dictionary:
    """The numbers of one release of the firmware. `catalog` is their hash, `rows` and `lists` what they are."""

    def __init__(self, rows: Iterable[Row], lists: Iterable[tuple[str, int, Iterable[str]]]) -> None:
        self.rows = tuple(rows)
        self.lists: tuple[List, ...] = tuple([(heading, first, tuple(names)) for heading, first, names in lists])
        self.text = "\n".join(catalog_lines(self.rows, self.lists)).encode()
        self.catalog = binascii.crc32(self.text) & 0xFFFFFFFF

    def packed(self) -> bytes:
        """Return the bytes that a board hands out: the text as a zlib stream (RFC 1950)."""
        return zlib.compress(self.text, 9)

    def row(self, name: str, direction: str) -> Row | None:
        """Return the row of that name and direction, or None."""
        return next((row for row in self.rows if row[1:3] == (name, direction)), None)


def own() -> Dictionary:
    """Return the dictionary of this release."""
    return Dictionary(MESSAGES, LISTS)


def module_of(dictionary: Dictionary) -> str:
    """Return the source of the module that an image has."""
    return '"""The dictionary of this image, packed."""\n\nPACKED = %r\n' % dictionary.packed()


def read_dictionary(packed: bytes, catalog: int) -> Dictionary:
    """Return the dictionary in what a board has handed out. Raises BadDictionary unless it has the hash `catalog`."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(packed[:_MOST_PACKED], MOST_BYTES)
    except zlib.error as error:
        raise BadDictionary("it cannot be unpacked (%s)" % error) from None
    if not unpacking.eof:
        raise BadDictionary("it has no end")
    found = binascii.crc32(text) & 0xFFFFFFFF
    if found != catalog:
        raise BadDictionary("its hash is %08x, not %08x" % (found, catalog))
    return read_text(text)


def read_text(text: bytes) -> Dictionary:
    """Return the dictionary that a text is. Raises BadDictionary, with the line at fault."""
    rows: list[Row] = []
    lists: list[tuple[str, int, list[str]]] = []
    for line in text.decode("latin-1").split("\n"):
        if row := _ROW.fullmatch(line):
            rows.append(_read_row(row, line))
        elif number := _NUMBER.fullmatch(line):
            heading, at, name = number[1], int(number[2]), number[3]
            if not lists or (lists[-1][0], lists[-1][1] + len(lists[-1][2])) != (heading, at):
                lists.append((heading, at, []))
            lists[-1][2].append(name)
        else:
            raise BadDictionary("%r is neither a message nor a number" % line[:80])
    if len({(row[0], row[2]) for row in rows}) < len(rows) or len({row[1:3] for row in rows}) < len(rows):
        raise BadDictionary("a message stands in it twice")
    return Dictionary(rows, lists)


def _read_row(found: re.Match[str], line: str) -> "Row":
    fields = tuple(found[5].split(",")) if found[5] else ()
    items = list(_items(found[4]))
    counts = [_FIELD.fullmatch(field) for field in fields]
    if int(found[1]) > 0xFF or None in counts or sum(int(one[2] or 1) for one in counts if one) != len(items):
        raise BadDictionary("%r has other fields than its format" % line[:80])
    return int(found[1]), found[2], found[3], "<" + found[4] if found[4] else "", fields


def _items(layout: str) -> Iterator[str]:
    """Yield what each value of a format is: `B`, or `16s`."""
    for count, letter in re.findall(r"(\d*)([BHIs])", layout):
        if letter == "s":
            yield count + letter
        else:
            yield from [letter] * int(count or 1)
