"""What a text of a record may be: how long, and of which characters. Each field of text says its rule by its type.

    text_problem(record)    "roster.players.2.name: character 5 is ESCAPE (U+001B), ...": None where nothing is wrong

Forms and commands hold texts to rules before they are written. Here is asked what comes from somebody else: the records
of an extract. A journal of one's own is read whatever its texts are; the program shows them by `shown_text`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import Annotated, Any, Final, get_args, get_origin

from ...person_text import folded, is_plain, refusal
from ...words import Words, words
from .fields import Part, PartType, Plain, bare, fields_of, options_of, taken_apart

NAME_LIMIT: Final = 64
"""Characters of a name, a club, an id."""
SENTENCES_LIMIT: Final = 2000
"""Characters of a reason, a ruling, an appeal."""
WORDS_LIMIT: Final = 500
"""Characters of what programs name: a state, a key, a hash, a checkpoint, a path."""
CODE_LIMIT: Final = 100_000
"""Characters of a deal in notation, or of bytes in hexadecimal."""


@dataclass(frozen=True, slots=True)
class Text:
    """The rule of a text: how many characters it has, and whether it may have several lines."""

    least: int
    most: int
    has_lines: bool = False

    def __str__(self) -> str:
        """Return the rule as docs have it."""
        lines = " in lines" if self.has_lines else ""
        return (
            f"{self.least} to {self.most} characters{lines}" if self.least else f"up to {self.most} characters{lines}"
        )

    def problem(self, text: str) -> Words | None:
        """Return why a text is none of these."""
        if why := too_long(text, self.most):
            return why
        if len(folded(text)) < self.least:
            return words("it is empty")
        if is_plain(text):
            return None
        for line in text.split("\n") if self.has_lines else (text,):
            if any(one in "\n\v\f\r\x85\u2028\u2029" for one in line):
                return words("it has an end of a line in it; leave it out")
            if why := refusal(line):
                return why
        return None


Name = Annotated[str, Text(1, NAME_LIMIT)]
Label = Annotated[str, Text(0, NAME_LIMIT)]
Sentences = Annotated[str, Text(0, SENTENCES_LIMIT)]
Word = Annotated[str, Text(0, WORDS_LIMIT)]
Code = Annotated[str, Text(0, CODE_LIMIT, has_lines=True)]
IN_OBJECTS: Final = Text(0, SENTENCES_LIMIT)
"""The rule of all texts in an object that has no class here, such as a format, and of the names of its fields."""


def text_problem(record: Part) -> Words | None:
    """Return what is wrong with the first text of a record that breaks its rule, with its place; None for none."""
    return _first_problem(_texts((), type(record), record))


def problem_in_object(value: Any) -> Words | None:
    """Return the same of a value of JSON whose fields may be any, by the rule of objects."""
    return _first_problem(_texts_in((), value))


def rules_in(hint: Any) -> tuple[Text | None, ...]:
    """Return the rule of each text in the type of a field, without those of parts; None for a text without a rule."""
    plain, said = taken_apart(hint)
    if plain is str:
        return (next((one for one in said if isinstance(one, Text)), None),)
    if plain == Plain:
        return (IN_OBJECTS,)
    if isinstance(plain, PartType):
        return ()
    found = (rule for one in get_args(plain) if one is not ... for rule in rules_in(_with(one, said)))
    return tuple(dict.fromkeys(found))


def too_long(text: str, most: int = SENTENCES_LIMIT) -> Words | None:
    """Return what is wrong with the length of a text that has more characters than it may have; None for others."""
    if len(text) <= most:
        return None
    return words("it has {count} characters, and may have {limit} at the most", count=len(text), limit=most)


_Place = tuple[Any, ...]
"""The place around it, and its key there; empty for the whole."""


def _first_problem(texts: Iterator[tuple[_Place, str, Text]]) -> Words | None:
    for place, text, rule in texts:
        if why := rule.problem(text):
            return words("{what}: {why}", what=_written(place), why=why)
    return None


def _written(place: _Place) -> str:
    """Return a place as a path with dots."""
    around, key = place or ((), "")
    return f"{before}.{key}" if (before := around and _written(around)) else key


def _texts(place: _Place, hint: Any, value: Any) -> Iterator[tuple[_Place, str, Text]]:
    """Go through the texts of a value of a type, each with its place and its rule."""
    if isinstance(value, str):
        yield place, value, _rule_of(hint)
    elif isinstance(value, Part):
        for one in fields_of(type(value)):
            yield from _texts(place if one.is_rest else (place, one.key), one.full, getattr(value, one.name))
    elif isinstance(value, Mapping):
        yield from _texts_in(place, value)
    elif isinstance(value, tuple):
        inner = _items_of(hint)
        each = repeat(inner[0]) if inner[1:] == (...,) else inner
        for number, (one, item) in enumerate(zip(each, value, strict=False)):
            yield from _texts((place, str(number)), one, item)


@cache
def _rule_of(hint: Any) -> Text:
    return next(rule for rule in rules_in(hint) if rule is not None)


@cache
def _items_of(hint: Any) -> tuple[Any, ...]:
    return get_args(next(one for one in map(bare, options_of(bare(hint))) if get_origin(one) is tuple))


def _texts_in(place: _Place, value: Any) -> Iterator[tuple[_Place, str, Text]]:
    if isinstance(value, str):
        yield place, value, IN_OBJECTS
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield (place, "a field's name"), key, IN_OBJECTS
            yield from _texts_in((place, key), one)
    elif isinstance(value, Sequence):
        for number, one in enumerate(value):
            yield from _texts_in((place, str(number)), one)


def _with(hint: Any, said: tuple[Any, ...]) -> Any:
    return Annotated[(hint, *said)] if said else hint
