"""Alters values of JSON and TOML as somebody would who wants to break a reader: one field each, to anything at all."""

import json
from collections.abc import Iterator
from typing import Any

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 5, 5.0, 0.5, -0.0, 10**6, 2**31, 2**62, 2**63 - 1, -(2**63), 2**64, 10**400,
    1e308, 1e-308, float("inf"), float("nan"), "", " ", "x", "0", "-1", "é", "\0", "\n", "\x1b[31m", "\u202e", "\ud800",
    "../x", "/", "0" * 64, "f" * 63, "9" * 5000, "x" * 100_000, "\U0001f004" * 40,
    [], [None], [[]], [1], ["x"], [1, 2, 3, 4], [{}], [True] * 4, {}, {"": ""}, {"x": {}}, {"x": 1}, {"name": "x"},
)  # fmt: skip
"""Values that no field of any file takes, and some that fields take: each type, and the ends of each."""

Way = tuple[str | int, ...]


def ways(value: Any, way: Way = ()) -> Iterator[Way]:
    """Go through the places of all values in a value; of a long list the first two and the last."""
    yield way
    if isinstance(value, dict):
        for key in value:
            yield from ways(value[key], (*way, key))
    elif isinstance(value, list):
        for place in sorted({*range(len(value))[:2], *range(len(value))[-1:]}):
            yield from ways(value[place], (*way, place))


def replaced(value: Any, way: Way, new: Any) -> Any:
    """Return a copy of a value with another one at a place."""
    if not way:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = replaced(copy[way[0]], way[1:], new)
    return copy


def without(value: Any, way: Way) -> Any:
    """Return a copy of a value without what is at a place."""
    inside = value
    for step in way[:-1]:
        inside = inside[step]
    if isinstance(inside, dict):
        return replaced(value, way[:-1], {key: one for key, one in inside.items() if key != way[-1]})
    return replaced(value, way[:-1], [one for place, one in enumerate(inside) if place != way[-1]])


def doubled(value: Any, way: Way) -> Any:
    """Return a copy of a value in which what is at a place stands there twice: in an object under another name."""
    inside = value
    for step in way[:-1]:
        inside = inside[step]
    if isinstance(inside, dict):
        return replaced(value, way[:-1], {**inside, f"{way[-1]} ": inside[way[-1]]})
    return replaced(value, way[:-1], [*inside, inside[int(way[-1])]])


def alterations(value: Any) -> Iterator[tuple[str, Any]]:
    """Go through all values that differ from a value in one place, each with what was done."""
    for way in ways(value):
        where = json.dumps(way)
        for odd in ODD:
            yield f"{where} is {odd!r:.60}", replaced(value, way, odd)
        if way:
            yield f"{where} is missing", without(value, way)
            yield f"{where} is there twice", doubled(value, way)


def toml_text(table: dict[str, Any]) -> str:
    """Return a table as TOML, tables in it in braces; null, which TOML does not have, as the word."""
    return "".join(f"{json.dumps(key)} = {_toml(value)}\n" for key, value in table.items())


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {_toml(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value)
