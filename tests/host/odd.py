"""A board of a later release, or a broken one: the real firmware, whose frames say numbers that nobody knows."""

from collections.abc import Callable

from wallwright_firmware.app import App
from wallwright_firmware.events import EventRing
from wallwright_protocol import link
from wallwright_protocol.codec import EVENTS, NUMBER_OF
from wallwright_protocol.frame import Decoder, encode
from wallwright_simulator.board import SimulatedBoard

UNKNOWN = 200
Change = Callable[[bytes], list[bytes]]
"""Takes a body of the board, returns those that are sent instead."""


class OddApp:
    """The firmware; `changes` are applied to every body that it sends, one after the other."""

    def __init__(self, board: SimulatedBoard, unit: bytes, tiles: int) -> None:
        self.app = App(board, unit, tiles)
        self.changes: list[Change] = []
        self.due = self.app.due
        self._decoder = Decoder()

    @property
    def events(self) -> EventRing:
        return self.app.events

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        bodies = self._decoder.feed(self.app.poll(now_ms, rx))
        self.due = self.app.due
        for change in self.changes:
            bodies = [changed for body in bodies for changed in change(body)]
        return b"".join(map(encode, bodies))

    def happen(self, name: str, *values: int | bytes) -> None:
        """Let an event with these values be told, each as it is."""
        counted, self.app.events.trouble = self.app.events.trouble, lambda *_: None  # which knows no such fault
        self.app.events.add(self.app.cycle.now_ms, name, *values)
        self.app.events.trouble = counted


def in_status(at: int, value: bytes) -> Change:
    """Put bytes at that place of every status' payload, and of every answer to get_status."""

    def change(body: bytes) -> list[bytes]:
        head = status_head(body)
        return [body] if head is None else [body[: head + at] + value + body[head + at + len(value) :]]

    return change


def status_head(body: bytes) -> int | None:
    """Where the payload of a status begins, None when there is none."""
    if body[0] == link.STATUS:
        return link.STATUS_HEAD
    if body[0] == link.REPLY and body[link.REPLY_HEAD - 2] == NUMBER_OF["get_status"]:
        return link.REPLY_HEAD
    return None


def statuses_as(*messages: int) -> Change:
    """Send every status under these ids too, before its own."""

    def change(body: bytes) -> list[bytes]:
        if body[0] != link.STATUS:
            return [body]
        head, payload = body[: link.STATUS_HEAD - 1], body[link.STATUS_HEAD :]
        return [*(head + bytes([message]) + payload for message in messages), body]

    return change


def event_as(name: str, message: int) -> Change:
    """Send events of that name under another id."""

    def change(body: bytes) -> list[bytes]:
        if body[0] == link.EVENT and EVENTS[body[link.EVENT_HEAD - 1]].name == name:
            body = body[: link.EVENT_HEAD - 1] + bytes([message]) + body[link.EVENT_HEAD :]
        return [body]

    return change


def refusing(name: str, code: int) -> Change:
    """Answer that request by a code."""

    def change(body: bytes) -> list[bytes]:
        if body[0] == link.REPLY and body[link.REPLY_HEAD - 2] == NUMBER_OF[name]:
            body = body[: link.REPLY_HEAD - 1] + bytes([code])
        return [body]

    return change
