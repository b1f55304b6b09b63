"""The thread of one table: it finds the table, follows it, journals its events, finds it again, until it is stopped.

**What happens there.** A table is unplugged, switched off, in the hands of another program; another board answers at
its port; its board is reset while it is followed. The journal, which all tables share, takes nothing for a while: the
disk is full, the database is away. Each of these may begin and end at any moment.

**Why it has these states.** A board hands over in one connection either to a journal or to nobody: it keeps its events
as long as nobody stores them. So a connection is with the journal or without it for as long as it lasts, and when that
changes a new one begins. That differs from the connection to a table that was just found in what is told: nobody hears
of a meeting, for the table was not away, and the loss of a table that was here is reported. Ports are asked in a state
of their own, for that may take seconds, in which a call waits; between two tries calls are refused at once.

- Whatever the table or its port does, only this thread waits for it.
- It moves nothing. What others want done comes through `call` and is done between two looks at the table.
- While the journal takes nothing it follows the table without one: the board keeps its events, and hands them over in a
  new connection when the journal works again.
"""

import threading
from concurrent.futures import Future
from functools import partial
from typing import Any

from wallwright_protocol.constants import const
from wallwright_protocol.machine import Machine

from ..errors import BadKey, JournalError, LinkError
from ..link.connection import Connection
from ..link.discovery import Discovery, Sought, monotonic_ms
from ..link.ports import DescriptorPort
from ..link.read_by_thread import ReadPort
from ..link.reconnect import Meeting, Reconnect
from ..link.reports import Info
from ..link.transport import open_transport
from ..table.deal_host import DealHost
from ..table.table import Table
from .calls import Action, Calls
from .follower import TableFollower
from .port import Bell, Stopped, TablePort
from .shared_journal import SharedJournal

WAIT_MS = 1000
"""The table is looked at this often when it says nothing; a healthy one says something every second."""
AWAY_MS = 60_000
"""The longest wait for anything while the table is away."""

WAITS = const(0)
"""The table is away. It is looked for again after a time; calls are refused."""
SEARCHES = const(1)
"""Ports are asked which table is there."""
MEETS = const(2)
"""The table was found, and a connection begins."""
KEEPS = const(3)
"""The table is followed, and its events go into the journal."""
FOLLOWS = const(4)
"""The table is followed while the journal takes nothing: the board keeps its events."""
RENEWS = const(5)
"""The journal works again, or no more: a new connection begins to a table that was not away."""
ENDED = const(6)
"""The thread has ended."""

KEEPER = {
    WAITS: {
        "time": (SEARCHES, ""),
        "end": (ENDED, "give_up"),
    },
    SEARCHES: {
        "found": (MEETS, "note_found"),
        "lost": (WAITS, "put_off"),
        "end": (ENDED, "give_up"),
    },
    MEETS: {
        "met": (KEEPS, "greet"),
        "met_without_journal": (FOLLOWS, "greet"),
        "journal_changed": (MEETS, ""),
        "lost": (WAITS, "put_off"),
        "end": (ENDED, "give_up"),
    },
    KEEPS: {
        "journal_changed": (RENEWS, ""),
        "lost": (WAITS, "report"),
        "end": (ENDED, "give_up"),
    },
    FOLLOWS: {
        "journal_changed": (RENEWS, ""),
        "lost": (WAITS, "report"),
        "end": (ENDED, "give_up"),
    },
    RENEWS: {
        "met": (KEEPS, "greet_again"),
        "met_without_journal": (FOLLOWS, "greet_again"),
        "journal_changed": (RENEWS, ""),
        "lost": (WAITS, "report"),
        "end": (ENDED, "give_up"),
    },
    ENDED: {},
}


class Keeper(Machine):
    """Keeps one table, of which `follower` knows how it is. The thread looks up when `bell` was rung."""

    table = KEEPER

    def __init__(
        self,
        sought: Sought,
        discovery: Discovery,
        journal: SharedJournal,
        follower: TableFollower,
        start_after_ms: int = 0,
    ) -> None:
        super().__init__(WAITS)
        self.follower = follower
        self.bell = Bell()
        self._sought = sought
        self._discovery = discovery
        self._journal = journal
        self._calls = Calls(follower.name)
        self._reconnect = Reconnect(monotonic_ms() + start_after_ms)
        self.due = self._reconnect.due
        self._thread = threading.Thread(target=self._run, name=f"table {follower.name}")
        self._error: LinkError | BadKey
        self._port = ""
        self._visited: _Visited | None = None
        self._meeting: Meeting
        self._kept: Table
        self._host: DealHost

    def start(self) -> None:
        """Start looking for the table."""
        self._thread.start()

    def call(self, action: Action) -> "Future[Any]":
        """Have `action(table)` done by the table's thread, soon; NotConnected in the future when it is away."""
        future = self._calls.put(action)
        self.bell.ring()
        return future

    def stop(self) -> None:
        """Let the thread end soon."""
        self.bell.stop()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def note_found(self, now_ms: int) -> None:
        self._reconnect.connected(now_ms)

    def greet(self, _: int) -> None:
        """Tell that the table is there. Raises JournalError after that."""
        self.follower.greet(self._port, self._kept, self._meeting)

    def greet_again(self, now_ms: int) -> None:
        """Tell of a table that was not away only what happened to it. Raises JournalError."""
        if self._meeting.is_same_run:
            self.follower.note_meetings()
        else:
            self.greet(now_ms)

    def put_off(self, now_ms: int) -> None:
        self._let_go()
        self._reconnect.failed(now_ms, self._error)
        self.due = self._reconnect.due
        self.follower.miss(self._error)

    def report(self, now_ms: int) -> None:
        self.put_off(now_ms)
        self.follower.report(str(self._error), self._error.trace)

    def give_up(self, _: int) -> None:
        self._let_go()
        self.follower.end(is_wanted=self.bell.is_stopping)
        self._calls.close(self._problem())

    def _run(self) -> None:
        try:
            while True:
                self._act()
        except Stopped:
            return
        finally:
            self.happens("end", monotonic_ms())

    def _act(self) -> None:
        """Do what is to be done in the present state, until an event ends it. Raises Stopped."""
        try:
            DOING[self.state](self)
        except (LinkError, BadKey) as error:
            self._error = error
            self.happens("lost", monotonic_ms())
        except JournalError:
            # Told by the journal itself. The next connection starts with what is not acknowledged.
            self.happens("journal_changed", monotonic_ms())

    def _wait(self) -> None:
        while self.state == WAITS:
            self._calls.refuse(self._problem())
            self.bell.wait(max(0, min(AWAY_MS, self.due - monotonic_ms())))
            if monotonic_ms() >= self.due:
                self.happens("time", monotonic_ms())

    def _search(self) -> None:
        self._port, self._visited = self._discovery.open(self._sought, self._open)
        self.happens("found", monotonic_ms())

    def _connect(self) -> None:
        """Be the table's host, in a connection of its own."""
        assert self._visited is not None, "it was found"
        connection = Connection(self._visited.port)
        # A host that ends just after has left no event behind a gap that nobody is told of.
        if self._journal.problem is None:
            Table(connection, self._journal, met=partial(self._meet, "met"))
        else:
            Table(connection, met=partial(self._meet, "met_without_journal"))

    def _meet(self, event: str, table: Table) -> None:
        self._meeting = self.follower.recognise(table)
        self._kept = table
        self._host = DealHost(table)
        self.happens(event, monotonic_ms())

    def _follow(self) -> None:
        """Follow the table for as long as the journal is as it was when the connection began."""
        table, host, visited = self._kept, self._host, self._visited
        assert visited is not None, "it was found"
        with_journal = self.state == KEEPS
        try:
            while with_journal == (self._journal.problem is None):
                self._calls.answer(table)
                table.pump(0)
                self.follower.look_at(table, with_journal)
                if with_journal:
                    self.follower.tell_walls(table, host)
                visited.port.wait(WAIT_MS)
        except LinkError:
            table.keep()
            self.follower.look_at(table, with_journal)
            raise
        self.happens("journal_changed", monotonic_ms())

    def _open(self, port: str) -> "_Visited":
        transport = open_transport(port)
        assert isinstance(transport, DescriptorPort | ReadPort), "load_hall lets no other ports pass"
        return _Visited(TablePort(transport, self.bell))

    def _let_go(self) -> None:
        visited, self._visited = self._visited, None
        if visited is not None:
            visited.close()
            self._discovery.release(self._port)

    def _problem(self) -> str:
        return self.follower.state.problem or "it is being looked for"


DOING = {
    WAITS: Keeper._wait,
    SEARCHES: Keeper._search,
    MEETS: Keeper._connect,
    KEEPS: Keeper._follow,
    FOLLOWS: Keeper._follow,
    RENEWS: Keeper._connect,
}
"""What the thread does in a state until an event ends it."""


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
