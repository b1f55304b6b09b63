"""What every record of a journal has in common: how a kind is declared, read from the values of its JSON, and written.

A kind is a class. Its annotations say what its fields are, with their units; that is all there is to say, for reading,
writing, docs/journal-records.md and the JSON Schema follow from them:

    @kind("player_withdrawn", by="the desk of an event", since="0.1")
    class PlayerWithdrawn(OfDesk):
        player: Player
        reason: Reason

A field that may be left out has the default None, and is left out when it is None. `Key` names a field otherwise in
JSON, `REST` takes all keys that have no field of their own. What fits no kind is an `Unknown`, which says why, and
loses nothing: an entry is never lost to who only copies or shows it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, TypeVar, dataclass_transform

from .fields import EVENT_HEAD, Misfit, Plain, Reader, fields_of
from .reading import record_reader

T = TypeVar("T")
R = TypeVar("R", bound="Record")


class Record:
    """What an entry says. `KIND` is the kind as the journal has it, `BY` who writes it, `SINCE` the first version."""

    __slots__ = ()
    KIND: ClassVar[str] = ""
    BY: ClassVar[str] = ""
    SINCE: ClassVar[str] = ""
    IS_EVENT: ClassVar[bool] = False
    """Whether a table tells it: its fields stand in `fields` then, beside `time_ms` and `lost`."""


@dataclass(frozen=True, slots=True)
class Unknown(Record):
    """A record of a kind, or of a shape, that this program does not know; `why` says which, `body` has its values."""

    kind: str
    body: Plain
    why: str = "no such kind is known"


@dataclass_transform(frozen_default=True, kw_only_default=True)
def part(cls: type[T]) -> type[T]:
    """Declare values that stand within a record."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def kind(name: str, *, by: str, since: str = "0.1") -> Callable[[type[T]], type[T]]:
    """Declare a kind of records: its name in the journal, who writes it, and the first version that did."""

    def declare(cls: type[T]) -> type[T]:
        made: Any = dataclass(frozen=True, slots=True, kw_only=True)(cls)
        made.KIND, made.BY, made.SINCE = name, by, since
        assert name not in KINDS, f"there is a kind {name} already"
        KINDS[name] = made
        return made  # type: ignore[no-any-return]

    return declare


KINDS: dict[str, type[Record]] = {}
"""All kinds, by their names."""
_READERS: dict[str, Reader] = {}


def read_record(name: str, body: Plain) -> Record:
    """Return what the body of an entry of that kind says; an `Unknown` when it is none of a known kind."""
    try:
        found: Record = (_READERS.get(name) or _new_reader(name))(body)
    except Misfit as misfit:
        return Unknown(name, body, str(misfit))
    return found


def _new_reader(name: str) -> Reader:
    cls = KINDS.get(name)
    if cls is None:
        return partial(Unknown, name)
    return _READERS.setdefault(name, record_reader(cls, is_event=cls.IS_EVENT))


def make_record(cls: type[R], body: Plain) -> R:
    """Return the record of a class whose fields are given as JSON has them. ValueError says what does not fit."""
    found = read_record(cls.KIND, body)
    if not isinstance(found, cls):
        raise ValueError(f"{cls.KIND}: {found.why}" if isinstance(found, Unknown) else cls.KIND)
    return found


def deal_of(record: Record) -> object:
    """Return which deal of its table a record of a host is about, by the board's count; None when it is about none."""
    return record.body.get("deal") if isinstance(record, Unknown) else getattr(record, "deal", None)


def name_of(record: Record) -> str:
    """Return the kind of a record, as the journal has it."""
    return record.kind if isinstance(record, Unknown) else record.KIND


def plain(record: Record) -> dict[str, Any]:
    """Return the body of a record's entry."""
    if isinstance(record, Unknown):
        return dict(record.body)
    found = _plain_object(record)
    if not record.IS_EVENT:
        return found
    head = {key: found.pop(key) for key in EVENT_HEAD if key in found}
    return {"fields": found, **head}


def stored(record: Record) -> tuple[str, dict[str, Any]]:
    """Return kind and body of a record's entry, as journals take them."""
    return name_of(record), plain(record)


def _plain_object(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, key, may_lack, is_rest in _names_of(type(value)):
        one = getattr(value, name)
        if is_rest:
            found |= one
        elif one is not None or not may_lack:
            found[key] = _plain(one)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return _plain_object(value) if hasattr(value, "__dataclass_fields__") else value


_NAMES: dict[type, tuple[tuple[str, str, bool, bool], ...]] = {}


def _names_of(cls: type) -> tuple[tuple[str, str, bool, bool], ...]:
    if cls not in _NAMES:
        _NAMES[cls] = tuple((one.name, one.key, one.may_lack, one.is_rest) for one in fields_of(cls))
    return _NAMES[cls]
