"""Reads JSON that others wrote, and refuses what Python's reader lets through and a journal or a page cannot hold.

That is nesting beyond DEPTH, NaN, Infinity and numbers that become one (`1e400`), whole numbers beyond 64 bits, half
characters (lone surrogates), and texts that are too long. What has been read can be written again by any JSON writer.
"""

import json
import re
from pathlib import Path
from typing import Any

from ..words import Named, words
from .disk import LONGEST, read_whole

DEPTH = 64
"""Lists and objects within each other at the most; the deepest that this program writes is at 8."""
_DIGITS = 19
"""A whole number with fewer digits fits into 64 bits; so does the sign."""
_BITS = 63
MISTAKES = (
    "Expecting value",
    "Extra data",
    "Expecting property name enclosed in double quotes",
    "Expecting ':' delimiter",
    "Expecting ',' delimiter",
    "Unterminated string starting at",
    "Invalid control character at",
    "Invalid \\escape",
    "Invalid \\uXXXX escape",
    "Illegal trailing comma before end of object",
    "Illegal trailing comma before end of array",
)
"""What Python's reader says of a text that is no JSON; the last two since Python 3.13."""
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*+"?+', re.DOTALL)


class BadJson(ValueError):
    """The text is no JSON that can be taken; the message says why, as the end of a sentence: `it is no JSON (…)`."""


def read_json(text: str | bytes, longest: int = LONGEST) -> Any:
    """Return the value of a JSON text; bytes are UTF-8, with a byte order mark or without. BadJson says what is wrong.

    `longest` counts what is given: characters or bytes.
    """
    if len(text) > longest:
        problem = "it is longer than {most} characters" if isinstance(text, str) else "it is longer than {most} bytes"
        raise BadJson(words(problem, most=f"{longest:,}"))
    if not isinstance(text, str):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadJson(words("it is no UTF-8 text (byte {number})", number=error.start + 1)) from error
    if text.count("[") + text.count("{") > DEPTH and _depth(text) > DEPTH:
        raise BadJson(words("its lists and objects are nested deeper than {depth}", depth=DEPTH))
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        problem = "it is no JSON ({why}, line {line}, character {column})"
        why = Named("json", error.msg)
        raise BadJson(words(problem, why=why, line=error.lineno, column=error.colno)) from error
    _refuse_half_characters(text)
    if "\\u" in text:
        _refuse_half_characters(json.dumps(value, ensure_ascii=False))
    return value


def read_own_object(text: str) -> dict[str, Any]:
    """Return the object of a text that this program's own writer has made; BadJson when it cannot have.

    That one takes whole numbers of any size and whatever depth Python has; it is read several times as fast.
    """
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


def read_json_file(path: Path, longest: int = LONGEST) -> Any:
    """Return the value in a file, of which no more than `longest` bytes are read. Raises BadJson, OSError."""
    return read_json(read_whole(path, longest), longest)


def _depth(text: str) -> int:
    """Return how deep brackets stand in each other outside of strings."""
    depth = deepest = 0
    for bracket in re.findall(r"[][{}]", _STRINGS.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > deepest:
            deepest = depth
    return deepest


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


_DECODER = json.JSONDecoder(parse_int=_whole, parse_float=_decimal, parse_constant=_constant)
_OWN_DECODER = json.JSONDecoder(parse_float=_decimal, parse_constant=_constant)
