"""JSON files that programs write and people carry: a struct says what is in one, every mistake is a sentence.

    class Report(Struct, frozen=True):
        unit: Unit
        limits: tuple[Limit, ...]

    read_form(data, Report)      BadJson: "limits[3].before: a whole number belongs there, and true stands there"

The sentence names the innermost field that is wrong, with the way to it, and what belongs there: the `description` of
the field's type, or its type in words. A rule that goes beyond types raises ValueError in the `__post_init__` of the
struct, and its words are told. A struct passes over fields that it does not have, which a newer version may have
written, unless it forbids them. The caller adds the file, and what to do.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import ValidationError, inspect

from ..budgets import FILE, Budget
from ..words import Listed, Words, told_by, words
from .forms import convert
from .strict_json import BadJson, read_json, read_json_file

T = TypeVar("T")
_WAY: Final = re.compile(r" - at `(?P<key>key` in `)?\$(?P<way>[^`]*)`$")
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_LACKS: Final = re.compile(r"Object missing required field `(.+?)`")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.+?)`")
_TYPES: Final[Mapping[type, Words]] = {
    inspect.IntType: words("a whole number"),
    inspect.FloatType: words("a number"),
    inspect.StrType: words("a text"),
    inspect.BoolType: words("true or false"),
    inspect.NoneType: words("null"),
    inspect.ListType: words("a list"),
    inspect.VarTupleType: words("a list"),
}
_OBJECT: Final = words("an object")
_ANY: Final = "..."
"""Stands for a key of an object in the place that msgspec tells."""
_SHOWN: Final = 60
"""Characters of a wrong value that are shown."""


def read_form(data: str | bytes, form: type[T], budget: Budget = FILE) -> T:
    """Return what a JSON text says, as a struct. BadJson when it is no JSON, or does not fit."""
    return fitted(read_json(data, budget), form)


def read_form_file(path: Path, form: type[T], budget: Budget = FILE) -> T:
    """Return what a file says, of which no more than its budget is read. Raises BadJson, OSError."""
    return fitted(read_json_file(path, budget), form)


def fitted(value: Any, form: type[T]) -> T:
    """Return a JSON value as a struct. BadJson says which field does not fit."""
    try:
        return convert(value, form)
    except ValidationError as error:
        raise BadJson(_sentence(error, value, form)) from error


def _sentence(error: ValidationError, value: Any, form: Any) -> Words | Listed:
    """Return what is wrong, as the end of a sentence about the file."""
    text = str(error)
    place = _WAY.search(text)
    steps: list[str | int] = []
    if place is not None:
        steps = [name or (int(number) if number.isdecimal() else _ANY) for name, number in _STEP.findall(place["way"])]
    if place is not None and place["key"]:
        steps.append(_ANY)
    wanted = inspect.type_info(form)
    for number, step in enumerate(steps):
        if step is _ANY:
            step = steps[number] = _first_wrong(value, steps[:number], form, text)
        wanted = _inner(wanted, step, is_key=bool(place and place["key"]) and number == len(steps) - 1)
    way = _way(steps)
    if lacking := _LACKS.match(text):
        return words("{name} is missing", name=_way([*steps, lacking[1]]))
    if unknown := _UNKNOWN.match(text):
        return words("there is no {name}; take it out", name=_way([*steps, unknown[1]]))
    if isinstance(error.__cause__, ValueError):
        why = told_by(error.__cause__)
        return words("{name}: {why}", name=way, why=why) if way else why
    if place is not None and place["key"]:
        return words("{name}: its name is not {wanted}", name=way, wanted=_wanted(wanted))
    shown = _shown(_at(value, steps))
    if not way:
        return words("{wanted} belongs there, and {shown} stands there", wanted=_wanted(wanted), shown=shown)
    problem = "{name}: {wanted} belongs there, and {shown} stands there"
    return words(problem, name=way, wanted=_wanted(wanted), shown=shown)


def _first_wrong(value: Any, before: Sequence[str | int], form: Any, text: str) -> str:
    """Return the key of the object at a place whose name or value the error with this text is about."""
    whole = _at(value, before)
    keys = list(whole)
    while len(keys) > 1:
        half = keys[: len(keys) // 2]
        try:
            convert(_replaced(value, before, {key: whole[key] for key in half}), form)
            is_there = False
        except ValidationError as error:
            is_there = str(error) == text
        keys = half if is_there else keys[len(half) :]
    return str(keys[0])


def _replaced(value: Any, way: Sequence[str | int], new: Any) -> Any:
    """Return a copy of a value that has another one at a place."""
    if not way:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = _replaced(copy[way[0]], way[1:], new)
    return copy


def _at(value: Any, way: Sequence[str | int]) -> Any:
    for step in way:
        value = value[step]
    return value


def _way(steps: Sequence[str | int]) -> str:
    """Return the way to a field as it is written in most languages: limits[3].before; a long or odd name as JSON."""
    way = ""
    for step in steps:
        if isinstance(step, int):
            way += f"[{step}]"
        elif step.isascii() and step.isidentifier() and len(step) <= _SHOWN:
            way += f".{step}" if way else step
        else:
            way += f"[{_shown(step)}]"
    return way


def _inner(wanted: inspect.Type, step: str | int, *, is_key: bool) -> inspect.Type:
    """Return the type of what stands at a step below a type."""
    for one in _options(wanted):
        if isinstance(one, inspect.DictType):
            return one.key_type if is_key else one.value_type
        if isinstance(one, inspect.StructType):
            found = next((field.type for field in one.fields if field.encode_name == step), None)
            if one.array_like and isinstance(step, int):
                found = one.fields[step].type
            if found is not None:
                return found
        elif isinstance(one, inspect.ListType | inspect.VarTupleType):
            return one.item_type
        elif isinstance(one, inspect.TupleType) and isinstance(step, int):
            return one.item_types[step]
    return inspect.AnyType()


def _options(wanted: inspect.Type) -> Iterator[inspect.Type]:
    """Go through the types of a union, or give the one type."""
    while isinstance(wanted, inspect.Metadata):
        wanted = wanted.type
    if isinstance(wanted, inspect.UnionType):
        for one in wanted.types:
            yield from _options(one)
    else:
        yield wanted


def _wanted(wanted: inspect.Type) -> Words:
    """Return what a field takes, in words."""
    said = (wanted.extra_json_schema or {}) if isinstance(wanted, inspect.Metadata) else {}
    if "description" in said:
        return Words(said["description"])
    if isinstance(wanted, inspect.UnionType):
        parts = tuple(_wanted(one) for one in wanted.types if not isinstance(one, inspect.NoneType))
        return parts[0] if len(parts) == 1 else words("{several}", several=Listed(parts, words(" or ").text))
    one = next(_options(wanted))
    if isinstance(one, inspect.LiteralType):
        return words("one of {names}", names=", ".join(map(_shown, one.values)))
    if isinstance(one, inspect.IntType) and one.ge is not None:
        if one.le is None:
            return words("a whole number of {least} or more", least=one.ge)
        return words("a whole number from {least} to {most}", least=one.ge, most=one.le)
    if isinstance(one, inspect.TupleType):
        return words("a list of {count}", count=len(one.item_types))
    return _TYPES.get(type(one), _OBJECT)


def _shown(value: Any) -> str:
    """Return a value as JSON has it, of a long one the beginning."""
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
