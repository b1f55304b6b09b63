"""The thread of one table: it finds the table, follows it, journals its events, finds it again, until it is stopped.

- Whatever the table or its port does, only this thread waits for it.
- It moves nothing. What others want done comes through `call` and is done between two looks at the table.
- While the journal takes nothing it follows the table without one: the board keeps its events, and hands them over in a
  new connection when the journal works again.
"""

import dataclasses
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ..clocks import wall_ms
from ..errors import BadKey, JournalError, LinkError, NotConnected, Refused, TableFault, WallwrightError
from ..journal.kinds import house, make_record, stored
from ..link.connection import Connection
from ..link.discovery import Discovery, monotonic_ms
from ..link.ports import DescriptorPort
from ..link.read_by_thread import ReadPort
from ..link.reconnect import Known, Reconnect, outage_name, tell_apart
from ..link.reports import Event, Info
from ..link.transport import open_transport
from ..table.deal_host import DealHost
from ..table.next_walls import Coming, WallsBuilt
from ..table.table import Table
from .config import TableConfig
from .port import Bell, Stopped, TablePort
from .reports import Reports
from .shared_journal import Record, SharedJournal
from .state import CONNECTED, ENDED, SEARCHING, TableState
from .wall_up import WallFollower

WAIT_MS = 1000
"""The table is looked at this often when it says nothing; a healthy one says something every second."""
AWAY_MS = 60_000
"""The longest wait for anything while the table is away."""

MEETINGS = {cls.KIND: cls for cls in house.Met.__subclasses__()}
Action = Callable[[Table], Any]
Tell = Callable[[str, dict[str, Any]], None]
OnKept = Callable[[str, Event], None]
AskComing = Callable[[str], Coming | None]
AskUp = Callable[[str], WallFollower]


class Keeper:
    """Keeps one table. `state` is always a whole snapshot; `tell(kind, body)` is called with every change of it.

    `on_kept(unit, event)` hears of every event that has come into the journal, and must not wait. `coming(unit)` is
    asked which walls come next, None as long as nobody knows, and `wall_up(unit)` which are up by the journal; its
    table is told when `bell` was rung.
    """

    def __init__(
        self,
        config: TableConfig,
        discovery: Discovery,
        journal: SharedJournal,
        reports: Reports,
        tell: Tell,
        start_after_ms: int = 0,
        on_kept: OnKept | None = None,
        coming: AskComing = lambda _: None,
        wall_up: AskUp = lambda _: WallFollower(),
    ) -> None:
        self.name = config.name
        self.state = TableState(config.name)
        self.bell = Bell()
        self._sought = config.sought
        self._discovery = discovery
        self._journal = journal
        self._reports = reports
        self._tell = tell
        self._on_kept = on_kept
        self._coming = coming
        self._meetings: list[Record] = []
        self._walls = WallsBuilt()
        self._ask_up = wall_up
        self._wall_up = WallFollower()
        self._calls: deque[tuple[Action, Future[Any]]] = deque()
        self._lock = threading.Lock()
        self._has_ended = False
        self._search = Reconnect(monotonic_ms() + start_after_ms)
        self._known: Known | None = None
        self._is_known_from_journal = False
        self._shown = 0
        self._thread = threading.Thread(target=self._run, name=f"table {config.name}")

    def start(self) -> None:
        """Start looking for the table."""
        self._thread.start()

    def call(self, action: Action) -> "Future[Any]":
        """Have `action(table)` done by the table's thread, soon; NotConnected in the future when it is away."""
        future: Future[Any] = Future()
        with self._lock:
            if self._has_ended:
                future.set_exception(NotConnected(self.name, "this program has given it up"))
            else:
                self._calls.append((action, future))
                self.bell.ring()
        return future

    def stop(self) -> None:
        """Let the thread end soon."""
        self.bell.stop()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _run(self) -> None:
        try:
            while True:
                self._refuse_calls()
                self.bell.wait(max(0, min(AWAY_MS, self._search.due - monotonic_ms())))
                if monotonic_ms() >= self._search.due:
                    self._visit()
        except Stopped:
            return
        finally:
            self._set(link=ENDED)
            if not self.bell.is_stopping:
                self._set(problem="its thread has ended by a bug of this program; start the program again")
                self._tell("ended", {"text": self.state.problem})
            with self._lock:
                self._has_ended = True
            self._refuse_calls()

    def _visit(self) -> None:
        """Find the table and follow it for as long as it is there."""
        try:
            port, visited = self._discovery.open(self._sought, self._open)
            try:
                self._search.connected(monotonic_ms())
                while True:
                    self._follow(port, visited)
            finally:
                visited.close()
                self._discovery.release(port)
        except (LinkError, BadKey) as error:
            was_here = self.state.link == CONNECTED
            self._search.failed(monotonic_ms(), error)
            self._set_problem(error)
            if was_here:
                self._report(str(error), error.trace)

    def _open(self, port: str) -> "_Visited":
        transport = open_transport(port)
        assert isinstance(transport, DescriptorPort | ReadPort), "load_hall lets no other ports pass"
        return _Visited(TablePort(transport, self.bell))

    def _follow(self, port: str, visited: "_Visited") -> None:
        """Be the table's host, in a connection of its own, for as long as the journal is as it was at its start."""
        with_journal = self._journal.problem is None
        try:
            # A host that ends just after has left no event behind a gap that nobody is told of.
            journal = self._journal if with_journal else None
            table = Table(Connection(visited.port), journal, met=lambda table: self._meet(port, table))
            host = DealHost(table)
            try:
                while with_journal == (self._journal.problem is None):
                    self._answer_calls(table)
                    table.pump(0)
                    self._look_at(table, with_journal)
                    if with_journal:
                        self._tell_walls(table, host)
                    visited.port.wait(WAIT_MS)
            except LinkError:
                table.keep()
                self._look_at(table, with_journal)
                raise
        except BadKey:
            raise
        except JournalError:
            # Told by the journal itself. The next connection starts with what is not acknowledged.
            return

    def _meet(self, port: str, table: Table) -> None:
        """Find out and say what happened since the table was last seen."""
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
        is_same_run = before is not None and (before.unit, before.boot_id) == (unit, table.boot_id)
        if before is not None and is_same_run:
            known = dataclasses.replace(known, kept_event=max(before.kept_event, known.kept_event))
        else:
            self._shown = 0
            self._wall_up = WallFollower()
        self._known = known
        self._is_known_from_journal = False
        if self.state.link == CONNECTED and is_same_run:
            self._note_meetings()
            return  # the table was never away, only the journal
        body = {
            "meeting": meeting.kind,
            "port": port,
            "unit": unit,
            "boot_id": table.boot_id,
            "state": table.state,
            "lost": meeting.lost,
        }
        said = make_record(MEETINGS[meeting.kind], {"table": self.name, **body})
        self._meetings.append(Record(*stored(said), table.wall_ms(), unit))
        try:
            self._note_meetings()
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
                status=status,
                waiting=meeting.waiting,
                lost=self.state.lost + (meeting.lost or 0),
            )
            self._tell("connected", {**body, "waiting": meeting.waiting, "text": meeting.text})

    def _note_meetings(self) -> None:
        """Write down how the table was met, also while the journal took nothing: a reset then has lost events too."""
        if self._meetings and self._journal.problem is None:
            self._journal.append_all(self._meetings)
            self._meetings.clear()

    def _tell_walls(self, table: Table, host: DealHost) -> None:
        """Have the table know which walls and which deal come next, and everybody when it has built others."""
        coming = self._coming(table.info.unit)
        if coming is None:
            return
        if self._wall_up.deal is None:
            self._wall_up.restore(self._ask_up(table.info.unit), table.last_status)
            self._set(wall=self._wall_up.wall)
        try:
            host.tell(coming, self._wall_up.thrown)
        except Refused as error:
            self._tell("walls", {"right": False, "text": str(error)})
        before = self.state.misbuilt
        misbuilt = self._walls.misbuilt(table.last_status, coming)
        if misbuilt != before:
            self._set(misbuilt=misbuilt)
            text = "its walls are right now" if misbuilt is None else str(misbuilt)
            self._tell("walls", {"right": misbuilt is None, "text": text})

    def _look_at(self, table: Table, with_journal: bool) -> None:
        """Take note of what has come."""
        fault: TableFault | None = None
        for event in table.events():
            if self._see(event, with_journal) and event.name == "fault":
                fields = event.fields
                fault = TableFault(fields["fault"], fields["side"], fields["found"], fields["wanted"])
        if fault is not None:
            self._report(str(fault), table.trace())
        for text in table.strange():
            if with_journal and self._journal.problem is None:
                said = house.Strange(table=self.name, text=text)
                self._journal.append(*stored(said), at_ms=table.wall_ms(), unit=table.info.unit)
            self._tell("strange", {"text": text})
        assert self._known is not None
        status = table.last_status
        if status is not self.state.status:
            newest = max(self._known.newest_event, status.newest_event)
            self._known = dataclasses.replace(self._known, newest_event=newest)
            self._set(status=status, waiting=newest - self._known.kept_event)

    def _see(self, event: Event, is_kept: bool) -> bool:
        """Show an event, once, and the gap before it; say whether it is new."""
        known = self._known
        assert known is not None
        if event.boot_id != known.boot_id:
            return False
        last = max(known.kept_event, self._shown)
        if is_kept:
            if self._on_kept is not None and event.seq > known.kept_event:
                self._on_kept(known.unit, event)
            self._known = dataclasses.replace(
                known,
                kept_event=max(known.kept_event, event.seq),
                newest_event=max(known.newest_event, event.seq),
            )
        if event.seq <= last:
            return False
        self._wall_up.see(event)
        self._shown = event.seq
        lost = min(event.lost, event.seq - last - 1)
        if lost:
            self._set(lost=self.state.lost + lost)
            text = f"{lost} events were overwritten in the board's memory before they could be handed over"
            self._tell("gap", {"lost": lost, "before": event.seq, "text": text})
        self._set(
            wall=self._wall_up.wall,
            waiting=self._known.newest_event - self._known.kept_event if self._known else 0,
        )
        self._tell("event", {"event": event})
        return True

    def _report(self, what: str, frames: str) -> None:
        """Keep what led to it, and tell where."""
        state = self.state
        unit = "unknown" if state.info is None else f"{state.info.unit}, firmware {state.info.firmware}"
        about = f"unit {unit}, boot {state.boot_id:08x}, port {state.port}\n{state.status}"
        try:
            path = self._reports.write(wall_ms(), what, about, frames)
        except OSError as error:
            text = f"there is no report of that, the disk takes none ({error.strerror}); look at the disk"
            self._tell("report", {"path": None, "text": text})
        else:
            self._set(report=str(path))
            self._tell("report", {"path": str(path), "text": f"what led to it is in {path}"})

    def _answer_calls(self, table: Table) -> None:
        while self._calls:
            action, future = self._calls.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(action(table))
            except (LinkError, JournalError, Stopped) as error:
                future.set_exception(error)
                raise
            except Exception as error:  # noqa: BLE001 (whoever called gets it; the table is followed all the same)
                future.set_exception(error)

    def _refuse_calls(self) -> None:
        while self._calls:
            _, future = self._calls.popleft()
            if future.set_running_or_notify_cancel():
                future.set_exception(NotConnected(self.name, self.state.problem or "it is being looked for"))

    def _set_problem(self, error: WallwrightError) -> None:
        outage = outage_name(error)
        is_news = (self.state.link, self.state.outage) != (SEARCHING, outage)
        since_ms = self.state.since_ms
        self._set(link=SEARCHING, outage=outage, problem=str(error), since_ms=since_ms)
        if is_news:
            self._tell("searching", {"outage": outage, "text": str(error)})

    def _set(self, **changes: Any) -> None:
        self.state = dataclasses.replace(self.state, **changes)


class _Visited:
    """A port at which a table has said who it is; it was asked for nothing else, and has acknowledged nothing."""

    def __init__(self, port: TablePort) -> None:
        self.port = port
        try:
            self.info: Info = Table(Connection(port)).info
        except BaseException:
            port.close()
            raise

    def close(self) -> None:
        """Close the port."""
        self.port.close()
