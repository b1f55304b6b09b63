"""The API under /api/v1: one module for what programs and the pages' own scripts ask about."""

from typing import Any, Final

from pydantic import BaseModel

PREFIX: Final = "/api/v1"


class Question(BaseModel):
    """What has to be said of a declared hand before it is taken: mistyped, or so?

    `kind` is "false_hu", "not_ready", "forbidden_suit", or "ready" and "no_forbidden_suit" where that is said and its
    tiles say otherwise. `event` is that in which `seat` declared Hu, from 0 on, null for a hand shown at the end.
    """

    kind: str
    seat: int
    event: int | None
    why: str


class Problem(BaseModel):
    """What went wrong, as a sentence for a person; of a declared deal what is asked before it is taken.

    `unanswered`: the server died while it did the same under this key before, and nobody knows whether it was done.
    """

    problem: str
    unanswered: bool = False
    doubts: tuple[Question, ...] = ()


def _problem(description: str) -> dict[str, Any]:
    """Describe an answer by the name of its schema: FastAPI builds a `model` anew for every path and status."""
    return {
        "description": description,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: _problem("It cannot be read."),
    401: _problem("Nobody is signed in."),
    403: _problem("The role may not do this, or the CSRF token is wrong."),
    404: _problem("There is no such thing."),
    409: _problem("It was not done; the sentence says why."),
    422: _problem("A value cannot be meant."),
    429: _problem("Too many tries."),
    503: _problem("It cannot be done now."),
}
DEFINED: dict[int | str, dict[str, Any]] = {400: {"model": Problem, "description": "It cannot be read."}}
"""Given to one path, so that the description of the API holds the schema that all others name."""
