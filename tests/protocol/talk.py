"""What the link's tests share: frames by hand, a board by itself, a conversation with everything in it, fates."""

import struct
from collections.abc import Iterable

from wallwright_firmware.events import EventRing
from wallwright_protocol import codes, link
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.link import Responder
from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION

from .pair import BOOT_ID, STOP, Fate, Happened, Pair, Wire, faithful, kind

DONE = [("reply", STOP, codes.OK, payload) for payload in (b"one", b"two", b"three")]
"""How the exchanges of `talk` end."""


def talk(pair: Pair) -> list[Happened]:
    """A short conversation with everything in it; the ends of its exchanges."""
    pair.event()
    pair.hello()
    ends = [pair.ask(b"one")]
    pair.event()
    ends.append(pair.ask(b"two"))
    pair.host.stored(pair.now_ms, pair.seqs()[-1] if pair.seqs() else 0)
    ends.append(pair.ask(b"three"))
    pair.run(3000)
    return ends


def payloads(pair: Pair) -> list[bytes]:
    """What the board has executed."""
    return [payload for _, _, payload in pair.executed]


def kinds(wire: Wire) -> list[int]:
    """The kinds of all frames that were put on it."""
    return [kind(frame) for frame in wire.sent]


def without(number: int) -> Fate:
    """The fate that loses one frame."""
    return lambda n, frame: [] if n == number else faithful(n, frame)


def silenced(_n: int, _frame: bytes) -> list[tuple[int, bytes]]:
    """Nothing arrives."""
    return []


def timed(pair: Pair, times: list[int], fate: Fate) -> Fate:
    """That fate, with the time of every frame noted."""

    def noting(n: int, frame: bytes) -> Iterable[tuple[int, bytes]]:
        times.append(pair.now_ms)
        return fate(n, frame)

    return noting


def hello_frame(session: int, version: int = PROTOCOL_VERSION, catalog: int = CATALOG_HASH) -> bytes:
    """A HELLO."""
    return encode(struct.pack(link.HELLO_LAYOUT, link.HELLO, version, catalog, session))


def request_frame(session: int, sequence: int, payload: bytes) -> bytes:
    """A REQUEST."""
    return encode(struct.pack(link.REQUEST_LAYOUT, link.REQUEST, session, sequence, STOP) + payload)


def frame_body(frame: bytes) -> bytes:
    """The body of a good frame."""
    (body,) = Decoder().feed(frame)
    return body


def a_board(*, short_calls: bool = False) -> tuple[Responder, list[bytes]]:
    """A board with an empty ring, and the payloads that it executes."""
    executed: list[bytes] = []

    def execute(_: int, payload: bytes) -> tuple[int, bytes]:
        executed.append(payload)
        return codes.OK, payload

    return Responder(BOOT_ID, execute, EventRing(), short_calls), executed
