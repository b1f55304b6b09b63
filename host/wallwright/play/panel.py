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

READY, DROP = "READY", "DROP"
PRESCRIBED = "P "
"""Stands before what the displays show while the walls are prescribed ones."""
_WHOSE = r"(?: S[0-3])?"
DICE, EAST_THROW, WIND_THROW = (rf"{asked}\?{_WHOSE}" for asked in ("DICE", "EAST", "WIND"))
ASKS = f"{DICE}|{EAST_THROW}|{WIND_THROW}"
"""The table asks for a throw, of everybody or of one seat."""
ROLLED = r"([1-6](?: ?[1-6]){0,2})(?: \D.*)?"
"""One to three dice, and maybe what the table asks for next."""
_LIFT_KEY = ("START?", "READY", "DROP", "TILE?", "RAISE?", "LOWER?")
_QUESTIONS = (DICE, EAST_THROW, WIND_THROW)
_NEXT = "NEXT?"

Check = Callable[[int, str], None]


class Panel:
    """The panels of `simulation`; `rest(for_ms)` lets the table's time pass.

    `check(waited_ms, shown)` is called while people wait for the table; it raises what ends their patience.
    """

    def __init__(self, simulation: Any, rest: Callable[[int], None], check: Check = lambda *_: None) -> None:
        self.rest = rest
        self._simulation = simulation
        self._check = check

    def wait_for(self, text: str, seat: int) -> re.Match[str]:
        """Wait until the panels show what matches `text`, pressing meanwhile what they ask `seat` for."""
        started_ms = since_ms = self._simulation.now_ms
        while (match := re.fullmatch(text, self._shown())) is None:
            now_ms = self._simulation.now_ms
            self._check(now_ms - started_ms, self._shown())
            if now_ms - since_ms >= PATIENCE_MS:
                since_ms = now_ms
                self._press_what_is_asked_for(seat, now_ms - started_ms, throws=text not in _QUESTIONS)
            self.rest(LOOK_MS)
        return match

    def _press_what_is_asked_for(self, seat: int, waited_ms: int, *, throws: bool) -> None:
        """`throws` is False for somebody who waits to be asked for another throw."""
        players = self._simulation.players
        shown = self._shown()
        if shown == _NEXT or (throws and re.fullmatch(ASKS, shown)):
            players.press_dice(seat)
        elif shown in _LIFT_KEY or (waited_ms >= TRUST_MS and re.fullmatch(ROLLED, shown)):
            players.press_lift(seat)

    def _shown(self) -> str:
        return str(self._simulation.board.displays[0]).removeprefix(PRESCRIBED)
