"""What turns in the drum: disc and ring, each with one vane that is in its slot for a part of every turn.

A rotor keeps its place while its motor rests. A stalled one stands still, motor or not, and its vane tells so by
making no edges.
"""

from collections.abc import Callable

from .clock import NEVER, Agenda
from .mechanics import VANE_PERCENT
from .sensors import Sensors


class Rotor:
    """Its vane is input `vane`; one turn takes `turn_ms`. `changed` is called when it begins to turn or stops.

    To begin with it stands where the vane has just left its slot.
    """

    __slots__ = (
        "_agenda",
        "_changed",
        "_marks_ms",
        "_on",
        "_place_ms",
        "_row",
        "_sensors",
        "_since_ms",
        "_stalled",
        "_vane",
        "turning",
    )

    def __init__(self, agenda: Agenda, sensors: Sensors, vane: int, turn_ms: int, changed: Callable[[], None]) -> None:
        self.turning = False
        self._agenda = agenda
        self._sensors = sensors
        self._vane = vane
        self._marks_ms = (turn_ms - turn_ms * VANE_PERCENT // 100, turn_ms)
        self._changed = changed
        self._on = False
        self._stalled = False
        self._place_ms = 0
        self._since_ms = 0
        self._row = agenda.add(self._mark)

    def run(self, on: bool) -> None:
        """Switch the motor."""
        self._on = on
        self._go()

    def stall(self, stalled: bool) -> None:
        """Something holds it, or lets it go."""
        self._stalled = stalled
        self._go()

    def _go(self) -> None:
        turning = self._on and not self._stalled
        if turning == self.turning:
            return
        now_ms = self._agenda.now_ms
        if self.turning:
            self._place_ms += now_ms - self._since_ms
        self.turning = turning
        self._since_ms = now_ms
        self._agenda.plan(self._row, now_ms + self._next_mark_ms() - self._place_ms if turning else NEVER)
        self._changed()

    def _next_mark_ms(self) -> int:
        return self._marks_ms[self._sensors.truth[self._vane]]

    def _mark(self) -> None:
        """The vane comes into its slot, or leaves it at the end of the turn."""
        level = self._sensors.truth[self._vane]
        now_ms = self._agenda.now_ms
        self._place_ms = 0 if level else self._marks_ms[0]
        self._since_ms = now_ms
        self._sensors.set(self._vane, 1 - level)
        self._agenda.plan(self._row, now_ms + self._next_mark_ms() - self._place_ms)
