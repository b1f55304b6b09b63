"""Texts that an event keeps of people: folded, of a length, and refused with the character that cannot be in one."""

from typing import Any

from ..errors import EventRefused
from ..person_text import folded, one_line, refusal
from ..words import Words, words
from .draw import TEXT_LIMIT
from .players import NAME_LIMIT


def taken(what: Words, text: str, limit: int, least: int = 0) -> str:
    """Return a text of `least` to `limit` characters as it is kept; `what` names it when EventRefused is raised."""
    text = folded(text)
    why = refusal(text)
    if why is None and len(text) < least:
        why = words("it is empty")
    if why is None and len(text) > limit:
        why = words("it has {limit} characters at the most", limit=limit)
    if why is not None:
        raise EventRefused(words("{what}: {why}", what=what, why=why))
    return text


def taken_part(by: str, text: str) -> tuple[str, str]:
    """Return whose part of a draw it is, and the part. EventRefused where one of them cannot be kept."""
    text = taken(words("the part, such as the faces of dice"), text, TEXT_LIMIT, 1)
    return taken(words("whose part it is"), by, NAME_LIMIT, 1), text


def taken_values(name: str, value: Any) -> Any:
    """Return a value of a declared deal with all texts in it folded; EventRefused names the key of one that cannot be
    kept.
    """
    if isinstance(value, str):
        text = one_line(value)
        why = refusal(text)
        if why is not None:
            raise EventRefused(words("{what}: {why}", what=name, why=why))
        return text
    if isinstance(value, dict):
        return {key: taken_values(str(key), one) for key, one in value.items()}
    return [taken_values(name, one) for one in value] if isinstance(value, list) else value
