"""SPEC.md as data, and an encoder and a decoder made from nothing but its text, PyPI's cobs and binascii.

`.venv-dev/bin/python -m tests.protocol.spec` writes the catalog hash and the bytes of the examples anew, from the
tables and fields in the text; to be run after a change there.
"""

import ast
import binascii
import re
import struct
from dataclasses import dataclass
from pathlib import Path

from cobs import cobs

import wallwright_protocol

PATH = Path(wallwright_protocol.__file__).parent / "SPEC.md"
SPEC = PATH.read_text()
BYTES_PER_LINE = 32

_TYPES = {"u8": "B", "u16": "H", "u32": "I"}
_EXAMPLE = re.compile(
    r"^```frame (?P<number>\d+): (?P<title>.*)\n(?P<hex>[0-9a-f\s]+)\n(?P<fields>kind = [^`]*)```$", re.M
)


@dataclass(frozen=True)
class Row:
    """One row of the message table."""

    number: int
    name: str
    direction: str
    layout: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Example:
    """One example: its number, its bytes as written, its fields as written (body first, payload apart)."""

    number: int
    title: str
    frame: bytes
    body: dict[str, object]
    payload: dict[str, object]

    @property
    def kind(self) -> int:
        """The kind of the body."""
        kind = self.body["kind"]
        assert isinstance(kind, int)
        return kind

    @property
    def message(self) -> Row | None:
        """The row that the payload follows, None when it is empty."""
        direction = DIRECTION_OF_KIND.get(self.kind)
        if self.body.get("code"):
            return None
        found = [row for row in ROWS if row.number == self.body.get("message") and row.direction == direction]
        return found[0] if found else None


def table_below(heading: str) -> list[list[str]]:
    """The cells of the first table under the heading that starts with `heading`, without its head."""
    _, found, rest = SPEC.partition(f"\n{heading}")
    assert found, heading
    lines = rest[rest.index("\n|") + 1 :].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def numbers(heading: str) -> dict[str, int]:
    """Name -> number of one list of section 10 or of the limits."""
    rows = table_below(heading)
    return {row[1]: int(row[0]) for row in rows} if rows[0][0].isdigit() else {row[0]: int(row[1]) for row in rows}


def message_rows() -> tuple[Row, ...]:
    """The message table."""
    rows = table_below("## 8. Messages")
    return tuple(
        Row(int(number, 16), name, direction, layout, tuple(fields.split(", ")) if fields else ())
        for number, name, direction, layout, fields, _ in rows
    )


def field_meanings() -> dict[str, list[tuple[str, str]]]:
    """`name direction` of a message -> its fields in the order written, each with its meaning."""
    found: dict[str, list[tuple[str, str]]] = {}
    for messages, field, _, meaning in table_below("Sides and seats are"):
        for message in messages.split(", "):
            found.setdefault("status status" if message == "status" else message, []).append((field, meaning))
    return found


def body_layouts() -> dict[int, tuple[str, str, list[str]]]:
    """Kind -> its name, the format of its head, its fields (the payload left out)."""
    found = {}
    for name, kind in re.findall(r"^### ([A-Z_]+) (0x[0-9a-f]{2}), ", SPEC, re.M):
        rows = [row for row in table_below(f"### {name} {kind}") if row[1] != "payload"]
        found[int(kind, 16)] = (name, "<" + "".join(_TYPES[row[1]] for row in rows), [row[0] for row in rows])
    return found


def _values(lines: str) -> dict[str, object]:
    pairs = [line.split(" = ") for line in lines.splitlines() if line]
    return {name: ast.literal_eval(value) for name, value in pairs}


def examples() -> list[Example]:
    """All examples, in order."""
    found = []
    for match in _EXAMPLE.finditer(SPEC):
        body, _, payload = match["fields"].partition("payload:\n")
        frame = bytes.fromhex(match["hex"])
        found.append(Example(int(match["number"]), match["title"], frame, _values(body), _values(payload)))
    return found


def stuff(body: bytes) -> bytes:
    """The frame of `body`, by the oracle."""
    return bytes(cobs.encode(body + binascii.crc32(body).to_bytes(4, "little"))) + b"\x00"


def unstuff(frame: bytes) -> bytes:
    """The body of a good frame, by the oracle."""
    data = bytes(cobs.decode(frame[:-1]))
    assert frame[-1] == 0
    assert binascii.crc32(data[:-4]).to_bytes(4, "little") == data[-4:]
    return data[:-4]


def _flat(values: dict[str, object]) -> list[object]:
    return [item for value in values.values() for item in (value if isinstance(value, tuple) else (value,))]


def encode(example: Example) -> bytes:
    """The frame of an example's fields, by the tables of SPEC.md."""
    _, layout, names = LAYOUTS[example.kind]
    assert list(example.body) == names, f"fields of example {example.number}"
    body = struct.pack(layout, *example.body.values())
    row = example.message
    if row:
        assert list(example.payload) == [field.split("[")[0] for field in row.fields]
        body += struct.pack("<" + row.layout, *_flat(example.payload))
    else:
        assert example.payload == {}
    return stuff(body)


def lists() -> dict[str, dict[str, int]]:
    """Heading of section 10 -> name -> number, all of them in the order written."""
    section = SPEC.partition("\n## 10. Numbers\n")[2].partition("\n## ")[0]
    return {heading: numbers(f"### {heading}\n") for heading in re.findall(r"^### (.*)$", section, re.M)}


def catalog_hash() -> int:
    """The hash of the message table and the lists as written, by its description."""
    lines = [f"{row.number} {row.name} {row.direction} {row.layout} {','.join(row.fields)}" for row in ROWS]
    lines += [
        f"{heading.lower()} {number} {name}" for heading, names in lists().items() for name, number in names.items()
    ]
    return binascii.crc32("\n".join(lines).encode("ascii"))


def rewritten() -> str:
    """The text with the catalog hash and the bytes of the examples as they should be."""
    stated = re.search(r"The catalog hash of these tables is (0x[0-9A-F]{8})\.", SPEC)
    assert stated is not None
    text = SPEC.replace(stated[1], f"0x{catalog_hash():08X}")
    for example in EXAMPLES:
        old = int(stated[1], 16)
        body = {
            name: catalog_hash() if name == "catalog" and value == old else value
            for name, value in example.body.items()
        }
        frame = encode(Example(example.number, example.title, b"", body, example.payload))
        lines = [frame[at : at + BYTES_PER_LINE].hex(" ") for at in range(0, len(frame), BYTES_PER_LINE)]
        begin = text.index(f"```frame {example.number}: ")
        first, last = text.index("\n", begin) + 1, text.index("\nkind = ", begin)
        text = text[:first] + "\n".join(lines) + text[last:]
    return text


ROWS = message_rows()
LAYOUTS = body_layouts()
DIRECTION_OF_KIND = {0x02: "request", 0x82: "reply", 0x83: "event", 0x84: "status"}
EXAMPLES = examples()

if __name__ == "__main__":
    PATH.write_text(rewritten())
