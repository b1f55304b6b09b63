"""The last frames of a link, kept as they are and decoded only when somebody wants to read them."""

import struct
from collections import deque
from typing import Any, NamedTuple

from wallwright_protocol import codes, link
from wallwright_protocol.codec import EVENTS, REPLIES, REQUESTS, STATUSES, Layout
from wallwright_protocol.frame import MAX_FRAME, Decoder

from .values import decode_fields

CAPACITY = 200
SENT = "->"
RECEIVED = "<-"


class Block(NamedTuple):
    """Bytes up to a 0x00, a frame or noise, and when its end was seen."""

    time_ms: int
    direction: str
    data: bytes


class Trace:
    """A ring of the last CAPACITY blocks in both directions."""

    def __init__(self) -> None:
        self._blocks: deque[Block] = deque(maxlen=CAPACITY)
        self._rest = {SENT: b"", RECEIVED: b""}

    def add(self, time_ms: int, direction: str, data: bytes) -> None:
        """Record bytes as they crossed the wire, however cut; direction is SENT or RECEIVED."""
        *whole, rest = (self._rest[direction] + data).split(b"\0")
        for block in whole:
            if block:
                self._blocks.append(Block(time_ms, direction, block))
        # What has no 0x00 for longer than a frame is noise, and noise is shown in pieces.
        while len(rest) > MAX_FRAME:
            self._blocks.append(Block(time_ms, direction, rest[:MAX_FRAME]))
            rest = rest[MAX_FRAME:]
        self._rest[direction] = rest

    def noise(self) -> bytes:
        """Return what was received lately and is no frame."""
        blocks = [block.data for block in self._blocks if block.direction == RECEIVED and not _body(block.data)]
        return b" ".join([*blocks, self._rest[RECEIVED]]).strip()

    def dump(self) -> str:
        """Return one line a block, oldest first: time in ms, direction, what it says."""
        lines = [f"{block.time_ms:>10} {block.direction} {describe(block.data)}" for block in self._blocks]
        lines += [f"{'':>10} {direction} unfinished: {_show(rest)}" for direction, rest in self._rest.items() if rest]
        return "\n".join(lines)


def describe(block: bytes) -> str:
    """Say in one line what a block, without its 0x00, means by the table of messages."""
    body = _body(block)
    if not body:
        return f"no frame: {_show(block)}"
    reader = _READERS.get(body[0])
    if reader is None or len(body) < struct.calcsize(reader[0]):
        return f"unknown frame: {body.hex(' ')}"
    layout, describe_body = reader
    size = struct.calcsize(layout)
    return describe_body(struct.unpack(layout, body[:size])[1:], body[size:])


def _body(block: bytes) -> bytes:
    bodies = Decoder().feed(block + b"\0")
    return bodies[0] if bodies else b""


def _show(data: bytes) -> str:
    return repr(data[:64])[1:] + (f" and {len(data) - 64} more bytes" if len(data) > 64 else "")


def _payload(tables: dict[int, Layout], message: int, payload: bytes) -> str:
    layout = tables.get(message)
    if layout is None or layout.size != len(payload):
        return f"message {message:02x} of unknown form: {payload.hex(' ')}"
    fields = decode_fields(layout.unpack_named(payload))
    return " ".join([layout.name, *(f"{name}={_value(value)}" for name, value in fields.items())])


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(str(item) for item in value)
    return value.hex() if isinstance(value, bytes) else str(value)


def _refusal(code: int) -> str:
    return codes.REFUSALS[code] if code < len(codes.REFUSALS) else f"code {code}"


def _hello(values: tuple[int, ...], _: bytes) -> str:
    version, catalog, session = values
    return f"hello version={version} catalog={catalog:08x} session={session:08x}"


def _hello_reply(values: tuple[int, ...], _: bytes) -> str:
    boot_id, session, version, catalog, code, stored, newest = values
    return (
        f"hello {_refusal(code)} boot={boot_id:08x} session={session:08x} version={version} catalog={catalog:08x} "
        f"stored={stored} newest={newest}"
    )


def _request(values: tuple[int, ...], payload: bytes) -> str:
    session, sequence, message = values
    return f"request {sequence} session={session:08x} {_payload(REQUESTS, message, payload)}"


def _reply(values: tuple[int, ...], payload: bytes) -> str:
    boot_id, session, sequence, message, code = values
    name = REQUESTS[message].name if message in REQUESTS else f"message {message:02x}"
    said = _payload(REPLIES, message, payload) if code == codes.OK else f"{name} refused: {_refusal(code)}"
    return f"reply {sequence} boot={boot_id:08x} session={session:08x} {said}"


def _event(values: tuple[int, ...], payload: bytes) -> str:
    boot_id, seq, previous, time_ms, message = values
    return f"event {seq} after={previous} boot={boot_id:08x} at={time_ms} {_payload(EVENTS, message, payload)}"


def _status(values: tuple[int, ...], payload: bytes) -> str:
    boot_id, message = values
    return f"boot={boot_id:08x} {_payload(STATUSES, message, payload)}"


def _ack(values: tuple[int, ...], _: bytes) -> str:
    session, boot_id, received, stored = values
    return f"acknowledge received={received} stored={stored} boot={boot_id:08x} session={session:08x}"


_READERS = {
    link.HELLO: (link.HELLO_LAYOUT, _hello),
    link.REQUEST: (link.REQUEST_LAYOUT, _request),
    link.EVENT_ACK: (link.EVENT_ACK_LAYOUT, _ack),
    link.HELLO_REPLY: (link.HELLO_REPLY_LAYOUT, _hello_reply),
    link.REPLY: (link.REPLY_LAYOUT, _reply),
    link.EVENT: (link.EVENT_LAYOUT, _event),
    link.STATUS: (link.STATUS_LAYOUT, _status),
}
"""First byte of a body -> layout of its head, and who describes it from the head's values and the payload."""
