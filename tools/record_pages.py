"""docs/journal-records.md and its JSON Schema, from the kinds of records of `wallwright.journal.kinds`."""

import inspect
import json
from collections.abc import Iterator, Mapping
from types import NoneType
from typing import Any, get_args, get_origin

from wallwright.journal.kinds import KINDS, Record, deals, desk, house, rulings, season, tables
from wallwright.journal.kinds.fields import EVENT_HEAD, Field, Part, Plain, bare, fields_of, options_of
from wallwright.journal.kinds.texts import IN_OBJECTS, rules_in

MODULES = {
    deals: "Deals",
    desk: "The desk of an event",
    rulings: "Rulings",
    season: "The desk of a season",
    tables: "Events of tables",
    house: "The host, its journal and its console",
}
_SIMPLE: Mapping[Any, tuple[str, str]] = {
    int: ("integer", "whole number"),
    str: ("string", "text"),
    bool: ("boolean", "true or false"),
    Plain: ("object", "object"),
}


def records_page() -> str:
    """Return docs/journal-records.md."""
    lines = [
        "# Records of a journal\n",
        "What an entry of each kind says, who writes it, and since which version. [journal.md](journal.md) says",
        "what all entries have. [journal-records.schema.json](journal-records.schema.json) says the same for",
        "programs, as JSON Schema 2020-12: the body of a kind is `#/$defs/KIND`.\n",
        "Times are milliseconds, points are whole numbers, seats and sides are 0 to 3. A field that may be left out",
        "is not there when there is nothing to say. A field that is not listed, as a later version may write it, is",
        "passed over. A record with a value of another type is read as one that this program does not know: it is",
        "kept, copied and shown, and nothing follows from it.\n",
        "The characters of a text are counted, and none is a control, an end of a line where no lines are named, an",
        "override of direction or a character that is none. Commands and pages write no other text. A record of",
        "somebody else's, as in an extract, is refused with another one; of a journal of one's own it is read, and",
        "what cannot be seen in it is shown as an escape such as `\\u001b`.",
    ]
    parts: dict[str, type[Part]] = {}
    for module, heading in MODULES.items():
        lines += [f"\n## {heading}\n", (inspect.getdoc(module) or "").replace("\n\n", "\n")]
        for cls in (one for one in KINDS.values() if one.__module__ == module.__name__):
            lines += _kind_lines(cls, parts)
    lines += ["\n## Parts of records"]
    written: set[str] = set()
    while left := [name for name in parts if name not in written]:
        written.add(left[0])
        part = parts[left[0]]
        lines += [f"\n### {left[0]}\n", f"{inspect.getdoc(part)}\n", *_table(fields_of(part), parts)]
    return "\n".join(lines) + "\n"


def records_schema() -> str:
    """Return docs/journal-records.schema.json."""
    defs: dict[str, Any] = {}
    for name, cls in KINDS.items():
        defs[name] = _event_schema(cls, defs) if cls.IS_EVENT else _object_schema(cls, defs)
        defs[name]["description"] = f"{inspect.getdoc(cls)} Written by {cls.BY}, since {cls.SINCE}."
    title = "Bodies of the entries of a Wallwright journal, by kind"
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "$defs": defs}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _kind_lines(cls: type[Record], parts: dict[str, type]) -> Iterator[str]:
    yield f"\n### `{cls.KIND}`\n"
    yield f"{inspect.getdoc(cls)} Written by {cls.BY}; since {cls.SINCE}.\n"
    own = [one for one in fields_of(cls) if not (cls.IS_EVENT and one.key in EVENT_HEAD)]
    yield from _table(tuple(own), parts)


def _table(fields: tuple[Field, ...], parts: dict[str, type]) -> Iterator[str]:
    yield "| field | type | what |"
    yield "|---|---|---|"
    for one in fields:
        name = "all other fields" if one.is_rest else f"`{one.key}`"
        rules = (f"each text {rule}" if rule is IN_OBJECTS else str(rule) for rule in rules_in(one.full))
        text = "; ".join(part for part in (one.text, *rules, "may be left out" if one.may_lack else "") if part)
        yield f"| {name} | {_words(one.hint, parts)} | {text} |"


def _words(hint: Any, parts: dict[str, type]) -> str:
    hint = bare(hint)
    if hint in _SIMPLE:
        return _SIMPLE[hint][1]
    if NoneType in options_of(hint):
        return " or ".join("null" if one is NoneType else _words(one, parts) for one in options_of(hint))
    inner = get_args(hint)
    if get_origin(hint) is tuple and inner[1:] == (...,):
        return f"list, each {_words(inner[0], parts)}"
    if get_origin(hint) is tuple:
        return f"list of {len(inner)}: {', '.join(dict.fromkeys(_words(one, parts) for one in inner))}"
    if get_origin(hint) is Mapping:
        return f"object, each {_words(inner[1], parts)}"
    parts[hint.__name__] = hint
    return f"[{hint.__name__}](#{hint.__name__.lower()})"


def _event_schema(cls: type, defs: dict[str, Any]) -> dict[str, Any]:
    whole = _object_schema(cls, defs)
    head = {key: whole["properties"].pop(key) for key in EVENT_HEAD}
    whole["required"] = [key for key in whole["required"] if key not in EVENT_HEAD]
    required = ["fields", "time_ms"]
    return {"type": "object", "properties": {"fields": whole, **head}, "required": required} | _CLOSED


def _object_schema(cls: type, defs: dict[str, Any]) -> dict[str, Any]:
    of = fields_of(cls)
    found = {
        "type": "object",
        "properties": {one.key: _schema(one.hint, defs) | _said(one.text) for one in of if not one.is_rest},
        "required": [one.key for one in of if not (one.may_lack or one.is_rest)],
    }
    return found if any(one.is_rest for one in of) else found | _CLOSED


def _schema(hint: Any, defs: dict[str, Any]) -> dict[str, Any]:
    hint = bare(hint)
    if hint in _SIMPLE:
        return {"type": _SIMPLE[hint][0]}
    if NoneType in options_of(hint):
        return {"anyOf": [{"type": "null"} if one is NoneType else _schema(one, defs) for one in options_of(hint)]}
    inner = get_args(hint)
    if get_origin(hint) is tuple and inner[1:] == (...,):
        return {"type": "array", "items": _schema(inner[0], defs)}
    if get_origin(hint) is tuple:
        each = [_schema(one, defs) for one in inner]
        return {"type": "array", "prefixItems": each, "minItems": len(each), "maxItems": len(each)}
    if get_origin(hint) is Mapping:
        return {"type": "object", "additionalProperties": _schema(inner[1], defs)}
    if hint.__name__ not in defs:
        defs[hint.__name__] = {}
        defs[hint.__name__] = _object_schema(hint, defs) | _said(inspect.getdoc(hint) or "")
    return {"$ref": f"#/$defs/{hint.__name__}"}


_CLOSED = {"additionalProperties": False}


def _said(text: str) -> dict[str, str]:
    return {"description": text} if text else {}
