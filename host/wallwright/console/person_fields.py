"""Fields of a request that hold text from people: folded, or refused with the character and its place.

Every text of a request's body is one of these, or is listed in the tests as what no person writes.
"""

from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator

from ..person_text import folded, one_line, refusal


def _taken_by(fold: Callable[[str], str]) -> Callable[[str], str]:
    def taken(text: str) -> str:
        text = fold(text)
        why = refusal(text)
        if why is not None:
            raise ValueError(why)
        return text

    return taken


PersonText = Annotated[str, AfterValidator(_taken_by(folded))]
"""A name, or another text in one line."""
PersonLines = Annotated[str, AfterValidator(_taken_by(one_line))]
"""Sentences: a reason, a ruling. The ends of their lines become blanks."""
