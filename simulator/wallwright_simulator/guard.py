"""The lid's interlock: a second switch at the lid feeds the coil of K3, through which what runs below the lid is fed.

The coil gets its voltage behind the other contactors, so K3 is off without supply too. Its mirror contact reports on a
wire of its own, with current while K3 is off.
"""

from collections.abc import Callable

from wallwright_protocol.hardware import (
    DRIVES,
    GUARD_WIRE,
    LID_CLOSE,
    LID_IS_CLOSED,
    LID_OPEN,
    LIFT_LOWER,
    LIFT_RAISE,
    SIDES,
    drive_bit,
)

from .clock import NEVER, Agenda
from .sensors import Sensors

TURN_MS = 20
"""A contactor takes some 20 ms either way. Estimate, by typical datasheets."""
ALL = (1 << DRIVES) - 1
FREE = LID_OPEN | LID_CLOSE | sum(drive_bit(side, kind) for side in range(SIDES) for kind in (LIFT_RAISE, LIFT_LOWER))
"""Drives that K3 does not feed: covers have to keep fingers from them."""


class Guard:
    """K3 and its switch. `is_fitted` says whether the table has them; `changed` is called when K3 has moved."""

    def __init__(self, agenda: Agenda, sensors: Sensors, changed: Callable[[], None]) -> None:
        self.is_fitted = False
        self._is_on = True
        self._switch: bool | None = None
        self._supplied = True
        self._agenda, self._sensors, self._changed = agenda, sensors, changed
        self._row = agenda.add(self._turn)

    def fit(self) -> None:
        """The table has an interlock."""
        self.is_fitted = True
        self._sensors.watch(LID_IS_CLOSED, lambda _: self._look())
        self._is_on = self._wanted

    def feed(self, supplied: bool) -> None:
        """The supply of the coil is on, or off."""
        self._supplied = supplied
        self._look()

    def stick(self, closed: bool | None) -> None:
        """The switch stays closed or open whatever the lid does; None: it works again."""
        self._switch = closed
        self._look()

    @property
    def feeds(self) -> int:
        """The drives that have supply as far as it goes by K3, as bits."""
        return ALL if self._is_on or not self.is_fitted else FREE

    @property
    def report(self) -> int:
        """The level of GUARD_WIRE."""
        return int(self.is_fitted and not self._is_on)

    def _look(self) -> None:
        is_due = self.is_fitted and self._wanted != self._is_on
        self._agenda.plan(self._row, self._agenda.now_ms + TURN_MS if is_due else NEVER)

    @property
    def _wanted(self) -> bool:
        closed = self._sensors.truth[LID_IS_CLOSED] == 1 if self._switch is None else self._switch
        return closed and self._supplied

    def _turn(self) -> None:
        self._agenda.plan(self._row, NEVER)
        self._is_on = self._wanted
        self._sensors.edges.append((self._agenda.now_ms, GUARD_WIRE, self.report))
        self._changed()
