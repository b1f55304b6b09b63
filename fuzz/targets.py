"""What is fuzzed: one function a target takes any bytes and asserts what must be so whatever they are.

Any input either means something or is counted as bad; nothing raises, and memory stays bounded. This module needs no
fuzzer, so the corpus also runs as ordinary tests; `run.py` lets atheris look for more.

The inputs of `requester` and `responder` are little programs, see `Script`: random bytes alone would hardly ever have a
right CRC, and would never get past the decoder.
"""

import struct
from collections.abc import Callable, Iterator
from contextlib import suppress

from cobs import cobs

from fuzz.readers import READERS
from wallwright.errors import BadMessage
from wallwright.link.frames import decode, describe
from wallwright.link.reports import UNREADABLE, read_event, read_status
from wallwright_firmware.events import CAPACITY, EventRing
from wallwright_protocol import codes, link
from wallwright_protocol.codec import EVENTS, REPLIES, REQUESTS, STATUSES, CodecError, Layout
from wallwright_protocol.frame import CRC_BYTES, MAX_BODY, MAX_FRAME, Decoder, encode
from wallwright_protocol.link import Responder
from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION
from wallwright_protocol.requester import Requester

BOOT_ID = 1
SESSION = 1
ASKED = 0x11
LAYOUTS: tuple[Layout, ...] = tuple(
    layout for table in (REQUESTS, REPLIES, EVENTS, STATUSES) for layout in table.values()
)


def fuzz_decoder(data: bytes) -> None:
    """The first byte says how the rest is cut. Every block is a frame or counted, by an independent COBS and CRC."""
    cut, stream = (data[0] or 256, data[1:]) if data else (1, b"")
    decoder = Decoder()
    got: list[bytes] = []
    for at in range(0, len(stream), cut):
        got += decoder.feed(stream[at : at + cut])
        assert len(decoder._block) < MAX_FRAME
    blocks = [block for block in stream.split(b"\0")[:-1] if block]
    wanted = [body for body in map(_body_by_definition, blocks) if body]
    assert got == wanted
    unfinished = 1 if len(stream.rpartition(b"\0")[2]) >= MAX_FRAME else 0
    assert (decoder.frames, decoder.errors()) == (len(wanted), len(blocks) - len(wanted) + unfinished)
    for body in got:
        if len(body) <= MAX_BODY:
            assert Decoder().feed(encode(body)) == [body]
    for block in blocks:
        assert describe(block).isprintable()
        assert (decode(block)["kind"] == "noise") == (_body_by_definition(block) == b"")


def fuzz_codec(data: bytes) -> None:
    """The first byte chooses a message, the rest is its payload: it comes back from its values, or is refused."""
    if not data:
        return
    layout, payload = LAYOUTS[data[0] % len(LAYOUTS)], data[1:]
    try:
        values = layout.unpack(payload)
    except CodecError:
        assert len(payload) != layout.size
        return
    assert len(payload) == layout.size
    assert layout.pack(*values) == payload
    named = layout.unpack_named(payload)
    flat = [item for value in named.values() for item in (value if isinstance(value, tuple) else (value,))]
    assert tuple(flat) == values


def fuzz_responder(data: bytes) -> None:
    """The board's end: each request is done at most once, each answer belongs to a frame, events go when stored."""
    ring = EventRing()
    executed: list[tuple[int, bytes]] = []

    def execute(message: int, payload: bytes) -> tuple[int, bytes]:
        executed.append((message, payload))
        return codes.OK, payload[:4]

    board = Responder(BOOT_ID, execute, ring)
    allowed = _Allowed()
    script = Script(data)
    received = 0
    for step, value in script:
        frames = 0
        if step == "bytes":
            frames = allowed.take(value)
            received += frames
            board.receive(script.now_ms, value)
            left = iter(allowed.items)
            assert all(item in left for item in executed), "done twice, or out of order"
        elif step == "event":
            ring.add(script.now_ms, "state_changed", 1)
        elif step == "status":
            board.send_status(0x60, value[: MAX_BODY - link.STATUS_HEAD])
        board.poll(script.now_ms)
        allowed.is_open(board.is_open())
        said = board.take().split(b"\0")[:-1]
        # An answer a frame, a status, and one window of events a frame and poll.
        assert len(said) <= frames + 1 + (frames + 1) * link.EVENT_WINDOW
        assert all(len(frame) < MAX_FRAME for frame in said)
        assert board.refused + len(executed) <= received == board.decoder.frames
        assert ring.stored() <= ring.newest()
        assert ring.held() <= CAPACITY
        assert board.due == link.NEVER or script.now_ms < board.due <= script.now_ms + link.SILENCE_MS
        assert board.is_open() or board.due == link.NEVER


def fuzz_requester(data: bytes) -> None:
    """The host's end: an answer only to what was asked, events once and in order, and what they say can be shown."""
    host = Requester()
    decoder = Decoder()
    script = Script(data)
    heard = _Heard()
    host.hello(0, SESSION)
    for step, value in script:
        bodies: list[bytes] = []
        if step == "bytes":
            bodies = decoder.feed(value)
            happened = host.receive(script.now_ms, value)
        else:
            if step == "status" and value[:1] == b"h":
                host.hello(script.now_ms, SESSION)
                heard.asked = 0
                heard.waits = False
            elif step == "event" and host.is_open() and not host.busy:
                host.request(script.now_ms, ASKED, b"")
                heard.asked += 1
                heard.waits = True
            elif step == "status" and host.is_open():
                # A host may have events from before; it does not get them again.
                host.stored(script.now_ms, len(value))
                heard.reached = max(heard.reached, len(value))
            happened = host.poll(script.now_ms)
        for what in happened:
            heard.take(what, bodies)
        sent = host.take().split(b"\0")[:-1]
        assert len(sent) <= 3
        assert all(len(frame) < MAX_FRAME for frame in sent)
        assert host.due == link.NEVER or script.now_ms < host.due <= script.now_ms + link.HEARTBEAT_MS


TARGETS: dict[str, Callable[[bytes], None]] = {
    "decoder": fuzz_decoder,
    "codec": fuzz_codec,
    "requester": fuzz_requester,
    "responder": fuzz_responder,
    **READERS,
}


class Script:
    """Reads bytes as steps: iterate for ("bytes", data), ("event", b""), ("status", data), ("wait", b"").

    A step is a byte that says what it is (modulo 8), one that is a length, and that many bytes: 0 and 1 put them on the
    line as they are, 2 to 4 as the body of a good frame, 5 waits for the length times 50 ms, 6 lets an event happen, 7
    sends a status. A body that begins as a HELLO, with too few bytes, is filled up with the right numbers.
    """

    def __init__(self, data: bytes) -> None:
        self.now_ms = 0
        self._data = data

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        data = self._data
        at = 0
        while at + 2 <= len(data):
            kind, size = data[at] % 8, data[at + 1]
            piece = data[at + 2 : at + 2 + size]
            if kind < 5:
                at += 2 + size
                yield "bytes", piece if kind < 2 or not 0 < len(piece) <= MAX_BODY else encode(_completed(piece))
            elif kind == 5:
                at += 2
                self.now_ms += size * 50
                yield "wait", b""
            elif kind == 6:
                at += 2
                yield "event", b""
            else:
                at += 2 + size
                yield "status", piece


class _Allowed:
    """The requests that a board may carry out: those of the open session, each sequence once, in their order."""

    def __init__(self) -> None:
        self.items: list[tuple[int, bytes]] = []
        self._decoder = Decoder()
        self._session = 0
        self._seen: set[int] = set()

    def take(self, data: bytes) -> int:
        """Read what goes to the board; return how many frames are in it."""
        bodies = self._decoder.feed(data)
        for body in bodies:
            if body[0] == link.HELLO and len(body) == link.HELLO_SIZE:
                _, version, catalog, session = struct.unpack(link.HELLO_LAYOUT, body)
                if (version, catalog) == (PROTOCOL_VERSION, CATALOG_HASH) and session not in (0, self._session):
                    self._session = session
                    self._seen.clear()
            elif body[0] == link.REQUEST and len(body) >= link.REQUEST_HEAD:
                _, session, sequence, message = struct.unpack(link.REQUEST_LAYOUT, body[: link.REQUEST_HEAD])
                if session == self._session != 0 and sequence not in self._seen:
                    self._seen.add(sequence)
                    self.items.append((message, body[link.REQUEST_HEAD :]))
        return len(bodies)

    def is_open(self, is_open: bool) -> None:
        """Whether the board has a session; one that it has given up begins anew."""
        if not is_open:
            self._session = 0


class _Heard:
    """What a host has asked and was told so far."""

    def __init__(self) -> None:
        self.boot_id = 0
        self.asked = 0
        self.waits = False
        self.reached = 0

    def take(self, what: tuple[object, ...], bodies: list[bytes]) -> None:
        """Check one thing that happened when these frames came, and that the host's readers bear it."""
        kind = what[0]
        if kind == "hello":
            _, boot_id, code, version, catalog, stored, _ = what
            assert isinstance(boot_id, int)
            assert isinstance(stored, int)
            if code == codes.OK and (version, catalog) == (PROTOCOL_VERSION, CATALOG_HASH) and boot_id:
                self.boot_id = boot_id
                self.reached = stored
        elif kind == "reply":
            assert self.waits, "an answer without a question"
            self.waits = False
            head = (link.REPLY, self.boot_id, SESSION, self.asked & link.SEQUENCE_MASK, ASKED)
            assert any(body.startswith(struct.pack("<BIIHB", *head)) for body in bodies)
        elif kind == "event":
            _, boot_id, seq, lost, time_ms, message, payload = what
            assert isinstance(seq, int)
            assert isinstance(lost, int)
            assert lost >= 0
            assert seq == self.reached + lost + 1
            self.reached = seq
            event = read_event(boot_id, seq, lost, time_ms, message, payload)  # type: ignore[arg-type]
            assert (event.name in {layout.name for layout in EVENTS.values()}) or event.name in (
                UNREADABLE,
                f"event {message}",
            )
        elif kind == "status":
            with suppress(BadMessage):
                read_status(what[2])  # type: ignore[arg-type]
        else:
            assert kind in ("reset", "no_answer")
            self.waits = False


def _completed(body: bytes) -> bytes:
    if body[0] == link.HELLO and len(body) < link.HELLO_SIZE:
        return struct.pack(link.HELLO_LAYOUT, link.HELLO, PROTOCOL_VERSION, CATALOG_HASH, SESSION + len(body) - 1)
    if body[0] == link.HELLO_REPLY and len(body) < link.HELLO_REPLY_SIZE:
        values = (BOOT_ID, SESSION, PROTOCOL_VERSION, CATALOG_HASH, codes.OK, len(body) - 1, 9)
        return struct.pack(link.HELLO_REPLY_LAYOUT, link.HELLO_REPLY, *values)
    return body


def _body_by_definition(block: bytes) -> bytes:
    """The body in a block by another COBS and another CRC; nothing when it is no frame."""
    if len(block) >= MAX_FRAME:
        return b""
    try:
        data: bytes = cobs.decode(block)
    except cobs.DecodeError:
        return b""
    body, crc = data[:-CRC_BYTES], data[-CRC_BYTES:]
    return body if body and _crc32(body).to_bytes(CRC_BYTES, "little") == crc else b""


def _crc_of(register: int) -> int:
    for _ in range(8):
        register = register >> 1 ^ (0xEDB88320 if register & 1 else 0)
    return register


_CRC_OF_BYTE = tuple(map(_crc_of, range(256)))


def _crc32(data: bytes) -> int:
    register = 0xFFFFFFFF
    for byte in data:
        register = register >> 8 ^ _CRC_OF_BYTE[(register ^ byte) & 0xFF]
    return register ^ 0xFFFFFFFF
