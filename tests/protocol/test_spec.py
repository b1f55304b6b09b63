"""SPEC.md and the code say the same: tables, numbers, limits, and every example in both directions."""

import re
import struct

import pytest

from wallwright_firmware import events
from wallwright_protocol import codes, frame, hardware, link, messages
from wallwright_protocol.codec import EVENTS, REPLIES, REQUESTS, STATUSES
from wallwright_protocol.lists import LISTS
from wallwright_protocol.requester import Requester

from . import spec
from .spec import EXAMPLES, Example

TABLES = {link.REQUEST: REQUESTS, link.REPLY: REPLIES, link.EVENT: EVENTS, link.STATUS: STATUSES}
LINK_LAYOUTS = {
    "HELLO": link.HELLO_LAYOUT,
    "HELLO_REPLY": link.HELLO_REPLY_LAYOUT,
    "REQUEST": link.REQUEST_LAYOUT,
    "REPLY": link.REPLY_LAYOUT,
    "EVENT": link.EVENT_LAYOUT,
    "EVENT_ACK": link.EVENT_ACK_LAYOUT,
    "STATUS": link.STATUS_LAYOUT,
}


def decoded(example: Example) -> tuple[dict[str, object], dict[str, object]]:
    """The fields of an example's bytes, body and payload, as the project's own code reads them."""
    (body,) = frame.Decoder().feed(example.frame)
    name, _, names = spec.LAYOUTS[body[0]]
    size = struct.calcsize(LINK_LAYOUTS[name])
    fields = dict(zip(names, struct.unpack(LINK_LAYOUTS[name], body[:size]), strict=True))
    payload = body[size:]
    if not payload:
        return fields, {}
    message = fields["message"]
    assert isinstance(message, int)
    named = TABLES[body[0]][message].unpack_named(payload)
    return fields, {key: value.rstrip(b"\x00") if key == "unit" else value for key, value in named.items()}


def test_no_example_is_passed_over_and_every_kind_has_one() -> None:
    assert len(EXAMPLES) == spec.SPEC.count("\n```frame ") == 16
    assert [example.number for example in EXAMPLES] == list(range(1, len(EXAMPLES) + 1))
    assert {example.kind for example in EXAMPLES} == set(spec.LAYOUTS)
    assert any(example.body.get("code") for example in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_the_bytes_of_an_example_say_its_fields(example: Example) -> None:
    assert decoded(example) == (example.body, example.payload)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_the_fields_of_an_example_make_its_bytes(example: Example) -> None:
    made = spec.encode(example)
    assert made.hex(" ") == example.frame.hex(" ")
    assert frame.encode(spec.unstuff(made)) == made


def test_the_kinds_and_their_layouts() -> None:
    assert {name: layout for name, layout, _ in spec.LAYOUTS.values()} == LINK_LAYOUTS
    assert {name: kind for kind, (name, _, _) in spec.LAYOUTS.items()} == {
        name: getattr(link, name) for name in LINK_LAYOUTS
    }
    for kind, (name, layout, _) in spec.LAYOUTS.items():
        stated = re.search(rf"### {name} 0x{kind:02x}, .*?(\d+) bytes", spec.SPEC)
        assert stated is not None
        assert int(stated[1]) == struct.calcsize(layout)


def test_the_frozen_layouts_are_what_they_were_at_first() -> None:
    assert (link.HELLO, link.HELLO_LAYOUT) == (0x01, "<BHII")
    assert (link.HELLO_REPLY, link.HELLO_REPLY_LAYOUT) == (0x81, "<BIIHIBII")
    assert (codes.OK, codes.VERSION_MISMATCH) == (0, 8)


def test_every_field_has_its_meaning() -> None:
    meanings = spec.field_meanings()
    written = {message: tuple(field for field, _ in fields) for message, fields in meanings.items()}
    assert written == {f"{row.name} {row.direction}": row.fields for row in spec.ROWS if row.fields}
    assert all(meaning for fields in meanings.values() for _, meaning in fields)


def test_every_request_says_when_it_is_accepted() -> None:
    named = [name for row in spec.table_below("When each request is accepted") for name in row[0].split(", ")]
    assert sorted(named) == sorted(row.name for row in spec.ROWS if row.direction == messages.REQUEST)


def test_the_catalog_hash_by_its_description() -> None:
    assert spec.catalog_hash() == messages.CATALOG_HASH
    stated = re.search(r"The catalog hash of these tables is (0x[0-9A-F]{8})\.", spec.SPEC)
    assert stated is not None
    assert stated[1] == f"0x{messages.CATALOG_HASH:08X}"
    assert f"`PROTOCOL_VERSION` is {messages.PROTOCOL_VERSION}." in spec.SPEC


def test_no_bytes_are_stale() -> None:
    assert spec.rewritten() == spec.SPEC, "run .venv-dev/bin/python -m tests.protocol.spec"


def test_the_first_lines_of_the_catalog_are_those_shown() -> None:
    shown = re.findall(r"^    (1[67]·.*)$", spec.SPEC, re.M)
    assert len(shown) == 4
    for line, row in zip(shown, spec.ROWS, strict=False):
        text = f"{row.number} {row.name} {row.direction} {row.layout} {','.join(row.fields)}"
        assert text.startswith(line.replace("·", " ").rstrip("…"))


def test_the_sentences_beside_the_lists() -> None:
    text = " ".join(spec.SPEC.split())
    assert f"reader {hardware.SIDES} + {hardware.READERS_PER_SEAT} × seat + kind." in text
    assert f"is number {hardware.INPUTS_PER_SIDE} × side + kind." in text
    assert f"is bit {hardware.FIRST_SIDE_DRIVE} + {hardware.DRIVES_PER_SIDE} × side + kind." in text
    assert f"is bit {hardware.LAMPS_PER_SIDE} × side + kind." in text
    most = hardware.SETS * hardware.SET_SIZES[-1]
    assert f"A field of stacks is {hardware.CARRIER_STACKS} at the most, one of tiles {most} (" in text
    assert f"a reader 0 to {hardware.READERS - 1}." in text
    assert set(spec.lists()) == {heading.capitalize() for heading, _, _ in LISTS}


def test_the_kept_events_are_named() -> None:
    names = re.search(r"it gives up the oldest; ([\w, ]+) it gives up last", spec.SPEC)
    assert names is not None
    assert tuple(re.split(", | and ", names[1])) == messages.KEPT_EVENTS


def test_both_ends_hold_the_conversation_of_the_examples() -> None:
    frames = [example.frame for example in EXAMPLES[:8]]
    answers = {0x17: (codes.OK, bytes((6, 4, 0, 1, 0, 0, 0))), 0x15: (codes.WRONG_STATE, b"")}
    ring = events.EventRing()
    ring.add(1234, "booted", 0, 1, 0)
    board = link.Responder(0x0BADCAFE, lambda message, payload: answers[message], ring)
    host = Requester()
    now = 1500

    host.hello(now, 0x1F2E3D4C)
    assert host.take() == frames[0]
    board.receive(now, frames[0])
    assert board.take() == frames[1] + frames[2]
    assert host.receive(now, frames[1] + frames[2]) == [
        ("hello", 0x0BADCAFE, codes.OK, messages.PROTOCOL_VERSION, messages.CATALOG_HASH, 0, 1),
        ("event", 0x0BADCAFE, 1, 0, 1234, 0x40, bytes((0, 1, 0))),
    ]
    assert host.take() == frames[3]
    board.receive(now, frames[3])
    assert board.take() == b""
    exchanges = [(0x17, b"\x02\0\0", frames[4], frames[5]), (0x15, b"", frames[6], frames[7])]
    for message, payload, asked, answered in exchanges:
        host.request(now, message, payload)
        assert host.take() == asked
        board.receive(now, asked)
        assert board.take() == answered
        assert host.receive(now, answered) == [("reply", message, *answers[message])]
