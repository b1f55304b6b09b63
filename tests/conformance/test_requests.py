"""Requests: done at most once, answered by their number, refused by a code; answers with documented values."""

import random

from tests.conformance.probe import Probe
from wallwright_protocol import codes, link
from wallwright_protocol.codec import NUMBER_OF, REPLIES, REQUESTS
from wallwright_protocol.frame import MAX_BODY
from wallwright_protocol.hardware import SET_SIZES
from wallwright_protocol.names import STATES

GET_STATUS = NUMBER_OF["get_status"]
UPTIME_MS = 30


def test_it_says_who_it_is(probe: Probe) -> None:
    code, payload = probe.ask(NUMBER_OF["get_info"])
    info = REPLIES[NUMBER_OF["get_info"]].unpack_named(payload)
    assert code == codes.OK
    assert info["tiles"] in SET_SIZES
    assert info["sets"] == 2
    assert bytes(info["unit"]).strip(b"\0")


def test_a_status_has_documented_values(probe: Probe) -> None:
    status = probe.status()
    assert status["state"] in STATES
    assert not str(status["fault"]).startswith("unknown")
    assert status["set_above"] in (0, 1)
    assert status["dealer"] in (None, *range(4))
    assert all(0 <= value <= 19 for value in (*status["plan"], *status["stacks"]))
    assert status["stored_event"] <= status["newest_event"]


def test_time_goes_on_between_two_questions(probe: Probe) -> None:
    before = probe.status()["uptime_ms"]
    probe.hear(UPTIME_MS)
    assert UPTIME_MS <= probe.status()["uptime_ms"] - before < 60_000


def test_a_repeated_request_gets_the_same_answer_and_is_not_done_again(probe: Probe) -> None:
    """The answer tells the board's time, so one that was made anew would differ."""
    frame = probe.send(probe.request_body(GET_STATUS))
    (first,) = probe.replies(probe.hear_until(link.REPLY))
    for _ in range(3):
        probe.hear(UPTIME_MS)
        probe.raw(frame)
        assert probe.replies(probe.hear_until(link.REPLY)) == [first]
    assert probe.status()["uptime_ms"] > REPLIES[GET_STATUS].unpack_named(first[3])["uptime_ms"]


def test_a_request_older_than_the_last_has_no_answer(probe: Probe) -> None:
    probe.sequence = 9
    assert probe.ask(GET_STATUS)[0] == codes.OK
    for sequence in (9, 8, 10, 1, 0, 65_535):
        probe.send(probe.request_body(GET_STATUS, sequence=sequence))
    # Number 10 is the last one again, which gets its stored answer.
    assert [reply[0] for reply in probe.replies(probe.hear(300))] == [10]


def test_a_request_that_skips_numbers_is_answered_and_they_wrap(probe: Probe) -> None:
    for sequence in (1, 30_000, 60_000, 65_535, 0, 2):
        probe.send(probe.request_body(GET_STATUS, sequence=sequence))
        assert [reply[0] for reply in probe.replies(probe.hear_until(link.REPLY))] == [sequence]


def test_every_unknown_message_is_refused(probe: Probe) -> None:
    for message in range(256):
        if message not in REQUESTS:
            assert probe.ask(message, bytes(message % 7)) == (codes.UNKNOWN_MESSAGE, b""), message


def test_every_message_of_a_wrong_length_is_refused(probe: Probe, seed: int) -> None:
    chance = random.Random(seed)
    longest = MAX_BODY - link.REQUEST_HEAD
    for message, layout in REQUESTS.items():
        for size in {layout.size - 1, layout.size + 1, longest, chance.randrange(longest)} - {-1, layout.size}:
            assert probe.ask(message, chance.randbytes(size)) == (codes.WRONG_LENGTH, b""), (layout.name, size)


def test_arguments_out_of_range_are_refused_and_change_nothing(probe: Probe) -> None:
    plan = probe.status()["plan"]
    for values in [
        (0, 0, 0, 0, 0, 0, 0),
        (255, 255, 255, 255, 0, 0, 0),
        (plan[0] + 1, *plan[1:], 0, 0, 0),
        (*plan, 4, 0, 0),
        (*plan, 0, 3, 0),
        (*plan, 0, 0, 241),
    ]:
        assert probe.command("set_plan", *values) == codes.BAD_ARGUMENT, values
    assert probe.command("roll_dice", 4, codes.CUT, 0) == codes.BAD_ARGUMENT
