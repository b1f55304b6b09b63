"""The fields of a kind, as its annotations say them, and what values that do not fit are told by."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

Plain = Mapping[str, Any]
"""A JSON object that somebody else reads: a declared deal (`rules.records`), a format (`event.format`)."""
Reader = Callable[[Any], Any]
"""Makes a value of what JSON has for it, or raises Misfit."""
EVENT_HEAD = ("time_ms", "lost")
"""The fields of an event that stand beside `fields`."""


@dataclass(frozen=True, slots=True)
class Key:
    """What a field is called in JSON, where Python keeps that word for itself."""

    name: str


class _Rest:
    """Marks the field that takes all other keys."""


REST: Final = _Rest()


class Misfit(ValueError):
    """Values are not those of a kind; the text says which field, what was expected, and what was found."""

    def __init__(self, expected: str, found: object, where: tuple[str, ...] = ()) -> None:
        self.expected = expected
        self.found = found
        self.where = where
        place = f"{'.'.join(where)}: " if where else ""
        super().__init__(f"{place}expected {expected}, found {_shown(found)}")

    def within(self, name: str) -> "Misfit":
        """Return it as seen from one level above."""
        return Misfit(self.expected, self.found, (name, *self.where))


class Nothing:
    """Stands for a value that is not there."""

    def __repr__(self) -> str:
        return "nothing"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a kind: its name in Python and in JSON, its type, what is said of it, and whether it may lack."""

    name: str
    key: str
    hint: Any
    text: str
    may_lack: bool
    is_rest: bool


def fields_of(cls: type) -> tuple[Field, ...]:
    """Return the fields of a kind, or of a part."""
    hints = get_type_hints(cls, include_extras=True)
    found = []
    for field in fields(cls):
        hint, said = _bare(hints[field.name])
        may_lack = field.default is None
        assert may_lack or field.default is MISSING, f"{cls.__name__}.{field.name}: what may lack is None"
        if may_lack:
            inner, more = _bare(without_none(hint))
            hint, said = inner, (*said, *more)
        key = next((one.name for one in said if isinstance(one, Key)), field.name)
        text = "; ".join(one for one in said if isinstance(one, str))
        found.append(Field(field.name, key, hint, text, may_lack, REST in said))
    return tuple(found)


def options_of(hint: Any) -> tuple[Any, ...]:
    """Return the types of a union, or the one type."""
    return get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)


def _bare(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return a type without what is said of it, and that."""
    said: tuple[Any, ...] = ()
    while get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        said += tuple(more)
    return hint, said


def bare(hint: Any) -> Any:
    """Return a type without what is said of it."""
    return _bare(hint)[0]


def without_none(hint: Any) -> Any:
    """Return a type that may be None without that."""
    left = [one for one in options_of(hint) if one is not NoneType]
    assert len(left) < len(options_of(hint)), "a field that may lack may be None"
    found = left[0]
    for one in left[1:]:
        found = found | one
    return found


def _shown(found: object) -> str:
    text = repr(found)
    return text if len(text) <= 60 else f"{text[:59]}…"
