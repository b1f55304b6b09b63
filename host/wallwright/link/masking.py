"""Takes out of the link's traffic what tells which tile is where, before anybody is shown it or it is written down.

Of a prescription that goes to a table size and offsets stay, and zeros stand for its parts. Of a wall that a table
shows after its deal, zeros stand for the tags.

All frames that report a tag become one kind of frame, with its head and with zeros for its payload, so that what is
recorded can still be replayed and compared, and nobody sees whether a tile came, went or moved. Of noise that may be
such a frame, broken, nothing is left but its length.
"""

import re

from wallwright_protocol.codec import EVENTS, NUMBER_OF
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.link import EVENT, EVENT_HEAD, REQUEST, REQUEST_HEAD

from .reports import SECRET_EVENTS, WALL_SHOWN

_SECRET = frozenset(number for number, layout in EVENTS.items() if layout.name in SECRET_EVENTS)
_TAG_IN_NOISE = re.compile(rb"\xe0.{3}", re.S)
"""By ISO 15693 the number of every tag begins with E0; half of one is as good as all of it."""
HIDDEN = b"?"
_MASK = bytes((max(_SECRET),)) + bytes(EVENTS[max(_SECRET)].size)
"""The message that stands for each of them, and its payload."""
_WALL = next(number for number, layout in EVENTS.items() if layout.name == WALL_SHOWN)
_TAGS_AT = EVENT_HEAD + 4
"""Where the tags of a wall begin in a body: behind the deal, u16, the first place and how many they are, u8 each."""
_PART_AT = REQUEST_HEAD + 4
"""Where the part of a prescription begins in a body: behind the size and the offset, u16 each."""


def body_of(block: bytes) -> bytes:
    """Return the body in a block without its 0x00, or nothing when it is no frame."""
    bodies = Decoder().feed(block + b"\0")
    return bodies[0] if bodies else b""


def masked(block: bytes) -> bytes:
    """Return a block without its 0x00 as it may be shown."""
    body = body_of(block)
    if not body:
        return HIDDEN * len(block) if _TAG_IN_NOISE.search(block) else block
    if body[0] == REQUEST and len(body) > _PART_AT and body[REQUEST_HEAD - 1] == NUMBER_OF["prescribe"]:
        return encode(body[:_PART_AT] + bytes(len(body) - _PART_AT))[:-1]
    if body[0] != EVENT or len(body) < EVENT_HEAD:
        return block
    if body[EVENT_HEAD - 1] == _WALL:
        return encode(body[:_TAGS_AT] + bytes(max(0, len(body) - _TAGS_AT)))[:-1]
    if body[EVENT_HEAD - 1] not in _SECRET:
        return block
    return encode(body[: EVENT_HEAD - 1] + _MASK)[:-1]


class Masker:
    """Masks what comes from a table or goes to it, however cut; a frame is held back until its end is there."""

    def __init__(self) -> None:
        self._rest = b""

    def add(self, data: bytes) -> bytes:
        """Take bytes as they came; return those that may be written down now."""
        *whole, self._rest = (self._rest + data).split(b"\0")
        return b"".join(masked(block) + b"\0" for block in whole)

    def end(self) -> bytes:
        """Return what was held back, masked: nothing more comes."""
        rest, self._rest = masked(self._rest), b""
        return rest
