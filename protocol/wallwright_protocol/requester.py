"""The host's end of the link, which no board has to load; `link` has the board's end and what both agree on.

Bytes and times in, bytes and what happened out; no clock, no port.

**What happens there.** Frames are lost, damaged, doubled, and come late, from a session before too. The board may be
switched off and on, or take another host, between any two frames; it says so only when it is asked, or by a frame with
another boot id.

**Why it has these states.** A board takes requests only in a session that it holds, so handshake and request wait for
different answers, and what is no answer to a handshake means nothing while one is made. A request that nobody has
answered leaves the session as it is: the next one may be tried. A handshake without an answer leaves none. A session
that the board does not hold any more is not begun again from here, for only the owner knows what to do first.
"""

import struct

from . import codes
from .constants import const
from .frame import Decoder, encode
from .link import (
    EVENT,
    EVENT_ACK,
    EVENT_ACK_LAYOUT,
    EVENT_HEAD,
    EVENT_LAYOUT,
    HEARTBEAT_MS,
    HELLO,
    HELLO_LAYOUT,
    HELLO_REPLY,
    HELLO_REPLY_LAYOUT,
    HELLO_REPLY_SIZE,
    NEVER,
    REPLY,
    REPLY_HEAD,
    REPLY_LAYOUT,
    REQUEST,
    REQUEST_LAYOUT,
    RETRY_CAP_MS,
    RETRY_MS,
    SEQUENCE_MASK,
    STATUS,
    STATUS_HEAD,
    TRIES,
)
from .machine import Machine
from .messages import CATALOG_HASH, PROTOCOL_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CLOSED = const(0)
"""No session is held, as far as is known; a handshake begins one."""
GREETS = const(1)
"""A handshake was sent, and its answer is waited for."""
OPEN = const(2)
"""The board holds the session; events come, and a request may be sent."""
ASKS = const(3)
"""A request was sent, and its answer is waited for; events come meanwhile."""

REQUESTER = {
    CLOSED: {
        "hello": (GREETS, "send"),
    },
    GREETS: {
        "hello": (GREETS, "send"),
        "time": (GREETS, "repeat"),
        "tried_enough": (CLOSED, "end"),
        "refused": (CLOSED, "end"),
        "taken": (OPEN, "begin"),
    },
    OPEN: {
        "hello": (GREETS, "send"),
        "request": (ASKS, "send"),
        "reset": (CLOSED, "forget"),
    },
    ASKS: {
        "hello": (GREETS, "send"),
        "time": (ASKS, "repeat"),
        "tried_enough": (OPEN, "end"),
        "reply": (OPEN, "end"),
        "reset": (CLOSED, "forget"),
    },
}


class Requester(Machine):
    """The host's end.

    - `hello` or `request` starts one exchange (`busy` until it ends); `receive` and `poll` return what happened, as
      tuples: ("hello", boot id, code, version, catalog, stored event, newest event), ("reply", message, code, payload),
      ("event", boot id, seq, lost before it, time in ms, message, payload), ("status", message, payload),
      ("reset", boot id), ("no_answer", tries).
    - "reset" says that the board does not hold the session any more: it has restarted when the boot id is another one,
      else it was without its host for too long or has taken another. Nothing is accepted then until `hello` was called
      with a new session and answered.
    - `stored(seq)` lets the board forget events; it is told with the next acknowledgement.
    - `room` is how many more events are taken; the board sends those again for which there is none.
    - `take()` returns what is to be sent; `due` is when `poll` wants to be called next.
    """

    table = REQUESTER

    def __init__(self) -> None:
        super().__init__(CLOSED)
        self.decoder = Decoder()
        self.boot_id = 0
        self.ignored = 0
        self.room = NEVER
        self._session = 0
        self._sequence = 0
        self._message = 0
        self._frame = b""
        self._tries = 0
        self._retry_due = NEVER
        self._ack_due = NEVER
        self._received = 0
        self._stored = 0
        self._out: list[bytes] = []

    def take(self) -> bytes:
        """Return the frames to send and forget them."""
        tx = b"".join(self._out)
        self._out = []
        return tx

    def is_open(self) -> bool:
        """Say whether a board has shaken hands and holds the session, as far as is known."""
        return self.state >= OPEN

    @property
    def busy(self) -> bool:
        """Whether a handshake or a request waits for its answer."""
        return self.state in (GREETS, ASKS)

    def hello(self, now_ms: int, session: int) -> None:
        """Shake hands under `session`, a fresh random number of 1 to 2^32 - 1; whatever was in flight is given up."""
        self._session = session
        self._sequence = 0
        self._received = 0
        self._stored = 0
        self._ack_due = NEVER
        self._frame = encode(struct.pack(HELLO_LAYOUT, HELLO, PROTOCOL_VERSION, CATALOG_HASH, session))
        self.happens("hello", now_ms)
        self._set_due()

    def request(self, now_ms: int, message: int, payload: bytes) -> None:
        """Send one request; RuntimeError when one is in flight or no handshake was made."""
        if self.state != OPEN:
            raise RuntimeError("one request at a time, and only after a handshake")
        self._sequence = (self._sequence + 1) & SEQUENCE_MASK
        head = struct.pack(REQUEST_LAYOUT, REQUEST, self._session, self._sequence, message)
        self._message = message
        self._frame = encode(head + payload)
        self.happens("request", now_ms)
        self._set_due()

    def stored(self, now_ms: int, seq: int) -> None:
        """Tell the board that every event up to `seq` of this boot is safe and may be forgotten."""
        if self.is_open() and seq > self._stored:
            self._stored = seq
            self._received = max(self._received, seq)
            self._acknowledge(now_ms)
            self._set_due()

    def poll(self, now_ms: int) -> "list[tuple[Any, ...]]":
        """Repeat what was not answered in time, and keep the heartbeat."""
        happened: "list[tuple[Any, ...]]" = []
        if now_ms >= self._retry_due:
            if self._tries < TRIES:
                self.happens("time", now_ms)
            else:
                self.happens("tried_enough", now_ms)
                happened.append(("no_answer", TRIES))
        if now_ms >= self._ack_due:
            self._acknowledge(now_ms)
        self._set_due()
        return happened

    def receive(self, now_ms: int, data: bytes) -> "list[tuple[Any, ...]]":
        """Take bytes from the wire; return what they say, in order."""
        happened: "list[tuple[Any, ...]]" = []
        events = False
        for body in self.decoder.feed(data):
            kind = body[0]
            size = len(body)
            if kind == HELLO_REPLY and size == HELLO_REPLY_SIZE:
                self._hello_reply(now_ms, body, happened)
            elif self.state < OPEN or size < 5 or kind not in (REPLY, EVENT, STATUS):
                self.ignored += 1
            elif struct.unpack("<I", body[1:5])[0] != self.boot_id:
                self._lose(now_ms, struct.unpack("<I", body[1:5])[0], happened)
            elif kind == REPLY and size >= REPLY_HEAD:
                self._reply(now_ms, body, happened)
            elif kind == EVENT and size >= EVENT_HEAD:
                self._event(body, happened)
                events = True
            elif kind == STATUS and size >= STATUS_HEAD:
                happened.append(("status", body[STATUS_HEAD - 1], body[STATUS_HEAD:]))
            else:
                self.ignored += 1
        if events and self.is_open():
            self._acknowledge(now_ms)
        self._set_due()
        return happened

    def send(self, now_ms: int) -> None:
        self._out.append(self._frame)
        self._tries = 1
        self._retry_due = now_ms + RETRY_MS

    def repeat(self, now_ms: int) -> None:
        self._out.append(self._frame)
        self._retry_due = now_ms + min(RETRY_MS << self._tries, RETRY_CAP_MS)
        self._tries += 1

    def begin(self, now_ms: int) -> None:
        self._retry_due = NEVER
        self._ack_due = now_ms + HEARTBEAT_MS

    def end(self, _: int) -> None:
        self._retry_due = NEVER

    def forget(self, _: int) -> None:
        self._retry_due = NEVER
        self._ack_due = NEVER

    def _set_due(self) -> None:
        self.due = min(self._retry_due, self._ack_due)

    def _lose(self, now_ms: int, boot_id: int, happened: "list[tuple[Any, ...]]") -> None:
        self.happens("reset", now_ms)
        happened.append(("reset", boot_id))

    def _acknowledge(self, now_ms: int) -> None:
        self._out.append(
            encode(struct.pack(EVENT_ACK_LAYOUT, EVENT_ACK, self._session, self.boot_id, self._received, self._stored))
        )
        self._ack_due = now_ms + HEARTBEAT_MS

    def _hello_reply(self, now_ms: int, body: bytes, happened: "list[tuple[Any, ...]]") -> None:
        _, boot_id, session, version, catalog, code, stored, newest = struct.unpack(HELLO_REPLY_LAYOUT, body)
        if self.state != GREETS or session != self._session:
            self.ignored += 1
            return
        if code == codes.OK and version == PROTOCOL_VERSION and boot_id:
            self.boot_id = boot_id
            self._received = stored
            self.happens("taken", now_ms)
        else:
            self.happens("refused", now_ms)
        happened.append(("hello", boot_id, code, version, catalog, stored, newest))

    def _reply(self, now_ms: int, body: bytes, happened: "list[tuple[Any, ...]]") -> None:
        _, boot_id, session, sequence, message, code = struct.unpack(REPLY_LAYOUT, body[:REPLY_HEAD])
        if session == self._session and message == 0 and code == codes.UNKNOWN_SESSION:
            self._lose(now_ms, boot_id, happened)
        elif (session, sequence, message) == (self._session, self._sequence, self._message) and self.happens(
            "reply", now_ms
        ):
            happened.append(("reply", message, code, body[REPLY_HEAD:]))
        else:
            self.ignored += 1

    def _event(self, body: bytes, happened: "list[tuple[Any, ...]]") -> None:
        _, boot_id, seq, previous, time_ms, message = struct.unpack(EVENT_LAYOUT, body[:EVENT_HEAD])
        if seq <= self._received or previous > self._received or not self.room:
            self.ignored += 1
            return
        lost = seq - self._received - 1
        self._received = seq
        self.room -= 1
        happened.append(("event", boot_id, seq, lost, time_ms, message, body[EVENT_HEAD:]))
