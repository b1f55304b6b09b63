"""The link without its wire: what both ends agree on, and the board's end; `requester` has the host's. Bytes and times
in, bytes out.

Neither end reads a clock or a port. The rules (SPEC.md has them in full): one request is in flight; it carries a
session and a sequence number and is executed at most once, a repeated one gets the stored reply; every board frame
carries the boot id; events are numbered by the board, sent in a window, and kept until the host has stored them.

**What happens at the board's end.** Its host is a program that may end, hang or be started again at any time, and says
nothing about it; the cable may be pulled. Frames are lost in either direction, an acknowledgement as well as an event.

**Why it has these states.** A board that nobody listens to sends nothing, so that a host which comes later finds the
line quiet, and a board without a host needs no time. Events are kept until they are stored, so it is enough to know
whether the host has received what was sent last. While it has not, time counts: what was sent is then taken back as if
it had not been sent, and goes out once more, after twice the wait.
"""

import struct

from . import codes, machine
from .constants import const
from .frame import MAX_FRAME, Decoder, encode
from .messages import CATALOG_HASH, PROTOCOL_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    Record = tuple[int, int, int, int, bytes]
    """An event as the board keeps it: seq, seq of the event before it, time in ms, message id, payload."""

    class Ring(Protocol):
        """Where the board keeps events until they are stored."""

        def after(self, seq: int) -> "Record | None":
            """Return the first event above `seq`, or None."""

        def forget(self, seq: int) -> None:
            """Drop every event up to `seq`: the host has stored them."""

        def stored(self) -> int:
            """Return the number up to which the host has stored the events, 0 at first."""

        def newest(self) -> int:
            """Return the number of the newest event, 0 when there was none since boot."""


HELLO = 0x01
REQUEST = 0x02
EVENT_ACK = 0x03
HELLO_REPLY = 0x81
REPLY = 0x82
EVENT = 0x83
STATUS = 0x84

HELLO_LAYOUT = "<BHII"
HELLO_REPLY_LAYOUT = "<BIIHIBII"
REQUEST_LAYOUT = "<BIHB"
EVENT_ACK_LAYOUT = "<BIIII"
REPLY_LAYOUT = "<BIIHBB"
EVENT_LAYOUT = "<BIIIIB"
STATUS_LAYOUT = "<BIB"

HELLO_SIZE = struct.calcsize(HELLO_LAYOUT)
HELLO_REPLY_SIZE = struct.calcsize(HELLO_REPLY_LAYOUT)
REQUEST_HEAD = struct.calcsize(REQUEST_LAYOUT)
EVENT_ACK_SIZE = struct.calcsize(EVENT_ACK_LAYOUT)
REPLY_HEAD = struct.calcsize(REPLY_LAYOUT)
EVENT_HEAD = struct.calcsize(EVENT_LAYOUT)
STATUS_HEAD = struct.calcsize(STATUS_LAYOUT)

RETRY_MS = 250
"""First wait for a reply; it doubles with every try up to RETRY_CAP_MS."""
RETRY_CAP_MS = 1000
TRIES = 6
"""A request or a HELLO is sent this many times at the most: 250 + 500 + 4 x 1000 ms until the named error."""
EVENT_WINDOW = 4
"""Events under way to the host that it has not yet said to have received."""
EVENT_RETRY_MS = 500
EVENT_RETRY_CAP_MS = 4000
SILENCE_MS = 10000
"""After this long without a frame from its host the board sends nothing until it hears one."""
HEARTBEAT_MS = 2000
"""The host acknowledges at least this often, so that the board knows it is there."""
NEVER = machine.NEVER
"""A deadline that does not come."""
SEQUENCE_MASK = 0xFFFF


SILENT = const(0)
"""No session is held: nothing is sent but answers."""
TOLD = const(1)
"""A host is there, and has received all events that were sent."""
TELLS = const(2)
"""A host is there, and has not said that it has received what was sent last."""

RESPONDER = {
    SILENT: {
        "hello": (TOLD, "begin"),
    },
    TOLD: {
        "hello": (TOLD, "begin"),
        "sent": (TELLS, "wait"),
        "host_silent": (SILENT, "end"),
    },
    TELLS: {
        "hello": (TOLD, "begin"),
        "time": (TOLD, "take_back"),
        "received": (TOLD, ""),
        "host_silent": (SILENT, "end"),
    },
}


class Responder(machine.Machine):
    """The board's end.

    - `execute(message, payload) -> (code, reply payload)` is called once for every new request, and again as long as it
      returns None because it has not done all of it.
    - `ring` keeps the events; each names the one before it, so that the host can tell a late frame from a lost event.
    - `take()` returns what is to be sent; `due` is when `poll` wants to be called next.
    - With `short_calls` a call takes bytes, decodes one frame, acts on one, calls `execute`, makes a reply or sends one
      event, and `due` is now while there is more.
    """

    table = RESPONDER

    def __init__(
        self,
        boot_id: int,
        execute: "Callable[[int, bytes], tuple[int, bytes] | None]",
        ring: "Ring",
        short_calls: bool = False,
    ) -> None:
        super().__init__(SILENT)
        self.boot_id = boot_id
        self.decoder = Decoder()
        self.refused = 0
        self._execute = execute
        self._ring = ring
        self._short_calls = short_calls
        self._waiting: list[bytes] = []
        self._later = b""
        self._session = 0
        self._sequence = 0
        self._call: "tuple[int, int, bytes] | None" = None
        self._done: "tuple[int, int, bytes] | None" = None
        self._last_reply = b""
        self._out: list[bytes] = []
        self._heard_ms = 0
        self._sent = 0
        self._received = 0
        self._under_way: list[int] = []
        self._retry_ms = EVENT_RETRY_MS
        self._resend_ms = NEVER

    def is_open(self) -> bool:
        """Say whether a host has shaken hands and was heard within SILENCE_MS of the last poll."""
        return self.state != SILENT

    def session(self) -> int:
        """Return the number that the host has chosen for the session which is held, 0 when none is."""
        return self._session

    def has_frames(self) -> bool:
        """Say whether there is something to send."""
        return len(self._out) > 0

    def take(self) -> bytes:
        """Return the frames to send and forget them."""
        if not self._out:
            return b""
        tx = b"".join([encode(body) for body in self._out])
        self._out = []
        return tx

    def receive(self, now_ms: int, data: bytes) -> None:
        """Take bytes from the wire and act on the whole frames in them."""
        if self._short_calls:
            data = self._later + data
            if len(data) <= 2 * MAX_FRAME:  # no more than that ever waits
                self._later = data
                self.due = now_ms
                return
            self._later = b""
        self._waiting.extend(self.decoder.feed(data))
        if self._short_calls and len(self._waiting) < EVENT_WINDOW:  # no more than a few ever wait
            self.due = now_ms
        else:
            self._act(now_ms)

    def poll(self, now_ms: int) -> bool:
        """Act on frames that wait, send events that are new or were not acknowledged in time; say whether it did.

        Falls silent when the host is gone.
        """
        if self._call or self._done:
            self._go_on()
            self.due = now_ms
            return True
        if self._waiting:
            self._act(now_ms)
            return True
        if self._later:
            size = self._later.find(b"\x00") + 1 or len(self._later)
            self._waiting.extend(self.decoder.feed(self._later[:size]))
            self._later = self._later[size:]
            self.due = now_ms
            return True
        if now_ms >= self._heard_ms + SILENCE_MS:
            self.happens("host_silent", now_ms)
        if self.state == SILENT:
            self.due = NEVER
            return False
        if now_ms >= self._resend_ms:
            self.happens("time", now_ms)
        return self._send_events(now_ms)

    def send_status(self, message: int, payload: bytes) -> None:
        """Send one status frame, when a host is there to read it."""
        if self.state != SILENT:
            self._send(struct.pack(STATUS_LAYOUT, STATUS, self.boot_id, message) + payload)

    def begin(self, _: int) -> None:
        self._sequence = 0
        self._last_reply = b""
        self._sent = self._received = self._ring.stored()
        self._under_way.clear()
        self._retry_ms = EVENT_RETRY_MS

    def wait(self, now_ms: int) -> None:
        self._resend_ms = now_ms + self._retry_ms

    def take_back(self, _: int) -> None:
        self._sent = self._received
        self._under_way.clear()
        self._retry_ms = min(2 * self._retry_ms, EVENT_RETRY_CAP_MS)

    def end(self, _: int) -> None:
        self._session = 0

    def _act(self, now_ms: int) -> None:
        """Act on the frames that wait; on one of them where calls are to be short."""
        while self._waiting:
            while self._call or self._done:
                self._go_on()
            body = self._waiting.pop(0)
            kind = body[0]
            size = len(body)
            if kind == HELLO and size == HELLO_SIZE:
                self._hello(now_ms, body)
            elif kind == REQUEST and size >= REQUEST_HEAD:
                self._request(now_ms, body)
            elif kind == EVENT_ACK and size == EVENT_ACK_SIZE:
                self._event_ack(now_ms, body)
            else:
                self.refused += 1
            if self._short_calls and len(self._waiting) < EVENT_WINDOW:
                self.due = now_ms
                return

    def _send(self, body: bytes) -> None:
        self._out.append(body)

    def _hello(self, now_ms: int, body: bytes) -> None:
        _, version, _, session = struct.unpack(HELLO_LAYOUT, body)
        code = codes.OK
        if version != PROTOCOL_VERSION:
            code = codes.VERSION_MISMATCH
        elif session == 0:
            code = codes.BAD_ARGUMENT
        elif session != self._session:
            self._session = session
            self.happens("hello", now_ms)
        head = (HELLO_REPLY, self.boot_id, session, PROTOCOL_VERSION, CATALOG_HASH)
        self._send(struct.pack(HELLO_REPLY_LAYOUT, *(head + (code, self._ring.stored(), self._ring.newest()))))
        if code == codes.OK:
            self._heard_ms = now_ms
            if not self._short_calls:
                self._send_events(now_ms)

    def _request(self, now_ms: int, body: bytes) -> None:
        _, session, sequence, message = struct.unpack(REQUEST_LAYOUT, body[:REQUEST_HEAD])
        if session == 0 or session != self._session:
            self._refuse(session, sequence, message)
            return
        self._heard_ms = now_ms
        ahead = (sequence - self._sequence) & SEQUENCE_MASK
        if ahead == 0 and self._last_reply:
            self._out.append(self._last_reply)
        elif 0 < ahead <= SEQUENCE_MASK >> 1:  # newer; requests between the two never arrived and were given up
            self._call = (sequence, message, body[REQUEST_HEAD:])
            while not self._short_calls and (self._call or self._done):
                self._go_on()
        else:
            self.refused += 1

    def _go_on(self) -> None:
        """Execute the request that has come, or make the reply to the one that was executed."""
        if self._call:
            self._sequence, message, payload = self._call
            self._last_reply = b""
            done = self._execute(message, payload)
            if done is not None:
                self._call = None
                self._done = (message, done[0], done[1])
        elif self._done:
            message, code, payload = self._done
            self._done = None
            head = (REPLY, self.boot_id, self._session, self._sequence, message, code)
            self._last_reply = struct.pack(REPLY_LAYOUT, *head) + payload
            self._out.append(self._last_reply)

    def _event_ack(self, now_ms: int, body: bytes) -> None:
        _, session, boot_id, received, stored = struct.unpack(EVENT_ACK_LAYOUT, body)
        if session != self._session or session == 0 or boot_id != self.boot_id:
            self._refuse(session, 0, 0)
            return
        self._heard_ms = now_ms
        newest = self._ring.newest()
        received = min(max(received, stored), newest)
        self._ring.forget(min(stored, newest))
        if received > self._received:
            self._received = received
            self._sent = max(self._sent, received)
            self._retry_ms = EVENT_RETRY_MS
            self._resend_ms = now_ms + self._retry_ms
            if self._sent == received:
                self.happens("received", now_ms)
        if not self._short_calls:
            self._send_events(now_ms)

    def _refuse(self, session: int, sequence: int, message: int) -> None:
        """Say that this session is not the one held; the boot id beside it shows whether that is for a restart."""
        self._send(struct.pack(REPLY_LAYOUT, REPLY, self.boot_id, session, sequence, message, codes.UNKNOWN_SESSION))

    def _send_events(self, now_ms: int) -> bool:
        under_way = self._under_way
        while under_way and under_way[0] <= self._received:
            under_way.pop(0)
        record = self._ring.after(self._sent) if len(under_way) < EVENT_WINDOW else None
        sent = False
        while record is not None and len(under_way) < EVENT_WINDOW:
            seq, previous, time_ms, message, payload = record
            head = struct.pack(EVENT_LAYOUT, EVENT, self.boot_id, seq, previous, time_ms & 0xFFFFFFFF, message)
            self._send(head + payload)
            self.happens("sent", now_ms)
            self._sent = seq
            under_way.append(seq)
            sent = True
            if self._short_calls:
                self.due = now_ms
                return True
            record = self._ring.after(seq)
        self.due = self._heard_ms + SILENCE_MS
        if self.state == TELLS:
            self.due = min(self.due, self._resend_ms)
        return sent
