"""Changes of JSON values by paths such as `answers.0.results.1.entry`; the first value stays as it was."""

import copy
from collections.abc import Callable, Iterator

from tests.proofs.world import Json

Change = Callable[[Json], None]


def _walk(value: Json, path: str) -> tuple[Json, str | int]:
    *steps, last = path.split(".")
    for step in steps:
        value = value[int(step) if isinstance(value, list) else step]
    return value, int(last) if isinstance(value, list) else last


def put(path: str, new: Json) -> Change:
    """Change or add one value; `new` may be a function of the old one."""

    def change(value: Json) -> None:
        holder, last = _walk(value, path)
        holder[last] = new(holder[last]) if callable(new) else new

    return change


def drop(path: str) -> Change:
    def change(value: Json) -> None:
        holder, last = _walk(value, path)
        del holder[last]

    return change


def add(path: str, *new: Json) -> Change:
    """Add values at the end of a list."""

    def change(value: Json) -> None:
        holder, last = _walk(value, path)
        holder[last].extend(new)

    return change


def swap(one: str, other: str) -> Change:
    """Exchange two values."""

    def change(value: Json) -> None:
        (first, at), (second, there) = _walk(value, one), _walk(value, other)
        first[at], second[there] = second[there], first[at]

    return change


def changed(value: Json, *changes: Change) -> Json:
    value = copy.deepcopy(value)
    for change in changes:
        change(value)
    return value


def flipped(text: str) -> str:
    """Hexadecimal with another first digit."""
    return ("0" if text[0] != "0" else "1") + text[1:]


def each(*odd: tuple[str, tuple[Json, ...]]) -> Iterator[tuple[str, Json]]:
    """Go through values, each with the path for which it is meant."""
    for path, values in odd:
        for value in values:
            yield path, value
