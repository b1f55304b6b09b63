"""What a block of the link's traffic says, by the table of messages: as values for programs, as a line for people.

Works on single blocks and remembers nothing; who has sent a block, and when, is for `trace.py`.
"""

import struct
from typing import Any

from wallwright_protocol import link
from wallwright_protocol.codec import Layout
from wallwright_protocol.messages import DIRECTIONS, EVENT, REPLY, REQUEST, STATUS

from .binding import OWN, Binding
from .dictionaries import bound
from .masking import body_of, masked
from .numbers import name_of
from .reports import SEALED, SECRET_EVENTS, WALL_SHOWN, decode_fields, unit_name

OWN_LAYOUTS = {direction: {row[1]: Layout(row) for row in OWN.rows if row[2] == direction} for direction in DIRECTIONS}
SHOWN_BYTES = 64
"""Of what is no frame a line shows this much."""


def decode(block: bytes, catalog: int = OWN.catalog) -> dict[str, Any]:
    """Return what a block, without its 0x00, means; plain values that JSON can hold.

    `kind` is hello, request, event_ack, hello_reply, reply, event or status, with the fields of SPEC.md beside it, a
    `message` by its name and its payload under `fields`; or it is noise (no frame) or unknown (a frame of no known
    form), with the bytes in hexadecimal under `data`. What tells of a tag is left out. `catalog` is the hash of the
    board's dictionary.
    """
    block = masked(block, catalog)
    body = body_of(block)
    if not body:
        return {"kind": "noise", "data": block.hex()}
    head = _HEADS.get(body[0])
    if head is None:
        return {"kind": "unknown", "data": body.hex()}
    kind, layout, names, direction = head
    size = struct.calcsize(layout)
    if len(body) < size or (not direction and len(body) > size):
        return {"kind": "unknown", "data": body.hex()}
    values = dict(zip(names, struct.unpack(layout, body[:size])[1:], strict=True))
    record: dict[str, Any] = {"kind": kind, **values}
    binding = bound(catalog)
    if "code" in record:
        record["code"] = name_of("refusal", record["code"] if binding is None else binding.refusal(record["code"]))
    if direction:
        record.update(_message(binding, direction, record["message"], body[size:], record.get("code", "ok") == "ok"))
    return record


def describe(block: bytes, catalog: int = OWN.catalog) -> str:
    """Say in one line what a block, without its 0x00, means; `catalog` as for `decode`."""
    record = decode(block, catalog)
    data = bytes.fromhex(record.get("data", ""))
    said = _payload(record) if "message" in record else ""
    match record["kind"]:
        case "noise":
            return f"no frame: {show_bytes(data)}"
        case "unknown":
            return f"unknown frame: {data.hex(' ')}"
        case "hello":
            return "hello version={version} catalog={catalog:08x} session={session:08x}".format_map(record)
        case "hello_reply":
            return (
                "hello {code} boot={boot_id:08x} session={session:08x} version={version} catalog={catalog:08x} "
                "stored={stored_event} newest={newest_event}"
            ).format_map(record)
        case "request":
            return "request {sequence} session={session:08x} ".format_map(record) + said
        case "reply":
            if record["code"] != "ok":
                said = "{message} refused: {code}".format_map(record)
            return "reply {sequence} boot={boot_id:08x} session={session:08x} ".format_map(record) + said
        case "event":
            return "event {seq} after={previous} boot={boot_id:08x} at={time_ms} ".format_map(record) + said
        case "event_ack":
            return (
                "acknowledge received={received} stored={stored} boot={boot_id:08x} session={session:08x}"
            ).format_map(record)
        case _:
            return "boot={boot_id:08x} ".format_map(record) + said


def show_bytes(data: bytes) -> str:
    """Return bytes as text in quotes, cut to SHOWN_BYTES."""
    more = len(data) - SHOWN_BYTES
    return repr(data[:SHOWN_BYTES])[1:] + (f" and {more} more bytes" if more > 0 else "")


def _message(binding: Binding | None, direction: str, number: int, payload: bytes, carries: bool) -> dict[str, Any]:
    layout = None if binding is None else binding.layout_of(direction, number)
    name = f"message_{number:02x}" if layout is None else layout.name
    if not carries:
        return {"message": name}
    if binding is None or layout is None or layout.size != len(payload):
        return {"message": name, "payload": payload.hex()}
    if name in SECRET_EVENTS:
        return {"message": SEALED, "fields": {}}
    told = binding.told(direction, number, payload)
    own = None if told is None or told.number is None or told.payload is None else told.payload
    values = layout.unpack_named(payload) if own is None else OWN_LAYOUTS[direction][name].unpack_named(own)
    fields = decode_fields(values)
    if name == WALL_SHOWN:
        del fields["tags"]
    if "unit" in fields:
        fields["unit"] = unit_name(values["unit"])
    return {"message": name, "fields": fields}


def _payload(record: dict[str, Any]) -> str:
    if "payload" in record:
        return f"{record['message']} of unknown form: {bytes.fromhex(record['payload']).hex(' ')}"
    fields = record.get("fields", {})
    return " ".join([record["message"], *(f"{name}={_text(value)}" for name, value in fields.items())])


def _text(value: Any) -> str:
    return ",".join(str(item) for item in value) if isinstance(value, tuple) else str(value)


_HEADS: dict[int, tuple[str, str, tuple[str, ...], str]] = {
    link.HELLO: ("hello", link.HELLO_LAYOUT, ("version", "catalog", "session"), ""),
    link.REQUEST: ("request", link.REQUEST_LAYOUT, ("session", "sequence", "message"), REQUEST),
    link.EVENT_ACK: ("event_ack", link.EVENT_ACK_LAYOUT, ("session", "boot_id", "received", "stored"), ""),
    link.HELLO_REPLY: (
        "hello_reply",
        link.HELLO_REPLY_LAYOUT,
        ("boot_id", "session", "version", "catalog", "code", "stored_event", "newest_event"),
        "",
    ),
    link.REPLY: ("reply", link.REPLY_LAYOUT, ("boot_id", "session", "sequence", "message", "code"), REPLY),
    link.EVENT: ("event", link.EVENT_LAYOUT, ("boot_id", "seq", "previous", "time_ms", "message"), EVENT),
    link.STATUS: ("status", link.STATUS_LAYOUT, ("boot_id", "message"), STATUS),
}
"""First byte of a body -> kind, layout of its head, names of what follows the kind, direction of its messages."""
