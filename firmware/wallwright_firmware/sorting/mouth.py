"""A mouth of a wall sorter on a ring: its scraper and its knock-off, and what they do for the tile that was just read.

`sorter` says what happens there and why.
"""

from wallwright_protocol.constants import const
from wallwright_protocol.hardware import KNOCK_OFF, SCRAPER, sorter_bit
from wallwright_protocol.machine import Machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .sorter import Sorter

RESTS = const(0)
"""Nothing is sorted; the scraper is out, as it is without current."""
PASSES = const(1)
"""The scraper is drawn back: tiles pass, read or not."""
LETS_IN = const(2)
"""The scraper is out for the tile that was read."""
KNOCKS = const(3)
"""The tile that was read is knocked off."""
GUESSES = const(4)
"""The scraper is out for a tile that nobody reads."""

MOUTH = {
    RESTS: {
        "sort": (PASSES, "draw_back"),
    },
    PASSES: {
        "accept": (LETS_IN, "let_go"),
        "refuse": (KNOCKS, "knock"),
        "guess": (GUESSES, "stay_out"),
        "rest": (RESTS, "release"),
    },
    LETS_IN: {
        "time": (PASSES, "draw_back"),
        "second": (PASSES, "draw_back"),
        "rest": (RESTS, "release"),
    },
    KNOCKS: {
        "time": (PASSES, "draw_back"),
        "rest": (RESTS, "release"),
    },
    GUESSES: {
        "pass": (PASSES, "draw_back"),
        "rest": (RESTS, "release"),
    },
}

LET_IN_MS = 130
"""The scraper is let go for so long: until the tile that was just read is past the mouth."""
KNOCK_MS = 70
"""A knock-off's stroke, and a margin: it is home again before the next magnet comes."""


class Mouth(Machine):
    """The mouth of side `side`; `owner` has the solenoids."""

    table = MOUTH

    def __init__(self, side: int, owner: "Sorter") -> None:
        super().__init__(RESTS)
        self.side = side
        self.read_ms = -LET_IN_MS
        self._owner = owner
        self._scraper = sorter_bit(side, SCRAPER)
        self._knock = sorter_bit(side, KNOCK_OFF)

    def draw_back(self, now_ms: int) -> None:
        self._owner.set(self._scraper, self._knock, now_ms)

    def let_go(self, now_ms: int) -> None:
        self._owner.set(0, self._scraper | self._knock, now_ms)
        self.due = now_ms + LET_IN_MS

    def stay_out(self, now_ms: int) -> None:
        self._owner.set(0, self._scraper | self._knock, now_ms)

    def knock(self, now_ms: int) -> None:
        self._owner.set(self._knock, 0, now_ms)
        self.due = now_ms + KNOCK_MS

    def release(self, now_ms: int) -> None:
        self._owner.set(0, self._scraper | self._knock, now_ms)
