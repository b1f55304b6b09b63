"""The classes that records and their parts are made of, and what their annotations say of each field.

They are structs of msgspec: frozen, made by keyword alone, and checked as they are read, whole numbers, texts and all.
A field whose default is None may be left out, and null is then none of its values; without that default, `int | None`
means that null is written.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, dataclass_transform, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, StructMeta, field, structs

Plain = Mapping[str, Any]
"""A JSON object that somebody else reads: a declared deal (`rules.records`), a format (`event.format`)."""
EVENT_HEAD = ("time_ms", "lost")
"""The fields of an event that stand beside `fields`."""


class _Rest:
    """Marks the field that takes all other keys."""


REST: Final = _Rest()


class PartType(StructMeta):
    """Makes the classes of records and parts all of one form."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], frozen: bool = True) -> "PartType":
        hints = namespace.get("__annotations__", {})
        for one, hint in hints.items():
            default = namespace.get(one, NODEFAULT)
            if getattr(default, "default", default) is None:
                hints[one] = _without_none(hint)
        # They refer to nothing that could refer back to them, so that the garbage collector may leave them alone.
        return super().__new__(
            cls,
            name,
            bases,
            namespace,
            frozen=frozen,
            kw_only=True,
            forbid_unknown_fields=True,
            omit_defaults=True,
            gc=False,
        )


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class Part(Struct, metaclass=PartType, frozen=True):
    """Values that stand within a record."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a kind: its name in Python and in JSON, its type, what is said of it, and whether it may lack.

    `hint` is the type alone, `full` is as it was declared.
    """

    name: str
    key: str
    hint: Any
    full: Any
    text: str
    may_lack: bool
    is_rest: bool


@cache
def fields_of(cls: type[Part]) -> tuple[Field, ...]:
    """Return the fields of a kind, or of a part."""
    hints = get_type_hints(cls, include_extras=True)
    found = []
    for one in structs.fields(cls):
        hint, said = taken_apart(hints[one.name])
        text = "; ".join(each for each in said if isinstance(each, str))
        found.append(Field(one.name, one.encode_name, hint, hints[one.name], text, one.default is None, REST in said))
    return tuple(found)


def options_of(hint: Any) -> tuple[Any, ...]:
    """Return the types of a union, or the one type."""
    return get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)


def bare(hint: Any) -> Any:
    """Return a type without what is said of it."""
    return taken_apart(hint)[0]


def taken_apart(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return a type without what is said of it, and that."""
    said: tuple[Any, ...] = ()
    while get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        said += tuple(more)
    return hint, said


def _without_none(hint: Any) -> Any:
    """Return a type that may be None without that, with all that is said of it."""
    hint, said = taken_apart(hint)
    left = [one for one in options_of(hint) if one is not NoneType]
    found: Any = Union[tuple(left)]  # noqa: UP007 (their number is not known)
    return Annotated[(found, *said)] if said else found
