"""What is wrong with a body that does not fit its kind: which field, what was expected, and what was found."""

import re
from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from types import NoneType
from typing import Any, get_args, get_origin

from msgspec import ValidationError

from .fields import EVENT_HEAD, Part, PartType, bare, fields_of, options_of

_MISSING = re.compile(r"Object missing required field `(?P<key>[^`]+)`")
_LENGTH = re.compile(r"Expected `array` of length (?P<length>\d+)")
_TYPE = re.compile(r"Expected `(?P<type>\w+)")
_PLACE = re.compile(r" - at `\$(?P<place>[^`]*)`$")
_STEP = re.compile(r"\.(?P<key>\w+)|\[(?P<number>\d+|\.\.\.)\]")
_TYPES: Mapping[str, tuple[str, type]] = {
    "int": ("a whole number", int),
    "str": ("a text", str),
    "bool": ("true or false", bool),
    "array": ("a list", list),
    "object": ("an object", dict),
}


def is_of_surplus(error: ValidationError) -> bool:
    """Say whether what is wrong is a field that its class does not have."""
    return str(error).startswith("Object contains unknown field `")


def without_surplus(cls: type[Part], body: Any, *, is_event: bool) -> Any:
    """Return a body of a kind without the fields that its class, and those of its parts, do not have."""
    if not is_event:
        return _kept(cls, body)
    head = {key: body[key] for key in ("fields", *EVENT_HEAD) if key in body}
    return head | ({"fields": _kept(cls, head["fields"])} if "fields" in head else {})


def told(error: ValidationError, body: Any, *, is_event: bool) -> str:
    """Return what is wrong with a body."""
    text = str(error)
    way = list(_way(text))
    if missing := _MISSING.match(text):
        way.append(missing["key"])
        expected, found = "a value", "nothing"
    else:
        name = _TYPE.match(text)
        assert name is not None, text
        expected, wanted = _TYPES[name["type"]]
        if length := _LENGTH.match(text):
            expected = f"a list of {length['length']}"
        value = body
        for place, step in enumerate(way):
            if step == "...":
                way[place] = step = next(key for key, one in value.items() if type(one) is not wanted)
            value = value[int(step)] if isinstance(value, Sequence) else value[step]
        found = _shown(value)
    if is_event and way[:1] == ["fields"] and way[1:]:
        del way[0]
    return f"{'.'.join(way)}{': ' if way else ''}expected {expected}, found {found}"


def _kept(hint: Any, value: Any) -> Any:
    hint = bare(next(one for one in options_of(bare(hint)) if one is not NoneType))
    if isinstance(hint, PartType) and isinstance(value, dict):
        return {one.key: _kept(one.hint, value[one.key]) for one in fields_of(hint) if one.key in value}
    inner = get_args(hint)
    if get_origin(hint) is tuple and isinstance(value, list):
        each = repeat(inner[0]) if inner[1:] == (...,) else chain(inner, repeat(Any))
        return [_kept(one, item) for one, item in zip(each, value, strict=False)]
    return value


def _way(text: str) -> tuple[str, ...]:
    found = _PLACE.search(text)
    return () if found is None else tuple(step["key"] or step["number"] for step in _STEP.finditer(found["place"]))


def _shown(found: object) -> str:
    text = repr(found)
    return text if len(text) <= 60 else f"{text[:59]}…"
