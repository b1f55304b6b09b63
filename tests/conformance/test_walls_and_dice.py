"""What moves a table: one build, stopped on its way, and dice; each request is sent twice and done once.

The name of this file lets it come last: it leaves the table with its walls built.
"""

from typing import Any

import pytest

from tests.conformance.probe import Probe, events_in
from wallwright.link.reports import decode_fields
from wallwright_protocol import codes, link
from wallwright_protocol.codec import EVENTS, NUMBER_OF, REPLIES, REQUESTS

pytestmark = pytest.mark.motion

BUILD_MS = 90_000
SEARCH_MS = 8000
"""After a build the drum is searched for a tile too many."""
SEED_MS = 10_000
"""By then a board that has just started has drawn its first seed and committed to it."""
STEP_MS = 1000


class Listener:
    """Takes the events in, tells the board that they have come, and keeps it from forgetting them."""

    def __init__(self, probe: Probe) -> None:
        self.probe = probe
        *_, self.stored, newest = probe.hello()
        self.reached = self.stored
        self.events: list[tuple[str, dict[str, Any]]] = []
        while self.reached < newest:
            self.listen(STEP_MS // 4)
        self.events.clear()

    def listen(self, for_ms: int) -> None:
        """Hear the board for a while."""
        self.take(self.probe.hear(for_ms))

    def take(self, heard: list[bytes]) -> None:
        """Keep what is new."""
        for seq, _, message, payload in events_in(heard):
            if seq > self.reached:
                self.reached = seq
                layout = EVENTS[message]
                self.events.append((layout.name, decode_fields(layout.unpack_named(payload))))
        self.probe.acknowledge(self.reached, self.stored)

    def twice(self, name: str, *values: int) -> tuple[int, bytes]:
        """Send a request two times; return code and payload of the one answer that both get."""
        probe = self.probe
        frame = probe.send(probe.request_body(NUMBER_OF[name], REQUESTS[NUMBER_OF[name]].pack(*values)))
        heard = probe.hear_until(link.REPLY)
        probe.raw(frame)
        again = probe.hear_until(link.REPLY)
        ((_, _, code, payload),) = probe.replies(heard)
        assert probe.replies(again) == probe.replies(heard)
        self.take(heard + again)
        return code, payload

    def wait_for(self, name: str, within_ms: int) -> dict[str, Any]:
        """Listen until an event comes."""
        for _ in range(0, within_ms, STEP_MS):
            found = [fields for known, fields in self.events if known == name]
            if found:
                return found[0]
            self.listen(STEP_MS)
        raise AssertionError(f"no {name} within {within_ms} ms, but {self.events}")

    def count(self, name: str) -> int:
        """How many events of that name have come."""
        return sum(known == name for known, _ in self.events)


def test_dice_are_rolled_once_by_two_frames(moved: Probe) -> None:
    listener = Listener(moved)
    code, payload = listener.twice("roll_dice", 1, codes.CUT, 0)
    for _ in range(0, SEED_MS, STEP_MS):
        if code == codes.NOT_READY:
            listener.listen(STEP_MS)
            code, payload = listener.twice("roll_dice", 1, codes.CUT, 0)
    assert code == codes.OK
    dice = REPLIES[NUMBER_OF["roll_dice"]].unpack_named(payload)["dice"]
    rolled = listener.wait_for("dice_rolled", 2000)
    listener.listen(500)
    assert listener.count("dice_rolled") == 1
    assert rolled["dice"] == tuple(die for die in dice if die)
    assert rolled["purpose"] == "cut"
    assert all(1 <= die <= 6 for die in rolled["dice"])
    assert rolled["seat"] == 1


def test_a_build_starts_once_stops_at_once_and_ends_whole(moved: Probe) -> None:
    listener = Listener(moved)
    plan = moved.status()["plan"]
    assert moved.status()["state"] == "idle", "build with an empty table and one set in the drum"
    # The listener has to have what comes with the answer: the event may.
    assert listener.twice("set_plan", *plan, moved.status()["dealer"], codes.TURNED, 0) == (codes.OK, b"")
    assert listener.twice("start_build") == (codes.OK, b"")
    listener.wait_for("build_started", 2000)
    listener.listen(4000)
    assert moved.status()["drives"]
    assert (listener.count("build_started"), listener.count("command_accepted")) == (1, 2)

    assert listener.twice("stop") == (codes.OK, b"")
    status = moved.status()
    assert (status["state"], status["fault"], status["drives"]) == ("fault", "stopped", ())
    assert moved.command("start_build") == codes.FAULT_ACTIVE
    assert moved.command("clear_fault") == codes.OK
    listener.listen(3000)
    assert moved.status()["drives"] == (), "it has gone on by itself"

    assert moved.command("start_build") == codes.OK
    done = listener.wait_for("build_done", BUILD_MS)
    assert (done["stacks"], done["wash_s"]) == (plan, 0)
    assert moved.command("set_plan", *plan, moved.status()["dealer"], codes.TURNED, codes.AS_SET) == codes.OK
    listener.listen(SEARCH_MS)
    assert (moved.status()["state"], moved.status()["drives"]) == ("ready", ())
