"""A simulated table as the people at it know it: its displays, its keys, and the time that goes by.

They do what the panel asks for, and know nothing of a host.
"""

import re
from collections.abc import Callable
from typing import Any

LOOK_MS = 250
"""People look at their panel this often."""
PATIENCE_MS = 3_000
"""After this long without an effect a key is pressed again: a fault had come in between, or the table was busy."""
TRUST_MS = 30_000
"""People wait this long for walls of which the panel says nothing; then they press a key to be asked."""

READY, DROP, DICE = "READY", "DROP", r"DICE\?"
ROLLED = r"([1-6]) ([1-6]).*"
_LIFT_KEY = ("START?", "READY", "DROP", "TILE?", "RAISE?", "LOWER?")
_DICE_KEY = ("DICE?", "NEXT?")


class Panel:
    """The panels of `simulation`; `rest(for_ms)` lets the table's time pass.

    `check(waited_ms)` is called while people wait for the table; it raises what ends their patience.
    """

    def __init__(
        self, simulation: Any, rest: Callable[[int], None], check: Callable[[int], None] = lambda _: None
    ) -> None:
        self.rest = rest
        self._simulation = simulation
        self._check = check

    def wait_for(self, text: str, seat: int) -> re.Match[str]:
        """Wait until the panels show what matches `text`, pressing meanwhile what they ask `seat` for."""
        started_ms = since_ms = self._simulation.now_ms
        while (match := re.fullmatch(text, self._shown())) is None:
            now_ms = self._simulation.now_ms
            self._check(now_ms - started_ms)
            if now_ms - since_ms >= PATIENCE_MS:
                since_ms = now_ms
                self._press_what_is_asked_for(seat, now_ms - started_ms)
            self.rest(LOOK_MS)
        return match

    def _press_what_is_asked_for(self, seat: int, waited_ms: int) -> None:
        players = self._simulation.players
        shown = self._shown()
        if shown in _DICE_KEY:
            players.press_dice(seat)
        elif shown in _LIFT_KEY or (waited_ms >= TRUST_MS and re.fullmatch(ROLLED, shown)):
            players.press_lift(seat)

    def _shown(self) -> str:
        return str(self._simulation.board.displays[0])
