"""What the host has to say, before it is said in a language: an English text with {names}, and their values.

    why = words("Hu of {seat} on the discard of {from_}", seat=Seat(0), from_=Seat(2))
    str(why)                  in English
    why.said(translate)       in the language of `translate`, which is given the English text and the values

Values may be words themselves, seats, tiles, or several of them.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol, Self

Say = Callable[..., str]
"""Gives a text in a language: `say(english, **values)`; `context` tells what the name of something is the name of."""


class Sayable(Protocol):
    """What can be said in a language."""

    def said(self, say: Say) -> str:
        """Return it as text."""


Value = int | str | Sayable


class Plural(str):
    """A text for several of something; `one` is that for one of it, and the value called `by` says how many."""

    one: str
    by: str

    def __new__(cls, one: str, several: str, by: str) -> Self:
        """Keep both."""
        made = super().__new__(cls, several)
        made.one = one
        made.by = by
        return made

    def number(self, values: Mapping[str, object]) -> int:
        """Return how many of it these values say, also as "+1" and "-1"; 2 where they do not, or say a fraction."""
        told = str(values.get(self.by, "")).lstrip("+-")
        return int(told) if told.isdecimal() else 2


def plural(one: str, several: str, by: str = "count") -> Plural:
    """Return a text that is another for one of something, by the value of that name."""
    return Plural(one, several, by)


def english(text: str, /, context: str = "", **values: object) -> str:  # noqa: ARG001 (English has the name itself)
    """The language in which all texts are written: no translation."""
    if isinstance(text, Plural) and text.number(values) == 1:
        text = text.one
    return text.format(**values) if values else text


class Words(NamedTuple):
    """A sentence or a part of one. `str()` is its English."""

    text: str
    values: tuple[tuple[str, Value], ...] = ()

    def said(self, say: Say) -> str:
        """Return it in a language."""
        return say(self.text, **{name: _said(value, say) for name, value in self.values})

    def __str__(self) -> str:
        return self.said(english)


class Listed(NamedTuple):
    """Several, one after the other, with a separator that a language may have another one for."""

    parts: tuple[Sayable, ...]
    separator: str = ", "

    def said(self, say: Say) -> str:
        """Return them in a language."""
        return say(self.separator).join(part.said(say) for part in self.parts)

    def __str__(self) -> str:
        return self.said(english)


class Named(NamedTuple):
    """Something by the name that programs have for it, where that name means several things: the `kind` tells which.

    In a language that has no name for it, it is said as it is.
    """

    kind: str
    name: str

    def said(self, say: Say) -> str:
        """Return it in a language."""
        return say(self.name, context=self.kind)


class Seat(NamedTuple):
    """A seat 0..3 in a sentence, which it may begin: "seat 0" for programs, whatever people call it in a language that
    has a name for "seat.0", or "Seat.0" at the beginning.
    """

    number: int
    begins: bool = False

    def said(self, say: Say) -> str:
        """Return it in a language."""
        kind = "Seat" if self.begins else "seat"
        key = f"{kind}.{self.number}"
        found = say(key)
        return f"{kind} {self.number}" if found == key else found


class Retold(NamedTuple):
    """A sentence that was written for programs, which number seats from 0: said, its seats are as people call them."""

    text: str

    def said(self, say: Say) -> str:
        """Return it with its seats in a language."""
        return _NUMBERED.sub(lambda found: Seat(int(found[2]), begins=found[1] == "S").said(say), self.text)


_NUMBERED = re.compile(r"\b([Ss])eat ([0-3])\b")
NOTHING = Words("")


def words(text: str, /, **values: Value) -> Words:
    """Words with their values."""
    return Words(text, tuple(values.items()))


def told_by(error: Exception) -> Words | Listed:
    """What an error says: its words, or its text where it has none, with its seats as people call them."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Words | Listed) else Words("{text}", (("text", Retold(str(error))),))


def _said(value: Value, say: Say) -> int | str:
    return value if isinstance(value, int | str) else value.said(say)
