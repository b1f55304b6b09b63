"""A conversation with one board: handshake, requests, heartbeat, and what the board says of itself.

- One request at a time; it is done at most once, or NoAnswer says that nobody knows.
- Events and statuses wait in `inbox`, in the order in which they came; an event comes once, also after a reconnection.
  It is bounded: of statuses in a row the newest stays, and events that find no room are left to the board.
- What the board says that cannot be, or that this program does not know, ends nothing: the inbox has a Strange for it.
- A board that has been reset, or has given up this connection, raises that from every call until `reconnect`.

Nothing runs in the background. A host that was busy elsewhere for so long that the board gave it up shakes hands anew
before it goes on. Meaning is for `table.py`; bytes are for `transport.py`.
"""

import secrets
from collections import deque
from typing import Any, TypeVar

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES, REQUESTS, CodecError
from wallwright_protocol.dictionary import BadDictionary, read_dictionary
from wallwright_protocol.link import HEARTBEAT_MS, NEVER, SILENCE_MS
from wallwright_protocol.messages import EVENT, PROTOCOL_VERSION, STATUS
from wallwright_protocol.requester import Requester

from ..errors import (
    BadBoard,
    BadMessage,
    BoardReset,
    ConnectionLost,
    LinkError,
    NoAnswer,
    NotATable,
    NotOnBoard,
    PortError,
    PortGone,
    VersionMismatch,
    WallwrightError,
)
from .binding import Binding
from .dictionaries import bound, keep
from .numbers import name_of
from .ports import Transport
from .reports import Event, Status, Strange, read_event, read_status, unknown_event, unknown_in, unreadable
from .trace import RECEIVED, SENT, Trace
from .transport import open_transport

HANDSHAKE_MS = 6000
"""How long a port may take to answer: many boards reset when it is opened and are deaf for two seconds."""
QUIET_MS = 3000
"""A board that was not heard for this long, three statuses, is asked whether it is still there."""
IDLE_MS = SILENCE_MS - HEARTBEAT_MS - 1000
"""After this long without a step of its host, a board may have ended the connection: its last frame is older still."""

INBOX_EVENTS = 1000
"""Events that wait for somebody to take them; a board keeps some hundreds at the most."""
STRANGE = 50
"""The host reports this many different wrong messages of a board, each once."""

_GET_DICTIONARY = NUMBER_OF["get_dictionary"]

E = TypeVar("E", bound=WallwrightError)


class Connection:
    """The link to one board over an open transport, which it owns."""

    def __init__(self, transport: Transport, trace: Trace | None = None) -> None:
        self.transport = transport
        self.trace = trace or Trace()
        self.inbox: deque[Event | Status | Strange] = deque()
        self.boot_id = 0
        self.past_seq = 0
        """Events up to this number, of the first boot seen, had happened before this host came."""
        self._requester = Requester()
        self.catalog = 0
        """Hash of the board's dictionary."""
        self._binding: Binding | None = None
        self._unread: list[tuple[Any, ...]] = []
        self._seen = 0
        self._heard_ms = 0
        self._stepped_ms = 0
        # Only a new connection is sure to be understood: there is none yet, or a request was broken off or not
        # answered, and the board may have counted it or not.
        self._is_stale = True
        self._is_gone = False
        self._lost: LinkError | None = None
        self._probing = False
        self._results: deque[tuple[Any, ...]] = deque()
        self._strange: set[str] = set()

    @property
    def binding(self) -> Binding:
        """Turns the board's numbers into this program's; RuntimeError before the first handshake."""
        if self._binding is None:
            raise RuntimeError("a board's numbers are known after the handshake")
        return self._binding

    def connect(self) -> None:
        """Shake hands, with a board that may take HANDSHAKE_MS to answer, and learn what its numbers mean.

        Raises NotATable, VersionMismatch, BadBoard, or PortGone.
        """
        transport = self.transport
        self._lost = None
        self._is_stale = True
        until = transport.now_ms() + HANDSHAKE_MS
        result: tuple[Any, ...] = ("no_answer",)
        while result[0] == "no_answer":
            if transport.now_ms() >= until:
                raise self._traced(NotATable(transport.name, self.trace.noise()))
            self._requester.hello(transport.now_ms(), 1 + secrets.randbelow(0xFFFFFFFF))
            result = self._exchange(until)
        _, _, code, version, catalog, _, _ = result
        if version != PROTOCOL_VERSION:
            raise self._traced(VersionMismatch(PROTOCOL_VERSION, version, transport.name))
        if code != codes.OK:
            refusal = name_of("refusal", code)
            raise self._traced(BadBoard(f"refuses the handshake ({refusal}) though it has this program's protocol"))
        if not self._requester.is_open():
            raise self._traced(BadBoard("gives its start the number 0"))
        if self._binding is None:
            self._bind(catalog)
        self._is_stale = False

    def _bind(self, catalog: int) -> None:
        """Get the dictionary with this hash, from the board when nobody here has seen it, and read what has waited."""
        if bound(catalog) is None:
            try:
                keep(read_dictionary(self._ask_dictionary(), catalog))
            except BadDictionary as error:
                raise self._traced(BadBoard(f"does not say what its numbers mean: {error}")) from error
        self._binding = bound(catalog)
        unread, self._unread = self._unread, []
        self._take(self._heard_ms, unread)

    def _ask_dictionary(self) -> bytes:
        """Return the dictionary that the board hands out, packed. Raises BadDictionary when it does not."""
        data = b""
        while True:
            self._requester.request(self.transport.now_ms(), _GET_DICTIONARY, REQUESTS[_GET_DICTIONARY].pack(len(data)))
            code, payload = self._ended("get_dictionary", self._exchange())
            if code != codes.OK:
                raise BadDictionary(f"it refuses get_dictionary ({name_of('refusal', code)})")
            try:
                size, part = REPLIES[_GET_DICTIONARY].unpack(payload)
            except CodecError as error:
                raise BadDictionary(str(error)) from error
            data += bytes(part)[: size - len(data)]
            if len(data) >= size:
                return data

    def reconnect(self) -> None:
        """Shake hands again after an error, through a port that is opened again if it was gone.

        Raises what `open_transport` and `connect` do.
        """
        if self._is_gone:
            self.transport.close()
            try:
                self.transport = open_transport(self.transport.name)
            except PortError as error:
                raise self._traced(error) from error.__cause__
            self._is_gone = False
        self.connect()

    def request(self, name: str, *values: int | bytes) -> tuple[int, bytes]:
        """Send the request `name` and wait for its reply: (refusal code, payload).

        `values` are flat, in the order of the message table; ValueError when they do not fit it. Raises NotOnBoard when
        the board's firmware lacks the request or something in it, NoAnswer, BoardReset, ConnectionLost or PortGone.
        """
        self._refresh()
        try:
            message, payload = self.binding.request(name, values)
        except NotOnBoard as error:
            raise self._traced(error) from None
        if self._probing:
            self._take_probe(self._exchange())
        self._is_stale = True
        self._requester.request(self.transport.now_ms(), message, payload)
        result = self._exchange()
        code, reply = self._answer(name, result)
        self._is_stale = False
        return code, reply

    def pump(self, timeout_ms: int) -> None:
        """Wait for the board to say something, for `timeout_ms` at the most; it is in `inbox` then.

        Raises NoAnswer when a quiet board does not answer the question whether it is there, and what `request` does.
        """
        self._refresh()
        until = self.transport.now_ms() + timeout_ms
        while True:
            now = self.transport.now_ms()
            if not self._probing and now - self._heard_ms >= QUIET_MS:
                self._probing = True
                self._requester.request(now, *self.binding.request("get_status", ()))
            self._step(until if self._probing else min(until, self._heard_ms + QUIET_MS))
            if self._results:
                self._take_probe(self._results.popleft())
            if self.inbox or self.transport.now_ms() >= until:
                return

    def stored(self, seq: int) -> None:
        """Tell the board that every event up to `seq` of this boot is safe; it forgets them."""
        self._requester.stored(self.transport.now_ms(), seq)
        self._send()

    def close(self) -> None:
        """Close the port. The table goes on without its host."""
        self.transport.close()

    def _refresh(self) -> None:
        """Make sure that there is a connection to talk in."""
        if self._lost is not None:
            raise self._lost
        if self._is_stale or self.transport.now_ms() - self._stepped_ms >= IDLE_MS:
            old = self.boot_id
            self.connect()
            if old not in (0, self.boot_id):
                self._lost = self._traced(BoardReset(old, self.boot_id))
                raise self._lost

    def _exchange(self, until_ms: int = NEVER) -> tuple[Any, ...]:
        """Wait until what is in flight is answered or given up, `until_ms` at the latest, and return that."""
        self._probing = False
        self._results.clear()
        while not self._results:
            if self.transport.now_ms() >= until_ms:
                return ("no_answer",)
            self._step(until_ms)
        return self._results.popleft()

    def _step(self, until_ms: int) -> None:
        """Send what is to be sent, wait once, and take in what came."""
        self._send()
        transport = self.transport
        requester = self._requester
        try:
            data = transport.read(max(0, min(requester.due, until_ms) - transport.now_ms()))
        except PortGone as error:
            self._is_gone = True
            raise self._traced(error) from None
        now = self._stepped_ms = transport.now_ms()
        if data:
            self.trace.add(now, RECEIVED, data)
            requester.room = max(0, INBOX_EVENTS - len(self.inbox) - len(self._unread))
            self._take(now, requester.receive(now, data))
        self._take(now, requester.poll(now))
        self._send()
        if self._lost is not None:
            raise self._lost

    def _send(self) -> None:
        data = self._requester.take()
        if data:
            self.trace.add(self.transport.now_ms(), SENT, data)
            try:
                self.transport.write(data)
            except PortGone as error:
                self._is_gone = True
                raise self._traced(error) from None

    def _take(self, now_ms: int, happened: list[tuple[Any, ...]]) -> None:
        for what in happened:
            kind = what[0]
            if kind != "no_answer":
                self._heard_ms = now_ms
            if kind in ("event", "status") and self._binding is None:
                self._unread.append(what)
            elif kind == "event":
                self._take_event(self.binding, *what[1:])
            elif kind == "status":
                self._take_status(self.binding, *what[1:])
            elif kind == "reset":
                lost = ConnectionLost() if what[1] == self.boot_id else BoardReset(self.boot_id, what[1])
                self._lost = self._traced(lost)
            else:
                if kind == "hello" and self._requester.is_open():
                    self._meet(what[1], what[4], what[6])
                self._results.append(what)

    def _meet(self, boot_id: int, catalog: int, newest: int) -> None:
        """The board has shaken hands; its events may follow in the same bytes."""
        if catalog != self.catalog:
            self.catalog = catalog
            self._binding = None
        if boot_id != self.boot_id:
            self._seen = 0
            self.past_seq = 0 if self.boot_id else newest
            # How it was before the reset is no longer so; what happened stays.
            self.inbox = deque(item for item in self.inbox if isinstance(item, Event))
        self.boot_id = boot_id

    def _take_event(
        self, binding: Binding, boot_id: int, seq: int, lost: int, time_ms: int, message: int, payload: bytes
    ) -> None:
        if seq <= self._seen:
            return
        self._seen = seq
        told = binding.told(EVENT, message, payload)
        layout = None if told is None else binding.layout(told.name, EVENT)
        if told is None or layout is None:
            event = Event(seq, boot_id, time_ms, f"event {message}", {"payload": payload.hex()}, lost)
        elif told.payload is None:
            event = unreadable(boot_id, seq, lost, time_ms, layout, payload)
        elif told.number is None:
            event = unknown_event(boot_id, seq, lost, time_ms, layout, told.payload)
        else:
            event = read_event(boot_id, seq, lost, time_ms, told.number, told.payload)
        self.inbox.append(event)
        for unknown in unknown_in(event):
            self._wonder(f"event {seq} says {unknown}, which this program does not know")

    def _take_status(self, binding: Binding, message: int, payload: bytes) -> None:
        """Take a status; it replaces the one before, if nothing has come in between."""
        told = binding.told(STATUS, message, payload)
        if told is None or told.number is None:
            name = f"status {message}" if told is None else f"the status {told.name}"
            self._wonder(f"the board sends {name}, which this program does not know")
            return
        self._take_read(payload if told.payload is None else told.payload, told.payload is not None)

    def _take_read(self, payload: bytes, fits: bool = True) -> None:
        """Take a status as this program's layout has it."""
        try:
            if not fits:
                raise BadMessage("status", payload)
            status = read_status(payload)
        except BadMessage as error:
            self._wonder(f"a status was passed over: {error}")
            return
        if self.inbox and isinstance(self.inbox[-1], Status):
            self.inbox[-1] = status
        else:
            self.inbox.append(status)
        for unknown in unknown_in(status):
            self._wonder(f"a status says {unknown}, which this program does not know")

    def _wonder(self, text: str) -> None:
        """Tell of what the board should not have said, once."""
        if text not in self._strange and len(self._strange) < STRANGE:
            self._strange.add(text)
            self.inbox.append(Strange(text))

    def _take_probe(self, result: tuple[Any, ...]) -> None:
        self._probing = False
        self._is_stale = True
        code, payload = self._answer("get_status", result)
        self._is_stale = False
        if code == codes.OK:
            self._take_read(payload)
        else:
            self._wonder(f"the board refuses get_status ({name_of('refusal', code)})")

    def _answer(self, request: str, result: tuple[Any, ...]) -> tuple[int, bytes]:
        """Return code and payload of what ended a request, as this program has them, or raise what it was instead."""
        code, payload = self._ended(request, result)
        if code != codes.OK:
            return self.binding.refusal(code), b""
        try:
            return code, self.binding.reply(request, payload)
        except (NotOnBoard, BadMessage) as error:
            raise self._traced(error) from error.__cause__

    def _ended(self, request: str, result: tuple[Any, ...]) -> tuple[int, bytes]:
        """Return code and payload of what ended a request, or raise what it was instead of an answer."""
        if result[0] == "no_answer":
            raise self._traced(NoAnswer(request, result[1]))
        _, _, code, payload = result
        if code == codes.UNKNOWN_SESSION:
            raise self._traced(ConnectionLost())
        return code, payload

    def _traced(self, error: E) -> E:
        error.trace = self.trace.dump()
        return error
