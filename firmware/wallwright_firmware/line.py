"""The board's end of the line of readers and displays: asks one node a slot, and keeps what they say for the table.

- Every node that answers is asked in turn; one that does not is called now and then, so that it is found when it comes,
  and one that had answered is named when it is silent for LOST_MS. What it saw counts as lost, its key as let go.
- One that had answered before the board's last start and has not by MISSING_MS is named too, once; `known` keeps which.
- At rest a node answers with the same bytes as before: they are compared and nothing is built, so nothing is left to be
  collected. A poll takes MOST_BYTES at the most, twice when a slot begins.
- Two nodes with one address destroy each other's answers. They are called, answer after delays of their own, and are
  named when two numbers were heard. Neither is asked until one of them is gone.
- Bytes that come while nobody is asked, or whoever is asked, are somebody's babble; he is named if he can be read.
"""

import struct

from wallwright_protocol import line
from wallwright_protocol.codes import LINE_DISTURBED, NO_SIDE, NODE_DOUBLED, NODE_SILENT, READER_SILENT
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.hardware import CLAIM_KEY_0, LAMPS_PER_SIDE, SIDES
from wallwright_protocol.wall import TAG_BYTES

from .line_node import ABSENT, ASKED, DOUBLED, MISSES, Node, reader_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Port(Protocol):
        """The line's serial port."""

        def any(self) -> int:
            """Say how many bytes have come."""

        def read(self, size: int) -> "bytes | None":
            """Take up to so many."""

        def readinto(self, into: bytearray) -> "int | None":
            """Take as many as fit."""

        def send(self, frame: bytes) -> None:
            """Drive the line for the length of a frame."""


LOST_MS = 500
"""A node that had answered and has not been heard for so long is lost."""
MISSING_MS = 3000
"""A node that gets its power together with the board answers a second later."""
ONE_ANSWERS = 3
"""Calls in a row that one node alone has answered, after there were two."""
STRAYS = 20
"""Polls within a second that find bytes which nobody was asked for, and slots that nothing can be made of at three
addresses or four; then somebody babbles. A line that loses a frame in twenty has seven such slots a second."""
CLEAN_MS = 5000
"""After so long without babble it is over."""
MOST_BYTES = 64
"""Taken from the port in one poll."""
MOST_WAITING = 48
"""Reads that wait for the table: with more nobody is asked, so they are never more than these and an answer's. The next
node answers while the table takes those of the one before; 52 tiles laid down at one instant hold up no question.
"""
_MOST_NODES = (7, 11, 13, 14, 15)
"""Masks of three addresses and of four."""
_REST_BYTES = len(encode(bytes([line.ANSWER] * line.ANSWER_BYTES)))


class Line:
    """All nodes; `readers` has a bit for each reader that has been found since the start. `keys` are the claim keys.

    `known` has a bit for each address at which a node is looked for. It begins as it was at the last start; a node that
    answers sets its bit, and one that is named as missing loses it. The owner stores it.

    `edges` are those that `next_edge` has still to step to. `edge_*`, `read_*`, `fault` and `fault_side` are what
    `next_edge`, `next_read` and `next_fault` stepped to.
    """

    node = Node

    def __init__(self, port: "Port", known: int = 0) -> None:
        self.readers = 0
        self.known = known
        self.keys = bytearray(SIDES)
        self.edge_input = self.edge_level = self.edge_ms = 0
        self.read_reader = self.read_ms = 0
        self.read_tag = b""
        self.read_there = False
        self.edges: "list[tuple[int, int, int]]" = []
        self.fault = 0
        self.fault_side = NO_SIDE
        self._port = port
        self._decoder = Decoder()
        self._nodes = [self.node(address) for address in range(line.NODES)]
        self._turn = 0
        self._asked: "Node | None" = None
        self._is_call = False
        self._heard: "list[bytes]" = []
        self._slot_ms = self._end_ms = 0
        self._short = bytearray(_REST_BYTES)
        self._partial = False
        self._is_whole = False
        self._reads: "list[tuple[int, int, bytes, bool]]" = []
        self._lost: "list[tuple[int, int, set[bytes]]]" = []
        self._faults: "list[tuple[int, int]]" = []
        self._strays = 0
        self._stray_ms = 0
        self._babbler = NO_SIDE
        self._garbled = 0
        self._second_ms = 0
        self._disturbed = False

    def poll(self, now_ms: int) -> bool:
        """Do what is due; say whether there is something to be fetched."""
        waiting = self._port.any()
        if waiting and (self._partial or self._asked is None or waiting >= len(self._short)):
            self._receive(now_ms, waiting)
        if now_ms >= (self._slot_ms if self._asked is None else self._end_ms):
            self._end_slot(now_ms)
            self._begin_slot(now_ms)
        return bool(self.edges or self._reads or self._lost or self._faults)

    def show(self, side: int, text: str) -> None:
        """Show up to eight characters on the panel of a side."""
        node = self._nodes[side]
        data = ("%-8s" % text[: line.TEXT_BYTES]).encode()
        if data != node.text:
            node.show(data)

    def lamps(self, mask: int) -> None:
        """Light the lamps of the panels, by the bits of `Hal.lamps`."""
        for node in self._nodes:
            lamps = mask >> (node.address * LAMPS_PER_SIDE) & ((1 << LAMPS_PER_SIDE) - 1)
            if lamps != node.lamps:
                node.light(lamps)

    def next_edge(self) -> bool:
        """Step to the next edge of a claim key."""
        if not self.edges:
            return False
        self.edge_ms, seat, level = self.edges.pop(0)
        self.edge_input = CLAIM_KEY_0 + seat
        self.edge_level = self.keys[seat] = level
        return True

    def next_read(self) -> bool:
        """Step to the next read of a tag."""
        if self._reads:
            self.read_ms, self.read_reader, self.read_tag, self.read_there = self._reads.pop(0)
            return True
        if not self._lost:
            return False
        self.read_ms, self.read_reader, tags = self._lost[-1]
        self.read_tag = tags.pop()
        self.read_there = False
        if not tags:
            self._lost.pop()
        return True

    def next_fault(self) -> bool:
        """Step to the next thing to be told of the line."""
        if not self._faults:
            return False
        self.fault, self.fault_side = self._faults.pop(0)
        return True

    def _begin_slot(self, now_ms: int) -> None:
        """Ask or call the next node that is due, unless too much waits to be fetched.

        Slots that a busy board was late for follow each other without a pause.
        """
        self._slot_ms = max(self._slot_ms + line.SLOT_MS, now_ms - line.NODES * line.SLOT_MS)
        self._end_ms = now_ms + line.SLOT_MS
        if len(self._reads) > MOST_WAITING or self._lost:
            self._slot_ms = now_ms
            return
        for _ in range(line.NODES):
            node = self._nodes[self._turn]
            self._turn = (self._turn + 1) % line.NODES
            self._is_call = node.state != ASKED or node.misses >= MISSES
            if not self._is_call:
                self._port.send(node.question())
            elif node.call_ms <= now_ms:
                self._port.send(node.call(now_ms))
                self._end_ms = now_ms + line.CALL_SLOT_MS
            else:
                continue
            self._asked = node
            return

    def _end_slot(self, now_ms: int) -> None:
        """Judge what the node that was asked has not said."""
        waiting = self._port.any()
        garbled = waiting or self._partial
        if garbled:
            rest = self._port.read(waiting) if waiting else b""
            self._feed(now_ms, (rest or b"")[:MOST_BYTES] + b"\0")
            self._partial = False
        if now_ms - self._second_ms >= 1000:
            self._second_ms = now_ms
            self._strays = self._garbled = 0
            self._babbler = NO_SIDE
            if self._disturbed and now_ms - self._stray_ms >= CLEAN_MS:
                self._disturbed = False
        node = self._asked
        if node is None:
            return
        self._asked = None
        if garbled and not self._heard:
            self._garbled |= 1 << node.address
            if self._garbled in _MOST_NODES:
                self._stray(now_ms, NO_SIDE)
        if self._heard:
            self._judge_call(now_ms, node)
            self._heard = []
        else:
            node.miss(now_ms, bool(garbled))
        if node.state != ABSENT:
            if now_ms - node.heard_ms >= LOST_MS:
                self._lose(now_ms, node, ABSENT)
                self._name(node)
        elif now_ms >= MISSING_MS and self.known >> node.address & 1 and not node.named:
            self._name(node)
            if node.named:
                self.known &= ~(1 << node.address)

    def _receive(self, now_ms: int, waiting: int) -> None:
        node = self._asked
        if node is not None and not self._partial and not self._is_call:
            self._port.readinto(self._short)
            if self._short == node.rest:
                node.answered(now_ms)
                self._asked = None
            else:
                self._is_whole = True
                self._feed(now_ms, bytes(self._short))
                self._is_whole = False
                self._partial = self._asked is not None
            return
        if node is None:
            self._stray(now_ms, NO_SIDE)
        self._partial = node is not None
        self._feed(now_ms, self._port.read(min(waiting, MOST_BYTES)) or b"")

    def _feed(self, now_ms: int, data: bytes) -> None:
        for body in self._decoder.feed(data):
            node = self._asked
            if len(body) < 2 or body[1] >= line.NODES:
                continue
            if node is None or body[1] != node.address:
                self._stray(now_ms, body[1])
            elif self._is_call and body[0] == line.HERE and len(body) >= struct.calcsize(line.HERE_LAYOUT):
                self._heard.append(body)
            elif not self._is_call:
                self._hear(now_ms, node, body)

    def _hear(self, now_ms: int, node: Node, body: bytes) -> None:
        if body[0] == line.ANSWER and len(body) >= line.ANSWER_BYTES:
            self._take_answer(now_ms, node, body)

    def _take_answer(self, now_ms: int, node: Node, body: bytes) -> None:
        self._asked = None
        self._partial = False
        is_rest = self._is_whole and len(body) == line.ANSWER_BYTES
        found = node.hear(now_ms, body, self._short if is_rest else b"")
        if found is None:
            return
        for what, age_ms, tag in found:
            self._take_change(now_ms - age_ms, node, what, tag)
        antennas = body[line.ANSWER_BYTES - 1]
        if antennas != node.antennas:
            self._fit(now_ms, node, antennas)

    def _take_change(self, at_ms: int, node: Node, what: int, tag: bytes) -> None:
        number = what & 7
        there = what & line.THERE != 0
        if number == line.KEY:
            self.edges.append((at_ms, node.address, 1 if there else 0))
        elif number < line.ANTENNAS and len(tag) == TAG_BYTES:
            node.see(number, tag, there)
            self._reads.append((at_ms, reader_of(node.address, number), tag, there))

    def _judge_call(self, now_ms: int, node: Node) -> None:
        """A call has ended: nobody, one node or two have answered it."""
        units = {body[3 : 3 + TAG_BYTES] for body in self._heard}
        if node.unit and now_ms - node.heard_ms < LOST_MS:
            units.add(node.unit)
        _, _, version, unit, antennas = struct.unpack_from(line.HERE_LAYOUT, self._heard[-1])
        node.come(now_ms, unit, len(units) == 1)
        if not node.alone:
            if node.state != DOUBLED:
                self._lose(now_ms, node, DOUBLED)
                self._faults.append((NODE_DOUBLED, node.address))
            return
        if node.state == DOUBLED and node.alone < ONE_ANSWERS:
            return
        if version != line.LINE_VERSION:
            if node.state != ABSENT:
                self._lose(now_ms, node, ABSENT)
            self._name(node)
            return
        if node.start == line.NO_START or node.state != ASKED:
            self._lose(now_ms, node, ABSENT)
        node.join()
        self.known |= 1 << node.address
        self._fit(now_ms, node, antennas)

    def _fit(self, now_ms: int, node: Node, antennas: int) -> None:
        """These antennas of a node work now; what others saw is lost."""
        gone = node.fit(antennas)
        for antenna in range(line.ANTENNAS):
            if antennas >> antenna & 1:
                self.readers |= 1 << reader_of(node.address, antenna)
            elif gone >> antenna & 1:
                self._forget(now_ms, node, antenna)
                self._faults.append((READER_SILENT, node.address))

    def _name(self, node: Node) -> None:
        """Tell, once, that a node is silent; not while it may be somebody's babble that nobody gets through."""
        if not node.named and not self._disturbed:
            node.name()
            self._faults.append((NODE_SILENT, node.address))

    def _lose(self, now_ms: int, node: Node, state: int) -> None:
        """Nothing that a node has said holds any more."""
        node.forget(state)
        for antenna in range(line.ANTENNAS):
            self._forget(now_ms, node, antenna)
        if self.keys[node.address]:
            self.edges.append((now_ms, node.address, 0))

    def _forget(self, now_ms: int, node: Node, antenna: int) -> None:
        if node.tags[antenna]:
            self._lost.append((now_ms, reader_of(node.address, antenna), node.blind(antenna)))

    def _stray(self, now_ms: int, side: int) -> None:
        """Somebody has spoken unasked: node `side`, if that could be read."""
        self._stray_ms = now_ms
        self._strays += 1
        if side != NO_SIDE:
            self._babbler = side
        if self._strays >= STRAYS and not self._disturbed:
            self._disturbed = True
            self._faults.append((LINE_DISTURBED, self._babbler))
