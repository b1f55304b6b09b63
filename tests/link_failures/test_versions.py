"""A board that was built from another message table."""

import struct

import pytest

from tests.host.line import Board, Line
from wallwright.errors import VersionMismatch
from wallwright.link.connection import Connection
from wallwright_protocol import codes, link
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.messages import CATALOG_HASH, MESSAGES, PROTOCOL_VERSION, catalog_hash


def refuse(line: Line, version: int, catalog: int) -> None:
    """Let the board on `line` refuse every HELLO, with these numbers."""

    def answer(frame: bytes) -> list[bytes]:
        (body,) = Decoder().feed(frame)
        session = struct.unpack(link.HELLO_LAYOUT, body)[3]
        values = (7, session, version, catalog, codes.VERSION_MISMATCH, 0, 0)
        line.noise = encode(struct.pack(link.HELLO_REPLY_LAYOUT, link.HELLO_REPLY, *values))
        return []

    line.to_board = answer


def without_wash() -> int:
    """The hash of the table before set_plan had its last field."""
    changed = (0x12, "set_plan", "request", "<4BBB", ("plan[4]", "dealer", "plan_mode"))
    table = tuple(changed if row[:3] == changed[:3] else row for row in MESSAGES)
    assert sum(one != other for one, other in zip(table, MESSAGES, strict=True)) == 1
    return catalog_hash(table)


@pytest.mark.parametrize(
    ("version", "catalog", "named"),
    [
        (PROTOCOL_VERSION, without_wash(), "lacks the field wash_s of set_plan"),
        (PROTOCOL_VERSION, CATALOG_HASH ^ 1, ""),
        (PROTOCOL_VERSION + 1, without_wash(), ""),
    ],
)
def test_row_14_a_board_without_one_field_is_told_by_its_name(version: int, catalog: int, named: str) -> None:
    line = Line(Board())
    refuse(line, version, catalog)
    with pytest.raises(VersionMismatch) as caught:
        Connection(line).connect()
    text = str(caught.value)
    assert ("lacks" in text) == bool(named)
    assert named in text
    assert f"{PROTOCOL_VERSION} (catalog {CATALOG_HASH:08x})" in text
    assert f"protocol {version} (catalog {catalog:08x})" in text
    assert "`" in text
