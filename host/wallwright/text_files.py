"""Text files that people bring: what their bytes are as text, what TOML says in them, and what is wrong with them.

    text_of(data)          UTF-8 with a byte order mark or without, or UTF-16; all lines end with "\\n"
    lines_of(stream)       the lines of a stream, as they come in
    lines_in(text)         the lines of a text that is here
    toml_table(data)       the table of a TOML file

All but `lines_in` raise BadText, whose message is the end of a sentence that begins with the file: a place, what is
wrong there, and what to write. The words of a library never pass through. Nothing here opens a file; `system.disk` and
callers do.
"""

import codecs
import re
import tomllib
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from .budgets import TOML_SIZE, toml_over
from .words import Words, words

QUOTES: Final = "“”„‟‘’‚‛«»‹›＂＇"
"""Marks that word processors and phones put in the place of " and '."""
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins with the mark of UTF-16
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_KINDS: Final = (
    (b"PK\3\4", words("it is a workbook, or another packed file, and no text")),
    (b"\xd0\xcf\x11\xe0", words("it is a document of an office program, and no text")),
    (b"SQLite format 3\0", words("it is a journal, or another database, and no text")),
    (b"%PDF", words("it is a PDF, and no text")),
    (b"\x1f\x8b", words("it is a packed file, and no text")),
    (b"\x89PNG", words("it is a picture, and no text")),
    (b"\xff\xd8\xff", words("it is a picture, and no text")),
    (b"{\\rtf", words("it is a document of a word processor; save it as plain text")),
)
"""How files begin that are mistaken for texts."""
_HEAD: Final = 400
"""Bytes by which UTF-16 is known that does not say so: each second one is a zero."""
_SHOWN: Final = 60
"""Characters of a line that are shown."""
_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_LINE_END: Final = re.compile("\r\n|\r|\n")
_QUOTED: Final = re.compile(r"key '(.+)'")
_PATH: Final = re.compile(r'"([^"\']*\\[^"\']*)"')
_TWICE: Final = words("{name} is given twice; leave one of them out")
BACKSLASH: Final = words(
    "in double quotes a backslash begins an escape; write a path in single quotes, such as 'C:\\Users', or with /"
)
_TOML: Final = (
    ("Invalid statement", words("a line is NAME = VALUE, [TABLE] or a comment behind #")),
    ("Invalid initial character", words("a name has letters, digits, - and _, or stands in double quotes")),
    ("Expected '='", words("= and a value are missing behind the name")),
    ("Expected ']", words("the bracket that ends the name of a table is missing")),
    ("Invalid value", words("this is no value: it is a text in double quotes, a number, true, false or a [list]")),
    ("Invalid date", words("there is no such date or time")),
    ("Unescaped", BACKSLASH),
    ("Invalid hex", BACKSLASH),
    ("Escaped character", BACKSLASH),
    ("Unterminated string", words("quotes that begin here, or above, are not closed")),
    ("Illegal character '\\n'", words("the quotes are not closed in this line")),
    ("Illegal character", words("a control character stands here; take it out")),
    ("Found invalid character", words("a control character stands here; take it out")),
    ("Expected newline", words("the value ends before this; one line has one value")),
    ("Cannot", _TWICE),
    ("Duplicate", _TWICE),
    ("Unclosed array", words("a [ is not closed")),
    ("Unclosed inline", words("a brace is not closed in its line")),
)  # fmt: skip
"""What Python's reader says at the beginning of its message, and what that means for who has written the file."""


class BadText(ValueError):
    """A file cannot be read as a text, or as what it should be; the message is the end of a sentence about it."""


def text_of(data: bytes) -> str:
    """Return the text in the bytes of a file. BadText for other encodings, and for what is no text."""
    for begin, kind in _KINDS:
        if data.startswith(begin):
            raise BadText(kind)
    encoding = encoding_of(data)
    if encoding == "utf-16" and len(data) <= len(codecs.BOM_UTF16):
        raise BadText(words("it is empty"))
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding not in ("utf-8", "utf-8-sig"):
            raise BadText(words("it is damaged: it begins as UTF-16 and does not go on so")) from error
        problem = "line {line} is no UTF-8 (byte {number}); save the file as UTF-8"
        line = data.count(b"\n", 0, error.start) + 1
        raise BadText(words(problem, line=line, number=error.start + 1)) from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise BadText(words("line {line} has a zero byte in it; the file is damaged, or no text", line=line))
    return text


def encoding_of(data: bytes) -> str:
    """Return the encoding that the bytes of a text begin in, as Python calls it; UTF-8 where nothing says another."""
    marked = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)
    if marked is not None:
        return marked
    first, second = data[:_HEAD:2].count(0), data[1:_HEAD:2].count(0)
    if max(first, second) * 3 >= min(len(data), _HEAD) > 1 and not (first and second):
        return "utf-16-le" if second else "utf-16-be"
    return "utf-8"


def lines_of(stream: BinaryIO, longest: int) -> Iterator[str | BadText]:
    """Go through the lines of a stream as they come in, without their ends; a BadText stands for one that is no text.

    Raises BadText for a line of more than `longest` bytes, and for UTF-16 that is damaged.
    """
    first = stream.readline(longest)
    if encoding_of(first) not in ("utf-8", "utf-8-sig") and b"\0" in first:
        first += stream.read(longest)
        if len(first) >= longest:
            raise BadText(words("in UTF-16 it may have {most} bytes; save it as UTF-8", most=f"{longest:,}"))
        yield from text_of(first).removesuffix("\n").split("\n")
        return
    while first:
        if len(first) >= longest:
            raise BadText(words("a line is longer than {most} bytes", most=f"{longest:,}"))
        try:
            yield from text_of(first).removesuffix("\n").split("\n")
        except BadText as error:
            yield error
        first = stream.readline(longest)


def lines_in(text: str) -> list[str]:
    """Return the lines of a text, each of which "\\n", "\\r\\n" or "\\r" ends, without their ends.

    `str.splitlines` also takes "\\v", "\\f", U+001C to U+001E, U+0085, U+2028 and U+2029 for ends: then a program sees
    lines where an editor, and whoever has signed the text, sees one.
    """
    *lines, last = _LINE_END.split(text)
    return [*lines, last] if last else lines


def toml_table(data: str | bytes) -> dict[str, Any]:
    """Return what a TOML text has. BadText says in which line it is no TOML, and why."""
    if len(data) > TOML_SIZE:
        raise BadText(words("it is longer than {most} bytes", most=f"{TOML_SIZE:,}"))
    text = data if isinstance(data, str) else text_of(data)
    if over := toml_over(text):
        raise BadText(over)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        message = str(error)
        place = _PLACE.search(message)
        if place is None:
            raise BadText(words("it has a number that is too long")) from error
        lines = text.split("\n")
        at_end = place[1] is None
        line = max(1, len(text.rstrip("\n").split("\n"))) if at_end else int(place[1])
        column = len(lines[line - 1]) + 1 if at_end else int(place[2])
        why = _why_no_toml(message, lines[line - 1], column)
        problem = "line {line}, character {column}: {why} ({shown})"
        raise BadText(
            words(problem, line=line, column=column, why=why, shown=shown_line(lines[line - 1], column))
        ) from error


def shown_value(value: object) -> str:
    """Return a value that somebody has written as it is shown in a message, of a long one the beginning."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def shown_line(line: str, column: int) -> str:
    """Return a line as it is shown in a message, of a long one the part around a column; columns count from 1."""
    begin = max(0, min(column - _SHOWN // 2, len(line) - _SHOWN))
    part = line[begin : begin + _SHOWN].strip()
    part = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in part)
    return f"{'…' if begin else ''}{part}{'…' if begin + _SHOWN < len(line) else ''}"


def bad_quote(text: str) -> Words | None:
    """Return what is wrong where a text begins with a mark that a word processor has put in the place of quotes."""
    if text[:1] not in QUOTES or not text:
        return None
    return words('{mark} is a quotation mark of word processors; write " in its place', mark=text[0])


def _why_no_toml(message: str, line: str, column: int) -> Words:
    found = bad_quote(line[column - 1 :])
    if found is None and message.startswith(("Invalid initial", "Invalid value", "Invalid statement")):
        found = next((bad_quote(one) for one in line if one in QUOTES), None)
    why = found or next((why for begin, why in _TOML if message.startswith(begin)), words("this cannot be read"))
    if why is _TWICE:
        inner = _QUOTED.search(message)
        return words(why.text, name=inner[1] if inner else line.partition("=")[0].strip())
    path = _PATH.search(line)
    if why is BACKSLASH and path is not None:
        problem = "in double quotes a backslash begins an escape; write {path} in single quotes, or with /"
        return words(problem, path=f"'{path[1]}'")
    return why
