"""Bytes on the line: cut, joined, damaged, endless; the next good frame is always read."""

import random

import pytest

from tests.conformance.probe import Probe
from tests.protocol.vectors import GARBAGE
from wallwright_protocol import codes, link
from wallwright_protocol.codec import NUMBER_OF, REQUESTS
from wallwright_protocol.frame import MAX_BODY, encode

GET_INFO = NUMBER_OF["get_info"]
UNKNOWN = next(number for number in range(255, 0, -1) if number not in REQUESTS)
DAMAGED = 40


def test_a_request_may_come_in_two_pieces_cut_anywhere(probe: Probe) -> None:
    size = len(encode(probe.request_body(GET_INFO)))
    for cut in range(1, size):
        frame = encode(probe.request_body(GET_INFO))
        probe.raw(frame[:cut])
        assert probe.replies(probe.hear(4)) == []
        probe.raw(frame[cut:])
        ((sequence, _, code, _),) = probe.replies(probe.hear_until(link.REPLY))
        assert (sequence, code) == (probe.sequence, codes.OK)


def test_five_requests_at_once_are_answered_in_order(probe: Probe) -> None:
    bodies = [probe.request_body(GET_INFO) for _ in range(5)]
    probe.raw(b"".join(encode(body) for body in bodies))
    replies = probe.replies(probe.hear_until(link.REPLY) + probe.hear(200))
    assert [reply[0] for reply in replies] == [1 + number for number in range(probe.sequence - 5, probe.sequence)]


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
def test_after_garbage_and_a_zero_all_is_well(probe: Probe, garbage: bytes) -> None:
    probe.raw(garbage + b"\0")
    assert probe.ask(GET_INFO)[0] == codes.OK


def test_damaged_frames_do_nothing_and_are_counted(probe: Probe, seed: int) -> None:
    chance = random.Random(seed)
    before = probe.status()["frame_errors"]
    for _ in range(DAMAGED):
        frame = bytearray(encode(probe.request_body(NUMBER_OF["stop"])))
        at = chance.randrange(len(frame) - 1)
        # A byte that gets to be 0x00 cuts the frame, and would count twice.
        frame[at] = chance.choice([byte for byte in range(1, 256) if byte != frame[at]])
        probe.raw(bytes(frame))
        assert probe.replies(probe.hear(2)) == []
    assert probe.replies(probe.hear(100)) == []
    assert (probe.status()["frame_errors"] - before) % 65536 == DAMAGED


def test_an_endless_frame_is_dropped_to_its_end(probe: Probe) -> None:
    before = probe.status()["frame_errors"]
    for _ in range(16):
        probe.raw(b"\xff" * 256)
        probe.hear(1)
    probe.raw(b"\0")
    assert (probe.status()["frame_errors"] - before) % 65536 == 1


def test_every_byte_value_goes_up_the_line(probe: Probe) -> None:
    room = MAX_BODY - link.REQUEST_HEAD
    for first in range(0, 256, room):
        payload = bytes(range(first, min(256, first + room)))
        assert probe.ask(UNKNOWN, payload) == (codes.UNKNOWN_MESSAGE, b"")


def test_frames_that_are_not_for_a_board_do_nothing(probe: Probe) -> None:
    kinds = {link.HELLO, link.REQUEST, link.EVENT_ACK}
    heard = []
    for kind in range(256):
        if kind not in kinds:
            probe.send(bytes([kind]) + bytes(20))
            # Not more at once than a board's buffer holds.
            heard += probe.hear(2)
    heard += probe.hear(50)
    assert all(body[0] in (link.EVENT, link.STATUS) for body in heard)
    assert probe.ask(GET_INFO)[0] == codes.OK
