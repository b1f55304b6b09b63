"""Payloads to bytes and back, driven by the message table."""

import struct
import sys

from .messages import EVENT, MESSAGES, REPLY, REQUEST, STATUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ON_BOARD = sys.implementation.name == "micropython"
_PACK_ERRORS = (getattr(struct, "error", ValueError), OverflowError, TypeError, ValueError)


class CodecError(ValueError):
    """The payload does not fit its message; the text says which message and how."""


class Layout:
    """One row of the message table, ready to use. It keeps nothing that can be asked of the row."""

    def __init__(self, row: "tuple[int, str, str, str, tuple[str, ...]]") -> None:
        self._row = row

    @property
    def number(self) -> int:
        """The message's id."""
        return self._row[0]

    @property
    def name(self) -> str:
        """The message's name."""
        return self._row[1]

    @property
    def direction(self) -> str:
        """REQUEST, REPLY, EVENT or STATUS."""
        return self._row[2]

    @property
    def layout(self) -> str:
        """The format, with the byte order."""
        return self._row[3]

    @property
    def fields(self) -> "tuple[str, ...]":
        """The names of the fields, as in the table."""
        return self._row[4]

    @property
    def size(self) -> int:
        """The payload's length in bytes."""
        return struct.calcsize(self._row[3])

    def pack(self, *values: object) -> bytes:
        """Return the payload of `values`, flat and in the order of the fields.

        Raises CodecError when a value is missing, surplus or out of range; bytes may be shorter than their field.
        """
        try:
            payload = struct.pack(self._row[3], *values)
        except _PACK_ERRORS as error:
            raise CodecError("%s cannot carry %r: %s" % (self.name, values, error)) from None
        # MicroPython's struct cuts a value to its field, fills up what is missing and drops what is surplus; and both
        # runtimes cut bytes. What does not come back as it went in did not fit.
        carried = struct.unpack(self._row[3], payload)
        if carried != values and not _padded(carried, values):
            raise CodecError("%s cannot carry %r: it would arrive as %r" % (self.name, values, carried))
        return payload

    def unpack(self, payload: bytes) -> "tuple[Any, ...]":
        """Return the flat values of `payload`; CodecError when its length is wrong."""
        if len(payload) != self.size:
            raise CodecError("%s has %d bytes, not %d" % (self.name, self.size, len(payload)))
        return struct.unpack(self._row[3], payload)

    def unpack_named(self, payload: bytes) -> "dict[str, Any]":
        """Return field name -> value; a field `name[n]` gives a tuple under `name`."""
        values = self.unpack(payload)
        named: "dict[str, Any]" = {}
        at = 0
        for field in self.fields:
            if field.endswith("]"):
                name, count = field[:-1].split("[")
                named[name] = values[at : at + int(count)]
                at += int(count)
            else:
                named[field] = values[at]
                at += 1
        return named


def _padded(carried: "tuple[object, ...]", values: "tuple[object, ...]") -> bool:
    """Say whether `carried` is `values` but for the zeros that fill up bytes."""
    if len(carried) != len(values):
        return False
    for arrived, sent in zip(carried, values):
        if isinstance(arrived, bytes) and isinstance(sent, bytes):
            if len(sent) > len(arrived) or not arrived.startswith(sent):
                return False
        elif arrived != sent:
            return False
    return True


class Rows:
    """The layouts of one direction by their ids, each made when it is asked for: a board has no memory for all."""

    def __init__(self) -> None:
        self._rows: "dict[int, tuple[int, str, str, str, tuple[str, ...]]]" = {}

    def add(self, row: "tuple[int, str, str, str, tuple[str, ...]]") -> None:
        """Take a row of the message table."""
        self._rows[row[0]] = row

    def __getitem__(self, number: int) -> Layout:
        """Return the layout of a message; KeyError when there is none."""
        return Layout(self._rows[number])


def _tables() -> "list[Any]":
    tables: "dict[str, Any]" = {one: Rows() if ON_BOARD else {} for one in (REQUEST, REPLY, EVENT, STATUS)}
    for row in MESSAGES:
        # A board has better uses for its memory: it packs no empty reply.
        if not ON_BOARD:
            tables[row[2]][row[0]] = Layout(row)
        elif row[3] or row[2] != REPLY:
            tables[row[2]].add(row)
    return [tables[REQUEST], tables[REPLY], tables[EVENT], tables[STATUS]]


REQUESTS: "dict[int, Layout]"
REPLIES: "dict[int, Layout]"
EVENTS: "dict[int, Layout]"
STATUSES: "dict[int, Layout]"
REQUESTS, REPLIES, EVENTS, STATUSES = _tables()

NUMBER_OF = {row[1]: row[0] for row in MESSAGES}
"""Message name -> id. A request and its reply share one."""
