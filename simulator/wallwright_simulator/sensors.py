"""The inputs as the board sees them: raw levels and their edges, with the chatter of contacts.

Eyes and vanes change cleanly. Switches and keys close and open with two more edges within `BOUNCE_MS`. Nothing here
filters or debounces; that is the firmware's work. A sensor may be distorted: its part does one thing, the board sees
another.
"""

import random
from collections.abc import Callable
from heapq import heappop, heappush

from wallwright_protocol.hardware import INPUTS

from .clock import NEVER, Agenda
from .mechanics import BOUNCE_MS

_CHATTER = tuple((first, last) for last in range(2, BOUNCE_MS + 1) for first in range(1, last))
"""When, in ms after a contact moved, it jumps back and comes to rest."""
_NEW_MOVE = 0


class Sensors:
    """Raw levels of all inputs, and the edges that nobody has fetched yet as (time_ms, input number, level).

    `levels` is what the board sees, `truth` what is so; they differ where a sensor is distorted.
    """

    __slots__ = (
        "_agenda",
        "_distorted",
        "_entries",
        "_moves",
        "_pending",
        "_random",
        "_row",
        "_touching",
        "_watched",
        "edges",
        "levels",
        "truth",
    )

    def __init__(self, agenda: Agenda, chatter: random.Random) -> None:
        self.levels = bytearray(INPUTS)
        self.truth = bytearray(INPUTS)
        self._distorted: dict[int, Callable[[int], int]] = {}
        self._touching: dict[int, int] = {}
        self._watched: dict[int, Callable[[int], None]] = {}
        self.edges: list[tuple[int, int, int]] = []
        self._agenda = agenda
        self._random = chatter
        self._moves = [0] * INPUTS
        # (time, order of entry, input, level, the contact's move that this belongs to or _NEW_MOVE)
        self._pending: list[tuple[int, int, int, int, int]] = []
        self._entries = 0
        self._row = agenda.add(self._next)

    def begin(self, number: int) -> None:
        """The level of this input is 1 to begin with."""
        self.truth[number] = self.levels[number] = 1

    def set(self, number: int, level: int) -> None:
        """An eye or a vane changes now; no edge when it stands there already."""
        if self.truth[number] != level:
            self.truth[number] = level
            if number in self._watched:
                self._watched[number](level)
            if number in self._touching:
                self._show_both(number)
            else:
                self._show(number, self._distorted[number](level) if number in self._distorted else level)

    def watch(self, number: int, changed: Callable[[int], None]) -> None:
        """Tell `changed(level)` whenever the part of this input moves, whatever the board sees."""
        self._watched[number] = changed

    def touch(self, one: int, other: int, touches: bool) -> None:
        """The wires of two inputs touch, so that either shows on both; or they do no longer."""
        for number, partner in ((one, other), (other, one)):
            if touches:
                self._touching[number] = partner
            else:
                self._touching.pop(number, None)
                self._show(number, self.truth[number])
        if touches:
            self._show_both(one)

    def _show_both(self, number: int) -> None:
        partner = self._touching[number]
        level = self.truth[number] | self.truth[partner]
        self._show(number, level)
        self._show(partner, level)

    def distort(self, number: int, seen: Callable[[int], int] | None) -> None:
        """From now on the board sees `seen(level)` instead of every level that this input takes; None mends it."""
        if seen is None:
            self._distorted.pop(number, None)
            self._show(number, self.truth[number])
        else:
            self._distorted[number] = seen
            self._show(number, seen(self.truth[number]))

    def contact(self, number: int, level: int) -> None:
        """A switch or key moves now: it closes or opens, and chatters. A chatter still under way is cut short."""
        self._moves[number] += 1
        move = self._moves[number]
        self.set(number, level)
        now_ms = self._agenda.now_ms
        back, rest = self._random.choice(_CHATTER)
        self._push(now_ms + back, number, 1 - level, move)
        self._push(now_ms + rest, number, level, move)

    def contact_at(self, time_ms: int, number: int, level: int) -> None:
        """A switch or key moves at `time_ms`, now or later."""
        self._push(time_ms, number, level, _NEW_MOVE)

    def set_next(self, number: int, level: int) -> None:
        """A hand turns a vane: the edge is at the present time, and the next event."""
        self._moves[number] += 1
        self._push(self._agenda.now_ms, number, level, self._moves[number])

    def _show(self, number: int, level: int) -> None:
        if self.levels[number] != level:
            self.levels[number] = level
            self.edges.append((self._agenda.now_ms, number, level))

    def _push(self, time_ms: int, number: int, level: int, move: int) -> None:
        self._entries += 1
        heappush(self._pending, (time_ms, self._entries, number, level, move))
        self._agenda.plan(self._row, self._pending[0][0])

    def _next(self) -> None:
        _, _, number, level, move = heappop(self._pending)
        self._agenda.plan(self._row, self._pending[0][0] if self._pending else NEVER)
        if move == _NEW_MOVE:
            self.contact(number, level)
        elif move == self._moves[number]:
            self.set(number, level)
