"""Budgets: how much a text that others wrote may hold, counted before any parser sees it.

A parser makes some hundred bytes of memory of each value, and some parsers need the square of a name's parts in time.
Here brackets, texts and names are counted in one pass that keeps nothing and ends where a budget is spent.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .words import Words, words

DEPTH: Final = 64
"""Lists and objects of a JSON text within each other at the most; the deepest that this program writes is at 8."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a JSON text may have at the most: bytes (characters of a str), values and names together, and levels."""

    size: int
    values: int
    depth: int = DEPTH


FILE: Final = Budget(16 << 20, 500_000)
"""A file that a command reads."""
LINE: Final = Budget(1 << 20, 50_000)
"""A line of standard input: a deal in all its hands and acts has some 10 kB."""
OWN: Final = Budget(16 << 20, 1_000_000, 500)
"""The body of an entry in a journal, which may be one that another program has made."""
OWN_SHORT: Final = 64 << 10
"""Characters of a body that is within its budget whatever is in it, so that nobody has to count."""

TOML_SIZE: Final = 256 << 10
"""Bytes of a TOML file: the hall file of 64 tables has some 20 kB."""
TOML_DEPTH: Final = 16
"""Lists and inline tables within each other, and parts of a dotted name."""
TOML_WORD: Final = 200
"""Characters of a name or number without quotes."""
_JSON: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?+|[][{}]|[^][{}",:\s]++', re.DOTALL)
_TOML: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?+'
    r"|'''(?:[^']|'(?!''))*+(?:''')?+"
    r'|"(?:[^"\\\n]|\\.)*+"?+'
    r"|'[^'\n]*+'?+"
    r"|\#[^\n]*+"
    r"|[][{}.=,\n]"
    r"|[^][{}.=,\n\"'\#\ \t]++",
    re.DOTALL,
)


def json_over(text: str, budget: Budget) -> Words | None:
    """Return why a JSON text is beyond its budget, as the end of a sentence; None when it is within."""
    if len(text) > budget.size:
        return words("it is longer than {most} characters", most=f"{budget.size:,}")
    openers = text.count("[") + text.count("{")
    # In a text that is JSON a value or name is the first, or stands behind one of these.
    if openers <= budget.depth and 1 + openers + text.count(",") + text.count(":") <= budget.values:
        return None
    depth = values = 0
    for found in _JSON.finditer(text):
        first = text[found.start()]
        if first in "]}":
            depth -= 1
            if depth < 0:
                return None  # Here the parser stops.
            continue
        values += 1
        depth += first in "[{"
        if depth > budget.depth:
            return words("its lists and objects are nested deeper than {depth}", depth=budget.depth)
        if values > budget.values:
            return words("it has more than {most} values and names", most=f"{budget.values:,}")
    return None


def json_left_open(part: str) -> int:
    """Return how many more brackets a part of a JSON text opens than it closes."""
    firsts = (part[found.start()] for found in _JSON.finditer(part))
    return sum((first in "[{") - (first in "]}") for first in firsts)


def toml_over(text: str) -> Words | None:
    """Likewise for a TOML text, whose lists and dotted names are no deeper than TOML_DEPTH."""
    depth, line, parts, is_dotted = 0, 1, 0, False
    for word in _toml_words(text):
        line += word.count("\n")
        if word in ("[", "{"):
            depth += 1
        elif word in ("]", "}"):
            depth -= 1
        if word == ".":
            is_dotted = True
            continue
        parts = parts + 1 if is_dotted else 1
        is_dotted = False
        if depth > TOML_DEPTH:
            return words("line {line}: lists are nested deeper than {depth}", line=line, depth=TOML_DEPTH)
        if parts > TOML_DEPTH:
            return words("line {line}: a name has more than {most} parts", line=line, most=TOML_DEPTH)
        if len(word) > TOML_WORD and word[0] not in "\"'":
            problem = "line {line}: a name or number is longer than {most} characters"
            return words(problem, line=line, most=TOML_WORD)
    return None


def _toml_words(text: str) -> Iterator[str]:
    for found in _TOML.finditer(text):
        if text[found.start()] != "#":
            yield found[0]
