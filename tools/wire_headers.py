"""Writes the wire as data in Python, JavaScript and C, for whoever writes a client or a board: docs/clients.md.

All of it comes from the tables of protocol/, and the units of fields from SPEC.md. `tools.generate_docs` writes the
files.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tools.spec_tables import SPEC, cells_of, table_below
from wallwright.link.binding import fields_of
from wallwright_protocol import link, names, settings
from wallwright_protocol.codec import Layout
from wallwright_protocol.dictionary import Row
from wallwright_protocol.lists import LISTS
from wallwright_protocol.messages import CATALOG_HASH, DIRECTIONS, FROZEN, MESSAGES, PROTOCOL_VERSION, REPLY, REQUEST

WIDTH = 116
TABLES = {"request": "REQUESTS", "reply": "REPLIES", "event": "EVENTS", "status": "STATUSES"}
PARTS = {"input": names.INPUTS, "drive": names.DRIVES, "lamp": names.LAMPS, "reader": names.READERS}
"""Numbers that messages carry, made of the lists of a side, of a seat and of the table."""
OF_PARTS = {
    "readers",
    "inputs of a side",
    "inputs of the table",
    "drives of a side",
    "drives of the table",
    "lamps of a side",
}
WORDS = """\
The Wallwright wire as data: what messages, fields and numbers are called, and how bodies are laid out.

Written by tools/generate_docs.py. SPDX-License-Identifier: Apache-2.0

Names and layouts never change once they were released; a later release has more of them. Numbers are those of the
firmware whose dictionary has the hash CATALOG_HASH: another board tells its own by get_dictionary, and only the
requests named FROZEN have their ids on every board. What a message means, and when it may be sent, is in SPEC.md;
docs/clients.md says how to use this file."""
SHAPES = """\
A field: `at` is where it begins in its payload or body, in bytes; `item` is one value (`B` u8, `H` u16, `I` u32, `16s`
16 bytes), `unit` is what SPEC.md says, `length` how many values there are where it is several, else 0. A request that
REPLIES lacks is answered without a payload."""
PYTHON = f'''\
"""{WORDS}

{SHAPES}
"""

from collections import namedtuple

Field = namedtuple("Field", "name at item unit length", defaults=("", 0))
Row = namedtuple("Row", "id format size fields")
Setting = namedtuple("Setting", "number kind unit default lowest highest meaning")
'''
JAVASCRIPT = f"""\
/* {WORDS}

{SHAPES} */

const Field = (name, at, item, unit = "", length = 0) => ({{ name, at, item, unit, length }});
const Row = (id, format, size, fields) => ({{ id, format, size, fields }});
const Setting = (number, kind, unit, default_, lowest, highest, meaning) => ({{
    number, kind, unit, default: default_, lowest, highest, meaning,
}});
"""
C = f"""\
/* {WORDS}

Of a field, _AT is where it begins in its payload or body, _BYTES how wide one value is, and _COUNT how many there are
where it is several. WW_EACH_STATE(ROW) and the like are ROW(constant, number, "name") for every row; for settings kind,
unit, default, lowest and highest value follow. */

#ifndef WALLWRIGHT_WIRE_H
#define WALLWRIGHT_WIRE_H

#include <stdint.h>

#define WW_PROTOCOL_VERSION {PROTOCOL_VERSION}
#define WW_CATALOG_HASH UINT32_C(0x{CATALOG_HASH:08X})

/* Numbers of 1, 2 or 4 bytes, lowest byte first. */
static inline uint32_t ww_get(const uint8_t *at, unsigned bytes)
{{
    uint32_t value = 0;
    while (bytes--)
        value = value << 8 | at[bytes];
    return value;
}}

static inline void ww_put(uint8_t *at, unsigned bytes, uint32_t value)
{{
    for (; bytes--; value >>= 8)
        *at++ = (uint8_t)value;
}}

#define WW_ENUMERATOR(constant, number, ...) constant = number,
"""


class Placed(NamedTuple):
    """A field where it stands: SHAPES says what its parts are."""

    name: str
    at: int
    item: str
    unit: str
    length: int


def python_header() -> str:
    """Return the wire as a module of Python."""
    return PYTHON + "".join(f"\n{name} = {value}\n" for name, value in _constants())


def javascript_header() -> str:
    """Return the wire as a module of JavaScript."""
    return JAVASCRIPT + "".join(f"\nexport const {name} = {value};\n" for name, value in _constants())


def c_header() -> str:
    """Return the wire as a header of C."""
    lines = [C.rstrip()]
    lines += ["", *(f"#define WW_{name} {value}" for name, value in _limits())]
    tables = [("head", _heads()), *((direction, _messages(direction)) for direction in DIRECTIONS)]
    for kind, rows in tables:
        if kind != REPLY:
            lines += _c_each(kind, [(row[1], f"0x{row[0]:02X}") for row in rows])
        for row in (row for row in rows if row[4]):
            lines += _c_layout(f"WW_{kind}_{row[1]}".upper(), row)
    lines += _c_each("frozen", [(row[1], f"0x{row[0]:02X}") for row in _messages(REQUEST) if row[1] in FROZEN])
    for heading, numbers in _lists().items():
        kind = re.sub(r"(?<=ss|ch)es\b|s\b", "", heading, count=1)
        if kind == "setting":
            lines += _c_each(kind, [(name, ", ".join(_c_setting(name))) for name in numbers])
        elif heading not in OF_PARTS:
            lines += _c_each(kind, [(name, str(number)) for name, number in numbers.items()])
    for kind, found in PARTS.items():
        lines += _c_each(kind, [(name, str(number)) for number, name in enumerate(found)])
    return "\n".join([*lines, "", "#endif", ""])


def _constants() -> Iterator[tuple[str, str]]:
    """Yield each constant with its value, as Python and JavaScript both write it."""
    yield "PROTOCOL_VERSION", str(PROTOCOL_VERSION)
    yield "CATALOG_HASH", f"0x{CATALOG_HASH:08X}"
    yield "LIMITS", _wrapped("{", [f"{json.dumps(name)}: {value}" for name, value in _limits()], "}")
    yield "HEADS", _table(_heads())
    for direction, name in TABLES.items():
        yield name, _table(row for row in _messages(direction) if row[4] or direction != REPLY)
    yield "FROZEN", _wrapped("[", map(json.dumps, FROZEN), "]")
    lists = [
        f"{json.dumps(heading)}: {_wrapped('{', (f'{json.dumps(name)}: {at}' for name, at in rows.items()), '}', 4)}"
        for heading, rows in _lists().items()
    ]
    yield "LISTS", _wrapped("{", lists, "}")
    yield "SETTINGS", _wrapped("{", [f"{json.dumps(name)}: Setting({_setting(name)})" for name in names.SETTINGS], "}")
    for kind, found in PARTS.items():
        yield f"{kind}s".upper(), _wrapped("[", map(json.dumps, found), "]")


def _table(rows: Iterable[Row]) -> str:
    lines = []
    for row in rows:
        fields = []
        for field in _placed(row):
            parts = field if field.length else field[:4] if field.unit else field[:3]
            fields.append(f"Field({', '.join(map(json.dumps, parts))})")
        head = f"{json.dumps(row[1])}: Row(0x{row[0]:02X}, {json.dumps(row[3][1:])}, {Layout(row).size}, "
        lines.append(_wrapped(f"{head}[", fields, "])", 4))
    return _wrapped("{", lines, "}")


def _wrapped(begin: str, pieces: Iterable[str], end: str, indent: int = 0) -> str:
    """Return the pieces between begin and end, in as few lines as have room for them, none of them cut."""
    pieces = list(pieces)
    short = begin + ", ".join(pieces) + end
    if indent + len(short) <= WIDTH:
        return short
    lines: list[str] = []
    for piece in pieces:
        if not lines or indent + 4 + len(lines[-1]) + len(piece) > WIDTH:
            lines.append("")
        lines[-1] += f"{piece}, "
    inner = "\n".join(" " * (indent + 4) + line.rstrip() for line in lines)
    return f"{begin}\n{inner}\n{' ' * indent}{end}"


def _setting(name: str) -> str:
    at = names.SETTINGS.index(name)
    kind, unit = names.SETTING_KINDS[settings.KINDS[at]], names.SETTING_UNITS[settings.UNITS[at]]
    values = (at, kind, unit, settings.DEFAULTS[at], settings.LOWEST[at], settings.HIGHEST[at], settings.MEANINGS[at])
    return ", ".join(map(json.dumps, values))


def _limits() -> list[tuple[str, str]]:
    rows = cells_of(table_below(SPEC.read_text(encoding="utf-8"), "## 11. Limits and times")[1])
    return [(name, value) for name, value, _ in rows]


def _lists() -> dict[str, dict[str, int]]:
    """Return heading -> name -> number: a list that goes on from another number is one with what it began with."""
    found: dict[str, dict[str, int]] = {}
    for heading, first, listed in LISTS:
        found.setdefault(heading, {}).update({name: first + at for at, name in enumerate(listed)})
    return found


def _messages(direction: str) -> list[Row]:
    return [row for row in MESSAGES if row[2] == direction]


def _heads() -> list[Row]:
    """Return the heads of all bodies, as rows: their fields have names in SPEC.md alone."""
    text = SPEC.read_text(encoding="utf-8")
    rows = []
    for heading, name in re.findall(r"^(### ([A-Z_]+) 0x.*)$", text, re.MULTILINE):
        fields = [cells[0] for cells in cells_of(table_below(text, heading)[1]) if cells[1] != "payload"]
        rows.append((getattr(link, name), name, "head", getattr(link, f"{name}_LAYOUT"), tuple(fields)))
    return rows


def _units() -> dict[tuple[str, str], str]:
    """Return (name and direction of a message, field as in its row) -> unit."""
    rows = cells_of(table_below(SPEC.read_text(encoding="utf-8"), "| message | field | unit | meaning |")[1])
    of = {(message, field): unit for messages, field, unit, _ in rows for message in messages.split(", ")}
    return of | {("status status", field): unit for (message, field), unit in of.items() if message == "status"}


def _placed(row: Row) -> Iterator[Placed]:
    units = _units()
    at = 0
    for field, written in zip(fields_of(row), row[4], strict=True):
        unit = units.get((f"{row[1]} {row[2]}", written), "")
        yield Placed(field.name, at, field.item, unit, field.values if field.many else 0)
        at += Layout((0, "", "", f"<{field.values * field.item if field.many else field.item}", ())).size


def _c_each(kind: str, rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the macro of these rows, and the constants."""
    name = kind.replace(" ", "_")
    each = f"WW_EACH_{name.upper()}(ROW)"
    yield ""
    yield f"#define {each} \\"
    for at, (of, number) in enumerate(rows, 1):
        first, _, rest = number.partition(", ")
        words = ", ".join([f"WW_{name}_{of}".upper(), first, json.dumps(of), *([rest] if rest else [])])
        yield f"    ROW({words})" + (" \\" if at < len(rows) else "")
    yield f"enum ww_{name} {{ {each.replace('ROW', 'WW_ENUMERATOR')} }};"


def _c_setting(name: str) -> list[str]:
    number, kind, unit, *values = _setting(name).split(", ", 6)[:6]
    kind, unit = (f"WW_SETTING_{of}".upper() for of in (f"kind_{json.loads(kind)}", f"unit_{json.loads(unit)}"))
    return [number, kind, unit, *values]


def _c_layout(name: str, row: Row) -> Iterator[str]:
    yield ""
    yield f"#define {name}_SIZE {Layout(row).size}"
    for field in _placed(row):
        of = f"#define {name}_{field.name.upper()}"
        yield f"{of}_AT {field.at}" + (f" /* {field.unit} */" if field.unit else "")
        yield f"{of}_BYTES {Layout((0, '', '', '<' + field.item, ())).size}"
        if field.length:
            yield f"{of}_COUNT {field.length}"
