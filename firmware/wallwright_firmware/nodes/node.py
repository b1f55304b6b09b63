"""A node: answers the board, remembers what its antennas and its key have seen until the board has it.

It knows no pins. `antennas` are the front ends, each with `poll()`, `news`, `next_news()` and `works`
(`pn5180.Antenna`). `show(text, lamps)` is its panel. Times are ticks, which start again behind TICKS.
"""

from wallwright_protocol import line
from wallwright_protocol.frame import Decoder, encode

from .pn5180 import TICKS

MOST = 160
"""Tags followed, and changes that wait, at the most: a set and some strangers. When more changes wait, as after minutes
without a board, the node begins anew: the board forgets all that it had from it and is told what is so."""
DEAF_MS = 2000
"""A board that has not been heard for so long is off, or the cable is: then the panel tells nothing old."""


class Node:
    """The node at `address`; `unit` is its number for life, `start` one above 0 that differs with every start.

    `wait(ms)` lets time go by before an answer is sent.
    """

    def __init__(self, address: int, unit: bytes, start: int, antennas: list, show, wait) -> None:
        self.address = address
        self._unit = unit
        self.start = start
        self._antennas = antennas
        self._show = show
        self._wait = wait
        self._decoder = Decoder()
        self._changes: "list[tuple[int, int, bytes]]" = []
        self._seen: "set[tuple[int, bytes]]" = set()
        self._panel = line.NO_PANEL
        self._turn = self._taken = self._heard_ms = self._working = 0

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        """Take what the line brought; return the answer."""
        answer = b""
        for body in self._decoder.feed(rx) if rx else ():
            if len(body) == line.QUESTION_BYTES.get(body[0]) and body[1] == self.address:
                self._heard_ms = now_ms
                answer = encode(self._answer(now_ms, body))
        if self._panel and now_ms - self._heard_ms & TICKS >= DEAF_MS:
            self._panel = line.NO_PANEL
            self._show(b"--------", 0)
        return answer

    def look(self, now_ms: int, key: bool) -> None:
        """Let the next antenna go on, and note what it has found, and whether the claim key is pressed.

        One a turn: four take a PN5180's transfers 4 ms, and an answer waits for no more than one.
        """
        number = self._turn = (self._turn + 1) % len(self._antennas)
        antenna = self._antennas[number]
        antenna.poll()
        bit = 1 << number
        self._working = self._working | bit if antenna.works else self._working & ~bit
        while antenna.news:
            self.note(now_ms, number, *antenna.next_news())
        self.note(now_ms, line.KEY, bytes(8), key)

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

    def _answer(self, now_ms: int, body: bytes) -> bytes:
        if body[0] == line.CALL:
            self._wait(line.call_delay_ms(self._unit, body[2]))
            return line.here(self.address, self._unit, self._working)
        start, taken, panel, lamps, text = line.question(body)
        if text and panel != self._panel:
            self._panel = panel
            self._show(text, lamps)
        done = taken - self._taken & 0xFF
        if start == line.NO_START:
            self._begin(now_ms)
        elif start == self.start and done <= len(self._changes):
            self._changes = self._changes[done:]
            self._taken = taken
        changes = [(what, now_ms - at_ms & TICKS, tag) for what, at_ms, tag in self._changes[: line.CHANGES]]
        return line.answer(self.address, self.start, self._taken + 1 & 0xFF, self._panel, self._working, changes)
