"""The motors' supply: the board's charge pump, the loop of K0 with emergency stop and START, two contactors in series.

Edges of the board's pump pin hold the pump's contact; HOLD_MS after the last one it opens, and K0 falls, as it does by
the emergency stop. The contactors then take DROP_OUT_MS. Nothing but START brings the supply back, and only while the
loop is closed, both contactors have dropped out and the button has been released before. A world without a board has
its pump held from outside.
"""

from collections.abc import Callable

from wallwright_protocol.hardware import INTERLOCKED

from .clock import NEVER, Agenda
from .guard import Guard
from .sensors import Sensors
from .surface import PhysicalError

HOLD_MS = 75
"""The pump holds 51 ms at least and 74 at the most, by the tolerances of its parts (docs/hardware.md, calculated)."""
DROP_OUT_MS = 45
"""The relay of the pump takes 10 ms to let go, K0 20, a contactor 15. Estimates, by typical datasheets."""
CONTACTORS = ("first", "second")


class ModelledSupply:
    """`is_on` says whether the motors have power, and `changed` is called when that changes; `is_stopped` says whether
    the emergency stop is pressed, `has_edges` that edges come all the time. `guard` is the lid's interlock.

    Until `attend` says otherwise, somebody at the table presses START as soon as that would work.
    """

    def __init__(self, agenda: Agenda, sensors: Sensors, changed: Callable[[], None]) -> None:
        self.is_on = True
        self.guard = Guard(agenda, sensors, changed)
        self._welded: set[str] = set()
        self._agenda, self._changed = agenda, changed
        self._hold_row, self._drop_row = agenda.add(self._run_out), agenda.add(self._drop_out)
        self.has_edges = True
        self._edge_ms = 0
        self._pump_holds = self._k0 = True
        self.is_stopped = False
        self._attended = True
        self._stuck: bool | None = None
        self._sticks = False

    @property
    def feeds(self) -> int:
        """The drives that have supply, as bits."""
        return self.guard.feeds if self.is_on else 0

    def attend(self, attended: bool) -> None:
        """Somebody presses START from now on as soon as that would work, or nobody does."""
        self._attended = attended
        self._attend()

    def connect(self, parts: int) -> None:
        """A board is put to the pump that has given no edge yet: the supply is off. The carrier has these `parts`."""
        self.has_edges = self._pump_holds = self._k0 = False
        self._edge_ms = -1
        self._agenda.plan(self._hold_row, NEVER)
        self._agenda.plan(self._drop_row, NEVER)
        self._set(False)
        if parts & INTERLOCKED:
            self.guard.fit()

    def pump(self, has_edges: bool) -> None:
        """Edges come all the time from now on, or none any more."""
        if has_edges != self.has_edges:
            self.has_edges = has_edges
            self._edge(self._agenda.now_ms)

    def edge(self, at_ms: int) -> None:
        """The last edge came at `at_ms`."""
        if at_ms > self._edge_ms:
            self._edge(at_ms)

    def stop(self, pressed: bool) -> None:
        """The emergency stop is pressed, or released."""
        self.is_stopped = pressed
        self._look()

    def stick_pump(self, closed: bool | None) -> None:
        """The contact of the pump stays closed or open whatever edges come; None: it works again."""
        self._stuck = closed
        self._look()

    def stick_start(self, sticks: bool) -> None:
        """The START button stays pressed, or is mended."""
        self._sticks = sticks
        self._look()

    def weld(self, contactor: str, welded: bool) -> None:
        """A contactor, the "first" or the "second", stays closed whatever its coil does, or is mended."""
        if welded:
            self._welded.add(contactor)
        else:
            self._welded.discard(contactor)
        if not self._k0:
            self._agenda.plan(self._drop_row, self._agenda.now_ms + DROP_OUT_MS)
        self._look()

    def press_start(self) -> None:
        """Somebody presses START and lets go. PhysicalError says why nothing comes of it."""
        why = self._refused()
        if why:
            raise PhysicalError(f"START does nothing: {why}")
        self._k0 = True
        self._set(True)

    @property
    def _is_closed(self) -> bool:
        """Whether the loop is closed, START aside."""
        holds = self._pump_holds if self._stuck is None else self._stuck
        return holds and not self.is_stopped

    def _refused(self) -> str:
        """Say why START would do nothing."""
        if self.is_stopped:
            return "the emergency stop is pressed"
        if not self._is_closed:
            return "the board does not keep the supply"
        if self._sticks:
            return "its button stays pressed"
        if self._welded:
            return "a contactor is welded"
        return "the contactors have not dropped out" if self.is_on and not self._k0 else ""

    def _edge(self, at_ms: int) -> None:
        self._edge_ms = at_ms
        if self.has_edges:
            self._agenda.plan(self._hold_row, NEVER)
        elif self._agenda.due[self._hold_row] == NEVER:
            self._agenda.plan(self._hold_row, at_ms + HOLD_MS)
        if not self._pump_holds:
            self._pump_holds = True
            self._look()

    def _run_out(self) -> None:
        """The pump is empty, unless an edge has come since this was planned."""
        until_ms = self._edge_ms + HOLD_MS
        if until_ms > self._agenda.now_ms:
            self._agenda.plan(self._hold_row, until_ms)
            return
        self._agenda.plan(self._hold_row, NEVER)
        self._pump_holds = False
        self._look()

    def _look(self) -> None:
        """The loop may have been opened or closed."""
        if self._k0 and not self._is_closed:
            self._k0 = False
            self._agenda.plan(self._drop_row, self._agenda.now_ms + DROP_OUT_MS)
        self._attend()

    def _drop_out(self) -> None:
        self._agenda.plan(self._drop_row, NEVER)
        if not self._k0 and len(self._welded) < len(CONTACTORS):
            self._set(False)
        self._attend()

    def _attend(self) -> None:
        if self._attended and not self._k0 and not self._refused():
            self.press_start()

    def _set(self, is_on: bool) -> None:
        if is_on != self.is_on:
            self.is_on = is_on
            self.guard.feed(is_on)
            self._changed()
