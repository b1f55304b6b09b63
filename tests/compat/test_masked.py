"""Tags are masked by the board's own numbers, also in events that only the board knows."""

import struct

import pytest

from wallwright.link import dictionaries
from wallwright.link.binding import OWN, Binding
from wallwright.link.frames import decode
from wallwright.link.masking import body_of, masked
from wallwright.link.reports import SEALED, read_event, unknown_event, unreadable
from wallwright_protocol import link
from wallwright_protocol.codec import Layout
from wallwright_protocol.dictionary import Dictionary, Row
from wallwright_protocol.frame import encode
from wallwright_protocol.messages import EVENT

TAG = bytes.fromhex("e00401500a1b2c3d")
WEIGHED: Row = (0x77, "tile_weighed", EVENT, "<B8sH", ("reader", "tag", "grams"))
MOVED = {"tag_appeared": 0x78, "tag_left": 0x79, "state_changed": 0x51}


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Dictionary:
    """A release that weighs tiles, and gives our number of tag_appeared to another event."""
    rows = [(MOVED.get(row[1], row[0]), *row[1:]) for row in OWN.rows]
    release = Dictionary([*rows, WEIGHED], OWN.lists)
    monkeypatch.setattr(dictionaries, "_bound", {OWN.catalog: Binding()})
    dictionaries.keep(release)
    return release


def frame(message: int, payload: bytes) -> bytes:
    """An event of a board, without its 0x00."""
    return encode(struct.pack(link.EVENT_LAYOUT, link.EVENT, 7, 1, 0, 5, message) + payload)[:-1]


@pytest.mark.parametrize(
    ("message", "payload"),
    [(MOVED["tag_appeared"], b"\3" + TAG), (MOVED["tag_left"], b"\3" + TAG), (0x77, b"\3" + TAG + b"\x16\0")],
)
def test_no_tag_of_a_board_of_another_release_is_shown(later: Dictionary, message: int, payload: bytes) -> None:
    block = frame(message, payload)
    assert TAG in body_of(block)
    assert TAG not in body_of(masked(block, later.catalog))
    assert TAG.hex() not in str(decode(block, later.catalog))


def test_a_number_that_is_secret_here_is_shown_where_it_means_something_else(later: Dictionary) -> None:
    record = decode(frame(MOVED["state_changed"], b"\1"), later.catalog)
    assert (record["message"], record["fields"]) == ("state_changed", {"state": "idle"})
    assert decode(frame(0x51, b"\3" + TAG))["message"] == SEALED


def test_nothing_is_shown_of_events_whose_numbers_nobody_knows(later: Dictionary) -> None:
    unknown = later.catalog ^ 1
    for message in range(256):
        body = body_of(masked(frame(message, b"\3" + TAG), unknown))
        assert body[link.EVENT_HEAD :] == bytes(9)


@pytest.mark.parametrize("payload", [b"\3" + TAG, b"\3" + TAG + b"\x16\0\0"])
def test_bytes_of_such_an_event_that_do_not_fit_are_secret_too(payload: bytes) -> None:
    event = unreadable(7, 1, 0, 5, Layout(WEIGHED), payload)
    assert TAG.hex() not in str(dict(event.fields))
    assert event.secret == {"payload": payload.hex()}


def test_an_event_with_a_tag_that_only_the_board_knows_is_secret() -> None:
    event = unknown_event(7, 1, 0, 5, Layout(WEIGHED), b"\3" + TAG + b"\x16\0")
    assert (event.name, dict(event.fields), event.is_secret) == ("tile_weighed", {}, True)
    assert event.secret == {"reader": 3, "tag": TAG.hex(), "grams": 22}
    assert not read_event(7, 1, 0, 5, 0x41, b"\1").is_secret
