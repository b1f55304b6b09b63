"""A sample of the hostile frames, and whether they would find what they look for."""

import struct

import pytest

from tests.campaign.hostile import Besieged, Siege
from tests.scenarios.power import app_of
from tests.scenarios.watch import Broken
from wallwright_protocol import link
from wallwright_protocol.frame import encode
from wallwright_protocol.link import Responder
from wallwright_protocol.names import STATES

FRAMES = 8_000
KINDS = {
    "damaged",
    "forged",
    "hello",
    "misfit",
    "noise",
    "random_body",
    "replayed",
    "request",
    "stale",
    "strange_ack",
    "strange_hello",
}


def test_nothing_moves_but_by_what_a_session_has_asked_for(seed):
    siege = Siege(seed, FRAMES)
    siege.play()
    print(f"seed {seed}: {siege.words()}")
    assert set(siege.frames) == KINDS
    assert sum(siege.frames.values()) >= FRAMES
    assert siege.requests > FRAMES / 50
    assert siege.motions > 100, "at a table that stands still nothing can be out of order"
    assert len(siege.states) >= len(STATES) // 2


def carried_out(responder: Responder, body: bytes) -> None:
    """What a careless board does with a request."""
    _, session, sequence, message = struct.unpack(link.REQUEST_LAYOUT, body[: link.REQUEST_HEAD])
    while (done := responder._execute(message, body[link.REQUEST_HEAD :])) is None:
        pass
    code, payload = done
    head = struct.pack(link.REPLY_LAYOUT, link.REPLY, responder.boot_id, session, sequence, message, code)
    responder._out.append(encode(head + payload))


@pytest.mark.parametrize("careless_about", ["the session", "the turn"])
def test_a_board_that_is_careless_is_found(seed, monkeypatch, careless_about):
    request = Responder._request

    def careless(self, now_ms, body):
        _, session, sequence, _ = struct.unpack(link.REQUEST_LAYOUT, body[: link.REQUEST_HEAD])
        passed_over = session != self._session if careless_about == "the session" else sequence < self._sequence
        if passed_over and self._session:
            carried_out(self, body)
        else:
            request(self, now_ms, body)

    monkeypatch.setattr(Responder, "_request", careless)
    found = r"carried out \d+ requests of|after the last act|nobody|are on|is on|no answer"
    with pytest.raises(AssertionError, match=found):
        Siege(seed, FRAMES).play()


def test_a_motion_without_a_request_is_found_by_what_moves(seed, monkeypatch):
    attack = Besieged.attack

    def attack_and_move(self):
        attack(self)
        app_of(self.table).cycle.trigger("start_build")

    monkeypatch.setattr(Besieged, "attack", attack_and_move)
    with pytest.raises(Broken, match="after the last act"):
        Siege(seed, FRAMES).play()
