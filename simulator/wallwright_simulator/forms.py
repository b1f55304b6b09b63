"""Lines of text by forms: one form serves to read a line, to write it, to check its fields and to say what is allowed.

In a form `<name:kind>` is a field, other words stand for themselves, and a group in brackets may be left out; it begins
with a word of its own. A kind is one of `KINDS`, or the words to choose from, such as `dead|blocked`. Values are ints:
times in ms, written in seconds; shares in permille, written in percent; or the chosen words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[a-z]+|%|\S")
_PART = re.compile(r"<(\w+):([^>]+)>|[\[\]]|\w+")


class FormError(ValueError):
    """A line that does not have its form, or a value that its kind does not allow. The text says what is allowed."""


class Kind(NamedTuple):
    """Numbers up to `limit`, written with `unit` after them, which is `factor` of the value's own unit."""

    allowed: str
    limit: int
    unit: str = ""
    factor: int = 1

    def read(self, tokens: Sequence[str]) -> int | None:
        """The value of a number and its unit, None when it is not one of these."""
        if list(tokens[1:]) != ([self.unit] if self.unit else []) or not tokens:
            return None
        whole, _, part = tokens[0].partition(".")
        digits = len(str(self.factor)) - 1
        if not whole.isdecimal() or len(part) > digits or (part and not part.isdecimal()):
            return None
        value = int(whole) * self.factor + int(part.ljust(digits, "0") or 0)
        return value if value <= self.limit else None

    def write(self, value: int) -> str:
        """The number and its unit."""
        digits = len(str(self.factor)) - 1
        number = str(value // self.factor)
        if value % self.factor:
            number += f".{value % self.factor:0{digits}}".rstrip("0")
        return f"{number} {self.unit}".rstrip()


KINDS = {
    "side": Kind("a side, 0 to 3", 3),
    "reader": Kind("a tile reader, 0 to 19", 19),
    "input": Kind("an input, 0 to 44", 44),
    "output": Kind("an output, 0 to 31", 31),
    "tile": Kind("a tile, 0 to 303", 303),
    "size": Kind("tiles of a set, 108 to 152", 152),
    "time": Kind("a time such as 8.3 s", 10**9, "s", 1000),
    "share": Kind("a share such as 2.5 %", 1000, "%", 10),
}


def split(line: str) -> list[str]:
    """The tokens of a line: numbers, words, signs. Capitals do not matter, nor does space before a unit."""
    return _TOKEN.findall(line.lower())


def show(form: str) -> str:
    """The form for people: a field is written as its kind in capitals, or as its choice."""
    return re.sub(r"<\w+:([^>]+)>", lambda field: field[1].upper() if field[1] in KINDS else field[1], form)


def check(form: str, values: Mapping[str, Any]) -> None:
    """FormError when one of the values is not of its kind."""
    for part in _PART.finditer(form):
        name, kind = part[1], part[2]
        if name in values:
            value = values[name]
            known = KINDS.get(kind)
            if not (type(value) is int and 0 <= value <= known.limit if known else value in kind.split("|")):
                raise FormError(f"{name} is {value!r}: it is {_allowed(kind)}")


def write(form: str, values: Mapping[str, Any]) -> str:
    """The line of these values. A group is left out when its field has no value here."""
    return " ".join(_words(list(_PART.finditer(form)), values))


def _words(parts: list[re.Match[str]], values: Mapping[str, Any]) -> Iterator[str]:
    skipping = False
    for index, part in enumerate(parts):
        if part[0] == "[":
            skipping = parts[index + 2][1] not in values
        elif part[0] == "]":
            skipping = False
        elif not skipping:
            kind = KINDS.get(part[2])
            yield part[0] if not part[1] else kind.write(values[part[1]]) if kind else values[part[1]]


class Reader:
    """Reads tokens by a form; `at` is how many it has understood."""

    def __init__(self, tokens: list[str]) -> None:
        self.at = 0
        self._tokens = tokens

    def read(self, form: str) -> dict[str, Any]:
        """The values of all fields that the line gives. FormError names the token that does not fit."""
        values: dict[str, Any] = {}
        skipping = False
        parts = list(_PART.finditer(form))
        for index, part in enumerate(parts):
            if part[0] == "[":
                skipping = self._next(1) != [parts[index + 1][0]]
            elif part[0] == "]":
                skipping = False
            elif skipping:
                continue
            elif part[1]:
                values[part[1]] = self._field(part[2])
            elif self._next(1) == [part[0]]:
                self.at += 1
            else:
                raise FormError(f"{self.word()} stands where {part[0]!r} is expected")
        if self.at < len(self._tokens):
            raise FormError(f"{self.word()} is too much")
        return values

    def word(self) -> str:
        """Name the token that is next."""
        return repr(self._tokens[self.at]) if self.at < len(self._tokens) else "the end"

    def _field(self, kind: str) -> Any:
        known = KINDS.get(kind)
        if known:
            size = 2 if known.unit else 1
            value = known.read(self._next(size))
            if value is not None:
                self.at += size
                return value
        else:
            for choice in kind.split("|"):
                words = choice.split()
                if self._next(len(words)) == words:
                    self.at += len(words)
                    return choice
        raise FormError(f"{self.word()} is not {_allowed(kind)}")

    def _next(self, count: int) -> list[str]:
        return self._tokens[self.at : self.at + count]


def _allowed(kind: str) -> str:
    return KINDS[kind].allowed if kind in KINDS else kind.replace("|", " or ")
