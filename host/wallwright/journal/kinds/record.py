"""What every record of a journal has in common: how a kind is declared, read from the JSON of a body, and written.

A kind is a class. Its annotations say what its fields are, with their units; that is all there is to say, for reading,
writing, docs/journal-records.md and the JSON Schema follow from them:

    @kind("player_withdrawn", by="the desk of an event", since="0.1")
    class PlayerWithdrawn(OfDesk):
        player: PlayerNumber
        reason: Reason

A field that may be left out has the default None, and is left out when it is None. `field(name=...)` names a field
otherwise in JSON, `REST` takes all keys that have no field of their own. What fits no kind is an `Unknown`, which says
why, and loses nothing: an entry is never lost to who only copies or shows it. A field that a class does not have, as a
later version may write it, is passed over.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import MsgspecError, Struct, ValidationError, field, to_builtins
from msgspec.structs import force_setattr

from ...system.forms import convert, decoder_of
from ...system.strict_json import read_own_object, refuse_over
from .fields import EVENT_HEAD, Part, Plain, fields_of
from .misfits import is_of_surplus, told, without_surplus
from .texts import Word

T = TypeVar("T")
R = TypeVar("R", bound="Record")
K = TypeVar("K", bound="type[Record]")


class Record(Part):
    """What an entry says. `KIND` is the kind as the journal has it, `BY` who writes it, `SINCE` the first version."""

    KIND: ClassVar[str] = ""
    BY: ClassVar[str] = ""
    SINCE: ClassVar[str] = ""
    IS_EVENT: ClassVar[bool] = False
    """Whether a table tells it: its fields stand in `fields` then, beside `time_ms` and `lost`."""


class Unknown(Record):
    """A record of a kind, or of a shape, that this program does not know; `why` says which, `body` has its values."""

    kind: Word
    body: Plain
    why: Word = "no such kind is known"


def kind(name: str, *, by: str, since: str = "0.1") -> Callable[[K], K]:
    """Declare a kind of records: its name in the journal, who writes it, and the first version that did."""

    def declare(cls: K) -> K:
        cls.KIND, cls.BY, cls.SINCE = name, by, since
        assert name not in KINDS, f"there is a kind {name} already"
        KINDS[name] = cls
        return cls

    return declare


KINDS: dict[str, type[Record]] = {}
"""All kinds, by their names."""


class _Event(Struct, Generic[T], frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The body of an event."""

    time_ms: int
    fields: T
    lost: int = field(default=None)  # type: ignore[assignment]  # may lack, but is not null


def decode_record(name: str, text: str) -> Record:
    """Return what the text of a body says in an entry of that kind; an `Unknown` when it is none of a known kind.

    Raises BadJson for a text that this program's writers cannot have made.
    """
    refuse_over(text)
    decode = _decoder(name)
    if decode is not None:
        try:
            return _flat(decode(text))
        except (MsgspecError, ValueError, RecursionError):
            pass  # read once more, by what says exactly what is wrong
    return read_record(name, read_own_object(text))


def read_record(name: str, body: Plain) -> Record:
    """Return what a body says, whose values are those of its JSON; an `Unknown` when it is none of a known kind."""
    cls = KINDS.get(name)
    if cls is None:
        return Unknown(kind=name, body=body)
    known = body
    rest = _rest_of(cls)
    if rest is not None:
        own = [key for key in cls.__struct_encode_fields__ if key != rest and key in body]
        known = {rest: {key: body[key] for key in body if key not in own}} | {key: body[key] for key in own}
    shape = _Event[cls] if cls.IS_EVENT else cls  # type: ignore[valid-type]
    try:
        try:
            return _flat(convert(known, shape))
        except ValidationError as error:
            if not is_of_surplus(error):
                raise
            known = without_surplus(cls, known, is_event=cls.IS_EVENT)
            return _flat(convert(known, shape))
    except ValidationError as error:
        return Unknown(kind=name, body=body, why=told(error, known, is_event=cls.IS_EVENT))


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
    found: dict[str, Any] = _with_lists(to_builtins(record))
    if record.IS_EVENT:
        head = {key: found.pop(key) for key in EVENT_HEAD if key in found}
        return {"fields": found, "time_ms": 0, **head}
    rest = _rest_of(type(record))
    return found if rest is None else found | found.pop(rest)


def _with_lists(value: Any) -> Any:
    """Return a value of builtin types with lists for its tuples, as it is read from JSON."""
    if isinstance(value, dict):
        return {key: _with_lists(one) for key, one in value.items()}
    return list(map(_with_lists, value)) if isinstance(value, list | tuple) else value


def stored(record: Record) -> tuple[str, dict[str, Any]]:
    """Return kind and body of a record's entry, as journals take them."""
    return name_of(record), plain(record)


@cache
def _decoder(name: str) -> Callable[[str], Any] | None:
    """Return what reads bodies of a kind at once; None where more is to be done."""
    cls = KINDS.get(name)
    if cls is None or _rest_of(cls) is not None:
        return None
    return decoder_of(_Event[cls] if cls.IS_EVENT else cls).decode  # type: ignore[valid-type]


@cache
def _rest_of(cls: type[Record]) -> str | None:
    """Return the key of the field that takes all others, if there is one."""
    return next((one.key for one in fields_of(cls) if one.is_rest), None)


def _flat(found: Any) -> Record:
    """Return an event with what stands beside its fields in JSON; any other record as it is."""
    if type(found) is not _Event:
        return found  # type: ignore[no-any-return]
    said: Record = found.fields
    force_setattr(said, "time_ms", found.time_ms)
    force_setattr(said, "lost", found.lost)
    return said
