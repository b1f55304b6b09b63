"""HELLO: answered in any state, refused with the board's own numbers, and one session at a time."""

import struct

import pytest

from tests.conformance.probe import ANSWER_MS, STEP_MS, Probe
from wallwright_protocol import codes, link
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.dictionary import read_dictionary
from wallwright_protocol.messages import CATALOG_HASH, MESSAGES, PROTOCOL_VERSION

GET_DICTIONARY = NUMBER_OF["get_dictionary"]
GET_INFO = NUMBER_OF["get_info"]


def test_it_is_answered_with_the_numbers_of_this_release(probe: Probe) -> None:
    boot_id, session, version, catalog, code, stored, newest = probe.hello()
    assert (session, version, catalog, code) == (probe.session, PROTOCOL_VERSION, CATALOG_HASH, codes.OK)
    assert boot_id != 0
    assert stored <= newest


def test_a_new_session_ends_the_old_one(probe: Probe) -> None:
    old = probe.session
    probe.hello()
    new, probe.session = probe.session, old
    assert probe.ask(GET_INFO) == (codes.UNKNOWN_SESSION, b"")
    probe.session = new
    probe.sequence = 0
    assert probe.ask(GET_INFO)[0] == codes.OK


def test_a_repeated_hello_forgets_nothing(probe: Probe) -> None:
    frame = probe.request_body(NUMBER_OF["get_status"])
    probe.send(frame)
    (first,) = probe.replies(probe.hear_until(link.REPLY))
    probe.hear(20)
    assert probe.try_hello(probe.session)
    probe.send(frame)
    assert probe.replies(probe.hear_until(link.REPLY)) == [first]


def test_session_0_is_refused(probe: Probe) -> None:
    assert probe.try_hello(0)[4] == codes.BAD_ARGUMENT
    assert probe.ask(GET_INFO)[0] == codes.OK


@pytest.mark.parametrize(("version", "catalog"), [(PROTOCOL_VERSION + 1, CATALOG_HASH), (0, 0)])
def test_another_version_is_refused_with_the_boards_own(probe: Probe, version: int, catalog: int) -> None:
    answer = probe.try_hello(probe.session + 1, version, catalog)
    assert answer[2:5] == (PROTOCOL_VERSION, CATALOG_HASH, codes.VERSION_MISMATCH)
    assert probe.ask(GET_INFO)[0] == codes.OK


def test_another_catalog_is_met(probe: Probe) -> None:
    session = probe.session + 1
    assert probe.try_hello(session, PROTOCOL_VERSION, CATALOG_HASH ^ 1)[1:5] == (
        *(session, PROTOCOL_VERSION, CATALOG_HASH),
        codes.OK,
    )


def test_the_board_hands_out_its_dictionary(probe: Probe) -> None:
    packed = b""
    size = 1
    while len(packed) < size:
        code, payload = probe.ask(GET_DICTIONARY, struct.pack("<H", len(packed)))
        assert code == codes.OK
        size, part = REPLIES[GET_DICTIONARY].unpack(payload)
        packed += part[: size - len(packed)]
    assert read_dictionary(packed, CATALOG_HASH).rows == MESSAGES
    assert probe.ask(GET_DICTIONARY, struct.pack("<H", size))[0] == codes.BAD_ARGUMENT


def test_a_request_without_a_session_is_refused_and_an_ack_too(probe: Probe) -> None:
    known = probe.session
    for session in (0, known ^ 0x55):
        probe.session = session
        assert probe.ask(GET_INFO) == (codes.UNKNOWN_SESSION, b"")
    probe.acknowledge(0, 0)
    assert probe.replies(probe.hear_until(link.REPLY)) == [(0, 0, codes.UNKNOWN_SESSION, b"")]
    probe.session = known


def test_sessions_of_all_byte_values_come_back(probe: Probe) -> None:
    """What goes down the line is echoed in these, so no byte value is lost or changed that way either."""
    for first in range(0, 256, 4):
        session = int.from_bytes(bytes(range(first, first + 4)), "little")
        assert probe.try_hello(session)[1] == session


def test_every_frame_of_the_board_carries_its_boot_id(probe: Probe) -> None:
    heard = probe.hear(2500)
    assert {body[0] for body in heard} >= {link.STATUS}
    probe.send(probe.request_body(GET_INFO))
    heard += probe.hear_until(link.REPLY)
    assert {struct.unpack("<I", body[1:5])[0] for body in heard} == {probe.boot_id}


def test_a_hello_that_says_too_much_or_too_little_is_dropped(probe: Probe) -> None:
    whole = struct.pack(link.HELLO_LAYOUT, link.HELLO, PROTOCOL_VERSION, CATALOG_HASH, probe.session + 7)
    for body in (whole[:-1], whole + b"\x01", whole[:1]):
        probe.send(body)
    assert not any(body[0] == link.HELLO_REPLY for body in probe.hear(min(STEP_MS, ANSWER_MS)))
    assert probe.ask(GET_INFO)[0] == codes.OK
