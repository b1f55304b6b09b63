"""Makes values of what JSON has for them, by their types, and says exactly what does not fit."""

from collections.abc import Mapping
from types import NoneType
from typing import Any, get_args, get_origin

from .fields import Misfit, Nothing, Plain, Reader, bare, fields_of, options_of, without_none
from .quick import quick_reader


def record_reader(cls: type, *, is_event: bool) -> Reader:
    """Return what reads the bodies of a kind; an event has its fields in `fields`. It raises Misfit."""
    slow = _event_reader(cls) if is_event else _object_reader(cls)
    return quick_reader(cls, is_event, slow, _reader)


def _whole(value: Any) -> int:
    if type(value) is int:
        return value
    raise Misfit("a whole number", value)


def _text(value: Any) -> str:
    if type(value) is str:
        return value
    raise Misfit("a text", value)


def _truth(value: Any) -> bool:
    if type(value) is bool:
        return value
    raise Misfit("true or false", value)


def _object(value: Any) -> Plain:
    if type(value) is dict:
        return value
    raise Misfit("an object", value)


_SIMPLE: Mapping[Any, Reader] = {int: _whole, str: _text, bool: _truth, Plain: _object}


def _reader(hint: Any) -> Reader:
    hint = bare(hint)
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if NoneType in options_of(hint):
        return _nullable(_reader(without_none(hint)))
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        return _list_of(_reader(inner[0])) if inner[1:] == (...,) else _row_of(tuple(map(_reader, inner)))
    if get_origin(hint) is Mapping:
        return _mapping_of(_reader(get_args(hint)[1]))
    return quick_reader(hint, False, _object_reader(hint), _reader)


def _nullable(read: Reader) -> Reader:
    return lambda value: None if value is None else read(value)


def _list_of(read: Reader) -> Reader:
    def read_list(value: Any) -> tuple[Any, ...]:
        if type(value) not in (list, tuple):
            raise Misfit("a list", value)
        try:
            return tuple(map(read, value))
        except Misfit:
            return tuple(_each((read,) * len(value), value))

    return read_list


def _row_of(reads: tuple[Reader, ...]) -> Reader:
    def read_row(value: Any) -> tuple[Any, ...]:
        if type(value) not in (list, tuple) or len(value) != len(reads):
            raise Misfit(f"a list of {len(reads)}", value)
        return tuple(_each(reads, value))

    return read_row


def _each(reads: tuple[Reader, ...], values: Any) -> list[Any]:
    found = []
    for number, (read, value) in enumerate(zip(reads, values, strict=True)):
        try:
            found.append(read(value))
        except Misfit as misfit:
            raise misfit.within(str(number)) from None
    return found


def _mapping_of(read: Reader) -> Reader:
    def read_mapping(value: Any) -> Plain:
        found = {}
        for name, one in _object(value).items():
            try:
                found[name] = read(one)
            except Misfit as misfit:
                raise misfit.within(name) from None
        return found

    return read_mapping


def _object_reader(cls: type) -> Reader:
    """Return what makes a value of the class of a JSON object."""
    of = fields_of(cls)
    needed = tuple((one.key, one.name, _reader(one.hint)) for one in of if not (one.may_lack or one.is_rest))
    optional = tuple((one.key, one.name, _reader(one.hint)) for one in of if one.may_lack)
    rest = next((one.name for one in of if one.is_rest), None)
    known = frozenset(one.key for one in of if not one.is_rest)

    def read(body: Any) -> Any:
        if type(body) is not dict:
            raise Misfit("an object", body)
        values: dict[str, Any] = {}
        key = ""
        try:
            for key, name, take in needed:
                values[name] = take(body[key])
            for key, name, take in optional:
                if key in body:
                    values[name] = take(body[key])
        except KeyError:
            raise Misfit("a value", Nothing(), (key,)) from None
        except Misfit as misfit:
            raise misfit.within(key) from None
        if rest is not None:
            values[rest] = {key: value for key, value in body.items() if key not in known}
        return cls(**values)

    return read


def _event_reader(cls: type) -> Reader:
    """Return what makes an event of its fields, and of what stands beside them."""
    read_object = _object_reader(cls)

    def read(body: Any) -> Any:
        found = body.get("fields")
        if type(found) is not dict:
            raise Misfit("an object", body.get("fields", Nothing()), ("fields",))
        beside = body.copy()
        del beside["fields"]
        return read_object(found | beside)

    return read
