"""What the board knows of one node of the line, and what it asks it. `line` decides when."""

import struct

from wallwright_protocol import line
from wallwright_protocol.frame import encode
from wallwright_protocol.hardware import READERS_PER_SEAT, SIDES

NONCES = 7
"""Calls that differ, made once: two nodes with one address have the same delays in all of them once in 16,384 pairs.

All addresses take the next call in turn, so the number has no factor in common with 1 to 4: however many of them are
called, each gets every call.
"""

ABSENT, ASKED, DOUBLED = range(3)
"""What a node is to the board: there is none, it is asked in turn, there are two."""


def reader_of(address: int, antenna: int) -> int:
    """Return the number of a node's reader, as `hal` counts them."""
    return address if antenna == 0 else SIDES + address * READERS_PER_SEAT + antenna - 1


class Node:
    """What is known of the node at `address`.

    `start` is which start of it `taken`, the number of its last change, belongs to. `panel` numbers what its panel is
    to show, `shown` what it shows. `request` is the question as a frame and `rest` the answer that says nothing new,
    b"" when not known. `tags` are those that each antenna sees.
    """

    def __init__(self, address: int) -> None:
        self.address = address
        self.state = ABSENT
        self.unit = b""
        self.start = 0
        self.taken = 0
        self.antennas = 0
        self.panel = 1
        self.shown = line.NO_PANEL
        self.text = b" " * line.TEXT_BYTES
        self.lamps = 0
        self.misses = 0
        self.heard_ms = -1000
        self.call_ms = 0
        self.named = False
        self.alone = 0
        self.request = b""
        self.rest = b""
        self.tags: "list[set[bytes]]" = [set() for _ in range(line.ANTENNAS)]
        # One after the other in one piece, which takes a fourth of the memory of so many.
        self._calls = b"".join([encode(bytes([line.CALL, address, nonce])) for nonce in range(NONCES)])

    def call(self, nonce: int) -> bytes:
        """Return the frame of a call."""
        size = len(self._calls) // NONCES
        return self._calls[nonce * size : (nonce + 1) * size]

    def renew(self) -> None:
        """The panel is to show something else."""
        self.panel = self.panel % 0xFF + 1
        self.request = b""
        self.rest = b""

    def forget(self) -> None:
        """Nothing that it has said holds any more, but for its tags."""
        self.state = ABSENT
        self.start = line.NO_START
        self.taken = 0
        self.shown = line.NO_PANEL
        self.request = b""
        self.rest = b""
        self.antennas = 0
        self.call_ms = 0

    def question(self) -> bytes:
        """Return the frame of the question that is due: with what the panel is to show, until the node has shown it."""
        if not self.request:
            head = (self.address, self.start, self.taken, self.panel)
            if self.shown == self.panel:
                body = struct.pack(line.ASK_LAYOUT, line.ASK, *head)
            else:
                body = struct.pack(line.SHOW_LAYOUT, line.SHOW, *head, self.lamps, self.text)
            self.request = encode(body)
        return self.request
