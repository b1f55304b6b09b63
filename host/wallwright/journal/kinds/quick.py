"""Reads what fits its kind, as nearly every record does, by a function that is made for the kind.

`dataclasses` writes the code of `__init__` in the same way, and for the same reason: whole journals go through it. What
does not fit goes to the reader of `record`, which is some four times slower and says what is wrong.
"""

from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any, get_args, get_origin

from .fields import EVENT_HEAD, Field, Misfit, Plain, Reader, bare, fields_of, options_of, without_none

_SIMPLE = {int: "int", str: "str", bool: "bool", Plain: "dict"}


class _Code:
    """The source of one function, and the functions and classes that it calls."""

    def __init__(self, reader: Callable[[Any], Reader]) -> None:
        self.names: dict[str, Any] = {"Misfit": Misfit}
        self._reader = reader

    def calls(self, hint: Any) -> str:
        """Return the name of what reads values of a type."""
        name = f"read_{len(self.names)}"
        self.names[name] = self._reader(hint)
        return name

    def check(self, hint: Any, value: str) -> str:
        """Return an expression that is true when a value may be of a type."""
        hint = bare(hint)
        if hint in _SIMPLE:
            return f"type({value}) is {_SIMPLE[hint]}"
        if NoneType in options_of(hint):
            return f"({value} is None or {self.check(without_none(hint), value)})"
        if get_origin(hint) is tuple:
            inner = get_args(hint)
            if inner[1:] == (...,):
                return f"type({value}) is list"
            each = "".join(f" and {self.check(one, f'{value}[{at}]')}" for at, one in enumerate(inner))
            return f"(type({value}) is list and len({value}) == {len(inner)}{each})"
        return f"type({value}) is dict"

    def made(self, hint: Any, value: str) -> str:
        """Return an expression for the value itself."""
        hint = bare(hint)
        if hint in _SIMPLE:
            return value
        if NoneType in options_of(hint):
            made = self.made(without_none(hint), value)
            return made if made == value else f"(None if {value} is None else {made})"
        if get_origin(hint) is tuple:
            inner = get_args(hint)
            if inner[1:] == (...,):
                return f"tuple(map({self.calls(inner[0])}, {value}))"
            return f"({', '.join(self.made(one, f'{value}[{at}]') for at, one in enumerate(inner))},)"
        return f"{self.calls(hint)}({value})"


def quick_reader(cls: type, is_event: bool, slow: Reader, reader: Callable[[Any], Reader]) -> Reader:
    """Return what reads records of a class; `slow` has whatever does not fit, `reader` makes readers of types."""
    code = _Code(reader)
    code.names |= {"cls": cls, "slow": slow, "twin": _twin(cls)}
    lines = ["def read(body):", " if type(body) is not dict: return slow(body)", " try:"]
    parts: Mapping[str, list[Field]] = {"fields": [], "body": []}
    for field in fields_of(cls):
        parts["fields" if is_event and field.key not in EVENT_HEAD else "body"].append(field)
    if is_event:
        lines += ['  fields = body["fields"]', "  if type(fields) is not dict: return slow(body)"]
    checks = []
    for where, of in parts.items():
        if where == "fields" and not is_event:
            continue
        needed = [one for one in of if not (one.may_lack or one.is_rest)]
        lines += [f"  v_{one.name} = {where}[{one.key!r}]" for one in needed]
        checks += [
            *(["type(fields) is dict"] if where == "fields" else ()),
            *(code.check(one.hint, f"v_{one.name}") for one in needed),
        ]
        for one in (one for one in of if one.may_lack):
            lines.append(f"  v_{one.name} = {where}.get({one.key!r})")
            lines.append(f"  if v_{one.name} is not None:")
            lines.append(f"   if not ({code.check(one.hint, f'v_{one.name}')}): return slow(body)")
            if (made := code.made(one.hint, f"v_{one.name}")) != f"v_{one.name}":
                lines.append(f"   v_{one.name} = {made}")
            lines.append(f"  elif {one.key!r} in {where}: return slow(body)")
    lines.append(f"  if {' and '.join(checks)}:")
    lines.append("   made = twin()")
    lines += [f"   made.{one.name} = {_value(code, cls, one)}" for of in parts.values() for one in of]
    lines += ["   made.__class__ = cls", "   return made"]
    lines += [" except (KeyError, Misfit): pass", " return slow(body)"]
    exec("\n".join(lines), code.names)
    made_reader: Reader = code.names["read"]
    return made_reader


def _value(code: _Code, cls: type, field: Field) -> str:
    if field.is_rest:
        code.names["known"] = frozenset(one.key for one in fields_of(cls) if not one.is_rest)
        return "{key: value for key, value in body.items() if key not in known}"
    return f"v_{field.name}" if field.may_lack else code.made(field.hint, f"v_{field.name}")


def _twin(cls: Any) -> type:
    """Return a class of the same layout whose values can be set; a value becomes one of `cls` when all of them are.

    The `__init__` of a frozen dataclass takes four times as long, as it has to go round its own `__setattr__`.
    """
    plain = {"__init__": object.__init__, "__setattr__": object.__setattr__}
    return type(f"{cls.__name__}Twin", cls.__bases__, {"__slots__": cls.__slots__, **plain})
