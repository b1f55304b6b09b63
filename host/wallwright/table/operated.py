"""A table that is operated in the caller's own thread, on the table's own time, as a hall operates each of its tables.

For programs whose table is simulated: the demonstration, and the rehearsal of a tournament.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import TableFault
from ..journal.events import event_said
from ..journal.kinds import read_record
from ..journal.kinds.tables import BuildDone, Fault, FaultCleared, WallsUp
from ..link.event_log import EventLog
from ..link.reports import Event
from .deal_host import DealHost
from .next_throws import Thrown
from .next_walls import SCORE_KINDS, Coming, ScoredDeals
from .table import Table

PATIENCE_MS = 500_000
"""A table that shows nothing new for so long, with people waiting for it, will never do: it gives prescribed walls up
after eight minutes, and all else much sooner."""


class ScoredLog:
    """A journal that shows `deals` what goes into it about their table, the only one."""

    def __init__(self, log: EventLog, deals: ScoredDeals) -> None:
        self._log = log
        self._deals = deals

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
        """See `wallwright.link.event_log.EventLog`."""
        number = self._log.append_event(unit, event, at_ms=at_ms)
        if number and event.name in SCORE_KINDS:
            self._deals.see(event_said(event))
        return number

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """See `wallwright.link.event_log.EventLog`."""
        number = self._log.append(kind, body, at_ms=at_ms, unit=unit)
        if kind in SCORE_KINDS:
            self._deals.see(read_record(kind, body))
        return number


class Operated:
    """Operates `table`; `coming` says which walls come next, None as long as nobody knows.

    `build_ms` is how long the walls took that went up last; `fault` is what has stopped it, until that is cleared.
    """

    def __init__(self, table: Table, coming: Callable[[], Coming | None]) -> None:
        self.table = table
        self.build_ms = 0
        self.fault: TableFault | None = None
        self._built_ms = 0
        self._coming = coming
        self._host = DealHost(table)
        self._thrown = Thrown(table.last_status.deal if table.state == "walls_up" else None)

    def run(self, for_ms: int) -> None:
        """Let so much of the table's time pass. Raises LinkError."""
        table = self.table
        until = table.now_ms() + for_ms
        self._tell_walls()
        while (left_ms := until - table.now_ms()) > 0:
            table.listen(left_ms)
            for event in table.events():
                self._see(event)
            self._tell_walls()

    def check(self, waited_ms: int, shown: str) -> None:
        """Raise TableFault when the table has stopped, and NotInTime when people have waited for it for too long, whose
        panels show `shown`.
        """
        if self.fault is not None:
            raise self.fault
        if waited_ms > PATIENCE_MS:
            raise self.table.late(f"change of its panels, which show {shown!r},", PATIENCE_MS)

    def _see(self, event: Event) -> None:
        said = event_said(event)
        self._thrown.note(said)
        if isinstance(said, BuildDone):
            self._built_ms = said.duration_ms
        elif isinstance(said, WallsUp):
            self.build_ms = self._built_ms
        elif isinstance(said, Fault):
            self.fault = TableFault(said.fault, said.side, said.found, said.wanted)
        elif isinstance(said, FaultCleared):
            self.fault = None

    def _tell_walls(self) -> None:
        coming = self._coming()
        if coming is not None:
            self._host.tell(coming, self._thrown)
