"""The console's desk: what is known of a hall at this moment, what has just happened, and what people do about it.

- A thread of its own reads the fleet's news, looks at its state a few times a second, and tells those who listen.
- Whatever a person does is in the journal, with that person, before it is done. A stop alone does not wait for a
  journal that fails: it is done, and the answer says what is missing.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from ...clocks import lasting_ms, wall_ms
from ...errors import BadName, JournalError, NotConnected, NotOnRecord, WallwrightError
from ...fleet.state import Change, DealNoted, DealOpened, HallState, News
from ...journal.kinds import stored
from ...journal.kinds.deals import DealerCalled
from ...journal.kinds.house import ConsoleAct
from ...naming import HallTable
from ...system import heartbeat
from ...table.deal_orders import hurry
from ...table.table import Table
from ...tiles.station import NextBuild, read_next_build, send, withdraw
from ...words import Say, Words, english, told_by, words
from ..crash_log import tell_bug
from ..people.person import Person, who
from .calls import CALLED, Waiting, aged, call_id
from .model import COMMANDS, HallView, Known, Progress, Shuffling, TableView, view_table
from .referee import Answering, Referee

LOOK_S = 0.25
"""Everything that the console shows is this fresh."""
ANSWER_S = 8.0
"""A table that has not answered by then is reported as not having answered."""
SET_MS = 2000
"""A clock that has moved by more was set, not adjusted."""
HISTORY = 60
"""Events shown of a table; the journal has all."""
UNREAD = "tag_unread"
"""As many a deal as a bad reader likes, which say nothing; they would leave room for nothing else."""

Listener = Callable[[HallView, "tuple[Happening, ...]"], None]

ACTIONS: Mapping[str, Callable[[Table], None]] = {
    "stop": Table.stop,
    "clear_fault": Table.clear_fault,
    "start_build": Table.start_build,
    "hurry": hurry,
    "open_lid": Table.open_lid,
    "raise_walls": Table.raise_walls,
    "lower_lifts": Table.lower_lifts,
}


class Operated(Answering, Protocol):
    """The tables: a `wallwright.fleet.Fleet`."""

    news: News

    def state(self) -> HallState:
        """Return how everything is now."""

    def call(self, table: str, action: Callable[[Table], Any]) -> "Future[Any]":
        """Have something done with a table."""

    def record(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """Return after a record is in the journal."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One line of a table's history: at `at_ms` since 1970, an event's name with its fields, or a sentence."""

    number: int
    at_ms: int
    table: str | None
    kind: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a command at one table; `problem` is a sentence when it was not done."""

    table: str
    done: bool
    problem: str | None = None


class Desk:
    """The desk of the hall that `fleet` operates; `close` ends its thread after the fleet's news have ended.

    `listen` takes functions that are called, by the desk's thread, with every new view and what has happened.
    `waiting` is what waits for a referee since before this program was started; `backup_problem` says what is wrong
    with the backups, and `shuffling(unit)` how well a table shuffles; neither may wait.
    """

    def __init__(
        self,
        fleet: Operated,
        progress: Progress,
        now_ms: Callable[[], int] | None = None,
        waiting: Waiting | None = None,
        backup_problem: Callable[[], str | None] = lambda: None,
        shuffling: Callable[[str | None], Shuffling | None] = lambda _: None,
    ) -> None:
        self._shuffling = shuffling
        self._backup_problem = backup_problem
        self._fleet = fleet
        self._progress = progress
        self._now_ms = now_ms or wall_ms
        self._lock = threading.Lock()
        self._listeners: list[Listener] = []
        self._history: dict[str, deque[Happening]] = {}
        self._waiting = waiting or Waiting()
        self.referee = Referee(self._waiting, fleet, self._record_at)
        self._seen: dict[str, tuple[str, int]] = {}
        self._heard: dict[str, tuple[object, int]] = {}
        self._number = 0
        self._ahead_ms = self._now_ms() - lasting_ms(self._now_ms)
        self._looked_s = time.monotonic()
        self.view = self._look()
        self._thread = threading.Thread(target=self._run, name="desk")

    def start(self) -> None:
        """Begin to read the fleet's news."""
        self._thread.start()

    def close(self) -> None:
        """Wait until the news have ended."""
        self._thread.join()

    def is_looking(self) -> bool:
        """Say whether the desk's thread has come round lately."""
        return time.monotonic() - self._looked_s < heartbeat.STALE_S

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Have `listener` called from now on; return what ends that."""
        with self._lock:
            self._listeners.append(listener)

        def end() -> None:
            with self._lock:
                self._listeners.remove(listener)

        return end

    def history(self, table: str) -> tuple[Happening, ...]:
        """Return the last events of a table, newest first."""
        return tuple(reversed(self._history.get(table, ())))

    def command(self, person: Person, table: str, command: str, say: Say = english) -> Outcome:
        """Have a table do something; the outcome says whether it has accepted, in the language of `say`.

        Raises BadName for a table or command that there is not, JournalError when nothing was done because the
        journal takes nothing, NotOnRecord after a stop that it did not take.
        """
        if command not in COMMANDS:
            known = ", ".join(COMMANDS)
            raise BadName(words("no command is called {name}; there are {known}", name=repr(command), known=known))
        unit = self._table(table).unit
        if command != "stop":
            self._record(ConsoleAct(**who(person), act=command, table=table), unit)
            return _outcome(table, self._fleet.call(table, ACTIONS[command]), say)
        outcome = _outcome(table, self._fleet.call(table, ACTIONS[command]), say)
        self._record_done(
            ConsoleAct(**who(person), act=command, table=table, done=outcome.done),
            unit,
            words("the stop of {table}", table=HallTable(table)),
        )
        return outcome

    def need(self, table: str) -> None:
        """Raise BadName unless there is a table of that name."""
        self._table(table)

    def sorter(self, table: str) -> NextBuild:
        """Ask a table what its next walls can be. Raises BadName, TableError and LinkError."""
        self._table(table)
        found: NextBuild = self._fleet.call(table, read_next_build).result(ANSWER_S)
        return found

    def prescribe(self, person: Person, table: str, whole: bytes, say: Say = english) -> Outcome:
        """Hand a board what a director has signed for its next build. Raises BadName, JournalError; see `command`."""
        self._record(ConsoleAct(**who(person), act="prescribe", table=table), self._table(table).unit)
        return _outcome(table, self._fleet.call(table, lambda board: send(board, whole)), say)

    def withdraw(self, person: Person, table: str, say: Say = english) -> Outcome:
        """Take back what a board was given to build, and have its walls given up. Raises as `prescribe`."""
        self._record(ConsoleAct(**who(person), act="withdraw", table=table), self._table(table).unit)
        return _outcome(table, self._fleet.call(table, withdraw), say)

    def call_dealer(self, person: Person, table: str, seat: int) -> Outcome:
        """Note who deals after the deal in play. Raises BadName, NotConnected for a table never met, JournalError."""
        view = self._table(table)
        if view.unit is None:
            raise NotConnected(table, "it has not been here since this program was started")
        said = DealerCalled(deal=view.deal, dealer=seat, by=f"{person.name} ({person.role})")
        self._fleet.record(*stored(said), at_ms=self._now_ms(), unit=view.unit)
        return Outcome(table, True)

    def stop_all(self, person: Person, say: Say = english) -> tuple[Outcome, ...]:
        """Stop all tables at once; the outcomes are in the order of the hall. Raises NotOnRecord afterwards."""
        futures = [(table.name, self._fleet.call(table.name, Table.stop)) for table in self.view.tables]
        outcomes = tuple(_outcome(name, future, say) for name, future in futures)
        missed = tuple(outcome.table for outcome in outcomes if not outcome.done)
        self._record_done(
            ConsoleAct(**who(person), act="stop_all", missed=missed), None, words("the stop of all tables")
        )
        return outcomes

    def _record_at(self, table: str, said: ConsoleAct) -> None:
        self._record(said, self._table(table).unit)

    def _record(self, said: ConsoleAct, unit: str | None) -> None:
        self._fleet.record(*stored(said), at_ms=self._now_ms(), unit=unit)

    def _record_done(self, said: ConsoleAct, unit: str | None, what: Words) -> None:
        try:
            self._record(said, unit)
        except JournalError as error:
            raise NotOnRecord(what, error) from error

    def _table(self, name: str) -> TableView:
        found = self.view.table(name)
        if found is None:
            raise BadName(words("no table is called {name}", name=repr(name)))
        return found

    def _run(self) -> None:
        while (changes := self._fleet.news.take(LOOK_S)) is not None:
            happenings = tuple(self._note(change) for change in changes)
            self.view = view = self._look()
            with self._lock:
                listeners = tuple(self._listeners)
            for listener in listeners:
                try:
                    listener(view, happenings)
                except Exception:  # noqa: BLE001 (the hall is shown to all others all the same)
                    tell_bug("somebody who listens to the desk")
            self._looked_s = time.monotonic()

    def _note(self, change: Change) -> Happening:
        self._number += 1
        event = change.event
        if event is None:
            happening = Happening(self._number, change.at_ms, change.table, change.kind, dict(change.body))
            if change.table is not None and isinstance(change.deal, DealOpened):
                self._waiting.opened(change.table, change.deal, change.at_ms)
            elif isinstance(change.deal, DealNoted):
                self._waiting.noted(change.deal.unit, change.deal.deal)
        else:
            happening = Happening(self._number, change.at_ms, change.table, event.name, dict(event.fields))
            if event.name == CALLED and change.table is not None:
                named = call_id(event.boot_id, event.seq)
                self._waiting.called(named, change.table, event.fields["side"], change.at_ms)
        if change.table is not None and happening.kind != UNREAD:
            self._history.setdefault(change.table, deque(maxlen=HISTORY)).append(happening)
        return happening

    def _look(self) -> HallView:
        now_ms = self._now_ms()
        self._follow_clock(now_ms - lasting_ms(self._now_ms))
        hall = self._fleet.state()
        names = {table.name for table in hall.tables}
        limit_min = self._progress.call_escalates_min
        calls = tuple(aged(call, limit_min, now_ms) for call in self._waiting.calls if call.table in names)
        call_of = {call.table: call for call in calls}
        deals = self._waiting.deals
        tables = []
        for number, table in enumerate(hall.tables):
            state = table.status.state if table.link == "connected" and table.status is not None else table.link
            if self._seen.get(table.name, ("", 0))[0] != state:
                self._seen[table.name] = (state, now_ms)
            if table.status is not None and self._heard.get(table.name, (None, 0))[0] is not table.status:
                self._heard[table.name] = (table.status, now_ms)
            unit = None if table.info is None else table.info.unit
            known = Known(
                since_ms=self._seen[table.name][1],
                heard_ms=self._heard.get(table.name, (None, 0))[1],
                call=call_of.get(table.name),
                deals=tuple(deal for deal in deals if deal.table == table.name),
                play=self._progress.of(table.name, unit),
                clock=self._progress.clock_of(unit),
                event_table=self._progress.number_of(unit),
                shuffling=self._shuffling(unit),
            )
            tables.append(view_table(number, table, known, now_ms))
        return HallView(now_ms, tuple(tables), calls, hall.journal_problem, self._backup_problem())

    def _follow_clock(self, ahead_ms: int) -> None:
        """Have all that lasts last as long when the clock, `ahead_ms` before one that nobody sets, was set."""
        set_ms, self._ahead_ms = ahead_ms - self._ahead_ms, ahead_ms
        if abs(set_ms) > SET_MS:
            self._seen = {name: (state, at_ms + set_ms) for name, (state, at_ms) in self._seen.items()}
            self._heard = {name: (status, at_ms + set_ms) for name, (status, at_ms) in self._heard.items()}
            self._waiting.move_times(set_ms)


def _outcome(table: str, future: "Future[Any]", say: Say) -> Outcome:
    try:
        future.result(ANSWER_S)
    except TimeoutError:
        problem = words("{table} has not answered; go there and look", table=HallTable(table))
        return Outcome(table, False, problem.said(say))
    except WallwrightError as error:
        return Outcome(table, False, told_by(error).said(say))
    return Outcome(table, True)
