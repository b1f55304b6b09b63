"""Takes out of the link's traffic what tells which tile is where, before anybody is shown it or it is written down.

Of a prescription that goes to a table size and offsets stay, and zeros stand for its parts. Of a wall that a table
shows after its deal, zeros stand for the tags.

All frames that report a tag become one kind of frame, with its head and with zeros for its payload, so that what is
recorded can still be replayed and compared, and nobody sees whether a tile came, went or moved. Of noise that may be
such a frame, broken, nothing is left but its length.
"""

import re
import struct
from functools import cache

from wallwright_protocol.codec import Layout
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.link import (
    EVENT,
    EVENT_HEAD,
    HELLO_REPLY,
    HELLO_REPLY_LAYOUT,
    HELLO_REPLY_SIZE,
    REQUEST,
    REQUEST_HEAD,
)
from wallwright_protocol.messages import EVENT as AN_EVENT
from wallwright_protocol.messages import REQUEST as A_REQUEST

from .binding import OWN, Binding
from .dictionaries import bound
from .reports import SECRET_EVENTS

_TAG_IN_NOISE = re.compile(rb"\xe0.{3}", re.S)
"""By ISO 15693 the number of every tag begins with E0; half of one is as good as all of it."""
HIDDEN = b"?"
_PRESCRIBE = "prescribe"
_CATALOG = 4
"""Place of the catalog hash in a HELLO_REPLY."""


def body_of(block: bytes) -> bytes:
    """Return the body in a block without its 0x00, or nothing when it is no frame."""
    bodies = Decoder().feed(block + b"\0")
    return bodies[0] if bodies else b""


def catalog_in(block: bytes) -> int | None:
    """Return the hash of the dictionary that the frames after a HELLO_REPLY go by, None for any other block."""
    if block[1:2] != bytes((HELLO_REPLY,)):
        return None
    body = body_of(block)
    return struct.unpack(HELLO_REPLY_LAYOUT, body)[_CATALOG] if len(body) == HELLO_REPLY_SIZE else None


def masked(block: bytes, catalog: int = OWN.catalog) -> bytes:
    """Return a block without its 0x00 as it may be shown; `catalog` is the hash of the board's dictionary."""
    body = body_of(block)
    if not body:
        return HIDDEN * len(block) if _TAG_IN_NOISE.search(block) else block
    heads = {REQUEST: REQUEST_HEAD, EVENT: EVENT_HEAD}
    head = heads.get(body[0], len(body))
    if len(body) < head or head == len(body):
        return block
    binding = bound(catalog)
    if binding is None:
        # Nobody knows what it says.
        return encode(body[:head] + bytes(len(body) - head))[:-1]
    if body[0] == REQUEST:
        layout = binding.layout(_PRESCRIBE, A_REQUEST)
        hidden = "part" if layout is not None and layout.number == body[head - 1] else ""
    else:
        secret = _secret(binding)
        if body[head - 1] in secret:
            return encode(body[: head - 1] + secret[max(secret)])[:-1]
        layout = binding.layout_of(AN_EVENT, body[head - 1])
        hidden = "tags"
    at = _place_of(hidden, layout)
    if at is None:
        return block
    return encode(body[: head + at] + bytes(max(0, len(body) - head - at)))[:-1]


@cache
def _secret(binding: Binding) -> dict[int, bytes]:
    """Return the numbers of events that tell of one tag, and what stands for one of them: the highest, and zeros."""
    layouts = [binding.layout(row[1], AN_EVENT) for row in binding.board.rows if row[2] == AN_EVENT]
    found = [one for one in layouts if one and (one.name in SECRET_EVENTS or "tag" in one.fields)]
    return {one.number: bytes((one.number,)) + bytes(one.size) for one in found}


def _place_of(field: str, layout: Layout | None) -> int | None:
    """Return how many bytes of a payload are before a field, None when it has no such field."""
    if layout is None or field not in layout.fields:
        return None
    at = layout.fields.index(field)
    items = re.findall(r"\d+s|\d*[BHI]", layout.layout)
    return struct.calcsize("<" + "".join(items[:at]))


class Masker:
    """Masks what comes from a table or goes to it, however cut; a frame is held back until its end is there."""

    def __init__(self, catalog: int = OWN.catalog) -> None:
        self.catalog = catalog
        self._rest = b""

    def add(self, data: bytes) -> bytes:
        """Take bytes as they came; return those that may be written down now."""
        *whole, self._rest = (self._rest + data).split(b"\0")
        shown = b""
        for block in whole:
            found = catalog_in(block)
            self.catalog = self.catalog if found is None else found
            shown += masked(block, self.catalog) + b"\0"
        return shown

    def end(self) -> bytes:
        """Return what was held back, masked: nothing more comes."""
        rest, self._rest = masked(self._rest, self.catalog), b""
        return rest
