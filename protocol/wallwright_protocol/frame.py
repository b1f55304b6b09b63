"""Frames on the wire: COBS(body + CRC-32) followed by one 0x00.

Consistent Overhead Byte Stuffing (Cheshire and Baker, 1997) keeps 0x00 out of the frame, so a receiver that has lost
its place finds it again at the next 0x00. The CRC is the one of IEEE 802.3, little endian, over the body.
This module knows nothing of what a body means, and it does no input or output.
"""

import binascii

MAX_BODY = 240
"""Bytes of body at the most, so that one COBS block is always enough and a board can own one fixed buffer."""

CRC_BYTES = 4

MAX_FRAME = MAX_BODY + CRC_BYTES + 2
"""Bytes of a whole frame at the most: one COBS code byte and the closing 0x00 come on top."""

_ZERO = b"\x00"


def encode(body: bytes) -> bytes:
    """Return the frame of `body` (1 to MAX_BODY bytes), its closing 0x00 included.

    Raises ValueError when the body is empty or too long.
    """
    size = len(body)
    if not 1 <= size <= MAX_BODY:
        raise ValueError("a frame body has 1 to %d bytes, not %d" % (MAX_BODY, size))
    data = body + binascii.crc32(body).to_bytes(CRC_BYTES, "little")
    out = bytearray(_ZERO + data + _ZERO)
    at = 0
    end = len(out) - 1
    while at < end:
        zero = out.find(_ZERO, at + 1)
        out[at] = zero - at
        at = zero
    return bytes(out)


def _unstuff(block: bytes) -> bytes:
    """Return what was stuffed into `block` (no 0x00 in it), or empty bytes when it is not valid COBS."""
    out = bytearray(block)  # shorter than the longest code, so that each code but the first stands for a 0x00
    size = len(out)
    at = 0
    while at < size:
        code = out[at]
        out[at] = 0
        at += code
    return bytes(out[1:]) if at == size else b""


class Decoder:
    """Finds the frames in a stream of bytes, however it is cut; memory is bounded whatever arrives.

    Counters: `frames` good ones; `crc_errors` blocks whose CRC is wrong or which are no valid COBS; `short` blocks that
    cannot hold a CRC (line noise, boot text); `too_long` blocks dropped because no 0x00 came in time.
    """

    def __init__(self) -> None:
        self.frames = 0
        self.crc_errors = 0
        self.short = 0
        self.too_long = 0
        self._block = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """Take any number of bytes; return the bodies of the frames that are now complete, in order."""
        bodies: list[bytes] = []
        start = 0
        while True:
            zero = data.find(_ZERO, start)
            end = len(data) if zero < 0 else zero
            if not self._skipping:
                if len(self._block) + end - start >= MAX_FRAME:
                    self._skipping = True
                    self.too_long += 1
                    self._block = bytearray()
                else:
                    self._block.extend(data[start:end])
            if zero < 0:
                return bodies
            if self._skipping:
                self._skipping = False
            elif len(self._block):
                body = self._open(bytes(self._block))
                if body:
                    bodies.append(body)
                self._block = bytearray()
            start = zero + 1

    def errors(self) -> int:
        """Return how many blocks were dropped since the start."""
        return self.crc_errors + self.short + self.too_long

    def _open(self, block: bytes) -> bytes:
        if len(block) < CRC_BYTES + 2:
            self.short += 1
            return b""
        data = _unstuff(block)
        body = data[:-CRC_BYTES]
        if not body or binascii.crc32(body).to_bytes(CRC_BYTES, "little") != data[-CRC_BYTES:]:
            self.crc_errors += 1
            return b""
        self.frames += 1
        return body
