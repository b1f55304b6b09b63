"""What a motor drives to and fro between two limit switches: the four lifts and the lid.

It stops at either end by itself, stays where it is without power, and does not move while both directions are driven
or while something blocks it. A switch is reached at the very end and left a little way from it. Without its brake it
sinks back to its start when it is not driven; an obstacle stops it on the way back alone.
"""

from .clock import NEVER, Agenda
from .mechanics import OBSTACLE_AT, SINKS_SLOWER, SWITCH_PLAY_MS
from .sensors import Sensors


class Travel:
    """At its start (lift down, lid closed) to begin with. Driven out it takes `out_ms` end to end, back `back_ms`.

    `at_start` and `at_end` are true from when that switch is reached until it is left.
    """

    __slots__ = (
        "_agenda",
        "_back_ms",
        "_blocked",
        "_end_switch",
        "_floor",
        "_length",
        "_out_ms",
        "_place",
        "_row",
        "_sensors",
        "_since_ms",
        "_sinks",
        "_speed",
        "_start_switch",
        "_wanted",
        "at_end",
        "at_start",
    )

    def __init__(
        self, agenda: Agenda, sensors: Sensors, start_switch: int, end_switch: int, out_ms: int, back_ms: int
    ) -> None:
        self.at_start = True
        self.at_end = False
        self._agenda = agenda
        self._sensors = sensors
        self._start_switch = start_switch
        self._end_switch = end_switch
        self._out_ms = out_ms
        self._back_ms = back_ms
        # In this unit one ms is back_ms on the way out and out_ms on the way back, so that places are whole numbers.
        self._length = out_ms * back_ms
        self._place = 0
        self._floor = 0
        self._speed = 0
        self._sinks = False
        self._wanted = 0
        self._blocked = False
        self._since_ms = 0
        self._row = agenda.add(self._arrive)
        sensors.begin(start_switch)

    def run(self, out: bool, back: bool) -> None:
        """Switch the two directions; both at once stall the motor."""
        self._settle()
        self._wanted = int(out) - int(back)
        self._go()

    def block(self, blocked: bool) -> None:
        """Something gets in the way, or is taken out of it."""
        self._settle()
        self._blocked = blocked
        self._go()

    def obstruct(self, obstructed: bool) -> None:
        """An obstacle is put in the way back, or taken out of it. Below it already, it does not matter."""
        self._settle()
        place = self._length // OBSTACLE_AT
        self._floor = place if obstructed and self._place > place else 0
        self._go()

    def sink(self, sinks: bool) -> None:
        """The brake fails, or holds again."""
        self._settle()
        self._sinks = sinks
        self._go()

    def position(self) -> float:
        """Where it stands now: 0 at its start, 1 at its end."""
        return self._present() / self._length

    def _go(self) -> None:
        if self._blocked:
            self._speed = 0
        elif self._wanted > 0:
            self._speed = self._back_ms
        elif self._wanted < 0:
            self._speed = -self._out_ms
        else:
            self._speed = -(self._out_ms // SINKS_SLOWER) if self._sinks else 0
        self._plan()

    def _present(self) -> int:
        place = self._place + (self._agenda.now_ms - self._since_ms) * self._speed
        return min(self._length, max(self._floor, place))

    def _settle(self) -> None:
        self._place = self._present()
        self._since_ms = self._agenda.now_ms

    def _plan(self) -> None:
        due_ms = NEVER
        if self._speed > 0 and not self.at_end:
            goal = SWITCH_PLAY_MS * self._back_ms if self.at_start else self._length
            due_ms = self._agenda.now_ms + -((self._place - goal) // self._speed)
        elif self._speed < 0 and not self.at_start:
            goal = self._length - SWITCH_PLAY_MS * self._out_ms if self.at_end else 0
            if goal >= self._floor:
                due_ms = self._agenda.now_ms + -((goal - self._place) // -self._speed)
        self._agenda.plan(self._row, due_ms)

    def _arrive(self) -> None:
        """A switch is left or reached."""
        self._settle()
        if self._speed > 0 and self.at_start:
            self.at_start = False
            self._sensors.contact(self._start_switch, 0)
        elif self._speed > 0:
            self.at_end = True
            self._sensors.contact(self._end_switch, 1)
        elif self.at_end:
            self.at_end = False
            self._sensors.contact(self._end_switch, 0)
        else:
            self.at_start = True
            self._sensors.contact(self._start_switch, 1)
        self._plan()
