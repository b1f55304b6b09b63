"""One node of the line: the state that the board has seen, and the next question. `line` decides when it asks."""

import struct

from wallwright_protocol import line
from wallwright_protocol.frame import encode
from wallwright_protocol.hardware import READERS_PER_SEAT, SIDES

NONCES = 7
"""Calls that differ, made once: two nodes with one address have the same delays in all of them once in 16,384 pairs."""

CALL_EVERY_MS = 250
"""An address without a node is called this often."""
MISSES = 3
"""Questions in a row without an answer; then the node is called, for it may have begun anew or be two."""
ABSENT, ASKED, DOUBLED = range(3)
"""What a node is to the board: there is none, it is asked in turn, there are two."""


def reader_of(address: int, antenna: int) -> int:
    """Return the number of a node's reader, as `hal` counts them."""
    return address if antenna == 0 else SIDES + address * READERS_PER_SEAT + antenna - 1


class Node:
    """What is known of the node at `address`.

    `start` is which start of it `taken`, the number of its last change, belongs to. `panel` numbers what its panel is
    to show, `shown` what it shows. `request` is the question as a frame and `rest` the answer that says nothing new,
    b"" when not known. `tags` are those that each antenna sees. `misses` questions in a row had no answer, and `alone`
    calls in a row were answered by one node.
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
        self._nonce = 0
        self.named = False
        self.alone = 0
        self.request = b""
        self.rest = b""
        self.tags: "list[set[bytes]]" = [set() for _ in range(line.ANTENNAS)]
        # One after the other in one piece, which takes a fourth of the memory of so many.
        self._calls = b"".join([encode(bytes([line.CALL, address, nonce])) for nonce in range(NONCES)])

    def call(self, now_ms: int) -> bytes:
        """Return the frame of the next call, which is made now."""
        self.call_ms = now_ms + (CALL_EVERY_MS if self.state != ASKED else 0)
        self._nonce = (self._nonce + 1) % NONCES
        size = len(self._calls) // NONCES
        return self._calls[self._nonce * size : (self._nonce + 1) * size]

    def show(self, text: bytes) -> None:
        """The panel is to show another text."""
        self.text = text
        self._renew()

    def light(self, lamps: int) -> None:
        """The panel is to light other lamps."""
        self.lamps = lamps
        self._renew()

    def _renew(self) -> None:
        self.panel = self.panel % 0xFF + 1
        self.request = b""
        self.rest = b""

    def answered(self, now_ms: int) -> None:
        """It has answered a question."""
        self.misses = 0
        self.heard_ms = now_ms

    def miss(self, now_ms: int, garbled: bool) -> None:
        """It has answered neither question nor call, or two nodes have at once: what came is `garbled`."""
        self.misses += 1
        self.alone = 0
        if garbled and self.state == DOUBLED:
            self.heard_ms = now_ms

    def hear(self, now_ms: int, body: bytes, rest: "bytes | bytearray") -> "list[tuple[int, int, bytes]] | None":
        """Take an answer; return what is new of keys and tags. `rest` is the answer as it came, if that is known.

        None when it has begun anew, or another one has its address: it is to be called.
        """
        _, _, start, first, panel, _ = struct.unpack_from(line.ANSWER_LAYOUT, body)
        is_news = self.start == line.NO_START
        if is_news:
            self.start = start
        elif start != self.start:
            self.start = line.NO_START
            self.misses = MISSES
            return None
        found = line.changes(body) if first == (self.taken + 1) & 0xFF else []
        if is_news or found or panel != self.shown:
            self.taken = (self.taken + len(found)) & 0xFF
            self.shown = panel
            self.request = b""
            self.rest = b""
        elif rest:
            self.rest = bytes(rest)
        self.answered(now_ms)
        return found

    def see(self, antenna: int, tag: bytes, there: bool) -> None:
        """An antenna has begun to see a tag, or does no more."""
        (self.tags[antenna].add if there else self.tags[antenna].discard)(tag)

    def blind(self, antenna: int) -> "set[bytes]":
        """An antenna sees nothing any more; return the tags that it saw."""
        tags = self.tags[antenna]
        self.tags[antenna] = set()
        return tags

    def fit(self, antennas: int) -> int:
        """These antennas work now; return those that did and do no more."""
        gone = self.antennas & ~antennas
        self.antennas = antennas
        return gone

    def come(self, now_ms: int, unit: bytes, is_alone: bool) -> None:
        """It has answered a call, alone or together with another one."""
        self.unit = unit
        self.heard_ms = now_ms
        self.alone = self.alone + 1 if is_alone else 0

    def join(self) -> None:
        """It is asked in turn from now on."""
        self.state = ASKED
        self.named = False
        self.misses = 0

    def name(self) -> None:
        """It was named as silent."""
        self.named = True

    def forget(self, state: int) -> None:
        """Nothing that it has said holds any more, but for its tags: there is none now, or there are two."""
        self.state = state
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
