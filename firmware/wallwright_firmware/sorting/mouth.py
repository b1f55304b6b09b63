"""A mouth of a wall sorter with solenoids: a ring's scraper and knock-off, or a lane's flap, for the tile just read.

`ring` and `flaps` say what happens there and why.
"""

from wallwright_protocol.codes import SORTER_STUCK
from wallwright_protocol.constants import const
from wallwright_protocol.link import NEVER

from .gate import Gate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .sorter import Sorter

RESTS = const(0)
"""Nothing is sorted; the springs have brought all back."""
PASSES = const(1)
"""The scraper is drawn back, or the flap is open: tiles pass or fall, read or not."""
LETS_IN = const(2)
"""The scraper is out, or the flap shut, for the tile that was read."""
KNOCKS = const(3)
"""The tile that was read is knocked off."""
GUESSES = const(4)
"""Scraper or flap are as if nothing was sorted, for a tile that nobody reads."""

MOUTH = {
    RESTS: {
        "sort": (PASSES, "draw_back"),
    },
    PASSES: {
        "accept": (LETS_IN, "let_go"),
        "refuse": (KNOCKS, "knock"),
        "guess": (GUESSES, "stay_out"),
        "rest": (RESTS, "stay_out"),
    },
    LETS_IN: {
        "accept": (LETS_IN, "let_go"),
        "time": (PASSES, "draw_back"),
        "second": (PASSES, "draw_back"),
        "rest": (RESTS, "stay_out"),
    },
    KNOCKS: {
        "time": (PASSES, "draw_back"),
        "rest": (RESTS, "stay_out"),
    },
    GUESSES: {
        "pass": (PASSES, "draw_back"),
        "rest": (RESTS, "stay_out"),
    },
}

KNOCK_MS = 70
"""A knock-off's stroke, and a margin: it is home again before the next magnet comes."""
TOLD_MS = 50
"""After a knock on the line the board has heard by then that the knock-off has left its home."""
SWITCH_MS = 250
"""A solenoid that is not where it was sent after so long sticks."""


class Mouth(Gate):
    """The mouth of side `side`; `owner` has the solenoids. `bits` are those of scraper or flap and of the knock-off,
    `ends` the switches that are reached while tiles pass: the first one leaves for a tile that is let in, the other one
    for a knock."""

    table = MOUTH

    def __init__(self, side: int, owner: "Sorter", bits: "tuple[int, int]", ends: "tuple[int, int]") -> None:
        super().__init__(side)
        self.read_ms = -owner.let_in_ms
        self._owner = owner
        self._bit, self._knock = bits
        self._ends = ends
        self._set_ms = 0

    def draw_back(self, now_ms: int) -> None:
        self._set(self._bit, self._knock, now_ms)

    def let_go(self, now_ms: int) -> None:
        self.stay_out(now_ms)
        self.due = self.read_ms + self._owner.let_in_ms

    def stay_out(self, now_ms: int) -> None:
        self._set(0, self._bit | self._knock, now_ms)

    def knock(self, now_ms: int) -> None:
        self._set(self._knock, 0, now_ms)
        self.due = now_ms + KNOCK_MS

    def tick(self, now_ms: int) -> None:
        """What was let in or knocked off is gone. What was sent for it has left where it stood before, or sticks."""
        self.due = NEVER
        hal = self._owner.hal
        if self.state == KNOCKS and hal.sorter_delay_ms:
            # Later a board that is late might find it home again.
            has_left = not hal.sorter_switches() & self._ends[1]
            self.happens("time", now_ms)
            if not has_left:
                self.due = now_ms + TOLD_MS
            return
        if self.state in (RESTS, GUESSES):
            return
        left = self._ends[self.state != LETS_IN]
        is_stuck = hal.sorter_switches() & left
        self.happens("time", now_ms)
        if is_stuck:
            self._owner.fail(SORTER_STUCK, self.side)

    def look(self, now_ms: int) -> None:
        """All is at its end by now while tiles pass, or sticks."""
        ends = self._ends[0] | self._ends[1]
        is_due = now_ms >= self._set_ms + SWITCH_MS and self.state == PASSES
        if is_due and self._owner.hal.sorter_switches() & ends != ends:
            self._owner.fail(SORTER_STUCK, self.side)

    def _set(self, on: int, off: int, now_ms: int) -> None:
        if self._owner.set(on, off):
            self._set_ms = now_ms
