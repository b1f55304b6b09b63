"""The dictionary that a board hands out: its text, its bytes, and what is none."""

import binascii
import zlib

import pytest

from tests.protocol import spec
from wallwright_protocol import messages
from wallwright_protocol.dictionary import BadDictionary, Dictionary, own, read_dictionary, read_text
from wallwright_protocol.lists import LISTS


def test_it_is_the_table_and_the_lists_of_the_specification() -> None:
    lines = own().text.decode("ascii").split("\n")
    rows = [f"{row.number} {row.name} {row.direction} {row.layout} {','.join(row.fields)}" for row in spec.ROWS]
    assert lines[: len(rows)] == rows
    assert lines[len(rows) :] == [
        f"{heading.lower()} {number} {name}"
        for heading, found in spec.lists().items()
        for name, number in found.items()
    ]
    assert own().catalog == messages.CATALOG_HASH == binascii.crc32(own().text)


def test_what_a_board_hands_out_is_read_back() -> None:
    found = read_dictionary(own().packed(), messages.CATALOG_HASH)
    assert found.rows == messages.MESSAGES
    assert found.lists == tuple((heading, first, tuple(names)) for heading, first, names in LISTS)
    assert found.row("get_dictionary", messages.REPLY) == (0x27, "get_dictionary", "reply", "<H200s", ("size", "part"))
    assert found.row("get_nothing", messages.REPLY) is None


@pytest.mark.parametrize(
    ("packed", "why"),
    [
        (b"", "has no end"),
        (b"no stream", "cannot be unpacked"),
        (own().packed()[:-1], "has no end"),
        (zlib.compress(bytes(1 << 20)), "has no end"),
        (zlib.compress(own().text + b"\n"), "its hash is"),
    ],
    ids=["nothing", "noise", "cut off", "too long", "another"],
)
def test_bytes_that_are_none_are_refused(packed: bytes, why: str) -> None:
    with pytest.raises(BadDictionary, match=why):
        read_dictionary(packed, messages.CATALOG_HASH)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "16 get_info request",
        "256 later request  ",
        "16 Later event B state",
        "16 later event Q state",
        "16 later event 2B state",
        "16 later event B state,fault",
        "16 later event B state[0]",
        "16 later event 4s tag[4]",
        "16 later wish B state",
        "states 1000 later",
        "States 1 later",
        "states 1 _later",
        "states 1 " + "l" * 33,
    ],
)
def test_a_line_that_is_none_is_refused_with_it(line: str) -> None:
    text = own().text + b"\n" + line.encode()
    with pytest.raises(BadDictionary, match=r"neither a message nor a number|other fields than its format"):
        read_text(text)


def test_one_message_twice_is_refused() -> None:
    with pytest.raises(BadDictionary, match="twice"):
        read_text(Dictionary((*messages.MESSAGES, (0xF0, "get_info", "request", "", ())), LISTS).text)
    with pytest.raises(BadDictionary, match="twice"):
        read_text(Dictionary((*messages.MESSAGES, (0x10, "later", "request", "", ())), LISTS).text)
