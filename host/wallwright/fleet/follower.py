"""What is known of one table, and what is told of it: a snapshot, a stream of changes, reports, records of meetings.

It follows a table that somebody else keeps; it waits for nothing, and knows no port. Events that were handed over twice
are shown once.
"""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from ..clocks import wall_ms
from ..errors import Refused, TableFault, WallwrightError
from ..journal.kinds import house, make_record, stored
from ..link.reconnect import Known, Meeting, outage_name, tell_apart
from ..link.reports import Event
from ..table.deal_host import DealHost
from ..table.next_walls import Coming, WallsBuilt
from ..table.table import Table
from .reports import Reports
from .shared_journal import Record, SharedJournal
from .state import CONNECTED, ENDED, SEARCHING, Change, TableState
from .wall_up import WallFollower

MEETINGS = {cls.KIND: cls for cls in house.Met.__subclasses__()}
Tell = Callable[[Change], None]
OnKept = Callable[[str, Event], None]
AskComing = Callable[[str], Coming | None]
AskUp = Callable[[str], WallFollower]


class TableFollower:
    """Follows one table. `state` is always a whole snapshot; `tell` is called with every change of it.

    `on_kept(unit, event)` hears of every event that has come into the journal, and must not wait. `coming(unit)` is
    asked which walls come next, None as long as nobody knows, and `wall_up(unit)` which are up by the journal.
    """

    def __init__(
        self,
        name: str,
        journal: SharedJournal,
        reports: Reports,
        tell: Tell,
        on_kept: OnKept,
        coming: AskComing,
        wall_up: AskUp,
    ) -> None:
        self.name = name
        self.state = TableState(name)
        self.shown = 0
        """The newest event that was told, of the board's present run."""
        self._journal = journal
        self._reports = reports
        self._tell = tell
        self._on_kept = on_kept
        self._coming = coming
        self._meetings: list[Record] = []
        self._walls = WallsBuilt()
        self._ask_up = wall_up
        self._wall_up = WallFollower()
        self._known: Known | None = None
        self._is_known_from_journal = False

    def recognise(self, table: Table) -> Meeting:
        """Find out what happened since the table was last seen. Raises JournalError."""
        status = table.last_status
        unit = table.info.unit
        before = self._known
        if before is None and unit in self._journal.newest_events:
            boot_id, seq = self._journal.newest_events[unit]
            if boot_id == table.boot_id and seq < status.stored_event and self._journal.problem is None:
                # Another host of this journal may have taken them since it was opened.
                seq = max(seq, self._journal.newest_of(unit, boot_id, status.stored_event))
            before = Known(unit, boot_id, seq, seq)
            self._is_known_from_journal = True
        known = Known(unit, table.boot_id, status.stored_event, status.newest_event)
        meeting = tell_apart(before, known, is_restart=self._is_known_from_journal)
        if before is not None and meeting.is_same_run:
            known = dataclasses.replace(known, kept_event=max(before.kept_event, known.kept_event))
        else:
            self.shown = 0
            self._wall_up = WallFollower()
        self._known = known
        self._is_known_from_journal = False
        return meeting

    def greet(self, port: str, table: Table, meeting: Meeting) -> None:
        """The table is there: write down and say how it was met. Raises JournalError after it was said."""
        body = {
            "meeting": meeting.kind,
            "port": port,
            "unit": table.info.unit,
            "boot_id": table.boot_id,
            "state": table.state,
            "lost": meeting.lost,
        }
        said = make_record(MEETINGS[meeting.kind], {"table": self.name, **body})
        self._meetings.append(Record(*stored(said), table.wall_ms(), table.info.unit))
        try:
            self.note_meetings()
        finally:
            self._set(
                link=CONNECTED,
                since_ms=table.wall_ms(),
                port=port,
                outage=None,
                problem=None,
                meeting=meeting.text,
                boot_id=table.boot_id,
                info=table.info,
                status=table.last_status,
                waiting=meeting.waiting,
                lost=self.state.lost + (meeting.lost or 0),
            )
            self._say("connected", {**body, "waiting": meeting.waiting, "text": meeting.text})

    def note_meetings(self) -> None:
        """Write down how the table was met, also while the journal took nothing: a reset then has lost events too."""
        if self._meetings and self._journal.problem is None:
            self._journal.append_all(self._meetings)
            self._meetings.clear()

    def tell_walls(self, table: Table, host: DealHost) -> None:
        """Have the table know which walls and which deal come next, and everybody when it has built others."""
        coming = self._coming(table.info.unit)
        if coming is None:
            return
        if coming.rules != self.state.rules:
            self._set(rules=coming.rules)
        if self._wall_up.deal is None:
            self._wall_up.restore(self._ask_up(table.info.unit), table.last_status)
            self._set(wall=self._wall_up.wall)
        try:
            host.tell(coming, self._wall_up.thrown)
        except Refused as error:
            self._say("walls", {"right": False, "text": str(error)})
        before = self.state.misbuilt
        misbuilt = self._walls.misbuilt(table.last_status, coming)
        if misbuilt != before:
            self._set(misbuilt=misbuilt)
            text = "its walls are right now" if misbuilt is None else str(misbuilt)
            self._say("walls", {"right": misbuilt is None, "text": text})

    def look_at(self, table: Table, with_journal: bool) -> None:
        """Take note of what has come."""
        fault: TableFault | None = None
        for event in table.events():
            if self._see(event, with_journal) and event.name == "fault":
                fields = event.fields
                fault = TableFault(fields["fault"], fields["side"], fields["found"], fields["wanted"])
        if fault is not None:
            self.report(str(fault), table.trace())
        for text in table.strange():
            if with_journal and self._journal.problem is None:
                said = house.Strange(table=self.name, text=text)
                self._journal.append(*stored(said), at_ms=table.wall_ms(), unit=table.info.unit)
            self._say("strange", {"text": text})
        assert self._known is not None
        status = table.last_status
        if status is not self.state.status:
            newest = max(self._known.newest_event, status.newest_event)
            self._known = dataclasses.replace(self._known, newest_event=newest)
            self._set(status=status, waiting=newest - self._known.kept_event)

    def report(self, what: str, frames: str) -> None:
        """Keep what led to it, and tell where."""
        state = self.state
        unit = "unknown" if state.info is None else f"{state.info.unit}, firmware {state.info.firmware}"
        about = f"unit {unit}, boot {state.boot_id:08x}, port {state.port}\n{state.status}"
        try:
            path = self._reports.write(wall_ms(), what, about, frames)
        except OSError as error:
            text = f"there is no report of that, the disk takes none ({error.strerror}); look at the disk"
            self._say("report", {"path": None, "text": text})
        else:
            self._set(report=str(path))
            self._say("report", {"path": str(path), "text": f"what led to it is in {path}"})

    def miss(self, error: WallwrightError) -> None:
        """The table is away, for this reason."""
        outage = outage_name(error)
        is_news = (self.state.link, self.state.outage) != (SEARCHING, outage)
        since_ms = self.state.since_ms
        self._set(link=SEARCHING, outage=outage, problem=str(error), since_ms=since_ms)
        if is_news:
            self._say("searching", {"outage": outage, "text": str(error)})

    def end(self, *, is_wanted: bool) -> None:
        """Nobody keeps the table any more; a bug has ended it where that was not wanted."""
        self._set(link=ENDED)
        if not is_wanted:
            self._set(problem="its thread has ended by a bug of this program; start the program again")
            self._say("ended", {"text": self.state.problem})

    def _see(self, event: Event, is_kept: bool) -> bool:
        """Show an event, once, and the gap before it; say whether it is new."""
        known = self._known
        assert known is not None
        if event.boot_id != known.boot_id:
            return False
        last = max(known.kept_event, self.shown)
        if is_kept:
            if event.seq > known.kept_event:
                self._on_kept(known.unit, event)
            self._known = dataclasses.replace(
                known,
                kept_event=max(known.kept_event, event.seq),
                newest_event=max(known.newest_event, event.seq),
            )
        if event.seq <= last:
            return False
        self._wall_up.see(event)
        self.shown = event.seq
        lost = min(event.lost, event.seq - last - 1)
        if lost:
            self._set(lost=self.state.lost + lost)
            text = f"{lost} events were overwritten in the board's memory before they could be handed over"
            self._say("gap", {"lost": lost, "before": event.seq, "text": text})
        self._set(
            wall=self._wall_up.wall,
            waiting=self._known.newest_event - self._known.kept_event if self._known else 0,
        )
        self._tell(Change(wall_ms(), self.name, "event", event=event))
        return True

    def _say(self, kind: str, body: Mapping[str, Any]) -> None:
        self._tell(Change(wall_ms(), self.name, kind, body))

    def _set(self, **changes: Any) -> None:
        self.state = dataclasses.replace(self.state, **changes)
