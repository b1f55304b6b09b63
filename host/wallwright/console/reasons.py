"""What a journal or a check says in English, such as reasons of payments, as words for any language."""

import re
from functools import cache

from ..rules.sichuan.settlement import KONG_WORDS
from ..words import Sayable, Seat, Words, plural, words

SENTENCES = (
    "{kong} of {seat}",
    "self-drawn Hu of {seat}: {value} + {more}",
    "Hu of {seat} on the discard of {from_}",
    "Hu of {seat} on the kong robbed from {from_}",
    "false Hu of {seat}: {why}",
    "{payee} is ready, {payer} is not",
    "{why}, found by the referee {referee}",
    "found false by the referee {referee}",
    "the hand holds its forbidden suit {suit}",
)
"""Those of Sichuan's `settlement` and `judge` that have values; others have a translation as they are."""
FOUND = (
    "session {number} has player {one} more than once: {times}",
    "session {number} has player {one}, who is not in the event",
    "session {number} lacks player {one}",
    plural(
        "in session {number} {count} player sits out, not {wanted}",
        "in session {number} {count} players sit out, not {wanted}",
    ),
    "the seed has {count} bytes, it must have {wanted}",
    "seed and players are not those that were committed to",
    "the lots do not follow from seed, players and contributions",
    "the seats do not follow from the lots",
    "{seat} claimed {seconds} s after the tile lay open (SBR-4.5)",
)
"""What is found wrong with a draw and its seats, and what a tracker tells the referee."""
_KONGS = {str(kong): kong for kong in KONG_WORDS.values()}
_VALUES = {"kong": "|".join(_KONGS), "suit": "[mps]", "why": ".+", "referee": ".+", "seconds": r"[\d.]+"}
_SEATS = ("seat", "from_", "payee", "payer")


def understood(text: str) -> Words | None:
    """Return the words of an English sentence; None where it is no known one with values."""
    for template, pattern in _patterns():
        found = pattern.fullmatch(text)
        if found is not None:
            return words(template, **{name: _value(name, value) for name, value in found.groupdict().items()})
    return None


def _value(name: str, text: str) -> str | Sayable:
    if name in _SEATS:
        return Seat(int(text[-1]))
    if name == "kong":
        return _KONGS[text]
    if name == "suit":
        return Words(text)
    return understood(text) or Words(text) if name == "why" else text


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    def group(found: re.Match[str]) -> str:
        pattern = "[Ss]eat [0-3]" if found[1] in _SEATS else _VALUES.get(found[1], r"-?\d+")
        return f"(?P<{found[1]}>{pattern})"

    return tuple((one, re.compile(re.sub(r"\\{(\w+)\\}", group, re.escape(one)))) for one in SENTENCES + FOUND)
