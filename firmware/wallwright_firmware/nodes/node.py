"""A node: answers the board, remembers what its antennas and its key have seen until the board has it.

It knows no pins. `antennas` are the front ends, each with `poll(elapsed_us)` that says whether it has news, `tag` and
`there` which are that news, and `works`; None stands for one that is not fitted. `show(text, lamps)` is its panel.
"""

import struct

from wallwright_protocol import line
from wallwright_protocol.frame import Decoder, encode

MOST = 160
"""Tags followed, and changes that wait, at the most: a set and some strangers. When more changes wait, as after minutes
without a board, the node begins anew: the board forgets all that it had from it and is told what is so."""
DEAF_MS = 2000
"""A board that has not been heard for so long is off, or the cable is: then the panel tells nothing old."""
NEVER = 1 << 29


class Node:
    """The node at `address`; `unit` is its number for life, `start` one above 0 that differs with every start."""

    def __init__(self, address: int, unit: bytes, start: int, antennas: list, show) -> None:
        self.address = address
        self.unit = unit
        self.start = start
        self._antennas = antennas
        self._show = show
        self._waited_us = [0] * len(antennas)
        self._turn = 0
        self._decoder = Decoder()
        self._changes: "list[tuple[int, int, bytes]]" = []
        self._taken = 0
        self._seen: "set[tuple[int, bytes]]" = set()
        self._panel = line.NO_PANEL
        self._heard_ms = 0
        self._answer = b""
        self._answer_ms = NEVER

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        """Take what the line brought; return what is to be sent at once."""
        for body in self._decoder.feed(rx) if rx else ():
            if len(body) > 2 and body[1] == self.address:
                self._heard_ms = now_ms
                self._receive(now_ms, body)
        if self._panel and now_ms - self._heard_ms >= DEAF_MS:
            self._panel = line.NO_PANEL
            self._show("--------", 0)
        if now_ms < self._answer_ms:
            return b""
        self._answer_ms = NEVER
        return encode(self._answer)

    @property
    def answers_later(self) -> bool:
        """Say whether an answer waits for its time."""
        return self._answer_ms != NEVER

    def look(self, now_ms: int, elapsed_us: int) -> None:
        """Let the next antenna go on, `elapsed_us` after the last call, and note what it has found.

        One a turn: four take a PN5180's transfers 4 ms, and an answer waits for no more than one.
        """
        waited = self._waited_us
        for number in range(len(waited)):
            waited[number] += elapsed_us
        number = self._turn = (self._turn + 1) % len(waited)
        antenna = self._antennas[number]
        if antenna is not None:
            elapsed_us, waited[number] = waited[number], 0
            if antenna.poll(elapsed_us):
                self.note(now_ms, number, antenna.tag, antenna.there)

    def note(self, now_ms: int, number: int, tag: bytes, there: bool) -> None:
        """An antenna has begun or ceased to see a tag; the key (line.KEY) was pressed or let go."""
        if there == ((number, tag) in self._seen) or (there and len(self._seen) >= MOST):
            return
        (self._seen.add if there else self._seen.discard)((number, tag))
        self._changes.append((number | line.THERE if there else number, now_ms, tag))
        if len(self._changes) > MOST:
            self._begin(now_ms)

    def _begin(self, now_ms: int) -> None:
        self.start = self.start % 0xFFFF + 1
        self._taken = 0
        self._changes = [(number | line.THERE, now_ms, tag) for number, tag in self._seen]

    def _receive(self, now_ms: int, body: bytes) -> None:
        kind = body[0]
        working = sum([1 << at for at, one in enumerate(self._antennas) if one is not None and one.works])
        if kind == line.CALL and len(body) == struct.calcsize(line.CALL_LAYOUT):
            values = (line.HERE, self.address, line.LINE_VERSION, self.unit, working)
            self._answer = struct.pack(line.HERE_LAYOUT, *values)
            self._answer_ms = now_ms + line.call_delay_ms(self.unit, body[2])
            return
        if kind == line.SHOW and len(body) == struct.calcsize(line.SHOW_LAYOUT):
            _, _, start, taken, panel, lamps, text = struct.unpack(line.SHOW_LAYOUT, body)
            if panel != self._panel:
                self._panel = panel
                self._show(text.decode(), lamps)
        elif kind == line.ASK and len(body) == struct.calcsize(line.ASK_LAYOUT):
            _, _, start, taken, _ = struct.unpack(line.ASK_LAYOUT, body)
        else:
            return
        done = taken - self._taken & 0xFF
        if start == line.NO_START:
            self._begin(now_ms)
        elif start == self.start and done <= len(self._changes):
            self._changes = self._changes[done:]
            self._taken = taken
        first = self._taken + 1 & 0xFF
        answer = struct.pack(line.ANSWER_LAYOUT, line.ANSWER, self.address, self.start, first, self._panel, working)
        for what, at_ms, tag in self._changes[: line.CHANGES]:
            answer += struct.pack(line.CHANGE_LAYOUT, what, min(now_ms - at_ms, 0xFFFF), tag)
        self._answer = answer
        self._answer_ms = now_ms
