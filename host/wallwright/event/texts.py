"""Texts that an event keeps of people: folded, of a length, and refused with the character that cannot be in one."""

from ..errors import EventRefused
from ..person_text import folded, refusal
from ..words import Words, words


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
