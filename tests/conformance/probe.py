"""The far end of a line: sends any bytes, and tells the board's frames apart."""

import struct
from typing import Any

from wallwright.link.ports import Transport
from wallwright.link.reports import decode_fields
from wallwright_protocol import codes, link
from wallwright_protocol.codec import NUMBER_OF, REPLIES, REQUESTS
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION

ANSWER_MS = 1000
"""A board on a clean line answers at once; this is time enough for any."""
OPENING_MS = 6000
STEP_MS = 250
Body = bytes


class Probe:
    """One open port, which is the probe's from now on."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.session = int.from_bytes(b"\x11\x03\x0a\x0d", "little")
        self.sequence = 0
        self.boot_id = 0
        self.decoder = Decoder()
        self.waiting: list[Body] = []
        """What came behind the answer to a HELLO, and was not asked for yet."""

    def close(self) -> None:
        self.transport.close()

    def raw(self, data: bytes) -> None:
        """Put bytes on the line."""
        self.transport.write(data)

    def send(self, body: Body) -> bytes:
        """Put a frame on the line, and return it."""
        frame = encode(body)
        self.raw(frame)
        return frame

    def hear(self, for_ms: int) -> list[Body]:
        """Everything that the board says in that time."""
        until = self.transport.now_ms() + for_ms
        heard, self.waiting = self.waiting, []
        while self.transport.now_ms() < until:
            heard += self.decoder.feed(self.transport.read(until - self.transport.now_ms()))
        return heard

    def hear_until(self, kind: int, within_ms: int = ANSWER_MS) -> list[Body]:
        """Everything up to the first frame of this kind; AssertionError when none comes in time."""
        until = self.transport.now_ms() + within_ms
        heard, self.waiting = self.waiting, []
        while not any(body[0] == kind for body in heard):
            left = until - self.transport.now_ms()
            assert left > 0, f"no frame of kind {kind:#x} within {within_ms} ms, but {heard}"
            heard += self.decoder.feed(self.transport.read(left))
        return heard

    def hello(self, session: int | None = None) -> tuple[int, ...]:
        """Shake hands in a new session, or this one; return the values of the HELLO_REPLY from the boot id on."""
        self.session = self.session % 0xFFFFFFFF + 1 if session is None else session
        self.sequence = 0
        for _ in range(OPENING_MS // STEP_MS):
            values = self.try_hello(self.session)
            if values:
                self.boot_id = values[0]
                return values
        raise AssertionError(f"no answer to HELLO in {OPENING_MS} ms")

    def try_hello(self, session: int, version: int = PROTOCOL_VERSION, catalog: int = CATALOG_HASH) -> tuple[int, ...]:
        """Send one HELLO; return the values of its answer, or nothing."""
        self.send(struct.pack(link.HELLO_LAYOUT, link.HELLO, version, catalog, session))
        until = self.transport.now_ms() + STEP_MS
        while self.transport.now_ms() < until:
            heard = self.decoder.feed(self.transport.read(until - self.transport.now_ms()))
            for number, body in enumerate(heard, 1):
                if body[0] == link.HELLO_REPLY:
                    values = struct.unpack(link.HELLO_REPLY_LAYOUT, body)[1:]
                    if values[1] == session:
                        self.waiting = heard[number:]
                        return values
        return ()

    def request_body(self, message: int, payload: bytes = b"", *, sequence: int | None = None) -> Body:
        """The body of a request, the next one unless a sequence is given."""
        if sequence is None:
            self.sequence += 1
            sequence = self.sequence
        return struct.pack(link.REQUEST_LAYOUT, link.REQUEST, self.session, sequence, message) + payload

    def replies(self, heard: list[Body]) -> list[tuple[int, int, int, bytes]]:
        """(sequence, message, code, payload) of the replies of this session among the frames."""
        found = []
        for body in heard:
            if body[0] == link.REPLY:
                _, boot_id, session, sequence, message, code = struct.unpack(link.REPLY_LAYOUT, body[: link.REPLY_HEAD])
                if session == self.session:
                    assert boot_id == self.boot_id
                    found.append((sequence, message, code, body[link.REPLY_HEAD :]))
        return found

    def ask(self, message: int, payload: bytes = b"") -> tuple[int, bytes]:
        """Send one request; return code and payload of its reply, the only one."""
        self.send(self.request_body(message, payload))
        (reply,) = self.replies(self.hear_until(link.REPLY))
        assert reply[:2] == (self.sequence & link.SEQUENCE_MASK, message)
        return reply[2:]

    def command(self, name: str, *values: int) -> int:
        """Ask by name; return the code."""
        return self.ask(NUMBER_OF[name], REQUESTS[NUMBER_OF[name]].pack(*values))[0]

    def status(self) -> dict[str, Any]:
        """All that is so, with names for numbers."""
        message = NUMBER_OF["get_status"]
        code, payload = self.ask(message)
        assert code == codes.OK
        return decode_fields(REPLIES[message].unpack_named(payload))

    def acknowledge(self, received: int, stored: int) -> None:
        """Say which events have come and which are stored."""
        self.send(struct.pack(link.EVENT_ACK_LAYOUT, link.EVENT_ACK, self.session, self.boot_id, received, stored))


def events_in(heard: list[Body]) -> list[tuple[int, int, int, bytes]]:
    """(seq, previous, message, payload) of the events among the frames."""
    found = []
    for body in heard:
        if body[0] == link.EVENT:
            _, _, seq, previous, _, message = struct.unpack(link.EVENT_LAYOUT, body[: link.EVENT_HEAD])
            found.append((seq, previous, message, body[link.EVENT_HEAD :]))
    return found
