"""Reads JSON that others wrote, and refuses what Python's reader lets through and a journal or a page cannot hold.

That is nesting beyond DEPTH, NaN, Infinity and numbers that become one (`1e400`), whole numbers beyond 64 bits, half
characters (lone surrogates), and texts that are too long. What has been read can be written again by any JSON writer.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

from ..budgets import FILE, LINE, OWN, OWN_SHORT, Budget, json_left_open, json_over
from ..text_files import BadText, bad_quote, lines_of, text_of
from ..words import Words, told_by, words
from .disk import read_whole

_DIGITS = 19
"""A whole number with fewer digits fits into 64 bits; so does the sign."""
_BITS = 63
_GOES_ON: Final = (" ", "\t", "]", "}", "")
"""How a line begins in which an object goes on."""
_LINES: Final = 1000
"""Lines in which an object may go on."""
_SHOWN: Final = 60
"""Characters of a name that are shown."""
_MISTAKES: Final = (
    ("Expecting property name", words("a name in double quotes is missing")),
    ("Expecting value", words("a value is missing")),
    ("Extra data", words("something stands behind the value")),
    ("Expecting ':'", words("a colon is missing")),
    ("Expecting ','", words("a comma is missing")),
    ("Unterminated string", words("quotes that begin here are not closed")),
    ("Invalid control character", words("a line ends within quotes, or a control character stands there")),
    ("Invalid \\", words("a backslash within quotes begins an escape; write two of them, or /")),
    ("Illegal trailing comma", words("a comma stands behind the last entry; take it out")),
)
"""What Python's reader says at the beginning of its message, and what that means for who has written the text."""
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class BadJson(BadText):
    """The text is no JSON that can be taken; the message says why, as the end of a sentence: `it is no JSON (…)`."""


class CutJson(BadJson):
    """The text ends within a value: the rest may stand in the next line."""


def read_json(text: str | bytes, budget: Budget = FILE) -> Any:
    """Return the value of a JSON text; bytes are those of a text file (`text_files`). BadJson says what is wrong.

    The budget is looked at before anything is made of the text; its size counts what is given: characters or bytes.
    """
    if not isinstance(text, str):
        if len(text) > budget.size:
            raise BadJson(words("it is longer than {most} bytes", most=f"{budget.size:,}"))
        try:
            text = text_of(text)
        except BadText as error:
            raise BadJson(told_by(error)) from error
    if over := json_over(text, budget):
        raise BadJson(over)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _no_json(text, error) from error
    _refuse_half_characters(text)
    if _HALF.search(text):
        _refuse_half_characters(json.dumps(value, ensure_ascii=False))
    return value


def read_own_object(text: str) -> dict[str, Any]:
    """Return the object of a text that this program's own writer has made; BadJson when it cannot have.

    That one takes whole numbers of any size and whatever depth Python has; it is read several times as fast.
    """
    refuse_over(text)
    try:
        value, end = _OWN_DECODER.raw_decode(text)
        if end != len(text):
            raise json.JSONDecodeError("Extra data", text, end)
        if "\\u" in text:
            _refuse_half_characters(json.dumps(value, ensure_ascii=False))
    except RecursionError as error:
        raise BadJson(words("its lists and objects are nested too deeply")) from error
    except BadJson:
        raise
    except ValueError as error:
        raise BadJson(words("it is no JSON ({why})", why=str(error))) from error
    if not isinstance(value, dict):
        raise BadJson(words("it is no JSON object"))
    return value


def refuse_over(text: str) -> None:
    """Raise BadJson for a text that has too much in it for one that this program's own writer has made."""
    if len(text) > OWN_SHORT and (over := json_over(text, OWN)):
        raise BadJson(over)


def read_json_file(path: Path, budget: Budget = FILE) -> Any:
    """Return the value in a file, of which no more than its budget is read. Raises BadJson, OSError."""
    return read_json(read_whole(path, budget.size), budget)


def json_lines(stream: BinaryIO) -> Iterator[tuple[int, Any]]:
    """Go through the values of a stream as they come in, one a line, each with the number of its line.

    An object may go on in lines that are indented or close it. In the place of one that cannot be read stands a
    BadText. Raises BadText where the stream goes on without an end of a line.
    """
    begun, parts, is_over = 0, list[str](), False
    left_open = size = 0
    for number, line in enumerate(lines_of(stream, LINE.size), 1):
        if not isinstance(line, str) or line[:1] not in _GOES_ON:
            if parts:
                yield begun, _value_or_error(begun, parts)
            parts, is_over = [], False
        if not isinstance(line, str):
            yield number, _moved(line, number)
            continue
        if is_over or not (parts or line.strip()):
            continue
        if not parts:
            begun, left_open, size = number, 0, 0
        parts.append(line)
        left_open += json_left_open(line)
        size += len(line)
        # To try at each bracket would take the square of the lines.
        if len(parts) > 1 and left_open > 0 and size <= LINE.size and len(parts) <= _LINES:
            continue
        found = _value_or_error(begun, parts)
        if not isinstance(found, CutJson) or len(parts) > _LINES:
            yield begun, found
            # What is left of an object that cannot be read is no object of its own.
            is_over = isinstance(found, BadJson) and len(parts) > 1
            parts = []
    if parts:
        yield begun, _value_or_error(begun, parts)


def _value_or_error(begun: int, lines: Sequence[str]) -> Any:
    try:
        return read_json("\n".join(lines).rstrip(), LINE)
    except BadJson as error:
        return _moved(error, begun)


def _moved(error: BadText, begun: int) -> BadText:
    """Return an error whose lines count from 1 where they are those of a text that begins at a line."""
    told = told_by(error)
    if isinstance(told, Words):
        values = (
            (name, value + begun - 1 if name == "line" and isinstance(value, int) else value)
            for name, value in told.values
        )
        return type(error)(Words(told.text, tuple(values)))
    return error


def _no_json(text: str, error: json.JSONDecodeError) -> BadJson:
    """Return what is wrong where a text is no JSON."""
    rest, before = text[error.pos :], text[: error.pos].rstrip()
    problem = "it is no JSON ({why}, line {line}, character {column})"
    place = {"line": error.lineno, "column": error.colno}
    if not rest.strip() or (error.msg.startswith("Unterminated") and "\n" not in rest):
        why = words("it ends within a value") if text.strip() else words("it is empty")
        return CutJson(words(problem, why=why, **place))
    if rest.startswith(("//", "/*", "#")):
        why = words("JSON has no comments; take this one out")
    elif rest[0] in "}]" and before.endswith(","):
        why = words("a comma stands behind the last entry; take it out")
    elif error.msg.startswith("Extra data") and rest[0] in "{[":
        why = words("a second value begins here, and one is wanted")
    elif rest[0] == "'":
        why = words("names and texts stand in double quotes")
    else:
        known = next((said for begin, said in _MISTAKES if error.msg.startswith(begin)), None)
        why = bad_quote(rest) or known or words("this cannot be read")
    return BadJson(words(problem, why=why, **place))


def _refuse_half_characters(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = ord(text[error.start])
        problem = "it has half a character in it (the lone surrogate {half})"
        raise BadJson(words(problem, half=f"{half:04x}")) from error


def _whole(text: str) -> int:
    if len(text) < _DIGITS:
        return int(text)
    # Python itself refuses thousands of digits; they are not to reach it.
    if len(text) > _DIGITS + 1 or int(text).bit_length() > _BITS:
        raise BadJson(words("it has the number {number}, which is beyond 64 bits", number=_shown(text)))
    return int(text)


def _decimal(text: str) -> float:
    number = float(text)
    if number - number != 0:
        raise BadJson(words("it has the number {number}, which is too large", number=_shown(text)))
    return number


def _constant(text: str) -> Any:
    raise BadJson(words("it has {text} in it, which is no number of JSON", text=text))


def _shown(number: str) -> str:
    return number if len(number) <= 24 else f"{number[:20]}…"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        count = Counter(key for key, _ in pairs)
        raise BadJson(
            words("{name} is given twice; leave one of them out", name=repr(max(count, key=count.__getitem__)))
        )
    return found


_DECODER = json.JSONDecoder(parse_int=_whole, parse_float=_decimal, parse_constant=_constant, object_pairs_hook=_once)
_OWN_DECODER = json.JSONDecoder(parse_float=_decimal, parse_constant=_constant)
