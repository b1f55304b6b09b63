"""Turns a board's messages and numbers into this program's, by the names that its dictionary tells.

A board may know more than this program, less, or the same under other numbers. What both know has one name and one
layout; fields that one of them does not have stand behind those that both have, and are 0 for the other.
"""

import re
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from wallwright_protocol.codec import CodecError, Layout
from wallwright_protocol.dictionary import Dictionary, Row, own
from wallwright_protocol.messages import REPLY, REQUEST

from ..errors import BadMessage, NotOnBoard
from .numbers import KNOWN, MANY, NOWHERE, has_given, name_of, names_in, number_of, unnamed

_BITS = {"inputs": "input", "drives": "drive", "sensed": "drive", "lamps": "lamp", "readers": "reader"}
"""Fields whose bits are numbers of that kind."""
_PLACED = {"inputs": "input", "outputs": "place"}
"""Fields of many values, one for each number of that kind."""
_KIND_OF = {"from": "reader", "to": "reader", "testing": "self_test"}
"""Fields that carry a number of a kind under another name."""
_EDGES_OF = "get_inputs"
"""The message whose `edges` are inputs, with EDGE_RISES added when they rise."""
_EDGE_RISES = 64
_FIELD = re.compile(r"(\w+)(?:\[(\d+)\])?")

OWN = own()
Value = int | bytes


class Field(NamedTuple):
    """A field of a row: its name, how many values it has, and the format of one. `many` when it is written as `[n]`."""

    name: str
    values: int
    item: str
    many: bool


@cache
def fields_of(row: Row) -> tuple[Field, ...]:
    """Return the fields of a row."""
    items: list[str] = []
    for count, letter in re.findall(r"(\d*)([BHIs])", row[3]):
        items += [count + letter] if letter == "s" else [letter] * int(count or 1)
    found = []
    at = 0
    for field in row[4]:
        name, count = _FIELD.fullmatch(field).groups()  # type: ignore[union-attr] # a dictionary has no other fields
        found.append(Field(name, int(count or 1), items[at], count is not None))
        at += int(count or 1)
    return tuple(found)


class Told(NamedTuple):
    """A message of a board: its name, its number in this program and its payload by this program's layout.

    Of one that this program does not know the number is None, and `payload` as the board has sent it. Of one whose
    payload does not fit the board's own layout `payload` is None.
    """

    name: str
    number: int | None
    payload: bytes | None


class Binding:
    """The numbers of one release of the firmware as this program has them; all boards of the release share it."""

    def __init__(self, board: Dictionary = OWN) -> None:
        self.board = board
        self.is_own = board.catalog == OWN.catalog
        self._names = names_in(board.lists)
        self._names["message"] = {row[0]: row[1] for row in board.rows if row[2] == REQUEST}
        self._numbers = {kind: {name: number for number, name in names.items()} for kind, names in self._names.items()}
        self._rows = {(row[2], row[0]): row for row in board.rows}

    def names(self, kind: str) -> tuple[str, ...]:
        """Return the names of a kind in the order of the board's numbers: "fault", "setting", "drive"."""
        return tuple(name for _, name in sorted(self._names[kind].items()))

    def number(self, kind: str, name: str) -> int | None:
        """Return the board's number for a name, None when it has no such name."""
        return self._numbers[kind].get(name)

    def request(self, name: str, values: Sequence[Value]) -> tuple[int, bytes]:
        """Return a request's number on the board and its payload.

        Raises NotOnBoard when the board lacks the request, or a name or field that is in it; CodecError for values that
        do not fit this program's layout.
        """
        mine = _own(name, REQUEST)
        payload = Layout(mine).pack(*values)
        if self.is_own:
            return mine[0], payload
        theirs = self.board.row(name, REQUEST)
        if theirs is None or not _is_same(mine, theirs):
            raise NotOnBoard(name, name)
        carried = struct.unpack(mine[3], payload)
        given = dict(zip([field.name for field in fields_of(mine)], _by_field(mine, carried), strict=True))
        sent: list[Value] = []
        for field in fields_of(theirs):
            sent += self._to_board(name, field, given.pop(field.name, None))
        for field_name, left in given.items():
            if any(left):
                raise NotOnBoard(name, f"{field_name} of {name}")
        return theirs[0], struct.pack(theirs[3], *sent)

    def refusal(self, code: int) -> int:
        """Return this program's number of a refusal."""
        return self._number(code, "refusal")

    def reply(self, name: str, payload: bytes) -> bytes:
        """Return a reply's payload by this program's layout. Raises BadMessage when it does not fit the board's."""
        if self.is_own and not has_given():
            return payload
        theirs = self.board.row(name, REPLY)
        mine = _own(name, REPLY)
        if theirs is None or not _is_same(mine, theirs):
            raise NotOnBoard(name, f"answer to {name}")
        try:
            return self._payload(mine, theirs, payload)
        except CodecError as error:
            raise BadMessage(name, payload) from error

    def told(self, direction: str, number: int, payload: bytes) -> Told | None:
        """Return what a message of the board says, None for one that its own dictionary does not have."""
        theirs = self._rows.get((direction, number))
        if theirs is None:
            return None
        mine = OWN.row(theirs[1], direction)
        if mine is None or not _is_same(mine, theirs):
            return Told(theirs[1], None, payload if len(payload) == struct.calcsize(theirs[3]) else None)
        if len(payload) != struct.calcsize(theirs[3]):
            return Told(theirs[1], mine[0], None)
        return Told(
            theirs[1], mine[0], payload if self.is_own and not has_given() else self._payload(mine, theirs, payload)
        )

    def layout(self, name: str, direction: str) -> Layout | None:
        """Return the board's layout of a message."""
        row = self.board.row(name, direction)
        return None if row is None else Layout(row)

    def layout_of(self, direction: str, number: int) -> Layout | None:
        """Return the board's layout of the message with that number."""
        row = self._rows.get((direction, number))
        return None if row is None else Layout(row)

    def lacks(self) -> tuple[str, ...]:
        """Return what this program knows and the board does not: requests, events, fields, names of lists."""
        return tuple(_beyond(OWN, self.board))

    def knows_more(self) -> tuple[str, ...]:
        """Return what the board knows and this program does not."""
        return tuple(_beyond(self.board, OWN))

    def _payload(self, mine: Row, theirs: Row, payload: bytes) -> bytes:
        values = Layout(theirs).unpack(payload)
        given = dict(zip([field.name for field in fields_of(theirs)], _by_field(theirs, values), strict=True))
        found: list[Value] = []
        for field in fields_of(mine):
            found += self._to_own(mine[1], field, given.get(field.name))
        return struct.pack(mine[3], *found)

    def _to_own(self, message: str, field: Field, values: Sequence[Value] | None) -> Sequence[Value]:
        if values is None:
            return _nothing(field)
        if field.name == "edges" and message == _EDGES_OF:
            return [self._edge(value) for value in values if isinstance(value, int)]
        if field.name in _PLACED and field.many:
            kind = _PLACED[field.name]
            return [_at(values, self.number(kind, name_of(kind, at))) for at in range(field.values)]
        kind = _KIND_OF.get(field.name, field.name)
        if field.name in _BITS:
            return [_as(field, self._mask(_BITS[field.name], _mask_of(values[0])))]
        if kind in self._names:
            return [self._number(value, kind) for value in values if isinstance(value, int)]
        return values

    def _to_board(self, request: str, field: Field, values: Sequence[Value] | None) -> Sequence[Value]:
        if values is None:
            return _nothing(field)
        kind = _KIND_OF.get(field.name, field.name)
        if field.name in _PLACED and field.many:
            placed = {name_of(_PLACED[field.name], at): value for at, value in enumerate(values) if value != NOWHERE}
            found = [placed.pop(name, NOWHERE) for name in self.names(_PLACED[field.name])[: field.values]]
            for name in placed:
                raise NotOnBoard(request, name)
            return found
        if kind not in self._names:
            return values
        found = []
        for value in values:
            name = name_of(kind, int(value))
            number = self.number(kind, name)
            if number is None and name in KNOWN[kind]:
                raise NotOnBoard(request, name)
            # What nobody has a name for goes as it is.
            found.append(int(value) if number is None else number)
        return found

    def _number(self, number: int, kind: str) -> int:
        if number == NOWHERE or (self.is_own and not has_given()):
            return number
        found = number_of(kind, self._names[kind].get(number) or unnamed(kind, number))
        return MANY if found is None else found

    def _mask(self, kind: str, mask: int) -> int:
        found = 0
        for bit in range(mask.bit_length()):
            if mask >> bit & 1:
                number = number_of(kind, self._names[kind].get(bit) or unnamed(kind, bit))
                found |= 0 if number is None else 1 << number
        return found

    def _edge(self, edge: int) -> int:
        return min(self._number(edge % _EDGE_RISES, "input"), _EDGE_RISES - 1) + (edge & _EDGE_RISES)


def _own(name: str, direction: str) -> Row:
    row = OWN.row(name, direction)
    if row is None:
        raise ValueError(f"there is no {direction} {name}")
    return row


def _is_same(one: Row, other: Row) -> bool:
    """Say whether two rows are of one message: the fields of the shorter are the first ones of the longer."""
    return all(mine == theirs for mine, theirs in zip(fields_of(one), fields_of(other), strict=False))


def _by_field(row: Row, values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    at = 0
    for field in fields_of(row):
        yield values[at : at + field.values]
        at += field.values


def _nothing(field: Field) -> list[Value]:
    return [b"" if field.item.endswith("s") else 0] * field.values


def _at(values: Sequence[Value], place: int | None) -> Value:
    return NOWHERE if place is None or place >= len(values) else values[place]


def _mask_of(value: Value) -> int:
    return int.from_bytes(value, "little") if isinstance(value, bytes) else value


def _as(field: Field, mask: int) -> Value:
    """Return a mask as its field carries it."""
    size = struct.calcsize(f"<{field.item}")
    mask &= (1 << 8 * size) - 1
    return mask.to_bytes(size, "little") if field.item.endswith("s") else mask


def _beyond(more: Dictionary, less: Dictionary) -> Iterator[str]:
    """Yield what one dictionary has and the other has not."""
    for row in more.rows:
        other = less.row(row[1], row[2])
        if other is None:
            if row[2] != REPLY:
                yield row[1]
        elif not _is_same(row, other):
            yield f"this form of {row[1]}"
        else:
            for field in fields_of(row)[len(fields_of(other)) :]:
                yield f"{field.name} of {row[1]}"
    names = {kind: set(found.values()) for kind, found in names_in(less.lists).items()}
    for kind, found in names_in(more.lists).items():
        yield from (f"{kind.replace('_', ' ')} {name}" for name in found.values() if name not in names[kind])
