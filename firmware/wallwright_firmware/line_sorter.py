"""The board's end of a line whose nodes sort: solenoids, holding places, end switches and the antennas at the mouths.

A table without such parts does not load this. Each question to a node says what its solenoids are to do, and each
answer which ends are reached. Nodes whose parts are to do something else are asked first, for a tile is at the mouth
some 100 ms after it was read. A node that hears no WORK for `line.WORK_MS` lets all go, whatever has become of the
board or of the line; a board that has lost a node sees none of its switches, and the sorter stops the table.
"""

import struct

from wallwright_protocol import line
from wallwright_protocol.codes import READER_SILENT
from wallwright_protocol.frame import encode
from wallwright_protocol.hardware import MOUTH_READER, SORTER_DRIVES_PER_SIDE, SORTER_SWITCHES_PER_SIDE

from .line import Line
from .line_node import Node

DRIVE_MS = 22
"""A node has switched by then when two are told at one instant: the slot in progress, and theirs."""
READ_LATE_MS = 40
"""The board has heard by then of what a mouth's antenna reads, while four mouths sort."""
MOST_URGENT = 3
"""Slots in a row that are given to such nodes; then the one whose turn it is has its own."""
_WORKED_BYTES = line.ANSWER_BYTES + 1
MOVE_BITS = 2
"""Of a holding place, in a WORK."""
_SIDE_DRIVES = (1 << SORTER_DRIVES_PER_SIDE) - 1


class SortingNode(Node):
    """A node with parts that sort: `drives` are its solenoids, `moves` two bits for each holding place, `switches` the
    ends that are reached."""

    def __init__(self, address: int) -> None:
        super().__init__(address)
        self.drives = self.moves = self.switches = 0
        self._has_shown = False

    def question(self) -> bytes:
        """Return the frame of the question that is due: a SHOW at most every second time, so that WORK goes on."""
        self._has_shown = self.shown != self.panel and not self._has_shown
        if self._has_shown:
            self.request = b""
            return super().question()
        head = (self.address, self.start, self.taken, self.panel)
        if not self.request or self.shown != self.panel:
            self.request = encode(struct.pack(line.WORK_LAYOUT, line.WORK, *head, self.drives, self.moves))
        return self.request

    def work(self, drives: int, moves: int) -> None:
        """Something else is to be done."""
        self.drives = drives
        self.moves = moves
        self.request = self.rest = b""

    def reach(self, switches: int) -> None:
        """These ends are reached now."""
        self.switches = switches

    def forget(self, state: int) -> None:
        """Nothing that it has said holds any more, but for its tags: there is none now, or there are two."""
        super().forget(state)
        self.switches = 0


class SortingLine(Line):
    """A line of four such nodes."""

    node = SortingNode

    def __init__(self, port, known: int = 0) -> None:
        super().__init__(port, known)
        self._short = bytearray(len(self._short) + 1)
        self._sorting = [node for node in self._nodes if isinstance(node, SortingNode)]
        self._urgent: "list[int]" = []
        self._row = 0

    def sorter_switches(self) -> int:
        """Return which ends are reached, as `Hal.sorter_switches`."""
        found = 0
        for node in self._sorting:
            found |= node.switches << (node.address * SORTER_SWITCHES_PER_SIDE)
        return found

    def drive_sorter(self, mask: int) -> None:
        """Switch the solenoids, by the bits of `Hal.drive_sorter`."""
        for node in self._sorting:
            drives = mask >> (node.address * SORTER_DRIVES_PER_SIDE) & _SIDE_DRIVES
            if drives != node.drives:
                node.work(drives, node.moves)
                self._hurry(node)

    def drive_store(self, side: int, place: int, move: int) -> None:
        """Tell a holding place what to do, as `Hal.drive_store`."""
        node = self._sorting[side]
        at = place * MOVE_BITS
        moves = node.moves & ~(3 << at) | move << at
        if moves != node.moves:
            node.work(node.drives, moves)
            self._hurry(node)

    def _hurry(self, node: SortingNode) -> None:
        if node.address not in self._urgent:
            self._urgent.append(node.address)

    def _begin_slot(self, now_ms: int) -> None:
        if not self._urgent or self._row == MOST_URGENT:
            self._row = 0
            super()._begin_slot(now_ms)
            return
        self._row += 1
        turn = self._turn
        self._turn = self._urgent.pop(0)
        super()._begin_slot(now_ms)
        self._turn = turn

    def _hear(self, now_ms: int, node: Node, body: bytes) -> None:
        if body[0] != line.WORKED or len(body) < _WORKED_BYTES:
            super()._hear(now_ms, node, body)
            return
        self._sorting[node.address].reach(body[line.ANSWER_BYTES])
        plain = bytes([line.ANSWER]) + body[1 : line.ANSWER_BYTES] + body[_WORKED_BYTES:]
        super()._hear(now_ms, node, plain)

    def _take_change(self, at_ms: int, node: Node, what: int, tag: bytes) -> None:
        if what & 7 == line.MOUTH:
            self._reads.append((at_ms, MOUTH_READER + node.address, tag, what & line.THERE != 0))
        else:
            super()._take_change(at_ms, node, what, tag)

    def _fit(self, now_ms: int, node: Node, antennas: int) -> None:
        if node.antennas & ~antennas & 1 << line.MOUTH:
            self._faults.append((READER_SILENT, node.address))
        super()._fit(now_ms, node, antennas)
